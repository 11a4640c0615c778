//! Repeated ingests, and assets whose bytes were missing.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use lodger_grid::dataset::{DatasetManifest, DatasetTable};
use lodger_grid::ingest::IngestOptions;

use crate::ingest_tables::dump;
use crate::samples::{
    Layout, archive, column, gzip, hash, id, ingest_paths, ingest_until, mesh, object,
    read_manifest, rows, sandbox, store,
};

fn few() -> IngestOptions {
    IngestOptions { file_rows: 2, ..IngestOptions::default() }
}

#[test]
fn a_file_that_is_named_twice_counts_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let (oars, out) = (folder.path().join("oars"), folder.path().join("out"));
    fs::create_dir(&oars).expect("a folder");
    let home = oars.join("home.oar");
    let entry = ("objects/table.xml".to_owned(), object(10, None, 2).into_bytes());
    archive(&home, &[("archive.xml".to_owned(), b"<archive/>".to_vec()), entry]);
    let summary = ingest_paths(&[&oars, &home], &out, IngestOptions::default());
    assert_eq!((summary.objects, summary.parts, summary.known), (1, 3, 1));
    assert_eq!(rows(&out, DatasetTable::Parts).len(), 3);
}

#[test]
fn an_asset_of_an_inventory_counts_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out");
    let nested = (format!("assets/{}_object.xml", id(3)), object(30, None, 1).into_bytes());
    let oars = ["one.oar", "two.oar"].map(|name| folder.path().join(name));
    for oar in &oars {
        archive(
            oar,
            &[
                ("archive.xml".to_owned(), b"<archive/>".to_vec()),
                ("objects/".to_owned(), Vec::new()),
                nested.clone(),
            ],
        );
    }
    let summary = ingest_paths(&[&oars[0], &oars[1]], &out, IngestOptions::default());
    assert_eq!((summary.assets, summary.objects, summary.parts), (1, 1, 2));
    let row = &rows(&out, DatasetTable::Assets)[0];
    assert_eq!((row["id"].clone(), &*row["kind"]), (id(3), "object"));
    assert!(!row.contains_key("error"));
    let again = ingest_paths(&[&oars[1]], &out, IngestOptions::default());
    assert_eq!((again.assets, again.objects, again.bad), (0, 0, 0));
}

/// Writes a table and a tree in which some files are missing or empty.
fn damaged(folder: &Path) -> std::path::PathBuf {
    let root = folder.join("data");
    let (good, missing, empty, xml) = (mesh(1), mesh(2), mesh(3), object(40, Some(1), 1));
    store(&root, Layout::OpenSim, &hash(&good), &good);
    store(&root, Layout::OpenSimGz, &hash(&empty), b"");
    let mut table = vec![(1, 49, hash(&good)), (2, 49, hash(&missing)), (3, 49, hash(&empty))];
    table.push((4, 6, hash(xml.as_bytes())));
    table.push((5, 49, hash(b"never")));
    dump(folder, &table)
}

fn mend(root: &Path) {
    let (missing, empty, xml) = (mesh(2), mesh(3), object(40, Some(1), 1));
    store(root, Layout::OpenSim, &hash(&missing), &missing);
    store(root, Layout::OpenSimGz, &hash(&empty), &empty);
    store(root, Layout::OpenSim, &hash(xml.as_bytes()), xml.as_bytes());
}

#[test]
fn recovered_files_are_read() {
    let (folder, root, out) = sandbox();
    let table = damaged(folder.path());
    let first = ingest_paths(&[&root, &table], &out, few());
    assert_eq!((first.assets, first.bad), (5, 4));
    let before = DatasetManifest::read(&out).expect("a manifest");
    let second = ingest_paths(&[&root, &table], &out, few());
    assert_eq!((second.assets, second.known, second.bad), (0, 5, 4), "they are tried again");
    assert_eq!(DatasetManifest::read(&out).expect("a manifest"), before);

    mend(&root);
    let third = ingest_paths(&[&root, &table], &out, few());
    assert_eq!((third.assets, third.known, third.bad), (3, 2, 1));
    assert_eq!((third.objects, third.parts), (1, 2));
    let whole = folder.path().join("whole");
    ingest_paths(&[&root, &table], &whole, few());
    for table in [DatasetTable::Assets, DatasetTable::Parts] {
        assert_eq!(rows(&out, table), rows(&whole, table));
    }
    let manifest = read_manifest(&out);
    assert!(manifest.sources.iter().all(|source| source.whole));
    let last = ingest_paths(&[&root, &table], &out, few());
    assert_eq!((last.assets, last.known, last.bad), (0, 5, 1));
}

