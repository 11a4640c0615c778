//! The real program: what it says, and what is left of it when it is killed.

use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use lodger_grid::dataset::{Manifest, Table};
use lodger_grid::ingest::Options;
use lodger_terminal::signals::reset_for_children;

use crate::ingest_trees::tree;
use crate::samples::{rows, take_in};

fn program(root: &Path, out: &Path, options: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lodger-grid"));
    command.arg("ingest").arg(root).arg("--out").arg(out).args(options);
    command.stdin(Stdio::null()).env("RAYON_NUM_THREADS", "2");
    command
}

fn files(out: &Path) -> usize {
    Manifest::read(out).expect("it is valid at any time").map_or(0, |manifest| manifest.files.len())
}

/// Waits until there is more in a dataset, or the program is gone. Whether it still runs.
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
fn a_killed_ingest_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let (root, out) = (folder.path().join("data"), folder.path().join("out"));
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
    take_in(&[&root], &whole, Options::default());
    for table in [Table::Assets, Table::Parts] {
        assert!(rows(&out, table) == rows(&whole, table), "{table:?} differs");
    }
}

#[test]
fn an_interrupt_leaves_a_valid_dataset() {
    reset_for_children().expect("handlers");
    let folder = tempfile::tempdir().expect("a folder");
    let (root, out) = (folder.path().join("data"), folder.path().join("out"));
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
        rows(&out, Table::Assets).len() as u64,
        report["assets"].as_u64().expect("a number")
    );
    assert!(!Manifest::read(&out).expect("valid").expect("a dataset").sources[0].whole);
    let last = program(&root, &out, &[]).output().expect("it runs");
    assert_eq!(last.status.code(), Some(0), "{}", said(&last));
    assert_eq!(rows(&out, Table::Assets).len(), 2500);
}

#[test]
fn it_says_what_was_made_and_what_is_wrong() {
    let folder = tempfile::tempdir().expect("a folder");
    let (root, out) = (folder.path().join("data"), folder.path().join("out"));
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
