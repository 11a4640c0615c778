//! Hulls, decompositions and a prim's physics shape.

use super::{Motion, PhysicsCost, Representation, SMALLEST_MESH_SIDE, ShapeType, TriangleMesh};
use crate::cost::{Provenance, wide};
use crate::error::{Quantity, ValueError, ValueProblem};
use crate::real::{Real, Square};

fn per_vertex<N: Real>(vertices_and_hulls: u32) -> N {
    N::narrow(wide::<N>(vertices_and_hulls) / N::Square::from_i32(25))
}

/// The convex hull around a prim.
///
/// # Examples
/// ```
/// use lodger_core::cost::physics::ConvexHull;
///
/// assert_eq!(ConvexHull::new(24)?.cost::<f32>(), 1.0);
/// assert_eq!(ConvexHull::new(24)?.vertices(), 24);
/// assert!(ConvexHull::new(257).is_err());
/// # Ok::<(), lodger_core::ValueError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ConvexHull {
    vertices: u16,
}

impl ConvexHull {
    /// The most vertices of a hull. Mesh physics document, mesh assets.
    pub const MAX_VERTICES: u16 = 256;

    /// Makes a hull of 1 to 256 vertices.
    ///
    /// # Errors
    /// [`ValueProblem::NotPositive`] or [`ValueProblem::TooLarge`].
    pub fn new(vertices: u16) -> Result<Self, ValueError> {
        match vertices {
            0 => Err(ValueError::new(Quantity::Vertices, ValueProblem::NotPositive)),
            1..=Self::MAX_VERTICES => Ok(Self { vertices }),
            _ => Err(ValueError::new(Quantity::Vertices, ValueProblem::TooLarge)),
        }
    }

    /// Returns the number of vertices.
    #[must_use]
    pub const fn vertices(self) -> u16 {
        self.vertices
    }

    /// Returns 0.04 × (vertices + 1), [estimated](super).
    #[must_use]
    pub fn cost<N: Real>(self) -> N {
        per_vertex(u32::from(self.vertices).wrapping_add(1))
    }
}

/// A decomposition into convex hulls.
///
/// # Examples
/// ```
/// use lodger_core::cost::physics::ConvexDecomposition;
///
/// // The document's duck costs 13, for example as a decomposition of 300 vertices in 25 hulls.
/// let duck = ConvexDecomposition::new([12; 25])?;
/// assert_eq!((duck.vertices(), duck.count()), (300, 25));
/// assert_eq!(duck.cost::<f32>(), 13.0);
/// assert!(ConvexDecomposition::new([8; 257]).is_err());
/// # Ok::<(), lodger_core::ValueError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ConvexDecomposition {
    vertices: u32,
    hulls: u16,
}

impl ConvexDecomposition {
    /// The most hulls of a decomposition. Mesh physics document, mesh assets.
    pub const MOST: u16 = 256;

    /// Makes a decomposition from the vertices of each hull.
    ///
    /// # Errors
    /// The errors of [`ConvexHull::new`]; [`ValueProblem::Missing`] without a hull, [`ValueProblem::TooLarge`] for more
    /// than 256.
    pub fn new(vertices: impl IntoIterator<Item = u16>) -> Result<Self, ValueError> {
        let mut all = Self { vertices: 0, hulls: 0 };
        for vertices in vertices {
            let hull = ConvexHull::new(vertices)?;
            if all.hulls == Self::MOST {
                return Err(ValueError::new(Quantity::Hulls, ValueProblem::TooLarge));
            }
            // At most 256 times 256.
            all.vertices = all.vertices.wrapping_add(hull.vertices.into());
            all.hulls = all.hulls.wrapping_add(1);
        }
        match all.hulls {
            0 => Err(ValueError::new(Quantity::Hulls, ValueProblem::Missing)),
            _ => Ok(all),
        }
    }

