//! The smallest enclosing ball of at most five balls, by trying all supports.

use core::cmp::Ordering;

use super::ball::Ball;
use super::placed::Placed;
use super::tangent::{Tangent, tangent_ball};

/// By radius, then by centre: an order of values, which knows nothing of places.
pub(super) fn by_value(a: &Ball<f64>, b: &Ball<f64>) -> Ordering {
    let ([ax, ay, az], [bx, by, bz]) = (a.center(), b.center());
    (a.radius().total_cmp(&b.radius()))
        .then(ax.total_cmp(&bx))
        .then(ay.total_cmp(&by))
        .then(az.total_cmp(&bz))
}

/// At most five balls, the greatest [`by_value`] first.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Few {
    balls: [Placed; 5],
    len: usize,
}

impl Few {
    pub(super) fn as_slice(&self) -> &[Placed] {
        self.balls.get(..self.len).unwrap_or(&self.balls)
    }

    /// Puts a ball where it belongs; a sixth is not taken.
    pub(super) fn insert(&mut self, mut placed: Placed) {
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

    /// Those whose bits are set.
    fn subset(&self, bits: u32) -> Self {
        let mut subset = Self::default();
        for (place, &ball) in self.as_slice().iter().enumerate() {
            if bits & (1 << place) != 0 {
                subset.insert(ball);
            }
        }
        subset
    }

    /// The greatest reach from `center`.
    fn radius_from(&self, center: [f64; 3]) -> f64 {
        let around = Ball::made(center, 0.0);
        let reaches = self.as_slice().iter().map(|placed| around.reach(&placed.ball));
        reaches.fold(0.0, f64::max)
    }

    /// The ball that touches all of these and has its centre in their hull, widened to enclose `all`.
    fn enclosing(self, all: &Self) -> Option<Basis> {
        let Tangent { center, weights } = tangent_ball(self.as_slice())?;
        Some(Basis { support: self, weights, ball: Ball::made(center, all.radius_from(center)) })
    }
}

/// A support and its smallest enclosing ball.
#[derive(Debug, Clone, Copy)]
pub(super) struct Basis {
    pub(super) support: Few,
    /// The parts of the support in the centre.
    pub(super) weights: [f64; 4],
    pub(super) ball: Ball<f64>,
}

impl Basis {
    /// One ball, which encloses itself.
    pub(super) fn one(placed: Placed) -> Self {
        let mut support = Few::default();
        support.insert(placed);
        Self { support, weights: [1.0, 0.0, 0.0, 0.0], ball: placed.ball }
    }

    /// The same, made to enclose a ball that rounding has left outside.
    pub(super) fn widened(self, outside: &Ball<f64>) -> Self {
        let (center, reach) = (self.ball.center(), self.ball.reach(outside));
        Self { ball: Ball::made(center, reach), ..self }
    }

    /// The smallest enclosing ball of the support and a ball that sticks out, which therefore is in
    /// every support of it.
    ///
    /// Of all tangent balls whose centre is in the hull of their support, the right one has the
    /// least radius once it is widened to enclose all; a misjudged support costs nothing then but
    /// what rounding made of it.
    pub(super) fn with(&self, outside: Placed) -> Self {
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
