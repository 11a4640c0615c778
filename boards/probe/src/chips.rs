//! The chips: probe-rs's own, ours for what only QEMU has, and what a user describes.

use std::path::Path;

use probe_rs::Target;
use probe_rs::config::{Registry, RegistryError};

use crate::bounded;
use crate::cause::Cause;
use crate::error::Error;

/// Descriptions of what no vendor makes.
const EMULATED: [&str; 1] = [include_str!("../chips/mps2-an386.yaml")];
/// The largest description that a user gives, in mebibytes.
const LARGEST_MIB: u64 = 16;
/// The most chips that an error lists.
const ALIKE: usize = 8;

/// What probe-rs has to know of a chip.
pub(crate) fn target(chip: &str, description: Option<&Path>) -> Result<Target, Error> {
    let mut registry = Registry::from_builtin_families();
    for yaml in EMULATED {
        add(&mut registry, yaml)
            .map_err(|why| Error::Probe { what: "emulated chips", why: why.into() })?;
    }
    if let Some(path) = description {
        let wrong = |why: Cause| Error::ChipDescription { path: path.to_owned(), why };
        let yaml = bounded::read(path, LARGEST_MIB).map_err(|error| wrong(error.into()))?;
        let yaml = String::from_utf8(yaml).map_err(|error| wrong(error.into()))?;
        add(&mut registry, &yaml).map_err(|error| wrong(error.into()))?;
    }
    registry.get_target_by_name(chip).map_err(|error| Error::UnknownChip {
        chip: chip.to_owned(),
        alike: alike(&registry, chip, &error),
    })
}

fn add(registry: &mut Registry, yaml: &str) -> Result<(), RegistryError> {
    registry.add_target_family_from_yaml(yaml).map(drop)
}

/// Chips whose names begin as the wanted one does.
fn alike(registry: &Registry, chip: &str, error: &RegistryError) -> Vec<String> {
    if let RegistryError::ChipNotUnique(_, names) = error {
        return names.split(", ").take(ALIKE).map(str::to_owned).collect();
    }
    let starts = (4..=chip.len()).rev().filter_map(|end| chip.get(..end));
    let mut found = starts.map(|start| registry.search_chips(start));
    let mut names = found.find(|names| !names.is_empty()).unwrap_or_default();
    names.truncate(ALIKE);
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_chip_of_our_boards_is_known() {
        for board in lodger_board_table::all() {
            if let Some(chip) = &board.chip {
                let target = target(chip, None).expect("a chip");
                let flash = u64::from(board.flash.origin);
                assert!(target.memory_region_by_address(flash).is_some(), "{}", board.name);
            }
        }
        assert_eq!(target("mps2-an386", None).expect("ours").name, "MPS2-AN386");
    }

    #[test]
    fn an_unknown_chip_is_told_with_those_like_it() {
        let error = target("nRF52840_xxAB", None).expect_err("no such chip");
        assert!(
            matches!(&error, Error::UnknownChip { alike, .. } if alike.iter().any(|name| name == "nRF52840_xxAA")),
            "{error:?}"
        );
    }

    #[test]
    fn a_description_that_is_none_is_refused() {
        let error = target("x", Some(Path::new("no such file.yaml"))).expect_err("no file");
        assert!(error.to_string().contains("no such file.yaml"), "{error}");
        #[cfg(unix)]
        {
            let error = target("x", Some(Path::new("/dev/zero"))).expect_err("it has no end");
            let said = "`/dev/zero` describes no chip: it is larger than 16 MiB";
            assert_eq!(error.to_string(), said);
        }
    }
}
