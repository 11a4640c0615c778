//! Places for results: never what is read, never one for two results, and nothing half-written.

use std::fs;

use lodger_testkit::build::archive::{PartXml, id, object_asset};
use lodger_testkit::build::mesh::good;

use crate::cost_fixtures::folder;
use crate::run::{BASE, CAPE, TestFolder, lodger};
use crate::unpacked::with_region;

/// A linkset of one object.
const LINKSET: &str =
    "[[object]]\nname = \"A\"\n[[object.prim]]\nposition = [0, 0, 0]\nscale = [1, 1, 1]\n";

/// Refuses to write onto what is read, and leaves it as it is.
#[track_caller]
fn keeps(folder: &TestFolder, file: &str, arguments: &[&str]) {
    let before = fs::read(folder.path(file)).expect("a file");
    folder.run(arguments).fails_with(&["would overwrite the input"]);
    assert_eq!(fs::read(folder.path(file)).expect("a file"), before, "{arguments:?}");
}

#[test]
fn no_command_writes_onto_its_input() {
    let folder = lodger()
        .with("a.llmesh", good())
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
    let folder = with_region(lodger(), "home")
        .with("in/deep/a.llmesh", good())
        .with("in/costs.csv", "old")
        .with("set/table.xml", &table)
        .with(format!("set/{mesh}"), good())
        .with("home/costs.csv", "old");
    keeps(&folder, "in/deep/a.llmesh", &["cost", "in", "--output", "in/deep/a.llmesh"]);
    keeps(&folder, "in/deep/a.llmesh", &["lint", ".", "--output", "in/deep/a.llmesh"]);
    let chair = format!("home/objects/chair__{}.xml", id(9));
    keeps(&folder, &chair, &["cost", "home", "--output", &chair]);
    keeps(&folder, &chair, &["linkset", "home:chair", "--output", &chair]);
    let beside = format!("set/{mesh}");
    keeps(&folder, &beside, &["cost", "set/table.xml", "--output", &beside]);
    // What is in a folder and not read may be written.
    folder.run(&["cost", "in", "--output", "in/costs.csv"]).succeeds();
    folder.run(&["cost", "home", "--output", "home/costs.csv"]).succeeds();
    folder.run(&["cost", "home", "--output", "home/costs.csv"]).succeeds();
}

#[test]
fn two_results_do_not_share_a_file() {
    let folder = folder();
    let sweep = ["cost", "a.llmesh", "--sweep", "1..2", "--plot", "p"];
    for same in ["p", "./p"] {
        folder.run(&[&sweep[..], &["--output", same]].concat()).fails_with(&["same file"]);
    }
    assert_eq!(folder.files(), ["a.llmesh"]);
    folder.run(&[&sweep[..], &["--output", "q"]].concat()).succeeds();
}

#[cfg(target_os = "linux")]
mod linux {
    use std::fs;
    use std::os::unix::fs::symlink;

    use lodger_testkit::run::{Sink, Stdin};

    use super::{LINKSET, keeps};
    use crate::cost_fixtures::folder;
    use crate::run::{Case, lodger};

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
        folder.run(&sweep).fails_with(&["same file"]);
    }

    #[test]
    fn a_file_on_stdin_is_an_input() {
        let folder = folder();
        let case = |args| Case::new(args).stdin(Stdin::File("a.llmesh"));
        let onto_itself = folder.run_case(&case("cost - --output a.llmesh").protect(&["a.llmesh"]));
        onto_itself.fails_with(&["would overwrite the input `-`"]);
        folder.run_case(&case("cost - --output b")).succeeds();
    }

    #[test]
    fn devices_are_no_files() {
        let folder = folder();
        for place in ["/dev/null", "/dev/stdout", "/dev/stderr"] {
            folder.run(&["cost", "a.llmesh", "--output", place]).succeeds();
        }
        let both = ["--sweep", "1..2", "--plot", "/dev/null", "--output", "/dev/null"];
        folder.run(&[&["cost", "a.llmesh"][..], &both].concat()).succeeds();
        assert_eq!(folder.files(), ["a.llmesh"]);
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
            let mut case = Case::of_args(arguments);
            case.denied.file_bytes = Some(0);
            folder.run_case(&case).fails_with(&["cannot write to"]);
            assert_eq!(folder.files(), ["a.llmesh", "old", "set.toml"]);
            assert_eq!(folder.read("old"), "old");
        }
    }

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
            let outcome = folder.run_case(&Case::of_args(arguments).stdout(Sink::Full));
            outcome.fails_with(&["cannot write to stdout"]);
        }
    }

    #[test]
    fn a_reader_of_the_help_may_have_seen_enough() {
        for argument in ["--help", "--version"] {
            let case = Case::new(argument).stdout(Sink::Leaving(0));
            assert_eq!(lodger().run_case(&case).succeeds().stderr, "");
        }
    }
}
