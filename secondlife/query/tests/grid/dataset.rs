use std::fs;
use std::path::Path;

use lodger_core::cost::physics::ShapeType;
use lodger_grid::dataset::{
    AssetKind, AssetRow, AssetRowColumns, DatasetError, DatasetManifest, DatasetTable,
    DatasetWriter, PartColumns, PartKind, PartRow, SourceKind,
};
use lodger_opensim::archive::PrimGeometry;
use uuid::Uuid;

use crate::samples::{column, read_manifest, rows};

fn assets(ids: std::ops::Range<u128>) -> arrow::array::RecordBatch {
    let mut columns = AssetRowColumns::default();
    for id in ids {
        columns.append(
            "a source",
            &AssetRow {
                id: Some(Uuid::from_u128(id)),
                bytes: Some(3),
                created: Some(1_700_000_000),
                error: Some("it is made up".to_owned()),
                ..AssetRow::new(AssetKind::Mesh)
            },
        );
    }
    columns.finish_batch().expect("rows")
}

fn parts(count: i32) -> arrow::array::RecordBatch {
    let mut columns = PartColumns::default();
    for part in 1..=count {
        columns.append(
            "a source",
            &PartRow {
                object: "an object".into(),
                part,
                name: None,
                owner: None,
                creator: Some(Uuid::from_u128(1)),
                region: None,
                scale: [1.0; 3],
                kind: PartKind::Mesh,
                shape: PrimGeometry::Mesh(Uuid::from_u128(2)),
                shape_type: ShapeType::ConvexHull,
                physical: false,
                animated: false,
                scripts: 0,
                sizes: None,
                physics: None,
                object_size: [1.0; 3],
            },
        );
    }
    columns.finish_batch().expect("rows")
}

fn problem(opened: Result<DatasetWriter, DatasetError>) -> String {
    opened.err().expect("it is refused").to_string()
}

fn files(dataset: &Path, table: DatasetTable) -> Vec<String> {
    let folder = fs::read_dir(dataset.join(table.folder())).expect("a folder");
    let names =
        folder.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
    let mut names: Vec<_> = names.collect();
    names.sort();
    names
}

#[test]
fn rows_of_both_tables_count_by_one_manifest() {
    let folder = tempfile::tempdir().expect("a folder");
    let dataset = folder.path().join("new");
    let mut writer = DatasetWriter::open(&dataset, false).expect("a dataset").file_rows(10);
    assert!(writer.push(DatasetTable::Assets, &assets(0..1)).is_err(), "there is no source");
    writer.begin_source("a source", SourceKind::Files).expect("a source");
    writer.push(DatasetTable::Assets, &assets(0..25)).expect("rows");
    writer.push(DatasetTable::Parts, &parts(3)).expect("rows");
    let manifest = read_manifest(&dataset);
    assert_eq!(manifest.files, [], "nothing is committed");
    writer.commit().expect("it is written");
    assert_eq!(rows(&dataset, DatasetTable::Assets).len(), 25);
    assert_eq!(rows(&dataset, DatasetTable::Parts).len(), 3);
    let manifest = read_manifest(&dataset);
    let sizes: Vec<_> = manifest.files.iter().map(|file| (file.table, file.rows)).collect();
    let expected = [
        (DatasetTable::Assets, 10),
        (DatasetTable::Assets, 10),
        (DatasetTable::Assets, 5),
        (DatasetTable::Parts, 3),
    ];
    assert_eq!(sizes, expected);
    assert!(!manifest.sources[0].whole);

    writer.push(DatasetTable::Assets, &assets(25..40)).expect("rows");
    writer.abandon();
    writer.push(DatasetTable::Assets, &assets(40..41)).expect("rows");
    writer.end_source(true).expect("it is written");
    drop(writer);
    let ids = column(&rows(&dataset, DatasetTable::Assets), "id");
    assert_eq!(ids.len(), 26);
    assert!(ids.contains(&Uuid::from_u128(40).to_string()));
    assert!(!ids.contains(&Uuid::from_u128(30).to_string()));
    assert!(read_manifest(&dataset).sources[0].whole);
}

