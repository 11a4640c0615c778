//! Files found in folders, and the files among the inputs.

use std::fs;
use std::path::{Path, PathBuf};

use lodger_opensim::archive::{ArchiveKind, ArchiveLimits};
use lodger_opensim::files::{
    FileError, FileFilter, InputSource, SourceContent, expand_paths, find_input,
};
use lodger_quota::{Quota, QuotaExceeded, QuotaLimits};
use lodger_testkit::build::archive::{PartXml, coalesced, cube, id, object_asset, showing};

use crate::{Folder, MESH, names, plenty};

/// Names or messages of sources.
fn name_or_error(found: Result<InputSource, FileError>) -> String {
    found.map_or_else(|error| error.to_string(), |source| source.name().to_owned())
}

/// Sources found in a folder, by names below it or messages.
fn found(folder: &Folder, filter: FileFilter) -> Vec<String> {
    let below = format!("{}/", folder.path("").display().to_string().trim_end_matches('/'));
    let found = expand_paths(&[folder.path("")], filter).into_iter().map(name_or_error);
    found.map(|name| name.replace(&below, "")).collect()
}

fn unpacked(folder: Folder, name: &str) -> Folder {
    let cube = showing("cube", &id(1));
    folder
        .with(&format!("{name}/archive.xml"), "<archive />")
        .with(&format!("{name}/objects/cube.xml"), cube)
        .with(&format!("{name}/assets/{}_mesh.llmesh", id(1)), MESH)
}

#[test]
fn folders_are_searched_in_order() {
    let folder = Folder::new()
        .with("z.llmesh", "")
        .with("B.OAR", "")
        .with("a.iar", "")
        .with("c_object.xml", "")
        .with("_object.xml", "")
        .with("d.xml", "")
        .with("e.llmesh.gz", "")
        .with(".llmesh", "")
        .with("f/g/h.slm", "")
        .with("f/i.mesh", "");
    let folder = unpacked(unpacked(folder, "f/home"), "e");
    let everything = [
        "B.OAR",
        "a.iar",
        "c_object.xml",
        "e.llmesh.gz",
        "z.llmesh",
        "e",
        "f/i.mesh",
        "f/g/h.slm",
        "f/home",
    ];
    assert_eq!(found(&folder, FileFilter::All), everything);
    let meshes: Vec<_> = everything.into_iter().filter(|name| *name != "c_object.xml").collect();
    assert_eq!(found(&folder, FileFilter::Meshes), meshes);
}

#[test]
fn named_files_are_sources_whatever_their_names() {
    let paths = ["-", "gone", "a.txt"].map(Into::into);
    let names: Vec<_> =
        expand_paths(&paths, FileFilter::Meshes).into_iter().map(name_or_error).collect();
    assert_eq!(names, ["<stdin>", "gone", "a.txt"]);
    let error = InputSource::from_path("gone".as_ref())
        .open(ArchiveLimits::default(), &plenty())
        .expect_err("it is gone");
    assert!(error.to_string().starts_with("`gone` cannot be read: "), "{error}");
}

#[test]
fn stdin_is_named_once() {
    let paths = ["-", "a.txt", "-", "-"].map(Into::into);
    let found = expand_paths(&paths, FileFilter::Meshes).into_iter().map(name_or_error);
    let twice = "`<stdin>` is named twice, and stdin is read once";
    assert_eq!(found.collect::<Vec<_>>(), ["<stdin>", "a.txt", twice, twice]);
}

