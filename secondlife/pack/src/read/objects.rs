//! Splitting of meshes into objects of at most eight submeshes, with their levels, and of submeshes
//! along planes.

use lodger_core::cost::streaming::PerLod;
use lodger_mesh_asset::{Influence, Influences};

use crate::frame::Aabb;
use crate::model::{LodMesh, Material, ModelObject, Rig, Submesh};
use crate::read::file::{MaterialTriangles, PlacedMesh};
use crate::read::levels::ObjectLevels;
use crate::read::rig::push_joint;
use crate::read::soup::{FaceExtractor, TriangleSoup};
use crate::read::{FACES, Notes, ReadFailure};

struct FaceSlot {
    material: usize,
    face: Submesh,
}

struct FaceSplit {
    material: usize,
    cut: SplitTree,
    parts: usize,
}

pub(super) fn objects(
    whole: ObjectLevels,
    materials: &[Material],
    notes: &mut Notes,
) -> Result<Vec<ModelObject>, (usize, ReadFailure)> {
    let ObjectLevels { high: PlacedMesh { name, parts, mut rig, .. }, lower } = whole;
    let [lowest, low, medium, physics] = lower;
    let is_rigged = parts.iter().any(|part| !part.soup.influences.is_empty());
    let (divisions, slots) = divide(parts);
    let groups = slots.len().div_ceil(FACES);
    add_split_notes(&name, &divisions, groups, notes);
    let mut read = |drawn: PlacedMesh| {
        let file = drawn.file;
        let level =
            lower_level(drawn, &divisions, is_rigged.then_some(&mut rig), (materials, &name));
        level.map_err(|failure| (file, failure))
    };
    let lower = [lowest, low, medium].map(|drawn| drawn.map(&mut read).transpose());
    let [lowest, low, medium] = lower;
    let mut levels = [lowest?, low?, medium?];
    let is_given = levels.each_ref().map(Option::is_some);
    let mut physics = physics.and_then(|drawn| shape(drawn, &divisions, groups, (&name, notes)));
    let mut made = Vec::with_capacity(groups);
    let mut slots = slots.into_iter();
    for _ in 0..groups {
        let chosen: Vec<FaceSlot> = slots.by_ref().take(FACES).collect();
        let materials: Vec<usize> = chosen.iter().map(|slot| slot.material).collect();
        // The shape of an unsplit object may have any number of submeshes.
        let physics = if groups == 1 {
            physics.take().map(|faces| LodMesh { submeshes: faces })
        } else {
            next(&mut physics, materials.len())
        };
        let [lowest, low, medium] = levels.each_mut().map(|faces| next(faces, materials.len()));
        made.push(ModelObject {
            name: name.clone(),
            high: LodMesh { submeshes: chosen.into_iter().map(|slot| slot.face).collect() },
            authored: PerLod { lowest, low, medium, high: None },
            physics,
            rig: is_rigged.then(|| rig.clone()),
            materials,
        });
    }
    let lacks = |object: &ModelObject| {
        let PerLod { lowest, low, medium, .. } = &object.authored;
        [lowest, low, medium]
            .into_iter()
            .zip(&is_given)
            .any(|(level, given)| *given && level.is_none())
    };
    if made.iter().any(lacks) {
        let text = "a level that it brings shows nothing of one of its objects: there it is made";
        notes.once("level-empty", &name, text);
    }
    Ok(made)
}

/// The next submeshes of a level, if they have triangles.
fn next(faces: &mut Option<Vec<Submesh>>, count: usize) -> Option<LodMesh> {
    let faces = faces.as_mut()?;
    let level = LodMesh { submeshes: faces.drain(..count.min(faces.len())).collect() };
    (level.triangle_count() > 0).then_some(level)
}

fn divide(parts: Vec<MaterialTriangles>) -> (Vec<FaceSplit>, Vec<FaceSlot>) {
    let (mut divisions, mut slots) = (Vec::new(), Vec::new());
    for MaterialTriangles { material, soup } in parts {
        let (cut, faces) = split(&soup);
        divisions.push(FaceSplit { material, cut, parts: faces.len() });
        let faces = faces.into_iter();
        slots.extend(faces.map(|face| FaceSlot { material, face }));
    }
    (divisions, slots)
}

fn add_split_notes(name: &str, divisions: &[FaceSplit], groups: usize, notes: &mut Notes) {
    let faces: usize = divisions.iter().map(|division| division.parts).sum();
    if faces > divisions.len() {
        let text = format!(
            "a face has fewer than {VERTICES} vertices: instead of {} it has {faces}",
            divisions.len()
        );
        notes.once("vertices-split", name, text);
    }
    if groups > 1 {
        let text = format!(
            "an object has at most {FACES} faces: its {faces} are those of {groups} objects"
        );
        notes.once("materials-split", name, text);
    }
}

