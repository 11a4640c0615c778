//! The crate's error: the quantity that was wrong, and the problem.

use core::fmt;

/// The quantity that a rejected number stood for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Quantity {
    /// A position, in metres.
    Position,
    /// The radius of an actor, in metres.
    Radius,
    /// The distance at which importance reaches 0, in metres.
    MaxDistance,
    /// The age of an actor, in seconds.
    Age,
    /// The age at which importance reaches 0, in seconds.
    MaxAge,
    /// The speed of an actor, in metres per second.
    Speed,
    /// The speed at which importance reaches 1, in metres per second.
    MaxSpeed,
    /// One weight of an importance function.
    Weight,
    /// The total of the weights of a module.
    Weights,
    /// The constant added to every benefit of a module.
    Bias,
    /// A benefit that the caller sets instead of computing it.
    Benefit,
    /// The resource budget, in milliseconds.
    Budget,
    /// The cost of one unit of work.
    UnitCost,
    /// The greatest cost of one unit of benefit, in milliseconds.
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
    /// The constant part of a module's work, in units.
    Overhead,
    /// The share of frames that may exceed the budget.
    Headroom,
    /// A view matrix.
    View,
    /// A projection matrix.
    Projection,
    /// The number of actors or modules.
    Count,
    /// The scale of an object along its three axes, in metres.
    Scale,
    /// The discount of a LOD's size, in bytes.
    Discount,
    /// The least number of bytes that a LOD is charged for.
    MinimumSize,
    /// The bytes that count as one triangle.
    BytesPerTriangle,
    /// The triangles that a region may show.
    TriangleBudget,
    /// The area of a region, in square metres.
    MaxArea,
    /// A factor or a tuning constant of a cost.
    Factor,
    /// The vertices of a convex hull.
    Vertices,
    /// The convex hulls of a decomposition.
    Hulls,
    /// A physics mesh or a decomposition into hulls.
    PhysicsShape,
    /// The prims of a linkset.
    Prims,
}

/// Displays the quantity as the key of a scene file spells it.
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
    /// It is NaN or infinite.
    NotFinite,
    /// It is below 0.
    Negative,
    /// It is not above 0.
    NotPositive,
    /// It does not fit the number type or the range of costs.
    TooLarge,
    /// It is below the least meaningful value.
    TooSmall,
    /// It is required but missing, or it is empty.
    Missing,
    /// It decreases although it must not.
    Decreasing,
    /// The weights do not total 1 within 10⁻³.
    NotOne,
    /// A matrix has no inverse.
    Singular,
}

/// A rejected value.
///
/// Only constructors reject values: computations never fail.
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

/// Displays the end of a sentence that begins with the quantity.
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
        })
    }
}

impl fmt::Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.quantity, self.problem)
    }
}

impl core::error::Error for ValueError {}
