//! Meshes of the unit tests.

use glam::Vec3;

use crate::frame::ObjectFrame;
use crate::model::{LodMesh, ModelObject, Submesh};

pub(crate) fn level(positions: &[[f32; 3]], triangles: &[[u16; 3]]) -> LodMesh {
    let (positions, triangles) = (positions.to_vec(), triangles.to_vec());
    LodMesh { submeshes: vec![Submesh { positions, triangles, ..Submesh::default() }] }
}

pub(crate) fn frame(points: &[[f32; 3]]) -> ObjectFrame {
    ObjectFrame::from_mesh(&level(points, &[]))
}

pub(crate) fn object(submeshes: Vec<Submesh>) -> ModelObject {
    ModelObject {
        name: "it".into(),
        materials: vec![0; submeshes.len()],
        high: LodMesh { submeshes },
        ..ModelObject::default()
    }
}

/// A sheet of `across` by `along` squares over a function of (u, v) from 0 to 1, seen from the
/// direction u × v.
pub(crate) fn sheet(across: u16, along: u16, at: impl Fn(f32, f32) -> [f32; 3]) -> Submesh {
    let mut face = Submesh::default();
    for j in 0..=along {
        for i in 0..=across {
            let (u, v) = (f32::from(i) / f32::from(across), f32::from(j) / f32::from(along));
            let slope = |a: [f32; 3], b: [f32; 3]| Vec3::from(a) - Vec3::from(b);
            let du = slope(at(u + 1e-3, v), at(u - 1e-3, v));
            let dv = slope(at(u, v + 1e-3), at(u, v - 1e-3));
            face.positions.push(at(u, v));
            face.normals.push(du.cross(dv).normalize_or(Vec3::Z).into());
            face.tex_coords.push([u, v]);
        }
    }
    let row = across + 1;
    for j in 0..along {
        for i in 0..across {
            let corner = j * row + i;
            face.triangles.push([corner, corner + 1, corner + row + 1]);
            face.triangles.push([corner, corner + row + 1, corner + row]);
        }
    }
    face
}

/// The sides of a cube of 2 m around the origin, with the height of (u, v) above each.
pub(crate) fn cube(steps: u16, height: impl Fn(f32, f32) -> f32) -> Vec<Submesh> {
    let turns: [fn([f32; 3]) -> [f32; 3]; 6] = [
        |[x, y, z]| [x, y, z],
        |[x, y, z]| [y, x, -z],
        |[x, y, z]| [z, x, y],
        |[x, y, z]| [-z, y, x],
        |[x, y, z]| [y, z, x],
        |[x, y, z]| [x, -z, y],
    ];
    let side = |turn: fn([f32; 3]) -> [f32; 3]| {
        sheet(steps, steps, |u, v| turn([2.0 * u - 1.0, 2.0 * v - 1.0, 1.0 + height(u, v)]))
    };
    turns.map(side).into()
}

/// A box of eight corners and twelve triangles.
pub(crate) fn cuboid(min: [f32; 3], max: [f32; 3]) -> Submesh {
    let corner = |i: usize| {
        std::array::from_fn(|axis| if i >> axis & 1 == 0 { min[axis] } else { max[axis] })
    };
    let quads =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    Submesh {
        positions: (0..8).map(corner).collect(),
        triangles: quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect(),
        ..Submesh::default()
    }
}
