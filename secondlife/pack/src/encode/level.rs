//! Levels of detail as blocks of an asset, and removal of triangles without an area at 16 bits.

use lodger_mesh_asset::llsd::LlsdValue;
use lodger_mesh_asset::{
    AssetError, AssetErrorKind, Domain, Face as AssetFace, Faces, Geometry, Quantized,
    VertexWeights,
};

use crate::encode::deflate::deflate;
use crate::frame::ObjectFrame;
use crate::model::{LodMesh, Submesh};

pub(crate) fn block(value: &LlsdValue<'_>) -> Result<Vec<u8>, AssetError> {
    Ok(deflate(&value.to_bytes()?)?)
}

/// Writes the compressed block of a level.
///
/// # Errors
///
/// [`AssetErrorKind`]: lists of different lengths, a triangle without a vertex, a block of 4 GiB.
pub(crate) fn level_block(level: &LodMesh, frame: &ObjectFrame) -> Result<Vec<u8>, AssetError> {
    block(&faces(level, frame)?.to_value())
}

/// Encodes the submeshes of a level, truncated: one domain for all positions, one for the texture
/// coordinates of each submesh. A submesh without triangles has no geometry.
///
/// Source: `LLModel::writeModel` of the viewer (`indra/llprimitive/llmodel.cpp`).
pub(crate) fn faces(level: &LodMesh, frame: &ObjectFrame) -> Result<Faces<'static>, AssetError> {
    let points: Vec<Vec<_>> =
        level.submeshes.iter().map(|face| in_unit_space(face, frame)).collect();
    let domain = Domain::from_points(&points.concat())?;
    let encoded = level.submeshes.iter().zip(&points).map(|(face, points)| {
        if points.len() < 3 || face.triangles.is_empty() {
            return Ok(AssetFace::NoGeometry);
        }
        geometry(face, Quantized::floored(points, domain), frame).map(AssetFace::Geometry)
    });
    Ok(Faces::new(encoded.collect::<Result<Vec<_>, AssetErrorKind>>()?))
}

pub(crate) fn in_unit_space(face: &Submesh, frame: &ObjectFrame) -> Vec<[f32; 3]> {
    face.positions.iter().map(|&position| frame.to_unit(position)).collect()
}

fn geometry(
    face: &Submesh,
    positions: Quantized<'static, 3>,
    frame: &ObjectFrame,
) -> Result<Geometry<'static>, AssetErrorKind> {
    let mut geometry =
        Geometry::new(positions, &face.triangles)?.with_normalized_scale(frame.scale_of_asset());
    if !face.normals.is_empty() {
        let normals: Vec<_> = face.normals.iter().map(|&normal| frame.normal(normal)).collect();
        geometry = geometry.with_normals(Quantized::floored(&normals, Domain::NORMAL))?;
    }
    if !face.tex_coords.is_empty() {
        let domain = Domain::from_points(&face.tex_coords)?;
        geometry = geometry.with_tex_coords(Quantized::floored(&face.tex_coords, domain))?;
    }
    if !face.influences.is_empty() {
        geometry = geometry.with_weights(VertexWeights::new(&face.influences))?;
    }
    Ok(geometry)
}

/// Removes invisible triangles, which have no area in the integers of the file, and vertices that
/// only they use. At least one triangle stays.
///
/// # Errors
///
/// [`AssetErrorKind`]: a position that is not finite, a triangle without a vertex.
pub(crate) fn with_areas(mut level: LodMesh, frame: &ObjectFrame) -> Result<LodMesh, AssetError> {
    loop {
        let kept = visible_triangles(&level, frame)?;
        let count: usize = kept.iter().map(Vec::len).sum();
        if count == level.triangle_count() {
            return Ok(level);
        }
        if count == 0 {
            return Ok(first_alone(level));
        }
        // Without its outermost vertices the level has a smaller domain, with other steps.
        let faces = level.submeshes.iter().zip(kept);
        level = LodMesh { submeshes: faces.map(|(face, kept)| extract(face, &kept)).collect() };
    }
}

pub(crate) fn has_area(level: &LodMesh, frame: &ObjectFrame) -> Result<bool, AssetError> {
    Ok(visible_triangles(level, frame)?.iter().any(|triangles| !triangles.is_empty()))
}

