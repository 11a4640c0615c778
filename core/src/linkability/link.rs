//! The span rule, over objects in the caller's memory.

use crate::error::{Quantity, ValueError, ValueProblem};
use crate::linkability::ball::{Ball, Placed};
use crate::linkability::enclosing_ball::{grown, smallest};
use crate::linkability::span::Fit;
use crate::linkability::support::{Basis, Few};
use crate::linkability::{LinkError, LinkPrim, bounding_spheres};
use crate::real::Real;

/// Two pieces, tested against each other.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct Pair {
    /// The first piece's place, which remains if they link.
    pub a: usize,
    /// The second piece's place.
    pub b: usize,
    /// The round of the test, from 1.
    pub round: usize,
    /// Spans and distances of the two.
    pub fit: Fit,
}

/// Scratch memory for one object: about 150 bytes, 110 with a 32-bit `usize`.
///
/// Its prims are spheres `start .. end`; the objects of a piece form a ring through `next`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct LinkedPiece {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) next: usize,
    pub(crate) place: usize,
    pub(crate) ball: Ball<f64>,
    /// Spheres that support the ball; a shorter list repeats the last.
    pub(crate) support: [usize; 4],
    pub(crate) link: Pair,
}

pub(crate) trait Pieces {
    fn standing(&self, place: usize) -> Option<Ball<f64>>;
    fn merge(&mut self, pair: Pair);
}

/// Links until a round links nothing; returns the number of rounds.
pub(crate) fn link_all(pieces: &mut impl Pieces, count: usize) -> usize {
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

/// Scratch memory of [`link`]; its content does not matter.
#[derive(Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct LinkScratch<'a> {
    /// At least one ball for each prim.
    pub spheres: &'a mut [Ball<f64>],
    /// At least one piece for each object.
    pub pieces: &'a mut [LinkedPiece],
}

/// Links objects by the span rule; the first is the root.
///
/// # Formula
/// A and B link iff |cA − cB| + rA + rB <= min(3·(rA + rB) + 2, 54). A piece's sphere is the smallest around the bounding
/// spheres of its prims.
///
/// The root is tested against each candidate once, in order, and its sphere recomputed after each link; then the remaining
/// pieces among themselves, i < j, where a merged piece keeps i's place and continues with its new sphere; then the root
/// again, until a full round links nothing. So a round is one sweep over all i < j.
///
/// # Source
/// Linkability rules, Linkability algorithm, which has spheres where its overview has boxes. "The final subset of linkable
/// parts is NOT affected by the order" is wrong, see [`LinkResult::better_order`].
///
/// # Range and accuracy
/// Spheres are computed by [`enclosing_ball`](super::enclosing_ball); the test has no tolerance.
///
/// # Errors
/// The errors of [`LinkPrim::bounding_sphere`]; [`Quantity::Prims`] with [`ValueProblem::Missing`] for an object without
/// prims or no objects, with [`ValueProblem::TooLarge`] for the first prim or object without scratch memory.
///
/// # Examples
/// ```
/// use lodger_core::linkability::{link, Ball, LinkedPiece, LinkPrim, LinkScratch};
///
/// let cube = |position| [LinkPrim { position, scale: [10.0_f64; 3] }];
/// let (a, b, c) = (cube([-18.0, 0.0, 0.0]), cube([18.0, 0.0, 0.0]), cube([0.0, 18.0, 0.0]));
/// let (mut spheres, mut pieces) = ([Ball::default(); 3], [LinkedPiece::default(); 3]);
///
/// let scratch = LinkScratch { spheres: &mut spheres, pieces: &mut pieces };
/// let linked = link(&[a, b, c], scratch)?;
/// assert!(linked.linkable());
/// let diameter = linked.sphere(0).map(|sphere| 2.0 * sphere.radius());
/// assert_eq!(diameter.map(|metres| (metres * 100.0).round() / 100.0), Some(53.32));
///
/// let scratch = LinkScratch { spheres: &mut spheres, pieces: &mut pieces };
/// let linked = link(&[a, c, b], scratch)?;
/// assert!(!linked.linkable());
/// let missed: Vec<_> = linked.misses().map(|miss| (miss.a, miss.b)).collect();
/// assert_eq!(missed, [(0, 2)]);
/// # Ok::<(), lodger_core::linkability::LinkError>(())
/// ```
pub fn link<'a, N: Real, O: AsRef<[LinkPrim<N>]>>(
    objects: &[O],
    scratch: LinkScratch<'a>,
) -> Result<LinkResult<'a>, LinkError> {
    let LinkScratch { spheres, pieces } = scratch;
    let pieces = prepare(objects, spheres, pieces)?;
    let mut linked = LinkResult::apart(spheres, pieces);
    linked.rounds = link_all(&mut linked, objects.len());
    Ok(linked)
}

fn prepare<'a, N: Real, O: AsRef<[LinkPrim<N>]>>(
    objects: &[O],
    spheres: &mut [Ball<f64>],
    pieces: &'a mut [LinkedPiece],
) -> Result<&'a mut [LinkedPiece], LinkError> {
    let no_room = |object, prim| LinkError {
        object: Some(object),
        prim,
        error: ValueError::new(Quantity::Prims, ValueProblem::TooLarge),
    };
    let room = pieces.len();
    let pieces = pieces.get_mut(..objects.len()).ok_or(no_room(room, None))?;
    if pieces.is_empty() {
        return Err(LinkError::without_prims(None));
    }
    let mut slots = spheres.iter_mut();
    let mut end = 0_usize;
    for ((place, object), piece) in objects.iter().enumerate().zip(pieces.iter_mut()) {
        let start = end;
        for (prim, sphere) in bounding_spheres(place, object.as_ref()).enumerate() {
            *slots.next().ok_or(no_room(place, Some(prim)))? = sphere?;
            end = end.wrapping_add(1);
        }
        if start == end {
            return Err(LinkError::without_prims(Some(place)));
        }
        *piece = LinkedPiece { start, end, next: place, place, ..LinkedPiece::default() };
    }
    Ok(pieces)
}

