//! Estimated triangles and hulls of a prim without a mesh, by its kind of shape.
//!
//! No document gives them; they follow from the tessellation of viewers. All are [estimated](Provenance::Estimated), or
//! [unknown](Provenance::Unknown) for a shape without a name.

use super::physics::{CollisionBody, ConvexHull, PhysicsShapes};
use super::streaming::PerLod;
use super::{PrimKind, Provenance};
use crate::error::ValueError;
use crate::keyword::keywords;
use crate::real::Real;

/// Sides of a circle. Today's viewers: six, times 1, 1.5, 2.5 and 4.
const CIRCLE: PerLod<i32> = PerLod { lowest: 6, low: 9, medium: 15, high: 24 };
/// Quads along each side of a sculpted prim. Today's viewers.
const SCULPT: PerLod<i32> = PerLod { lowest: 6, low: 8, medium: 16, high: 32 };

/// The kind of a prim without a mesh: a profile drawn along a path.
///
/// # Source
/// Today's viewers, the names in their build tools.
///
/// # Examples
/// ```
/// use lodger_core::cost::prims::SolidKind;
///
/// assert_eq!("tube".parse(), Ok(SolidKind::Tube));
/// assert_eq!(SolidKind::Other.to_string(), "unknown");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum SolidKind {
    /// A square along a straight path.
    Box,
    /// A circle along a straight path.
    Cylinder,
    /// A triangle along a straight path.
    Prism,
    /// Half a circle along a circle.
    Sphere,
    /// A circle along a circle.
    Torus,
    /// A square along a circle.
    Tube,
    /// A triangle along a circle.
    Ring,
    /// Any other combination, with the numbers of a torus, the most expensive kind.
    Other,
    /// Shaped by a sculpt map.
    Sculpt,
}

keywords!(SolidKind {
    Box => "box",
    Cylinder => "cylinder",
    Prism => "prism",
    Sphere => "sphere",
    Torus => "torus",
    Tube => "tube",
    Ring => "ring",
    Other => "unknown",
    Sculpt => "sculpt",
});

/// A prim without a mesh.
///
/// # Examples
/// ```
/// # use lodger_core::cost::prims::{SolidKind, SolidPrim};
/// let cut_box = SolidPrim { solid: SolidKind::Box, altered: true };
/// assert_eq!(cut_box.triangles().high, 24);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct SolidPrim {
    /// The kind of shape.
    pub solid: SolidKind,
    /// Whether it is cut, hollow, twisted or the like: it has twice the triangles and is no simple shape for collisions.
    pub altered: bool,
}

impl SolidPrim {
    /// Returns the kind that determines the cap of its cost.
    #[must_use]
    pub const fn kind(self) -> PrimKind {
        match self.solid {
            SolidKind::Sculpt => PrimKind::Sculpted,
            _ => PrimKind::Plain,
        }
    }

    /// Returns the numbers' reliability: estimated, or unknown for [`SolidKind::Other`].
    ///
    /// # Examples
    /// ```
    /// use lodger_core::cost::Provenance;
    /// use lodger_core::cost::prims::{SolidPrim, SolidKind};
    ///
    /// let provenance = |solid| SolidPrim { solid, altered: false }.provenance();
    /// assert_eq!(provenance(SolidKind::Torus), Provenance::Estimated);
    /// assert_eq!(provenance(SolidKind::Other), Provenance::Unknown);
    /// ```
    #[must_use]
    pub const fn provenance(self) -> Provenance {
        match self.solid {
            SolidKind::Other => Provenance::Unknown,
            _ => Provenance::Estimated,
        }
    }

