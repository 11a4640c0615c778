//! Termination signals, which leave nothing half-written and may be ignored.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;

use lodger_testkit::build::mesh::bytes;

use crate::run::{SIZES, TestFolder, mesh_folder, sized};

const WAITING: [&str; 6] = ["cost", "-", "--format", "json", "--output", "old.json"];

fn send(child: &Child, signal: &str) {
    let status = Command::new("kill").args([signal, &child.id().to_string()]).status();
    assert!(status.expect("there is a kill").success());
}

/// Sends a signal thousands of times a second until the process is gone.
fn hail(child: &Child, signal: &str) -> Child {
    let script = format!("while kill -{signal} {} 2>/dev/null; do :; done", child.id());
    Command::new("sh").args(["-c", &script]).spawn().expect("a shell")
}

fn reported(status: ExitStatus) -> Option<i32> {
    status.code().or_else(|| status.signal().map(|signal| 128 + signal))
}

fn complete() -> String {
    let folder = mesh_folder();
    let mut command = folder.command(&WAITING);
    let asset = fs::File::open(folder.path("a.llmesh")).expect("a file");
    assert!(command.stdin(asset).status().expect("it runs").success());
    folder.read("old.json")
}

fn written(folder: &TestFolder) -> String {
    assert_eq!(folder.files(), ["a.llmesh", "old.json"]);
    folder.read("old.json")
}

#[test]
fn an_interrupt_leaves_nothing_behind() {
    let folder = mesh_folder().with("old.json", "old");
    let mut child = folder.command(&WAITING).stdin(Stdio::piped()).spawn().expect("it runs");
    send(&child, "-INT");
    assert_eq!(reported(child.wait().expect("it ends")), Some(130));
    assert_eq!(written(&folder), "old");
}

#[test]
fn an_interrupt_at_any_moment_leaves_the_old_file_or_the_new_one() {
    let complete = complete();
    for moment in 0..40 {
        let folder = mesh_folder().with("old.json", "old");
        let asset = fs::File::open(folder.path("a.llmesh")).expect("a file");
        let mut child = folder.command(&WAITING).stdin(asset).spawn().expect("it runs");
        thread::sleep(Duration::from_micros(250) * moment);
        send(&child, "-INT");
        let code = reported(child.wait().expect("it ends"));
        match (code, written(&folder)) {
            (Some(0), file) => assert_eq!(file, complete),
            (Some(130), file) => assert!(file == "old" || file == complete, "{file}"),
            (code, _) => panic!("it ended with {code:?}"),
        }
    }
}

#[test]
fn signals_ignored_at_the_start_stay_ignored() {
    let complete = complete();
    // The moment in which a handler would do harm is short: it is hit in some of the rounds.
    for signal in ["INT", "TERM", "HUP"].repeat(6) {
        let folder = mesh_folder().with("old.json", "old");
        let lodger = folder.command(&WAITING);
        let script = format!("trap '' {signal}; echo ready; exec \"$0\" \"$@\"");
        let mut child = Command::new("sh")
            .args(["-c", &script])
            .arg(lodger.get_program())
            .args(lodger.get_args())
            .current_dir(folder.path(""))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a shell");
        let mut line = String::new();
        let stdout = child.stdout.take().expect("a stdout");
        BufReader::new(stdout).read_line(&mut line).expect("a line");
        assert_eq!(line, "ready\n");
        let mut hail = hail(&child, signal);
        let mut stdin = child.stdin.take().expect("a stdin");
        stdin.write_all(&bytes(&sized(SIZES))).expect("it reads");
        drop(stdin);
        assert_eq!(reported(child.wait().expect("it ends")), Some(0), "{signal}");
        assert_eq!(written(&folder), complete);
        hail.wait().expect("it ends with the program");
    }
}
