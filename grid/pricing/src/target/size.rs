//! How large a land impact allows a mesh to be.

use lodger_core::cost::ObjectScale;
use lodger_core::cost::streaming::Reach;

use super::search::Search;
use crate::error::Error;
use crate::sizes::{Sizes, largest};

/// How large a mesh may be.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct SizeRoom {
    /// The greatest scale of the same proportions, in metres.
    pub reach: Reach<ObjectScale<f64>>,
    /// Whether all smaller sizes cost no more either.
    pub all_smaller: bool,
}

/// The sizes that a land impact allows.
pub(super) fn room(sizes: Sizes<'_>, land_impact: u32) -> Result<SizeRoom, Error> {
    let search = Search::new(sizes, land_impact);
    let (reach, longest) = match search.greatest()? {
        Reach::Never => (Reach::Never, largest()),
        Reach::Always => (Reach::Always, largest()),
        Reach::UpTo(longest) => (Reach::UpTo(sizes.scale(longest)?), longest),
    };
    Ok(SizeRoom { reach, all_smaller: search.holds_below(longest)? })
}
