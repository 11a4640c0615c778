//! `docs/formats.md` names every column of a dataset, every key of its manifest and of every JSON, and no other.

use std::path::Path;
use std::process::Command;

use arrow::datatypes::Schema;
use lodger_grid::dataset::{
    AssetColumns, DataFile, Manifest, PartColumns, SourceEntry, SourceKind, Table,
};
use lodger_mesh_asset::{AssetBuilder, Block, Faces, Geometry, Quantized};
use lodger_testkit::page::{Keys, assert_named, key_paths, named};
use serde_json::Value;
use tempfile::TempDir;
use uuid::Uuid;

use super::samples::{archive, mesh, object};

fn columns(schema: &Schema) -> Vec<&str> {
    schema.fields().iter().map(|field| field.name().as_str()).collect()
}

#[test]
fn the_columns_of_a_dataset() {
    assert_eq!(columns(&AssetColumns::schema()), named("The dataset: the table assets"));
    assert_eq!(columns(&PartColumns::schema()), named("The dataset: the table parts"));
}

#[test]
fn the_manifest_of_a_dataset() {
    let manifest = Manifest {
        schema: 1,
        with_names: false,
        sources: vec![SourceEntry {
            name: "region.oar".to_owned(),
            kind: SourceKind::Files,
            whole: true,
        }],
        files: vec![DataFile {
            table: Table::Assets,
            path: "assets/00000.parquet".to_owned(),
            rows: 1,
            source: 0,
        }],
    };
    let said = key_paths(&serde_json::to_value(&manifest).expect("JSON"), &[]);
    assert_named("The dataset: lodger-grid.json", &said);
}

/// A mesh of so many bytes that rules matter where it is large.
fn heavy() -> Vec<u8> {
    let place = |i: u16| f32::from(i.wrapping_mul(40_503)) / 65_536.0 - 0.5;
    let corners: Vec<_> = (0..1_200_u16).map(|i| [place(i), place(i * 7), place(i * 31)]).collect();
    let triangles: Vec<_> = (0..1_198_u16).map(|i| [i, i + 1, i + 2]).collect();
    let face = Geometry::new(Quantized::from_points(&corners).expect("points"), &triangles);
    let lod = Faces::new([face.expect("a face").into()]);
    let mut builder = AssetBuilder::new();
    for block in Block::LODS {
        builder.set_lod(block, &lod).expect("a LOD");
    }
    builder.encode().expect("an asset")
}

/// A region with an object of one of two meshes, wide enough that its land impact depends on rules.
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

/// The keys of what the program says to some questions.
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
