use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use arrow::datatypes::Schema;
use lodger_grid::dataset::{
    AssetRowColumns, DataFile, DatasetManifest, DatasetTable, PartColumns, SourceEntry, SourceKind,
};
use lodger_grid::ingest::IngestOptions;
use lodger_mesh_asset::{AssetBlock, AssetBuilder, Faces, Geometry, Quantized};
use lodger_terminal::signals::reset_for_children;
use lodger_testkit::page::{Keys, assert_named, key_paths, named};
use serde_json::Value;
use tempfile::TempDir;
use uuid::Uuid;

use crate::ingest_trees::tree;
use crate::samples::{archive, mesh, object};
use crate::samples::{ingest_paths, rows, sandbox};

fn columns(schema: &Schema) -> Vec<&str> {
    schema.fields().iter().map(|field| field.name().as_str()).collect()
}

#[test]
fn the_columns_of_a_dataset() {
    assert_eq!(columns(&AssetRowColumns::schema()), named("The dataset: the table assets"));
    assert_eq!(columns(&PartColumns::schema()), named("The dataset: the table parts"));
}

#[test]
fn the_manifest_of_a_dataset() {
    let manifest = DatasetManifest {
        schema: 1,
        with_names: false,
        sources: vec![SourceEntry {
            name: "region.oar".to_owned(),
            kind: SourceKind::Files,
            whole: true,
        }],
        files: vec![DataFile {
            table: DatasetTable::Assets,
            path: "assets/00000.parquet".to_owned(),
            rows: 1,
            source: 0,
        }],
    };
    let said = key_paths(&serde_json::to_value(&manifest).expect("JSON"), &[]);
    assert_named("The dataset: lodger-grid.json", &said);
}

/// Builds a mesh whose bytes make its cost depend on rules at a large size.
fn heavy() -> Vec<u8> {
    let place = |i: u16| f32::from(i.wrapping_mul(40_503)) / 65_536.0 - 0.5;
    let corners: Vec<_> = (0..1_200_u16).map(|i| [place(i), place(i * 7), place(i * 31)]).collect();
    let triangles: Vec<_> = (0..1_198_u16).map(|i| [i, i + 1, i + 2]).collect();
    let face = Geometry::new(Quantized::from_points(&corners).expect("points"), &triangles);
    let lod = Faces::new([face.expect("a face").into()]);
    let mut builder = AssetBuilder::new();
    for block in AssetBlock::LODS {
        builder.set_lod(block, &lod).expect("a LOD");
    }
    builder.encode().expect("an asset")
}

/// Writes a region with an object whose land impact depends on rules.
fn region(folder: &Path) {
    let asset = |id: u128| format!("assets/{}_mesh.llmesh", Uuid::from_u128(id));
    let wide = object(11, Some(1), 1).replace("<X>1</X><Y>2</Y>", "<X>60</X><Y>50</Y>");
    let entries = [
        (asset(1), heavy()),
        (asset(2), mesh(2)),
        ("objects/wide.xml".to_owned(), wide.into_bytes()),
    ];
    archive(&folder.join("region.oar"), &entries);
}

fn keys(folder: &TempDir, questions: &[&[&str]]) -> Keys {
    let mut said = Keys::new();
    for question in questions {
        let mut program = Command::new(env!("CARGO_BIN_EXE_lodger-grid"));
        program.args(*question).args(["--format", "json"]).current_dir(folder.path());
        let output = program.output().expect("it runs");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{question:?}: {errors}");
        let value: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(value["schema"], 1, "{question:?}");
        said.extend(key_paths(&value, &[]));
    }
    said
}

#[test]
fn the_answers() {
    let folder = TempDir::new().expect("a folder");
    region(folder.path());
    let made = keys(
        &folder,
        &[
            &["ingest", "region.oar", "--out", "plain"],
            &["ingest", "region.oar", "--out", "named", "--with-names"],
        ],
    );
    assert_named("lodger grid ingest: JSON", &made);
    let mut answer = keys(&folder, &[&["sql", "SELECT count(*) AS n FROM assets", "plain"]]);
    assert!(answer.remove("rows[].n"));
    assert_named("lodger grid sql: JSON", &answer);
    let top = ["object", "owner", "region", "creator"].map(|by| ["top", "plain", "--by", by]);
    let top: Vec<&[&str]> = top.iter().map(AsRef::as_ref).collect();
    assert_named(
        "lodger grid top: JSON",
        &keys(&folder, &[&top[..], &[&["top", "named"]]].concat()),
    );
    assert_named("lodger grid waste: JSON", &keys(&folder, &[&["waste", "plain"]]));
    assert_named(
        "lodger grid whatif: JSON",
        &keys(&folder, &[&["whatif", "--rules", "grid", "plain"]]),
    );
}