fn visible_triangles(
    level: &LodMesh,
    frame: &ObjectFrame,
) -> Result<Vec<Vec<[u16; 3]>>, AssetError> {
    let points: Vec<Vec<_>> =
        level.submeshes.iter().map(|face| in_unit_space(face, frame)).collect();
    let domain = Domain::from_points(&points.concat())?;
    let faces = level.submeshes.iter().zip(points).map(|(face, points)| {
        let geometry = Geometry::new(Quantized::floored(&points, domain), &face.triangles)?;
        let is_visible = |triangle: &&[u16; 3]| !geometry.is_degenerate(**triangle);
        Ok(face.triangles.iter().filter(is_visible).copied().collect())
    });
    faces.collect()
}

fn extract(face: &Submesh, triangles: &[[u16; 3]]) -> Submesh {
    let mut is_used = vec![false; face.positions.len()];
    for &index in triangles.as_flattened() {
        is_used[usize::from(index)] = true;
    }
    let mut places = vec![0; is_used.len()];
    let mut kept = Vec::new();
    for (vertex, place) in places.iter_mut().enumerate().filter(|(vertex, _)| is_used[*vertex]) {
        *place = u16::try_from(kept.len()).unwrap_or(u16::MAX);
        kept.push(vertex);
    }
    let place = |index: u16| places[usize::from(index)];
    face.extract(&kept, triangles.iter().map(|triangle| triangle.map(place)).collect())
}

fn first_alone(mut level: LodMesh) -> LodMesh {
    let mut is_first = true;
    for face in &mut level.submeshes {
        if is_first && !face.triangles.is_empty() {
            face.triangles.truncate(1);
            is_first = false;
        } else {
            *face = Submesh::default();
        }
    }
    level
}

#[cfg(test)]
mod tests {
    use lodger_mesh_asset::{Influence, Influences};

    use super::*;

    fn level() -> LodMesh {
        let joint = |joint, weight| Influence { joint, weight };
        let face = Submesh {
            positions: vec![[0.0, 0.0, 5.0], [4.0, 0.0, 5.0], [1.0, 3.0, 5.0]],
            normals: vec![[0.0, 0.0, 1.0], [0.6, 0.0, 0.8], [0.0; 3]],
            tex_coords: vec![[0.0, -1.0], [2.0, -1.0], [0.999, -1.0]],
            influences: vec![
                Influences::new([joint(0, 65_535)]),
                Influences::new([joint(0, 40_000), joint(1, 25_535)]),
                Influences::new([joint(3, 1), joint(2, 2), joint(1, 3), joint(0, 4)]),
            ],
            triangles: vec![[0, 1, 2]],
        };
        let far = Submesh { positions: vec![[8.0, 8.0, 5.0]], ..Submesh::default() };
        LodMesh { submeshes: vec![far, face, Submesh::default()] }
    }

    #[test]
    fn one_domain_for_all_faces_and_nothing_for_those_without_triangles() {
        let level = level();
        let frame = ObjectFrame::from_mesh(&level);
        let faces = faces(&level, &frame).unwrap();
        assert!(matches!(
            faces.faces(),
            [AssetFace::NoGeometry, AssetFace::Geometry(_), AssetFace::NoGeometry]
        ));
        let (_, face) = faces.geometries().next().unwrap();
        let domain = face.positions().domain();
        assert_eq!((domain.min(), domain.max()), ([-0.5, -0.5, 0.0], [0.5, 0.5, 0.0]));
        let steps: Vec<_> = face.positions().steps().collect();
        assert_eq!(steps, [[0, 0, 0], [32_767, 0, 0], [8_191, 24_575, 0]]);
        assert_eq!(face.normalized_scale(), Some([8.0, 8.0, 1.0]));
    }

    #[test]
    fn attributes_come_back() {
        let level = level();
        let frame = ObjectFrame::from_mesh(&level);
        let faces = faces(&level, &frame).unwrap();
        let (_, face) = faces.geometries().next().unwrap();
        let uv: Vec<_> = face.tex_coords().unwrap().steps().collect();
        assert_eq!(uv, [[0, 0], [65_535, 0], [32_734, 0]]);
        let weights: Vec<_> = face.weights().unwrap().iter().collect();
        assert_eq!(weights, level.submeshes[1].influences);
        assert_eq!(face.triangles().collect::<Vec<_>>(), [[0, 1, 2]]);
        let normals: Vec<_> = face.normals().unwrap().steps().collect();
        // (0.6 * 8, 0, 0.8 * 1), at length 1: (0.9864, 0, 0.1644).
        assert_eq!(normals[0], [32_767, 32_767, 65_535]);
        assert_eq!(normals[1], [65_089, 32_767, 38_154]);
        assert_eq!(normals[2], [32_767; 3]);
    }

