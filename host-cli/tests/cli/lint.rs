use lodger_mesh_asset::llsd::{LlsdValue, Map};
use lodger_mesh_asset::{AssetBlock, AssetBuilder, Faces};
use lodger_testkit::build::archive::{ArchiveFile, PartXml, id, region_object};
use lodger_testkit::build::mesh::{bytes, good, good_builder, mesh, strip};
use serde_json::{Value as Json, json};

use crate::run::{RunOutput, TestFolder, lodger};

fn lint(folder: &TestFolder, arguments: &[&str]) -> RunOutput {
    let arguments = [&["lint"], arguments].concat();
    folder.run(&arguments)
}

fn report(folder: &TestFolder, arguments: &[&str]) -> Json {
    lint(folder, &[&["--format", "json"], arguments].concat()).json()
}

#[track_caller]
fn findings(builder: &AssetBuilder) -> Vec<Json> {
    let folder = lodger().with("a.llmesh", bytes(builder));
    let mut report = report(&folder, &["a.llmesh"]);
    assert_eq!(report["errors"], json!([]));
    serde_json::from_value(report["files"][0]["findings"].take()).expect("a list")
}

#[track_caller]
fn only(builder: &AssetBuilder) -> Json {
    let mut findings = findings(builder);
    assert_eq!(findings.len(), 1, "{findings:#?}");
    findings.remove(0)
}

fn with(block: AssetBlock, lod: &Faces) -> AssetBuilder<'static> {
    let mut builder = good_builder();
    builder.set_lod(block, lod).expect("a short block");
    builder
}

#[test]
fn a_good_asset_ends_with_0() {
    let folder = lodger().with("good.llmesh", good());
    let outcome = lint(&folder, &["good.llmesh"]).succeeds();
    assert_eq!(outcome.stdout, "good.llmesh: nothing to complain about\n");
    let expected = json!({
        "schema": 1,
        "files": [{"file": "good.llmesh", "findings": []}],
        "errors": [],
    });
    assert_eq!(report(&folder, &["good.llmesh"]), expected);
}

#[test]
fn the_shape_of_a_finding() {
    let mut builder = good_builder();
    builder.set_lod(AssetBlock::LowestLod, &strip(4)).expect("a short block");
    let mut found = only(&builder);
    assert!(found["cost"]["bytes"].take().as_u64().is_some_and(|bytes| bytes > 0));
    let expected = json!({
        "kind": "same-as-next",
        "severity": "note",
        "block": "lowest_lod",
        "face": null,
        "triangle": null,
        "hull": null,
        "cost": {"bytes": null},
        "message": "the same as low_lod: more to download, the same cost",
        "advice": "leave the lower level out or simplify it",
    });
    assert_eq!(found, expected);
}

/// A level may be the same as the next one, as if all four levels were always written.
#[test]
fn notes_alone_end_with_0() {
    let mut builder = good_builder();
    builder.set_lod(AssetBlock::LowestLod, &strip(4)).expect("a short block");
    let folder = lodger().with("same.llmesh", bytes(&builder));
    let table = lint(&folder, &["same.llmesh"]).succeeds().stdout;
    assert!(
        table.starts_with("same.llmesh: 1 note\n  note: lowest_lod: the same as low_lod"),
        "{table}"
    );
    lint(&folder, &["same.llmesh", "--format", "json"]).succeeds();

    builder.remove("physics_convex");
    let folder = folder.with("warned.llmesh", bytes(&builder));
    let outcome = lint(&folder, &["same.llmesh", "warned.llmesh"]);
    assert_eq!(outcome.code, Some(1));
    outcome.shows(&[
        "warned.llmesh: 1 warning, 1 note\n",
        "  warning: physics_convex: there is no hull",
        "2 files checked: 1 warning, 2 notes in 2 of them.\n",
    ]);
    let found = report(&folder, &["warned.llmesh"]);
    let severities: Vec<_> = found["files"][0]["findings"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|it| &it["severity"])
        .collect();
    assert_eq!(severities, ["note", "warning"]);
}

