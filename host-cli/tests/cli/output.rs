//! Where the result goes.

use std::fs;
use std::process::Stdio;

use crate::run::Folder;

#[cfg(unix)]
#[test]
fn a_link_leads_to_the_file_it_names() {
    let folder = Folder::new();
    std::os::unix::fs::symlink("plan.json", folder.path("latest")).expect("a link");
    folder.schedule(&["--format", "json", "--output", "latest"]).succeeded();
    assert!(fs::symlink_metadata(folder.path("latest")).expect("the link").is_symlink());
    assert!(fs::read_to_string(folder.path("plan.json")).expect("a plan").starts_with('{'));
}

#[test]
fn a_file_is_written_as_a_whole_and_alone() {
    let folder = Folder::new().with("plan.json", "old");
    let stdout = folder.schedule(&["--format", "json", "--output", "plan.json"]).succeeded().stdout;
    assert_eq!(stdout, "");
    let written = fs::read_to_string(folder.path("plan.json")).expect("a plan");
    assert_eq!(written, folder.schedule(&["--format", "json"]).stdout);
    folder.schedule(&["--print-example", "--output", "scene.toml"]).succeeded();
    assert_eq!(folder.files(), ["plan.json", "scene.toml"]);
}

#[test]
fn a_failure_leaves_the_old_file_alone() {
    let folder = Folder::new().with("plan.json", "old").with("bad.toml", "budget_ms = -1");
    folder.schedule(&["bad.toml", "--output", "plan.json"]).refused(&["budget_ms"]);
    assert_eq!(fs::read_to_string(folder.path("plan.json")).expect("a plan"), "old");
    assert_eq!(folder.files(), ["bad.toml", "plan.json"]);
}

#[test]
fn a_place_that_cannot_be_written_is_said() {
    let folder = Folder::new();
    folder
        .schedule(&["--output", "no/such/folder.json"])
        .refused(&["there is no folder `no/such`"]);
    folder.schedule(&["--output", "."]).refused(&["it is a folder"]);
    assert!(folder.files().is_empty());
}

#[test]
fn a_reader_who_closes_the_pipe_is_no_error() {
    let folder = Folder::new();
    for format in ["table", "json", "csv"] {
        let mut child = folder
            .command(&["schedule", "--format", format])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it runs");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(0));
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    }
}

#[cfg(unix)]
mod unix {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    use std::process::Command;

    use crate::run::Folder;

    fn mode(folder: &Folder, name: &str) -> u32 {
        let metadata = fs::metadata(folder.path(name)).expect("a file");
        metadata.permissions().mode() & 0o777
    }

    #[test]
    fn a_new_file_honours_the_umask_and_an_old_one_keeps_its_mode() {
        let folder = Folder::new().with("old.csv", "").with("usual", "");
        fs::set_permissions(folder.path("old.csv"), Permissions::from_mode(0o640)).expect("a mode");
        folder.schedule(&["--output", "new.csv"]).succeeded();
        folder.schedule(&["--output", "old.csv"]).succeeded();
        assert_eq!(mode(&folder, "new.csv"), mode(&folder, "usual"));
        assert_eq!(mode(&folder, "old.csv"), 0o640);
    }

    #[test]
    fn a_link_stays_a_link() {
        let folder = Folder::new().with("real.csv", "old");
        symlink("real.csv", folder.path("link.csv")).expect("a link");
        folder.schedule(&["--format", "csv", "--output", "link.csv"]).succeeded();
        assert!(folder.path("link.csv").is_symlink());
        let written = fs::read_to_string(folder.path("real.csv")).expect("a plan");
        assert!(written.starts_with("name,module"));
    }

    #[test]
    fn a_device_and_a_fifo_are_written_straight() {
        let folder = Folder::new();
        let through = folder.schedule(&["--format", "csv", "--output", "/dev/stdout"]).succeeded();
        assert_eq!(through.stdout, folder.schedule(&["--format", "csv"]).stdout);
        folder.schedule(&["--output", "/dev/null"]).succeeded();
        let fifo = folder.path("fifo");
        assert!(Command::new("mkfifo").arg(&fifo).status().expect("mkfifo").success());
        let reader = std::thread::spawn(move || fs::read_to_string(fifo).expect("a plan"));
        folder.schedule(&["--format", "csv", "--output", "fifo"]).succeeded();
        assert_eq!(reader.join().expect("it reads"), through.stdout);
        assert_eq!(folder.files(), ["fifo"]);
    }
}
