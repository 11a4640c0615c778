//! Pieces while they are linked, and what can be asked of them afterwards.

use super::ball::Ball;
use super::pieces::{Pair, Piece, Pieces};
use super::placed::Placed;
use super::search::{grown, smallest};
use super::span::Fit;
use super::support::{Basis, Few};

/// What [`link`](super::link()) has linked.
#[derive(Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Linked<'a> {
    spheres: &'a [Ball<f64>],
    pieces: &'a mut [Piece],
    links: usize,
    pub(super) rounds: usize,
}

impl Pieces for Linked<'_> {
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

impl<'a> Linked<'a> {
    /// Every object as a piece of its own, with its ball.
    pub(super) fn apart(spheres: &'a [Ball<f64>], pieces: &'a mut [Piece]) -> Self {
        let mut linked = Self { spheres, pieces, links: 0, rounds: 0 };
        for object in 0..linked.count() {
            let ball = smallest(&linked.prims_of(core::iter::once(object)));
            linked.keep(object, ball.as_ref());
        }
        linked
    }
}

impl Linked<'_> {
    /// Whether all objects are one.
    #[must_use]
    pub fn linkable(&self) -> bool {
        self.links.wrapping_add(1) == self.pieces.len()
    }

    /// The links in the order in which they were made.
    pub fn links(&self) -> impl Iterator<Item = Pair> {
        self.pieces.iter().take(self.links).map(|piece| piece.link)
    }

    /// How many rounds it took; the last has linked nothing.
    #[must_use]
    pub fn rounds(&self) -> usize {
        self.rounds
    }

    /// The places of the pieces that are left, the root's first.
    pub fn places(&self) -> impl Iterator<Item = usize> + Clone {
        let places = self.pieces.iter().enumerate();
        places.filter_map(|(object, piece)| (piece.place == object).then_some(object))
    }

    /// The objects of the piece at a place, in file order; none if no piece is left there.
    pub fn objects(&self, place: usize) -> impl Iterator<Item = usize> {
        let objects = self.pieces.iter().enumerate();
        objects.filter_map(move |(object, piece)| (piece.place == place).then_some(object))
    }

    /// The smallest ball around the prims of the piece at a place, or `None` if none is left there.
    #[must_use]
    pub fn sphere(&self, place: usize) -> Option<Ball<f64>> {
        self.standing(place)
    }

    /// Every two of the pieces that are left, and by how much they missed each other.
    pub fn misses(&self) -> impl Iterator<Item = Pair> {
        self.places().flat_map(move |a| {
            let later = self.places().filter(move |&b| b > a);
            later.filter_map(move |b| {
                let fit = Fit::of(&self.standing(a)?, &self.standing(b)?);
                Some(Pair { a, b, round: self.rounds, fit })
            })
        })
    }

    /// The number of objects.
    pub(super) fn count(&self) -> usize {
        self.pieces.len()
    }

    /// The prims of some objects.
    pub(super) fn prims_of(
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

    /// The objects of the piece at a place, in the order of the ring.
    fn ring(&self, place: usize) -> impl Iterator<Item = usize> + Clone {
        core::iter::successors(Some(place), move |&object| {
            let next = self.pieces.get(object)?.next;
            (next != place).then_some(next)
        })
    }

    /// The ball of a piece and what holds it, from which the search can go on. Weights are not kept.
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

    /// Keeps what was found for the piece at a place.
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
