//! Vertices that no triangle has, so that a file is as large as its object.
//!
//! A viewer brings each file to unit space by the box of all its vertices, and shows what is in it at the size of the
//! high level: a lower level or a physics shape that is a little smaller, as simplified ones are, would be stretched.
//! Two vertices at the corners of the object's box keep it as it is.
//!
//! Source: `LLGLTFLoader::populateModelFromMesh` of the viewer, which takes the box of all vertices, and
//! `LLModel::normalizeVolumeFaces` (`indra/llprimitive/llmodel.cpp`).

use crate::aabb::Aabb;
use crate::model::{Face, Level};

/// The most vertices of a face: fewer than 65 535.
const MOST_VERTICES: usize = 65_534;

/// The face with the fewest vertices of those that show something, its index, and the corners of `whole` that the
/// faces do not reach behind its vertices; `None` if they reach them all.
pub(super) fn widened(faces: &[Face], whole: &Level) -> Option<(usize, Face)> {
    let shown = || faces.iter().enumerate().filter(|(_, face)| !face.triangles.is_empty());
    let corners = Aabb::around(whole.positions());
    let reached = Aabb::around(shown().flat_map(|(_, face)| face.positions.iter().copied()));
    let missing = |&axis: &usize| {
        reached.min[axis] > corners.min[axis] || reached.max[axis] < corners.max[axis]
    };
    (0..3).find(missing)?;
    let (index, face) = shown().min_by_key(|(_, face)| face.positions.len())?;
    let mut face = face.clone();
    let corners = [corners.min, corners.max];
    if face.positions.len() + corners.len() > MOST_VERTICES {
        return None;
    }
    for corner in corners {
        face.positions.push(corner);
        // As another vertex has them, so that no domain grows.
        again(&mut face.normals);
        again(&mut face.tex_coords);
        again(&mut face.influences);
    }
    Some((index, face))
}

fn again<T: Copy>(list: &mut Vec<T>) {
    list.extend(list.first().copied());
}
