//! What is needed of a mesh: its box and its triangles.

use glam::{DMat4, DVec3};
use gltf::json::accessor::{Accessor, ComponentType};
use gltf::json::mesh::{Mode, Primitive, Semantic};
use gltf::json::validation::Checked;
use gltf::json::{Root, Value};

/// The box and the triangles of a mesh.
#[derive(Clone, Copy, Debug)]
pub(super) struct MeshFacts {
    min: DVec3,
    max: DVec3,
    /// How many triangles its primitives draw.
    pub(super) triangles: u32,
}

/// A sphere around a mesh in the world.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sphere {
    /// Metres.
    pub(super) centre: DVec3,
    /// Metres.
    pub(super) radius: f64,
}

/// The facts of a mesh by index, or what is wrong with it.
pub(super) fn look_up(
    meshes: &[Result<MeshFacts, String>],
    index: usize,
) -> Result<&MeshFacts, String> {
    match meshes.get(index) {
        Some(Ok(facts)) => Ok(facts),
        Some(Err(message)) => Err(format!("mesh {index}: {message}")),
        None => Err(format!("it has mesh {index}, but there is no such mesh")),
    }
}

impl MeshFacts {
    /// Reads a mesh. A primitive without positions is not drawn and counts nothing.
    pub(super) fn of(root: &Root, index: usize) -> Result<Self, String> {
        let primitives = root.meshes.get(index).map_or(&[][..], |mesh| &mesh.primitives);
        let mut bounds: Option<(DVec3, DVec3)> = None;
        let mut triangles = 0_u64;
        for (number, primitive) in primitives.iter().enumerate() {
            let in_primitive = |message: String| format!("primitive {number}: {message}");
            let Some(positions) = positions(root, primitive).map_err(in_primitive)? else {
                continue;
            };
            let (min, max) = box_of(positions).map_err(in_primitive)?;
            bounds = Some(bounds.map_or((min, max), |(low, high)| (low.min(min), high.max(max))));
            let drawn = triangles_of(root, primitive, positions).map_err(in_primitive)?;
            triangles = triangles.saturating_add(drawn);
        }
        let (min, max) = bounds.unwrap_or_default();
        let triangles = u32::try_from(triangles)
            .map_err(|_| format!("it draws {triangles} triangles, more than lodger can count"))?;
        Ok(Self { min, max, triangles })
    }

    /// The bounding sphere: the box's centre, half its diagonal times the largest column scale.
    pub(super) fn sphere_under(&self, world: &DMat4) -> Sphere {
        let columns = [world.x_axis, world.y_axis, world.z_axis];
        let scale = columns.map(|c| c.truncate().length()).into_iter().fold(0.0, f64::max);
        Sphere {
            centre: world.transform_point3(self.min.midpoint(self.max)),
            radius: self.min.distance(self.max) / 2.0 * scale,
        }
    }
}

fn positions<'r>(root: &'r Root, primitive: &Primitive) -> Result<Option<&'r Accessor>, String> {
    primitive
        .attributes
        .get(&Checked::Valid(Semantic::Positions))
        .map(|&index| {
            root.get(index).ok_or_else(|| {
                format!("POSITION is accessor {index}, but there is no such accessor")
            })
        })
        .transpose()
}

fn box_of(positions: &Accessor) -> Result<(DVec3, DVec3), String> {
    let corner = |value: Option<&Value>, name: &str| {
        value.and_then(point).map(|p| p / full_scale(positions)).ok_or_else(|| {
            format!("its POSITION accessor has no `{name}` of three numbers, as glTF demands")
        })
    };
    Ok((corner(positions.min.as_ref(), "min")?, corner(positions.max.as_ref(), "max")?))
}

fn point(value: &Value) -> Option<DVec3> {
    match value.as_array()?.as_slice() {
        [x, y, z] => Some(DVec3::new(x.as_f64()?, y.as_f64()?, z.as_f64()?)),
        _ => None,
    }
}

/// What stands for 1 in quantized positions (`KHR_mesh_quantization`).
fn full_scale(accessor: &Accessor) -> f64 {
    let Checked::Valid(component) = accessor.component_type else {
        return 1.0;
    };
    match component.0 {
        _ if !accessor.normalized => 1.0,
        ComponentType::I8 => f64::from(i8::MAX),
        ComponentType::U8 => f64::from(u8::MAX),
        ComponentType::I16 => f64::from(i16::MAX),
        ComponentType::U16 => f64::from(u16::MAX),
        ComponentType::U32 | ComponentType::F32 => 1.0,
    }
}

fn triangles_of(root: &Root, primitive: &Primitive, positions: &Accessor) -> Result<u64, String> {
    let corners = match primitive.indices {
        Some(index) => {
            root.get(index)
                .ok_or_else(|| {
                    format!("its indices are accessor {index}, but there is no such accessor")
                })?
                .count
                .0
        }
        None => positions.count.0,
    };
    match primitive.mode {
        Checked::Valid(Mode::Triangles) => Ok(corners / 3),
        Checked::Valid(Mode::TriangleStrip | Mode::TriangleFan) => Ok(corners.saturating_sub(2)),
        Checked::Valid(Mode::Points | Mode::Lines | Mode::LineLoop | Mode::LineStrip) => Ok(0),
        Checked::Invalid => Err("its mode is none of glTF's, 0 to 6".to_owned()),
    }
}
