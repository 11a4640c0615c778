//! The one error of the crate: which quantity was wrong, and in what way.

use core::fmt;

/// What a number stood for when it was refused.
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
    /// What is added to every benefit of a module.
    Bias,
    /// A benefit that is given instead of computed.
    Benefit,
    /// The resource budget, in milliseconds.
    Budget,
    /// The cost of one unit of work.
    UnitCost,
    /// What one unit of benefit may cost, in milliseconds.
    BenefitValue,
    /// The units of work at each LOD.
    Work,
    /// The cost of a LOD, in nanoseconds.
    Cost,
    /// The lowest and the highest LOD of an actor.
    LodRange,
    /// A level of detail.
    Lod,
    /// How good a level is, from 0 to 1.
    Quality,
    /// The constant part of a module's work, in units.
    Overhead,
    /// In which part of all frames the budget may be exceeded.
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
    /// The least size that a LOD is charged for, in bytes.
    MinimumSize,
    /// How many bytes stand for a triangle.
    BytesPerTriangle,
    /// The triangles that a region may show.
    TriangleBudget,
    /// The area of a region, in square metres.
    MaxArea,
    /// A factor on a cost, or a tuning constant of one.
    Factor,
    /// The vertices of a convex hull.
    Vertices,
    /// The convex hulls of a decomposition.
    Hulls,
    /// A physics mesh or a decomposition into hulls, either of which would do.
    PhysicsShape,
    /// The prims of a linkset.
    Prims,
}

/// The name of the quantity, as the key of a scene file spells it.
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

/// In what way a quantity was wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Problem {
    /// It is NaN or infinite.
    NotFinite,
    /// It is below 0.
    Negative,
    /// It is not above 0.
    NotPositive,
    /// It does not fit the number type or the ledger.
    TooLarge,
    /// It is below the least that makes sense.
    TooSmall,
    /// It is missing although something depends on it, or it is empty.
    Missing,
    /// It decreases where it must not.
    Decreasing,
    /// The weights do not total 1 within 10⁻³.
    NotOne,
    /// A matrix has no inverse.
    Singular,
}

/// A value that was refused where it entered.
///
/// Computations never fail: whatever a constructor let in can be computed with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Error {
    quantity: Quantity,
    problem: Problem,
}

impl Error {
    /// An error about `quantity`.
    #[must_use]
    pub const fn new(quantity: Quantity, problem: Problem) -> Self {
        Self { quantity, problem }
    }

    /// Which quantity was wrong.
    #[must_use]
    pub const fn quantity(self) -> Quantity {
        self.quantity
    }

    /// In what way it was wrong.
    #[must_use]
    pub const fn problem(self) -> Problem {
        self.problem
    }
}

/// The end of a sentence that begins with the quantity.
impl fmt::Display for Problem {
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

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.quantity, self.problem)
    }
}

impl core::error::Error for Error {}
