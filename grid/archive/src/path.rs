//! What an entry is, by its path.
//!
//! Source: `OpenSimulator`, `OpenSim/Framework/Serialization/ArchiveConstants.cs` (folders and
//! endings) and `ArchiveReadRequest.cs` (an asset's identifier ends at the last `_`).

use uuid::Uuid;

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
pub(crate) enum Content<'p> {
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
pub(crate) fn content(path: &str) -> Content<'_> {
    let path = path.trim_start_matches("./").trim_start_matches('/');
    if let Some(name) = path.strip_prefix(ASSETS) {
        return asset(name);
    }
    if let Some(inside) = path.strip_prefix(INVENTORY) {
        return if is_xml(inside) { Content::Item(inside) } else { Content::Other };
    }
    let in_region = path.strip_prefix(REGIONS).and_then(|rest| rest.split_once('/'));
    let (region, inner) = in_region.unwrap_or(("", path));
    let region = Some(region).filter(|region| !region.is_empty());
    if inner.starts_with(OBJECTS) && is_xml(inner) {
        Content::ObjectInWorld(region)
    } else if inner.starts_with(PARCELS) && is_xml(inner) {
        Content::Parcel(region)
    } else if in_region.is_some() || OF_A_REGION.iter().any(|folder| inner.starts_with(folder)) {
        Content::OfARegion
    } else {
        Content::Other
    }
}

fn is_xml(path: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, ending)| ending.eq_ignore_ascii_case("xml"))
}

fn asset(name: &str) -> Content<'static> {
    match name.rsplit_once('_') {
        Some((id, MESH)) => Uuid::try_parse(id).map_or(Content::NamelessMesh, Content::Mesh),
        Some((id, OBJECT)) => Content::ObjectAsset(Uuid::try_parse(id).ok()),
        _ => Content::Other,
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::{Content, content};

    #[test]
    fn tells_entries_apart() {
        let id = "a96a5b8d-5b93-4d9e-9c5e-000000000007";
        let uuid = Uuid::try_parse(id).expect("an identifier");
        let mesh = Content::Mesh(uuid);
        assert_eq!(content(&format!("assets/{id}_mesh.llmesh")), mesh);
        assert_eq!(content(&format!("./assets/{id}_mesh.llmesh")), mesh);
        assert_eq!(content("assets/seven_mesh.llmesh"), Content::NamelessMesh);
        assert_eq!(content(&format!("assets/{id}_object.xml")), Content::ObjectAsset(Some(uuid)));
        assert_eq!(content("assets/seven_object.xml"), Content::ObjectAsset(None));
        assert_eq!(content(&format!("assets/{id}_texture.jp2")), Content::Other);
        assert_eq!(content("objects/Table_128-128-021__x.xml"), Content::ObjectInWorld(None));
        let home = Some("1_1_home");
        assert_eq!(content("regions/1_1_home/objects/a.xml"), Content::ObjectInWorld(home));
        assert_eq!(content("regions/1_1_home/landdata/a.xml"), Content::Parcel(home));
        assert_eq!(content("regions/1_1_home/terrains/a.r32"), Content::OfARegion);
        assert_eq!(content("landdata/a.xml"), Content::Parcel(None));
        let item = "My Inventory__x/objects/a.xml";
        assert_eq!(content(&format!("inventory/{item}")), Content::Item(item));
        assert_eq!(content("inventory/notes.txt"), Content::Other);
        assert_eq!(content("../../etc/passwd"), Content::Other);
    }
}