#[test]
fn no_identifier_is_there_twice_while_rows_are_replaced() {
    let folder = tempfile::tempdir().expect("a folder");
    let (root, whole) = (folder.path().join("data"), folder.path().join("whole"));
    let table = damaged(folder.path());
    let stopped = |point: usize| {
        let out = folder.path().join(format!("out{point}"));
        ingest_paths(&[&root, &table], &out, few());
        mend(&root);
        let (_, calls) = ingest_until(&[&root, &table], &out, few(), point);
        (out, calls)
    };
    let (_, max) = stopped(usize::MAX);
    ingest_paths(&[&root, &table], &whole, few());
    for point in 0..max {
        fs::remove_dir_all(&root).expect("it is gone");
        damaged(folder.path());
        let (out, _) = stopped(point);
        let mut ids = column(&rows(&out, DatasetTable::Assets), "id");
        ids.sort();
        let count = ids.len();
        ids.dedup();
        assert_eq!(ids.len(), count, "at {point}");
        ingest_paths(&[&root, &table], &out, few());
        for table in [DatasetTable::Assets, DatasetTable::Parts] {
            assert_eq!(rows(&out, table), rows(&whole, table), "at {point}");
        }
    }
}

#[test]
fn a_file_without_a_table_is_tried_again_too() {
    let (_folder, root, out) = sandbox();
    let (bytes, good) = (mesh(1), mesh(2));
    store(&root, Layout::OpenSim, &hash(&good), &good);
    let path = store(&root, Layout::OpenSim, &hash(&bytes), b"");
    assert_eq!(ingest_paths(&[&root], &out, IngestOptions::default()).bad, 1);
    assert_eq!(ingest_paths(&[&root], &out, IngestOptions::default()).bad, 1);
    fs::write(path, &bytes).expect("a file");
    let then = ingest_paths(&[&root], &out, IngestOptions::default());
    assert_eq!((then.assets, then.known, then.bad), (1, 1, 0));
    assert_eq!(column(&rows(&out, DatasetTable::Assets), "error"), ["-", "-"]);
}

#[test]
fn a_tree_alone_adds_nothing_to_its_table() {
    let (folder, root, out) = sandbox();
    let bytes = mesh(1);
    store(&root, Layout::OpenSim, &hash(&bytes), &bytes);
    let table = dump(folder.path(), &[(1, 49, hash(&bytes))]);
    ingest_paths(&[&root, &table], &out, IngestOptions::default());
    let alone = ingest_paths(&[&root], &out, IngestOptions::default());
    assert_eq!((alone.assets, alone.known), (0, 1));
}

#[test]
fn the_good_one_of_two_files_wins_without_a_table_too() {
    let (_folder, root, out) = sandbox();
    let bytes = mesh(1);
    let empty = store(&root, Layout::OpenSim, &hash(&bytes), b"");
    fs::write(empty.with_extension("gz"), gzip(&bytes)).expect("a file");
    let summary = ingest_paths(&[&root], &out, IngestOptions::default());
    assert_eq!((summary.assets, summary.bad, summary.known), (1, 0, 0));
}

#[test]
fn links_to_folders_of_a_tree_are_followed() {
    let folder = tempfile::tempdir().expect("a folder");
    let (root, disk) = (folder.path().join("data"), folder.path().join("disk"));
    let bytes = mesh(1);
    let name = hash(&bytes);
    store(&disk, Layout::OsGrid, &name, &bytes);
    store(&root, Layout::OsGrid, &hash(b"0"), b"0");
    symlink(disk.join(&name[..3]), root.join(&name[..3])).expect("a link");
    // A link back to the root ends at the depth of the layout.
    symlink(&root, root.join("abc")).expect("a link");
    let summary = ingest_paths(&[&root], &folder.path().join("out"), IngestOptions::default());
    assert_eq!((summary.assets, summary.bad, summary.passed_over), (1, 0, 1));
}
