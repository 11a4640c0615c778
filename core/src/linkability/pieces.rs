//! Pieces that link pair by pair, in a fixed order.

use super::ball::Ball;
use super::span::Fit;

/// Two pieces that were tested against each other.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct Pair {
    /// The place of the one that comes first, which it keeps if they link.
    pub a: usize,
    /// The place of the other.
    pub b: usize,
    /// The round in which they were tested, from 1.
    pub round: usize,
    /// How they fitted.
    pub fit: Fit,
}

/// The working space for one object: some 150 bytes, 110 where a `usize` has 32 bits.
///
/// Its prims are spheres `start .. end`; the objects of a piece form a ring through `next`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Piece {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) next: usize,
    pub(super) place: usize,
    pub(super) ball: Ball<f64>,
    /// The spheres that hold the ball; a shorter list repeats the last.
    pub(super) support: [usize; 4],
    /// The slots hold the links in the order in which they were made, whatever object a slot is for.
    pub(super) link: Pair,
}

/// Pieces that can be asked for their spheres and merged.
pub(super) trait Pieces {
    /// The sphere of the piece at a place; `None` when it has moved to another.
    fn standing(&self, place: usize) -> Option<Ball<f64>>;
    /// Moves the objects of `pair.b` to `pair.a`.
    fn merge(&mut self, pair: Pair);
}

/// Rounds of linking until one links nothing; returns how many.
pub(super) fn link_all(pieces: &mut impl Pieces, count: usize) -> usize {
    for round in 1.. {
        let mut linked = false;
        for a in 0..count {
            for b in a.wrapping_add(1)..count {
                let (Some(ball_a), Some(ball_b)) = (pieces.standing(a), pieces.standing(b)) else {
                    continue;
                };
                let fit = Fit::of(&ball_a, &ball_b);
                if fit.fits() {
                    pieces.merge(Pair { a, b, round, fit });
                    linked = true;
                }
            }
        }
        if !linked {
            return round;
        }
    }
    0
}
