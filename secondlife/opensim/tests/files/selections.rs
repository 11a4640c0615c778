//! Selection of objects from an archive, and objects as inputs of linking.

use lodger_core::linkability::LinkPrim;
use lodger_opensim::archive::{ArchiveLimits, Object, ObjectLocation, read_objects};
use lodger_opensim::files::{
    FileErrorKind, InputSource, ObjectCandidate, link_objects, link_parts, single_object,
};
use lodger_testkit::build::archive::{
    ArchiveFile, PartXml, cube, id, object_asset, region_object, showing,
};

use crate::{Folder, MESH, names, plenty};

fn folder() -> Folder {
    let object = |name: &str, mesh| showing(name, &id(mesh));
    let archive = ArchiveFile::new()
        .with(&format!("objects/a__{}.xml", id(91)), object("House", 1))
        .with(&format!("objects/b__{}.xml", id(92)), object("Lamp", 2))
        .with("objects/c.xml", object("Lamp", 3))
        .with(
            &format!("assets/{}_object.xml", id(94)),
            object_asset(&PartXml::cube("nested"), &[]),
        );
    let archive = (1..=3).fold(archive, |archive, mesh| archive.with_mesh(&id(mesh), MESH));
    Folder::new().with("region.oar", archive.gzip())
}

#[test]
fn a_selection_keeps_the_objects_and_their_meshes() {
    let folder = folder();
    for (selection, objects, meshes) in [
        ("House".to_owned(), &["House"][..], 1),
        (id(92), &["Lamp"], 1),
        ("Lamp".to_owned(), &["Lamp", "Lamp"], 2),
        ("nested".to_owned(), &["nested"], 0),
        (id(94), &["nested"], 0),
    ] {
        let archive = folder.archive(&format!("region.oar:{selection}"));
        assert_eq!(names(&archive), objects);
        assert_eq!((archive.meshes.len(), archive.nested.len()), (meshes, 0), "{selection}");
    }
}

#[test]
fn an_unknown_name_is_answered_with_similar_names() {
    let folder = folder();
    let error = folder.open("region.oar:lam").expect_err("there is none");
    let FileErrorKind::NoSuchObject { wanted, nearest } = error.kind() else {
        panic!("{error}");
    };
    assert_eq!((&**wanted, &**nearest), ("lam", &["Lamp".to_owned()][..]));
    let all = "it has no object called `` or with this UUID; the nearest names are `House`, `Lamp`";
    assert!(folder.error_message("region.oar:").starts_with(all));
}

#[test]
fn a_source_has_the_name_of_its_file_without_the_selection() {
    let folder = folder();
    let source = InputSource::from_path(&folder.path("region.oar:a: b"));
    assert_eq!(source.file_name(), folder.path("region.oar").display().to_string());
    assert_eq!(source.name(), folder.path("region.oar:a: b").display().to_string());
    let other = InputSource::from_path(&folder.path("gone.oar:a"));
    assert_eq!(other.file_name(), other.name());
}

#[test]
fn a_single_object_is_one_or_an_error_with_candidates() {
    let folder = folder();
    let source =
        |selection: &str| InputSource::from_path(&folder.path(&format!("region.oar:{selection}")));
    let objects = |selection: &str| folder.archive(&format!("region.oar:{selection}")).objects;
    let one = single_object(&source("House"), objects("House")).expect("one");
    assert_eq!(one.name(), "House");
    let error = single_object(&source("Lamp"), objects("Lamp")).expect_err("two");
    let FileErrorKind::Several { candidates, .. } = error.kind() else { panic!("{error}") };
    assert_eq!(candidates.len(), 2);
    assert!(candidates[0].to_string().contains(&id(92)), "{}", candidates[0]);
    let file = folder.path("region.oar");
    let message = format!("means 2 objects; choose one by its UUID, as `{}:UUID`", file.display());
    assert!(error.to_string().ends_with(&message), "{error}");
    let none = single_object(&source("House"), Vec::new()).expect_err("none");
    assert!(matches!(none.kind(), FileErrorKind::NoObjects));
    assert_eq!(&*ObjectCandidate::from_object(&one).name, "House");
}

