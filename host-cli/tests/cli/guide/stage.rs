//! The folder that a page's commands run in, with the files that pages take for granted.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::run::Folder;

/// Where `lodger` is for a page, by either name.
const PRELUDE: &str = "exec 2>&1\n\
    lodger() { \"$LODGER\" \"$@\"; }\n\
    cargo() {\n\
      test \"$1 $2 $3\" = 'run --release --' || { echo \"cargo $*: is no command to be run here\"; return 127; }\n\
      shift 3\n\
      lodger \"$@\"\n\
    }\n";

/// The files to try, from the folder of the workspace.
const FILES: &str = "docs/files";

/// The folder of a page.
pub(super) struct Stage(Folder);

impl Stage {
    /// A folder with the files to try.
    pub(super) fn new(root: &Path) -> Self {
        let folder = Folder::new();
        fs::create_dir_all(folder.path(FILES)).expect("a folder");
        for file in fs::read_dir(root.join(FILES)).expect("files to try").flatten() {
            let copy = folder.path(FILES).join(file.file_name());
            fs::copy(file.path(), copy).expect("a copy");
        }
        Self(folder)
    }

    /// Writes a file that a page shows.
    pub(super) fn write(&self, name: &str, text: &str) {
        fs::write(self.0.path(name), text).expect("a file");
    }

    /// Runs a command: how it ended, and what it said.
    pub(super) fn run(&self, command: &str) -> (Option<i32>, String) {
        let mut sh = Command::new("sh");
        // What `lodger` needs to be started from a test is in the command that the folder makes.
        let lodger = self.0.command(&[]);
        sh.arg("-c").arg(format!("{PRELUDE}{command}"));
        sh.current_dir(self.0.path(".")).stdin(std::process::Stdio::null());
        sh.env("LODGER", lodger.get_program()).env_remove("CLICOLOR_FORCE");
        let output = sh.output().expect("there is a sh");
        (output.status.code(), String::from_utf8(output.stdout).expect("UTF-8"))
    }

    /// Which files that the page wrote to `docs/` or below differ from those that are there. With
    /// `LODGER_BLESS` those are replaced.
    pub(super) fn compare(&self, root: &Path) -> Vec<String> {
        let written = ["docs", FILES].map(|folder| {
            let entries = fs::read_dir(self.0.path(folder)).expect("a folder").flatten();
            let names =
                entries.filter(|entry| entry.path().is_file()).map(|entry| entry.file_name());
            names.map(|name| Path::new(folder).join(name)).collect::<Vec<_>>()
        });
        let mut differences = Vec::new();
        for file in written.concat() {
            let now = fs::read(self.0.path(".").join(&file)).expect("readable");
            let kept = root.join(&file);
            if fs::read(&kept).ok().is_some_and(|kept| kept == now) {
                continue;
            }
            if std::env::var_os("LODGER_BLESS").is_some() {
                fs::write(&kept, &now).expect("writable");
            } else {
                differences.push(format!("{} is not what the page writes", kept.display()));
            }
        }
        differences
    }
}
