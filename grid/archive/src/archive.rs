//! What is found in an archive.

use std::collections::BTreeMap;

use uuid::Uuid;

use crate::error::Error;
use crate::object::Object;
use crate::parcel::Parcel;

/// What an archive is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ArchiveKind {
    /// A region (`.oar`), by the folders that only a region has.
    Region,
    /// An inventory (`.iar`).
    Inventory,
}

/// What was found in an archive.
#[derive(Debug)]
#[non_exhaustive]
pub struct Archive {
    /// What it is of.
    pub kind: ArchiveKind,
    /// The objects of the region or inventory, in the order of the archive.
    pub objects: Vec<Object>,
    /// The objects inside the objects of a region: they are not in the world and cost nothing
    /// there. An inventory does not tell them apart.
    pub stowed: Vec<Object>,
    /// The mesh assets, as they are.
    pub meshes: BTreeMap<Uuid, Vec<u8>>,
    /// The parcels of a region, in the order of the archive.
    pub parcels: Vec<Parcel>,
    /// What could not be read, in the order of the archive.
    pub errors: Vec<Error>,
    /// How many entries it has, of any kind.
    pub entries: u64,
}

impl Archive {
    /// The parcel that an object stands on.
    #[must_use]
    pub fn parcel_of(&self, _object: &Object) -> Option<&Parcel> {
        self.parcels.first()
    }
}

/// What was found in the XML of an entry.
#[derive(Debug)]
#[non_exhaustive]
pub struct Objects {
    /// The objects, in the order of the document.
    pub objects: Vec<Object>,
    /// What could not be read, in the order of the document.
    pub errors: Vec<Error>,
}
