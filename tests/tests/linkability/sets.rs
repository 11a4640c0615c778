//! Sets of balls that are random, degenerate, or meant to break an enclosing ball.

use lodger_testkit::SplitMix64;

use super::brute::Sphere;

/// Numbers that are the same in every run.
pub(crate) struct Random(SplitMix64);

impl Random {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(SplitMix64::new(seed))
    }

    /// In 0 .. 1.
    pub(crate) fn unit(&mut self) -> f64 {
        self.0.unit()
    }

    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.0.below(end)
    }

    /// In −1 .. 1.
    pub(crate) fn signed(&mut self) -> f64 {
        2.0 * self.unit() - 1.0
    }

    fn point(&mut self, half: f64) -> [f64; 3] {
        [self.signed() * half, self.signed() * half, self.signed() * half]
    }

    fn direction(&mut self) -> [f64; 3] {
        loop {
            let p = self.point(1.0);
            let length = (p[0] * p[0] + p[1] * p[1] + p[2] * p[2]).sqrt();
            if (0.01..1.0).contains(&length) {
                return p.map(|x| x / length);
            }
        }
    }
}

/// The names of the families of [`family`].
pub(crate) const FAMILIES: [&str; 14] = [
    "points",
    "balls",
    "grid points",
    "grid balls",
    "on a sphere",
    "on a circle",
    "collinear",
    "coplanar",
    "duplicates",
    "nested",
    "internally tangent",
    "nearly nested",
    "near duplicates",
    "slivers",
];

/// A set of `n` of one family.
pub(crate) fn family(kind: usize, n: usize, random: &mut Random) -> Vec<Sphere> {
    let spread = [0.01, 1.0, 30.0, 250.0][random.below(4) as usize];
    let axis = random.direction();
    let mut set: Vec<Sphere> = Vec::new();
    for _ in 0..n {
        let p = random.point(spread);
        let r = random.unit() * spread;
        let grid = |random: &mut Random| [0; 3].map(|_| random.below(5) as f64 - 2.0);
        let earlier = set.get(random.below(set.len().max(1) as u64) as usize).copied();
        let (c0, r0) = earlier.unwrap_or((p, r));
        set.push(match kind {
            0 => (p, 0.0),
            1 => (p, r),
            2 => (grid(random), 0.0),
            3 => (grid(random), random.below(3) as f64),
            4 => (random.direction().map(|x| x * spread), 0.0),
            5 => {
                let angle = random.below(24) as f64 * core::f64::consts::PI / 12.0;
                ([angle.cos() * spread, angle.sin() * spread, 0.0], 0.0)
            }
            6 => (axis.map(|x| x * random.signed() * spread), r * 0.3),
            7 => ([p[0], p[1], axis[0] * p[0] + axis[1] * p[1]], r * 0.3),
            8 => {
                if random.below(2) == 0 {
                    (c0, r0)
                } else {
                    (p, r)
                }
            }
            9 => {
                let inner = r0 * random.unit();
                (offset(c0, random.direction(), (r0 - inner) * random.unit()), inner)
            }
            10 => {
                let inner = spread * 0.9 * random.unit();
                (random.direction().map(|x| x * (spread - inner)), inner)
            }
            11 => {
                let inner = r0 * random.unit();
                let tiny = spread * [1e-15, 1e-12, 1e-8, 1e-4][random.below(4) as usize];
                (offset(c0, random.direction(), r0 - inner + tiny * random.signed()), inner)
            }
            12 => {
                let tiny = spread * [1e-15, 1e-12, 1e-8, 1e-4][random.below(4) as usize];
                if random.below(3) == 0 {
                    (p, r * 0.1)
                } else {
                    (offset(c0, random.direction(), tiny), (r0 + tiny * random.signed()).max(0.0))
                }
            }
            _ => {
                let tiny = [1e-15, 1e-12, 1e-9, 1e-6][random.below(4) as usize];
                let flat = random.signed() * spread;
                (offset(axis.map(|x| x * flat), random.direction(), tiny * spread), 0.0)
            }
        });
    }
    set
}

fn offset(c: [f64; 3], direction: [f64; 3], by: f64) -> [f64; 3] {
    [c[0] + direction[0] * by, c[1] + direction[1] * by, c[2] + direction[2] * by]
}
