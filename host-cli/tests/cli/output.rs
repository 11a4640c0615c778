//! Where the result goes.

use std::fs;

use crate::run::{Case, Sink, lodger};

#[cfg(unix)]
#[test]
fn a_link_leads_to_the_file_it_names() {
    let folder = lodger();
    std::os::unix::fs::symlink("plan.json", folder.path("latest")).expect("a link");
    folder.run(&["schedule", "--format", "json", "--output", "latest"]).succeeds();
    assert!(fs::symlink_metadata(folder.path("latest")).expect("the link").is_symlink());
    assert!(folder.read("plan.json").starts_with('{'));
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
fn a_place_that_cannot_be_written_is_said() {
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
