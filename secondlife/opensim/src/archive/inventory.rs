//! Inventory items, the object assets of an archive, and the objects that are in its inventory.
//!
//! Source: `OpenSimulator`, `UserInventoryItemSerializer.cs` (the XML), `ArchiveConstants.cs` (`__` in front of the
//! identifier) and `InventoryArchiveUtils.cs` (how names are escaped in paths).

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::mem;
use std::sync::Arc;

use lodger_quota::{Quota, QuotaExceeded};
use uuid::Uuid;

use crate::archive::error::{ArchiveError, ArchiveErrorKind, ErrorLog, ellipsized};
use crate::archive::object::{Object, ObjectLocation};
use crate::archive::raw::OBJECT;
use crate::archive::xml::{XmlCursor, decoded, identifier, integer, non_nil, wrong};

/// Root elements of an item; the first archives had the second one.
const ROOTS: [&str; 2] = ["InventoryItem", "InventoryObject"];

#[derive(Debug)]
pub(crate) struct InventoryItem {
    pub(crate) asset: Uuid,
    pub(crate) owner: Option<Uuid>,
    pub(crate) path: Arc<str>,
}

/// Reads an item; `None` if it is no object.
pub(crate) fn read_item(
    inside: &str,
    xml: &[u8],
    nesting: usize,
) -> Result<Option<InventoryItem>, ArchiveErrorKind> {
    let text = decoded(xml)?;
    let mut cursor = XmlCursor::new(&text, nesting);
    let root = cursor.root()?;
    if !ROOTS.contains(&root.as_str()) {
        return Err(ArchiveErrorKind::wrong_root(&root, ROOTS[0]));
    }
    let (mut name, mut kind, mut asset, mut owner) = (String::new(), None, None, Uuid::nil());
    cursor.children(|cursor, field| {
        match field {
            "Name" => name = cursor.text()?,
            "AssetType" => kind = Some(cursor.text()?),
            "AssetID" => asset = Some(cursor.text()?),
            "Owner" => owner = identifier(&cursor.text()?),
            _ => cursor.skip()?,
        }
        Ok(())
    })?;
    let Some(kind) = kind else { return Ok(None) };
    integer("AssetType", Some(&kind))?;
    if kind.trim() != OBJECT {
        return Ok(None);
    }
    let asset = asset.as_deref();
    let known = asset.map(identifier).and_then(non_nil);
    let asset = known.ok_or_else(|| wrong("AssetID", asset, "the UUID of an object"))?;
    Ok(Some(InventoryItem { asset, owner: non_nil(owner), path: path(inside, name.trim()) }))
}

/// Joins the names of the folders and of the item, which is `own` if it has a name in the XML.
fn path(inside: &str, own: &str) -> Arc<str> {
    let (folders, file) = inside.rsplit_once('/').unwrap_or(("", inside));
    let mut names: Vec<String> =
        folders.split('/').filter(|folder| !folder.is_empty()).map(name).collect();
    names.push(if own.is_empty() { name(without_ending(file)) } else { ellipsized(own) });
    names.join("/").into()
}

fn without_ending(file: &str) -> &str {
    file.rsplit_once('.').map_or(file, |(stem, _)| stem)
}

fn name(component: &str) -> String {
    let plain = match component.rsplit_once("__") {
        Some((name, id)) if Uuid::try_parse(id).is_ok() => name,
        _ => component,
    };
    ellipsized(&plain.replace("&#47;", "/").replace("&amp;", "&"))
}

#[derive(Debug, Default)]
pub(crate) struct Inventory {
    assets: Vec<InventoryAsset>,
    by_id: HashMap<Uuid, usize>,
    items: Vec<(String, InventoryItem)>,
    inside: HashSet<Uuid>,
}

#[derive(Debug)]
struct InventoryAsset {
    id: Option<Uuid>,
    objects: Vec<Object>,
}

#[derive(Debug, Default)]
pub(crate) struct ResolvedInventory {
    /// Objects of items, in item order, then objects without an item.
    pub(crate) objects: Vec<Object>,
    pub(crate) nested: Vec<Object>,
}

