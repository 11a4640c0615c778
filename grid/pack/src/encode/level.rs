//! A level as the faces of a block.

use lodger_mesh_asset::{
    Domain, Error, Face as AssetFace, Faces, Geometry, Problem, Quantized, VertexWeights,
};

use super::block::block;
use crate::frame::Frame;
use crate::model::{Face, Level};

/// The bytes of the block of a level, compressed.
///
/// # Errors
/// [`Problem`](lodger_mesh_asset::Problem): lists of different lengths, a triangle without a vertex, a block of 4 GiB.
pub(crate) fn level_block(level: &Level, frame: &Frame) -> Result<Vec<u8>, Error> {
    block(&faces(level, frame)?.to_value())
}

/// The faces of a level: one domain for the positions of all of them, one for the texture coordinates of each, all
/// coordinates truncated. A face without triangles shows nothing.
///
/// Source: `LLModel::writeModel` of the viewer (`indra/llprimitive/llmodel.cpp`).
pub(crate) fn faces(level: &Level, frame: &Frame) -> Result<Faces<'static>, Error> {
    let points: Vec<Vec<_>> = level.faces.iter().map(|face| in_unit_space(face, frame)).collect();
    let domain = Domain::of(&points.concat())?;
    let encoded = level.faces.iter().zip(&points).map(|(face, points)| {
        if points.len() < 3 || face.triangles.is_empty() {
            return Ok(AssetFace::NoGeometry);
        }
        geometry(face, Quantized::truncated(points, domain), frame).map(AssetFace::Geometry)
    });
    Ok(Faces::new(encoded.collect::<Result<Vec<_>, Problem>>()?))
}

pub(super) fn in_unit_space(face: &Face, frame: &Frame) -> Vec<[f32; 3]> {
    face.positions.iter().map(|&position| frame.to_unit(position)).collect()
}

fn geometry(
    face: &Face,
    positions: Quantized<'static, 3>,
    frame: &Frame,
) -> Result<Geometry<'static>, Problem> {
    let mut geometry =
        Geometry::new(positions, &face.triangles)?.with_normalized_scale(frame.scale_of_asset());
    if !face.normals.is_empty() {
        let normals: Vec<_> = face.normals.iter().map(|&normal| frame.normal(normal)).collect();
        geometry = geometry.with_normals(Quantized::truncated(&normals, Domain::NORMAL))?;
    }
    if !face.tex_coords.is_empty() {
        let domain = Domain::of(&face.tex_coords)?;
        geometry = geometry.with_tex_coords(Quantized::truncated(&face.tex_coords, domain))?;
    }
    if !face.influences.is_empty() {
        geometry = geometry.with_weights(VertexWeights::new(&face.influences))?;
    }
    Ok(geometry)
}

#[cfg(test)]
mod tests {
    use lodger_mesh_asset::{Influence, Influences};

    use super::*;

    /// A triangle of all attributes, and a single vertex that widens the domain.
    fn level() -> Level {
        let joint = |joint, weight| Influence { joint, weight };
        let face = Face {
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
        let far = Face { positions: vec![[8.0, 8.0, 5.0]], ..Face::default() };
        Level { faces: vec![far, face, Face::default()] }
    }

    #[test]
    fn one_domain_for_all_faces_and_nothing_for_those_without_triangles() {
        let level = level();
        let frame = Frame::of(&level);
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
        let frame = Frame::of(&level);
        let faces = faces(&level, &frame).unwrap();
        let (_, face) = faces.geometries().next().unwrap();
        let uv: Vec<_> = face.tex_coords().unwrap().steps().collect();
        assert_eq!(uv, [[0, 0], [65_535, 0], [32_734, 0]]);
        let weights: Vec<_> = face.weights().unwrap().iter().collect();
        assert_eq!(weights, level.faces[1].influences);
        assert_eq!(face.triangles().collect::<Vec<_>>(), [[0, 1, 2]]);
        let normals: Vec<_> = face.normals().unwrap().steps().collect();
        // (0.6 * 8, 0, 0.8 * 1), at length 1: (0.9864, 0, 0.1644).
        assert_eq!(normals[0], [32_767, 32_767, 65_535]);
        assert_eq!(normals[1], [65_089, 32_767, 38_154]);
        assert_eq!(normals[2], [32_767; 3]);
    }

    #[test]
    fn what_does_not_fit_together_is_an_error() {
        let broken: [fn(&mut Face); 5] = [
            |face| face.triangles[0][2] = 3,
            |face| face.normals.truncate(1),
            |face| face.tex_coords.truncate(2),
            |face| face.influences.truncate(2),
            |face| face.positions[1][1] = f32::NAN,
        ];
        let frame = Frame::of(&level());
        for (case, break_it) in broken.iter().enumerate() {
            let mut level = level();
            break_it(&mut level.faces[1]);
            assert!(faces(&level, &frame).is_err(), "{case}");
        }
    }
}
