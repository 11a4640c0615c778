use super::ball::Ball;
use crate::linkability::enclosing_ball::smallest;
use crate::linkability::link::{LinkResult, Pair, Pieces, link_all};

/// The greatest number of objects for which all orders are tried.
const MOST: usize = 8;

/// An order of objects that links more of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct BetterOrder {
    order: [usize; MOST],
    count: usize,
    pieces: usize,
}

impl LinkResult<'_> {
    /// Returns the order of up to eight objects, with the same root, that leaves the fewest pieces, of equals the first in
    /// lexicographic order; `None` if no order leaves fewer, or for more objects.
    ///
    /// The document says that the order does not matter for a linkable set; the example at [`link`](super::link()) is a
    /// counterexample. At most 5040 orders are tried. The balls take 10 KiB of stack.
    ///
    /// # Examples
    /// ```
    /// use lodger_core::linkability::{link, Ball, LinkedPiece, LinkPrim, LinkScratch};
    ///
    /// let cube = |position| [LinkPrim { position, scale: [10.0_f64; 3] }];
    /// let (a, b, c) = (cube([-18.0, 0.0, 0.0]), cube([18.0, 0.0, 0.0]), cube([0.0, 18.0, 0.0]));
    /// let (mut spheres, mut pieces) = ([Ball::default(); 3], [LinkedPiece::default(); 3]);
    /// let scratch = LinkScratch { spheres: &mut spheres, pieces: &mut pieces };
    /// let better = link(&[a, c, b], scratch)?.better_order();
    /// assert_eq!(better.as_ref().map(|better| better.order()), Some(&[0, 2, 1][..]));
    /// assert_eq!(better.map(|better| better.pieces()), Some(1));
    /// # Ok::<(), lodger_core::linkability::LinkError>(())
    /// ```
    #[must_use]
    pub fn better_order(&self) -> Option<BetterOrder> {
        BetterOrder::of(self)
    }
}

impl BetterOrder {
    /// Returns the objects' indices in that order, the root first.
    #[must_use]
    pub fn order(&self) -> &[usize] {
        self.order.get(..self.count).unwrap_or(&self.order)
    }

    /// Returns the number of pieces that remain.
    #[must_use]
    pub fn pieces(&self) -> usize {
        self.pieces
    }

    pub(super) fn of(linked: &LinkResult<'_>) -> Option<Self> {
        let (count, mut fewest) = (linked.count(), linked.places().count());
        if count > MOST {
            return None;
        }
        let mut evaluation = OrderEvaluation::new(linked);
        let mut order = [0, 1, 2, 3, 4, 5, 6, 7];
        let mut best = None;
        while fewest > 1 {
            let candidates = order.get_mut(1..count)?;
            if !next_permutation(candidates) {
                break;
            }
            let pieces = evaluation.pieces(order.get(..count)?);
            if pieces < fewest {
                fewest = pieces;
                best = Some(Self { order, count, pieces });
            }
        }
        best
    }
}

/// Objects in some order; a piece is a set of objects, one bit each.
struct OrderEvaluation<'a> {
    linked: &'a LinkResult<'a>,
    sets: [u8; MOST],
    balls: [Option<Ball<f64>>; 1 << MOST],
}

impl<'a> OrderEvaluation<'a> {
    fn new(linked: &'a LinkResult<'a>) -> Self {
        Self { linked, sets: [0; MOST], balls: [None; 1 << MOST] }
    }

    fn pieces(&mut self, order: &[usize]) -> usize {
        self.sets = [0; MOST];
        for (place, object) in order.iter().enumerate() {
            self.put(place, 1 << object);
        }
        link_all(self, order.len());
        self.sets.iter().filter(|&&set| set != 0).count()
    }

    fn put(&mut self, place: usize, set: u8) {
        if let Some(slot) = self.sets.get_mut(place) {
            *slot = set;
        }
        if let Some(ball @ None) = self.balls.get_mut(usize::from(set)) {
            let objects = (0..MOST).filter(move |object| set & (1 << object) != 0);
            *ball = smallest(&self.linked.prims_of(objects)).map(|basis| basis.ball);
        }
    }
}

impl Pieces for OrderEvaluation<'_> {
    fn standing(&self, place: usize) -> Option<Ball<f64>> {
        let &set = self.sets.get(place)?;
        *self.balls.get(usize::from(set))?
    }

    fn merge(&mut self, Pair { a, b, .. }: Pair) {
        let set = |place| self.sets.get(place).copied().unwrap_or(0);
        let both = set(a) | set(b);
        self.put(b, 0);
        self.put(a, both);
    }
}

/// Advances to the next order; returns `false` after the last.
fn next_permutation(order: &mut [usize]) -> bool {
    let rises = |pair: &[usize]| matches!(pair, [a, b] if a < b);
    let Some(last_rise) = order.windows(2).rposition(rises) else {
        return false;
    };
    let (head, tail) = order.split_at_mut(last_rise.wrapping_add(1));
    if let Some(pivot) = head.last_mut()
        && let Some(next) = tail.iter_mut().rev().find(|next| **next > *pivot)
    {
        core::mem::swap(pivot, next);
    }
    tail.reverse();
    true
}
