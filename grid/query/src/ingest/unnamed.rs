//! What is wrong with something, in words without anybody's names: those of objects and parts, the paths of entries, which
//! are made of them, and texts that may be one.

use lodger_opensim::archive::{Error, Problem, XmlProblem};
use lodger_opensim::files::{FileError, Problem as FileProblem, entry_id};

/// The folders of archives.
const FOLDERS: [&str; 5] = ["assets", "inventory", "landdata", "objects", "regions"];

/// What is wrong with something in an archive; with names, if they are taken in.
pub(super) fn in_archive(error: &Error, with_names: bool) -> String {
    if with_names {
        return error.to_string();
    }
    let entry = error.entry().filter(|entry| !entry.is_empty());
    let entry = entry.map_or_else(String::new, |entry| format!("{}: ", place(entry)));
    let part = error.part().map_or_else(String::new, |part| format!("part {}: ", part.number));
    format!("{entry}{part}{}", problem(error.problem()))
}

/// What is wrong with a file that was named, or found in a folder that was.
pub(super) fn of_file(error: &FileError, with_names: bool) -> String {
    match error.problem() {
        FileProblem::Archive(inner) => {
            format!("`{}`: {}", error.name(), in_archive(inner, with_names))
        }
        _ => error.to_string(),
    }
}

/// What is wrong with a file inside of an unpacked archive.
pub(super) fn inside(error: &FileError, with_names: bool) -> String {
    if with_names {
        return error.to_string();
    }
    format!("{}: {}", place(error.name()), error.problem())
}

/// What is wrong, without the text that is.
pub(super) fn problem(problem: &Problem) -> String {
    match problem {
        Problem::Value { field, found: Some(_), expected } => {
            format!("`{field}` must be {expected}")
        }
        Problem::Xml { at, problem: XmlProblem::Syntax(_) } => {
            format!("its XML cannot be read at byte {at}: this is not well-formed XML")
        }
        Problem::NotAnObject { .. } => "it is no `SceneObjectGroup`".to_owned(),
        Problem::WrongRoot { expected, .. } => format!("it is no `{expected}`"),
        other => other.to_string(),
    }
}

/// Which entry it is: its identifier, or the folder that it is in.
fn place(entry: &str) -> String {
    let is_in =
        |folder: &&str| entry.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
    match (entry_id(entry), FOLDERS.iter().find(|folder| is_in(folder))) {
        (Some(id), _) => id.to_string(),
        (None, Some(folder)) => format!("an entry in {folder}"),
        (None, None) => "an entry".to_owned(),
    }
}
