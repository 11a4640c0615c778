//! Commands that are programs of their own: `lodger board` is `lodger-board`, or says how to build it.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::process::Command;

use crate::run::{Folder, Outcome};

/// Says how it was called, a line each, and exits with 7.
const FAKE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli/fake-program");

/// Puts a program called `lodger-board` into a folder. It is not written here: a file that any thread
/// has open to write cannot be run.
fn with_board(folder: Folder) -> Folder {
    symlink(FAKE, folder.path("lodger-board")).expect("a link");
    folder
}

/// What the program in a folder says of itself and its arguments.
fn said(folder: &Folder, arguments: &[&str]) -> String {
    let program = folder.path("lodger-board").display().to_string();
    [&[&*program], arguments, &[""]].concat().join("\n")
}

/// A folder with `lodger` in it, and nothing beside it.
fn installed() -> Folder {
    let folder = Folder::of_the_build();
    fs::hard_link(env!("CARGO_BIN_EXE_lodger"), folder.path("lodger")).expect("a link");
    folder
}

/// Runs that `lodger` with this folder alone on PATH.
fn run(installed: &Folder, path: &Folder, arguments: &[&str]) -> Outcome {
    let mut command = Command::new(installed.path("lodger"));
    command.args(arguments).env("PATH", path.path("")).env_remove("CLICOLOR_FORCE");
    Outcome::of(command.output().expect("it runs"))
}

#[test]
fn a_program_beside_lodger_comes_first() {
    let (installed, path) = (with_board(installed()), with_board(Folder::new()));
    let outcome = run(&installed, &path, &["board", "list"]);
    assert_eq!(outcome.stdout, said(&installed, &["list"]));
}

#[test]
fn a_program_on_path_is_found_and_its_exit_code_passed_on() {
    let path = with_board(Folder::new());
    let outcome = run(&installed(), &path, &["board"]);
    assert_eq!((outcome.code, outcome.stdout), (Some(7), said(&path, &[])));
    assert_eq!(outcome.stderr, "");
    // What cannot be run is no program.
    let installed = installed().with("lodger-board", "");
    assert_eq!(run(&installed, &path, &["board"]).stdout, said(&path, &[]));
}

#[test]
fn arguments_are_passed_on_as_they_are() {
    let path = with_board(Folder::new());
    for arguments in [
        &["--help"][..],
        &["-h"],
        &["--", "run"],
        &["run", "a b", "--", "-x", "--json=\"1\"", "", "*"],
        &["--version", "--no-such-option", "-"],
    ] {
        let outcome = run(&installed(), &path, &[&["board"], arguments].concat());
        assert_eq!(outcome.stdout, said(&path, arguments));
    }
}

#[test]
fn a_missing_program_is_told_with_the_command_that_builds_it() {
    let nothing = Folder::new();
    for arguments in [&["board"][..], &["board", "list", "--json"], &["board", "--help"]] {
        let outcome = run(&installed(), &nothing, arguments);
        outcome.refused(&["`lodger-board`", "cargo build --release -p lodger-board"]);
    }
}

#[test]
fn a_program_that_cannot_be_started_is_told() {
    let path = Folder::new().with("lodger-board", "#!/no/such/interpreter\n");
    let mode = fs::Permissions::from_mode(0o755);
    fs::set_permissions(path.path("lodger-board"), mode).expect("a mode");
    run(&installed(), &path, &["board"]).refused(&["cannot start", "lodger-board"]);
}

#[test]
fn help_lists_the_command() {
    let outcome = Outcome::of(Folder::new().command(&["--help"]).output().expect("it runs"));
    let help = outcome.succeeded().stdout;
    let line = "board     Flash, run, watch and question boards through debug probes";
    assert!(help.contains(line), "{help}");
}
