//! Names of strangers as names of files.

use std::collections::HashSet;

use lodger_pack::ObjectFile;

/// The most characters of a name that are kept, so that no file name becomes longer than any system takes.
const LONGEST: usize = 60;
/// What an object is called that has no name.
const NAMELESS: &str = "object";
/// What Windows keeps for devices, whatever stands behind a point.
const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];
/// The same, with a digit behind.
const NUMBERED_DEVICES: [&str; 2] = ["com", "lpt"];

/// A name for the files of each object. No two of these files have the same name, also where large and small
/// letters are one, and none has one of those that are `taken`.
pub(super) fn unique<'n>(
    names: impl IntoIterator<Item = &'n str>,
    taken: impl IntoIterator<Item = &'n str>,
) -> Vec<String> {
    let mut taken: HashSet<String> = taken.into_iter().map(str::to_lowercase).collect();
    let mut claim = |name: String| {
        let files = ObjectFile::ALL.map(|file| format!("{name}{}", file.ending()).to_lowercase());
        let is_free = files.iter().all(|file| !taken.contains(file));
        is_free.then(|| {
            taken.extend(files);
            name
        })
    };
    let mut unique = Vec::new();
    for name in names {
        let name = safe(name);
        let numbered = (2_usize..).map(|number| format!("{name}-{number}"));
        // There are more numbers than names.
        unique.extend(std::iter::once(name.clone()).chain(numbered).find_map(&mut claim));
    }
    unique
}

/// A name that every system takes for that of a file, and no program for an option or a folder.
fn safe(name: &str) -> String {
    let clipped = name.chars().take(LONGEST).map(|c| if is_plain(c) { c } else { '_' });
    let clipped: String = clipped.collect();
    let ends = |c: char| c == '.' || c.is_whitespace();
    let mut safe = clipped.trim_matches(ends).to_owned();
    if safe.starts_with('-') {
        safe.replace_range(..1, "_");
    }
    if is_device(&safe) {
        safe.insert(0, '_');
    }
    if safe.is_empty() { NAMELESS.to_owned() } else { safe }
}

fn is_plain(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, ' ' | '-' | '_' | '.' | '+' | ',' | '(' | ')' | '[' | ']')
}

fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name).trim_end().to_lowercase();
    let has_digit = |stem: &str| {
        let mut rest = stem.chars().skip(3);
        matches!((rest.next(), rest.next()), (Some(digit), None) if digit.is_numeric())
    };
    DEVICES.contains(&&*stem)
        || NUMBERED_DEVICES.iter().any(|device| stem.starts_with(device) && has_digit(&stem))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_of_a_file() {
        for (name, file) in [
            ("Kapuzenmäntel (rot)", "Kapuzenmäntel (rot)"),
            ("../../etc/passwd", "_.._etc_passwd"),
            ("a\\b:c*d", "a_b_c_d"),
            ("..", "object"),
            ("", "object"),
            (" . hidden. ", "hidden"),
            ("-rf", "_rf"),
            ("nul", "_nul"),
            ("COM1.mesh", "_COM1.mesh"),
            ("come", "come"),
            ("a\0\n\u{202e}b", "a___b"),
        ] {
            assert_eq!(safe(name), file, "{name:?}");
        }
        let long = safe(&"👗長".repeat(500));
        assert!(long.chars().count() <= LONGEST && long.len() < 240);
    }

    #[test]
    fn no_two_files_share_a_name() {
        let names = ["Tree", "tree", "tree", "tree_LOD0", "a/b", "a:b", "wood"];
        let unique = unique(names, ["wood.glb"]);
        assert_eq!(unique, ["Tree", "tree-2", "tree-3", "tree_LOD0-2", "a_b", "a_b-2", "wood-2"]);
    }

    #[test]
    fn what_ends_like_a_level_takes_no_level_of_another() {
        assert_eq!(unique(["tree_LOD0", "tree"], []), ["tree_LOD0", "tree-2"]);
    }
}
