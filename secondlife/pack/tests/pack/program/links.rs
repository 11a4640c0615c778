//! Symbolic links in the folder for what is made.

use std::fs;
use std::os::unix::fs::symlink;

use lodger_testkit::run::TestFolder;

use super::files_of;
use super::{Packs as _, lodger_pack};
use crate::models::sphere;

/// A folder with a model, and links to `target` where two files are to be made, and one to nowhere for a report.
fn linked(target: &str) -> TestFolder {
    let mut ball = sphere(0.5, 6);
    "ball".clone_into(&mut ball.meshes[0].name);
    let folder = lodger_pack().with("ball.glb", ball.glb()).with("mine", "mine");
    for name in ["out", "elsewhere"] {
        fs::create_dir(folder.path(name)).expect("a folder");
    }
    symlink("../page", folder.path("out/look.html")).expect("a link");
    for name in ["ball.llmesh", "ball_LOD0.glb"] {
        symlink(target, folder.path("out").join(name)).expect("a link");
    }
    folder
}

#[test]
fn force_replaces_a_link_and_not_what_it_leads_to() {
    for target in ["../mine", "../nowhere", "../elsewhere"] {
        let folder = linked(target);
        let arguments = ["ball.glb", "--output", "out", "--report", "out/look.html"];
        folder
            .run(&arguments)
            .fails_with(&["ball.llmesh` is there already, and so are 2 more files"]);
        assert!(folder.path("out/ball.llmesh").is_symlink(), "{target}");
        folder.run(&[&arguments[..], &["--force"]].concat()).packs();
        let mut made = files_of("ball");
        made.push("look.html".to_owned());
        assert_eq!(folder.files_in("out"), made);
        for name in made {
            let found = folder.path("out").join(&name).symlink_metadata().expect("it is there");
            assert!(found.is_file() && found.len() > 100, "{name}, {target}");
        }
        assert_eq!(fs::read(folder.path("mine")).expect("a file"), b"mine");
        assert_eq!(folder.files_in("."), ["ball.glb", "elsewhere", "mine", "out"]);
        assert!(folder.files_in("elsewhere").is_empty());
    }
}

#[test]
fn a_link_to_the_model_is_the_model() {
    let folder = linked("../ball.glb");
    let force = folder.run(&["ball.glb", "--output", "out", "--force"]);
    force.fails_with(&["`out/ball.llmesh` in --output would overwrite the input `ball.glb`"]);
}

#[test]
fn a_report_elsewhere_follows_its_link() {
    let folder = linked("../mine");
    let pack =
        |report: &str| folder.run(&["ball.glb", "--output", "new", "--report", report, "--force"]);
    symlink("/dev/null", folder.path("device")).expect("a link");
    pack("device").fails_with(&["`device` is there, and is no file"]);
    assert!(folder.path("device").is_symlink() && !folder.path("new").exists());
    symlink("mine", folder.path("latest.html")).expect("a link");
    pack("latest.html").packs();
    assert!(folder.path("latest.html").is_symlink());
    assert!(fs::read(folder.path("mine")).expect("a file").starts_with(b"<!DOCTYPE html>"));
}
