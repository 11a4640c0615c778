//! Named constants of streaming cost.

use super::super::Provenance;
use crate::error::{Quantity, ValueError, ValueProblem};
use crate::real::Real as _;

/// Constants that a grid or its viewers may set; [`StreamingModel::new`](super::StreamingModel::new) checks them.
///
/// # Examples
/// ```
/// use lodger_core::cost::streaming::{StreamingRules, StreamingModel};
///
/// // A grid whose regions are twice as wide.
/// let rules = StreamingRules { name: "wide", max_area: 411_775.0, ..StreamingRules::VIEWER };
/// assert!(StreamingModel::<f32>::new(rules).is_ok());
/// assert!(StreamingModel::<f32>::new(StreamingRules { triangle_budget: 0, ..rules }).is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct StreamingRules {
    /// The name in reports.
    pub name: &'static str,
    /// The constants' reliability.
    pub provenance: Provenance,
    /// The constants' source, in words.
    pub source: &'static str,
    /// Free bytes of a LOD, for tags and compression.
    pub discount: u32,
    /// A LOD's least charged bytes.
    pub minimum_size: u32,
    /// Bytes that count as a triangle.
    pub bytes_per_triangle: u32,
    /// The triangles that a region may show.
    pub triangle_budget: u32,
    /// The circles' greatest radius, in metres.
    pub max_distance: f64,
    /// The area of a region's circle, in square metres.
    pub max_area: f64,
    /// Factor for mesh that is not animated.
    pub static_mesh_factor: f64,
}

impl StreamingRules {
    /// The document's listing. Minimum size, bytes per triangle and triangle budget come from unstated settings there:
    /// these are the viewer's defaults.
    pub const WIKI: Self = Self {
        name: "wiki",
        provenance: Provenance::Documented,
        source: "the streaming cost document's listing; minimum size, bytes per triangle and triangle \
                 budget are the viewer's defaults, which are not in the document",
        discount: 128,
        minimum_size: 16,
        bytes_per_triangle: 16,
        triangle_budget: 250_000,
        max_distance: 512.0,
        max_area: 102_932.0,
        static_mesh_factor: 1.0,
    };

    /// Today's viewers: the listing with a larger discount, and the area of the circle through a region's corners.
    pub const VIEWER: Self = Self {
        name: "viewer",
        source: "today's viewers: the streaming cost document's listing with another discount and area, \
                 and with the viewer's defaults",
        discount: 384,
        max_area: 102_944.0,
        ..Self::WIKI
    };

    /// `VIEWER` × 0.85 for static mesh, as announced by the live grid. **Unverified**: there is no other source.
    pub const GRID: Self = Self {
        name: "grid",
        provenance: Provenance::Estimated,
        source: "today's viewers, and a factor that the live grid announced; unverified",
        static_mesh_factor: 0.85,
        ..Self::VIEWER
    };

    /// All named sets of rules.
    pub const NAMED: [Self; 3] = [Self::WIKI, Self::VIEWER, Self::GRID];

    /// Checks whether costs can be computed.
    ///
    /// # Errors
    /// [`ValueProblem::TooLarge`] for sizes from 2³¹ bytes, and for distances, areas and factors above 10⁹, where `f32`
    /// may overflow; [`ValueProblem::TooSmall`] for a maximum distance or area below 1; [`ValueProblem::NotPositive`]
    /// for a divisor or factor; [`ValueProblem::NotFinite`].
    pub fn check(&self) -> Result<(), ValueError> {
        let fits = |size: u32, quantity| {
            i32::try_from(size).map_err(|_| ValueError::new(quantity, ValueProblem::TooLarge))
        };
        fits(self.discount, Quantity::Discount)?;
        fits(self.minimum_size, Quantity::MinimumSize)?;
        for (divisor, quantity) in [
            (self.bytes_per_triangle, Quantity::BytesPerTriangle),
            (self.triangle_budget, Quantity::TriangleBudget),
        ] {
            if fits(divisor, quantity)? == 0 {
                return Err(ValueError::new(quantity, ValueProblem::NotPositive));
            }
        }
        from_1_to_reach(self.max_distance, Quantity::MaxDistance)?;
        from_1_to_reach(self.max_area, Quantity::MaxArea)?;
        if self.static_mesh_factor <= 0.0 {
            return Err(ValueError::new(Quantity::Factor, ValueProblem::NotPositive));
        }
        not_beyond_reach(self.static_mesh_factor, Quantity::Factor)
    }
}

impl Default for StreamingRules {
    fn default() -> Self {
        Self::VIEWER
    }
}

fn from_1_to_reach(value: f64, quantity: Quantity) -> Result<(), ValueError> {
    if value < 1.0 {
        return Err(ValueError::new(quantity, ValueProblem::TooSmall));
    }
    not_beyond_reach(value, quantity)
}

fn not_beyond_reach(value: f64, quantity: Quantity) -> Result<(), ValueError> {
    if value.finite(quantity)? > 1e9 {
        Err(ValueError::new(quantity, ValueProblem::TooLarge))
    } else {
        Ok(())
    }
}
