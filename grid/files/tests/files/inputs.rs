//! Which files would be read.

use std::path::{Path, PathBuf};

use lodger_files::{Search, find_input};
use lodger_testkit::build::archive::id;

use crate::{Folder, MESH};

/// All files that would be read for a path, by names below the folder, in order.
fn inputs(folder: &Folder, path: &str) -> Vec<String> {
    let below = folder.path("");
    let mut seen = std::cell::RefCell::new(Vec::<PathBuf>::new());
    let note = |file: &Path| {
        seen.borrow_mut().push(file.to_owned());
        false
    };
    assert_eq!(find_input(&[folder.path(path)], Search::Everything, &note), None);
    let name = |file: &PathBuf| file.strip_prefix(&below).unwrap_or(file).display().to_string();
    let mut names: Vec<_> = seen.get_mut().iter().map(name).collect();
    names.sort();
    names
}

#[test]
fn all_that_is_read_is_asked_for() {
    let mesh = format!("{}_mesh.llmesh", id(1));
    let folder = Folder::new()
        .with("a.llmesh", MESH)
        .with("notes.txt", "")
        .with("set/table_object.xml", "<SceneObjectGroup>")
        .with(&format!("set/{mesh}"), MESH)
        .with("home/archive.xml", "<archive />")
        .with("home/objects/deep/er.xml", "")
        .with("home/assets/x", "")
        .with("home/costs.csv", "");
    let home = ["home/archive.xml", "home/assets/x", "home/objects/deep/er.xml"];
    assert_eq!(inputs(&folder, "home"), home);
    assert_eq!(inputs(&folder, "home:chair"), home);
    assert_eq!(inputs(&folder, "a.llmesh"), ["a.llmesh"]);
    assert_eq!(inputs(&folder, "a.llmesh:House"), ["a.llmesh"]);
    let set = [format!("set/{mesh}"), "set/table_object.xml".to_owned()];
    assert_eq!(inputs(&folder, "set/table_object.xml"), set);
    let mut all: Vec<_> = inputs(&folder, "");
    all.dedup();
    assert_eq!(all, [&["a.llmesh"][..], &home, &[&set[0], &set[1]]].concat());
    let stdin = find_input(&["-".into()], Search::Meshes, &|file| file == "-");
    assert_eq!(stdin, Some("-".into()));
}