fn program(root: &Path, out: &Path, options: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lodger-grid"));
    command.arg("ingest").arg(root).arg("--out").arg(out).args(options);
    command.stdin(Stdio::null()).env("RAYON_NUM_THREADS", "2");
    command
}

fn files(out: &Path) -> usize {
    DatasetManifest::read(out)
        .expect("it is valid at any time")
        .map_or(0, |manifest| manifest.files.len())
}

/// Waits until a dataset grows or the program ends. Returns whether it still runs.
fn wait_for_more(child: &mut Child, out: &Path, before: usize) -> bool {
    loop {
        if child.try_wait().expect("it can be asked").is_some() {
            return false;
        }
        if files(out) > before {
            return true;
        }
        thread::sleep(Duration::from_millis(1));
    }
}

fn said(output: &Output) -> String {
    format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}

#[test]
fn a_killed_ingest_continues() {
    let (folder, root, out) = sandbox();
    tree(&root, 2000);
    let mut kills = 0;
    while kills < 3 {
        let before = files(&out);
        let mut child = program(&root, &out, &["--file-rows", "100"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it runs");
        if !wait_for_more(&mut child, &out, before) {
            assert!(child.wait().expect("it ends").success());
            break;
        }
        child.kill().expect("it is killed");
        child.wait().expect("it is gone");
        kills += 1;
    }
    assert!(kills > 0, "it was never caught at work");
    let last = program(&root, &out, &["--format", "json"]).output().expect("it runs");
    assert_eq!(last.status.code(), Some(0), "{}", said(&last));
    let whole = folder.path().join("whole");
    ingest_paths(&[&root], &whole, IngestOptions::default());
    for table in [DatasetTable::Assets, DatasetTable::Parts] {
        assert!(rows(&out, table) == rows(&whole, table), "{table:?} differs");
    }
}

#[test]
fn an_interrupt_leaves_a_valid_dataset() {
    reset_for_children().expect("handlers");
    let (_folder, root, out) = sandbox();
    tree(&root, 2000);
    let mut child = program(&root, &out, &["--file-rows", "50", "--format", "json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs");
    assert!(wait_for_more(&mut child, &out, 0), "it is at work");
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.expect("there is a kill").success());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130), "{}", said(&output));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(report["stopped"], true);
    assert_eq!(report["schema"], 1);
    assert_eq!(
        rows(&out, DatasetTable::Assets).len() as u64,
        report["assets"].as_u64().expect("a number")
    );
    assert!(!DatasetManifest::read(&out).expect("valid").expect("a dataset").sources[0].whole);
    let last = program(&root, &out, &[]).output().expect("it runs");
    assert_eq!(last.status.code(), Some(0), "{}", said(&last));
    assert_eq!(rows(&out, DatasetTable::Assets).len(), 2500);
}

#[test]
fn summaries_and_errors_are_printed() {
    let (_folder, root, out) = sandbox();
    tree(&root, 3);
    let good = program(&root, &out, &["--format", "json"]).output().expect("it runs");
    assert_eq!(good.status.code(), Some(0), "{}", said(&good));
    let report: serde_json::Value = serde_json::from_slice(&good.stdout).expect("JSON");
    let count = |name: &str| report[name].as_u64().expect("a number");
    let counts = ["assets", "bad", "objects", "parts", "known", "passed_over"].map(count);
    assert_eq!(counts, [4, 0, 1, 3, 0, 0]);

    let path = crate::samples::store(&root, crate::samples::Layout::OpenSim, &"AB".repeat(32), b"");
    assert!(path.exists());
    let bad = program(&root, &out, &[]).output().expect("it runs");
    assert_eq!(bad.status.code(), Some(1), "{}", said(&bad));
    assert!(said(&bad).contains("lodger grid sql"), "{}", said(&bad));

    let named = program(&root, &out, &["--with-names"]).output().expect("it runs");
    assert_eq!(named.status.code(), Some(2), "{}", said(&named));
    assert!(said(&named).contains("leave out --with-names"), "{}", said(&named));

    for url in ["mysql://reader:geheim@:x:/y", "oracle://reader:geheim@host/x"] {
        let refused = program(Path::new(url), &out, &[]).output().expect("it runs");
        assert_eq!(refused.status.code(), Some(2), "{}", said(&refused));
        assert!(!said(&refused).contains("geheim"), "{}", said(&refused));
    }
}
