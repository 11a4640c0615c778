//! The smallest enclosing ball by brute force, the certificate of a ball, and sets of balls.
//!
//! Brute force tries the tangent balls of all supports of up to four, and keeps the centre with the smallest radius.
//! Any centre gives an upper bound, so a further centre can only tighten it: each is also tried after a Newton step.
//! Without the step, cancellation in the discriminant makes some radii too large by 3e-14 of the extent.

use lodger_core::linkability::{Ball, EnclosingBall};
use lodger_testkit::SplitMix64;

pub(crate) type Sphere = ([f64; 3], f64);

pub(crate) fn least_radius(balls: &[Sphere]) -> f64 {
    let mut min = f64::INFINITY;
    for_supports(balls.len(), &mut |support| {
        let chosen: Vec<Sphere> = support.iter().map(|&index| balls[index]).collect();
        for center in tangent_centers(&chosen) {
            let centers = [Some(center), refined(center, &chosen)];
            min = centers.into_iter().flatten().map(|c| radius_from(c, balls)).fold(min, f64::min);
        }
    });
    min
}

pub(crate) fn radius_from(center: [f64; 3], balls: &[Sphere]) -> f64 {
    let reach = |&(other, radius): &Sphere| {
        (other[0] - center[0]).hypot((other[1] - center[1]).hypot(other[2] - center[2])) + radius
    };
    balls.iter().map(reach).fold(0.0, f64::max)
}

fn for_supports(n: usize, call: &mut impl FnMut(&[usize])) {
    fn extend(chosen: &mut Vec<usize>, n: usize, call: &mut impl FnMut(&[usize])) {
        if !chosen.is_empty() {
            call(chosen);
        }
        if chosen.len() < 4 {
            for next in chosen.last().map_or(0, |last| last + 1)..n {
                chosen.push(next);
                extend(chosen, n, call);
                chosen.pop();
            }
        }
    }
    extend(&mut Vec::new(), n, call);
}

/// The centres c of equal |c − cᵢ| + rᵢ, in the affine hull of the centres cᵢ.
///
/// c = c₀ + Σ λᵢqᵢ, the Gram matrix gives λ = u + v·s by Cramer's rule, and s solves a quadratic.
fn tangent_centers(balls: &[Sphere]) -> Vec<[f64; 3]> {
    let (c0, r0) = balls[0];
    let q: Vec<[f64; 3]> = balls[1..].iter().map(|&(c, _)| minus(c, c0)).collect();
    let t: Vec<f64> = balls[1..].iter().map(|(_, r)| r - r0).collect();
    if q.is_empty() {
        return vec![c0];
    }
    let mut gram = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let (mut h, mut slope) = ([0.0; 3], [0.0; 3]);
    for i in 0..q.len() {
        for j in 0..q.len() {
            gram[i][j] = dot(q[i], q[j]);
        }
        (h[i], slope[i]) = ((dot(q[i], q[i]) - t[i] * t[i]) / 2.0, t[i]);
    }
    if det(gram) == 0.0 {
        return Vec::new();
    }
    let (a, b) = (combine(cramer(gram, h), &q), combine(cramer(gram, slope), &q));
    let (square, linear, constant) = (dot(b, b) - 1.0, 2.0 * dot(a, b), dot(a, a));
    let root = (linear * linear - 4.0 * square * constant).max(0.0).sqrt();
    // Both forms of both roots: one of them divides by almost nothing.
    [-root, root]
        .into_iter()
        .flat_map(|root| [(-linear + root) / (2.0 * square), 2.0 * constant / (-linear - root)])
        .filter(|s| s.is_finite())
        .map(|s| [0, 1, 2].map(|axis| c0[axis] + a[axis] + b[axis] * s))
        .collect()
}

/// Takes a Newton step in the affine hull of the centres cᵢ towards equal |c − cᵢ| + rᵢ; `None` if it is not finite.
///
/// The gradient of |c − cᵢ| + rᵢ is the unit vector from cᵢ to c. The step solves for the multiples of the arms cᵢ − c₀.
fn refined(center: [f64; 3], balls: &[Sphere]) -> Option<[f64; 3]> {
    let reach = |&(c, r): &Sphere| {
        let offset = minus(center, c);
        let distance = dot(offset, offset).sqrt();
        (distance + r, offset.map(|x| x / distance))
    };
    let (reach_0, gradient_0) = reach(&balls[0]);
    let q: Vec<[f64; 3]> = balls[1..].iter().map(|&(c, _)| minus(c, balls[0].0)).collect();
    let mut slopes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let mut differences = [0.0; 3];
    for i in 0..q.len() {
        let (reach_i, gradient_i) = reach(&balls[i + 1]);
        differences[i] = reach_0 - reach_i;
        for j in 0..q.len() {
            slopes[i][j] = dot(minus(gradient_i, gradient_0), q[j]);
        }
    }
    let step = combine(cramer(slopes, differences), &q);
    let better = [0, 1, 2].map(|axis| center[axis] + step[axis]);
    better.iter().all(|x| x.is_finite()).then_some(better)
}

/// Solves three linear equations by Cramer's rule; not finite if they are singular.
fn cramer(matrix: [[f64; 3]; 3], right: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|column| {
        let mut changed = matrix;
        for row in 0..3 {
            changed[row][column] = right[row];
        }
        det(changed) / det(matrix)
    })
}

fn combine(factors: [f64; 3], arms: &[[f64; 3]]) -> [f64; 3] {
    let mut sum = [0.0; 3];
    for (factor, arm) in factors.iter().zip(arms) {
        for axis in 0..3 {
            sum[axis] += factor * arm[axis];
        }
    }
    sum
}

fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn det(m: [[f64; 3]; 3]) -> f64 {
    m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1])
        - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
        + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0])
}

/// The measured proof that a ball encloses others and that no smaller ball does.
///
/// For any support and weights w, no ball that encloses the support has a radius below Σ wᵢdᵢ(dᵢ + rᵢ) / Σ wᵢdᵢ, dᵢ
/// being the distance from c = Σ wᵢcᵢ to the centre cᵢ: the distance to the far side of each ball is convex, and at c
/// these slopes cancel.
#[derive(Debug)]
pub(crate) struct Certificate {
    /// Metres by which a ball is outside, at most; 0 if all are inside.
    pub(crate) outside: f64,
    /// Metres from the centre to Σ wᵢcᵢ, a point in the convex hull of the support's centres.
    pub(crate) off_hull: f64,
    /// Metres by which the radius exceeds the proven lower bound, which allows for `off_hull`.
    pub(crate) gap: f64,
}

/// Measures a certificate; skips a support without a ball.
pub(crate) fn certify(found: &EnclosingBall, balls: &[Ball<f64>]) -> Certificate {
    let (center, radius) = (found.ball().center(), found.ball().radius());
    let offset = |a: [f64; 3]| minus(a, center);
    let distance = |ball: &Ball<f64>| dot(offset(ball.center()), offset(ball.center())).sqrt();
    let reach = balls.iter().map(|ball| distance(ball) + ball.radius()).fold(radius, f64::max);
    let (mut hull, mut moments, mut total, mut largest) = (center, 0.0, 0.0, 0.0_f64);
    for held in found.support() {
        let Some(ball) = balls.get(held.index) else { continue };
        for (axis, arm) in hull.iter_mut().zip(offset(ball.center())) {
            *axis += arm * held.weight;
        }
        let moment = held.weight * distance(ball);
        total += moment;
        moments += moment * (radius - (distance(ball) + ball.radius()));
        largest = largest.max(ball.radius());
    }
    let off_hull = dot(offset(hull), offset(hull)).sqrt();
    let gap = if total > 0.0 {
        // The centre of the smallest ball is no farther away than this: both balls hold the largest.
        (moments + off_hull * 2.0 * (radius - largest)) / total
    } else {
        radius - largest
    };
    Certificate { outside: reach - radius, off_hull, gap }
}

pub(crate) fn signed(random: &mut SplitMix64) -> f64 {
    2.0 * random.unit() - 1.0
}

fn point(random: &mut SplitMix64, half: f64) -> [f64; 3] {
    [signed(random) * half, signed(random) * half, signed(random) * half]
}

fn direction(random: &mut SplitMix64) -> [f64; 3] {
    loop {
        let p = point(random, 1.0);
        let length = (p[0] * p[0] + p[1] * p[1] + p[2] * p[2]).sqrt();
        if (0.01..1.0).contains(&length) {
            return p.map(|x| x / length);
        }
    }
}

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

pub(crate) fn family(kind: usize, n: usize, random: &mut SplitMix64) -> Vec<Sphere> {
    let spread = [0.01, 1.0, 30.0, 250.0][random.below(4) as usize];
    let axis = direction(random);
    let mut set: Vec<Sphere> = Vec::new();
    for _ in 0..n {
        let p = point(random, spread);
        let r = random.unit() * spread;
        let grid = |random: &mut SplitMix64| [0; 3].map(|_| random.below(5) as f64 - 2.0);
        let earlier = set.get(random.below(set.len().max(1) as u64) as usize).copied();
        let (c0, r0) = earlier.unwrap_or((p, r));
        set.push(match kind {
            0 => (p, 0.0),
            1 => (p, r),
            2 => (grid(random), 0.0),
            3 => (grid(random), random.below(3) as f64),
            4 => (direction(random).map(|x| x * spread), 0.0),
            5 => {
                let angle = random.below(24) as f64 * core::f64::consts::PI / 12.0;
                ([angle.cos() * spread, angle.sin() * spread, 0.0], 0.0)
            }
            6 => (axis.map(|x| x * signed(random) * spread), r * 0.3),
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
                (offset(c0, direction(random), (r0 - inner) * random.unit()), inner)
            }
            10 => {
                let inner = spread * 0.9 * random.unit();
                (direction(random).map(|x| x * (spread - inner)), inner)
            }
            11 => {
                let inner = r0 * random.unit();
                let tiny = spread * [1e-15, 1e-12, 1e-8, 1e-4][random.below(4) as usize];
                (offset(c0, direction(random), r0 - inner + tiny * signed(random)), inner)
            }
            12 => {
                let tiny = spread * [1e-15, 1e-12, 1e-8, 1e-4][random.below(4) as usize];
                if random.below(3) == 0 {
                    (p, r * 0.1)
                } else {
                    (offset(c0, direction(random), tiny), (r0 + tiny * signed(random)).max(0.0))
                }
            }
            _ => {
                let tiny = [1e-15, 1e-12, 1e-9, 1e-6][random.below(4) as usize];
                let flat = signed(random) * spread;
                (offset(axis.map(|x| x * flat), direction(random), tiny * spread), 0.0)
            }
        });
    }
    set
}

fn offset(c: [f64; 3], direction: [f64; 3], by: f64) -> [f64; 3] {
    [c[0] + direction[0] * by, c[1] + direction[1] * by, c[2] + direction[2] * by]
}
