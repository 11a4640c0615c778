//! Objects that are chosen from archives.

use lodger_testkit::build::archive::{
    ArchiveFile, PartXml, coalesced, id, object_asset, region_object,
};
use lodger_testkit::build::mesh::good;
use serde_json::Value as Json;

use crate::cost_fixtures::{cost, json};
use crate::run::lodger;
use crate::unpacked::with_region;

/// A region of a house, two lamps and a stowed hammer, each of a mesh of its own.
fn region() -> ArchiveFile {
    let thing = |name: &str, mesh| region_object(&PartXml::mesh(name, &id(mesh)), &[]);
    let hammer = object_asset(&PartXml::mesh("hammer", &id(4)), &[]);
    let archive = ArchiveFile::new()
        .with(&format!("objects/House_1-1-1__{}.xml", id(91)), thing("House", 1))
        .with(&format!("objects/Lamp_1-1-1__{}.xml", id(92)), thing("Lamp: red", 2))
        .with(&format!("objects/Lamp_2-2-2__{}.xml", id(93)), thing("Lamp: red", 3))
        .with(&format!("assets/{}_object.xml", id(94)), hammer);
    (1..=4).fold(archive, |archive, mesh| archive.with_mesh(&id(mesh), good()))
}

fn objects(report: &Json) -> Vec<&str> {
    let rows = report["objects"].as_array().expect("a list");
    rows.iter().map(|row| row["object"].as_str().expect("a name")).collect()
}

#[test]
fn objects_are_chosen_by_name_and_by_uuid() {
    let folder = lodger().with("region.oar", region().gzip());
    for (choice, found) in [
        ("House", &["House"][..]),
        ("Lamp: red", &["Lamp: red", "Lamp: red"]),
        (&id(93), &["Lamp: red"]),
        (&id(93).to_uppercase(), &["Lamp: red"]),
        ("hammer", &["hammer"]),
        (&id(94), &["hammer"]),
    ] {
        let path = format!("region.oar:{choice}");
        let report = json(&folder, &[&path]);
        assert_eq!(objects(&report), found, "{path}");
        assert_eq!(report["objects"][0]["file"], path);
        assert_eq!(report["files"], Json::Array(vec![]), "other meshes are left out");
        assert_eq!(report["errors"], Json::Array(vec![]));
        assert_eq!(report["notes"].as_array().map(Vec::len), Some(0), "{}", report["notes"]);
    }
}

#[test]
fn all_objects_of_an_asset_have_its_uuid() {
    let object = |name: &str| object_asset(&PartXml::cube(name), &[]);
    let both = coalesced(&[object("one"), object("two")]);
    let archive = ArchiveFile::new()
        .with(&format!("assets/{}_object.xml", id(7)), both)
        .with(&format!("assets/{}_object.xml", id(8)), object("three"));
    let folder = lodger().with("mine.iar", archive.gzip());
    assert_eq!(objects(&json(&folder, &[&format!("mine.iar:{}", id(7))])), ["one", "two"]);
}

#[test]
fn what_is_not_there_is_answered_with_what_is() {
    let folder = lodger().with("region.oar", region().gzip());
    let error = |choice: &str| {
        let report = json(&folder, &[&format!("region.oar:{choice}")]);
        report["errors"][0]["error"].as_str().expect("a sentence").to_owned()
    };
    let near = "it has no object called `house` or with this UUID; the nearest name is `House`";
    assert_eq!(error("house"), near);
    assert!(error("lamp").contains("`Lamp: red`"), "{}", error("lamp"));
    let far = "it has no object called `xyzzyxyzzy` or with this UUID";
    assert_eq!(error("xyzzyxyzzy"), far);
    assert!(error(&id(99)).starts_with(&format!("it has no object called `{}`", id(99))));
    // A root without a UUID is not the one with the UUID of nobody.
    assert!(error("00000000-0000-0000-0000-000000000000").contains("no object"));
    cost(&folder, &["gone.oar:House", "--format", "json"]);
    let report = json(&folder, &["gone.oar:House"]);
    assert_eq!(report["errors"][0]["file"], "gone.oar:House");
    assert!(report["errors"][0]["error"].as_str().is_some_and(|e| e.contains("cannot be read")));
}

#[test]
fn a_file_with_a_colon_goes_first() {
    let mesh = good();
    let folder = lodger().with("region.oar", region().gzip()).with("region.oar:House", &mesh);
    assert_eq!(json(&folder, &["region.oar:House"])["files"][0]["file"], "region.oar:House");
    let folder = lodger().with("a:b.oar", region().gzip());
    assert_eq!(objects(&json(&folder, &["a:b.oar:House"])), ["House"]);
    assert_eq!(objects(&json(&folder, &["a:b.oar:Lamp: red"])).len(), 2);
}

#[test]
fn a_choice_wants_an_archive() {
    let folder = lodger().with("a.llmesh", good()).with("a.png", b"\x89PNG\r\n\x1a\n");
    for (path, kind) in [("a.llmesh:House", "a mesh asset"), ("a.png:House", "a PNG image")] {
        let error = json(&folder, &[path])["errors"][0]["error"].take();
        assert_eq!(error, format!("it is {kind}, and has no objects to choose from"));
    }
}

#[test]
fn unpacked_archives_and_objects_by_themselves_have_choices() {
    let object = |name: &str| object_asset(&PartXml::cube(name), &[]);
    let folder = with_region(lodger(), "home")
        .with("both_object.xml", coalesced(&[object("one"), object("two")]));
    assert_eq!(objects(&json(&folder, &["home:chair"])), ["chair"]);
    assert_eq!(objects(&json(&folder, &["both_object.xml:two"])), ["two"]);
    assert_eq!(objects(&json(&folder, &["both_object.xml"])), ["one", "two"]);
}
