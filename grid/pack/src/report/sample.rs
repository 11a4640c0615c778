//! Packed models that are made by hand, for the tests of the page.

use lodger_core::cost::land_impact::land_impact;
use lodger_core::cost::physics::{Hull, ShapeType};
use lodger_core::cost::streaming::{Lods, Rules, Streaming};
use lodger_mesh_asset::{AssetBuilder, Block, Convex, Faces, Geometry, Limits, Quantized};
use lodger_opensim::pricing::Mesh;

use super::sheet::{Part, Sheet};
use crate::chain::{Candidate, Origin};
use crate::frame::Frame;
use crate::model::{Face, Level, Material};
use crate::note::Note;
use crate::physics::Physics;

/// What a sheet is made of.
pub(super) struct Sample {
    pub(super) name: String,
    pub(super) materials: Vec<Material>,
    pub(super) notes: Vec<Note>,
    pub(super) parts: Vec<SamplePart>,
}

pub(super) struct SamplePart {
    pub(super) name: String,
    pub(super) faces: Vec<usize>,
    pub(super) candidates: Vec<Candidate>,
    pub(super) picks: Lods<usize>,
    pub(super) physics: Physics,
}

impl Sample {
    /// A ball of 2 m beside a ring on which nothing could be saved, and notes.
    pub(super) fn new() -> Self {
        let material = |name: &str, [red, green, blue]: [f32; 3]| Material {
            name: name.to_owned(),
            colour: [red, green, blue, 1.0],
            ..Material::default()
        };
        let note = |about: &str, text: &str| Note {
            code: "sample",
            about: about.to_owned(),
            text: text.to_owned(),
        };
        Self {
            name: "Ball & <ring>".to_owned(),
            materials: vec![
                material("clay", [0.62, 0.2, 0.1]),
                material("slate", [0.08, 0.16, 0.3]),
                material("brass", [0.75, 0.5, 0.12]),
            ],
            notes: vec![
                note("", "2 materials were dropped"),
                note("ring", "a \"part\" of it is <thin>"),
            ],
            parts: vec![SamplePart::ball([0.0, 0.0, 1.0], 16), SamplePart::ring([2.4, 0.4, 0.8])],
        }
    }

    pub(super) fn sheet(&self) -> Sheet<'_> {
        let parts: Vec<_> = self.parts.iter().map(SamplePart::part).collect();
        let viewer = Streaming::<f64>::new(Rules::VIEWER).expect("rules");
        let streaming = parts.iter().map(|part| viewer.cost(part.radius(), part.bytes)).sum();
        let physics = parts.iter().map(|part| part.physics.cost).sum();
        let server = parts.iter().map(|_| 0.5).sum();
        Sheet {
            name: &self.name,
            materials: &self.materials,
            asked: Some(5),
            land_impact: land_impact(streaming, physics, server),
            streaming,
            physics,
            server,
            loss: 12.5,
            viewer_loss: 31.0,
            notes: &self.notes,
            rules: Rules::VIEWER,
            shape: ShapeType::ConvexHull,
            parts,
        }
    }
}

impl SamplePart {
    /// A ball of 2 m in two materials, simpler and simpler, its physics in two halves.
    pub(super) fn ball(centre: [f32; 3], rings: u16) -> Self {
        let steps = [rings, rings / 2, rings / 3, rings / 4, rings / 6, 5, 3];
        let level = |rings: u16| {
            patch(rings, 2 * rings, |u, v| {
                let (angle, turn) = (std::f32::consts::PI * v, std::f32::consts::TAU * u);
                let normal = [angle.sin() * turn.cos(), angle.sin() * turn.sin(), -angle.cos()];
                ([0, 1, 2].map(|axis: usize| centre[axis] + normal[axis]), normal)
            })
        };
        let half = |side: f32| {
            let points = level(5).faces.into_iter().flat_map(|face| face.positions);
            points.filter(|point| (point[0] - centre[0]) * side >= -1e-3).collect::<Vec<_>>()
        };
        let physics = Physics {
            bounding: level(6).positions().collect(),
            parts: vec![half(1.0), half(-1.0)],
            outside: 0.004,
            volume_error: 0.034,
            ..Physics::default()
        };
        let physics = Physics { cost: hull_cost(&physics), ..physics };
        let picks = Lods { high: 0, medium: 2, low: 4, lowest: 6 };
        Self {
            name: "ball".to_owned(),
            faces: vec![0, 1],
            candidates: chain(&steps, level),
            picks,
            physics,
        }
    }

