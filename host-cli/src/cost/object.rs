//! What an object of an archive costs.

use std::collections::HashMap;

use glam::{DMat3, DQuat, DVec3};
use lodger_core::cost::land_impact::{Linkset, Part as Counted, assess};
use lodger_core::cost::physics::{PhysicsCost, ShapeType, may_be_physical};
use lodger_core::cost::prims::{Primitive, Solid};
use lodger_core::cost::simulator::FreeScripts;
use lodger_core::cost::streaming::LinksetPart;
use lodger_core::cost::{PrimKind, Scale};
use uuid::Uuid;

use super::batch::Rows;
use super::conditions::{Conditions, motion};
use super::mesh::Mesh;
use super::report::{
    NoteRow, ObjectPhysicsRow, ObjectRow, ObjectStreamingRow, ServerRow, accounting,
};
use crate::input::archive::{self, Object, Part, PhysicsShapeType, Shape};
use crate::input::assets::FileError;

/// A mesh as a part of an object: all that its price depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct MeshUse {
    /// The asset.
    pub(crate) mesh: Uuid,
    /// The bits of its metres.
    scale: [u64; 3],
    shape: ShapeType,
    /// Whether the object moves by physics.
    physical: bool,
    /// Which part it is of an object whose mesh is animated.
    animated: Option<LinksetPart>,
}

/// The weights of a part.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Priced {
    streaming: f64,
    physics: PhysicsCost<f64>,
}

/// The prices of the meshes of an archive in all their uses.
#[derive(Debug, Default)]
pub(crate) struct Prices(HashMap<MeshUse, Result<Priced, String>>);

impl Prices {
    /// Adds one, or why there is none.
    pub(crate) fn insert(&mut self, mesh_use: MeshUse, priced: Result<Priced, String>) {
        self.0.insert(mesh_use, priced);
    }

    fn of(&self, mesh_use: &MeshUse) -> Result<Priced, String> {
        let mesh = mesh_use.mesh;
        match self.0.get(mesh_use) {
            Some(Ok(priced)) => Ok(*priced),
            Some(Err(error)) => Err(format!("its mesh {mesh}: {error}")),
            None => Err(format!("its mesh {mesh} is not in the archive")),
        }
    }
}

impl MeshUse {
    fn new(part: &Part, object: &Object, index: usize) -> Option<Self> {
        let place = if index == 0 { LinksetPart::Root } else { LinksetPart::Child };
        Some(Self {
            mesh: part.mesh()?,
            scale: part.scale.map(f64::to_bits),
            shape: shape_type(part),
            physical: object.physical(),
            animated: object.root.animated.then_some(place),
        })
    }

    /// The price of the mesh in this use.
    pub(crate) fn price(&self, mesh: &Mesh, conditions: &Conditions) -> Result<Priced, String> {
        let scale =
            Scale::new(self.scale.map(f64::from_bits)).map_err(|error| error.to_string())?;
        let streaming = match self.animated {
            Some(part) => conditions.streaming.animated_cost(mesh.sizes, part),
            None => conditions.streaming.cost(scale.radius(), mesh.sizes),
        };
        Ok(Priced { streaming, physics: mesh.collide(scale, self.shape, self.physical)? })
    }
}

/// The meshes that an object uses, and how.
pub(crate) fn uses(object: &Object) -> impl Iterator<Item = MeshUse> {
    object.parts().enumerate().filter_map(|(index, part)| MeshUse::new(part, object, index))
}

/// Adds an object to the rows, priced or not.
pub(crate) fn price(
    file: &str,
    object: &Object,
    prices: &Prices,
    conditions: &Conditions,
    rows: &mut Rows,
) {
    match row(file, object, prices, conditions) {
        Ok(row) => {
            let base = row.physics.cost;
            if row.physical && !may_be_physical(base) {
                let note = format!("it is physical, but its physics cost of {base:.1} is too much");
                rows.notes.push(NoteRow { file: place(file, object), note });
            }
            rows.objects.push(row);
        }
        Err(error) => rows.errors.push(FileError { file: place(file, object), error }),
    }
}

fn place(file: &str, object: &Object) -> String {
    format!("{file}/{} ({})", object.source, object.name())
}

