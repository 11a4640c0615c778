//! The cost at one size.

use crate::price::MeshPrice;
use crate::sweep::mark::Mark;

/// The cost at one size.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct SweepPoint {
    /// Metres: the longest side.
    pub size: f64,
    /// What the mesh costs there.
    pub price: MeshPrice,
    /// What changes there.
    pub mark: Option<Mark>,
}

impl SweepPoint {
    /// The land impact there.
    #[must_use]
    pub const fn land_impact(&self) -> u32 {
        self.price.assessment.land_impact.value
    }
}
