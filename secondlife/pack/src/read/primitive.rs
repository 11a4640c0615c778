//! Primitives as triangles in metres, Z up, placed by their node, with an origin of their own.

use glam::{DAffine3, DMat3, DVec3};
use lodger_gltf::accessor_specs::{INDICES, NORMAL, POSITION, TEX_COORD};
use lodger_gltf::{AccessorReader, Elements, GltfFileError, Index};

use crate::frame::Aabb;
use crate::read::ReadFailure;
use crate::read::raw::PrimitiveJson;
use crate::read::rig::{RigBuilder, SkinnedVertices};
use crate::read::soup::{Mode, TriangleSoup, direction, has_area, triangles, turning};

/// At this distance from the origin, in sides of a box, an `f32` moves by at most 2⁻²⁰ of the side:
/// a sixteenth of the asset's resolution.
const FAR: f64 = 16.0;
/// The limit of a new origin in metres, within the range of `f32`.
const MAX_DISTANCE: f64 = 1e30;

/// The centre of a box along each axis on which it is far from 0, and 0 on others.
pub(crate) fn far_middle(extent: &Aabb<f64>) -> [f64; 3] {
    std::array::from_fn(|axis| {
        let (min, max) = (extent.min[axis], extent.max[axis]);
        let middle = f64::midpoint(min, max);
        let is_far = max > min && middle.abs() > FAR * (max - min);
        if is_far && middle.abs() < MAX_DISTANCE { middle } else { 0.0 }
    })
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "these middles are exact")]
mod tests {
    use super::*;

    #[test]
    fn only_meshes_far_away_for_their_size_are_moved() {
        let mut extent = Aabb::empty();
        assert_eq!(far_middle(&extent), [0.0; 3]);
        extent.add([1e6, 15.0, 1e38]);
        extent.add([1e6 + 1.0, 16.0, 1.1e38]);
        assert_eq!(far_middle(&extent), [1e6 + 0.5, 0.0, 0.0]);
    }
}

/// Bytes of a vertex and of a triangle until they are in a submesh: in two soups, sorted into
/// parts, and in the submesh.
const VERTEX: u64 = 3 * 64;
const TRIANGLE: u64 = 64;

#[derive(Clone, Copy)]
pub(crate) struct Placement {
    world: DAffine3,
    turning: DMat3,
    is_mirrored: bool,
    /// The origin of positions, in glTF axes.
    origin: DVec3,
}

#[derive(Debug, Default)]
pub(crate) struct ReadTally {
    pub(crate) flat: usize,
    pub(crate) double: usize,
    /// The number of texture coordinates that are not finite.
    pub(crate) lost_tex_coords: usize,
}

impl Placement {
    pub(crate) fn new(world: DAffine3) -> Self {
        let is_mirrored = world.matrix3.determinant() < 0.0;
        Self { world, turning: turning(world.matrix3), is_mirrored, origin: DVec3::ZERO }
    }

    /// Moves the origin to primitives that are far from it. Ignores unreadable positions, which
    /// `read` reports.
    pub(crate) fn far(mut self, data: &AccessorReader<'_>, parts: &[PrimitiveJson]) -> Self {
        let mut extent = Aabb::empty();
        for index in parts.iter().filter_map(|part| part.attributes.get("POSITION")) {
            for point in data.elements::<3>(*index, POSITION).into_iter().flatten() {
                let point = self.world.transform_point3(DVec3::from_array(point));
                extent.add(point.to_array());
            }
        }
        self.origin = DVec3::from_array(far_middle(&extent));
        self
    }

    /// The origin of positions, in metres, Z up.
    pub(crate) const fn origin(&self) -> [f64; 3] {
        let DVec3 { x, y, z } = self.origin;
        [x, if z == 0.0 { 0.0 } else { -z }, y]
    }
}

/// Converts to Z up and to the nearest `f32`: (x, y, z) becomes (x, −z, y).
#[expect(clippy::cast_possible_truncation, reason = "to the nearest is meant")]
fn up(point: DVec3) -> [f32; 3] {
    [point.x as f32, -point.z as f32, point.y as f32]
}

enum VertexPlacement<'a> {
    Node(&'a Placement),
    Joints(Vec<DAffine3>),
}

impl VertexPlacement<'_> {
    fn at(&self, vertex: usize) -> Placement {
        match self {
            Self::Node(place) => **place,
            Self::Joints(puts) => Placement::new(puts[vertex]),
        }
    }

    fn mirrors(&self, triangle: [u32; 3]) -> bool {
        let is_mirrored = |&corner: &u32| self.at(corner as usize).is_mirrored;
        triangle.iter().filter(|corner| is_mirrored(corner)).count() > 1
    }
}

/// Reads the triangles of a primitive that have an area, with their vertices; missing normals are
/// zero. Joints of a rig place the vertices, else `place`.
pub(crate) fn read(
    data: &AccessorReader<'_>,
    (number, part): (usize, &PrimitiveJson),
    place: &Placement,
    rigging: Option<&mut RigBuilder<'_>>,
    tally: &mut ReadTally,
) -> Result<TriangleSoup, ReadFailure> {
    let vertices = points(data, part)?.len();
    data.file_quota.charge((vertices as u64).saturating_mul(VERTEX))?;
    let (places, influences) = match rigging {
        Some(rigging) => {
            let SkinnedVertices { influences, puts } =
                rigging.bind_vertices(data, (number, part), points(data, part)?)?;
            (VertexPlacement::Joints(puts), influences)
        }
        None => (VertexPlacement::Node(place), Vec::new()),
    };
    let mut soup = TriangleSoup {
        positions: positions(points(data, part)?, &places)?,
        normals: normals(data, part, &places, vertices)?,
        tex_coords: tex_coords(data, part, vertices, tally)?,
        influences,
        triangles: corners(data, part, vertices)?,
    };
    let mut all = std::mem::take(&mut soup.triangles);
    for triangle in &mut all {
        if places.mirrors(*triangle) {
            triangle.swap(1, 2);
        }
    }
    let count = all.len();
    soup.triangles = all.into_iter().filter(|&t| has_area(soup.corners(t))).collect();
    tally.flat += count - soup.triangles.len();
    Ok(soup)
}

