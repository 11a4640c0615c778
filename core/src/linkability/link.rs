//! The span rule: pieces that link pair by pair, in a fixed order.

use super::ball::Ball;
use super::linked::Linked;
use super::span::Fit;
use super::{LinkError, Prim, bounding_spheres};
use crate::error::{Error, Problem, Quantity};
use crate::real::Real;

/// Two pieces that were tested against each other.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
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

/// What [`link`] works in; what is in it before does not matter.
#[derive(Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Workspace<'a> {
    /// At least as many as there are prims.
    pub spheres: &'a mut [Ball<f64>],
    /// At least as many as there are objects.
    pub pieces: &'a mut [Piece],
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

/// Links objects by the span rule, the first being the root.
///
/// # Formula
/// A and B link iff |cA − cB| + rA + rB <= min(3·(rA + rB) + 2, 54). The sphere of a piece is the
/// smallest around the bounding spheres of all its prims.
///
/// The root is tested against each candidate once, in order, its sphere recomputed after each link;
/// then the pieces left are tested among themselves, i < j, a merged piece keeping i's place and
/// going on with its new sphere; then the root again, until a full round links nothing. As the root
/// is the first piece, such a round is one sweep over all i < j.
///
/// # Source
/// Linkability rules, Linkability algorithm. The overview there speaks of boxes, the algorithm of
/// spheres: the algorithm counts. "The final subset of linkable parts is NOT affected by the order"
/// is not so, see [`Linked::better_order`].
///
/// # Range and accuracy
/// Spheres are those of [`enclosing_ball`](super::enclosing_ball); the test has no tolerance.
///
/// # Errors
/// A prim's position or scale that [`Prim::bounding_sphere`] refuses; [`Quantity::Prims`] with
/// [`Problem::Missing`] for an object without prims or no objects at all, and with
/// [`Problem::TooLarge`] for the first prim or object that the workspace has no room for.
///
/// # Examples
/// ```
/// use lodger_core::linkability::{link, Ball, Piece, Prim, Workspace};
///
/// let cube = |position| [Prim { position, scale: [10.0_f64; 3] }];
/// let (a, b, c) = (cube([-18.0, 0.0, 0.0]), cube([18.0, 0.0, 0.0]), cube([0.0, 18.0, 0.0]));
/// let (mut spheres, mut pieces) = ([Ball::default(); 3], [Piece::default(); 3]);
///
/// let workspace = Workspace { spheres: &mut spheres, pieces: &mut pieces };
/// let linked = link(&[a, b, c], workspace)?;
/// assert!(linked.linkable());
/// let diameter = linked.sphere(0).map(|sphere| 2.0 * sphere.radius());
/// assert_eq!(diameter.map(|metres| (metres * 100.0).round() / 100.0), Some(53.32));
///
/// let workspace = Workspace { spheres: &mut spheres, pieces: &mut pieces };
/// let linked = link(&[a, c, b], workspace)?;
/// assert!(!linked.linkable());
/// let missed: Vec<_> = linked.misses().map(|miss| (miss.a, miss.b)).collect();
/// assert_eq!(missed, [(0, 2)]);
/// # Ok::<(), lodger_core::linkability::LinkError>(())
/// ```
pub fn link<'a, N: Real, O: AsRef<[Prim<N>]>>(
    objects: &[O],
    workspace: Workspace<'a>,
) -> Result<Linked<'a>, LinkError> {
    let Workspace { spheres, pieces } = workspace;
    let pieces = prepare(objects, spheres, pieces)?;
    let mut linked = Linked::apart(spheres, pieces);
    linked.rounds = link_all(&mut linked, objects.len());
    Ok(linked)
}

/// Fills in every prim's bounding sphere and makes every object a piece of its own, without a ball.
fn prepare<'a, N: Real, O: AsRef<[Prim<N>]>>(
    objects: &[O],
    spheres: &mut [Ball<f64>],
    pieces: &'a mut [Piece],
) -> Result<&'a mut [Piece], LinkError> {
    let no_room = |object, prim| LinkError {
        object: Some(object),
        prim,
        error: Error::new(Quantity::Prims, Problem::TooLarge),
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
        *piece = Piece { start, end, next: place, place, ..Piece::default() };
    }
    Ok(pieces)
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
