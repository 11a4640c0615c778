//! Outputs: never an input, never one file for two results, and nothing half-written.

use std::fs;

use lodger_testkit::build::archive::{PartXml, id, object_asset};
use lodger_testkit::build::mesh::good;

use crate::run::{BASE, CAPE, Case, Sink, TestFolder, lodger, mesh_folder};
use crate::unpacked::with_region;

const LINKSET: &str =
    "[[object]]\nname = \"A\"\n[[object.prim]]\nposition = [0, 0, 0]\nscale = [1, 1, 1]\n";

/// Asserts that an input is not overwritten.
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
fn files_of_folders_and_selected_objects_are_inputs() {
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
    // Unread files in a folder may be replaced.
    folder.run(&["cost", "in", "--output", "in/costs.csv"]).succeeds();
    folder.run(&["cost", "home", "--output", "home/costs.csv"]).succeeds();
    folder.run(&["cost", "home", "--output", "home/costs.csv"]).succeeds();
}

#[test]
fn two_results_do_not_share_a_file() {
    let folder = mesh_folder();
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
    use crate::run::{Case, lodger, mesh_folder};

    #[test]
    fn links_lead_to_the_file_they_name() {
        let folder = mesh_folder();
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
        let folder = mesh_folder();
        let case = |args| Case::new(args).stdin(Stdin::File("a.llmesh"));
        let onto_itself = folder.run_case(&case("cost - --output a.llmesh").protect(&["a.llmesh"]));
        onto_itself.fails_with(&["would overwrite the input `-`"]);
        folder.run_case(&case("cost - --output b")).succeeds();
    }

    #[test]
    fn devices_are_no_files() {
        let folder = mesh_folder();
        for place in ["/dev/null", "/dev/stdout", "/dev/stderr"] {
            folder.run(&["cost", "a.llmesh", "--output", place]).succeeds();
        }
        let both = ["--sweep", "1..2", "--plot", "/dev/null", "--output", "/dev/null"];
        folder.run(&[&["cost", "a.llmesh"][..], &both].concat()).succeeds();
        assert_eq!(folder.files(), ["a.llmesh"]);
    }

    #[test]
    fn a_file_beyond_the_limit_of_its_size_is_an_error_and_leaves_nothing() {
        let folder = mesh_folder().with("set.toml", LINKSET).with("old", "old");
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
        let folder = mesh_folder().with("set.toml", LINKSET);
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
    fn help_may_be_cut_off_by_its_reader() {
        for argument in ["--help", "--version"] {
            let case = Case::new(argument).stdout(Sink::Leaving(0));
            assert_eq!(lodger().run_case(&case).succeeds().stderr, "");
        }
    }
}

#[test]
fn a_file_is_written_as_a_whole_and_alone() {
    let folder = lodger().with("plan.json", "old");
    let stdout =
        folder.run(&["schedule", "--format", "json", "--output", "plan.json"]).succeeds().stdout;
    assert_eq!(stdout, "");
    let written = folder.read("plan.json");
    assert_eq!(written, folder.run(&["schedule", "--format", "json"]).stdout);
    folder.run(&["schedule", "--print-example", "--output", "scene.toml"]).succeeds();
    assert_eq!(folder.files(), ["plan.json", "scene.toml"]);
}

#[test]
fn a_failure_leaves_the_old_file_alone() {
    let folder = lodger().with("plan.json", "old").with("bad.toml", "budget_ms = -1");
    folder.run(&["schedule", "bad.toml", "--output", "plan.json"]).fails_with(&["budget_ms"]);
    assert_eq!(folder.read("plan.json"), "old");
    assert_eq!(folder.files(), ["bad.toml", "plan.json"]);
}

#[test]
fn an_unwritable_place_is_reported() {
    let folder = lodger();
    folder
        .run(&["schedule", "--output", "no/such/folder.json"])
        .fails_with(&["there is no folder `no/such`"]);
    folder.run(&["schedule", "--output", "."]).fails_with(&["it is a folder"]);
    assert!(folder.files().is_empty());
}

#[test]
fn a_reader_who_closes_the_pipe_is_no_error() {
    let folder = lodger();
    for format in ["table", "json", "csv"] {
        let case = Case::new("schedule").format(format).stdout(Sink::Leaving(0));
        assert_eq!(folder.run_case(&case).succeeds().stderr, "");
    }
}

#[cfg(unix)]
mod unix {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    use std::process::Command;

    use crate::run::{TestFolder, lodger};

    fn mode(folder: &TestFolder, name: &str) -> u32 {
        let metadata = fs::metadata(folder.path(name)).expect("a file");
        metadata.permissions().mode() & 0o777
    }

    #[test]
    fn a_new_file_honours_the_umask_and_an_old_one_keeps_its_mode() {
        let folder = lodger().with("old.csv", "").with("usual", "");
        fs::set_permissions(folder.path("old.csv"), Permissions::from_mode(0o640)).expect("a mode");
        folder.run(&["schedule", "--output", "new.csv"]).succeeds();
        folder.run(&["schedule", "--output", "old.csv"]).succeeds();
        assert_eq!(mode(&folder, "new.csv"), mode(&folder, "usual"));
        assert_eq!(mode(&folder, "old.csv"), 0o640);
    }

    #[test]
    fn a_link_stays_a_link() {
        let folder = lodger().with("real.csv", "old");
        symlink("real.csv", folder.path("link.csv")).expect("a link");
        folder.run(&["schedule", "--format", "csv", "--output", "link.csv"]).succeeds();
        assert!(folder.path("link.csv").is_symlink());
        let written = folder.read("real.csv");
        assert!(written.starts_with("name,module"));
    }

    #[test]
    fn a_device_and_a_fifo_are_written_straight() {
        let folder = lodger();
        let through =
            folder.run(&["schedule", "--format", "csv", "--output", "/dev/stdout"]).succeeds();
        assert_eq!(through.stdout, folder.run(&["schedule", "--format", "csv"]).stdout);
        folder.run(&["schedule", "--output", "/dev/null"]).succeeds();
        let fifo = folder.path("fifo");
        assert!(Command::new("mkfifo").arg(&fifo).status().expect("mkfifo").success());
        let reader = std::thread::spawn(move || fs::read_to_string(fifo).expect("a plan"));
        folder.run(&["schedule", "--format", "csv", "--output", "fifo"]).succeeds();
        assert_eq!(reader.join().expect("it reads"), through.stdout);
        assert_eq!(folder.files(), ["fifo"]);
    }
}
