//! The smallest enclosing ball of at most five balls, by exhaustive search over supports.
//!
//! The ball that encloses and touches two to four balls has its centre in the hull of theirs. With q the centres and t
//! the radii relative to the first ball, z the wanted centre relative to its centre and s their distance, |z| = s and
//! |z − qᵢ| = s − tᵢ. The difference of the squares, qᵢ·z = (qᵢ² − tᵢ²)/2 + s·tᵢ, is linear: z = a + b·s, and |a + b·s|
//! = s is quadratic in s (Fischer and Gärtner, 2004). The first ball is the largest, so s is the shortest distance and
//! errors are small relative to it. Arms are orthogonalised by Gram and Schmidt; a Newton step compensates the
//! cancellation in 1 − b² for nearly tangent balls.

use core::cmp::Ordering;

use crate::linkability::ball::{Ball, Placed, Vector, along, dot, length, minus};
use crate::real::Real;

/// Orders by radius, then by centre, not by index.
pub(crate) fn by_value(a: &Ball<f64>, b: &Ball<f64>) -> Ordering {
    let ([ax, ay, az], [bx, by, bz]) = (a.center(), b.center());
    (a.radius().total_cmp(&b.radius()))
        .then(ax.total_cmp(&bx))
        .then(ay.total_cmp(&by))
        .then(az.total_cmp(&bz))
}

/// At most five balls, the greatest [`by_value`] first.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Few {
    balls: [Placed; 5],
    len: usize,
}

impl Few {
    pub(crate) fn as_slice(&self) -> &[Placed] {
        self.balls.get(..self.len).unwrap_or(&self.balls)
    }

    pub(crate) fn insert(&mut self, mut placed: Placed) {
        for slot in self.balls.iter_mut().take(self.len) {
            if by_value(&placed.ball, &slot.ball).is_gt() {
                core::mem::swap(slot, &mut placed);
            }
        }
        if let Some(slot) = self.balls.get_mut(self.len) {
            *slot = placed;
            self.len = self.len.wrapping_add(1);
        }
    }

    fn subset(&self, bits: u32) -> Self {
        let mut subset = Self::default();
        for (place, &ball) in self.as_slice().iter().enumerate() {
            if bits & (1 << place) != 0 {
                subset.insert(ball);
            }
        }
        subset
    }

    fn radius_from(&self, center: [f64; 3]) -> f64 {
        let around = Ball::made(center, 0.0);
        let reaches = self.as_slice().iter().map(|placed| around.reach(&placed.ball));
        reaches.fold(0.0, f64::max)
    }

    /// Returns the ball that touches these, with its centre in their hull, widened to enclose `all`.
    fn enclosing(self, all: &Self) -> Option<Basis> {
        let Tangent { center, weights } = tangent_ball(self.as_slice())?;
        Some(Basis { support: self, weights, ball: Ball::made(center, all.radius_from(center)) })
    }
}

/// A support and its smallest enclosing ball.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Basis {
    pub(crate) support: Few,
    pub(crate) weights: [f64; 4],
    pub(crate) ball: Ball<f64>,
}

impl Basis {
    pub(crate) fn one(placed: Placed) -> Self {
        let mut support = Few::default();
        support.insert(placed);
        Self { support, weights: [1.0, 0.0, 0.0, 0.0], ball: placed.ball }
    }

    pub(crate) fn widened(self, outside: &Ball<f64>) -> Self {
        let (center, reach) = (self.ball.center(), self.ball.reach(outside));
        Self { ball: Ball::made(center, reach), ..self }
    }

    /// Computes the smallest ball around the support and a ball outside, which belongs to every support of the result.
    ///
    /// The right tangent ball has the least radius once widened to enclose all balls, so a wrong support costs a
    /// rounding error only.
    pub(crate) fn with(&self, outside: Placed) -> Self {
        let mut all = self.support;
        all.insert(outside);
        let is_new = |placed: &Placed| placed.index == outside.index;
        let new = all.as_slice().iter().position(is_new).unwrap_or(0);
        let mut best = self.widened(&outside.ball);
        for size in 1..=4 {
            for bits in 1_u32..1 << all.len {
                if bits.count_ones() == size && bits & (1 << new) != 0 {
                    match all.subset(bits).enclosing(&all) {
                        Some(next) if next.ball.radius() < best.ball.radius() => best = next,
                        _ => {}
                    }
                }
            }
        }
        best
    }
}

/// A tangent ball's centre, and the weights of the touched centres.
#[derive(Debug, Clone, Copy)]
struct Tangent {
    pub(crate) center: Vector,
    pub(crate) weights: [f64; 4],
}

/// Takes balls in falling order of radius; `None` if there is no tangent ball, or fewer balls have the same.
fn tangent_ball(balls: &[Placed]) -> Option<Tangent> {
    let (first, rest) = balls.split_first()?;
    let relative = |placed: &Placed| Arm {
        q: minus(placed.ball.center(), first.ball.center()),
        t: placed.ball.radius() - first.ball.radius(),
    };
    let parts = match rest {
        [] => [0.0; 3],
        [one] => on_line(relative(one))?,
        [one, two] => in_span(relative(one), relative(two), None)?,
        [one, two, three] => in_span(relative(one), relative(two), Some(relative(three)))?,
        _ => return None,
    };
    let [w1, w2, w3] = parts;
    let w0 = 1.0 - (w1 + w2 + w3);
    let mut center = first.ball.center();
    for (placed, weight) in rest.iter().zip(parts) {
        center = along(center, relative(placed).q, weight);
    }
    Some(Tangent { center, weights: [w0, w1, w2, w3] })
}

