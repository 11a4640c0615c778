//! Second Life's two rules for linking prims into one object.
//!
//! The [`SphereRule`], in use since 2010, limits the smallest ball around all centres, and the number of prims. The earlier
//! span rule, [`link`], joins pieces pair by pair: the ball around both must not be much larger than the two. Rotation,
//! cuts and hollows do not count.
//!
//! # Important terms
//!
//! - **object**: one or more prims that are linked already; the first object is the root
//! - **bounding sphere** of a prim: the smallest around its box
//! - **piece**: objects that the span rule has linked; its *place* is the index of the object that the others joined
//! - **span**: from the far side of one sphere to the far side of the other
//!
//! Lengths are `f64` internally, see [`enclosing_ball`].
//!
//! Source: Second Life wiki, linkability rules.
//!
//! # Examples
//! ```
//! use lodger_core::linkability::{link, Ball, LinkedPiece, LinkPrim, SphereRule, LinkScratch};
//!
//! let cube = |position| [LinkPrim { position, scale: [10.0_f32; 3] }];
//! let objects = [cube([-18.0, 0.0, 0.0]), cube([18.0, 0.0, 0.0]), cube([0.0, 18.0, 0.0])];
//! assert!(SphereRule::DOCUMENT.check(&objects)?.linkable);
//!
//! let (mut spheres, mut pieces) = ([Ball::default(); 3], [LinkedPiece::default(); 3]);
//! let scratch = LinkScratch { spheres: &mut spheres, pieces: &mut pieces };
//! assert!(link(&objects, scratch)?.linkable());
//! # Ok::<(), lodger_core::linkability::LinkError>(())
//! ```

mod ball;
mod better_order;
mod enclosing_ball;
mod link;
mod span;
mod support;

use core::fmt;

pub use ball::Ball;
pub use better_order::BetterOrder;
pub use enclosing_ball::{EnclosingBall, Support, enclosing_ball, enclosing_ball_of_points};
pub use link::{LinkResult, LinkScratch, LinkedPiece, Pair, link};
pub use span::{Fit, bounding_radius, max_center_distance, max_link_span};

use enclosing_ball::enclosing;

use crate::error::{Quantity, ValueError, ValueProblem};
use crate::real::Real;

/// A prim's position and scale, unchecked.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct LinkPrim<N> {
    /// The centre in metres.
    pub position: [N; 3],
    /// The sides in metres, before cuts, hollows and the like.
    pub scale: [N; 3],
}

impl<N: Real> LinkPrim<N> {
    /// Returns the bounding sphere; sides over 10 m count as 10 m.
    ///
    /// # Errors
    /// [`ValueProblem::NotFinite`], [`ValueProblem::Negative`] (scale) and [`ValueProblem::TooLarge`] (above 10¹⁰⁰ m).
    pub fn bounding_sphere(&self) -> Result<Ball<f64>, ValueError> {
        let center = Ball::point(self.position)?.to_f64().center();
        Ball::new(center, bounding_radius(self.scale)?)
    }
}

/// An error, with its object and prim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct LinkError {
    /// The object's index; `None` if the error is about all objects.
    pub object: Option<usize>,
    /// The prim's index in its object; `None` if the error is about the object.
    pub prim: Option<usize>,
    /// About [`Quantity::Position`] or [`Quantity::Scale`] of a prim, or [`Quantity::Prims`].
    pub error: ValueError,
}

impl LinkError {
    const fn without_prims(object: Option<usize>) -> Self {
        Self { object, prim: None, error: ValueError::new(Quantity::Prims, ValueProblem::Missing) }
    }
}

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(object) = self.object {
            write!(f, "object {object}: ")?;
        }
        if let Some(prim) = self.prim {
            write!(f, "prim {prim}: ")?;
        }
        self.error.fmt(f)
    }
}

impl core::error::Error for LinkError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        Some(&self.error)
    }
}

fn bounding_spheres<N: Real>(
    object: usize,
    prims: &[LinkPrim<N>],
) -> impl Iterator<Item = Result<Ball<f64>, LinkError>> {
    prims.iter().enumerate().map(move |(prim, value)| {
        value.bounding_sphere().map_err(|error| LinkError {
            object: Some(object),
            prim: Some(prim),
            error,
        })
    })
}

/// Limits of the size and number of linked prims.
///
/// # Examples
/// ```
/// use lodger_core::linkability::{LinkPrim, SphereRule};
///
/// // The centres count, not the prims: these are 40 m apart and reach 50 m.
/// let prim = |x| [LinkPrim { position: [x, 0.0, 0.0], scale: [10.0_f32; 3] }];
/// let answer = SphereRule::DOCUMENT.check(&[prim(0.0), prim(40.0)])?;
/// assert!(answer.linkable);
/// assert_eq!(answer.enclosing.diameter(), 40.0);
/// // The limit itself is excluded.
/// assert!(!SphereRule::DOCUMENT.check(&[prim(0.0), prim(54.0)])?.linkable);
/// # Ok::<(), lodger_core::linkability::LinkError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct SphereRule {
    /// The limit in metres that the diameter of the smallest ball around all centres must stay below.
    pub diameter_below: f64,
    /// The limit that the number of prims must stay below.
    pub prims_below: usize,
}

impl SphereRule {
    /// D < 54 and N < 256 (Linkability rules, New linkability rule).
    pub const DOCUMENT: Self = Self { diameter_below: 54.0, prims_below: 256 };
    /// Today's viewers accept 256 prims.
    pub const VIEWER: Self = Self { prims_below: 257, ..Self::DOCUMENT };

    /// Checks whether all prims can form one object.
    ///
    /// # Formula
    /// D < 54 m and N < 256, D the diameter of the *smallest* ball around the centres.
    ///
    /// # Source
    /// Linkability rules, New linkability rule.
    ///
    /// # Range and accuracy
    /// The diameter is [`enclosing_ball`](enclosing_ball())'s; comparisons are strict and without tolerance.
    ///
    /// # Errors
    /// The errors of [`LinkPrim::bounding_sphere`], and an error for no prim at all. A single object without prims is
    /// allowed.
    pub fn check<N: Real, O: AsRef<[LinkPrim<N>]>>(
        &self,
        objects: &[O],
    ) -> Result<SphereAnswer, LinkError> {
        let mut prims = 0_usize;
        for (index, object) in objects.iter().enumerate() {
            for sphere in bounding_spheres(index, object.as_ref()) {
                sphere?;
                prims = prims.wrapping_add(1);
            }
        }
        let all = objects.iter().flat_map(AsRef::as_ref);
        let centers = all.map(|prim| Ball::made(prim.position.map(Real::to_f64), 0.0));
        let enclosing = enclosing(centers).map_err(|_| LinkError::without_prims(None))?;
        let fits = enclosing.diameter() < self.diameter_below;
        Ok(SphereAnswer { linkable: fits && prims < self.prims_below, prims, enclosing })
    }
}

/// The result of the sphere rule.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct SphereAnswer {
    /// Whether the prims can be one object.
    pub linkable: bool,
    /// The number of prims.
    pub prims: usize,
    /// The smallest ball around the centres; its support indexes all prims in order.
    pub enclosing: EnclosingBall,
}
