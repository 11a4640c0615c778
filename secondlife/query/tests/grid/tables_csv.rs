use std::fs;
use std::ops::ControlFlow::{self, Break, Continue};
use std::path::{Path, PathBuf};

use lodger_grid::ingest::IngestError;
use lodger_grid::ingest::tables::{AssetRecord, MESH, OBJECT, OpenSimTables, RezzedObject};
use lodger_opensim::archive::ObjectLocation;
use uuid::Uuid;

use crate::tables_content::{Content, write_csv};

fn collect<T>(
    read: impl FnOnce(&mut dyn FnMut(T) -> ControlFlow<()>) -> Result<(), IngestError>,
) -> Vec<T> {
    let mut rows = Vec::new();
    let mut push = |row| {
        rows.push(row);
        Continue(())
    };
    read(&mut push).expect("it can be read");
    rows
}

pub(crate) fn fs_assets(tables: &OpenSimTables) -> Vec<Result<AssetRecord<String>, String>> {
    collect(|each| tables.fsassets(each))
}

pub(crate) fn assets(tables: &OpenSimTables) -> Vec<Result<AssetRecord<Vec<u8>>, String>> {
    collect(|each| tables.assets(each))
}

pub(crate) fn rezzed(tables: &OpenSimTables) -> Vec<RezzedObject> {
    collect(|each| tables.rezzed(each))
}

fn written(folder: &Path, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, text).expect("there is space");
    path
}

fn open_error(files: &[PathBuf]) -> IngestError {
    OpenSimTables::open(files).expect_err("it cannot be read")
}

const HASH: &str = "0123456789ABCDEF0123456789abcdef0123456789abcdef0123456789abcdef";
const ID: &str = "00000000-0000-4000-8000-000000000001";

#[test]
fn each_table_is_known_by_its_header() {
    for header in [
        "id,type,hash,create_time,access_time,asset_flags\n1,2",
        "\u{feff}\"id\";\"name\";\"description\";\"type\";\"hash\";\"create_time\"\r\n",
        "ID\tTYPE\tHASH",
        "name,description,assetType,local,temporary,data,id,create_time,access_time,asset_flags,CreatorID\n",
        "itemID,primID,assetID,parentFolderID,invType,assetType,name\n",
    ] {
        assert!(OpenSimTables::is_table(header.as_bytes()), "{header}");
    }
    for other in ["", "\n", "id,type\n", "a,b,c\nid,type,hash", "<xml>", "id type hash", "\0\u{1}"]
    {
        assert!(!OpenSimTables::is_table(other.as_bytes()), "{other:?}");
    }
}

#[test]
fn invalid_rows_are_errors_and_do_not_end_the_table() {
    let folder = tempfile::tempdir().expect("there is space");
    let good = format!("{ID},49,{HASH},1700000000,0,0,NULL,\n");
    let text = format!(
        "id,type,hash,create_time,access_time,asset_flags,name,description\n{good}\
         no-uuid,49,{HASH},1,1,0,a,b\n\
         {ID},mesh,{HASH},1,1,0,a,b\n\
         {ID},49,../../etc/passwd,1,1,0,a,b\n\
         {ID},49,{HASH},soon,1,0,a,b\n\
         {ID},49\n\
         {},6,{HASH},\\N,,0,\"a \"\"name\"\", long\",\"two\nlines\"\n",
        ID.replace('-', "")
    );
    let file = written(folder.path(), "fsassets.csv", text);
    let tables = OpenSimTables::open(&[file]).expect("it is a table");
    assert_eq!(tables.present().fsassets, Some(7));
    assert_eq!((tables.present().assets, tables.present().objects), (None, None));
    let rows = fs_assets(&tables);
    let id = Uuid::try_parse(ID).expect("it is one");
    let first = AssetRecord {
        id,
        kind: MESH,
        content: HASH.to_owned(),
        created: Some(1_700_000_000),
        accessed: None,
        name: None,
        description: None,
    };
    assert_eq!(rows[0], Ok(first.clone()));
    let problem = |row: usize| rows[row].clone().expect_err("it makes no sense");
    assert_eq!(problem(1), "fsassets.csv, line 3: `id` must be a UUID");
    assert_eq!(
        problem(2),
        format!("fsassets.csv, line 4: asset {ID}: `type` must be a whole number")
    );
    assert!(problem(3).ends_with("`hash` must be 64 hexadecimal digits"));
    let timeless = AssetRecord {
        created: None,
        accessed: Some(1),
        name: Some("a".to_owned()),
        description: Some("b".to_owned()),
        ..first.clone()
    };
    assert_eq!(rows[4], Ok(timeless));
    let short = "fsassets.csv, line 7: it has 2 fields, and the header has 8; a `\"` within quotes must be doubled";
    assert!(problem(5).starts_with(short), "{}", problem(5));
    let last = AssetRecord {
        kind: OBJECT,
        created: None,
        name: Some("a \"name\", long".to_owned()),
        description: Some("two\nlines".to_owned()),
        ..first
    };
    assert_eq!(rows[6..], [Ok(last)]);
}