    /// Makes a decomposition from its hulls and their total of vertices.
    ///
    /// # Errors
    /// [`ValueProblem::Missing`] for no hulls, [`ValueProblem::TooLarge`] for more than 256; [`ValueProblem::NotPositive`]
    /// for fewer vertices than hulls, [`ValueProblem::TooLarge`] for more than 256 for each hull.
    ///
    /// # Examples
    /// ```
    /// use lodger_core::cost::physics::ConvexDecomposition;
    ///
    /// assert_eq!(ConvexDecomposition::of_totals(25, 300), ConvexDecomposition::new([12; 25]));
    /// assert!(ConvexDecomposition::of_totals(2, 513).is_err() && ConvexDecomposition::of_totals(2, 1).is_err());
    /// ```
    pub fn of_totals(hulls: u16, vertices: u32) -> Result<Self, ValueError> {
        let most = u32::from(hulls).wrapping_mul(ConvexHull::MAX_VERTICES.into());
        match hulls {
            0 => Err(ValueError::new(Quantity::Hulls, ValueProblem::Missing)),
            1..=Self::MOST if vertices < hulls.into() => {
                Err(ValueError::new(Quantity::Vertices, ValueProblem::NotPositive))
            }
            1..=Self::MOST if vertices > most => {
                Err(ValueError::new(Quantity::Vertices, ValueProblem::TooLarge))
            }
            1..=Self::MOST => Ok(Self { vertices, hulls }),
            _ => Err(ValueError::new(Quantity::Hulls, ValueProblem::TooLarge)),
        }
    }

    /// Returns the vertices of all hulls.
    #[must_use]
    pub const fn vertices(self) -> u32 {
        self.vertices
    }

    /// Returns the number of hulls.
    #[must_use]
    pub const fn count(self) -> u16 {
        self.hulls
    }

    /// Returns 0.04 × (vertices + hulls), [estimated](super).
    #[must_use]
    pub fn cost<N: Real>(self) -> N {
        per_vertex(self.vertices.wrapping_add(self.hulls.into()))
    }
}

/// The grid's own costs from an asset's `physics_cost_data`, which take precedence over estimates.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct CostData<N> {
    hull: Option<N>,
    decomposition: Option<N>,
}

impl<N: Real> CostData<N> {
    /// Takes the block's `hull` and `decomposition`, if present.
    ///
    /// # Errors
    /// [`ValueProblem::NotFinite`] or [`ValueProblem::Negative`].
    pub fn new(hull: Option<N>, decomposition: Option<N>) -> Result<Self, ValueError> {
        for cost in [hull, decomposition].into_iter().flatten() {
            cost.not_negative(Quantity::Cost)?;
        }
        Ok(Self { hull, decomposition })
    }
}

/// The collision shapes of a prim that is no simple shape.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct PhysicsShapes<N: Real> {
    /// The hull around the prim; every asset has one.
    pub hull: ConvexHull,
    /// The decomposition, if any.
    pub decomposition: Option<ConvexDecomposition>,
    /// The physics mesh at its current scale, or the prim's own triangles.
    pub mesh: Option<TriangleMesh<N>>,
    /// The grid's own costs, if the asset has them.
    pub cost_data: Option<CostData<N>>,
}

/// A prim's collision geometry.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum CollisionBody<N: Real> {
    /// A box, a sphere or a cylinder.
    Simple,
    /// Any other primitive shape.
    Prim(PhysicsShapes<N>),
    /// A primitive shape of unknown kind, with a substitute hull.
    Unknown(ConvexHull),
    /// A mesh asset.
    Mesh(PhysicsShapes<N>),
}

impl<N: Real> CollisionBody<N> {
    /// Checks whether a shape type may be set.
    ///
    /// # Errors
    /// [`ValueProblem::Missing`] for `Prim` without a decomposition or physics mesh.
    ///
    /// # Source
    /// Mesh physics document, physics representation, notes.
    pub fn check_shape_type(&self, shape: ShapeType) -> Result<(), ValueError> {
        match self {
            Self::Prim(PhysicsShapes { decomposition: None, mesh: None, .. })
            | Self::Mesh(PhysicsShapes { decomposition: None, mesh: None, .. })
            | Self::Unknown(_)
                if shape == ShapeType::Prim =>
            {
                Err(ValueError::new(Quantity::PhysicsShape, ValueProblem::Missing))
            }
            _ => Ok(()),
        }
    }

