//! The parcels of a region.

use std::sync::Arc;

use uuid::Uuid;

/// A parcel of a region.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Parcel {
    /// Its identifier.
    pub id: Uuid,
    /// The folder of the region, in an archive of several.
    pub region: Option<Arc<str>>,
    /// Its name; names are not unique.
    pub name: String,
    /// Who owns it.
    pub owner: Option<Uuid>,
}