#[test]
fn roots_have_uuids_and_items_have_paths() {
    let root = |name: &str, number| PartXml::cube(name).id(&id(number));
    let region = ArchiveFile::new()
        .with("objects/a.xml", region_object(&root("a", 71), &[root("part", 72)]))
        .with("objects/b.xml", cube("b"));
    let inventory = ArchiveFile::new()
        .with_item("Furniture/Old/", "My chair", &id(1), &id(60))
        .with_object(&id(1), object_asset(&root("chair", 73), &[]))
        .with_item("", "My chairs", &id(2), &id(60))
        .with_object(&id(2), object_asset(&root("stool", 74), &[]));
    let folder = Folder::new().with("a.oar", region.gzip()).with("b.iar", inventory.gzip());
    let found = |path: &str| names(&folder.archive(path)).join(" ");
    assert_eq!(found(&format!("a.oar:{}", id(71))), "a");
    assert!(folder.open(&format!("a.oar:{}", id(72))).is_err(), "not a root");
    assert!(folder.open("a.oar:00000000-0000-0000-0000-000000000000").is_err(), "nil");
    for selection in
        ["chair", "My chair", "Old/My chair", "Furniture/Old/My chair", &id(73), &id(1)]
    {
        assert_eq!(found(&format!("b.iar:{selection}")), "chair", "{selection}");
    }
    assert_eq!(found("b.iar:My chairs"), "stool");
    assert!(folder.open("b.iar:y chair").is_err(), "half a name");
    assert!(folder.error_message("b.iar:my chair").contains("`My chair`"));
}

/// An object with a part at an offset of 2 m along x.
fn object(name: &str, place: ObjectLocation, rotation: [f64; 4]) -> Object {
    let part = PartXml::cube("part").scale("1", "2", "3");
    let part = part.with("OffsetPosition", "<X>2</X><Y>0</Y><Z>0</Z>");
    let xml = region_object(&PartXml::cube(name), &[part]);
    let mut found =
        read_objects("a.xml", xml.as_bytes(), ArchiveLimits::default(), &plenty()).expect("little");
    let mut object = found.objects.pop().expect("an object");
    object.location = place;
    object.rotation = rotation;
    object
}

const UPRIGHT: [f64; 4] = [0.0, 0.0, 0.0, 1.0];

fn at(position: [f64; 3]) -> ObjectLocation {
    ObjectLocation::Region { region: None, position }
}

#[test]
fn parts_become_pieces() {
    let inputs = link_parts(&object("root", ObjectLocation::Unknown, UPRIGHT));
    assert_eq!(&*inputs[0].name, "root");
    let part = LinkPrim { position: [2.0, 0.0, 0.0], scale: [1.0, 2.0, 3.0] };
    assert_eq!((&*inputs[1].name, inputs[1].prims[0]), ("part", part));
}

#[test]
fn objects_become_pieces_in_their_region() {
    let half = 0.5_f64.sqrt();
    let turned = object("a", at([10.0, 20.0, 30.0]), [0.0, 0.0, half, half]);
    let inputs =
        link_objects(&[turned, object("a", at([1.0, 0.0, 0.0]), UPRIGHT)]).expect("a region");
    assert_eq!((&*inputs[0].name, &*inputs[1].name), ("a #1", "a #2"));
    let cube = |position| LinkPrim { position, scale: [1.0; 3] };
    assert_eq!(inputs[0].prims[0], cube([10.0, 20.0, 30.0]));
    let [x, y, z] = inputs[0].prims[1].position;
    assert!(
        (x - 10.0).abs() < 1e-12 && (y - 22.0).abs() < 1e-12 && (z - 30.0).abs() < 1e-12,
        "{x} {y} {z}"
    );
    assert_eq!(inputs[1].prims[0], cube([1.0, 0.0, 0.0]));
}

#[test]
fn objects_without_a_common_region_are_rejected() {
    let (here, nowhere) = (object("here", at([0.0; 3]), UPRIGHT), ObjectLocation::Unknown);
    let error =
        link_objects(&[here.clone(), object("lost", nowhere, UPRIGHT)]).expect_err("nowhere");
    assert!(error.to_string().starts_with("`lost` stands in no region"), "{error}");
    let away = ObjectLocation::Region { region: Some("1_1_away".into()), position: [0.0; 3] };
    let error = link_objects(&[here, object("away", away, UPRIGHT)]).expect_err("another region");
    assert_eq!(error.to_string(), "`here` and `away` stand in different regions");
}
