//! Objects in an inventory, and objects nested in them.

use lodger_opensim::archive::{
    Archive, ArchiveError, ArchiveErrorKind, ArchiveKind, ArchiveLimits, Object, ObjectLocation,
};
use lodger_quota::{QuotaExceeded, QuotaLimits};
use lodger_testkit::build::archive::{
    ArchiveFile, NIL_ID, PartXml, coalesced, id, item, object_asset,
};

use super::{messages, names, read, read_all, read_all_sound, read_within, with_errors};

fn cube(name: &str, holding: &[&str]) -> String {
    object_asset(&PartXml::cube(name).holding(holding), &[])
}

#[track_caller]
fn path(object: &Object) -> &str {
    match &object.location {
        ObjectLocation::Inventory { path } => path,
        place => panic!("{place:?}"),
    }
}

/// Five objects in the inventory, of which the third holds four, and the fourth one that is in the inventory too.
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
fn nested_objects_are_not_in_the_inventory() {
    for bytes in [nested().tar(), nested().gzip()] {
        let archive = read_all_sound(&bytes);
        assert_eq!(archive.kind, ArchiveKind::Inventory);
        assert_eq!(
            names(&archive.objects),
            ["asset 0", "asset 1", "asset 2", "asset 3", "asset 4"]
        );
        assert_eq!(names(&archive.nested), ["asset 5", "asset 6", "asset 7", "asset 8"]);
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
        1 => file.with_item("A/B", "two", &id(3), NIL_ID),
        number => file.with_object(&id(number - 1), &cubes[number - 2]),
    };
    for order in [[0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [2, 0, 4, 1, 3], [3, 1, 2, 4, 0]] {
        let archive = read_all_sound(&order.into_iter().fold(ArchiveFile::new(), entry).tar());
        let mut found = names(&archive.objects);
        found.sort_unstable();
        assert_eq!((found, names(&archive.nested)), (vec!["a", "c"], vec!["b"]));
        let c = archive.objects.iter().find(|object| object.name() == "c").expect("it lies");
        assert_eq!((path(c), c.owner), ("A/B/two", None));
    }
}

#[test]
fn an_asset_is_where_its_items_are() {
    let three = coalesced(&[cube("a", &[]), cube("b", &[]), cube("c", &[])]);
    let bytes = ArchiveFile::new()
        .with_item("Here", "pile", &id(1), &id(5))
        .with_item("There", "pile & more/less", &id(1), &id(6))
        .with_object(&id(1), three)
        .with_object(&id(2), cube("found", &[]))
        .tar();
    let archive = read_all_sound(&bytes);
    assert_eq!(names(&archive.objects), ["a", "b", "c", "a", "b", "c", "found"]);
    assert_eq!(path(&archive.objects[2]), "Here/pile");
    assert_eq!(path(&archive.objects[3]), "There/pile & more/less");
    assert_eq!(archive.objects[3].root, archive.objects[0].root);
    assert_eq!(archive.objects[6].location, ObjectLocation::Unknown);
}

#[test]
fn a_broken_item_is_an_error_of_its_own() {
    let at = |number| format!("inventory/Objects__{}/a__{}.xml", id(1), id(number));
    let good = || ArchiveFile::new().with_item("", "good", &id(1), NIL_ID);
    let file = good().with_object(&id(1), cube("a", &[]));
    let errors = |xml: &str| {
        let archive = read_all(&file.clone().with(&at(3), xml).tar());
        assert_eq!(names(&archive.objects), ["a"]);
        messages(&archive.errors)
    };
    for (xml, message) in [
        ("<InventoryItem><Name>", "its XML cannot be read at byte 21: it is cut short"),
        ("<Settings />", "it is a `Settings`, and no `InventoryItem`"),
        (&item("a", 6, "x", NIL_ID), "`AssetID` is `x`, but must be the UUID of an object"),
        ("<InventoryItem><AssetType>6</AssetType></InventoryItem>", "`AssetID` is missing"),
        (
            "<InventoryItem><AssetType>six</AssetType></InventoryItem>",
            "`AssetType` is `six`, but must be an integer",
        ),
        (
            &item("a", 6, &id(2), NIL_ID),
            &format!("the object that it refers to, {}, is not in the archive", id(2)),
        ),
    ] {
        assert_eq!(errors(xml), [format!("{}: {message}", at(3))]);
    }
    // A texture, a link, and an item without a type.
    for xml in [&item("a", 0, &id(2), NIL_ID), &item("a", 24, &id(2), NIL_ID), "<InventoryItem />"]
    {
        assert!(errors(xml).is_empty());
    }
}

#[test]
fn a_broken_asset_is_not_missing() {
    let bytes = ArchiveFile::new()
        .with_item("", "broken", &id(1), NIL_ID)
        .with_item("", "large", &id(2), NIL_ID)
        .with_object(&id(1), "<SceneObjectGroup />")
        .with_object(&id(2), vec![b' '; 4_000])
        .tar();
    let limits = ArchiveLimits { entry_bytes: 2_000, ..ArchiveLimits::default() };
    let archive = with_errors(read(&bytes[..], limits), 2);
    assert!(archive.errors[0].to_string().ends_with("it is an object without parts"));
    assert!(matches!(archive.errors[1].kind(), ArchiveErrorKind::EntryTooLarge { .. }));
}

#[test]
fn a_truncated_archive_has_no_missing_assets() {
    let whole = nested().tar();
    let found =
        |end: usize| read(&whole[..end], ArchiveLimits::default()).expect("an archive").errors;
    let missing =
        |end| messages(&found(end)).iter().any(|text| text.ends_with("is not in the archive"));
    assert!((4_096..whole.len() - 1_024).step_by(300).all(|end| !missing(end)));
    let limits = ArchiveLimits { entries: 7, ..ArchiveLimits::default() };
    with_errors(read(&whole[..], limits), 1);
}

#[test]
fn cyclic_nesting_ends() {
    let bytes = ArchiveFile::new()
        .with_object(&id(1), cube("a", &[&id(2)]))
        .with_object(&id(2), cube("b", &[&id(1)]))
        .with_object(&id(3), cube("itself", &[&id(3), NIL_ID]))
        .tar();
    let archive = read_all_sound(&bytes);
    assert_eq!((names(&archive.objects), names(&archive.nested)), (vec!["itself"], vec!["a", "b"]));
}

#[test]
fn an_unreadable_object_still_holds_others() {
    let broken = cube("broken", &[&id(2)]).replace("<X>1</X>", "<X>wide</X>");
    let file = ArchiveFile::new().with_object(&id(1), broken);
    let archive =
        read(&file.with_object(&id(2), cube("held", &[])).tar()[..], ArchiveLimits::default());
    let archive = with_errors(archive, 1);
    assert_eq!((archive.objects.len(), names(&archive.nested)), (0, vec!["held"]));
}

#[test]
fn a_repeated_object_asset_counts_once() {
    let twice = |second: &str| {
        let file = ArchiveFile::new().with_object(&id(1), cube("a", &[]));
        read_all(&file.with_object(&id(1), cube(second, &[])).tar())
    };
    let same = with_errors(Ok(twice("a")), 0);
    assert_eq!(same.objects.len(), 1);
    let other = twice("b");
    assert_eq!(names(&other.objects), ["a"]);
    assert!(other.errors[0].to_string().contains("an earlier object asset has the same UUID"));
}

/// An archive of `items` items that refer to one asset of 3 000 parts.
fn many(items: usize) -> Result<Archive, ArchiveError> {
    let parts = vec![PartXml::cube("part"); 3_000];
    let large = object_asset(&PartXml::cube("large"), &parts);
    let mut file = ArchiveFile::new().with_object(&id(1), large);
    for _ in 0..items {
        file = file.with("inventory/a.xml", item("a", 6, &id(1), NIL_ID));
    }
    read_within(&file.tar()[..], QuotaLimits { memory: 128 << 20, ..QuotaLimits::default() })
}

#[test]
fn copies_stay_within_the_quota() {
    let few = with_errors(many(20), 0);
    assert_eq!(few.objects.len(), 20);
    let error = many(100_000).expect_err("too many");
    assert_eq!(error.quota_exceeded(), Some(QuotaExceeded::Memory { limit: 128 << 20 }));
}
