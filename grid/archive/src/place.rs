//! Where an object is.

use std::sync::Arc;

/// Where an object is.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Place {
    /// It stands in a region.
    Region {
        /// The folder of the region, in an archive of several.
        region: Option<Arc<str>>,
        /// Metres from the south-western corner of the region.
        position: [f64; 3],
    },
    /// It lies in an inventory.
    Inventory {
        /// The names of its folders and its own, with `/` between them.
        path: Arc<str>,
    },
    /// It is an asset that no item of an inventory refers to, or XML by itself.
    Unknown,
}
