//! What is assumed of a prim that is no mesh, where only its kind of shape is known.
//!
//! No document gives the triangles of a prim or the corners of its hull; both follow from how
//! finely viewers cut round shapes. All of it is [estimated](super::Provenance::Estimated).

use super::PrimKind;
use super::physics::{Body, Hull, Shapes};
use super::streaming::Lods;
use crate::error::Error;
use crate::real::Real;

/// How many sides a circle has, by LOD. Today's viewers: six, times 1, 1.5, 2.5 and 4.
const CIRCLE: Lods<i32> = Lods { lowest: 6, low: 9, medium: 15, high: 24 };
/// How many quads a sculpted prim has along each side, by LOD. Today's viewers.
const SCULPT: Lods<i32> = Lods { lowest: 6, low: 8, medium: 16, high: 32 };

/// The kinds of shape that a prim without a mesh may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Solid {
    /// A square along a straight path.
    Box,
    /// A circle along a straight path.
    Cylinder,
    /// Half a circle along a circle.
    Sphere,
    /// Anything else; taken for a torus, the heaviest of them.
    Other,
    /// Shaped by a sculpt map.
    Sculpt,
}

/// A prim without a mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Primitive {
    /// The kind of its shape.
    pub solid: Solid,
    /// Whether it is cut, hollow, twisted or the like: then it counts twice the triangles, and its
    /// collisions are no longer those of a simple shape.
    pub altered: bool,
}

impl Primitive {
    /// What it is capped as.
    #[must_use]
    pub const fn kind(self) -> PrimKind {
        match self.solid {
            Solid::Sculpt => PrimKind::Sculpted,
            Solid::Box | Solid::Cylinder | Solid::Sphere | Solid::Other => PrimKind::Plain,
        }
    }

    /// The triangles of each LOD, estimated.
    ///
    /// # Formula
    /// With n the sides of a circle, 12 for a box, 4n for a cylinder, n² for a sphere, 2n² for
    /// others; 2s² for a sculpted prim of s quads a side.
    ///
    /// # Examples
    /// ```
    /// use lodger_core::cost::prims::{Primitive, Solid};
    ///
    /// let cylinder = Primitive { solid: Solid::Cylinder, altered: false };
    /// assert_eq!(cylinder.triangles().high, 96);
    /// ```
    #[must_use]
    pub fn triangles(self) -> Lods<i32> {
        let times = if self.altered { 2 } else { 1 };
        let triangles = match self.solid {
            Solid::Box => CIRCLE.map(|_| 12),
            Solid::Cylinder => CIRCLE.map(|n| n.wrapping_mul(4)),
            Solid::Sphere => CIRCLE.map(|n| n.wrapping_mul(n)),
            Solid::Other => CIRCLE.map(|n| n.wrapping_mul(n).wrapping_mul(2)),
            Solid::Sculpt => SCULPT.map(|s| s.wrapping_mul(s).wrapping_mul(2)),
        };
        triangles.map(|count| count.wrapping_mul(times))
    }

    /// The bytes of each LOD if it were a mesh: viewers take 10 for a triangle, so that the
    /// discount makes simple shapes all but free.
    ///
    /// # Examples
    /// ```
    /// use lodger_core::cost::prims::{Primitive, Solid};
    /// use lodger_core::cost::streaming::{Rules, Streaming, capped};
    ///
    /// let viewer = Streaming::<f64>::new(Rules::VIEWER)?;
    /// let cost = |solid| {
    ///     let prim = Primitive { solid, altered: false };
    ///     capped(prim.kind(), viewer.cost(0.866, prim.bytes()))
    /// };
    /// assert!((cost(Solid::Box) - 0.06).abs() < 1e-9);
    /// assert_eq!(cost(Solid::Other), 1.0);
    /// # Ok::<(), lodger_core::Error>(())
    /// ```
    #[must_use]
    pub fn bytes(self) -> Lods<i32> {
        const PER_TRIANGLE: i32 = 10;
        self.triangles().map(|count| count.wrapping_mul(PER_TRIANGLE))
    }

    /// What it offers the physics engine: a simple shape, or the hull around the corners of its
    /// lowest LOD.
    ///
    /// # Errors
    /// None that could happen: no such hull has more corners than a hull may have.
    ///
    /// # Examples
    /// ```
    /// use lodger_core::cost::physics::{Motion, ShapeType};
    /// use lodger_core::cost::prims::{Primitive, Solid};
    ///
    /// let cost = |altered| {
    ///     let body = Primitive { solid: Solid::Box, altered }.body::<f64>()?;
    ///     Ok::<_, lodger_core::Error>(body.cost(ShapeType::ConvexHull, Motion::AT_REST).cost)
    /// };
    /// assert_eq!(cost(false)?, 0.1);
    /// assert_eq!(cost(true)?, 0.36);
    /// # Ok::<(), lodger_core::Error>(())
    /// ```
    pub fn body<N: Real>(self) -> Result<Body<N>, Error> {
        let vertices = match (self.solid, self.altered) {
            (Solid::Box | Solid::Cylinder | Solid::Sphere, false) => return Ok(Body::Simple),
            (Solid::Box, true) => 8,
            (Solid::Cylinder, true) => 12,
            // Two poles, and two rings between them.
            (Solid::Sphere, true) => 14,
            (Solid::Other | Solid::Sculpt, _) => 36,
        };
        let hull = Hull::new(vertices)?;
        Ok(Body::Prim(Shapes { hull, decomposition: None, mesh: None, cost_data: None }))
    }
}
