//! Options and folders that would have cost all time or memory.

use crate::cost_fixtures::{cost, folder};
use crate::run::{assert_rejected, lodger};

#[test]
fn sizes_have_a_least_and_a_greatest() {
    let folder = folder();
    for sizes in ["5e-324..1e-300", "1e-7..1", "0..1", "1e-300..16384", "0.1..16385", "1e-6..1e-6"]
    {
        let sweep = ["a.llmesh", &format!("--sweep={sizes}"), "--plot", "p.svg"];
        cost(&folder, &sweep).fails_with(&["--sweep", "at least 0.000001 m", "at most 16384 m"]);
    }
    assert_eq!(folder.files(), ["a.llmesh"]);
    let all = ["a.llmesh", "--sweep", "1e-6..16384", "--plot", "p.svg"];
    for scale in ["1,1,1", "1,1e-300,1", "5e-324,5e-324,5e-324", "16384,5e-324,0", "1e-300,1,1e-5"]
    {
        let outcome = cost(&folder, &[&all[..], &["--scale", scale]].concat());
        assert_eq!(outcome.code, Some(0), "{scale}: {}", outcome.stderr);
        assert!(outcome.stdout.lines().count() < 2_000, "{scale}");
        let picture = std::fs::metadata(folder.path("p.svg")).expect("a picture");
        assert!(picture.len() < 1_000_000, "{scale}");
    }
    let help = cost(&folder, &["--help"]).succeeds().stdout;
    assert!(help.contains("from 0.000001 to 16384"), "{help}");
}

#[test]
fn a_mark_far_into_a_line_of_8_mb_is_shown_with_its_place() {
    let text = format!("budget_ms = 5; x = \"{}\"", "ä".repeat(4 << 20));
    assert_rejected(&text, &["scene.toml:1:"]);
    let text =
        format!("view = [ # {}\n{} {{ eye = 1 }} ]", "x".repeat(4 << 20), " ".repeat(4 << 20));
    let folder = lodger().with("scene.toml", text);
    let outcome = folder.run(&["schedule", "scene.toml"]).fails_with(&["scene.toml:2:41943"]);
    assert!(outcome.stderr.len() < 4_000, "{}", outcome.stderr.len());
}

#[cfg(unix)]
#[test]
fn only_regular_files_are_taken_from_folders() {
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;
    use std::process::Command;

    let folder = lodger();
    let fifo = |name: &str| {
        assert!(Command::new("mkfifo").arg(folder.path(name)).status().expect("mkfifo").success());
    };
    for name in ["a.llmesh", "b.oar", "c_object.xml", "d.xml", "e.llmesh.gz"] {
        fifo(name);
    }
    let socket = UnixListener::bind(folder.path("socket.llmesh")).expect("a socket");
    symlink("a.llmesh", folder.path("link.slm")).expect("a link");
    symlink("/dev/zero", folder.path("zero.llmesh")).expect("a link");
    let run = |arguments: &[&str]| folder.run(arguments);
    for command in ["cost", "lint"] {
        run(&[command, "."]).fails_with(&["`.`: this folder has no file of the kinds"]);
    }
    drop(socket);
    let elsewhere = crate::cost_fixtures::folder();
    symlink(elsewhere.path("a.llmesh"), folder.path("real.llmesh")).expect("a link");
    for command in ["cost", "lint"] {
        let outcome = run(&[command, ".", "--format", "json"]);
        assert!(outcome.stdout.contains("./real.llmesh"), "{}", outcome.stdout);
        assert!(outcome.stdout.contains("\"errors\": []"), "{}", outcome.stdout);
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_in_place_of_a_mesh_is_not_waited_for() {
    use lodger_testkit::build::archive::{PartXml, id, object_asset};

    let table = object_asset(&PartXml::mesh("table", &id(1)), &[]);
    let folder = lodger().with("table_object.xml", table);
    let pipe = folder.path(&format!("{}_mesh.llmesh", id(1)));
    let made = std::process::Command::new("mkfifo").arg(pipe).status();
    assert!(made.expect("mkfifo").success());
    let outcome = cost(&folder, &["table_object.xml"]);
    assert_eq!(outcome.code, Some(1), "{}", outcome.stderr);
    assert!(outcome.stdout.contains("is missing"), "{}", outcome.stdout);
}
