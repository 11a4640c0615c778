//! Places for results: never what is read, never one for two results, and nothing half-written.

use std::fs;

use crate::archive_files::{PartXml, id, object_asset};
use crate::assets::{bytes, good};
use crate::cost_files::folder;
use crate::run::{BASE, CAPE, Folder, Outcome};

/// A linkset of one object.
const LINKSET: &str =
    "[[object]]\nname = \"A\"\n[[object.prim]]\nposition = [0, 0, 0]\nscale = [1, 1, 1]\n";

fn run(folder: &Folder, arguments: &[&str]) -> Outcome {
    Outcome::of(folder.command(arguments).output().expect("it runs"))
}

/// Refuses to write onto what is read, and leaves it as it is.
#[track_caller]
fn keeps(folder: &Folder, file: &str, arguments: &[&str]) {
    let before = fs::read(folder.path(file)).expect("a file");
    run(folder, arguments).refused(&["would overwrite the input"]);
    assert_eq!(fs::read(folder.path(file)).expect("a file"), before, "{arguments:?}");
}

#[test]
fn no_command_writes_onto_its_input() {
    let folder = Folder::new()
        .with("a.llmesh", bytes(&good()))
        .with("scene.toml", format!("{BASE}{CAPE}"))
        .with("set.toml", LINKSET);
    for (command, file) in [
        ("cost", "a.llmesh"),
        ("lint", "a.llmesh"),
        ("schedule", "scene.toml"),
        ("linkset", "set.toml"),
    ] {
        let here = format!("./{file}");
        keeps(&folder, file, &[command, file, "--output", file]);
        keeps(&folder, file, &[command, file, "--output", &here]);
        keeps(&folder, file, &[command, &here, "--format", "json", "--output", file]);
    }
    let sweep = ["cost", "a.llmesh", "--sweep", "1..2"];
    keeps(&folder, "a.llmesh", &[&sweep[..], &["--plot", "a.llmesh"]].concat());
    keeps(&folder, "a.llmesh", &[&sweep[..], &["--output", "a.llmesh"]].concat());
    keeps(&folder, "a.llmesh", &["cost", "a.llmesh", "--target", "2", "--output", "a.llmesh"]);
    assert_eq!(folder.files(), ["a.llmesh", "scene.toml", "set.toml"]);
}

#[test]
fn what_is_found_or_chosen_is_an_input_too() {
    let table = object_asset(&PartXml::mesh("table", &id(1)), &[]);
    let mesh = format!("{}_mesh.llmesh", id(1));
    let folder = Folder::new()
        .with_region("home")
        .below("in/deep/a.llmesh", bytes(&good()))
        .below("in/costs.csv", "old")
        .below("set/table.xml", &table)
        .below(&format!("set/{mesh}"), bytes(&good()))
        .below("home/costs.csv", "old");
    keeps(&folder, "in/deep/a.llmesh", &["cost", "in", "--output", "in/deep/a.llmesh"]);
    keeps(&folder, "in/deep/a.llmesh", &["lint", ".", "--output", "in/deep/a.llmesh"]);
    let chair = format!("home/objects/chair__{}.xml", id(9));
    keeps(&folder, &chair, &["cost", "home", "--output", &chair]);
    keeps(&folder, &chair, &["linkset", "home:chair", "--output", &chair]);
    let beside = format!("set/{mesh}");
    keeps(&folder, &beside, &["cost", "set/table.xml", "--output", &beside]);
    // What is in a folder and not read may be written.
    run(&folder, &["cost", "in", "--output", "in/costs.csv"]).succeeded();
    run(&folder, &["cost", "home", "--output", "home/costs.csv"]).succeeded();
    run(&folder, &["cost", "home", "--output", "home/costs.csv"]).succeeded();
}

#[test]
fn two_results_do_not_share_a_file() {
    let folder = folder();
    let sweep = ["cost", "a.llmesh", "--sweep", "1..2", "--plot", "p"];
    for same in ["p", "./p"] {
        run(&folder, &[&sweep[..], &["--output", same]].concat()).refused(&["same file"]);
    }
    assert_eq!(folder.files(), ["a.llmesh"]);
    run(&folder, &[&sweep[..], &["--output", "q"]].concat()).succeeded();
}

#[cfg(unix)]
mod unix {
    use std::fs::{self, File};
    use std::os::unix::fs::symlink;
    use std::process::Command;