    /// Returns the triangles of each LOD; see [`provenance`](Self::provenance).
    ///
    /// # Formula
    /// n sides of a circle; straight path: 12 for a box, 8 for a prism, 4n for a cylinder; circular path of n steps: 8n
    /// for a tube, 6n for a ring, 2n² for a torus, n² for a sphere; 2s² for a sculpted prim of s quads a side. Altered:
    /// twice as many.
    ///
    /// # Source
    /// Today's viewers, constants of drawing.
    ///
    /// # Examples
    /// ```
    /// use lodger_core::cost::prims::{SolidPrim, SolidKind};
    ///
    /// let highest = |solid| SolidPrim { solid, altered: false }.triangles().high;
    /// assert_eq!(highest(SolidKind::Cylinder), 96);
    /// assert_eq!(highest(SolidKind::Prism), 8);
    /// assert_eq!((highest(SolidKind::Tube), highest(SolidKind::Ring)), (192, 144));
    /// ```
    #[must_use]
    pub fn triangles(self) -> PerLod<i32> {
        let times = if self.altered { 2 } else { 1 };
        let triangles = match self.solid {
            SolidKind::Box => CIRCLE.map(|_| 12),
            SolidKind::Cylinder => CIRCLE.map(|n| n.wrapping_mul(4)),
            SolidKind::Prism => CIRCLE.map(|_| 8),
            SolidKind::Sphere => CIRCLE.map(|n| n.wrapping_mul(n)),
            SolidKind::Tube => CIRCLE.map(|n| n.wrapping_mul(8)),
            SolidKind::Ring => CIRCLE.map(|n| n.wrapping_mul(6)),
            SolidKind::Torus | SolidKind::Other => {
                CIRCLE.map(|n| n.wrapping_mul(n).wrapping_mul(2))
            }
            SolidKind::Sculpt => SCULPT.map(|s| s.wrapping_mul(s).wrapping_mul(2)),
        };
        triangles.map(|count| count.wrapping_mul(times))
    }

    /// Returns the equivalent bytes of each LOD: 10 for a triangle, as in viewers. The discount makes simple shapes
    /// nearly free.
    ///
    /// # Examples
    /// ```
    /// use lodger_core::cost::prims::{SolidPrim, SolidKind};
    /// use lodger_core::cost::streaming::{StreamingRules, StreamingModel, capped};
    ///
    /// let viewer = StreamingModel::<f64>::new(StreamingRules::VIEWER)?;
    /// let cost = |solid| {
    ///     let prim = SolidPrim { solid, altered: false };
    ///     capped(prim.kind(), viewer.cost(0.866, prim.bytes()))
    /// };
    /// assert!((cost(SolidKind::Box) - 0.06).abs() < 1e-9);
    /// assert_eq!(cost(SolidKind::Torus), 1.0);
    /// # Ok::<(), lodger_core::ValueError>(())
    /// ```
    #[must_use]
    pub fn bytes(self) -> PerLod<i32> {
        const PER_TRIANGLE: i32 = 10;
        self.triangles().map(|count| count.wrapping_mul(PER_TRIANGLE))
    }

    /// Returns the collision geometry: simple for an unaltered box, cylinder or sphere, else the hull around the
    /// corners of the lowest LOD.
    ///
    /// # Formula
    /// Corners of the hull: box 8, prism 6, cylinder 12, sphere 14, tube 24, ring 18, torus 36; sculpted prim and shape
    /// without a name 36.
    ///
    /// # Source
    /// Simple shapes: mesh physics document, formula, notes.
    ///
    /// # Errors
    /// None in practice: these hulls have fewer corners than the limit.
    ///
    /// # Examples
    /// ```
    /// use lodger_core::cost::physics::{Motion, ShapeType};
    /// use lodger_core::cost::prims::{SolidPrim, SolidKind};
    ///
    /// let cost = |altered| {
    ///     let body = SolidPrim { solid: SolidKind::Box, altered }.body::<f64>()?;
    ///     Ok::<_, lodger_core::ValueError>(body.cost(ShapeType::ConvexHull, Motion::AT_REST).cost)
    /// };
    /// assert_eq!(cost(false)?, 0.1);
    /// assert_eq!(cost(true)?, 0.36);
    /// # Ok::<(), lodger_core::ValueError>(())
    /// ```
    pub fn body<N: Real>(self) -> Result<CollisionBody<N>, ValueError> {
        let vertices = match (self.solid, self.altered) {
            (SolidKind::Box | SolidKind::Cylinder | SolidKind::Sphere, false) => {
                return Ok(CollisionBody::Simple);
            }
            (SolidKind::Prism, _) => 6,
            (SolidKind::Box, true) => 8,
            (SolidKind::Cylinder, true) => 12,
            // Two poles, and two rings between them.
            (SolidKind::Sphere, true) => 14,
            (SolidKind::Ring, _) => 18,
            (SolidKind::Tube, _) => 24,
            (SolidKind::Torus | SolidKind::Other | SolidKind::Sculpt, _) => 36,
        };
        let hull = ConvexHull::new(vertices)?;
        if self.solid == SolidKind::Other {
            return Ok(CollisionBody::Unknown(hull));
        }
        Ok(CollisionBody::Prim(PhysicsShapes {
            hull,
            decomposition: None,
            mesh: None,
            cost_data: None,
        }))
    }
}
