//! Contents of an archive: kinds of entries by path, limits, and the result.
//!
//! Source: `OpenSimulator`, `OpenSim/Framework/Serialization/ArchiveConstants.cs` (folders and extensions) and
//! `ArchiveReadRequest.cs` (an asset's UUID ends at the last `_`).

use std::collections::BTreeMap;
use std::sync::Arc;

use uuid::Uuid;

use crate::archive::error::ArchiveError;
use crate::archive::object::{Object, ObjectLocation};
use crate::archive::parcel::{Parcel, ParcelMap};

/// The kind of an archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ArchiveKind {
    /// A region (`.oar`): it has folders that only regions have.
    Region,
    /// An inventory (`.iar`).
    Inventory,
}

/// The contents of an archive.
#[derive(Debug)]
#[non_exhaustive]
pub struct Archive {
    /// Region or inventory.
    pub kind: ArchiveKind,
    /// Objects in the region, in archive order; or objects in the inventory, in item order, followed by objects
    /// without an item.
    pub objects: Vec<Object>,
    /// Objects nested in other objects only, in archive order; they cost nothing.
    pub nested: Vec<Object>,
    /// Undecoded mesh assets.
    pub meshes: BTreeMap<Uuid, Vec<u8>>,
    /// Parcels of a region, in archive order.
    pub parcels: Vec<Arc<Parcel>>,
    /// Errors, in archive order.
    pub errors: Vec<ArchiveError>,
    /// Number of entries of any kind.
    pub entries: u64,
    pub(crate) land: ParcelMap,
}

impl Archive {
    /// Puts objects from elsewhere into a region without parcels.
    #[must_use]
    pub fn from_objects(objects: Vec<Object>) -> Self {
        Self {
            kind: ArchiveKind::Region,
            entries: objects.len() as u64,
            objects,
            nested: Vec::new(),
            meshes: BTreeMap::new(),
            parcels: Vec::new(),
            errors: Vec::new(),
            land: ParcelMap::default(),
        }
    }

    /// Returns the parcel under an object, in constant time ([example](crate::archive::ArchiveReader)); `None` if no
    /// parcel owns the 4 m square of its position.
    #[must_use]
    pub fn parcel_of(&self, object: &Object) -> Option<&Arc<Parcel>> {
        match &object.location {
            ObjectLocation::Region { region, position } => {
                self.parcels.get(self.land.parcel(region.as_deref(), *position)?)
            }
            ObjectLocation::Inventory { .. } | ObjectLocation::Unknown => None,
        }
    }
}

/// The objects of an XML document.
#[derive(Debug)]
#[non_exhaustive]
pub struct ParsedObjects {
    /// Objects, in document order.
    pub objects: Vec<Object>,
    /// Errors, in document order.
    pub errors: Vec<ArchiveError>,
}

/// Limits on the parts of an archive. A [`Quota`](lodger_quota::Quota) limits the memory and work for all of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArchiveLimits {
    /// Maximum bytes of one mesh, object, item or parcel; a larger one is an error and is left out.
    pub entry_bytes: u64,
    /// Maximum number of entries; reading ends there.
    pub entries: u64,
    /// Maximum nesting depth of XML elements; objects need about ten levels.
    pub nesting: usize,
    /// Maximum number of separate errors; one more error counts the others.
    pub errors: usize,
}

impl Default for ArchiveLimits {
    /// 64 MiB an entry, 4 million entries, 64 levels, 10 000 errors.
    fn default() -> Self {
        Self { entry_bytes: 64 << 20, entries: 4_000_000, nesting: 64, errors: 10_000 }
    }
}

const ASSETS: &str = "assets/";
const OBJECTS: &str = "objects/";
const REGIONS: &str = "regions/";
const PARCELS: &str = "landdata/";
const OF_A_REGION: [&str; 2] = ["terrains/", "settings/"];
const INVENTORY: &str = "inventory/";
const MESH: &str = "mesh.llmesh";
const OBJECT: &str = "object.xml";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EntryKind<'p> {
    Mesh(Uuid),
    NamelessMesh,
    /// An object in a region, with the region's folder in an archive of several.
    ObjectInWorld(Option<&'p str>),
    ObjectAsset(Option<Uuid>),
    /// An inventory item, with its path in the inventory.
    Item(&'p str),
    /// A parcel, with its region's folder in an archive of several.
    Parcel(Option<&'p str>),
    OfARegion,
    Other,
}

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
    fn entries_are_recognised_by_path() {
        let id = "a96a5b8d-5b93-4d9e-9c5e-000000000007";
        let uuid = Uuid::try_parse(id).expect("an identifier");
        let (item, home) = ("My Inventory__x/objects/a.xml", Some("1_1_home"));
        for (path, kind) in [
            (&*format!("assets/{id}_mesh.llmesh"), EntryKind::Mesh(uuid)),
            (&format!("./assets/{id}_mesh.llmesh"), EntryKind::Mesh(uuid)),
            ("assets/seven_mesh.llmesh", EntryKind::NamelessMesh),
            (&format!("assets/{id}_object.xml"), EntryKind::ObjectAsset(Some(uuid))),
            ("assets/seven_object.xml", EntryKind::ObjectAsset(None)),
            (&format!("assets/{id}_texture.jp2"), EntryKind::Other),
            ("objects/Table_128-128-021__x.xml", EntryKind::ObjectInWorld(None)),
            ("regions/1_1_home/objects/a.xml", EntryKind::ObjectInWorld(home)),
            ("regions/1_1_home/landdata/a.xml", EntryKind::Parcel(home)),
            ("regions/1_1_home/terrains/a.r32", EntryKind::OfARegion),
            ("landdata/a.xml", EntryKind::Parcel(None)),
            (&format!("inventory/{item}"), EntryKind::Item(item)),
            ("inventory/notes.txt", EntryKind::Other),
            ("../../etc/passwd", EntryKind::Other),
        ] {
            assert_eq!(entry_kind(path), kind, "{path}");
        }
    }
}
