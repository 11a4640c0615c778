//! The items of an inventory, the object assets of an archive, and which of them lie in its inventory.
//!
//! Source: `OpenSimulator`, `UserInventoryItemSerializer.cs` (the XML), `ArchiveConstants.cs` (`__`
//! in front of the identifier) and `InventoryArchiveUtils.cs` (how names are escaped in paths).

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::mem;
use std::sync::Arc;

use lodger_allowance::{Allowance, Spent};
use uuid::Uuid;

use crate::archive::error::{Error, ErrorLog, Problem, ellipsized};
use crate::archive::object::{Object, Place};
use crate::archive::raw::OBJECT;
use crate::archive::xml::{XmlCursor, decoded, identifier, somebody, whole, wrong};

/// The root of an item, today and in the first archives.
const ROOTS: [&str; 2] = ["InventoryItem", "InventoryObject"];

/// What an item that is an object says.
#[derive(Debug)]
pub(crate) struct InventoryItem {
    /// The asset of the object.
    pub(crate) asset: Uuid,
    /// Who owns it.
    pub(crate) owner: Option<Uuid>,
    /// The names of its folders and its own.
    pub(crate) path: Arc<str>,
}

/// Reads the XML of an item that is at a path inside the inventory; `None` if it is no object.
pub(crate) fn read_item(
    inside: &str,
    xml: &[u8],
    nesting: usize,
) -> Result<Option<InventoryItem>, Problem> {
    let text = decoded(xml)?;
    let mut cursor = XmlCursor::new(&text, nesting);
    let root = cursor.root()?;
    if !ROOTS.contains(&root.as_str()) {
        return Err(Problem::WrongRoot { root: ellipsized(&root), expected: ROOTS[0] });
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
    whole("AssetType", Some(&kind))?;
    if kind.trim() != OBJECT {
        return Ok(None);
    }
    let asset = asset.as_deref();
    let known = asset.map(identifier).and_then(somebody);
    let asset = known.ok_or_else(|| wrong("AssetID", asset, "the UUID of an object"))?;
    Ok(Some(InventoryItem { asset, owner: somebody(owner), path: path(inside, name.trim()) }))
}

/// The names on a path: those of the folders, and that of the item, which its XML knows best.
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

/// The name in a component of a path, without the identifier behind it.
fn name(component: &str) -> String {
    let plain = match component.rsplit_once("__") {
        Some((name, id)) if Uuid::try_parse(id).is_ok() => name,
        _ => component,
    };
    ellipsized(&plain.replace("&#47;", "/").replace("&amp;", "&"))
}

/// The object assets of an archive, the items that refer to them, and what is inside others.
#[derive(Debug, Default)]
pub(crate) struct Inventory {
    assets: Vec<InventoryAsset>,
    by_id: HashMap<Uuid, usize>,
    items: Vec<(String, InventoryItem)>,
    inside: HashSet<Uuid>,
}

/// The objects of an asset, none if it cannot be read.
#[derive(Debug)]
struct InventoryAsset {
    id: Option<Uuid>,
    objects: Vec<Object>,
}

/// The objects of an inventory.
#[derive(Debug, Default)]
pub(crate) struct ResolvedInventory {
    /// Those that lie in it, in the order of the items, and those that nothing refers to.
    pub(crate) objects: Vec<Object>,
    /// Those that are inside others only.
    pub(crate) stowed: Vec<Object>,
}

impl Inventory {
    /// Takes the objects of an asset.
    pub(crate) fn add(&mut self, id: Option<Uuid>, objects: Vec<Object>) -> Result<(), Problem> {
        if let Some(id) = id {
            match self.by_id.entry(id) {
                Entry::Vacant(place) => {
                    place.insert(self.assets.len());
                }
                Entry::Occupied(place) => {
                    let earlier = self.assets.get(*place.get());
                    let same = earlier.is_some_and(|earlier| earlier.objects == objects);
                    return if same {
                        Ok(())
                    } else {
                        Err(Problem::Unusable(
                            "it is left out: an earlier object asset has the same UUID",
                        ))
                    };
                }
            }
        }
        self.assets.push(InventoryAsset { id, objects });
        Ok(())
    }

    /// Takes an item, and the path of its entry.
    pub(crate) fn refer(&mut self, entry: &str, item: InventoryItem) {
        self.items.push((entry.to_owned(), item));
    }

    /// Notes that an asset is inside objects of another.
    pub(crate) fn note_inside(&mut self, asset: Uuid) {
        self.inside.insert(asset);
    }

    /// The objects of all assets, in their order.
    pub(crate) fn into_assets(self) -> Vec<Object> {
        self.assets.into_iter().flat_map(|asset| asset.objects).collect()
    }

    /// Gives every item its objects. Those of an asset that several items refer to are copied while
    /// there is room. Assets that are `missing` are told, if they should be there.
    pub(crate) fn resolve(
        mut self,
        allowance: &Allowance,
        mut missing: Option<&mut ErrorLog>,
    ) -> Result<ResolvedInventory, Spent> {
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
                if let Some(told) = &mut missing {
                    let problem = Problem::MissingObject { id: item.asset };
                    told.add(Error::from(problem).in_entry(&entry));
                }
                continue;
            };
            left[at] -= 1;
            let objects = self.assets[at].lend(left[at] == 0, allowance)?;
            resolved.objects.extend(objects.into_iter().map(|o| placed(o, &item)));
        }
        for (asset, _) in self.assets.into_iter().zip(users).filter(|(_, users)| *users == 0) {
            let is_inside = asset.id.is_some_and(|id| self.inside.contains(&id));
            let into = if is_inside { &mut resolved.stowed } else { &mut resolved.objects };
            into.extend(asset.objects);
        }
        Ok(resolved)
    }
}

impl InventoryAsset {
    /// The objects for one more item: themselves for the last of them, else copies.
    fn lend(&mut self, is_last: bool, allowance: &Allowance) -> Result<Vec<Object>, Spent> {
        if is_last {
            return Ok(mem::take(&mut self.objects));
        }
        allowance.keep(self.objects.iter().map(Object::bytes).sum())?;
        Ok(self.objects.clone())
    }
}

fn placed(object: Object, item: &InventoryItem) -> Object {
    Object { place: Place::Inventory { path: item.path.clone() }, owner: item.owner, ..object }
}

#[cfg(test)]
mod tests {
    use super::path;

    const ID: &str = "a96a5b8d-5b93-4d9e-9c5e-000000000007";

    #[test]
    fn names_are_those_that_were_escaped() {
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
