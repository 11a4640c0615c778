use std::fs;
use std::path::Path;

use lodger_grid::dataset::DatasetTable;
use lodger_grid::ingest::IngestOptions;

use crate::samples::{
    archive, column, hash, id, ingest_error, ingest_paths, ingest_until, mesh, object, rows,
};

/// Writes a region with valid and invalid objects and meshes.
fn region(path: &Path) {
    archive(
        path,
        &[
            ("archive.xml".to_owned(), b"<archive/>".to_vec()),
            (format!("assets/{}_mesh.llmesh", id(1)), mesh(1)),
            (format!("assets/{}_mesh.llmesh", id(2)), b"no mesh".to_vec()),
            (format!("assets/{}_object.xml", id(3)), object(30, None, 0).into_bytes()),
            ("objects/table.xml".to_owned(), object(10, Some(1), 2).into_bytes()),
            ("objects/again.xml".to_owned(), object(10, Some(1), 0).into_bytes()),
            ("objects/bad.xml".to_owned(), b"<SceneObjectGroup/>".to_vec()),
        ],
    );
}

#[test]
fn a_region_is_read_as_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, out) = (folder.path().join("home.oar"), folder.path().join("out"));
    region(&path);
    let summary = ingest_paths(&[&path], &out, IngestOptions::default());
    assert_eq!((summary.assets, summary.bad), (4, 2));
    assert_eq!((summary.objects, summary.parts), (3, 5));
    let assets = rows(&out, DatasetTable::Assets);
    let row = |id: &str| {
        assets.iter().find(|row| row.get("id").is_some_and(|it| it == id)).expect("a row")
    };
    assert_eq!(row(&id(1))["hash"], hash(&mesh(1)).to_lowercase());
    assert!(row(&id(2)).contains_key("error"));
    assert_eq!((&*row(&id(3))["kind"], row(&id(3)).contains_key("error")), ("object", false));
    let fault = assets.iter().find(|row| !row.contains_key("id")).expect("a fault");
    assert_eq!(fault["kind"], "object");
    assert!(
        fault["error"].starts_with("an entry in objects: it is an object without parts"),
        "{fault:?}"
    );
    let mut parts = rows(&out, DatasetTable::Parts);
    parts.sort_by_key(|row| (row["object"].clone(), row["part"].clone()));
    let twice = format!("{}#2", id(10));
    assert_eq!(column(&parts, "object"), [id(3), id(10), id(10), id(10), twice]);
    assert_eq!(column(&parts, "region"), ["-", "home.oar", "home.oar", "home.oar", "home.oar"]);
    let owner = id(7002);
    assert_eq!(column(&parts, "owner"), ["-", &owner, &owner, &owner, &owner]);
    assert_eq!(column(&parts, "creator"), [&*id(7001); 5]);
    assert_eq!(column(&parts, "mesh"), ["-", &id(1), "-", "-", &id(1)]);
    assert_eq!(column(&parts, "kind"), ["plain", "mesh", "plain", "plain", "mesh"]);
    assert_eq!(column(&parts, "z"), ["0.5"; 5]);
    assert_eq!(column(&parts, "object_y"), ["2.0"; 5]);

    let again = ingest_paths(&[&path], &out, IngestOptions::default());
    assert_eq!((again.assets, again.parts, again.known), (0, 0, 1));
    assert_eq!(rows(&out, DatasetTable::Parts).len(), 5);
}

#[test]
fn an_inventory_has_neither_owner_nor_region() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, out) = (folder.path().join("mine.iar"), folder.path().join("out"));
    let two = format!(
        "<CoalescedObject>{}{}</CoalescedObject>",
        object(20, None, 0),
        object(21, Some(1), 0)
    );
    archive(
        &path,
        &[
            (format!("assets/{}_object.xml", id(5)), two.into_bytes()),
            (format!("assets/{}_mesh.llmesh", id(1)), mesh(1)),
        ],
    );
    let summary = ingest_paths(&[&path], &out, IngestOptions::default());
    assert_eq!((summary.assets, summary.bad, summary.objects, summary.parts), (2, 0, 2, 2));
    let parts = rows(&out, DatasetTable::Parts);
    assert_eq!(column(&parts, "object"), [id(5), format!("{}#2", id(5))]);
    assert_eq!(column(&parts, "owner"), ["-", "-"]);
    assert_eq!(column(&parts, "region"), ["-", "-"]);
    assert_eq!(column(&parts, "creator"), [&*id(7001); 2]);
}