#[test]
fn uncommitted_files_are_removed_by_the_next_writer() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut writer = DatasetWriter::open(folder.path(), false).expect("a dataset");
    writer.begin_source("a source", SourceKind::Files).expect("a source");
    writer.push(DatasetTable::Assets, &assets(0..2)).expect("rows");
    writer.commit().expect("it is written");
    drop(writer);
    for stray in ["assets/00001.parquet", "assets/mine.parquet", "parts/00007.parquet"] {
        fs::write(folder.path().join(stray), "half").expect("a file");
    }
    let mut writer = DatasetWriter::open(folder.path(), false).expect("a dataset");
    assert_eq!(files(folder.path(), DatasetTable::Assets), ["00000.parquet", "mine.parquet"]);
    assert_eq!(files(folder.path(), DatasetTable::Parts), [""; 0]);
    writer.begin_source("a source", SourceKind::Files).expect("a source");
    writer.push(DatasetTable::Assets, &assets(2..4)).expect("rows");
    writer.commit().expect("it is written");
    assert_eq!(rows(folder.path(), DatasetTable::Assets).len(), 4);
    assert_eq!(writer.manifest().sources.len(), 1, "the source is known");
}

#[test]
fn a_dataset_has_one_writer() {
    let folder = tempfile::tempdir().expect("a folder");
    let first = DatasetWriter::open(folder.path(), false).expect("a dataset");
    let said = problem(DatasetWriter::open(folder.path(), false));
    assert!(said.contains("another ingest writes this dataset"), "{said}");
    drop(first);
    DatasetWriter::open(folder.path(), false).expect("there is no writer");
}

#[test]
fn names_are_not_mixed_and_other_folders_not_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let (with, without) = (folder.path().join("with"), folder.path().join("without"));
    drop(DatasetWriter::open(&with, true).expect("a dataset"));
    drop(DatasetWriter::open(&without, false).expect("a dataset"));
    assert!(problem(DatasetWriter::open(&with, false)).contains("use --with-names"));
    assert!(problem(DatasetWriter::open(&without, true)).contains("leave out --with-names"));
    let said = problem(DatasetWriter::open(folder.path(), false));
    assert!(said.contains("is no dataset"), "{said}");
    fs::write(folder.path().join("file"), "").expect("a file");
    assert!(DatasetWriter::open(&folder.path().join("file"), false).is_err());
}

#[test]
fn invalid_manifests_are_rejected() {
    let folder = tempfile::tempdir().expect("a folder");
    assert_eq!(DatasetManifest::read(folder.path()).expect("there is none"), None);
    assert_eq!(DatasetManifest::read(&folder.path().join("nowhere")).expect("there is none"), None);
    let file = |path: &str, source: usize| {
        format!(
            r#"{{"schema":1,"with_names":false,"sources":[{{"name":"s","kind":"files","whole":true}}],
            "files":[{{"table":"assets","path":{path:?},"rows":1,"source":{source}}}]}}"#
        )
    };
    let read = |text: &str| {
        fs::write(folder.path().join(DatasetManifest::FILE), text).expect("a file");
        DatasetManifest::read(folder.path())
    };
    assert!(read(&file("assets/00000.parquet", 0)).expect("it is good").is_some());
    let wrong = [
        ("", "no manifest"),
        ("{}", "no manifest"),
        ("[1]", "no manifest"),
        (r#"{"schema":1}"#, "no manifest"),
        (r#"{"schema":2,"anything":true}"#, "it is of schema 2"),
        (r#"{"schema":0}"#, "it is of schema 0"),
    ];
    for (text, words) in wrong {
        let said = read(text).expect_err("it is wrong").to_string();
        assert!(said.contains(words) && said.contains(DatasetManifest::FILE), "{text}: {said}");
    }
    for path in [
        "../elsewhere.parquet",
        "/etc/passwd",
        "assets/../../x.parquet",
        "assets/",
        "assets",
        "",
        "assets/a/b.parquet",
        "parts/00000.parquet",
        "assets//00000.parquet",
        "assets/..",
        "assets/.",
        "assets/c:x",
        "assets/..\\x",
        "assetsx/0.parquet",
    ] {
        let said = read(&file(path, 0)).expect_err("it leads away").to_string();
        assert!(said.contains("which is no file of the dataset"), "{path}: {said}");
    }
    let said = read(&file("assets/00000.parquet", 1)).expect_err("no such source").to_string();
    assert!(said.contains("of a source that it does not name"), "{said}");

    let mut manifest = DatasetManifest::new(false);
    manifest.write(folder.path()).expect("it is written");
    assert_eq!(DatasetManifest::read(folder.path()).expect("it is good"), Some(manifest.clone()));
    let file = lodger_grid::dataset::DataFile {
        table: DatasetTable::Parts,
        path: "../x".to_owned(),
        rows: 0,
        source: 0,
    };
    manifest.files.push(file);
    assert!(manifest.write(folder.path()).is_err(), "it is not written either");
    assert_eq!(
        DatasetManifest::read(folder.path()).expect("the old one").expect("is there").files,
        []
    );
}
