//! `lodger lint` on archives and on many files.

use lodger_mesh_asset::Block;
use lodger_testkit::build::archive::{ArchiveFile, PartXml, id, region_object};
use lodger_testkit::build::mesh::{bytes, good, good_builder, strip};
use serde_json::{Value as Json, json};

use crate::run::{RunOutput, TestFolder, lodger};

fn lint(folder: &TestFolder, arguments: &[&str]) -> RunOutput {
    let arguments = [&["lint"], arguments].concat();
    folder.run(&arguments)
}

fn report(folder: &TestFolder, arguments: &[&str]) -> Json {
    let outcome = lint(folder, &[arguments, &["--format", "json"]].concat());
    outcome.json()
}

fn files(report: &Json) -> Vec<&str> {
    let files = report["files"].as_array().expect("a list");
    files.iter().map(|row| row["file"].as_str().expect("a name")).collect()
}

/// An asset with one warning.
fn poor() -> Vec<u8> {
    let mut builder = good_builder();
    builder.set_lod(Block::LowLod, &strip(200)).expect("a short block");
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
fn an_archive_without_meshes_has_nothing_to_complain_about() {
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
fn what_keeps_meshes_from_being_checked_is_told() {
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
fn of_many_files_the_clean_ones_are_counted() {
    let few = (0..20).fold(lodger(), |all, i| all.with(&format!("{i:02}.llmesh"), good()));
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
