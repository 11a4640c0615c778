//! `docs/files` has the files that `cargo xtask files` makes, besides the TOML files.

mod made;
mod model;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use made::made;

const MAX_BYTES: usize = 300_000;

#[test]
fn the_files_equal_the_output_of_the_command() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/files");
    let read = |entry: fs::DirEntry| {
        let name = entry.file_name().into_string().expect("UTF-8");
        (name, fs::read(entry.path()).expect("readable"))
    };
    let kept: BTreeMap<_, _> =
        fs::read_dir(folder).expect("a folder").flatten().map(read).collect();
    let made: BTreeMap<_, _> =
        made().into_iter().map(|(name, bytes)| (name.to_owned(), bytes)).collect();
    assert!(kept.values().map(Vec::len).sum::<usize>() < MAX_BYTES);
    let is_made = |name: &&String| Path::new(name).extension().is_none_or(|it| it != "toml");
    assert!(
        kept.keys().filter(is_made).eq(made.keys()),
        "{:?}, not {:?}",
        kept.keys(),
        made.keys()
    );
    let other: Vec<_> = made.keys().filter(|&name| kept[name] != made[name]).collect();
    assert!(other.is_empty(), "cargo xtask files makes other bytes: {other:?}");
}
