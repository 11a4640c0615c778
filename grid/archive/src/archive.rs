//! What is found in an archive.

use std::collections::BTreeMap;
use std::sync::Arc;

use uuid::Uuid;

use crate::error::Error;
use crate::land::Land;
use crate::object::Object;
use crate::parcel::Parcel;
use crate::place::Place;

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
    /// The objects that stand in the region, in the order of the archive; or those that lie in the
    /// inventory, in the order of its items, and behind them those that no item refers to.
    pub objects: Vec<Object>,
    /// The objects inside other objects, in the order of the archive: they neither stand in the
    /// region nor lie in the inventory, and cost nothing there. One that also lies in the inventory
    /// is not among them.
    pub stowed: Vec<Object>,
    /// The mesh assets, as they are.
    pub meshes: BTreeMap<Uuid, Vec<u8>>,
    /// The parcels of a region, in the order of the archive.
    pub parcels: Vec<Arc<Parcel>>,
    /// What could not be read, in the order of the archive.
    pub errors: Vec<Error>,
    /// How many entries it has, of any kind.
    pub entries: u64,
    pub(crate) land: Land,
}

impl Archive {
    /// Objects that are in no archive, as those of a region without parcels.
    #[must_use]
    pub fn of_objects(objects: Vec<Object>) -> Self {
        Self {
            kind: ArchiveKind::Region,
            entries: objects.len() as u64,
            objects,
            stowed: Vec::new(),
            meshes: BTreeMap::new(),
            parcels: Vec::new(),
            errors: Vec::new(),
            land: Land::default(),
        }
    }

    /// The parcel that an object stands on: the one that has the square of 4 m, in the region of the
    /// object, that its position is in. `None` if no parcel has it, if the object is outside of the
    /// region, or in no region at all. How long this takes does not depend on how many parcels there
    /// are.
    ///
    /// # Examples
    /// See [`Reading`](crate::Reading).
    #[must_use]
    pub fn parcel_of(&self, object: &Object) -> Option<&Arc<Parcel>> {
        match &object.place {
            Place::Region { region, position } => {
                self.parcels.get(self.land.parcel(region.as_deref(), *position)?)
            }
            Place::Inventory { .. } | Place::Unknown => None,
        }
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
