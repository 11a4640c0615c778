//! `lodger completions` and `lodger man`: scripts that shells accept and pages that man renders, with the options of
//! the programs behind lodger that are installed.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// Describes the options of a program.
const DESCRIBED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli/described-program");
/// Describes nothing.
const FAKE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli/fake-program");

const SUBCOMMANDS: [&str; 12] = [
    "schedule",
    "cost",
    "lint",
    "linkset",
    "replay",
    "simulate",
    "bench",
    "pack",
    "grid",
    "board",
    "completions",
    "man",
];
const SHELLS: [&str; 5] = ["bash", "elvish", "fish", "powershell", "zsh"];

/// A folder with `lodger` in it, and `lodger-pack` as a link to a program.
fn installed(pack: Option<&str>) -> TempDir {
    // On the file system of the build, where files can be linked.
    let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    let lodger = folder.path().join("lodger");
    fs::hard_link(env!("CARGO_BIN_EXE_lodger"), lodger).expect("a link");
    if let Some(pack) = pack {
        symlink(pack, folder.path().join("lodger-pack")).expect("a link");
    }
    folder
}

fn lodger(folder: &TempDir, arguments: &[&str]) -> Output {
    let mut command = Command::new(folder.path().join("lodger"));
    command.args(arguments).current_dir(folder.path()).env("PATH", folder.path());
    command.output().expect("it runs")
}

fn script(folder: &TempDir, shell: &str) -> String {
    let output = lodger(folder, &["completions", shell]);
    assert!(output.status.success(), "{shell}: {output:?}");
    String::from_utf8(output.stdout).expect("text")
}

/// Whether a program accepts a file without a word; true where there is no such program.
fn accepts(program: &str, arguments: &[&str], file: &Path) -> bool {
    let mut command = Command::new(program);
    match command.args(arguments).arg(file).stdin(Stdio::null()).output() {
        Ok(output) => output.status.success() && output.stderr.is_empty(),
        Err(_) => true,
    }
}

#[test]
fn scripts_name_all_subcommands_and_are_accepted() {
    let folder = installed(Some(DESCRIBED));
    for shell in SHELLS {
        let script = script(&folder, shell);
        for name in SUBCOMMANDS.iter().chain(&["budget-ms", "colour"]) {
            assert!(script.contains(name), "{shell}: no {name}");
        }
        // Hidden options are not completed.
        assert!(!script.contains("instructions"), "{shell}");
        let file = folder.path().join("script");
        fs::write(&file, script).expect("a file");
        if ["bash", "fish", "zsh"].contains(&shell) {
            assert!(accepts(shell, &["-n"], &file), "{shell}");
        }
    }
}

#[test]
fn a_program_that_is_missing_or_says_nothing_is_left_out() {
    let output = lodger(&installed(None), &["completions", "bash"]);
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    let output = lodger(&installed(Some(FAKE)), &["completions", "bash"]);
    let told = String::from_utf8(output.stderr).expect("text");
    assert!(output.status.success() && told.contains("does not describe its options"), "{told}");
    let refused = lodger(&installed(None), &["completions", "tcsh"]);
    assert_eq!(refused.status.code(), Some(2));
}

#[test]
fn man_pages_have_the_options_and_render_without_warnings() {
    let folder = installed(Some(DESCRIBED));
    let output = lodger(&folder, &["man", "pages"]);
    assert!(output.status.success() && output.stdout.is_empty(), "{output:?}");
    let page = |name: &str| {
        let file = folder.path().join("pages").join(name);
        let text = fs::read_to_string(&file).expect("a page");
        (file, text.replace("\\-", "-"))
    };
    for name in SUBCOMMANDS {
        assert!(page("lodger.1").1.contains(&format!("lodger-{name}(1)")), "{name}");
        assert!(page(&format!("lodger-{name}.1")).1.contains("--help"), "{name}");
    }
    let (file, schedule) = page("lodger-schedule.1");
    for part in ["--budget-ms", "--strict", "WHAT A FILE MAY TAKE", "Examples:"] {
        assert!(schedule.contains(part), "no {part:?} in {}", file.display());
    }
    assert!(page("lodger-pack.1").1.contains("--colour"));
    assert!(!page("lodger-bench.1").1.contains("--instructions"));
    for entry in fs::read_dir(folder.path().join("pages")).expect("a folder").flatten() {
        assert!(
            accepts("groff", &["-Kutf8", "-man", "-ww", "-Tutf8", "-z"], &entry.path()),
            "{entry:?}"
        );
    }
}

#[test]
fn pages_are_written_as_one() {
    let folder = installed(None);
    fs::write(folder.path().join("file"), "").expect("a file");
    for place in ["no/such/folder", "file"] {
        let output = lodger(&folder, &["man", place]);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
    }
    fs::create_dir(folder.path().join("pages")).expect("a folder");
    fs::create_dir(folder.path().join("pages/lodger-cost.1")).expect("a folder");
    let output = lodger(&folder, &["man", "pages"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let left = fs::read_dir(folder.path().join("pages")).expect("a folder").count();
    assert_eq!(left, 1, "only the folder in the way");
}