    /// A ring whose two highest levels are the source, with a physics mesh.
    pub(super) fn ring(centre: [f32; 3]) -> Self {
        let steps = [24, 16, 8, 4];
        let level = |rings: u16| {
            patch(rings, 3 * rings, |u, v| {
                let (turn, angle) = (std::f32::consts::TAU * u, std::f32::consts::TAU * v);
                let normal = [angle.cos() * turn.cos(), angle.cos() * turn.sin(), angle.sin()];
                let round = 0.8 + 0.3 * angle.cos();
                let at = [round * turn.cos(), round * turn.sin(), 0.3 * angle.sin()];
                ([0, 1, 2].map(|axis: usize| centre[axis] + at[axis]), normal)
            })
        };
        let physics = Physics {
            bounding: level(3).positions().collect(),
            mesh: Some(level(4)),
            outside: 0.02,
            volume_error: 0.2,
            ..Physics::default()
        };
        let physics = Physics { cost: hull_cost(&physics), ..physics };
        let picks = Lods { high: 0, medium: 0, low: 2, lowest: 3 };
        Self {
            name: "ring".to_owned(),
            faces: vec![2, 1],
            candidates: chain(&steps, level),
            picks,
            physics,
        }
    }

    fn part(&self) -> Part<'_> {
        let bytes = self.picks.map(|pick| i32::try_from(self.candidates[pick].bytes).expect("few"));
        Part {
            name: &self.name,
            materials: &self.faces,
            frame: Frame::of(&self.candidates[0].level),
            candidates: &self.candidates,
            picks: self.picks,
            weights: Lods { lowest: 900.0, low: 105.0, medium: 79.0, high: 26.0 },
            bytes,
            physics: &self.physics,
            mesh: Mesh::read(&self.asset(), Limits::default()).expect("an asset"),
        }
    }

    /// An asset with these levels and shapes.
    fn asset(&self) -> Vec<u8> {
        let mut asset = AssetBuilder::new();
        for (block, pick) in Block::LODS.into_iter().zip(self.picks.to_array()) {
            asset.set_lod(block, &faces(&self.candidates[pick].level)).expect("a level");
        }
        if let Some(mesh) = &self.physics.mesh {
            asset.set_lod(Block::PhysicsMesh, &faces(mesh)).expect("a mesh");
        }
        let convex = Convex::new(&self.physics.bounding, &self.physics.parts).expect("hulls");
        asset.set_convex(&convex).expect("hulls");
        asset.encode().expect("an asset")
    }
}

/// As the shape type convex hull.
fn hull_cost(physics: &Physics) -> f64 {
    let vertices = u16::try_from(physics.bounding.len()).expect("few");
    Hull::new(vertices).expect("a hull").cost()
}

fn faces(level: &Level) -> Faces<'static> {
    let faces = level.faces.iter().map(|face| {
        let points = Quantized::from_points(&face.positions).expect("finite");
        Geometry::new(points, &face.triangles).expect("corners that exist").into()
    });
    Faces::new(faces)
}

/// Candidates of so many rings each.
fn chain(steps: &[u16], level: impl Fn(u16) -> Level) -> Vec<Candidate> {
    let candidate = |(index, &rings): (usize, &u16)| {
        let level = level(rings);
        let bytes = u32::try_from(level.triangle_count() * 9 + 300).expect("few");
        let error = if index == 0 { 0.0 } else { 0.9 / f64::from(rings).powi(2) };
        let origin = [Origin::Source, Origin::Attributes, Origin::Positions][index.min(2)];
        Candidate { level, bytes, error, origin }
    };
    steps.iter().enumerate().map(candidate).collect()
}

/// A grid of so many by so many squares on a surface, one half of it in each of two faces.
fn patch(rows: u16, columns: u16, surface: impl Fn(f32, f32) -> ([f32; 3], [f32; 3])) -> Level {
    let half = |from: u16, to: u16| {
        let mut face = Face::default();
        for row in from..=to {
            for column in 0..=columns {
                let (u, v) =
                    (f32::from(column) / f32::from(columns), f32::from(row) / f32::from(rows));
                let (position, normal) = surface(u, v);
                face.positions.push(position);
                face.normals.push(normal);
            }
        }
        for row in 0..to - from {
            for column in 0..columns {
                let a = row * (columns + 1) + column;
                let c = a + columns + 1;
                face.triangles.extend([[a, a + 1, c + 1], [a, c + 1, c]]);
            }
        }
        face
    };
    Level { faces: vec![half(0, rows / 2), half(rows / 2, rows)] }
}

/// Enough for any page.
pub(super) fn plenty() -> lodger_allowance::Allowance {
    lodger_allowance::Allowance::new(lodger_allowance::Limits::default())
}