#[test]
fn degenerate_triangles_are_named_and_priced() {
    let corners = [[0.0; 3], [0.5, 0.0, 0.0], [0.0, 0.5, 0.0]];
    let found = only(&with(AssetBlock::PhysicsMesh, &mesh(&corners, &[[0, 1, 2], [0, 1, 1]])));
    assert_eq!(found["kind"], "degenerate");
    assert_eq!(found["block"], "physics_mesh");
    assert_eq!((&found["face"], &found["triangle"]), (&json!(0), &json!(1)));
    assert_eq!(found["cost"], json!({"physics_of_mesh": 100.0}));

    let many = mesh(&corners, &[[0, 0, 0]; 1003]);
    let found = findings(&with(AssetBlock::PhysicsMesh, &many));
    assert_eq!(found.len(), 1001);
    assert_eq!(found[1000]["kind"], "more-degenerate");
    let folder = lodger().with("a.llmesh", bytes(&with(AssetBlock::PhysicsMesh, &many)));
    lint(&folder, &["a.llmesh"]).shows(&[
        "… and 990 more like these",
        "face 0, triangle 9: a triangle without area",
        "3 more triangles without area",
        "scale 1,1,1",
    ]);
}

#[test]
fn a_domain_that_is_missing() {
    let entries = [("Position", vec![9_u8; 18]), ("TriangleList", vec![])];
    let face: Map = entries.into_iter().map(|(key, bytes)| (key, LlsdValue::from(bytes))).collect();
    let mut builder = good_builder();
    let value: LlsdValue = [LlsdValue::Map(face)].into_iter().collect();
    builder.set_block("lowest_lod", &value).expect("a short block");
    let found = only(&builder);
    assert_eq!((&found["kind"], &found["face"]), (&json!("domain-missing"), &json!(0)));
}

#[test]
fn usage_ends_with_2_and_the_output_is_a_file() {
    let folder = lodger().with("good.llmesh", good());
    assert_eq!(lint(&folder, &[]).code, Some(2));
    assert_eq!(lint(&folder, &["good.llmesh", "--format", "csv"]).code, Some(2));
    lint(&folder, &["good.llmesh", "--output", "no/such/place"]).fails_with(&["no/such/place"]);
    let outcome = lint(&folder, &["good.llmesh", "--format", "json", "--output", "found.json"]);
    assert_eq!(outcome.succeeds().stdout, "");
    let written = folder.read("found.json");
    assert!(written.ends_with("}\n") && written.contains("\"schema\": 1"), "{written}");
}

fn files(report: &Json) -> Vec<&str> {
    let files = report["files"].as_array().expect("a list");
    files.iter().map(|row| row["file"].as_str().expect("a name")).collect()
}

fn poor() -> Vec<u8> {
    let mut builder = good_builder();
    builder.set_lod(AssetBlock::LowLod, &strip(200)).expect("a short block");
    bytes(&builder)
}

#[test]
fn every_mesh_of_an_archive_is_a_row() {
    let archive = ArchiveFile::new()
        .with_mesh(&id(1), good())
        .with_mesh(&id(2), poor())
        .with_mesh(&id(3), "broken")
        .with("objects/bad.xml", "<SceneObjectGroup />");
    let folder = lodger().with("region.oar", archive.gzip());
    let found = report(&folder, &["region.oar"]);
    let asset = |number| format!("region.oar/assets/{}_mesh.llmesh", id(number));
    assert_eq!(files(&found), [asset(1), asset(2)]);
    assert_eq!(found["files"][1]["findings"][0]["kind"], "more-triangles");
    let errors = found["errors"].as_array().expect("a list");
    assert_eq!(errors[0]["file"], asset(3));
    assert_eq!(errors[0]["error"], "it does not begin as a mesh asset does");
    assert_eq!(errors.len(), 1);
    let outcome = lint(&folder, &["region.oar"]);
    assert_eq!((outcome.code, &*outcome.stderr), (Some(1), ""));
    assert!(outcome.stdout.contains("2 files checked: 1 warning in 1 of them; 1 could not be"));
}