    /// Returns the physics engine's representation, and its cost before any penalty.
    ///
    /// # Formula
    /// Type `None`: nothing, 0. Box, sphere or cylinder: 0.1. Unknown kind: its substitute hull, of unknown provenance.
    /// `ConvexHull`: the hull. `Prim`: the decomposition if any; else the physics mesh, if any, unless the prim is
    /// [dynamic](Motion::is_dynamic) or a mesh asset with a side below [0.5 m](SMALLEST_MESH_SIDE); else the hull.
    /// Costs: [`ConvexHull::cost`], [`ConvexDecomposition::cost`], [`TriangleMesh::cost`].
    ///
    /// # Source
    /// Mesh physics document, mesh assets and physics resource cost.
    ///
    /// # Range and accuracy
    /// Relative 10⁻⁶ or 2⁻¹⁶; for a mesh, see [`TriangleMesh::cost`].
    ///
    /// # Examples
    /// ```
    /// use lodger_core::cost::Provenance;
    /// use lodger_core::cost::physics::{CollisionBody, CostData, ConvexHull, Motion, Representation, ShapeType, PhysicsShapes};
    ///
    /// let mut shapes =
    ///     PhysicsShapes::<f32> { hull: ConvexHull::new(49)?, decomposition: None, mesh: None, cost_data: None };
    /// let answer = CollisionBody::Mesh(shapes).cost(ShapeType::default(), Motion::AT_REST);
    /// assert_eq!(answer.representation, Representation::Hull);
    /// assert_eq!((answer.cost, answer.provenance), (2.0, Provenance::Estimated));
    ///
    /// shapes.cost_data = Some(CostData::new(Some(1.84), None)?);
    /// let answer = CollisionBody::Mesh(shapes).cost(ShapeType::default(), Motion::AT_REST);
    /// assert_eq!((answer.cost, answer.provenance), (1.84, Provenance::Exact));
    /// // Neither mesh nor decomposition: the type Prim is rejected.
    /// assert!(CollisionBody::Mesh(shapes).check_shape_type(ShapeType::Prim).is_err());
    /// # Ok::<(), lodger_core::ValueError>(())
    /// ```
    pub fn cost(&self, shape: ShapeType, motion: Motion) -> PhysicsCost<N> {
        let documented = |representation, cost| PhysicsCost {
            cost,
            representation,
            provenance: Provenance::Documented,
        };
        let (shapes, is_asset) = match (self, shape) {
            (_, ShapeType::None) => return documented(Representation::None, N::ZERO),
            (Self::Simple, _) => return documented(Representation::Prim, simple()),
            (Self::Unknown(hull), _) => return stand_in(*hull),
            (Self::Prim(shapes) | Self::Mesh(shapes), ShapeType::ConvexHull) => {
                return shapes.as_hull();
            }
            (Self::Prim(shapes), ShapeType::Prim) => (shapes, false),
            (Self::Mesh(shapes), ShapeType::Prim) => (shapes, true),
        };
        match (shapes.decomposition, shapes.mesh) {
            (Some(hulls), _) => shapes.as_decomposition(hulls),
            (None, Some(mesh)) if !motion.is_dynamic() => {
                if is_asset && mesh.scale().shortest().to_f64() < SMALLEST_MESH_SIDE {
                    PhysicsCost { provenance: Provenance::Estimated, ..shapes.as_hull() }
                } else {
                    documented(Representation::Mesh, mesh.cost())
                }
            }
            _ => shapes.as_hull(),
        }
    }
}

impl<N: Real> PhysicsShapes<N> {
    fn as_hull(&self) -> PhysicsCost<N> {
        let known = self.cost_data.and_then(|data| data.hull);
        verbatim_or(known, Representation::Hull, || self.hull.cost())
    }

    fn as_decomposition(&self, hulls: ConvexDecomposition) -> PhysicsCost<N> {
        let known = self.cost_data.and_then(|data| data.decomposition);
        verbatim_or(known, Representation::Decomposition, || hulls.cost())
    }
}

fn verbatim_or<N: Real>(
    known: Option<N>,
    representation: Representation,
    estimate: impl FnOnce() -> N,
) -> PhysicsCost<N> {
    let provenance = if known.is_some() { Provenance::Exact } else { Provenance::Estimated };
    PhysicsCost { cost: known.unwrap_or_else(estimate), representation, provenance }
}

fn stand_in<N: Real>(hull: ConvexHull) -> PhysicsCost<N> {
    let (representation, provenance) = (Representation::Hull, Provenance::Unknown);
    PhysicsCost { cost: hull.cost(), representation, provenance }
}

fn simple<N: Real>() -> N {
    /// Mesh physics document, formula, notes: ten boxes are 10 × 0.1.
    const SIMPLE: f64 = 0.1;
    N::narrow(N::Square::from_f64(SIMPLE))
}
