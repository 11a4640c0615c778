//! Invalid arguments: one error, and no file written. Symbolic links in the output folder.

use std::fs;
#[cfg(unix)]
use std::os::unix::fs::symlink;

use lodger_testkit::run::TestFolder;

#[cfg(unix)]
use super::files_of;
use super::{Packs as _, lodger_pack};
use crate::models::{skinned_tube, sphere};

fn folder() -> TestFolder {
    let glb = sphere(0.5, 6).named("ball").glb();
    let folder = lodger_pack()
        .with("broken.glb", &glb[..glb.len() / 2])
        .with("ball.glb", glb)
        .with("note.txt", "no model")
        .with("empty.glb", "");
    fs::create_dir(folder.path("there")).expect("a folder");
    folder
}

#[track_caller]
fn assert_rejected(arguments: &[&str], parts: &[&str]) {
    let folder = folder();
    let before = folder.files_in(".");
    folder.run(arguments).fails_with(parts);
    assert_eq!(folder.files_in("."), before);
    assert!(folder.files_in("there").is_empty());
}

#[test]
fn a_model_is_a_file_of_gltf() {
    for (model, parts) in [
        ("gone.glb", &["cannot read the model `gone.glb`", ".glb or .gltf"][..]),
        ("there", &["cannot read the model `there`", "directory"]),
        ("note.txt", &["`note.txt` is text, not a glTF model"]),
        ("empty.glb", &["`empty.glb` is empty"]),
        ("broken.glb", &["`broken.glb`"]),
    ] {
        assert_rejected(&[model, "--output", "out"], parts);
        assert_rejected(&["ball.glb", model, "--output", "there"], parts);
    }
}

#[test]
fn a_place_is_a_folder_that_can_be_made() {
    assert_rejected(&["ball.glb"], &["--output <DIR>"]);
    assert_rejected(&["ball.glb", "--output", "note.txt"], &["`note.txt` is a file"]);
    assert_rejected(&["ball.glb", "--output", "a/b"], &["there is no folder `a`"]);
    assert_rejected(&["ball.glb", "--output", ""], &["--output"]);
}

#[test]
fn an_input_is_never_overwritten() {
    let force = &["ball.glb", "--output", ".", "--force"];
    assert_rejected(force, &["would overwrite the input `ball.glb`", "another folder"]);
    assert_rejected(
        &["ball.glb", "--output", "out", "--report", "ball.glb", "--force"],
        &["`--report ball.glb` would overwrite the input `ball.glb`"],
    );
    assert_rejected(
        &["ball.glb", "--output", "there", "--report", "there/ball.glb"],
        &["--output and --report name the same file"],
    );
    assert_rejected(
        &["ball.glb", "--output", "out", "--report", "a/look.html"],
        &["there is no folder for `--report a/look.html`"],
    );
}

/// Packing would fail, too, but does not start.
#[test]
fn a_report_that_has_no_place_is_refused_before_packing() {
    let dear = ["--scale", "60,60,60", "--land-impact", "1", "--keep-high"];
    for (output, report, part) in [
        ("out", "out/ball.glb", "--output and --report name the same file, `out/ball.glb`"),
        ("there/out", "./there/out/ball_PHYS.glb", "--output and --report name the same file"),
        ("out", "./out", "`--report ./out` names a folder"),
        ("out", "out/..", "`--report out/..` names a folder"),
        ("out", "there", "`there` is there"),
    ] {
        for force in [&[][..], &["--force"]] {
            let arguments = ["ball.glb", "--output", output, "--report", report];
            assert_rejected(&[&arguments[..], &dear, force].concat(), &[part]);
        }
    }
}

#[test]
fn folders_and_devices_are_not_overwritten() {
    let folder = folder();
    fs::create_dir(folder.path("there/ball_LOD1.glb")).expect("a folder");
    let force = folder.run(&["ball.glb", "--output", "there", "--force"]);
    force.fails_with(&["`there/ball_LOD1.glb` is there, and is no file"]);
    assert_eq!(folder.files_in("there"), ["ball_LOD1.glb"]);
}

#[test]
fn a_joint_that_is_no_avatars_is_refused_with_the_option_that_takes_it() {
    let mut tube = skinned_tube(6, 8);
    tube.joints[1].0 = "Bone.001".to_owned();
    let folder = lodger_pack().with("tube.glb", tube.glb());
    let arguments = ["tube.glb", "--output", "out"];
    folder.run(&arguments).fails_with(&[
        "the avatar's skeleton has no joint `Bone.001`",
        "--skin rest packs the mesh in its rest pose",
    ]);
    let said = folder.run(&[&arguments[..], &["--skin", "rest"]].concat()).packs();
    assert!(said.stdout.contains("skins are left out"), "{}", said.stdout);
}

