//! Dumps of tables: assets in trees of files, and objects in regions.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use lodger_grid::dataset::{DatasetManifest, DatasetTable, SourceKind};
use lodger_grid::ingest::IngestOptions;
use lodger_opensim::archive::{PrimRecord, PrimShapeRecord};
use uuid::Uuid;

use crate::samples::{
    LAYOUTS, Layout, Row, archive, column, hash, id, ingest_error, ingest_paths, mesh, object,
    read_manifest, rows, store,
};

pub(crate) fn dump(folder: &Path, rows: &[(u128, i32, String)]) -> PathBuf {
    let mut text = "id,name,description,type,hash,create_time,access_time,asset_flags\n".to_owned();
    for (id, kind, hash) in rows {
        let id = Uuid::from_u128(*id);
        writeln!(text, "{id},a name,a description,{kind},{hash},1600000000,1700000000,0")
            .expect("text");
    }
    let path = folder.join("fsassets.csv");
    fs::write(&path, text).expect("a file");
    path
}

fn by_id(rows: &[Row], id: u128) -> &Row {
    let id = Uuid::from_u128(id).to_string();
    rows.iter().find(|row| row.get("id") == Some(&id)).expect("a row")
}

#[test]
fn rows_name_files_in_several_trees() {
    let folder = tempfile::tempdir().expect("a folder");
    let (one, two) = (folder.path().join("one"), folder.path().join("two"));
    let mut table = Vec::new();
    for (number, layout) in (0..8).zip(LAYOUTS.into_iter().cycle()) {
        let bytes = mesh(number);
        let root = if number < 4 { &one } else { &two };
        // OpenSimulator writes upper-case digits; other programs may not.
        let hash = if number % 3 == 0 { hash(&bytes).to_lowercase() } else { hash(&bytes) };
        store(root, layout, &hash, &bytes);
        table.push((u128::from(number) + 1, 49, hash));
    }
    let xml = object(70, Some(1), 1);
    store(&one, Layout::OpenSimGz, &hash(xml.as_bytes()), xml.as_bytes());
    table.push((50, 6, hash(xml.as_bytes())));
    table.push((60, 0, hash(b"a texture")));
    let dump = dump(folder.path(), &table);
    let out = folder.path().join("out");
    let summary = ingest_paths(&[&one, &dump, &two], &out, IngestOptions::default());
    let counts = (summary.assets, summary.bad, summary.objects, summary.parts, summary.passed_over);
    assert_eq!(counts, (9, 0, 1, 2, 1));
    let assets = rows(&out, DatasetTable::Assets);
    for (id, kind, hash) in table.iter().filter(|row| row.0 != 60) {
        let row = by_id(&assets, *id);
        assert_eq!(row["hash"], hash.to_lowercase());
        assert_eq!(row["kind"], if *kind == 49 { "mesh" } else { "object" });
        assert_eq!(row["created"], "2020-09-13T12:26:40");
        assert_eq!(row["accessed"], "2023-11-14T22:13:20");
        assert!(!row.contains_key("name") && !row.contains_key("description"));
    }
    let parts = rows(&out, DatasetTable::Parts);
    assert_eq!(
        column(&parts, "object"),
        [Uuid::from_u128(50).to_string(), Uuid::from_u128(50).to_string()]
    );
    let manifest = read_manifest(&out);
    let kinds: Vec<_> = manifest.sources.iter().map(|source| (source.kind, source.whole)).collect();
    let tree = (SourceKind::FsAssets, true);
    assert_eq!(kinds, [(SourceKind::Csv, true), tree, tree]);

    let again = ingest_paths(&[&one, &dump, &two], &out, IngestOptions::default());
    assert_eq!((again.assets, again.parts, again.known, again.passed_over), (0, 0, 9, 1));
    assert_eq!(rows(&out, DatasetTable::Assets), assets);
}