/// The submeshes of a lower level, one for each of the high one; some may be empty.
fn lower_level(
    drawn: PlacedMesh,
    divisions: &[FaceSplit],
    rig: Option<&mut Rig>,
    (materials, name): (&[Material], &str),
) -> Result<Vec<Submesh>, ReadFailure> {
    let said = drawn.said.clone();
    let drawn = match rig {
        Some(rig) => map_joints(drawn, rig)?,
        None => without_influences(drawn),
    };
    let is_known = |part: &&MaterialTriangles| {
        divisions.iter().any(|division| division.material == part.material)
    };
    if let Some(other) = drawn.parts.iter().find(|part| !is_known(part)) {
        let material = &materials[other.material].name;
        let problem = format!(
            "`{said}` has the material `{material}`, which the high level of `{name}` does not have"
        );
        return Err(ReadFailure::new(problem)
            .with_help("a lower level may lack materials of the high one, but adds none: materials go by their names"));
    }
    let too_many = || {
        ReadFailure::new(format!(
            "a face of `{said}` has {VERTICES} vertices or more, where the high level has fewer"
        ))
    };
    faces(&drawn.parts, divisions).ok_or_else(too_many)
}

/// Splits the triangles of a level as the high one; `None` if a submesh has too many vertices.
fn faces(parts: &[MaterialTriangles], divisions: &[FaceSplit]) -> Option<Vec<Submesh>> {
    let mut faces = Vec::new();
    for FaceSplit { material, cut, parts: count } in divisions {
        let Some(MaterialTriangles { soup, .. }) =
            parts.iter().find(|part| part.material == *material)
        else {
            faces.extend((0..*count).map(|_| Submesh::default()));
            continue;
        };
        let mut picker = FaceExtractor::new(soup);
        for triangles in cut.sorted(soup, *count) {
            let face = picker.face(&triangles)?;
            if face.positions.len() >= VERTICES {
                return None;
            }
            faces.push(face);
        }
    }
    Some(faces)
}

/// The submeshes of a physics shape, which needs the high level's materials only if the object was
/// split.
fn shape(
    drawn: PlacedMesh,
    divisions: &[FaceSplit],
    groups: usize,
    (name, notes): (&str, &mut Notes),
) -> Option<Vec<Submesh>> {
    let drawn = without_influences(drawn);
    if groups == 1 {
        return Some(drawn.parts.iter().flat_map(|part| split(&part.soup).1).collect());
    }
    let is_known = |part: &MaterialTriangles| {
        divisions.iter().any(|division| division.material == part.material)
    };
    let faces = drawn.parts.iter().all(is_known).then(|| faces(&drawn.parts, divisions)).flatten();
    if faces.is_none() {
        let text = "its physics shape cannot be taken apart by materials as it is: it is left out";
        notes.once("physics-dropped", name, text);
    }
    faces
}

/// Maps the joints of a level to the joints of the high one, and adds missing ones.
fn map_joints(mut drawn: PlacedMesh, rig: &mut Rig) -> Result<PlacedMesh, ReadFailure> {
    let in_level = |failure: ReadFailure| failure.within(&format!("`{}`", drawn.said));
    let mut places = Vec::with_capacity(drawn.rig.joints.len());
    for joint in std::mem::take(&mut drawn.rig.joints) {
        let known = rig.joints.iter().position(|other| other.name == joint.name);
        let known = known.and_then(|place| u8::try_from(place).ok());
        places.push(match known {
            Some(place) => place,
            None => push_joint(rig, joint).map_err(in_level)?,
        });
    }
    let moved =
        |one: &Influence| Some(Influence { joint: *places.get(usize::from(one.joint))?, ..*one });
    for MaterialTriangles { soup, .. } in &mut drawn.parts {
        if soup.influences.is_empty() {
            return Err(in_level(
                ReadFailure::new(
                    "it has no joints and weights, but the high level hangs on joints",
                )
                .of_skin(),
            ));
        }
        for influences in &mut soup.influences {
            *influences = Influences::new(influences.as_slice().iter().filter_map(moved));
        }
    }
    Ok(drawn)
}

fn without_influences(mut drawn: PlacedMesh) -> PlacedMesh {
    for MaterialTriangles { soup, .. } in &mut drawn.parts {
        soup.influences = Vec::new();
    }
    drawn
}

/// The number of vertices of a submesh is below this limit.
///
/// Source: today's viewer on upload.
pub(super) const VERTICES: usize = 65_535;

#[derive(Clone, Debug, Default)]
pub(super) struct SplitTree {
    nodes: Vec<SplitNode>,
}

#[derive(Clone, Copy, Debug)]
enum SplitNode {
    Leaf(usize),
    /// Triangles with their centre below `at` on an axis go to one node, the others to another.
    Plane {
        axis: usize,
        at: f32,
        below: usize,
        above: usize,
    },
}