impl Inventory {
    pub(crate) fn add(
        &mut self,
        id: Option<Uuid>,
        objects: Vec<Object>,
    ) -> Result<(), ArchiveErrorKind> {
        let Some(id) = id else {
            self.assets.push(InventoryAsset { id, objects });
            return Ok(());
        };
        match self.by_id.entry(id) {
            Entry::Vacant(slot) => {
                slot.insert(self.assets.len());
                self.assets.push(InventoryAsset { id: Some(id), objects });
                Ok(())
            }
            Entry::Occupied(slot) if self.assets[*slot.get()].objects == objects => Ok(()),
            Entry::Occupied(_) => Err(ArchiveErrorKind::invalid(
                "it is left out: an earlier object asset has the same UUID",
            )),
        }
    }

    pub(crate) fn refer(&mut self, entry: &str, item: InventoryItem) {
        self.items.push((entry.to_owned(), item));
    }

    pub(crate) fn note_inside(&mut self, asset: Uuid) {
        self.inside.insert(asset);
    }

    pub(crate) fn into_assets(self) -> Vec<Object> {
        self.assets.into_iter().flat_map(|asset| asset.objects).collect()
    }

    /// Gives every item its objects. Records an error in `missing`, if given, for each item without an asset.
    pub(crate) fn resolve(
        mut self,
        quota: &Quota,
        mut missing: Option<&mut ErrorLog>,
    ) -> Result<ResolvedInventory, QuotaExceeded> {
        let mut resolved = ResolvedInventory::default();
        let mut users = vec![0_usize; self.assets.len()];
        for (_, item) in &self.items {
            if let Some(&at) = self.by_id.get(&item.asset) {
                users[at] += 1;
            }
        }
        let mut left = users.clone();
        for (entry, item) in mem::take(&mut self.items) {
            let Some(&at) = self.by_id.get(&item.asset) else {
                if let Some(log) = &mut missing {
                    let id = item.asset;
                    let kind = ArchiveErrorKind::invalid(format!(
                        "the object that it refers to, {id}, is not in the archive"
                    ));
                    log.add(ArchiveError::from(kind).in_entry(&entry));
                }
                continue;
            };
            left[at] -= 1;
            let objects = &mut self.assets[at].objects;
            let objects = if left[at] == 0 {
                mem::take(objects)
            } else {
                quota.charge_memory(objects.iter().map(Object::bytes).sum())?;
                objects.clone()
            };
            resolved.objects.extend(objects.into_iter().map(|o| placed(o, &item)));
        }
        for (asset, _) in self.assets.into_iter().zip(users).filter(|(_, users)| *users == 0) {
            let is_inside = asset.id.is_some_and(|id| self.inside.contains(&id));
            let into = if is_inside { &mut resolved.nested } else { &mut resolved.objects };
            into.extend(asset.objects);
        }
        Ok(resolved)
    }
}

fn placed(object: Object, item: &InventoryItem) -> Object {
    Object {
        location: ObjectLocation::Inventory { path: item.path.clone() },
        owner: item.owner,
        ..object
    }
}

#[cfg(test)]
mod tests {
    use super::path;

    const ID: &str = "a96a5b8d-5b93-4d9e-9c5e-000000000007";

    #[test]
    fn escaped_names_are_restored() {
        let inside = format!("Objects__{ID}/a &amp; b&#47;c__{ID}/chair__{ID}.xml");
        assert_eq!(&*path(&inside, ""), "Objects/a & b/c/chair");
        assert_eq!(&*path(&inside, "my chair"), "Objects/a & b/c/my chair");
        assert_eq!(&*path(&format!("&amp;#47;__{ID}.xml"), ""), "&#47;");
        assert_eq!(&*path("by__hand//chair.xml", ""), "by__hand/chair");
        assert_eq!(&*path("", ""), "");
        let long = path(&"x".repeat(1_000), &"y".repeat(1_000));
        assert_eq!(long.chars().count(), 161);
    }
}