    #[test]
    fn inconsistent_levels_are_errors() {
        let broken: [fn(&mut Submesh); 5] = [
            |face| face.triangles[0][2] = 3,
            |face| face.normals.truncate(1),
            |face| face.tex_coords.truncate(2),
            |face| face.influences.truncate(2),
            |face| face.positions[1][1] = f32::NAN,
        ];
        let frame = ObjectFrame::from_mesh(&level());
        for (case, break_it) in broken.iter().enumerate() {
            let mut level = level();
            break_it(&mut level.submeshes[1]);
            assert!(faces(&level, &frame).is_err(), "{case}");
        }
    }

    type DrawnFace<'a> = (&'a [[f32; 3]], &'a [[u16; 3]]);

    fn level_of_faces(faces: &[DrawnFace<'_>]) -> LodMesh {
        let face = |&(positions, triangles): &(&[[f32; 3]], &[[u16; 3]])| Submesh {
            positions: positions.to_vec(),
            tex_coords: positions.iter().map(|[x, y, _]| [*x, *y]).collect(),
            triangles: triangles.to_vec(),
            ..Submesh::default()
        };
        LodMesh { submeshes: faces.iter().map(face).collect() }
    }

    fn left(level: &LodMesh) -> LodMesh {
        with_areas(level.clone(), &ObjectFrame::from_mesh(level)).unwrap()
    }

    /// A square of 2 m, and a vertex less than a step from its first.
    const SQUARE: [[f32; 3]; 5] =
        [[0.0; 3], [1e-5, 1e-5, 0.0], [2.0, 0.0, 0.0], [2.0, 2.0, 0.0], [0.0, 2.0, 0.0]];

    #[test]
    fn triangles_smaller_than_a_step_are_left_out() {
        let whole = level_of_faces(&[(&SQUARE, &[[0, 2, 3], [0, 1, 2], [0, 3, 4], [2, 2, 3]])]);
        let left = left(&whole);
        let face = &left.submeshes[0];
        assert_eq!(face.triangles, [[0, 1, 2], [0, 2, 3]]);
        assert_eq!(face.positions, [SQUARE[0], SQUARE[2], SQUARE[3], SQUARE[4]]);
        assert_eq!(face.tex_coords.len(), 4);
        assert!(left.corners().eq([[0, 2, 3], [0, 3, 4]].map(|one| one.map(|i: usize| SQUARE[i]))));
    }

    #[test]
    fn unchanged_levels_stay_and_a_submesh_may_become_empty() {
        let square: &[_] = &[[0, 2, 3], [0, 3, 4]];
        let whole = level_of_faces(&[(&SQUARE, square)]);
        assert_eq!(left(&whole), whole, "with its unused vertex");
        let left = left(&level_of_faces(&[(&SQUARE, &[[0, 1, 4], [0, 1, 2]]), (&SQUARE, square)]));
        assert_eq!((left.submeshes.len(), &left.submeshes[0]), (2, &Submesh::default()));
        assert_eq!(left.submeshes[1].triangles, [[0, 1, 2], [0, 2, 3]]);
    }

    #[test]
    fn one_triangle_stays() {
        let line = [[0.0; 3], [1.0, 1.0, 1.0], [3.0, 3.0, 3.0]];
        let left = left(&level_of_faces(&[
            (&[], &[]),
            (&line, &[[0, 1, 2], [2, 1, 0]]),
            (&line, &[[0, 1, 2]]),
        ]));
        let triangles = left.submeshes.iter().map(|face| face.triangles.len());
        assert!(triangles.eq([0, 1, 0]));
        assert!(!has_area(&left, &ObjectFrame::from_mesh(&left)).unwrap());
    }

    #[test]
    fn invalid_levels_are_errors() {
        let frame = ObjectFrame::from_mesh(&level_of_faces(&[(&SQUARE, &[])]));
        assert!(with_areas(level_of_faces(&[(&SQUARE, &[[0, 1, 5]])]), &frame).is_err());
        let broken = level_of_faces(&[(&[[f32::NAN; 3]], &[[0, 0, 0]])]);
        assert!(with_areas(broken, &frame).is_err());
    }
}
