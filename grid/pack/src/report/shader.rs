//! How a point of a surface is lit.

use euc::{Interpolate, Pipeline};
use glam::DVec3;

/// Linear red, green and blue, and whether something is there: each up to 65 535.
pub(super) type Sample = [u16; 4];

/// What is the same for a whole picture.
pub(super) struct Shader {
    /// The direction to the lamp.
    pub(super) lamp: DVec3,
    /// The direction to the eye.
    pub(super) eye: DVec3,
    /// Whether edges are drawn.
    pub(super) edges: bool,
}

/// A corner of a triangle.
#[derive(Clone, Copy)]
pub(super) struct Corner {
    /// Where it is, in homogeneous coordinates.
    pub(super) clip: [f32; 4],
    pub(super) shade: Shade,
}

/// What a corner has, and what is in between of a point.
#[derive(Clone, Copy)]
pub(super) struct Shade {
    pub(super) normal: [f32; 3],
    /// Linear, from 0 to 1.
    pub(super) colour: [f32; 3],
    /// Pixels to each side of the triangle.
    pub(super) edges: [f32; 3],
    /// How much of the colour edges take, from 0 to 1.
    pub(super) strength: f32,
}

impl Interpolate for Shade {
    fn lerp2(a: Self, b: Self, x: f32, y: f32) -> Self {
        Self::lerp3(a, b, b, x, y, 0.0)
    }

    fn lerp3(a: Self, b: Self, c: Self, x: f32, y: f32, z: f32) -> Self {
        let between = |a: [f32; 3], b: [f32; 3], c: [f32; 3]| {
            [0, 1, 2].map(|part: usize| a[part] * x + b[part] * y + c[part] * z)
        };
        Self {
            normal: between(a.normal, b.normal, c.normal),
            edges: between(a.edges, b.edges, c.edges),
            ..a
        }
    }
}

impl Pipeline for Shader {
    type Vertex = Corner;
    type VsOut = Shade;
    type Pixel = Sample;

    fn vert(&self, corner: &Corner) -> ([f32; 4], Shade) {
        (corner.clip, corner.shade)
    }

    fn frag(&self, shade: &Shade) -> Sample {
        let normal = DVec3::from(shade.normal.map(f64::from)).normalize_or_zero();
        let sky = 0.5 + 0.5 * normal.z;
        let lamp = normal.dot(self.lamp).max(0.0);
        let gleam = normal.dot((self.lamp + self.eye).normalize()).max(0.0);
        let (light, gleam) = (0.11 + 0.22 * sky + 0.6 * lamp, 0.05 * gleam.powi(24));
        let lit = shade.colour.map(|part| f64::from(part) * light + gleam);
        let line = if self.edges { f64::from(line(shade)) } else { 0.0 };
        let ink = if shade.colour.iter().all(|part| *part < 0.06) { 0.3 } else { 0.012 };
        let [red, green, blue] = lit.map(|part| level(part * (1.0 - line) + ink * line));
        [red, green, blue, u16::MAX]
    }
}

/// How much of a point the line along the edges covers.
fn line(shade: &Shade) -> f32 {
    let nearest = shade.edges.into_iter().fold(f32::INFINITY, f32::min);
    (0.9 - nearest).clamp(0.0, 1.0) * shade.strength
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 65 535")]
fn level(part: f64) -> u16 {
    (part.clamp(0.0, 1.0) * f64::from(u16::MAX)) as u16
}