#[test]
fn numbers_describe_possible_objects_and_words_are_known() {
    for (option, value, part) in [
        ("--scale", "0,1,1", "each side is above 0 and at most 64 m"),
        ("--scale", "1,1,64.1", "each side is above 0 and at most 64 m"),
        ("--scale", "inf,1,1", "scale"),
        ("--scale", "nan,1,1", "scale"),
        ("--scale", "-1,1,1", "scale"),
        ("--scale", "1,1", "three lengths in metres are expected"),
        ("--land-impact", "0", "0 is not in 1..=1000000"),
        ("--land-impact", "1.5", "invalid"),
        ("--physics-cost", "0", "a cost is above 0"),
        ("--physics-cost", "nan", "a cost is above 0"),
        ("--physics-cost", "much", "physics-cost"),
        ("--lods", "1,2", "medium, low and lowest"),
        ("--lods", "10,20,30", "no more triangles than the one above"),
        ("--lods", "0%,0%,0%", "medium, low and lowest"),
        ("--shape", "box", "convex-hull"),
        ("--skin", "none", "keep, rest"),
        ("--rules", "mine", "viewer"),
        ("--format", "csv", "json"),
        ("--physics", "hul", "none, box, hull, parts, mesh, or a .glb"),
        ("--physics", "gone.glb", "cannot read the physics shape `gone.glb`"),
        ("--physics", "note.txt", "`note.txt` is text"),
        ("--physics", "broken.glb", "`broken.glb`"),
    ] {
        assert_rejected(&["ball.glb", "--output", "out", option, value], &[part]);
    }
}

#[test]
fn an_infeasible_land_impact_names_the_limiting_weight() {
    let arguments = ["ball.glb", "--output", "out", "--scale", "60,60,60", "--land-impact", "1"];
    assert_rejected(
        &[&arguments[..], &["--keep-high"]].concat(),
        &["a land impact of 1 cannot be met: streaming needs ", "--keep-high"],
    );
}

#[test]
fn an_infeasible_physics_cost_is_named() {
    let arguments = ["ball.glb", "--output", "out", "--physics-cost", "0.1"];
    for more in [&[][..], &["--land-impact", "9"]] {
        let parts =
            ["a physics cost of 0.1 cannot be met: 0.200 is the least", "raise --physics-cost"];
        assert_rejected(&[&arguments[..], more].concat(), &parts);
    }
    let tight =
        ["--land-impact", "1", "--physics-cost", "9", "--physics", "mesh", "--shape", "prim"];
    let both = [&arguments[..3], &tight].concat();
    let folder = folder();
    let said = folder.run(&both).stderr;
    assert!(!said.contains("a physics cost of"), "{said}");
}

#[test]
fn a_path_that_is_called_like_an_inner_task_is_a_path() {
    assert_rejected(&["decompose", "--output", "out"], &["cannot read the model `decompose`"]);
}

#[test]
fn models_stay_within_their_quota() {
    let folder = lodger_pack().with("ball.glb", sphere(0.5, 200).glb());
    let tight = folder.run(&["ball.glb", "--output", "out", "--memory", "1"]);
    tight.fails_with(&["more than 1 MiB of memory"]);
    assert_eq!(folder.files_in("."), ["ball.glb"]);
}

/// A folder with a model, links to `target` in place of two files, and a broken link in place of a
/// report.
#[cfg(unix)]
fn linked(target: &str) -> TestFolder {
    let ball = sphere(0.5, 6).named("ball").glb();
    let folder = lodger_pack().with("ball.glb", ball).with("mine", "mine");
    for name in ["out", "elsewhere"] {
        fs::create_dir(folder.path(name)).expect("a folder");
    }
    symlink("../page", folder.path("out/look.html")).expect("a link");
    for name in ["ball.llmesh", "ball_LOD0.glb"] {
        symlink(target, folder.path("out").join(name)).expect("a link");
    }
    folder
}

#[cfg(unix)]
#[test]
fn force_replaces_a_link_and_not_its_target() {
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

#[cfg(unix)]
#[test]
fn a_link_to_the_model_is_the_model() {
    let folder = linked("../ball.glb");
    let force = folder.run(&["ball.glb", "--output", "out", "--force"]);
    force.fails_with(&["`out/ball.llmesh` in --output would overwrite the input `ball.glb`"]);
}

#[cfg(unix)]
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
