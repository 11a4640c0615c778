//! Unpacked archives, the XML of single objects, and objects that are selected from archives.

use lodger_testkit::build::archive::{ArchiveFile, PartXml, id, object_asset, region_object};
use lodger_testkit::build::mesh::good;
use serde_json::Value as Json;

use crate::run::{TestFolder, cost, json, lodger};

pub(crate) fn with_region(files: TestFolder, folder: &str) -> TestFolder {
    let chair = region_object(&PartXml::mesh("chair", &id(1)), &[PartXml::cube("foot")]);
    files
        .with(format!("{folder}/archive.xml"), "<archive major_version=\"0\" />")
        .with(format!("{folder}/assets/{}_mesh.llmesh", id(1)), good())
        .with(format!("{folder}/assets/{}_texture.jp2", id(2)), "\u{ff}O")
        .with(format!("{folder}/objects/chair__{}.xml", id(9)), chair)
}

fn names(report: &Json, list: &str, key: &str) -> Vec<String> {
    let rows = report[list].as_array().expect("a list");
    rows.iter().map(|row| row[key].as_str().expect("a name").to_owned()).collect()
}

#[test]
fn an_unpacked_archive_is_one_archive() {
    let folder = with_region(lodger(), "home");
    for path in ["home", "home/", "./home"] {
        let report = json(&folder, &[path]);
        assert_eq!(names(&report, "objects", "object"), ["chair"]);
        assert_eq!(names(&report, "objects", "file"), [path.trim_end_matches('/')]);
        assert_eq!(names(&report, "objects", "entry"), [format!("objects/chair__{}.xml", id(9))]);
        assert_eq!(
            (&report["files"], &report["errors"]),
            (&Json::Array(vec![]), &Json::Array(vec![]))
        );
    }
    let report = folder.run(&["lint", "home", "--format", "json"]).json();
    let mesh = format!("home/assets/{}_mesh.llmesh", id(1));
    assert_eq!(names(&report, "files", "file"), [mesh]);
    folder.run(&["linkset", "home"]).succeeds();
}

#[test]
fn errors_in_an_unpacked_archive_are_reported() {
    let folder = with_region(lodger(), "home")
        .with("home/objects/bad.xml", "<SceneObjectGroup>")
        .with("home/assets/x_mesh.llmesh", "nameless");
    let report = json(&folder, &["home"]);
    assert_eq!(names(&report, "objects", "object"), ["chair"]);
    let errors = names(&report, "errors", "error").join("\n");
    assert!(errors.contains("objects/bad.xml") && errors.contains("x_mesh.llmesh"), "{errors}");
}

#[cfg(unix)]
#[test]
fn links_in_an_unpacked_archive_are_not_followed() {
    use std::os::unix::fs::symlink;

    let folder = with_region(with_region(lodger(), "home"), "else");
    let chair = folder.path(format!("else/objects/chair__{}.xml", id(9)));
    symlink(chair, folder.path("home/objects/linked.xml")).expect("a link");
    symlink(folder.path("else/objects"), folder.path("home/regions")).expect("a link");
    symlink(folder.path("nowhere"), folder.path("home/assets/lost.xml")).expect("a link");
    let report = json(&folder, &["home"]);
    assert_eq!(names(&report, "objects", "object"), ["chair"]);
    assert_eq!(report["errors"], Json::Array(vec![]));
    symlink(folder.path("nowhere"), folder.path("lost.llmesh")).expect("a link");
    let report = json(&folder, &["."]);
    assert_eq!(names(&report, "errors", "file"), ["./lost.llmesh"]);
    let error = report["errors"][0]["error"].as_str().expect("a sentence");
    assert!(error.starts_with("it cannot be read: "), "{error}");
}

/// A region of a house, two lamps and a nested hammer, each with a mesh of its own.
fn houses() -> ArchiveFile {
    let thing = |name: &str, mesh| region_object(&PartXml::mesh(name, &id(mesh)), &[]);
    let hammer = object_asset(&PartXml::mesh("hammer", &id(4)), &[]);
    let archive = ArchiveFile::new()
        .with(&format!("objects/House_1-1-1__{}.xml", id(91)), thing("House", 1))
        .with(&format!("objects/Lamp_1-1-1__{}.xml", id(92)), thing("Lamp: red", 2))
        .with(&format!("objects/Lamp_2-2-2__{}.xml", id(93)), thing("Lamp: red", 3))
        .with(&format!("assets/{}_object.xml", id(94)), hammer);
    (1..=4).fold(archive, |archive, mesh| archive.with_mesh(&id(mesh), good()))
}

#[test]
fn objects_are_chosen_by_name_and_by_uuid() {
    let folder = lodger().with("region.oar", houses().gzip());
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
        assert_eq!(names(&report, "objects", "object"), found, "{path}");
        assert_eq!(report["objects"][0]["file"], path);
        assert_eq!(report["files"], Json::Array(vec![]), "other meshes are left out");
        assert_eq!(report["errors"], Json::Array(vec![]));
        assert_eq!(report["notes"].as_array().map(Vec::len), Some(0), "{}", report["notes"]);
    }
}

#[test]
fn a_missing_object_lists_the_existing_ones() {
    let folder = lodger().with("region.oar", houses().gzip());
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
    // A root without a UUID does not match the nil UUID.
    assert!(error("00000000-0000-0000-0000-000000000000").contains("no object"));
    cost(&folder, &["gone.oar:House", "--format", "json"]);
    let report = json(&folder, &["gone.oar:House"]);
    assert_eq!(report["errors"][0]["file"], "gone.oar:House");
    assert!(report["errors"][0]["error"].as_str().is_some_and(|e| e.contains("cannot be read")));
}

#[test]
fn a_file_with_a_colon_goes_first() {
    let mesh = good();
    let folder = lodger().with("region.oar", houses().gzip()).with("region.oar:House", &mesh);
    assert_eq!(json(&folder, &["region.oar:House"])["files"][0]["file"], "region.oar:House");
    let folder = lodger().with("a:b.oar", houses().gzip());
    assert_eq!(names(&json(&folder, &["a:b.oar:House"]), "objects", "object"), ["House"]);
    let lamps = json(&folder, &["a:b.oar:Lamp: red"]);
    assert_eq!(names(&lamps, "objects", "object").len(), 2);
}

#[test]
fn a_choice_wants_an_archive() {
    let folder = lodger().with("a.llmesh", good()).with("a.png", b"\x89PNG\r\n\x1a\n");
    for (path, kind) in [("a.llmesh:House", "a mesh asset"), ("a.png:House", "a PNG image")] {
        let error = json(&folder, &[path])["errors"][0]["error"].take();
        assert_eq!(error, format!("it is {kind}, and has no objects to choose from"));
    }
}