pub(super) fn split(soup: &TriangleSoup) -> (SplitTree, Vec<Submesh>) {
    let (mut nodes, mut faces) = (vec![SplitNode::Leaf(0)], Vec::new());
    let mut picker = FaceExtractor::new(soup);
    let mut open = vec![(0, soup.triangles.clone())];
    while let Some((node, triangles)) = open.pop() {
        if picker.vertices(&triangles) < VERTICES {
            nodes[node] = SplitNode::Leaf(faces.len());
            faces.extend(picker.face(&triangles));
            continue;
        }
        let (axis, at, [low, high]) = halves(soup, triangles);
        let (below, above) = (nodes.len(), nodes.len() + 1);
        nodes[node] = SplitNode::Plane { axis, at, below, above };
        nodes.extend([SplitNode::Leaf(0); 2]);
        open.extend([(above, high), (below, low)]);
    }
    (SplitTree { nodes }, faces)
}

impl SplitTree {
    /// The triangles of another level, by part.
    pub(super) fn sorted(&self, soup: &TriangleSoup, parts: usize) -> Vec<Vec<[u32; 3]>> {
        let mut sorted = vec![Vec::new(); parts];
        for &triangle in &soup.triangles {
            let middle = middle(soup, triangle);
            let mut node = 0;
            let part = loop {
                match self.nodes.get(node) {
                    Some(&SplitNode::Plane { axis, at, below, above }) => {
                        node = if middle[axis] < at { below } else { above };
                    }
                    Some(&SplitNode::Leaf(part)) => break part,
                    None => break 0,
                }
            };
            if let Some(triangles) = sorted.get_mut(part) {
                triangles.push(triangle);
            }
        }
        sorted
    }
}

type Halves = (usize, f32, [Vec<[u32; 3]>; 2]);

/// Two halves of at least two triangles, along the axis of their widest spread. Triangles with
/// equal centres are halved by order, and all other levels go below.
fn halves(soup: &TriangleSoup, triangles: Vec<[u32; 3]>) -> Halves {
    let middles: Vec<[f32; 3]> = triangles.iter().map(|&t| middle(soup, t)).collect();
    let sides = Aabb::around(middles.iter().copied()).sides();
    let widest = (0..3).max_by(|&a: &usize, &b| sides[a].total_cmp(&sides[b])).unwrap_or_default();
    if sides[widest] > 0.0 {
        let mut along: Vec<f32> = middles.iter().map(|middle| middle[widest]).collect();
        let half = along.len() / 2;
        let (before, &mut median, behind) = along.select_nth_unstable_by(half, f32::total_cmp);
        // If the median is the minimum, the next greater value separates the halves.
        let min = before.iter().all(|&other| other >= median);
        let next =
            behind.iter().copied().filter(|&other| other > median).fold(f32::INFINITY, f32::min);
        let at = if min { next } else { median };
        let (low, high) = triangles
            .into_iter()
            .zip(&middles)
            .partition::<Vec<_>, _>(|(_, middle)| middle[widest] < at);
        let bare = |pairs: Vec<([u32; 3], &[f32; 3])>| pairs.into_iter().map(|(t, _)| t).collect();
        return (widest, at, [bare(low), bare(high)]);
    }
    let mut low = triangles;
    let high = low.split_off(low.len() / 2);
    (0, f32::INFINITY, [low, high])
}

fn middle(soup: &TriangleSoup, triangle: [u32; 3]) -> [f32; 3] {
    let corners = soup.corners(triangle);
    std::array::from_fn(|axis| corners.iter().map(|corner| corner[axis] / 3.0).sum())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::soup::TriangleSoup;

    fn row(places: impl Iterator<Item = f32>) -> TriangleSoup {
        let mut soup = TriangleSoup::default();
        for (at, first) in places.zip((0..).step_by(3)) {
            soup.positions.extend([[at, 0.0, 0.0], [at, 1.0, 0.0], [at, 0.0, 1.0]]);
            soup.triangles.push([first, first + 1, first + 2]);
        }
        soup
    }

    #[test]
    fn a_small_face_stays_as_it_is() {
        let soup = row((0..21_844_u16).map(f32::from));
        assert_eq!(soup.positions.len(), VERTICES - 3);
        let (cut, faces) = split(&soup);
        assert_eq!((faces.len(), faces[0].positions.len()), (1, VERTICES - 3));
        assert_eq!(cut.sorted(&soup, 1)[0], soup.triangles);
    }

    #[test]
    fn triangles_with_the_same_middle_are_cut_by_their_order() {
        for place in [0.0, 1e30] {
            let (cut, faces) = split(&row(std::iter::repeat_n(place, 60_000)));
            assert_eq!(faces.iter().map(|face| face.triangles.len()).sum::<usize>(), 60_000);
            assert!(faces.iter().all(|face| face.positions.len() < VERTICES));
            let low = row(std::iter::once(place));
            assert_eq!(cut.sorted(&low, faces.len()).iter().map(Vec::len).sum::<usize>(), 1);
        }
        let mostly = (0..60_000_u16).map(|i| if i == 0 { 7.0 } else { 0.0 });
        let (_, faces) = split(&row(mostly));
        assert_eq!(faces.iter().map(|face| face.triangles.len()).sum::<usize>(), 60_000);
    }
}
