//! The rule since December 2010: one ball around all centres, and a limit of prims.

use super::ball::Ball;
use super::enclosing_ball::enclosing;
use super::{LinkError, LinkPrim, bounding_spheres};
use crate::linkability::enclosing_ball::EnclosingBall;
use crate::real::Real;

/// The limits of size and number of linked prims.
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
    /// The diameter in metres that the smallest ball around all centres must stay below.
    pub diameter_below: f64,
    /// The limit that the number of prims must stay below.
    pub prims_below: usize,
}

impl SphereRule {
    /// D < 54 and N < 256, as written (Linkability rules, New linkability rule).
    pub const DOCUMENT: Self = Self { diameter_below: 54.0, prims_below: 256 };
    /// The rule of today's viewers, which accept 256 prims.
    pub const VIEWER: Self = Self { prims_below: 257, ..Self::DOCUMENT };

    /// Checks whether all prims of the objects can form one object.
    ///
    /// # Formula
    /// D < 54 m and N < 256, D the diameter of the *smallest* ball around the centres.
    ///
    /// # Source
    /// Linkability rules, New linkability rule.
    ///
    /// # Range and accuracy
    /// The diameter is computed by [`enclosing_ball`](super::enclosing_ball); the comparisons are
    /// strict and without tolerance.
    ///
    /// # Errors
    /// The errors of [`LinkPrim::bounding_sphere`], and an error for no prim at all. A single object
    /// without prims is allowed.
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
    /// The smallest ball around the centres; its support indexes the prims of all objects in order.
    pub enclosing: EnclosingBall,
}
