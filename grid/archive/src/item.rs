//! The items of an inventory.
//!
//! Source: `OpenSimulator`, `UserInventoryItemSerializer.cs` (the XML), `ArchiveConstants.cs` (`__`
//! in front of the identifier) and `InventoryArchiveUtils.cs` (how names are escaped in paths).

use std::sync::Arc;

use uuid::Uuid;

use crate::clip::clipped;
use crate::problem::Problem;
use crate::raw::OBJECT;
use crate::value::{identifier, somebody, whole, wrong};
use crate::xml::{Cursor, decoded};

/// The root of an item, today and in the first archives.
const ROOTS: [&str; 2] = ["InventoryItem", "InventoryObject"];

/// What an item that is an object says.
#[derive(Debug)]
pub(crate) struct Item {
    /// The asset of the object.
    pub(crate) asset: Uuid,
    /// Who owns it.
    pub(crate) owner: Option<Uuid>,
    /// The names of its folders and its own.
    pub(crate) path: Arc<str>,
}

/// Reads the XML of an item that is at a path inside the inventory; `None` if it is no object.
pub(crate) fn read(inside: &str, xml: &[u8], nesting: usize) -> Result<Option<Item>, Problem> {
    let text = decoded(xml)?;
    let mut cursor = Cursor::new(&text, nesting);
    let root = cursor.root()?;
    if !ROOTS.contains(&root.as_str()) {
        return Err(Problem::WrongRoot { root: clipped(&root), expected: ROOTS[0] });
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
    Ok(Some(Item { asset, owner: somebody(owner), path: path(inside, name.trim()) }))
}

/// The names on a path: those of the folders, and that of the item, which its XML knows best.
fn path(inside: &str, own: &str) -> Arc<str> {
    let (folders, file) = inside.rsplit_once('/').unwrap_or(("", inside));
    let mut names: Vec<String> =
        folders.split('/').filter(|folder| !folder.is_empty()).map(name).collect();
    names.push(if own.is_empty() { name(without_ending(file)) } else { clipped(own) });
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
    clipped(&plain.replace("&#47;", "/").replace("&amp;", "&"))
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