    use super::{LINKSET, keeps, run};
    use crate::cost_files::folder;
    use crate::run::{Folder, Outcome};

    #[test]
    fn links_lead_to_the_file_they_name() {
        let folder = folder();
        symlink("a.llmesh", folder.path("soft")).expect("a link");
        fs::hard_link(folder.path("a.llmesh"), folder.path("hard")).expect("a link");
        for link in ["soft", "hard"] {
            for command in ["cost", "lint"] {
                keeps(&folder, "a.llmesh", &[command, "a.llmesh", "--output", link]);
                keeps(&folder, "a.llmesh", &[command, link, "--output", "a.llmesh"]);
                keeps(&folder, "a.llmesh", &[command, ".", "--output", link]);
            }
        }
        symlink("new", folder.path("to new")).expect("a link");
        let sweep = ["cost", "a.llmesh", "--sweep", "1..2", "--plot", "new", "--output", "to new"];
        run(&folder, &sweep).refused(&["same file"]);
    }

    #[test]
    fn a_file_on_stdin_is_an_input() {
        let folder = folder();
        let asset = || File::open(folder.path("a.llmesh")).expect("a file");
        let mut command = folder.command(&["cost", "-", "--output", "a.llmesh"]);
        let outcome = Outcome::of(command.stdin(asset()).output().expect("it runs"));
        outcome.refused(&["would overwrite the input `-`"]);
        let mut command = folder.command(&["cost", "-", "--output", "b"]);
        Outcome::of(command.stdin(asset()).output().expect("it runs")).succeeded();
    }

    #[test]
    fn devices_are_no_files() {
        let folder = folder();
        for place in ["/dev/null", "/dev/stdout", "/dev/stderr"] {
            run(&folder, &["cost", "a.llmesh", "--output", place]).succeeded();
        }
        let both = ["--sweep", "1..2", "--plot", "/dev/null", "--output", "/dev/null"];
        run(&folder, &[&["cost", "a.llmesh"][..], &both].concat()).succeeded();
        assert_eq!(folder.files(), ["a.llmesh"]);
    }

    /// Runs under a limit of a shell.
    fn limited(folder: &Folder, limit: &str, arguments: &[&str]) -> Outcome {
        let lodger = folder.command(arguments);
        let script = format!("{limit}; exec \"$0\" \"$@\"");
        let mut shell = Command::new("sh");
        shell.args(["-c", &script]).arg(lodger.get_program()).args(lodger.get_args());
        Outcome::of(shell.current_dir(folder.path("")).output().expect("a shell"))
    }

    #[test]
    fn a_file_beyond_the_limit_of_its_size_is_an_error_and_leaves_nothing() {
        let folder = folder().with("set.toml", LINKSET).with("old", "old");
        for arguments in [
            &["cost", "a.llmesh", "--output", "old"][..],
            &["cost", "a.llmesh", "--sweep", "1..2", "--plot", "new", "--output", "old"],
            &["lint", "a.llmesh", "--output", "old"],
            &["linkset", "set.toml", "--output", "old"],
            &["schedule", "--output", "old"],
        ] {
            limited(&folder, "ulimit -f 0", arguments).refused(&["cannot write to"]);
            assert_eq!(folder.files(), ["a.llmesh", "old", "set.toml"]);
            assert_eq!(fs::read_to_string(folder.path("old")).expect("a file"), "old");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_stdout_is_an_error() {
        let folder = folder().with("set.toml", LINKSET);
        for arguments in [
            &["--help"][..],
            &["--version"],
            &["cost", "--help"],
            &["cost", "-h"],
            &["cost", "a.llmesh"],
            &["lint", "a.llmesh"],
            &["linkset", "set.toml"],
            &["schedule", "--format", "csv"],
            &["schedule", "--print-example"],
        ] {
            let full = File::options().write(true).open("/dev/full").expect("a device");
            let mut command = folder.command(arguments);
            let outcome = Outcome::of(command.stdout(full).output().expect("it runs"));
            outcome.refused(&["cannot write to stdout"]);
        }
    }

    #[test]
    fn a_reader_of_the_help_may_have_seen_enough() {
        for argument in ["--help", "--version"] {
            let (reader, writer) = std::io::pipe().expect("a pipe");
            drop(reader);
            let mut command = Folder::new().command(&[argument]);
            command.current_dir("/").stdout(writer);
            Outcome::of(command.output().expect("it runs")).succeeded();
        }
    }
}
