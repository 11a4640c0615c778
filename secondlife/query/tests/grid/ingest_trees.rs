use std::fs;
use std::num::NonZero;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use lodger_grid::dataset::{DatasetManifest, DatasetTable, SourceKind};
use lodger_grid::ingest::{IngestOptions, IngestProgress, SourceSpec, ingest};
use lodger_terminal::with_threads;

use crate::samples::{
    LAYOUTS, Layout, Row, column, gzip, hash, ingest_error, ingest_paths, ingest_until, mesh,
    object, read_manifest, rows, sandbox, store,
};

pub(crate) fn tree(root: &Path, meshes: u32) {
    for number in 0..meshes {
        let bytes = mesh(number);
        let layout = LAYOUTS[number as usize % LAYOUTS.len()];
        store(root, layout, &hash(&bytes), &bytes);
        if number % 4 == 0 {
            let xml = object((u128::from(number) << 32) | 1, Some(u128::from(number) + 1), 2);
            store(root, layout, &hash(xml.as_bytes()), xml.as_bytes());
        }
    }
}

fn few() -> IngestOptions {
    IngestOptions { file_rows: 8, ..IngestOptions::default() }
}

#[test]
fn both_layouts_plain_and_compressed_are_read_by_content() {
    for (number, layout) in (0..).zip(LAYOUTS) {
        let (_folder, root, out) = sandbox();
        let (bytes, xml) = (mesh(number), object(5, Some(9), 1));
        store(&root, layout, &hash(&bytes), &bytes);
        store(&root, layout, &hash(xml.as_bytes()).to_lowercase(), xml.as_bytes());
        store(&root, layout, &hash(b"\xff\x4f\xff\x51 a texture"), b"\xff\x4f\xff\x51 a texture");
        fs::write(root.join("readme.txt"), "hello").expect("a file");
        let summary = ingest_paths(&[&root], &out, IngestOptions::default());
        let counts =
            (summary.assets, summary.bad, summary.objects, summary.parts, summary.passed_over);
        assert_eq!(counts, (2, 0, 1, 2, 1), "{layout:?}");
        let assets = rows(&out, DatasetTable::Assets);
        let of = |kind: &str| -> Row {
            assets.iter().find(|row| row["kind"] == kind).expect("a row").clone()
        };
        assert_eq!(of("mesh")["hash"], hash(&bytes).to_lowercase());
        assert_eq!(of("mesh")["bytes"], bytes.len().to_string());
        assert_eq!(of("mesh")["high_triangles"], (2 * (4 + number)).to_string());
        assert!(!of("mesh").contains_key("id"));
        assert_eq!(of("object")["hash"], hash(xml.as_bytes()).to_lowercase());
        let mut parts = rows(&out, DatasetTable::Parts);
        parts.sort_by_key(|row| row["part"].clone());
        assert_eq!(column(&parts, "object"), [&*hash(xml.as_bytes()).to_lowercase(); 2]);
        assert_eq!(column(&parts, "part"), ["1", "2"]);
        assert_eq!(column(&parts, "owner"), ["-", "-"]);
        assert_eq!(column(&parts, "region"), ["-", "-"]);
        assert_eq!(column(&parts, "name"), ["-", "-"]);
        assert_eq!(column(&parts, "kind"), ["mesh", "plain"]);
        let manifest = read_manifest(&out);
        assert_eq!(manifest.sources[0].kind, SourceKind::FsAssets);
        assert!(manifest.sources[0].whole);
    }
}