pub(crate) fn mode(part: &PrimitiveJson) -> Result<Mode, ReadFailure> {
    let code = part.mode.map_or(4, |mode| mode.0);
    Mode::from_code(code).ok_or_else(|| ReadFailure::new("its mode is none of glTF's, 0 to 6"))
}

fn points<'d>(
    data: &'d AccessorReader<'_>,
    part: &PrimitiveJson,
) -> Result<Elements<'d, 3>, ReadFailure> {
    let index = part.attributes.get("POSITION");
    let &index = index.ok_or_else(|| ReadFailure::new("it has no positions"))?;
    if part.extensions.draco.is_some() && !data.has_data(index) {
        return Err(ReadFailure::new(
            "it is compressed with KHR_draco_mesh_compression, which lodger does not read",
        )
        .with_help("export the model without compression"));
    }
    let of_positions = |error: GltfFileError| ReadFailure::new(format!("its positions: {error}"));
    data.elements::<3>(index, POSITION).map_err(of_positions)
}

fn positions(
    points: Elements<'_, 3>,
    places: &VertexPlacement<'_>,
) -> Result<Vec<[f32; 3]>, ReadFailure> {
    let mut positions = Vec::with_capacity(points.len());
    for (vertex, point) in points.enumerate() {
        let point = DVec3::from_array(point);
        let Placement { world, origin, .. } = places.at(vertex);
        let placed = up(world.transform_point3(point) - origin);
        if !placed.iter().all(|axis| axis.is_finite()) {
            let whose = if point.is_finite() {
                "where its node or joints put it"
            } else {
                "as it is written"
            };
            let problem = format!("the position of vertex {vertex} is not finite, {whose}");
            return Err(ReadFailure::new(problem));
        }
        positions.push(placed);
    }
    Ok(positions)
}

fn normals(
    data: &AccessorReader<'_>,
    part: &PrimitiveJson,
    places: &VertexPlacement<'_>,
    vertices: usize,
) -> Result<Vec<[f32; 3]>, ReadFailure> {
    let Some(normals) = attribute::<3>(data, part, "NORMAL", vertices)? else {
        return Ok(vec![[0.0; 3]; vertices]);
    };
    let turned = |(vertex, normal)| {
        let turned = places.at(vertex).turning * DVec3::from_array(normal);
        direction(turned).map_or([0.0; 3], up)
    };
    Ok(normals.enumerate().map(turned).collect())
}

/// The first set of texture coordinates, with V negated.
#[expect(clippy::cast_possible_truncation, reason = "to the nearest is meant")]
fn tex_coords(
    data: &AccessorReader<'_>,
    part: &PrimitiveJson,
    vertices: usize,
    tally: &mut ReadTally,
) -> Result<Vec<[f32; 2]>, ReadFailure> {
    let Some(coords) = attribute::<2>(data, part, "TEXCOORD_0", vertices)? else {
        return Ok(Vec::new());
    };
    let turned = coords.map(|[u, v]| {
        let turned = [u as f32, -v as f32];
        if turned.iter().all(|axis| axis.is_finite()) {
            return turned;
        }
        tally.lost_tex_coords += 1;
        [0.0; 2]
    });
    Ok(turned.collect())
}

/// The elements of an attribute, one for each vertex; `None` if the primitive has none.
fn attribute<'d, const N: usize>(
    data: &'d AccessorReader<'_>,
    part: &PrimitiveJson,
    name: &str,
    vertices: usize,
) -> Result<Option<Elements<'d, N>>, ReadFailure> {
    let Some(&index) = part.attributes.get(name) else { return Ok(None) };
    let wanted = if N == 3 { NORMAL } else { TEX_COORD };
    let failed = |error: GltfFileError| ReadFailure::new(format!("its {name}: {error}"));
    let elements = data.elements::<N>(index, wanted).map_err(failed)?;
    if elements.len() != vertices {
        let count = elements.len();
        return Err(ReadFailure::new(format!(
            "it has {vertices} positions, but {count} of {name}"
        )));
    }
    Ok(Some(elements))
}

fn corners(
    data: &AccessorReader<'_>,
    part: &PrimitiveJson,
    vertices: usize,
) -> Result<Vec<[u32; 3]>, ReadFailure> {
    let mode = mode(part)?;
    let indices = indices(data, part.indices, vertices)?;
    data.file_quota.charge(TRIANGLE.saturating_mul(mode.count(indices.len()) as u64))?;
    triangles(mode, &indices, vertices)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it was read from a whole number of at most 32 bits"
)]
fn indices(
    data: &AccessorReader<'_>,
    index: Option<Index>,
    vertices: usize,
) -> Result<Vec<u32>, ReadFailure> {
    let Some(index) = index else {
        let many =
            u32::try_from(vertices).map_err(|_| ReadFailure::new("it has too many vertices"))?;
        data.file_quota.charge_array::<u32>(vertices)?;
        return Ok((0..many).collect());
    };
    let failed = |error: GltfFileError| ReadFailure::new(format!("its indices: {error}"));
    let count = data.count(index).map_err(failed)?;
    data.file_quota.charge(count.saturating_mul(size_of::<u32>() as u64))?;
    let elements = data.elements::<1>(index, INDICES).map_err(failed)?;
    Ok(elements.map(|[index]| index as u32).collect())
}
