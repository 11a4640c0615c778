//! What lies in an inventory, and what is inside of it.

use super::archive_files::{ArchiveFile, NOBODY, PartXml, coalesced, id, item, object_asset};
use super::{read, read_all, read_within, sound};
use lodger_allowance::{Limits as Allowed, Spent};
use lodger_opensim::archive::{Archive, ArchiveKind, Error, Limits, Object, Place, Problem};

fn cube(name: &str, holding: &[&str]) -> String {
    object_asset(&PartXml::cube(name).holding(holding), &[])
}

fn names(objects: &[Object]) -> Vec<&str> {
    objects.iter().map(Object::name).collect()
}

#[track_caller]
fn path(object: &Object) -> &str {
    match &object.place {
        Place::Inventory { path } => path,
        place => panic!("{place:?}"),
    }
}

/// Five objects that lie, of which the third holds four, and the fourth one that lies too.
fn nested() -> ArchiveFile {
    let assets: Vec<_> = (10..20).map(id).collect();
    let held: Vec<_> = assets[5..9].iter().map(String::as_str).collect();
    let mut file = ArchiveFile::new();
    for (number, asset) in assets.iter().enumerate().take(5) {
        file = file.with_item("Objects", &format!("item {number}"), asset, &id(number + 1));
    }
    for (number, asset) in assets.iter().enumerate().take(9) {
        let holding = match number {
            2 => &held[..],
            3 => &[assets[0].as_str()],
            _ => &[],
        };
        file = file.with_object(asset, cube(&format!("asset {number}"), holding));
    }
    file
}

#[test]
fn what_is_inside_does_not_lie_in_it() {
    for bytes in [nested().tar(), nested().gzip()] {
        let archive = read_all(&bytes);
        assert_eq!(archive.kind, ArchiveKind::Inventory);
        sound(&archive.errors);
        assert_eq!(
            names(&archive.objects),
            ["asset 0", "asset 1", "asset 2", "asset 3", "asset 4"]
        );
        assert_eq!(names(&archive.stowed), ["asset 5", "asset 6", "asset 7", "asset 8"]);
        assert_eq!(path(&archive.objects[2]), "Objects/item 2");
        let owners = archive.objects.iter().map(|object| object.owner.map(|id| id.to_string()));
        assert!(owners.eq((1..6).map(|number| Some(id(number)))));
    }
}