#[test]
fn a_folder_holds_archives_meshes_and_objects() {
    let folder = tempfile::tempdir().expect("a folder");
    let (data, out) = (folder.path().join("data"), folder.path().join("out"));
    fs::create_dir_all(data.join("deeper")).expect("a folder");
    region(&data.join("home.oar"));
    fs::write(data.join("deeper").join(format!("{}.llmesh", id(9))), mesh(9)).expect("a file");
    fs::write(data.join("deeper/a table.llmesh"), mesh(8)).expect("a file");
    fs::write(data.join("deeper/b.llmesh"), "text").expect("a file");
    fs::write(data.join("x_object.xml"), object(40, None, 0)).expect("a file");
    let summary = ingest_paths(&[&data], &out, IngestOptions::default());
    assert_eq!((summary.assets, summary.bad, summary.objects), (7, 3, 4));
    let before = rows(&out, DatasetTable::Assets);
    assert_eq!(before.iter().filter(|row| row.get("id") == Some(&id(9))).count(), 1);
    let again = ingest_paths(&[&data, &data], &out, IngestOptions::default());
    assert_eq!((again.assets, again.parts), (0, 0));
    assert_eq!(rows(&out, DatasetTable::Assets), before);
}

#[test]
fn an_archive_that_is_cut_short_is_an_error_until_it_is_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, out) = (folder.path().join("home.oar"), folder.path().join("out"));
    region(&path);
    let whole = fs::read(&path).expect("an archive");
    fs::write(&path, &whole[..whole.len() / 2]).expect("half of it");
    let summary = ingest_paths(&[&path], &out, IngestOptions::default());
    assert_eq!((summary.assets, summary.bad, summary.parts), (1, 1, 0));
    let again = ingest_paths(&[&path], &out, IngestOptions::default());
    assert_eq!((again.assets, again.known, again.bad), (0, 1, 1));
    fs::write(&path, whole).expect("all of it");
    let then = ingest_paths(&[&path], &out, IngestOptions::default());
    assert_eq!((then.objects, then.parts), (3, 5));
}

#[test]
fn an_archive_that_was_stopped_is_read_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("home.oar");
    region(&path);
    let whole = folder.path().join("whole");
    ingest_paths(&[&path], &whole, IngestOptions::default());
    for point in 0..4 {
        let out = folder.path().join(format!("out{point}"));
        ingest_until(&[&path], &out, IngestOptions::default(), point);
        let found = rows(&out, DatasetTable::Parts).len();
        assert!(found == 0 || found == 5, "all or nothing, not {found}");
        ingest_paths(&[&path], &out, IngestOptions::default());
        for table in [DatasetTable::Assets, DatasetTable::Parts] {
            assert_eq!(rows(&out, table), rows(&whole, table), "at {point}");
        }
    }
}

#[test]
fn invalid_sources_are_rejected_before_anything_is_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let (photo, out) = (folder.path().join("photo.oar"), folder.path().join("out"));
    fs::write(&photo, b"\x89PNG\r\n\x1a\n").expect("a file");
    fs::create_dir(folder.path().join("empty")).expect("a folder");
    for (name, words) in [
        ("photo.oar", "it is a PNG image; a source is an archive"),
        ("nowhere.oar", "it cannot be opened"),
        ("empty", "no files named by their SHA-256"),
    ] {
        let error = ingest_error(&folder.path().join(name), &out);
        assert!(error.contains(words), "{error}");
    }
    assert!(!out.exists());
}