#[test]
fn names_are_stored_only_on_request() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().join("data");
    let xml = object(70, Some(1), 0);
    store(&root, Layout::OpenSim, &hash(xml.as_bytes()), xml.as_bytes());
    let dump = dump(folder.path(), &[(50, 6, hash(xml.as_bytes()))]);
    let (with, without) = (folder.path().join("with"), folder.path().join("without"));
    ingest_paths(&[&root, &dump], &without, IngestOptions::default());
    ingest_paths(
        &[&root, &dump],
        &with,
        IngestOptions { with_names: true, ..IngestOptions::default() },
    );
    let names = |out: &Path| {
        let (assets, parts) = (rows(out, DatasetTable::Assets), rows(out, DatasetTable::Parts));
        [column(&assets, "name"), column(&assets, "description"), column(&parts, "name")].concat()
    };
    assert_eq!(names(&without), ["-", "-", "-"]);
    assert_eq!(names(&with), ["a name", "a description", "a root"]);
    let mut plain = fs::read(without.join(DatasetManifest::FILE)).expect("a manifest");
    for file in read_manifest(&without).files {
        plain.extend(fs::read(without.join(file.path)).expect("a file"));
    }
    assert!(!plain.windows(6).any(|bytes| bytes == b"a root"), "nowhere in the files");
}

pub(crate) fn all_cells(out: &Path) -> String {
    let mut cells = String::new();
    for table in [DatasetTable::Assets, DatasetTable::Parts] {
        for row in rows(out, table) {
            let row = row.into_iter().filter(|(name, _)| name != "source");
            row.for_each(|(name, text)| writeln!(cells, "{name}: {text}").expect("text"));
        }
    }
    cells
}

#[test]
fn no_key_and_no_error_contains_a_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let (root, home) = (folder.path().join("data"), folder.path().join("home.oar"));
    let bad = object(70, Some(1), 0).replace("<X>1</X>", "<X>a root</X>");
    store(&root, Layout::OpenSim, &hash(bad.as_bytes()), bad.as_bytes());
    let torn = "<SceneObjectGroup><SceneObjectPart><Name>a <root></Name></SceneObjectPart></SceneObjectGroup>";
    let unowned = object(0, None, 0);
    let entry = |name: &str, xml: &str| (format!("objects/{name}.xml"), xml.as_bytes().to_vec());
    let entries = [
        ("archive.xml".to_owned(), b"<archive/>".to_vec()),
        entry("a root 1", &object(10, None, 0)),
        entry("a root 2", &object(10, None, 0)),
        entry("a root 3", &unowned),
        entry("a root 4", &bad),
        entry("a root 5", torn),
        entry("a root 6", "<Root/>"),
        (format!("assets/{}_object.xml", Uuid::from_u128(71)), bad.clone().into_bytes()),
        ("assets/a root_mesh.llmesh".to_owned(), mesh(1)),
    ];
    archive(&home, &entries);
    let dump = dump(folder.path(), &[(50, 6, hash(bad.as_bytes()))]);
    let mut text = fs::read_to_string(&dump).expect("a file");
    writeln!(text, "{},a,b,a root,{},0,0,0", Uuid::from_u128(51), hash(b"")).expect("text");
    writeln!(text, "a root,{},a,6,{},0,0,0", Uuid::from_u128(52), hash(b"")).expect("text");
    fs::write(&dump, text).expect("a file");
    let out = folder.path().join("out");
    let summary = ingest_paths(&[&home, &root, &dump], &out, IngestOptions::default());
    assert_eq!(summary.objects, 3);
    let cells = all_cells(&out);
    assert!(!cells.contains("root"), "{cells}");
    let id = |id| Uuid::from_u128(id).to_string();
    for expected in [
        &*format!("object: {}\n", id(10)),
        &format!("object: {}#2\n", id(10)),
        "object: object-1\n",
        "error: an entry in objects: part 1: `Scale.X` must be ",
        &format!("error: {}: part 1: `Scale.X` must be ", id(71)),
        "error: an entry in objects: its XML cannot be read at byte ",
        "error: an entry in objects: it is no `SceneObjectGroup`",
        "error: an entry in assets: the name of this mesh asset does not begin with a UUID",
        "error: part 1: `Scale.X` must be ",
        "line 3: asset 00000000-0000-0000-0000-000000000033: `type` must be a whole number",
        "line 4: `id` must be a UUID",
    ] {
        assert!(cells.contains(expected), "{expected} is not in:\n{cells}");
    }
}