#[test]
fn the_order_of_entries_does_not_matter() {
    let cubes = [cube("a", &[&id(2)]), cube("b", &[]), cube("c", &[])];
    let entry = |file: ArchiveFile, number: usize| match number {
        0 => file.with_item("", "one", &id(1), &id(7)),
        1 => file.with_item("A/B", "two", &id(3), NOBODY),
        number => file.with_object(&id(number - 1), &cubes[number - 2]),
    };
    for order in [[0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [2, 0, 4, 1, 3], [3, 1, 2, 4, 0]] {
        let archive = read_all(&order.into_iter().fold(ArchiveFile::new(), entry).tar());
        sound(&archive.errors);
        let mut found = names(&archive.objects);
        found.sort_unstable();
        assert_eq!((found, names(&archive.stowed)), (vec!["a", "c"], vec!["b"]));
        let c = archive.objects.iter().find(|object| object.name() == "c").expect("it lies");
        assert_eq!((path(c), c.owner), ("A/B/two", None));
    }
}

#[test]
fn an_asset_lies_where_its_items_say() {
    let three = coalesced(&[cube("a", &[]), cube("b", &[]), cube("c", &[])]);
    let bytes = ArchiveFile::new()
        .with_item("Here", "pile", &id(1), &id(5))
        .with_item("There", "pile & more/less", &id(1), &id(6))
        .with_object(&id(1), three)
        .with_object(&id(2), cube("found", &[]))
        .tar();
    let archive = read_all(&bytes);
    sound(&archive.errors);
    assert_eq!(names(&archive.objects), ["a", "b", "c", "a", "b", "c", "found"]);
    assert_eq!(path(&archive.objects[2]), "Here/pile");
    assert_eq!(path(&archive.objects[3]), "There/pile & more/less");
    assert_eq!(archive.objects[3].root, archive.objects[0].root);
    assert_eq!(archive.objects[6].place, Place::Unknown);
}

#[test]
fn a_broken_item_is_an_error_of_its_own() {
    let at = |number| format!("inventory/Objects__{}/a__{}.xml", id(1), id(number));
    let good = || ArchiveFile::new().with_item("", "good", &id(1), NOBODY);
    let file = good().with_object(&id(1), cube("a", &[]));
    let said = |xml: &str| {
        let archive = read_all(&file.clone().with(&at(3), xml).tar());
        assert_eq!(names(&archive.objects), ["a"]);
        archive.errors.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let refused = |xml: &str, expected: &str| {
        let said = said(xml);
        assert_eq!(said, [format!("{}: {expected}", at(3))]);
    };
    refused("<InventoryItem><Name>", "its XML cannot be read at byte 21: it is cut short");
    refused("<Settings />", "it is a `Settings`, and no `InventoryItem`");
    refused(&item("a", 6, "x", NOBODY), "`AssetID` is `x`, but must be the UUID of an object");
    refused("<InventoryItem><AssetType>6</AssetType></InventoryItem>", "`AssetID` is missing");
    let odd = "<InventoryItem><AssetType>six</AssetType></InventoryItem>";
    refused(odd, "`AssetType` is `six`, but must be a whole number");
    let lost = format!("the object that it refers to, {}, is not in the archive", id(2));
    refused(&item("a", 6, &id(2), NOBODY), &lost);
    // A texture, a link, and nothing.
    for kind in [0, 24] {
        assert!(said(&item("a", kind, &id(2), NOBODY)).is_empty());
    }
    assert!(said("<InventoryItem />").is_empty());
}

#[test]
fn a_broken_asset_is_not_missing() {
    let bytes = ArchiveFile::new()
        .with_item("", "broken", &id(1), NOBODY)
        .with_item("", "large", &id(2), NOBODY)
        .with_object(&id(1), "<SceneObjectGroup />")
        .with_object(&id(2), vec![b' '; 4_000])
        .tar();
    let limits = Limits { entry_bytes: 2_000, ..Limits::default() };
    let archive = read(&bytes[..], limits).expect("an archive");
    assert_eq!(archive.errors.len(), 2, "{:?}", archive.errors);
    assert!(matches!(archive.errors[0].problem(), Problem::NoParts));
    assert!(matches!(archive.errors[1].problem(), Problem::EntryTooLarge { .. }));
}

#[test]
fn what_is_behind_a_break_is_not_missing() {
    let whole = nested().tar();
    let found = |end: usize| read(&whole[..end], Limits::default()).expect("an archive").errors;
    let missing =
        |end| found(end).iter().any(|e| matches!(e.problem(), Problem::MissingObject { .. }));
    assert!((4_096..whole.len() - 1_024).step_by(300).all(|end| !missing(end)));
    let limits = Limits { entries: 7, ..Limits::default() };
    let archive = read(&whole[..], limits).expect("an archive");
    assert_eq!(archive.errors.len(), 1, "{:?}", archive.errors);
}

#[test]
fn circles_end() {
    let bytes = ArchiveFile::new()
        .with_object(&id(1), cube("a", &[&id(2)]))
        .with_object(&id(2), cube("b", &[&id(1)]))
        .with_object(&id(3), cube("itself", &[&id(3), NOBODY]))
        .tar();
    let archive = read_all(&bytes);
    sound(&archive.errors);
    assert_eq!((names(&archive.objects), names(&archive.stowed)), (vec!["itself"], vec!["a", "b"]));
}

#[test]
fn an_object_that_cannot_be_read_holds_others_all_the_same() {
    let broken = cube("broken", &[&id(2)]).replace("<X>1</X>", "<X>wide</X>");
    let file = ArchiveFile::new().with_object(&id(1), broken);
    let archive = read_all(&file.with_object(&id(2), cube("held", &[])).tar());
    assert_eq!((archive.objects.len(), names(&archive.stowed)), (0, vec!["held"]));
    assert_eq!(archive.errors.len(), 1);
}

#[test]
fn an_object_asset_that_comes_twice_counts_once() {
    let twice = |second: &str| {
        let file = ArchiveFile::new().with_object(&id(1), cube("a", &[]));
        read_all(&file.with_object(&id(1), cube(second, &[])).tar())
    };
    let same = twice("a");
    sound(&same.errors);
    assert_eq!(same.objects.len(), 1);
    let other = twice("b");
    assert_eq!(names(&other.objects), ["a"]);
    assert!(other.errors[0].to_string().contains("an earlier object asset has the same UUID"));
}

/// So many items that refer to one asset of 3 000 parts.
fn many(items: usize) -> Result<Archive, Error> {
    let parts = vec![PartXml::cube("part"); 3_000];
    let large = object_asset(&PartXml::cube("large"), &parts);
    let mut file = ArchiveFile::new().with_object(&id(1), large);
    for _ in 0..items {
        file = file.with("inventory/a.xml", item("a", 6, &id(1), NOBODY));
    }
    read_within(&file.tar()[..], Allowed { memory: 128 << 20, ..Allowed::default() })
}

#[test]
fn copies_take_no_more_memory_than_they_may() {
    let few = many(20).expect("an archive");
    sound(&few.errors);
    assert_eq!(few.objects.len(), 20);
    let error = many(100_000).expect_err("too many");
    assert_eq!(error.spent(), Some(Spent::Memory { limit: 128 << 20 }));
}
