//! The span rule over objects in the caller's memory.

use super::ball::Ball;
use super::linked::Linked;
use super::pieces::{Piece, link_all};
use super::{LinkError, Prim, bounding_spheres};
use crate::error::{Error, Problem, Quantity};
use crate::real::Real;

/// What [`link`] works in; what is in it before does not matter.
#[derive(Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Workspace<'a> {
    /// At least as many as there are prims.
    pub spheres: &'a mut [Ball<f64>],
    /// At least as many as there are objects.
    pub pieces: &'a mut [Piece],
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
