//! Commands that run another program (`lodger board`, `lodger grid`, `lodger pack`) or name the
//! command that builds it; `lodger completions` and `lodger man`, which describe lodger and the
//! installed programs.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::run::{RunOutput, TestFolder, lodger};

/// A program that prints its arguments, a line each, and exits with 7.
const FAKE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli/fake-program");

const PROGRAMS: [(&str, &str); 3] = [
    ("board", "Flash, run, watch and query boards through debug probes"),
    ("grid", "Query the costs of a grid's meshes in SQL: asset stores, databases, archives"),
    ("pack", "Pack a model into mesh assets of the land impact that you want"),
];

fn build(command: &str) -> String {
    match command {
        "grid" => {
            "cargo build --release --manifest-path secondlife/query/Cargo.toml --target-dir target"
                .into()
        }
        _ => format!("cargo build --release -p lodger-{command}"),
    }
}

fn name(command: &str) -> String {
    format!("lodger-{command}")
}

/// Puts a program for each command into a folder. The programs are not written here: a file that
/// any thread has open for writing cannot be run.
fn with_programs(folder: TestFolder) -> TestFolder {
    for (command, _) in PROGRAMS {
        symlink(FAKE, folder.path(name(command))).expect("a link");
    }
    folder
}

fn said(folder: &TestFolder, command: &str, arguments: &[&str]) -> String {
    let program = folder.path(name(command)).display().to_string();
    [&[&*program], arguments, &[""]].concat().join("\n")
}

fn installed() -> TestFolder {
    let build = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let folder = TestFolder::below(build, env!("CARGO_BIN_EXE_lodger"));
    fs::hard_link(env!("CARGO_BIN_EXE_lodger"), folder.path("lodger")).expect("a link");
    folder
}

fn run(installed: &TestFolder, path: &TestFolder, arguments: &[&str]) -> RunOutput {
    let mut command = Command::new(installed.path("lodger"));
    command.args(arguments).env("PATH", path.path("")).env_remove("CLICOLOR_FORCE");
    command.current_dir(installed.path(""));
    TestFolder::output_of(&mut command)
}

#[test]
fn a_program_beside_lodger_comes_first() {
    let (installed, path) = (with_programs(installed()), with_programs(lodger()));
    for (command, _) in PROGRAMS {
        let outcome = run(&installed, &path, &[command, "list"]);
        assert_eq!(outcome.stdout, said(&installed, command, &["list"]));
    }
}

#[test]
fn a_program_on_path_is_found_and_its_exit_code_passed_on() {
    let path = with_programs(lodger());
    for (command, _) in PROGRAMS {
        let outcome = run(&installed(), &path, &[command]);
        assert_eq!((outcome.code, outcome.stdout), (Some(7), said(&path, command, &[])));
        assert_eq!(outcome.stderr, "");
        // A file that is not executable is skipped.
        let installed = installed().with(name(command), "");
        assert_eq!(run(&installed, &path, &[command]).stdout, said(&path, command, &[]));
    }
}

#[test]
fn arguments_are_passed_on_as_they_are() {
    let path = with_programs(lodger());
    for (command, _) in PROGRAMS {
        for arguments in [
            &["--help"][..],
            &["-h"],
            &["--", "run"],
            &["run", "a b", "--", "-x", "--json=\"1\"", "", "*"],
            &["--version", "--no-such-option", "-"],
        ] {
            let outcome = run(&installed(), &path, &[&[command], arguments].concat());
            assert_eq!(outcome.stdout, said(&path, command, arguments));
        }
    }
}

#[test]
fn a_missing_program_is_reported_with_its_build_command() {
    let nothing = lodger();
    for (command, _) in PROGRAMS {
        for arguments in [&[command][..], &[command, "list", "--json"], &[command, "--help"]] {
            let refused = [&*name(command), &build(command)];
            run(&installed(), &nothing, arguments).fails_with(&refused);
        }
    }
}

#[test]
fn the_build_command_of_grid_names_an_existing_package() {
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/../secondlife/query/Cargo.toml");
    let text = fs::read_to_string(manifest).expect("readable");
    let manifest: toml::Table = text.parse().expect("TOML");
    let programs = manifest["bin"].as_array().expect("programs");
    assert!(programs.iter().any(|program| program["name"].as_str() == Some("lodger-grid")));
}

