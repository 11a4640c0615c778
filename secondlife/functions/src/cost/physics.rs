//! Physics costs: `physics_cost`, `hull_cost`, `decomposition_cost`, `penalised`.

use std::str::FromStr;

use arrow::array::{
    ArrayRef, BinaryViewArray, BooleanArray, Float64Array, StringViewArray, UInt16Array,
    UInt32Array,
};
use datafusion_common::Result;
use lodger_core::cost::physics::{
    ConvexDecomposition, ConvexHull, ShapeType, penalised as penalise,
};
use lodger_core::cost::streaming::PerLod;
use lodger_mesh_asset::{AssetLimits, PhysicsCostData, PhysicsInputs, PhysicsMesh};
use lodger_opensim::pricing::MeshInputs;

use super::{X, Y, Z, cost_type, costs, scale};
use crate::arguments::{ArgumentColumn, SqlArguments};
use crate::function::{Argument, ArgumentType, SqlFunction};

pub(crate) static HULL_COST: SqlFunction = SqlFunction {
    name: "hull_cost",
    about: "The physics cost of a convex hull, estimated: 0.04 for each vertex and the hull. Source: an independent \
        simulator, because the formula of the mesh physics document is lost. Null where the argument is, or is not \
        from 1 to 256.",
    example: "SELECT hull_cost(24)",
    arguments: &[Argument::number("vertices", "The vertices of the hull, 1 to 256.")],
    result: cost_type,
    call: hull_cost,
};

pub(crate) static DECOMPOSITION_COST: SqlFunction = SqlFunction {
    name: "decomposition_cost",
    about: "The physics cost of a decomposition into convex hulls, estimated: 0.04 for each vertex and each hull. \
        Source: an independent simulator, because the formula of the mesh physics document is lost. Null where an \
        argument is, for hulls that are not from 1 to 256, and for fewer vertices than hulls or more than 256 for each.",
    example: "SELECT decomposition_cost(25, 300)",
    arguments: &[
        Argument::number("hulls", "The number of hulls, 1 to 256."),
        Argument::number("vertices", "The vertices of all hulls together."),
    ],
    result: cost_type,
    call: decomposition_cost,
};

pub(crate) static PENALISED: SqlFunction = SqlFunction {
    name: "penalised",
    about: "The physics cost of an object that moves by physics: its cost at rest × (1 + 0.04·A), A the mean area of \
        the three faces of its box in m². Source: mesh physics document, formula, notes. Null where an argument is, \
        and for a side that is negative, NaN or above 16384 m.",
    example: "SELECT penalised(1.0, 3, 4, 5)",
    arguments: &[
        Argument::number("physics", "The sum of the physics costs of its parts."),
        X,
        Y,
        Z,
    ],
    result: cost_type,
    call: penalised,
};

pub(crate) static PHYSICS_COST: SqlFunction = SqlFunction {
    name: "physics_cost",
    about: "The physics cost of a part that shows a mesh, before any penalty. Source: mesh physics document, mesh \
        assets and physics resource cost. The last five arguments may be null, which means that the asset has none. \
        Null where another argument is, for an unknown shape type, for numbers that core rejects, and for the type \
        'prim' where the physics mesh cannot be read.",
    example: "SELECT physics_cost('convex-hull', false, 1, 1, 1, 24, NULL, NULL, NULL, NULL, NULL)",
    arguments: &[
        Argument::new("shape_type", ArgumentType::Word, "'prim', 'convex-hull' or 'none'."),
        Argument::new("physical", ArgumentType::Flag, "Whether its object moves by physics."),
        X,
        Y,
        Z,
        Argument::number("hull_vertices", "The vertices of the hull around the mesh, 1 to 256."),
        Argument::number("hulls", "The hulls of the decomposition, 1 to 256."),
        Argument::number(
            "hulls_vertices",
            "The vertices of these hulls together; null where hulls is.",
        ),
        Argument::number(
            "hull_cost",
            "The cost of the hull that a simulator wrote into the asset.",
        ),
        Argument::number(
            "decomposition_cost",
            "The cost of the decomposition that a simulator wrote into the asset.",
        ),
        Argument::new(
            "physics_mesh",
            ArgumentType::Blob,
            "The compressed block of the physics mesh, as it is in the asset.",
        ),
    ],
    result: cost_type,
    call: physics_cost,
};

fn hull_cost(arguments: &SqlArguments<'_>) -> Result<ArrayRef> {
    let vertices: ArgumentColumn<UInt16Array> = arguments.number(0)?;
    Ok(costs(arguments.rows(), |row| Some(ConvexHull::new(vertices.get(row)?).ok()?.cost())))
}