#[test]
fn folders_give_meshes_and_archives() {
    let archive = ArchiveFile::new().with_mesh(&id(1), good()).gzip();
    let folder = lodger()
        .with("b.oar", &archive)
        .with("c.oar.gz", &archive)
        .with("a.llmesh", good())
        .with("d.txt", "nothing");
    let of = |file: &str| format!("./{file}/assets/{}_mesh.llmesh", id(1));
    let found = report(&folder, &["."]);
    assert_eq!(files(&found), ["./a.llmesh".to_owned(), of("b.oar"), of("c.oar.gz")]);
}

#[test]
fn the_meshes_of_a_chosen_object_are_checked() {
    let cube = |name: &str, mesh| region_object(&PartXml::mesh(name, &id(mesh)), &[]);
    let archive = ArchiveFile::new()
        .with_mesh(&id(1), poor())
        .with_mesh(&id(2), good())
        .with("objects/a.xml", cube("poor", 1))
        .with("objects/b.xml", cube("good", 2));
    let folder = lodger().with("region.oar", archive.gzip());
    lint(&folder, &["region.oar:good"]).succeeds();
    assert_eq!(lint(&folder, &["region.oar:poor"]).code, Some(1));
}

#[test]
fn an_archive_without_meshes_is_clean() {
    let cube = region_object(&PartXml::cube("a"), &[]);
    let prims = ArchiveFile::new()
        .with("objects/a.xml", &*cube)
        .with("objects/bad.xml", "<SceneObjectGroup />")
        .with("landdata/bad.xml", "<LandData />");
    let folder = lodger().with("prims.oar", prims.gzip()).with("cube.xml", cube);
    for file in ["prims.oar", "cube.xml"] {
        let found = report(&folder, &[file]);
        assert_eq!(found["files"], json!([{"file": file, "findings": []}]));
        assert_eq!(found["errors"], json!([]));
        let table = lint(&folder, &[file]).succeeds().stdout;
        assert_eq!(table, format!("{file}: no mesh assets in it\n"));
    }
}

#[test]
fn errors_that_hide_meshes_are_reported() {
    let whole = ArchiveFile::new().with("objects/a.xml", vec![b' '; 4000]).tar();
    let folder = lodger()
        .with("cut.oar", &whole[..2000])
        .with("bad.xml", "<SceneObjectGroup><SceneObjectPart>");
    for (file, said) in [("cut.oar", "the archive breaks off"), ("bad.xml", "it is cut short")] {
        let found = report(&folder, &[file]);
        let errors = found["errors"].as_array().expect("a list");
        assert_eq!((files(&found), errors.len()), (vec![], 1), "{found}");
        assert!(errors[0]["error"].as_str().is_some_and(|e| e.contains(said)), "{found}");
    }
}

#[test]
fn clean_files_among_many_are_counted() {
    let few = (0..20).fold(lodger(), |all, i| all.with(format!("{i:02}.llmesh"), good()));
    let table = lint(&few, &["."]).succeeds().stdout;
    assert_eq!(table.matches("nothing to complain about").count(), 20);
    assert!(table.ends_with("20 files checked: 0 findings in 0 of them.\n"), "{table}");
    let many = few.with("20.llmesh", poor());
    let outcome = lint(&many, &["."]);
    assert_eq!(outcome.code, Some(1));
    assert!(!outcome.stdout.contains("nothing to complain about"), "{}", outcome.stdout);
    assert!(outcome.stdout.starts_with("./20.llmesh: 1 warning\n"), "{}", outcome.stdout);
    let summary = "21 files checked: 1 warning in 1 of them; 20 clean ones are not listed.";
    assert!(outcome.stdout.contains(summary), "{}", outcome.stdout);
    assert_eq!(files(&report(&many, &["."])).len(), 21);
    let clean = many.with("20.llmesh", good());
    let table = lint(&clean, &["."]).succeeds().stdout;
    assert_eq!(table, "21 files checked: 0 findings in 0 of them; 21 clean ones are not listed.\n");
}
