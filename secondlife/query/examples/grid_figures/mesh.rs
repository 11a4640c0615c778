//! A random mesh asset of at most 3 KiB.

use lodger_mesh_asset::{
    AssetBlock, AssetBuilder, AssetError, Faces, Geometry, Influence, Influences, PhysicsConvex,
    Quantized, Skin, VertexWeights,
};

use crate::GridRandom;

const MAX_BYTES: usize = 3 << 10;
const KIND: u64 = 100;

#[derive(Clone, Copy)]
enum SurfaceShape {
    Sheet,
    Tube,
    Cone,
    Ball,
    Ring,
}

const SHAPES: [SurfaceShape; 5] = [
    SurfaceShape::Sheet,
    SurfaceShape::Tube,
    SurfaceShape::Cone,
    SurfaceShape::Ball,
    SurfaceShape::Ring,
];

struct WavySurface {
    shape: SurfaceShape,
    phase: [f32; 3],
    height: f32,
    seams: bool,
}

pub(crate) fn bytes(seed: u64, number: u64) -> Result<Vec<u8>, AssetError> {
    let mut random = GridRandom::new(seed, KIND, number);
    let shape = SHAPES[usize::try_from(random.below(5)).unwrap_or(0)];
    let phase = [0; 3].map(|_| random.between(0.0, 6.25));
    let surface =
        WavySurface { shape, phase, height: random.between(0.01, 0.2), seams: random.percent(10) };
    let mut side = 4 + u16::try_from(random.below(5)).unwrap_or(0);
    loop {
        let bytes = asset(&surface, &mut random.clone(), side)?;
        if bytes.len() <= MAX_BYTES || side < 3 {
            return Ok(bytes);
        }
        side -= 1;
    }
}

fn asset(surface: &WavySurface, random: &mut GridRandom, side: u16) -> Result<Vec<u8>, AssetError> {
    let mut asset = AssetBuilder::new();
    // A third of the assets copies a level, as uploads without lower levels do, and some copy all.
    let sides = match random.below(12) {
        0 => [side; 4],
        1 | 2 => [1, side / 2, side / 2, side],
        3 => [side / 2, side / 2, side - 1, side],
        _ => [1, (side / 3).max(1), (side * 2 / 3).max(1), side],
    };
    let is_skinned = random.percent(4);
    for (block, side) in AssetBlock::LODS.into_iter().zip(sides) {
        asset.set_lod(block, &Faces::new([surface.geometry(side, is_skinned)?.into()]))?;
    }
    if is_skinned {
        asset.set_skin(&skin())?;
    }
    let hull = surface.corners(2);
    let parts: Vec<Vec<[f32; 3]>> = if random.percent(30) {
        (0..2 + random.below(3)).map(|_| tetrahedron(random).to_vec()).collect()
    } else {
        Vec::new()
    };
    asset.set_convex(&PhysicsConvex::new(&hull, &parts)?)?;
    if random.percent(25) {
        let mut triangles = triangles(3);
        let mut corners = surface.corners(3);
        if random.percent(20) {
            // One thin triangle, of a millimetre at 1 m.
            let far = corners[0].map(|at| at * 0.9 + 0.05);
            corners.extend([far, [far[0] + 1e-3, far[1], far[2]]]);
            triangles.push([0, 16, 17]);
        }
        let shape = Geometry::new(Quantized::from_points(&corners)?, &triangles)?;
        asset.set_lod(AssetBlock::PhysicsMesh, &Faces::new([shape.into()]))?;
    }
    asset.encode()
}

impl WavySurface {
    fn geometry(&self, side: u16, is_skinned: bool) -> Result<Geometry<'static>, AssetError> {
        let corners = self.corners(side);
        let mut triangles = triangles(side);
        if self.seams {
            triangles.push([0, 0, 1]);
        }
        let geometry = Geometry::new(Quantized::from_points(&corners)?, &triangles)?;
        if !is_skinned {
            return Ok(geometry);
        }
        let influences: Vec<_> = corners.iter().map(|corner| weights(*corner)).collect();
        Ok(geometry.with_weights(VertexWeights::new(&influences))?)
    }

    fn corners(&self, side: u16) -> Vec<[f32; 3]> {
        let at = |i: u16| f32::from(i) / f32::from(side);
        let places = (0..=side).flat_map(|v| (0..=side).map(move |u| (u, v)));
        places.map(|(u, v)| self.at(at(u), at(v))).collect()
    }

    /// Returns a point in the cube of side 1 around the origin, for two parameters from 0 to 1.
    fn at(&self, u: f32, v: f32) -> [f32; 3] {
        let [a, b, c] = self.phase;
        let wave = self.height * ((u * 7.0 + a).sin() + (v * 5.0 + b).sin() + (u * v + c).sin());
        let (sin, cos) = (u * std::f32::consts::TAU).sin_cos();
        let (rise, out) = (v * std::f32::consts::PI).sin_cos();
        let point = match self.shape {
            SurfaceShape::Sheet => [u - 0.5, v - 0.5, wave * 0.8],
            SurfaceShape::Tube => [cos * (0.4 + wave / 6.0), sin * (0.4 + wave / 6.0), v - 0.5],
            SurfaceShape::Cone => {
                let radius = (0.4 + wave / 6.0) * (1.02 - v);
                [cos * radius, sin * radius, v - 0.5]
            }
            SurfaceShape::Ball => {
                let radius = 0.4 + wave / 6.0;
                [cos * rise * radius, sin * rise * radius, out * radius]
            }
            SurfaceShape::Ring => {
                let (turn, across) = (v * std::f32::consts::TAU).sin_cos();
                let radius = 0.3 + (0.1 + wave / 12.0) * across;
                [cos * radius, sin * radius, (0.1 + wave / 12.0) * turn]
            }
        };
        point.map(|at| at.clamp(-0.5, 0.5))
    }
}

fn triangles(side: u16) -> Vec<[u16; 3]> {
    let row = side + 1;
    let squares = (0..side).flat_map(|y| (0..side).map(move |x| y * row + x));
    squares.flat_map(|i| [[i, i + 1, i + row], [i + 1, i + row + 1, i + row]]).collect()
}

fn tetrahedron(random: &mut GridRandom) -> [[f32; 3]; 4] {
    let middle = [0; 3].map(|_| random.between(-0.3, 0.3));
    let side = random.between(0.02, 0.2);
    let corner =
        |x: f32, y: f32, z: f32| [middle[0] + x * side, middle[1] + y * side, middle[2] + z * side];
    [corner(0.0, 0.0, 0.0), corner(1.0, 0.0, 0.0), corner(0.0, 1.0, 0.0), corner(0.0, 0.0, 1.0)]
}

fn skin() -> Skin<'static> {
    let mut matrix = [0.0; 16];
    for diagonal in [0, 5, 10, 15] {
        matrix[diagonal] = 1.0;
    }
    Skin {
        joint_names: vec!["mPelvis".into(), "mTorso".into(), "mChest".into()],
        bind_shape_matrix: Some(matrix),
        inverse_bind_matrix: vec![matrix; 3],
        ..Skin::default()
    }
}

fn weights(corner: [f32; 3]) -> Influences {
    let part = (corner[2] + 0.5).clamp(0.0, 1.0);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // from 0 to 65 535
    let weight = (part * 65_535.0) as u16;
    let influence = |joint, weight| Influence { joint, weight };
    Influences::new([influence(0, u16::MAX - weight), influence(1, weight)])
}