#[test]
fn objects_of_any_name_are_found_in_a_folder_without_other_matches() {
    let cube = cube("cube");
    let folder = Folder::new()
        .with(&format!("set/objects/cube__{}.xml", id(1)), &cube)
        .with("set/objects/deeper/B.XML", &cube)
        .with("set/archive.xml", "<archive />")
        .with("set/cube.txt", &cube)
        .with("set/land.xml", "<LandData />");
    let expected =
        [format!("set/objects/cube__{}.xml", id(1)), "set/objects/deeper/B.XML".to_owned()];
    let set = |folder: &Folder| {
        fs::remove_file(folder.path("set/archive.xml")).expect("it is there");
        found(folder, FileFilter::All)
    };
    assert_eq!(found(&folder, FileFilter::All), ["set"]);
    assert_eq!(set(&folder), expected);
    let nothing = found(&folder, FileFilter::Meshes);
    assert!(nothing[0].contains("has no file of the kinds .llmesh"), "{nothing:?}");
    let folder = folder.with("set/table_object.xml", "");
    assert_eq!(found(&folder, FileFilter::All), ["set/table_object.xml"]);
    let other = Folder::new().with("a.xml", "<LandData />");
    assert_eq!(found(&other, FileFilter::All).len(), 1);
}

#[cfg(unix)]
#[test]
fn a_pipe_in_a_folder_does_not_block() {
    let folder = Folder::new().with("a.xml", cube("cube"));
    for name in ["fifo.xml", "fifo.llmesh", "fifo_object.xml"] {
        let made = std::process::Command::new("mkfifo").arg(folder.path(name)).status();
        assert!(made.expect("mkfifo").success());
    }
    std::os::unix::fs::symlink("fifo.llmesh", folder.path("link.oar")).expect("a link");
    assert_eq!(found(&folder, FileFilter::All), ["a.xml"]);
    // Links to regular files are followed; a broken link is an error when it is read.
    std::os::unix::fs::symlink("a.xml", folder.path("b.slm")).expect("a link");
    std::os::unix::fs::symlink("gone", folder.path("c.slm")).expect("a link");
    assert_eq!(found(&folder, FileFilter::Meshes), ["b.slm", "c.slm"]);
}

#[test]
fn an_unpacked_archive_needs_more_than_a_control_file() {
    for inner in ["assets", "inventory", "landdata", "objects", "regions", "settings", "terrains"] {
        let folder = Folder::new().with("a/archive.xml", "");
        fs::create_dir(folder.path(&format!("a/{inner}"))).expect("a folder");
        assert_eq!(found(&folder, FileFilter::All), ["a"], "{inner}");
    }
    let folder = Folder::new().with("a/archive.xml", "").with("a/mesh/b.llmesh", "");
    assert_eq!(found(&folder, FileFilter::All), ["a/mesh/b.llmesh"]);
}

#[test]
fn an_unpacked_archive_is_read_as_one() {
    let folder = unpacked(Folder::new(), "home");
    let archive = folder.archive("home");
    assert_eq!((archive.kind, archive.entries), (ArchiveKind::Region, 3));
    assert_eq!(&*archive.objects[0].source, "objects/cube.xml");
    assert_eq!(archive.meshes.values().map(Vec::as_slice).collect::<Vec<_>>(), [MESH]);
    assert!(archive.errors.is_empty());

    let inventory = Folder::new()
        .with("mine/archive.xml", "")
        .with("mine/inventory/Chair__x.xml", "<InventoryItem />")
        .with(
            &format!("mine/assets/{}_object.xml", id(3)),
            object_asset(&PartXml::cube("chair"), &[]),
        );
    let archive = inventory.archive("mine");
    assert_eq!((archive.kind, names(&archive)), (ArchiveKind::Inventory, vec!["chair"]));
}