#[test]
fn blobs_are_hexadecimal_or_base64_and_other_types_are_passed_over() {
    let folder = tempfile::tempdir().expect("there is space");
    let row = |kind: &str, data: &str| format!("{ID};{kind};{data}\n");
    let text = [
        "id;assetType;data\n".to_owned(),
        row("49", "0x00ff10"),
        row("6", "\\x00ff10"),
        row("49", "AP8Q"),
        row("0", "this is none!"),
        row("49", "this is none!"),
        row("49", ""),
        row("?", "AP8Q"),
    ];
    let file = written(folder.path(), "old.csv", text.concat());
    let tables = OpenSimTables::open(&[file]).expect("it is a table");
    assert_eq!(tables.present().assets, Some(6));
    let rows = assets(&tables);
    assert_eq!(rows.len(), 6);
    for row in &rows[..3] {
        assert_eq!(row.as_ref().expect("it is right").content, [0, 0xff, 0x10]);
    }
    let problem = rows[3].clone().expect_err("it is no blob");
    assert!(problem.starts_with("old.csv, line 6: a blob is neither"), "{problem}");
    assert!(rows[4].as_ref().expect("there are 0 bytes").content.is_empty());
    assert!(rows[5].is_err());
}

#[test]
fn an_unterminated_quote_needs_little_memory() {
    let folder = tempfile::tempdir().expect("there is space");
    let path = folder.path().join("fsassets.csv");
    let mut text = format!("id,type,hash\n{ID},49,{HASH}\n{ID},49,\"").into_bytes();
    let begun = text.len() as u64;
    text.extend(b"\n");
    fs::write(&path, text).expect("there is space");
    let file = fs::OpenOptions::new().write(true).open(&path).expect("it is there");
    // Holes of a file read as zeros and need no disk space.
    file.set_len(begun + (200 << 20)).expect("there is space");
    let problem = open_error(&[path]).problem;
    assert!(problem.contains("a row does not end"), "{problem}");
}

#[test]
fn rows_are_counted_until_stop() {
    let folder = tempfile::tempdir().expect("there is space");
    let row = format!("{ID},49,{HASH}\n");
    let file = written(folder.path(), "fsassets.csv", format!("id,type,hash\n{}", row.repeat(9)));
    let calls = std::cell::Cell::new(0);
    let stop = || calls.replace(calls.get() + 1) == 4;
    let tables = OpenSimTables::open_until(&[file], &stop).expect("it is a table");
    assert_eq!((tables.present().fsassets, calls.get()), (Some(5), 5));
}

#[test]
fn endless_fields_need_little_memory() {
    let folder = tempfile::tempdir().expect("there is space");
    let text = format!("id,type,hash\n{ID},49,{HASH}\n{}\n", ",".repeat(3 << 20));
    let problem = open_error(&[written(folder.path(), "fsassets.csv", text)]).problem;
    assert!(problem.contains("more fields than any table"), "{problem}");
}

#[test]
fn incomplete_sets_of_tables_are_rejected() {
    let folder = tempfile::tempdir().expect("there is space");
    let content = Content::random(7, 20);
    let files = write_csv(&content, folder.path());
    let of =
        |name: &str| files.iter().filter(|file| file.ends_with(name)).cloned().collect::<Vec<_>>();
    assert!(open_error(&of("prims.csv")).problem.contains("without `primshapes`"));
    assert!(open_error(&of("primitems.csv")).problem.contains("without `prims`"));
    let other = written(folder.path(), "other.csv", "a,b\n1,2\n");
    assert!(open_error(&[other]).problem.contains("header of none of the tables"));
    let missing = open_error(&[folder.path().join("none.csv")]);
    assert!(missing.problem.contains("cannot be opened"));
    assert!(missing.name.ends_with("none.csv"));
}

#[test]
fn content_is_read_as_it_was_written() {
    let folder = tempfile::tempdir().expect("there is space");
    let content = Content::random(11, 3000);
    let files = write_csv(&content, folder.path());
    let tables = OpenSimTables::open(&files).expect("all are tables");
    content.compare(&tables);
    let mut count = 0;
    let stopped = tables.rezzed(&mut |_| {
        count += 1;
        if count == 5 { Break(()) } else { Continue(()) }
    });
    stopped.expect("it can be read");
    assert_eq!(count, 5);
}

#[test]
fn prims_without_object_have_errors() {
    let folder = tempfile::tempdir().expect("there is space");
    let mut content = Content::random(13, 40);
    content.spoil();
    let tables = OpenSimTables::open(&write_csv(&content, folder.path())).expect("all are tables");
    let rows = rezzed(&tables);
    let problems: Vec<&str> =
        rows.iter().filter_map(|row| row.object.as_ref().err()).map(String::as_str).collect();
    for expected in [
        "it has no row in `primshapes`",
        "its root is missing",
        "`GroupPosition.X` must be a finite number",
        "`RegionUUID` is missing",
    ] {
        assert!(
            problems.iter().any(|problem| problem.contains(expected)),
            "{expected}: {problems:?}"
        );
    }
    assert_eq!(problems.len(), 4, "{problems:?}");
    let valid = rows.iter().filter_map(|row| row.object.as_ref().ok());
    assert!(valid.clone().count() > 20);
    assert!(valid.clone().all(|object| matches!(object.location, ObjectLocation::Region { .. })));
}
