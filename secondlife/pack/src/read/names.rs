//! Names with the suffix of a level.

use std::borrow::Cow;
use std::collections::HashSet;

use lodger_quota::ellipsized;

use crate::packing::ObjectFile;

const MAX_NAME: usize = 160;

/// Splits a name into base and suffix, in any case; `None` without a suffix.
pub(super) fn ending(name: &str) -> Option<(&str, ObjectFile)> {
    let mut files = ObjectFile::ALL.into_iter().filter(|file| !file.suffix().is_empty());
    files.find_map(|file| {
        let (base, end) = name.split_at_checked(name.len().checked_sub(file.suffix().len())?)?;
        end.eq_ignore_ascii_case(file.suffix()).then_some((base, file))
    })
}

pub(super) fn stem(file: &str) -> &str {
    file.rsplit_once('.').map_or(file, |(stem, _)| if stem.is_empty() { file } else { stem })
}

pub(super) fn printable(name: &str) -> Cow<'_, str> {
    let name = ellipsized(name, MAX_NAME);
    if name.contains(char::is_control) {
        return Cow::Owned(name.replace(char::is_control, "\u{fffd}"));
    }
    name
}

/// A name that is not in use, with a number appended if necessary.
pub(super) fn unique(name: &str, taken: &mut HashSet<String>) -> String {
    unique_with(name, str::to_owned, taken)
}

/// The name that `ended` makes of a stem, likewise.
pub(super) fn unique_with(
    stem: &str,
    ended: impl Fn(&str) -> String,
    taken: &mut HashSet<String>,
) -> String {
    let mut made = ended(stem);
    let mut number = 2_u32;
    while !taken.insert(made.to_lowercase()) {
        made = ended(&format!("{stem}-{number}"));
        number += 1;
    }
    made
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use lodger_core::cost::streaming::MeshLod;

    use super::{MAX_NAME, ending, printable, stem, unique};
    use crate::packing::ObjectFile;

    #[test]
    fn endings_say_which_level_it_is() {
        let level = ObjectFile::Level;
        assert_eq!(ending("oak_LOD0"), Some(("oak", level(MeshLod::Lowest))));
        assert_eq!(ending("oak_lod1"), Some(("oak", level(MeshLod::Low))));
        assert_eq!(ending("oak_LOD2"), Some(("oak", level(MeshLod::Medium))));
        assert_eq!(ending("oak_LOD0_PHYS"), Some(("oak_LOD0", ObjectFile::Physics)));
        for plain in ["oak", "oak_LOD3", "LOD0", "", "öö_LO", "_LOD0s"] {
            assert_eq!(ending(plain), None, "{plain}");
        }
    }

    #[test]
    fn files_lose_their_endings() {
        assert_eq!(["a.b.glb", "a", ".glb", ""].map(stem), ["a.b", "a", ".glb", ""]);
    }

    #[test]
    fn names_have_no_control_characters_and_an_end() {
        assert_eq!(printable("oak tree é"), "oak tree é");
        assert_eq!(printable("o\u{1b}[2Ja\nk\u{85}"), "o\u{fffd}[2Ja\u{fffd}k\u{fffd}");
        let long = "\t".repeat(MAX_NAME + 1);
        assert_eq!(*printable(&long), "\u{fffd}".repeat(MAX_NAME) + "…");
    }

    #[test]
    fn unique_names_differ_where_case_does_not_count() {
        let mut taken = HashSet::new();
        let names = ["Oak", "oak", "OAK", "oak-2"].map(|name| unique(name, &mut taken));
        assert_eq!(names, ["Oak", "oak-2", "OAK-3", "oak-2-2"]);
    }

    #[test]
    fn files_that_are_made_are_known_again_by_their_endings() {
        for file in ObjectFile::ALL {
            let name = format!("oak{}", file.ending());
            let plain = matches!(file, ObjectFile::Asset | ObjectFile::Level(MeshLod::High));
            assert_eq!(ending(stem(&name)), (!plain).then_some(("oak", file)), "{name}");
        }
    }
}