#[test]
fn limits_hold_in_folders_too() {
    let folder = unpacked(Folder::new(), "home");
    let source = InputSource::from_path(&folder.path("home"));
    for limits in [
        ArchiveLimits { entries: 1, ..ArchiveLimits::default() },
        ArchiveLimits { entry_bytes: 1, ..ArchiveLimits::default() },
    ] {
        let Ok(SourceContent::Archive { archive, .. }) = source.open(limits, &plenty()) else {
            panic!("no archive");
        };
        assert!(archive.meshes.is_empty() && !archive.errors.is_empty());
        let are_limits = archive.errors.iter().all(lodger_opensim::archive::ArchiveError::is_limit);
        assert!(are_limits, "{:?}", archive.errors);
    }
    let little = Quota::new(QuotaLimits { memory: 1, ..QuotaLimits::default() });
    let error = source.open(ArchiveLimits::default(), &little).expect_err("too much");
    assert_eq!(error.kind().quota_exceeded(), Some(QuotaExceeded::Memory { limit: 1 }));
}

#[test]
fn sources_know_whether_they_have_objects() {
    let folder =
        unpacked(Folder::new(), "home").with("a.llmesh", MESH).with("b.llmesh", cube("cube"));
    for (name, is_archive) in
        [("home", true), ("home:cube", true), ("a.llmesh", false), ("b.llmesh", true), ("c", false)]
    {
        assert_eq!(InputSource::from_path(&folder.path(name)).is_archive(), is_archive, "{name}");
    }
}

#[test]
fn an_object_by_itself_has_its_sibling_meshes() {
    let object = |name: &str, mesh| object_asset(&PartXml::mesh(name, &id(mesh)), &[]);
    let both = coalesced(&[object("one", 1), object("two", 2)]);
    let mesh = |folder: &str, number| format!("{folder}{}_mesh.llmesh", id(number));
    let folder = Folder::new()
        .with("x/both.xml", &both)
        .with(&mesh("x/", 1), MESH)
        .with("assets/both.xml", &both)
        .with(&mesh("assets/", 2), MESH)
        .with("objects/both.xml", &both)
        .with(&mesh("objects/", 1), "another")
        .with("else/both.xml", &both);
    for (path, meshes) in [("x", &[1][..]), ("assets", &[2]), ("objects", &[1, 2]), ("else", &[])] {
        let archive = folder.archive(&format!("{path}/both.xml"));
        assert_eq!(names(&archive), ["one", "two"]);
        assert_eq!(&*archive.objects[0].source, "both.xml");
        let found: Vec<_> = archive.meshes.keys().map(ToString::to_string).collect();
        assert_eq!(found, meshes.iter().map(|&number| id(number)).collect::<Vec<_>>(), "{path}");
    }
}

#[cfg(unix)]
#[test]
fn an_unreadable_mesh_is_an_error() {
    let object = object_asset(&PartXml::mesh("one", &id(1)), &[]);
    let folder = Folder::new().with("a.xml", object);
    let mesh = folder.path(&format!("{}_mesh.llmesh", id(1)));
    std::os::unix::fs::symlink(&mesh, &mesh).expect("a link to itself");
    let Ok(SourceContent::Archive { archive, unreadable, .. }) = folder.open("a.xml") else {
        panic!("no object");
    };
    assert_eq!(names(&archive), ["one"]);
    assert_eq!(unreadable[0].name(), mesh.display().to_string());
    assert!(unreadable[0].kind().to_string().starts_with("it cannot be read: "));
}

/// All inputs of a path, by sorted names below the folder.
fn inputs(folder: &Folder, path: &str) -> Vec<String> {
    let below = folder.path("");
    let mut observed = std::cell::RefCell::new(Vec::<PathBuf>::new());
    let note = |file: &Path| {
        observed.borrow_mut().push(file.to_owned());
        false
    };
    assert_eq!(find_input(&[folder.path(path)], FileFilter::All, &note), None);
    let name = |file: &PathBuf| file.strip_prefix(&below).unwrap_or(file).display().to_string();
    let mut names: Vec<_> = observed.get_mut().iter().map(name).collect();
    names.sort();
    names
}

#[test]
fn all_inputs_are_passed_to_the_predicate() {
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
    let stdin = find_input(&["-".into()], FileFilter::Meshes, &|file| file == "-");
    assert_eq!(stdin, Some("-".into()));
}