fn decomposition_cost(arguments: &SqlArguments<'_>) -> Result<ArrayRef> {
    let hulls: ArgumentColumn<UInt16Array> = arguments.number(0)?;
    let vertices: ArgumentColumn<UInt32Array> = arguments.number(1)?;
    Ok(costs(arguments.rows(), |row| {
        Some(ConvexDecomposition::of_totals(hulls.get(row)?, vertices.get(row)?).ok()?.cost())
    }))
}

fn penalised(arguments: &SqlArguments<'_>) -> Result<ArrayRef> {
    let physics: ArgumentColumn<Float64Array> = arguments.number(0)?;
    let sides: [ArgumentColumn<Float64Array>; 3] = arguments.numbers(1)?;
    Ok(costs(arguments.rows(), |row| Some(penalise(physics.get(row)?, scale(&sides, row)?))))
}

fn physics_cost(arguments: &SqlArguments<'_>) -> Result<ArrayRef> {
    let columns = PhysicsArguments {
        shape_type: arguments.word(0)?,
        physical: arguments.flag(1)?,
        sides: arguments.numbers(2)?,
        hull_vertices: arguments.number(5)?,
        hulls: arguments.numbers(6)?,
        known: arguments.numbers(8)?,
        physics_mesh: arguments.blob(10)?,
    };
    let mut last = LastMeshCache::default();
    Ok(costs(arguments.rows(), |row| columns.cost(row, &mut last)))
}

/// Arguments of `physics_cost`. Nullable numbers are `f64`, so that no value becomes null because
/// it exceeds the range of its type.
struct PhysicsArguments {
    shape_type: ArgumentColumn<StringViewArray>,
    physical: ArgumentColumn<BooleanArray>,
    sides: [ArgumentColumn<Float64Array>; 3],
    hull_vertices: ArgumentColumn<UInt16Array>,
    hulls: [ArgumentColumn<Float64Array>; 2],
    /// Costs of hull and decomposition that a simulator wrote.
    known: [ArgumentColumn<Float64Array>; 2],
    physics_mesh: ArgumentColumn<BinaryViewArray>,
}

impl PhysicsArguments {
    fn cost<'p>(&'p self, row: usize, last: &mut LastMeshCache<'p>) -> Option<f64> {
        let shape = ShapeType::from_str(self.shape_type.get(row)?).ok()?;
        let physical = self.physical.get(row)?;
        let scale = scale(&self.sides, row)?;
        let hull = ConvexHull::new(self.hull_vertices.get(row)?).ok()?;
        let hulls = self.decomposition(row)?;
        let [hull_cost, decomposition] = self.known.each_ref().map(|known| known.get(row));
        let known =
            PhysicsCostData { hull: hull_cost, decomposition, ..PhysicsCostData::default() };
        // Only the type `prim` uses the physics mesh.
        let block = self.physics_mesh.get(row).filter(|_| shape == ShapeType::Prim);
        let mesh = last.mesh(block, PhysicsInputs::new(hull, hulls, None, Some(known)))?;
        mesh.physics_cost(scale, shape, physical).ok().map(|physics| physics.cost)
    }

    /// The decomposition of a row, if it has one; `None` if core rejects it.
    #[allow(clippy::option_option)] // rejected, absent or present
    fn decomposition(&self, row: usize) -> Option<Option<ConvexDecomposition>> {
        let [hulls, vertices] = self.hulls.each_ref().map(|number| number.get(row));
        match (hulls, vertices) {
            (None, None) => Some(None),
            (Some(hulls), Some(vertices)) => {
                let hulls = u16::try_from(truncated(hulls)?).ok()?;
                ConvexDecomposition::of_totals(hulls, truncated(vertices)?).ok().map(Some)
            }
            _ => None,
        }
    }
}

/// A number without its fraction, unless it is negative, NaN or too large.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // within u32
fn truncated(number: f64) -> Option<u32> {
    (0.0..=f64::from(u32::MAX)).contains(&number).then_some(number as u32)
}

/// The mesh of the last row. Adjacent rows often have the same block, and need not inflate it
/// again.
#[derive(Default)]
struct LastMeshCache<'p> {
    block: Option<&'p [u8]>,
    mesh: Option<MeshInputs>,
}

impl<'p> LastMeshCache<'p> {
    /// The mesh of these inputs and a block of triangles; `None` if the block cannot be read.
    fn mesh(&mut self, block: Option<&'p [u8]>, mut inputs: PhysicsInputs) -> Option<&MeshInputs> {
        let same = self.block == block;
        let known = self.mesh.take().filter(|_| same).and_then(|mesh| mesh.physics);
        inputs.mesh = match (known, block) {
            (Some(known), _) => known.mesh,
            (None, None) => None,
            (None, Some(block)) => PhysicsMesh::from_block(block, AssetLimits::default()).ok()?,
        };
        self.block = block;
        let physics = Some(inputs);
        Some(
            self.mesh
                .insert(MeshInputs { physics, ..MeshInputs::from_lod_bytes(PerLod::default()) }),
        )
    }
}