/// The result of [`link`](super::link()).
#[derive(Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct LinkResult<'a> {
    spheres: &'a [Ball<f64>],
    pieces: &'a mut [LinkedPiece],
    links: usize,
    pub(crate) rounds: usize,
}

impl Pieces for LinkResult<'_> {
    fn standing(&self, place: usize) -> Option<Ball<f64>> {
        let piece = self.pieces.get(place)?;
        (piece.place == place).then_some(piece.ball)
    }

    fn merge(&mut self, pair: Pair) {
        if let Some(slot) = self.pieces.get_mut(self.links) {
            slot.link = pair;
            self.links = self.links.wrapping_add(1);
        }
        let mut object = pair.b;
        while let Some(piece) = self.pieces.get_mut(object).filter(|piece| piece.place != pair.a) {
            (piece.place, object) = (pair.a, piece.next);
        }
        if let Ok([a, b]) = self.pieces.get_disjoint_mut([pair.a, pair.b]) {
            core::mem::swap(&mut a.next, &mut b.next);
        }
        let parts = [pair.a, pair.b].into_iter().filter_map(|place| self.basis(place));
        let larger = parts.max_by(|a, b| a.ball.radius().total_cmp(&b.ball.radius()));
        let ball = larger.map(|larger| grown(&larger, &self.prims_of(self.ring(pair.a))));
        self.keep(pair.a, ball.as_ref());
    }
}

impl<'a> LinkResult<'a> {
    pub(crate) fn apart(spheres: &'a [Ball<f64>], pieces: &'a mut [LinkedPiece]) -> Self {
        let mut linked = Self { spheres, pieces, links: 0, rounds: 0 };
        for object in 0..linked.count() {
            let ball = smallest(&linked.prims_of(core::iter::once(object)));
            linked.keep(object, ball.as_ref());
        }
        linked
    }
}

impl LinkResult<'_> {
    /// Whether all objects became one.
    #[must_use]
    pub fn linkable(&self) -> bool {
        self.links.wrapping_add(1) == self.pieces.len()
    }

    /// Returns the links in their order.
    pub fn links(&self) -> impl Iterator<Item = Pair> {
        self.pieces.iter().take(self.links).map(|piece| piece.link)
    }

    /// Returns the number of rounds; the last linked nothing.
    #[must_use]
    pub fn rounds(&self) -> usize {
        self.rounds
    }

    /// Returns the remaining pieces' places, the root's first.
    pub fn places(&self) -> impl Iterator<Item = usize> + Clone {
        let places = self.pieces.iter().enumerate();
        places.filter_map(|(object, piece)| (piece.place == object).then_some(object))
    }

    /// Returns the objects of the piece at a place, in file order; none if it was merged.
    pub fn objects(&self, place: usize) -> impl Iterator<Item = usize> {
        let objects = self.pieces.iter().enumerate();
        objects.filter_map(move |(object, piece)| (piece.place == place).then_some(object))
    }

    /// Returns the smallest ball around a piece's prims; `None` if it was merged.
    #[must_use]
    pub fn sphere(&self, place: usize) -> Option<Ball<f64>> {
        self.standing(place)
    }

    /// Returns every pair of remaining pieces, with their misfit.
    pub fn misses(&self) -> impl Iterator<Item = Pair> {
        self.places().flat_map(move |a| {
            let later = self.places().filter(move |&b| b > a);
            later.filter_map(move |b| {
                let fit = Fit::of(&self.standing(a)?, &self.standing(b)?);
                Some(Pair { a, b, round: self.rounds, fit })
            })
        })
    }

    pub(crate) fn count(&self) -> usize {
        self.pieces.len()
    }

    pub(crate) fn prims_of(
        &self,
        objects: impl Iterator<Item = usize> + Clone,
    ) -> impl Iterator<Item = Placed> + Clone {
        objects.flat_map(|object| {
            let piece = self.pieces.get(object).copied().unwrap_or_default();
            let spheres = self.spheres.get(piece.start..piece.end).unwrap_or(&[]);
            let placed = (piece.start..).zip(spheres);
            placed.map(|(index, &ball)| Placed { index, ball })
        })
    }

    fn ring(&self, place: usize) -> impl Iterator<Item = usize> + Clone {
        core::iter::successors(Some(place), move |&object| {
            let next = self.pieces.get(object)?.next;
            (next != place).then_some(next)
        })
    }

    /// Returns a piece's ball and support to continue the search, without weights.
    fn basis(&self, place: usize) -> Option<Basis> {
        let piece = self.pieces.get(place)?;
        let mut support = Few::default();
        for index in piece.support {
            let &ball = self.spheres.get(index)?;
            let is_same = |placed: &Placed| placed.index == index;
            if !support.as_slice().iter().any(is_same) {
                support.insert(Placed { index, ball });
            }
        }
        Some(Basis { support, weights: [0.0; 4], ball: piece.ball })
    }

    fn keep(&mut self, place: usize, found: Option<&Basis>) {
        if let (Some(basis), Some(piece)) = (found, self.pieces.get_mut(place)) {
            let mut held = basis.support.as_slice().iter();
            let mut last = 0;
            piece.support = piece.support.map(|_| {
                last = held.next().map_or(last, |placed| placed.index);
                last
            });
            piece.ball = basis.ball;
        }
    }
}
