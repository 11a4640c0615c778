//! What is needed of a mesh: its box and its triangles.

use glam::{DMat4, DVec3};
use gltf::json::accessor::{Accessor, ComponentType};
use gltf::json::mesh::{Mode, Primitive, Semantic};
use gltf::json::validation::Checked;
use gltf::json::{Root, Value};

use crate::gltf_error::{MeshError, NodeError};

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
    meshes: &[Result<MeshFacts, MeshError>],
    index: usize,
) -> Result<&MeshFacts, NodeError> {
    match meshes.get(index) {
        Some(Ok(facts)) => Ok(facts),
        Some(Err(error)) => Err(NodeError::Mesh { index, error: error.clone() }),
        None => Err(NodeError::NoSuchMesh(index)),
    }
}

impl MeshFacts {
    /// Reads a mesh. A primitive without positions is not drawn and counts nothing.
    pub(super) fn of(root: &Root, index: usize) -> Result<Self, MeshError> {
        let primitives = root.meshes.get(index).map_or(&[][..], |mesh| &mesh.primitives);
        let mut bounds: Option<(DVec3, DVec3)> = None;
        let mut triangles = 0_u64;
        for (number, primitive) in primitives.iter().enumerate() {
            let Some(positions) = positions(root, number, primitive)? else { continue };
            let (min, max) = box_of(number, positions)?;
            bounds = Some(bounds.map_or((min, max), |(low, high)| (low.min(min), high.max(max))));
            triangles = triangles.saturating_add(triangles_of(root, number, primitive, positions)?);
        }
        let (min, max) = bounds.unwrap_or_default();
        let triangles =
            u32::try_from(triangles).map_err(|_| MeshError::TooManyTriangles(triangles))?;
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

fn positions<'r>(
    root: &'r Root,
    number: usize,
    primitive: &Primitive,
) -> Result<Option<&'r Accessor>, MeshError> {
    let Some(&index) = primitive.attributes.get(&Checked::Valid(Semantic::Positions)) else {
        return Ok(None);
    };
    let missing = MeshError::NoPositions { primitive: number, accessor: index.value() };
    root.get(index).map(Some).ok_or(missing)
}

fn box_of(number: usize, positions: &Accessor) -> Result<(DVec3, DVec3), MeshError> {
    let corner = |value: Option<&Value>, bound| {
        let corner = value.and_then(point).map(|p| p / full_scale(positions));
        corner.ok_or(MeshError::NoBounds { primitive: number, bound })
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

fn triangles_of(
    root: &Root,
    number: usize,
    primitive: &Primitive,
    positions: &Accessor,
) -> Result<u64, MeshError> {
    let corners = match primitive.indices {
        Some(index) => {
            let missing = MeshError::NoIndices { primitive: number, accessor: index.value() };
            root.get(index).ok_or(missing)?.count.0
        }
        None => positions.count.0,
    };
    match primitive.mode {
        Checked::Valid(Mode::Triangles) => Ok(corners / 3),
        Checked::Valid(Mode::TriangleStrip | Mode::TriangleFan) => Ok(corners.saturating_sub(2)),
        Checked::Valid(Mode::Points | Mode::Lines | Mode::LineLoop | Mode::LineStrip) => Ok(0),
        Checked::Invalid => Err(MeshError::NoMode { primitive: number }),
    }
}