#[derive(Debug, Clone, Copy)]
struct Arm {
    q: Vector,
    t: f64,
}

impl Arm {
    fn half_power(self) -> f64 {
        let long = length(self.q);
        (long - self.t) * (long + self.t) * 0.5
    }
}

/// Weighs two balls, unless one contains the other: their far sides are the ends of a diameter.
fn on_line(one: Arm) -> Option<[f64; 3]> {
    let long = length(one.q);
    (long > -one.t).then(|| [(long + one.t) * 0.5 / long, 0.0, 0.0])
}

/// Returns the arms' weights, if they span a plane or a space and the centre is in the hull.
fn in_span(one: Arm, two: Arm, three: Option<Arm>) -> Option<[f64; 3]> {
    let frame = PrimFrame::of(one, two, three)?;
    let half_powers = [Some(one), Some(two), three];
    let a = frame.solve(half_powers.map(|arm| arm.map_or(0.0, Arm::half_power)));
    let b = frame.solve(frame.t);
    let mut centers = distances(a, b)
        .into_iter()
        .filter(|&s| s.is_finite() && s >= 0.0)
        .map(|s| frame.parts(frame.refined(along(a, b, s), b)));
    centers.find(|&[w1, w2, w3]| w1 >= 0.0 && w2 >= 0.0 && w3 >= 0.0 && w1 + w2 + w3 <= 1.0)
}

/// Two or three arms in the orthonormal frame that they span.
struct PrimFrame {
    /// The arms, a lower triangle; in a plane the third row is the unit vector.
    rows: [Vector; 3],
    t: [f64; 3],
    in_space: bool,
}

impl PrimFrame {
    /// Returns `None` if an arm lies in the span of the arms before it, up to rounding.
    fn of(one: Arm, two: Arm, three: Option<Arm>) -> Option<Self> {
        let (e1, l1) = unit(one.q, length(one.q))?;
        let two_1 = dot(two.q, e1);
        let (e2, l2) = unit(along(two.q, e1, -two_1), length(two.q))?;
        let last = match three {
            None => [0.0, 0.0, 1.0],
            Some(Arm { q, .. }) => {
                let (three_1, three_2) = (dot(q, e1), dot(q, e2));
                let rest = along(along(q, e1, -three_1), e2, -three_2);
                let (_, l3) = unit(rest, length(q))?;
                [three_1, three_2, l3]
            }
        };
        Some(Self {
            rows: [[l1, 0.0, 0.0], [two_1, l2, 0.0], last],
            t: [one.t, two.t, three.map_or(0.0, |arm| arm.t)],
            in_space: three.is_some(),
        })
    }

    /// Returns the point whose products with the rows are given.
    fn solve(&self, [h1, h2, h3]: [f64; 3]) -> Vector {
        let [[l1, ..], [two_1, l2, _], [three_1, three_2, l3]] = self.rows;
        let y1 = h1 / l1;
        let y2 = (h2 - two_1 * y1) / l2;
        [y1, y2, (h3 - three_1 * y1 - three_2 * y2) / l3]
    }

    /// Returns the multiples of the rows that add up to a point.
    fn parts(&self, [y1, y2, y3]: Vector) -> [f64; 3] {
        let [[l1, ..], [two_1, l2, _], [three_1, three_2, l3]] = self.rows;
        let w3 = y3 / l3;
        let w2 = (y2 - three_2 * w3) / l2;
        [(y1 - two_1 * w2 - three_1 * w3) / l1, w2, w3]
    }

    /// Takes a Newton step for equal |z| and |z − qᵢ| + tᵢ.
    fn refined(&self, z: Vector, b: Vector) -> Vector {
        let s = length(z);
        let right = |row, t| {
            let distance = length(minus(z, row));
            let difference = distance + t - s;
            (distance - difference * 0.5) * difference
        };
        let ([q1, q2, q3], [t1, t2, t3]) = (self.rows, self.t);
        let last = if self.in_space { right(q3, t3) } else { 0.0 };
        let a = self.solve([right(q1, t1), right(q2, t2), last]);
        let step = along(a, b, dot(z, a) / (s - dot(z, b)));
        if step.iter().all(|part| part.is_finite()) { along(z, step, 1.0) } else { z }
    }
}

/// Returns `rest`'s direction and length, unless it is a rounding error of `long`.
fn unit(rest: Vector, long: f64) -> Option<(Vector, f64)> {
    const NOISE: f64 = 8.0 * f64::EPSILON;
    let short = length(rest);
    (short > long * NOISE).then(|| (rest.map(|coordinate| coordinate / short), short))
}

/// Solves |a + b·s| = s without the cancellation of the usual formula.
fn distances(a: Vector, b: Vector) -> [f64; 2] {
    let (square, half, constant) = (1.0 - dot(b, b), dot(a, b), dot(a, a));
    let root = Real::sqrt(half * half + square * constant);
    let sum = if half < 0.0 { half - root } else { half + root };
    [sum / square, -constant / sum]
}
