//! The error of the crate: a quantity, and its problem.

use core::fmt;

/// The meaning of a rejected number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Quantity {
    /// A position, in metres.
    Position,
    /// An actor's radius, in metres.
    Radius,
    /// The distance at which importance reaches 0, in metres.
    MaxDistance,
    /// An actor's age, in seconds.
    Age,
    /// The age at which importance reaches 0, in seconds.
    MaxAge,
    /// An actor's speed, in metres per second.
    Speed,
    /// The speed at which importance reaches 1, in metres per second.
    MaxSpeed,
    /// A weight of an importance.
    Weight,
    /// The total of a module's weights.
    Weights,
    /// A module's bias.
    Bias,
    /// A benefit set by the caller.
    Benefit,
    /// A factor of benefits: how much an actor or a module matters.
    Priority,
    /// The factor of benefits outside of all views.
    Outside,
    /// The resource budget, in milliseconds.
    Budget,
    /// The cost of one unit of work.
    UnitCost,
    /// The cost of a unit of benefit, in milliseconds.
    BenefitValue,
    /// The units of work at each LOD.
    Work,
    /// The cost of a LOD, in nanoseconds.
    Cost,
    /// The lowest and the highest LOD of an actor.
    LodRange,
    /// A level of detail.
    Lod,
    /// The quality of a level, from 0 to 1.
    Quality,
    /// A module's constant work, in units.
    Overhead,
    /// The share of frames that may exceed the budget.
    Headroom,
    /// A view matrix.
    View,
    /// A projection matrix.
    Projection,
    /// The magnification of a view.
    Zoom,
    /// The field of view of zoom 1, in degrees.
    ReferenceFov,
    /// The angle by which the planes of a frustum are turned outwards, in degrees.
    Margin,
    /// The number of actors or modules.
    Count,
    /// An object's size along three axes, in metres.
    Scale,
    /// A discount of a LOD's size, in bytes.
    Discount,
    /// The least number of charged bytes.
    MinimumSize,
    /// The bytes that count as one triangle.
    BytesPerTriangle,
    /// A region's budget of triangles.
    TriangleBudget,
    /// A region's area, in square metres.
    MaxArea,
    /// A factor of a cost.
    Factor,
    /// The vertices of a convex hull.
    Vertices,
    /// The convex hulls of a decomposition.
    Hulls,
    /// A physics mesh or decomposition.
    PhysicsShape,
    /// The prims of a linkset.
    Prims,
}

/// Writes the key of a scene file.
impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Position => "position",
            Self::Radius => "radius",
            Self::MaxDistance => "max_distance",
            Self::Age => "age",
            Self::MaxAge => "max_age",
            Self::Speed => "speed",
            Self::MaxSpeed => "max_speed",
            Self::Weight => "weight",
            Self::Weights => "weights",
            Self::Bias => "bias",
            Self::Benefit => "benefit",
            Self::Priority => "priority",
            Self::Outside => "outside",
            Self::Budget => "budget_ms",
            Self::UnitCost => "unit_cost_ms",
            Self::BenefitValue => "benefit_value",
            Self::Work => "work",
            Self::Cost => "cost",
            Self::LodRange => "lod_range",
            Self::Lod => "lod",
            Self::Quality => "quality",
            Self::Overhead => "overhead",
            Self::Headroom => "headroom target",
            Self::View => "view matrix",
            Self::Projection => "projection matrix",
            Self::Zoom => "zoom",
            Self::ReferenceFov => "reference_fov",
            Self::Margin => "margin",
            Self::Count => "count",
            Self::Scale => "scale",
            Self::Discount => "discount",
            Self::MinimumSize => "minimum_size",
            Self::BytesPerTriangle => "bytes_per_triangle",
            Self::TriangleBudget => "triangle_budget",
            Self::MaxArea => "max_area",
            Self::Factor => "factor",
            Self::Vertices => "vertices",
            Self::Hulls => "hulls",
            Self::PhysicsShape => "physics shape",
            Self::Prims => "prims",
        })
    }
}

/// The problem with a quantity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum ValueProblem {
    /// The value is NaN or infinite.
    NotFinite,
    /// The value is below 0.
    Negative,
    /// The value is not above 0.
    NotPositive,
    /// The value exceeds the number type or the range of costs.
    TooLarge,
    /// The value is below the least meaningful one.
    TooSmall,
    /// The value is missing or empty.
    Missing,
    /// A sequence decreases although it must not.
    Decreasing,
    /// The weights do not total 1 within 10⁻³.
    NotOne,
    /// A matrix has no inverse.
    Singular,
    /// A projection is not a perspective from the eye: its last row is (0, 0, −1, 0), and its first two end with 0.
    NotPerspective,
}

/// A rejected value. Only constructors reject values: computations never fail.
///
/// # Examples
/// ```
/// # use lodger_core::budget::Quality;
/// # use lodger_core::error::{Quantity, ValueError, ValueProblem};
/// let error = ValueError::new(Quantity::Quality, ValueProblem::TooLarge);
/// assert_eq!(Quality::new(1.5), Err(error));
/// assert_eq!(error.to_string(), "quality is too large");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ValueError {
    quantity: Quantity,
    problem: ValueProblem,
}

impl ValueError {
    /// Makes an error about `quantity`.
    #[must_use]
    pub const fn new(quantity: Quantity, problem: ValueProblem) -> Self {
        Self { quantity, problem }
    }

    /// Returns the quantity that was wrong.
    #[must_use]
    pub const fn quantity(self) -> Quantity {
        self.quantity
    }

    /// Returns the problem.
    #[must_use]
    pub const fn problem(self) -> ValueProblem {
        self.problem
    }
}

/// Writes the end of a sentence that begins with the quantity.
impl fmt::Display for ValueProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::NotFinite => "must be a finite number",
            Self::Negative => "must not be negative",
            Self::NotPositive => "must be above 0",
            Self::TooLarge => "is too large",
            Self::TooSmall => "is too small",
            Self::Missing => "is missing",
            Self::Decreasing => "must not decrease from one level to the next",
            Self::NotOne => "must total 1, within 0.001",
            Self::Singular => "must have an inverse",
            Self::NotPerspective => {
                "must be a perspective from the eye, with the last row (0, 0, -1, 0), and not orthographic"
            }
        })
    }
}

impl fmt::Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.quantity, self.problem)
    }
}

impl core::error::Error for ValueError {}
