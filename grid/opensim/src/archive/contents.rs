//! The contents of an archive: kinds of entries by their paths, limits, and the result.
//!
//! Source: `OpenSimulator`, `OpenSim/Framework/Serialization/ArchiveConstants.cs` (folders and
//! endings) and `ArchiveReadRequest.cs` (an asset's identifier ends at the last `_`).

use std::collections::BTreeMap;
use std::sync::Arc;

use uuid::Uuid;

use crate::archive::error::Error;
use crate::archive::object::{Object, Place};
use crate::archive::parcel::{Parcel, ParcelMap};

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
    pub(crate) land: ParcelMap,
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
            land: ParcelMap::default(),
        }
    }

    /// The parcel that an object stands on: the one that has the square of 4 m, in the region of the
    /// object, that its position is in. `None` if no parcel has it, if the object is outside of the
    /// region, or in no region at all. How long this takes does not depend on how many parcels there
    /// are.
    ///
    /// # Examples
    /// See [`Reading`](crate::archive::Reading).
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

/// How much of an archive is read before it is taken for an attack. What it takes in memory and work as a
/// whole is up to an [`Allowance`](lodger_allowance::Allowance).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one mesh, object, item or parcel; a larger one is left out, with an error of its own.
    pub entry_bytes: u64,
    /// Entries of any kind; reading ends there.
    pub entries: u64,
    /// Levels of XML elements within each other; objects need about ten.
    pub nesting: usize,
    /// Errors that are told one by one; one more says how many others there were.
    pub errors: usize,
}

impl Default for Limits {
    /// 64 MiB an entry, 4 million entries, 64 levels, 10 000 errors.
    fn default() -> Self {
        Self { entry_bytes: 64 << 20, entries: 4_000_000, nesting: 64, errors: 10_000 }
    }
}

/// The folder of assets, in both kinds of archive.
const ASSETS: &str = "assets/";
/// The folder of the objects of a region.
const OBJECTS: &str = "objects/";
/// The folder that holds a folder for every region, in archives of several.
const REGIONS: &str = "regions/";
/// The folder of the parcels of a region.
const PARCELS: &str = "landdata/";
/// Other folders that only the archive of a region has.
const OF_A_REGION: [&str; 2] = ["terrains/", "settings/"];
/// The folder of the items of an inventory, and of their folders.
const INVENTORY: &str = "inventory/";
/// What follows the identifier of a mesh asset.
const MESH: &str = "mesh.llmesh";
/// What follows the identifier of an object asset.
const OBJECT: &str = "object.xml";

/// What an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EntryKind<'p> {
    /// A mesh asset.
    Mesh(Uuid),
    /// A mesh asset whose identifier is none.
    NamelessMesh,
    /// An object that stands in a region, by its folder in an archive of several.
    ObjectInWorld(Option<&'p str>),
    /// An object asset, by its identifier if it has one.
    ObjectAsset(Option<Uuid>),
    /// An item of an inventory, by its path in there.
    Item(&'p str),
    /// A parcel of a region, by its folder in an archive of several.
    Parcel(Option<&'p str>),
    /// Something else that only a region has.
    OfARegion,
    /// Nothing that is needed here.
    Other,
}

/// Tells what an entry is.
pub(crate) fn entry_kind(path: &str) -> EntryKind<'_> {
    let path = path.trim_start_matches("./").trim_start_matches('/');
    if let Some(name) = path.strip_prefix(ASSETS) {
        return asset(name);
    }
    if let Some(inside) = path.strip_prefix(INVENTORY) {
        return if is_xml(inside) { EntryKind::Item(inside) } else { EntryKind::Other };
    }
    let in_region = path.strip_prefix(REGIONS).and_then(|rest| rest.split_once('/'));
    let (region, inner) = in_region.unwrap_or(("", path));
    let region = Some(region).filter(|region| !region.is_empty());
    if inner.starts_with(OBJECTS) && is_xml(inner) {
        EntryKind::ObjectInWorld(region)
    } else if inner.starts_with(PARCELS) && is_xml(inner) {
        EntryKind::Parcel(region)
    } else if in_region.is_some() || OF_A_REGION.iter().any(|folder| inner.starts_with(folder)) {
        EntryKind::OfARegion
    } else {
        EntryKind::Other
    }
}

fn is_xml(path: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, ending)| ending.eq_ignore_ascii_case("xml"))
}

fn asset(name: &str) -> EntryKind<'static> {
    match name.rsplit_once('_') {
        Some((id, MESH)) => Uuid::try_parse(id).map_or(EntryKind::NamelessMesh, EntryKind::Mesh),
        Some((id, OBJECT)) => EntryKind::ObjectAsset(Uuid::try_parse(id).ok()),
        _ => EntryKind::Other,
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::{EntryKind, entry_kind};

    #[test]
    fn tells_entries_apart() {
        let id = "a96a5b8d-5b93-4d9e-9c5e-000000000007";
        let uuid = Uuid::try_parse(id).expect("an identifier");
        let mesh = EntryKind::Mesh(uuid);
        assert_eq!(entry_kind(&format!("assets/{id}_mesh.llmesh")), mesh);
        assert_eq!(entry_kind(&format!("./assets/{id}_mesh.llmesh")), mesh);
        assert_eq!(entry_kind("assets/seven_mesh.llmesh"), EntryKind::NamelessMesh);
        assert_eq!(
            entry_kind(&format!("assets/{id}_object.xml")),
            EntryKind::ObjectAsset(Some(uuid))
        );
        assert_eq!(entry_kind("assets/seven_object.xml"), EntryKind::ObjectAsset(None));
        assert_eq!(entry_kind(&format!("assets/{id}_texture.jp2")), EntryKind::Other);
        assert_eq!(entry_kind("objects/Table_128-128-021__x.xml"), EntryKind::ObjectInWorld(None));
        let home = Some("1_1_home");
        assert_eq!(entry_kind("regions/1_1_home/objects/a.xml"), EntryKind::ObjectInWorld(home));
        assert_eq!(entry_kind("regions/1_1_home/landdata/a.xml"), EntryKind::Parcel(home));
        assert_eq!(entry_kind("regions/1_1_home/terrains/a.r32"), EntryKind::OfARegion);
        assert_eq!(entry_kind("landdata/a.xml"), EntryKind::Parcel(None));
        let item = "My Inventory__x/objects/a.xml";
        assert_eq!(entry_kind(&format!("inventory/{item}")), EntryKind::Item(item));
        assert_eq!(entry_kind("inventory/notes.txt"), EntryKind::Other);
        assert_eq!(entry_kind("../../etc/passwd"), EntryKind::Other);
    }
}