#[test]
fn a_program_that_cannot_start_is_reported() {
    for (command, _) in PROGRAMS {
        let program = name(command);
        let path = lodger().with(&program, "#!/no/such/interpreter\n");
        let mode = fs::Permissions::from_mode(0o755);
        fs::set_permissions(path.path(&program), mode).expect("a mode");
        run(&installed(), &path, &[command]).fails_with(&["cannot start", &program]);
    }
}

#[test]
fn help_lists_the_commands() {
    let outcome = lodger().run(&["--help"]);
    let help = outcome.succeeds().stdout;
    for (command, about) in PROGRAMS {
        assert!(help.contains(&format!("{command:12} {about}")), "{help}");
    }
}

const DESCRIBED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli/described-program");

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

fn with_pack(pack: Option<&str>) -> TestFolder {
    let folder = installed();
    if let Some(pack) = pack {
        symlink(pack, folder.path("lodger-pack")).expect("a link");
    }
    folder
}

fn run_in(folder: &TestFolder, arguments: &[&str]) -> RunOutput {
    run(folder, folder, arguments)
}

fn script(folder: &TestFolder, shell: &str) -> String {
    run_in(folder, &["completions", shell]).succeeds().stdout
}

/// Whether a program accepts a file without output; true if the program is missing.
fn accepts(program: &str, arguments: &[&str], file: &Path) -> bool {
    let mut command = Command::new(program);
    match command.args(arguments).arg(file).stdin(Stdio::null()).output() {
        Ok(output) => output.status.success() && output.stderr.is_empty(),
        Err(_) => true,
    }
}

#[test]
fn scripts_name_all_subcommands_and_are_accepted() {
    let folder = with_pack(Some(DESCRIBED));
    for shell in SHELLS {
        let script = script(&folder, shell);
        for name in SUBCOMMANDS.iter().chain(&["budget-ms", "colour"]) {
            assert!(script.contains(name), "{shell}: no {name}");
        }
        // Hidden options are not completed.
        assert!(!script.contains("instructions"), "{shell}");
        let file = folder.path("script");
        fs::write(&file, script).expect("a file");
        if ["bash", "fish", "zsh"].contains(&shell) {
            assert!(accepts(shell, &["-n"], &file), "{shell}");
        }
    }
}

#[test]
fn a_program_that_is_missing_or_says_nothing_is_left_out() {
    let output = run_in(&with_pack(None), &["completions", "bash"]).succeeds();
    assert_eq!(output.stderr, "");
    let warned = run_in(&with_pack(Some(FAKE)), &["completions", "bash"]).succeeds().stderr;
    assert!(warned.contains("does not describe its options"), "{warned}");
    assert_eq!(run_in(&with_pack(None), &["completions", "tcsh"]).code, Some(2));
}

#[test]
fn man_pages_have_the_options_and_render_without_warnings() {
    let folder = with_pack(Some(DESCRIBED));
    assert_eq!(run_in(&folder, &["man", "pages"]).succeeds().stdout, "");
    let page = |name: &str| folder.read(format!("pages/{name}")).replace("\\-", "-");
    for name in SUBCOMMANDS {
        assert!(page("lodger.1").contains(&format!("lodger-{name}(1)")), "{name}");
        assert!(page(&format!("lodger-{name}.1")).contains("--help"), "{name}");
    }
    let schedule = page("lodger-schedule.1");
    for part in ["--budget-ms", "--strict", "QUOTA OF A FILE", "Examples:"] {
        assert!(schedule.contains(part), "no {part:?} in {schedule}");
    }
    assert!(page("lodger-pack.1").contains("--colour"));
    assert!(!page("lodger-bench.1").contains("--instructions"));
    for entry in fs::read_dir(folder.path("pages")).expect("a folder").flatten() {
        assert!(
            accepts("groff", &["-Kutf8", "-man", "-ww", "-Tutf8", "-z"], &entry.path()),
            "{entry:?}"
        );
    }
}

#[test]
fn pages_are_written_as_one() {
    let folder = with_pack(None);
    let folder = folder.with("file", "");
    for place in ["no/such/folder", "file"] {
        assert_eq!(run_in(&folder, &["man", place]).code, Some(2));
    }
    fs::create_dir_all(folder.path("pages/lodger-cost.1")).expect("a folder");
    assert_eq!(run_in(&folder, &["man", "pages"]).code, Some(2));
    let left = fs::read_dir(folder.path("pages")).expect("a folder").count();
    assert_eq!(left, 1, "only the folder in the way");
}