#[test]
fn a_bad_file_is_a_row_with_its_error() {
    let (_folder, root, out) = sandbox();
    let good = mesh(0);
    store(&root, Layout::OpenSim, &hash(&good), &good);
    let empty = hash(b"empty");
    store(&root, Layout::OpenSim, &empty, b"");
    let lies = hash(b"lies");
    store(&root, Layout::OpenSim, &lies, &mesh(2));
    let cut = hash(&mesh(3));
    let path = store(&root, Layout::OpenSimGz, &cut, &mesh(3));
    let packed = gzip(&mesh(3));
    fs::write(path, &packed[..packed.len() - 12]).expect("a file");
    let damaged = b"{\0\0\0\x01k\0\0\0\x08high_lod".to_vec();
    store(&root, Layout::OsGrid, &hash(&damaged), &damaged);
    let xml = "<SceneObjectGroup><SceneObjectPart><Shape/></SceneObjectPart></SceneObjectGroup>";
    store(&root, Layout::OsGridGz, &hash(xml.as_bytes()), xml.as_bytes());

    let summary = ingest_paths(&[&root], &out, IngestOptions::default());
    assert_eq!((summary.assets, summary.bad, summary.objects), (6, 5, 0));
    let assets = rows(&out, DatasetTable::Assets);
    let error = |hash: &str| {
        let row = assets.iter().find(|row| row["hash"] == hash.to_lowercase()).expect("a row");
        row.get("error").cloned().unwrap_or_default()
    };
    assert_eq!(error(&hash(&good)), "");
    assert_eq!(error(&empty), "its file has 0 bytes");
    let other = hash(&mesh(2)).to_lowercase();
    assert_eq!(error(&lies), format!("its file has other bytes, of the SHA-256 {other}"));
    assert!(error(&cut).contains("cut short or damaged"), "{}", error(&cut));
    assert!(error(&hash(&damaged)).contains("byte"), "{}", error(&hash(&damaged)));
    assert!(error(&hash(xml.as_bytes())).contains("part 1"), "{}", error(&hash(xml.as_bytes())));

    let again = ingest_paths(&[&root], &out, IngestOptions::default());
    assert_eq!((again.assets, again.known), (0, 6));
    assert_eq!(rows(&out, DatasetTable::Assets), assets);
}

#[test]
fn the_rows_do_not_depend_on_threads() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().join("data");
    tree(&root, 40);
    let with = |threads: usize| {
        let out = folder.path().join(format!("out{threads}"));
        let threads = NonZero::new(threads).expect("some");
        let summary =
            with_threads(threads, || ingest_paths(&[&root], &out, few())).expect("threads");
        let manifest = read_manifest(&out);
        let data: Vec<_> = manifest
            .files
            .iter()
            .map(|file| fs::read(out.join(&file.path)).expect("a file"))
            .collect();
        (summary, manifest, data)
    };
    let (one, four) = (with(1), with(4));
    assert_eq!(one.0, four.0);
    assert_eq!(one.1, four.1);
    assert_eq!(one.2, four.2, "the files are the same, byte for byte");
    assert_eq!((one.0.assets, one.0.objects, one.0.parts), (50, 10, 30));
}

#[test]
fn a_stopped_ingest_continues() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().join("data");
    tree(&root, 30);
    let whole = folder.path().join("whole");
    let all = ingest_paths(&[&root], &whole, few());
    let (_, max) = ingest_until(&[&root], &folder.path().join("counted"), few(), usize::MAX);
    assert!(max > 30, "it asks often");
    for point in (0..max).step_by(max / 12) {
        let out = folder.path().join(format!("stopped{point}"));
        let (first, _) = ingest_until(&[&root], &out, few(), point);
        let manifest = DatasetManifest::read(&out).expect("a manifest").expect("it is valid");
        assert!(manifest.sources.iter().all(|source| !source.whole));
        assert_eq!(rows(&out, DatasetTable::Assets).len() as u64, first.assets);
        let second = ingest_paths(&[&root], &out, few());
        assert_eq!(first.assets + second.assets, all.assets, "at {point}");
        assert_eq!(second.known, first.assets);
        for table in [DatasetTable::Assets, DatasetTable::Parts] {
            assert_eq!(rows(&out, table), rows(&whole, table), "at {point}");
        }
        let manifest = read_manifest(&out);
        assert!(manifest.sources[0].whole);
    }
}

#[test]
fn steps_add_up() {
    let (_folder, root, out) = sandbox();
    tree(&root, 12);
    let done = AtomicUsize::new(0);
    let watch = |step: IngestProgress| {
        if let IngestProgress::Done(count) = step {
            done.fetch_add(usize::try_from(count).expect("few"), Ordering::Relaxed);
        }
    };
    let sources = [SourceSpec::Path(root)];
    ingest(&sources, &out, IngestOptions::default(), &watch, &|| false).expect("a dataset");
    assert_eq!(done.load(Ordering::Relaxed), 15);
    ingest(&sources, &out, IngestOptions::default(), &watch, &|| false).expect("a dataset");
    assert_eq!(done.into_inner(), 30);
}

#[test]
fn a_dataset_is_not_written_into_a_source() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().join("data");
    tree(&root, 1);
    for out in [root.join("out"), root.clone(), folder.path().to_owned(), root.join("a/../b")] {
        let error = ingest_error(&root, &out);
        assert!(error.contains("lie in each other"), "{error}");
    }
    assert!(!root.join("out").exists());
}
