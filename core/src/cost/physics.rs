//! Physics resource cost: the simulator's cost of collision shapes.
//!
//! A prim's [`CollisionBody`], [`ShapeType`] and [`Motion`] select the [`Representation`], which determines the cost.
//! Costs of hulls are [estimated](Provenance::Estimated) unless the asset contains the grid's numbers: the image of the
//! document's formula is lost, and its terms come from an independent simulator.
//!
//! Source: mesh physics document.

mod shapes;
mod triangles;

pub use shapes::{CollisionBody, ConvexDecomposition, ConvexHull, CostData, PhysicsShapes};
pub use triangles::{TriangleMesh, triangle_width};

use super::{ObjectScale, Provenance};
use crate::keyword::keywords;
use crate::real::{Real, Square};

/// The shortest side in metres from which a mesh without decomposition collides as a mesh, else as its hull, with shape
/// type `Prim`. Undocumented behaviour of grids.
pub const SMALLEST_MESH_SIDE: f64 = 0.5;

/// A creator's choice of a prim's physics shape.
///
/// # Examples
/// ```
/// use lodger_core::cost::physics::ShapeType;
///
/// assert_eq!("convex-hull".parse(), Ok(ShapeType::ConvexHull));
/// assert_eq!(ShapeType::default().to_string(), "convex-hull");
/// assert!("hull".parse::<ShapeType>().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum ShapeType {
    /// The prim's own or the asset's physics shape.
    Prim,
    /// One hull around the prim; the default of a mesh.
    #[default]
    ConvexHull,
    /// No shape: objects pass through.
    None,
}

keywords!(ShapeType { Prim => "prim", ConvexHull => "convex-hull", None => "none" });

/// The physics engine's shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Representation {
    /// No shape.
    None,
    /// A box, a sphere or a cylinder.
    Prim,
    /// One convex hull.
    Hull,
    /// Several convex hulls.
    Decomposition,
    /// Triangles.
    Mesh,
}

keywords!(Representation {
    None => "none",
    Prim => "prim",
    Hull => "hull",
    Decomposition => "decomposition",
    Mesh => "mesh",
});

/// Whether the physics engine treats a prim as moving.
///
/// # Examples
/// ```
/// # use lodger_core::cost::physics::Motion;
/// assert_eq!(Motion::Still { frames: 3 }.after_frame(false), Motion::Still { frames: 4 });
/// assert_eq!(Motion::AT_REST.after_frame(true), Motion::Still { frames: 0 });
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Motion {
    /// The prim is physical.
    Physical,
    /// The prim is not physical.
    Still {
        /// Frames since its last movement.
        frames: u32,
    },
}

impl Motion {
    /// A prim that is not physical and has not moved for a long time.
    pub const AT_REST: Self = Self::Still { frames: u32::MAX };

    /// Returns the state after a frame.
    #[must_use]
    pub const fn after_frame(self, moved: bool) -> Self {
        match self {
            Self::Physical => Self::Physical,
            Self::Still { .. } if moved => Self::Still { frames: 0 },
            Self::Still { frames } => Self::Still { frames: frames.saturating_add(1) },
        }
    }

    /// Whether the prim is physical, or moved in the last five frames (the document's "several frames": physics
    /// representation, exceptions).
    ///
    /// # Examples
    /// ```
    /// use lodger_core::cost::physics::Motion;
    ///
    /// let mut motion = Motion::AT_REST.after_frame(true);
    /// for _ in 0..5 {
    ///     assert!(motion.is_dynamic());
    ///     motion = motion.after_frame(false);
    /// }
    /// assert!(!motion.is_dynamic());
    /// ```
    #[must_use]
    pub const fn is_dynamic(self) -> bool {
        const FRAMES_AT_REST: u32 = 5;
        match self {
            Self::Physical => true,
            Self::Still { frames } => frames < FRAMES_AT_REST,
        }
    }
}

/// A prim's physics cost.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct PhysicsCost<N> {
    /// The cost before any penalty.
    pub cost: N,
    /// The physics engine's shape.
    pub representation: Representation,
    /// The cost's reliability.
    pub provenance: Provenance,
}

/// Sums the costs of a linkset's prims.
///
/// # Source
/// Mesh physics document, physics resource cost, example of the ten boxes.
///
/// # Examples
/// ```
/// use lodger_core::cost::physics::{CollisionBody, Motion, ShapeType, linkset};
///
/// // Ten boxes, one of them of type Convex ConvexHull: 1 prim equivalent.
/// let cost = |shape| CollisionBody::<f64>::Simple.cost(shape, Motion::AT_REST).cost;
/// let prims = [ShapeType::Prim; 9].into_iter().chain([ShapeType::ConvexHull]);
/// assert!((linkset(prims.map(cost)) - 1.0).abs() < 1e-12);
/// ```
pub fn linkset<N: Real>(prims: impl IntoIterator<Item = N>) -> N {
    let sum = |sum, cost: N| if cost > N::ZERO { sum + cost.widen() } else { sum };
    N::narrow(prims.into_iter().fold(N::Square::default(), sum))
}

/// Computes the cost of a physical linkset.
///
/// # Formula
/// base cost × (1 + 0.04·A), A the mean area in square metres of the faces of the linkset's axis-aligned box.
///
/// # Source
/// Mesh physics document, formula, notes.
///
/// # Range and accuracy
/// `f32`: relative 10⁻⁶; [`Fixed`](crate::Fixed): 2⁻¹⁶, saturating at 32 768.
///
/// # Examples
/// ```
/// use lodger_core::cost::{ObjectScale, physics::penalised};
/// use lodger_core::Real;
///
/// // 3 m × 4 m × 5 m: faces of 12, 20 and 15 m². The document rounds their mean, 15.667, to 15.7
/// // on the way and so arrives at 1.628 instead of 1.6267.
/// let linkset = ObjectScale::new([3.0_f64, 4.0, 5.0])?;
/// assert!((linkset.mean_face_area() - 15.667).abs() < 5e-4);
/// assert!((penalised(1.0, linkset) - 1.6267).abs() < 5e-5);
/// // The duck: 13 × (1 + 0.04 × 100).
/// assert_eq!(penalised(13.0, ObjectScale::new([10.0_f64; 3])?), 65.0);
/// # Ok::<(), lodger_core::ValueError>(())
/// ```
pub fn penalised<N: Real>(base_cost: N, linkset: ObjectScale<N>) -> N {
    const PER_SQUARE_METRE: f64 = 0.04;
    let penalty = linkset.mean_face_area() * N::Square::from_f64(PER_SQUARE_METRE);
    if base_cost > N::ZERO {
        N::narrow(base_cost.widen() * (N::ONE.widen() + penalty))
    } else {
        N::ZERO
    }
}

/// Whether a linkset of that cost *without* penalty may be physical: up to 32.0.
///
/// The document says "exceeding 32.0" and "< 32.0"; the grid's help agrees with the first.
///
/// # Source
/// Mesh physics document, physics representation, notes.
///
/// # Examples
/// ```
/// use lodger_core::cost::physics::may_be_physical;
///
/// assert!(may_be_physical(32.0_f32));
/// assert!(!may_be_physical(32.1_f32));
/// ```
pub fn may_be_physical<N: Real>(base_cost: N) -> bool {
    const MOST: i32 = 32;
    base_cost <= N::narrow(N::Square::from_i32(MOST))
}
