//! `physics_cost`.

use std::str::FromStr;

use arrow::array::{
    ArrayRef, BinaryViewArray, BooleanArray, Float64Array, StringViewArray, UInt16Array,
};
use datafusion_common::Result;
use lodger_core::cost::physics::{Hull, Hulls, ShapeType};
use lodger_core::cost::streaming::Lods;
use lodger_mesh_asset::{Limits, PhysicsCostData, PhysicsInputs, PhysicsMesh};
use lodger_opensim::pricing::Mesh;

use super::units::{self, X, Y, Z};
use crate::arguments::{Arguments, Column};
use crate::function::{Argument, Function, Kind};

/// The physics cost of a mesh.
pub(crate) static PHYSICS_COST: Function = Function {
    name: "physics_cost",
    about: "The physics cost of a part that shows a mesh, before any penalty. Source: mesh physics document, mesh \
        assets and physics resource cost. The last five arguments may be null, which says that there is none. Null \
        where another argument is, for an unknown shape type, for numbers that core refuses, and for the type 'prim' \
        where the physics mesh cannot be read.",
    example: "SELECT physics_cost('convex-hull', false, 1, 1, 1, 24, NULL, NULL, NULL, NULL, NULL)",
    arguments: &[
        Argument::new("shape_type", Kind::Word, "'prim', 'convex-hull' or 'none'."),
        Argument::new("physical", Kind::Flag, "Whether its object moves by physics."),
        X,
        Y,
        Z,
        Argument::new(
            "hull_vertices",
            Kind::Number,
            "The vertices of the hull around everything, 1 to 256.",
        ),
        Argument::new("hulls", Kind::Number, "The hulls of the decomposition, 1 to 256."),
        Argument::new(
            "hulls_vertices",
            Kind::Number,
            "The vertices of these hulls together; null where they are.",
        ),
        Argument::new(
            "hull_cost",
            Kind::Number,
            "What a simulator wrote into the asset as the cost of the hull.",
        ),
        Argument::new(
            "decomposition_cost",
            Kind::Number,
            "What it wrote as the cost of the decomposition.",
        ),
        Argument::new(
            "physics_mesh",
            Kind::Blob,
            "The block of the physics mesh as the asset has it, compressed.",
        ),
    ],
    last_is_optional: false,
    result: units::cost,
    call,
};

fn call(arguments: &Arguments<'_>) -> Result<ArrayRef> {
    let parts = Parts {
        shape_type: arguments.word(0)?,
        physical: arguments.flag(1)?,
        sides: arguments.numbers(2)?,
        hull_vertices: arguments.number(5)?,
        hulls: arguments.numbers(6)?,
        known: arguments.numbers(8)?,
        physics_mesh: arguments.blob(10)?,
    };
    let mut last = LastMesh::default();
    Ok(units::costs(arguments.rows(), |row| parts.cost(row, &mut last)))
}

/// The arguments as columns. Those that may be null are floating-point numbers, so that none becomes null because a
/// type has no room for it.
struct Parts {
    shape_type: Column<StringViewArray>,
    physical: Column<BooleanArray>,
    sides: [Column<Float64Array>; 3],
    hull_vertices: Column<UInt16Array>,
    /// How many there are, and their vertices together.
    hulls: [Column<Float64Array>; 2],
    /// The costs of hull and decomposition that a simulator wrote.
    known: [Column<Float64Array>; 2],
    physics_mesh: Column<BinaryViewArray>,
}

impl Parts {
    fn cost<'p>(&'p self, row: usize, last: &mut LastMesh<'p>) -> Option<f64> {
        let shape = ShapeType::from_str(self.shape_type.get(row)?).ok()?;
        let physical = self.physical.get(row)?;
        let scale = units::scale(&self.sides, row)?;
        let hull = Hull::new(self.hull_vertices.get(row)?).ok()?;
        let hulls = self.decomposition(row)?;
        let [of_hull, of_hulls] = self.known.each_ref().map(|known| known.get(row));
        let known = PhysicsCostData {
            hull: of_hull,
            decomposition: of_hulls,
            ..PhysicsCostData::default()
        };
        // No other type looks at the physics mesh.
        let block = self.physics_mesh.get(row).filter(|_| shape == ShapeType::Prim);
        let mesh = last.of(block, PhysicsInputs::new(hull, hulls, None, Some(known)))?;
        mesh.physics_cost(scale, shape, physical).ok().map(|physics| physics.cost)
    }

    /// The decomposition of a row, if there is one; nothing at all where core refuses it.
    #[allow(clippy::option_option)] // refused, none, or one
    fn decomposition(&self, row: usize) -> Option<Option<Hulls>> {
        let [hulls, vertices] = self.hulls.each_ref().map(|number| number.get(row));
        match (hulls, vertices) {
            (None, None) => Some(None),
            (Some(hulls), Some(vertices)) => {
                let hulls = u16::try_from(whole(hulls)?).ok()?;
                Hulls::of_totals(hulls, whole(vertices)?).ok().map(Some)
            }
            _ => None,
        }
    }
}

/// A number without its fraction, unless it is negative, NaN or too large.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // within u32
fn whole(number: f64) -> Option<u32> {
    (0.0..=f64::from(u32::MAX)).contains(&number).then_some(number as u32)
}

/// The mesh of the last row: rows of the same block mostly follow each other, and it is then not inflated again.
#[derive(Default)]
struct LastMesh<'p> {
    block: Option<&'p [u8]>,
    mesh: Option<Mesh>,
}

impl<'p> LastMesh<'p> {
    /// A mesh of such inputs with a block of triangles; nothing where the block cannot be read.
    fn of(&mut self, block: Option<&'p [u8]>, mut inputs: PhysicsInputs) -> Option<&Mesh> {
        let same = self.block == block;
        let known = self.mesh.take().filter(|_| same).and_then(|mesh| mesh.physics);
        let mesh = match (known, block) {
            (Some(known), _) => known.mesh,
            (None, None) => None,
            (None, Some(block)) => PhysicsMesh::of_block(block, Limits::default()).ok()?,
        };
        self.block = block;
        inputs.mesh = mesh;
        let physics = Some(inputs);
        Some(self.mesh.insert(Mesh { physics, ..Mesh::imagined(Lods::default()) }))
    }
}