#[test]
fn other_assets_are_skipped_with_any_values() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().join("data");
    let good = mesh(0);
    store(&root, Layout::OpenSim, &hash(&good), &good);
    let dump = dump(folder.path(), &[(1, 0, String::new()), (2, 49, hash(&good))]);
    let text = fs::read_to_string(&dump).expect("a file").replace("1600000000", "soon");
    fs::write(&dump, text).expect("a file");
    let out = folder.path().join("out");
    let summary = ingest_paths(&[&root, &dump], &out, IngestOptions::default());
    assert_eq!((summary.assets, summary.bad, summary.passed_over), (1, 0, 1));
    let row = &rows(&out, DatasetTable::Assets)[0];
    assert!(!row.contains_key("created") && row.contains_key("accessed"));
}

#[test]
fn a_table_without_rows_names_no_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().join("data");
    let good = mesh(0);
    store(&root, Layout::OpenSim, &hash(&good), &good);
    let dump = dump(folder.path(), &[]);
    let out = folder.path().join("out");
    let summary = ingest_paths(&[&root, &dump], &out, IngestOptions::default());
    assert_eq!((summary.assets, summary.bad), (1, 0));
}

#[test]
fn a_row_whose_file_is_bad_is_a_row_with_its_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().join("data");
    let good = mesh(0);
    store(&root, Layout::OpenSim, &hash(&good), &good);
    let (empty, lies, cut) = (hash(b"empty"), hash(b"lies"), hash(&mesh(3)));
    store(&root, Layout::OpenSim, &empty, b"");
    store(&root, Layout::OpenSimGz, &lies, &mesh(2));
    let path = store(&root, Layout::OsGridGz, &cut, &mesh(3));
    fs::write(path, b"\x1f\x8b\x08\0 no gzip").expect("a file");
    // The first file of this hash is damaged, and the second is valid.
    let twice = mesh(4);
    store(&root, Layout::OpenSim, &hash(&twice), b"bad");
    store(&root, Layout::OsGridGz, &hash(&twice), &twice);
    let dump = dump(
        folder.path(),
        &[
            (1, 49, hash(&good)),
            (2, 49, hash(b"nowhere")),
            (3, 49, empty),
            (4, 49, lies),
            (5, 49, cut),
            (6, 49, "../../../../etc/passwd".to_owned()),
            (7, 49, hash(&twice)),
            (1, 49, hash(&twice)),
        ],
    );
    let out = folder.path().join("out");
    let summary = ingest_paths(&[&root, &dump], &out, IngestOptions::default());
    assert_eq!((summary.assets, summary.bad, summary.known), (7, 5, 1));
    assert!(
        !format!("{:?}", rows(&out, DatasetTable::Assets)).contains("passwd"),
        "nothing is quoted"
    );
    let assets = rows(&out, DatasetTable::Assets);
    let error = |id: u128| by_id(&assets, id).get("error").cloned().unwrap_or_default();
    assert_eq!(error(1), "");
    assert_eq!(error(2), "its file is missing");
    assert_eq!(error(3), "its file has 0 bytes");
    assert!(error(4).starts_with("its file has other bytes"), "{}", error(4));
    assert!(error(5).contains("gzip"), "{}", error(5));
    assert_eq!(error(7), "");
    let fault = assets.iter().find(|row| !row.contains_key("hash")).expect("a row");
    let said = format!("asset {}: `hash` must be 64 hexadecimal digits", Uuid::from_u128(6));
    assert!(fault["error"].ends_with(&said), "{fault:?}");
    assert!(!by_id(&assets, 2).contains_key("bytes"));
    let again = ingest_paths(&[&root, &dump], &out, IngestOptions::default());
    assert_eq!((again.assets, again.known, again.bad), (0, 8, 5));
}

#[test]
fn a_table_that_names_files_needs_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let dump = dump(folder.path(), &[(1, 49, hash(b"nowhere"))]);
    let out = folder.path().join("out");
    let error = ingest_error(&dump, &out);
    assert!(error.contains("give the folder that they are in"), "{error}");
    assert!(!out.exists(), "nothing is written");
}

