//! `cargo xtask guide`: the guide as a book. The architecture tests check its pages, which needs no mdBook.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use crate::boards::{target_folder, unfit};
use crate::command::Command;
use crate::failure::Failure;
use crate::steps::Steps;
use crate::tools;

/// A folder that mdBook copies beside the pages. It cannot run there: lodger.js and lodger.wasm are in no folder of the
/// guide. `cargo xtask web` builds it whole.
const PLAYGROUND: &str = "playground";

/// Builds the book into the folder `guide` of the target folder.
pub(crate) fn run(steps: &mut Steps) -> Result<(), Failure> {
    tools::mdbook(steps)?;
    let book = target_folder(steps)?.join("guide");
    let build = Command::new("mdbook").args("build docs --dest-dir").arg(book.to_string_lossy());
    steps.run("guide", &build)?;
    leave_out(&book.join(PLAYGROUND))?;
    println!("{}", book.join("index.html").display());
    Ok(())
}

fn leave_out(folder: &Path) -> Result<(), Failure> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(unfit(folder, &error)),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::leave_out;

    #[test]
    fn the_playground_is_left_out_of_the_book() {
        let book = tempfile::tempdir().unwrap();
        let playground = book.path().join("playground");
        fs::create_dir(&playground).unwrap();
        fs::write(playground.join("index.html"), "").unwrap();
        leave_out(&playground).unwrap();
        assert!(!playground.exists() && book.path().exists());
        leave_out(&playground).unwrap();
        fs::write(&playground, "").unwrap();
        assert!(leave_out(&playground).is_err(), "a file is no folder");
    }
}
