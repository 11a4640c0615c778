//! The smallest enclosing ball by brute force, and the certificate of a ball. They share no formula with
//! the crate. Brute force tries the tangent balls of all supports of up to four, wherever their centres
//! lie, and keeps the centre from which everything is nearest. Any centre gives an upper bound, and the
//! right one is tried.

use lodger_core::linkability::{Ball, EnclosingBall};

/// A centre and a radius.
pub(crate) type Sphere = ([f64; 3], f64);

/// The least radius around `balls`.
pub(crate) fn least_radius(balls: &[Sphere]) -> f64 {
    let mut least = f64::INFINITY;
    for_supports(balls.len(), &mut |support| {
        let chosen: Vec<Sphere> = support.iter().map(|&index| balls[index]).collect();
        for center in tangent_centers(&chosen) {
            least = least.min(radius_from(center, balls));
        }
    });
    least
}

/// The greatest distance from `center` to the far side of a ball.
pub(crate) fn radius_from(center: [f64; 3], balls: &[Sphere]) -> f64 {
    let reach = |&(other, radius): &Sphere| {
        (other[0] - center[0]).hypot((other[1] - center[1]).hypot(other[2] - center[2])) + radius
    };
    balls.iter().map(reach).fold(0.0, f64::max)
}

/// Calls with every set of one to four of `n`.
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

/// Where |c − cᵢ| + rᵢ is the same for all, in the affine hull of the centres.
///
/// c = c₀ + Σ λᵢqᵢ, the Gram matrix gives λ = u + v·s by Cramer's rule, and s solves a quadratic.
fn tangent_centers(balls: &[Sphere]) -> Vec<[f64; 3]> {
    let (c0, r0) = balls[0];
    let q: Vec<[f64; 3]> =
        balls[1..].iter().map(|(c, _)| [c[0] - c0[0], c[1] - c0[1], c[2] - c0[2]]).collect();
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
    let determinant = det(gram);
    if determinant == 0.0 {
        return Vec::new();
    }
    let solve = |right: [f64; 3]| {
        let column = |k: usize| {
            let mut changed = gram;
            for i in 0..3 {
                changed[i][k] = right[i];
            }
            det(changed) / determinant
        };
        [column(0), column(1), column(2)]
    };
    let combine = |l: [f64; 3]| {
        let mut sum = [0.0; 3];
        for (factor, arm) in l.iter().zip(&q) {
            for axis in 0..3 {
                sum[axis] += factor * arm[axis];
            }
        }
        sum
    };
    let (a, b) = (combine(solve(h)), combine(solve(slope)));
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
/// For any support and weights w, no ball that encloses the support has a radius below
/// Σ wᵢdᵢ(dᵢ + rᵢ) / Σ wᵢdᵢ, dᵢ being the distance from c = Σ wᵢcᵢ to the centre cᵢ: the distance to
/// the far side of each ball is convex, and at c these slopes cancel. Rounding is in the three numbers,
/// not hidden behind a tolerance.
#[derive(Debug)]
pub(crate) struct Certificate {
    /// Metres by which the ball that sticks out most does so; 0 if all are inside.
    pub(crate) outside: f64,
    /// Metres from the centre to Σ wᵢcᵢ, a point in the convex hull of the support's centres.
    pub(crate) off_hull: f64,
    /// Metres by which the radius exceeds the proven lower bound, which allows for `off_hull`.
    pub(crate) gap: f64,
}

/// Measures how far `found` is the smallest ball around `balls`. A support without a ball is left out.
pub(crate) fn certify(found: &EnclosingBall, balls: &[Ball<f64>]) -> Certificate {
    let (center, radius) = (found.ball().center(), found.ball().radius());
    let minus = |a: [f64; 3]| [a[0] - center[0], a[1] - center[1], a[2] - center[2]];
    let distance = |ball: &Ball<f64>| dot(minus(ball.center()), minus(ball.center())).sqrt();
    let reach = balls.iter().map(|ball| distance(ball) + ball.radius()).fold(radius, f64::max);
    let (mut hull, mut moments, mut total, mut largest) = (center, 0.0, 0.0, 0.0_f64);
    for held in found.support() {
        let Some(ball) = balls.get(held.index) else { continue };
        for (axis, offset) in hull.iter_mut().zip(minus(ball.center())) {
            *axis += offset * held.weight;
        }
        let moment = held.weight * distance(ball);
        total += moment;
        moments += moment * (radius - (distance(ball) + ball.radius()));
        largest = largest.max(ball.radius());
    }
    let off_hull = dot(minus(hull), minus(hull)).sqrt();
    let gap = if total > 0.0 {
        // The centre of the smallest ball is no farther away than this: both balls hold the largest.
        (moments + off_hull * 2.0 * (radius - largest)) / total
    } else {
        radius - largest
    };
    Certificate { outside: reach - radius, off_hull, gap }
}