fn region(folder: &Path, name: &str, prims: &[(u128, u128, &str)]) -> [PathBuf; 2] {
    let mut stands =
        format!("UUID,SceneGroupID,RegionUUID,LinkNumber,{}\n", PrimRecord::COLUMNS.join(","));
    let mut looks = format!("UUID,ExtraParams,{}\n", PrimShapeRecord::COLUMNS.join(","));
    for (prim, group, link) in prims {
        let (prim, group, region) = (id(*prim), id(*group), id(9));
        writeln!(stands, "{prim},{group},{region},{link},a prim,,,0,9,9,20,0,0,0,0,0,0,1,0")
            .expect("text");
        writeln!(looks, "{prim},,1,1,1,9,0,0,100,100,0,0,0,16,0,0,0,0,0,0,0,0,1,0").expect("text");
    }
    [("prims", stands), ("primshapes", looks)].map(|(table, text)| {
        let path = folder.join(format!("{name}-{table}.csv"));
        fs::write(&path, text).expect("a file");
        path
    })
}

#[test]
fn dumps_of_several_regions_are_all_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out");
    let dumps = folder.path().join("dump");
    fs::create_dir(&dumps).expect("a folder");
    let one = region(&dumps, "sim1", &[(1, 1, "1"), (2, 1, "2")]);
    let two = region(&dumps, "sim2", &[(3, 3, "0")]);
    let first = ingest_paths(&[&one[0], &one[1]], &out, IngestOptions::default());
    assert_eq!((first.objects, first.parts), (1, 2));
    let second = ingest_paths(&[&two[0], &two[1]], &out, IngestOptions::default());
    assert_eq!((second.objects, second.parts, second.known), (1, 1, 0));
    let again = ingest_paths(&[&one[0], &one[1], &two[0], &two[1]], &out, IngestOptions::default());
    assert_eq!((again.objects, again.known), (0, 2));
    let mut objects = column(&rows(&out, DatasetTable::Parts), "object");
    objects.sort();
    assert_eq!(objects, [id(1), id(1), id(3)]);
}

#[test]
fn an_object_counts_once_wherever_it_is_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("home.oar");
    let entry =
        |number: u128| (format!("objects/{number}.xml"), object(number, None, 1).into_bytes());
    archive(&path, &[("archive.xml".to_owned(), b"<archive/>".to_vec()), entry(1), entry(5)]);
    let tables = region(folder.path(), "sim", &[(1, 1, "1"), (2, 1, "2"), (7, 7, "0")]);
    let [prims, shapes] = &tables;
    for (number, runs) in [vec![vec![&path, prims, shapes]], vec![vec![prims, shapes], vec![&path]]]
        .iter()
        .enumerate()
    {
        let out = folder.path().join(format!("out{number}"));
        for sources in runs {
            let sources: Vec<&Path> = sources.iter().map(|path| path.as_path()).collect();
            ingest_paths(&sources, &out, IngestOptions::default());
        }
        let mut objects = column(&rows(&out, DatasetTable::Parts), "object");
        objects.sort();
        assert_eq!(objects, [id(1), id(1), id(5), id(5), id(7)]);
    }
}

#[test]
fn an_object_with_an_invalid_prim_has_no_price() {
    let folder = tempfile::tempdir().expect("a folder");
    let prims = [(1, 1, "1"), (2, 1, "x"), (3, 3, "0"), (4, 4, "1"), (5, 4, "2"), (6, 4, "3")];
    let [prims, shapes] = region(folder.path(), "sim", &prims);
    let text = fs::read_to_string(&prims).expect("a file");
    let text = text.replace(&format!("{},{}", id(5), id(4)), &format!("nobody,{}", id(4)));
    let text = text.replace(
        &format!("{},{},{},3,a prim", id(6), id(4), id(9)),
        &format!("{},{},{},3,\"a \\\"prim\\\", as MySQL has it\"", id(6), id(4), id(9)),
    );
    fs::write(&prims, text).expect("a file");
    let out = folder.path().join("out");
    let summary = ingest_paths(&[&prims, &shapes], &out, IngestOptions::default());
    assert_eq!((summary.objects, summary.parts, summary.assets, summary.bad), (1, 1, 2, 2));
    assert_eq!(column(&rows(&out, DatasetTable::Parts), "object"), [id(3)]);
    let mut errors = column(&rows(&out, DatasetTable::Assets), "error");
    errors.sort();
    assert!(errors[0].contains(&format!("prim {}: `LinkNumber` must be", id(2))), "{errors:?}");
    assert!(errors[1].contains(&id(4)), "{errors:?}");
}
