//! Exit codes: 0 for success, 1 if some inputs have no row, 2 if no input could be read, with the
//! reason on stderr and in JSON and CSV.

use std::fs;

use lodger_testkit::build::archive::{ArchiveFile, PartXml, id, region_object};
use lodger_testkit::build::mesh::good;

use crate::run::{Case, TestFolder, lodger, rows};

fn unreadable() -> (TestFolder, [(&'static str, &'static str); 6]) {
    let whole = good();
    let folder = lodger()
        .with("png.llmesh", b"\x89PNG\r\n\x1a\n")
        .with("empty.oar", "")
        .with("cut.llmesh", &whole[..whole.len() / 2])
        .with("loop.llmesh", b"{\0\0\0\x01k\0\0\0\x08high_lod1!");
    fs::create_dir(folder.path("folder")).expect("a folder");
    let said = [
        ("png.llmesh", "it is a PNG image"),
        ("empty.oar", "it is empty"),
        ("cut.llmesh", "it is a damaged mesh asset"),
        ("loop.llmesh", "it is a damaged mesh asset"),
        ("folder", "this folder has no file"),
        ("gone.llmesh", "it cannot be read"),
    ];
    (folder, said)
}

#[test]
fn unreadable_inputs_exit_with_2_and_are_on_stderr() {
    let (folder, all) = unreadable();
    for (name, said) in all {
        for command in ["cost", "lint"] {
            folder.run(&[command, name]).fails_with(&[&format!("`{name}`: {said}")]);
            let outcome = folder.run(&[command, name, "--format", "json"]);
            assert_eq!(outcome.code, Some(2), "{name}: {}", outcome.stderr);
            assert!(outcome.stderr.contains(&format!("error: `{name}`: {said}")));
            let report = outcome.json();
            assert_eq!(report["errors"][0]["file"], name);
            let error = report["errors"][0]["error"].as_str().expect("a sentence");
            assert!(error.starts_with(said), "{error}");
        }
        let outcome = folder.run(&["cost", name, "--format", "csv"]);
        let rows = rows(&outcome.stdout);
        assert_eq!((outcome.code, rows.len(), &*rows[0]["file"]), (Some(2), 1, name));
        assert!(rows[0]["error"].starts_with(said), "{rows:?}");
    }
}

#[test]
fn all_unreadable_files_are_reported() {
    let (folder, all) = unreadable();
    for command in ["cost", "lint"] {
        let outcome = folder.run(&[&[command][..], &all.map(|(name, _)| name)].concat());
        assert_eq!((outcome.code, &*outcome.stdout), (Some(2), ""));
        assert_eq!(outcome.stderr.matches("error: ").count(), all.len(), "{}", outcome.stderr);
        let many = vec!["gone.llmesh"; 100];
        let outcome = folder.run(&[&[command][..], &many].concat());
        assert!(outcome.stderr.contains("92 more cannot be read"), "{}", outcome.stderr);
    }
}

#[test]
fn some_that_could_be_read_are_1_and_the_others_are_rows() {
    let (folder, all) = unreadable();
    let folder = folder.with("good.llmesh", good());
    for (name, said) in all {
        for command in ["cost", "lint"] {
            let outcome = folder.run(&[command, name, "good.llmesh"]);
            assert_eq!((outcome.code, &*outcome.stderr), (Some(1), ""), "{name}");
            assert!(outcome.stdout.contains(said), "{}", outcome.stdout);
            let outcome = folder.run(&[command, name, "good.llmesh", "--format", "json"]);
            let report = outcome.json();
            assert_eq!((outcome.code, &report["errors"][0]["file"]), (Some(1), &name.into()));
            assert_eq!(report["files"][0]["file"], "good.llmesh");
        }
    }
}

#[test]
fn an_object_without_a_price_was_read() {
    let lost = region_object(&PartXml::mesh("lost", &id(1)), &[]);
    let archive = ArchiveFile::new().with("objects/lost.xml", lost);
    let folder = lodger().with("region.oar", archive.gzip());
    let outcome = folder.run(&["cost", "region.oar"]);
    assert_eq!((outcome.code, &*outcome.stderr), (Some(1), ""));
    folder.run(&["lint", "region.oar"]).succeeds();
}

#[test]
fn a_file_stays_if_its_replacement_cannot_be_written() {
    let folder = lodger().with("old", "old");
    for command in ["cost", "lint"] {
        folder.run(&[command, "gone.llmesh", "--output", "old"]).fails_with(&["gone.llmesh"]);
        assert_eq!(folder.read("old"), "old");
    }
    let outcome = folder.run(&["lint", "gone.llmesh", "--format", "json", "--output", "new.json"]);
    assert_eq!((outcome.code, &*outcome.stdout), (Some(2), ""));
    let written = folder.read("new.json");
    assert!(written.contains("gone.llmesh"), "{written}");
}

#[test]
fn a_minus_is_stdin_whatever_lies_there() {
    let mesh = good();
    let folder = lodger().with("a", &mesh);
    fs::create_dir(folder.path("-")).expect("a folder");
    for arguments in [&["cost", "-"][..], &["lint", "-"], &["cost", "-", "--target", "1"]] {
        let outcome = folder.run_case(&Case::of_args(arguments).bytes(&mesh)).succeeds();
        assert!(outcome.stdout.contains("<stdin>"), "{arguments:?}: {}", outcome.stdout);
    }
    folder.run(&["lint", "./-"]).fails_with(&["`./-`: this folder has no file"]);
    folder.run(&["linkset", "-", "-"]).fails_with(&["`<stdin>` is named twice"]);
}

#[test]
fn the_rule_is_in_the_help() {
    let folder = lodger();
    for command in ["cost", "lint", "linkset", "schedule"] {
        folder.run(&[command, "--help"]).succeeds().shows(&["could be read"]);
    }
}