fn row(
    file: &str,
    object: &Object,
    prices: &Prices,
    conditions: &Conditions,
) -> Result<ObjectRow, String> {
    let counted = |(index, part): (usize, &Part)| {
        counted(part, object, index, prices, conditions)
            .map_err(|error| format!("part {} ({}): {error}", index + 1, part.name))
    };
    let parts = object.parts().enumerate().map(counted).collect::<Result<Vec<_>, _>>()?;
    let size = size(object);
    let linkset = Linkset {
        size: Scale::new(size.into()).map_err(|error| format!("its size: {error}"))?,
        physical: object.physical(),
        scripts: object.scripts(),
        free_scripts: FreeScripts::One,
    };
    let assessment = assess(parts.iter().copied(), linkset).map_err(|error| error.to_string())?;
    let meshes = parts.iter().filter(|part| part.kind == PrimKind::Mesh).count();
    Ok(ObjectRow {
        file: file.to_owned(),
        object: object.name().to_owned(),
        entry: object.source.clone(),
        prims: assessment.prims,
        meshes: u32::try_from(meshes).unwrap_or(u32::MAX),
        scripts: linkset.scripts,
        physical: linkset.physical,
        size: size.into(),
        accounting: accounting(assessment.accounting),
        streaming: ObjectStreamingRow { cost: assessment.streaming, rules: conditions.rules() },
        physics: ObjectPhysicsRow {
            cost: assessment.physics_base,
            penalised: assessment.physics,
            provenance: assessment.physics_provenance.name(),
        },
        server: ServerRow { cost: assessment.server },
        land_impact: assessment.land_impact.into(),
    })
}

fn counted(
    part: &Part,
    object: &Object,
    index: usize,
    prices: &Prices,
    conditions: &Conditions,
) -> Result<Counted<f64>, String> {
    let shape = shape_type(part);
    if let Some(mesh_use) = MeshUse::new(part, object, index) {
        let Priced { streaming, physics } = prices.of(&mesh_use)?;
        return Ok(Counted { kind: PrimKind::Mesh, shape, streaming, physics });
    }
    let told = |error: lodger_core::Error| error.to_string();
    let prim = primitive(part);
    let radius = Scale::new(part.scale).map_err(told)?.radius();
    Ok(Counted {
        kind: prim.kind(),
        shape,
        streaming: conditions.prims.cost(radius, prim.bytes()),
        physics: prim.body().map_err(told)?.cost(shape, motion(object.physical())),
    })
}

fn shape_type(part: &Part) -> ShapeType {
    match part.physics_shape_type {
        PhysicsShapeType::Prim => ShapeType::Prim,
        PhysicsShapeType::None => ShapeType::None,
        PhysicsShapeType::ConvexHull => ShapeType::ConvexHull,
    }
}

/// What a part is that shows no mesh.
fn primitive(part: &Part) -> Primitive {
    let plain = |solid| Primitive { solid, altered: false };
    match part.shape {
        Shape::Prim { solid, altered } => {
            let solid = match solid {
                archive::Solid::Box => Solid::Box,
                archive::Solid::Cylinder => Solid::Cylinder,
                archive::Solid::Sphere => Solid::Sphere,
                archive::Solid::Other => Solid::Other,
            };
            Primitive { solid, altered }
        }
        Shape::Sculpt => plain(Solid::Sculpt),
        Shape::Mesh(_) | Shape::Plant => plain(Solid::Other),
    }
}

/// Metres: the box around all parts, along the axes of the root.
fn size(object: &Object) -> DVec3 {
    let corners = object.parts().map(|part| {
        let turned = DMat3::from_quat(DQuat::from_array(part.rotation));
        let half = DVec3::from_array(part.scale) / 2.0;
        let [x, y, z] = [turned.x_axis, turned.y_axis, turned.z_axis].map(DVec3::abs);
        let reach = x * half.x + y * half.y + z * half.z;
        let centre = DVec3::from_array(part.offset);
        (centre - reach, centre + reach)
    });
    let around = |(least, most): (DVec3, DVec3), (low, high): (DVec3, DVec3)| {
        (least.min(low), most.max(high))
    };
    corners.reduce(around).map_or(DVec3::ZERO, |(least, most)| most - least)
}
