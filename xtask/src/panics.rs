//! `cargo xtask panics`: the ledger alone and the heapless scene hold nothing that panics, allocates or needs 128 bits, whatever
//! the policy.

use std::path::Path;

use object::{Object, ObjectSymbol};
use rustc_demangle::demangle;

use crate::boards;
use crate::failure::Failure;
use crate::steps::Steps;

/// The programs that must be free of them, and the one in which they must be found.
const CLEAN: [&str; 3] = ["heapless", "ledger", "optimal"];
const FLAGGED: &str = "panics";

/// What no function's name may hold: panics and their messages, an allocator, 128-bit helpers.
const UNWANTED: [&str; 14] = [
    "core::panicking",
    "rust_begin_unwind",
    "unwrap_failed",
    "expect_failed",
    "slice_index_fail",
    "slice_start_index",
    "slice_end_index",
    "__rust_alloc",
    "__rg_alloc",
    "alloc::alloc",
    "ti3",
    "ti4",
    "u128",
    "i128",
];

/// Checks all emulated boards.
pub(crate) fn run(steps: &mut Steps) -> Result<(), Failure> {
    for board in boards::emulated() {
        let [heapless, ledger, optimal] = CLEAN;
        let folder = boards::build(steps, board, &[heapless, ledger, optimal, FLAGGED])?;
        steps.work(&format!("no panics {}", board.name), || check(&folder))?;
    }
    Ok(())
}

fn check(folder: &Path) -> Result<(), Failure> {
    for clean in CLEAN {
        let found = unwanted(&folder.join(clean))?;
        if !found.is_empty() {
            let list = found.join("\n  ");
            return Err(Failure::Unfit(format!("`{clean}` must not hold\n  {list}")));
        }
    }
    if unwanted(&folder.join(FLAGGED))?.is_empty() {
        return Err(Failure::Unfit(format!("nothing is found in `{FLAGGED}`, which can panic")));
    }
    Ok(())
}

/// The names of a program that it should not have.
fn unwanted(elf: &Path) -> Result<Vec<String>, Failure> {
    let bytes = boards::read(elf)?;
    let file = object::File::parse(&*bytes).map_err(|error| boards::unfit(elf, &error))?;
    let names: Vec<String> =
        file.symbols().filter_map(|symbol| symbol.name().ok()).map(plain).collect();
    if names.is_empty() {
        return Err(Failure::Unfit(format!("{} has no symbols to look at", elf.display())));
    }
    Ok(names.into_iter().filter(|name| is_unwanted(name)).collect())
}

/// A function's path, without the hashes that crates have in it.
fn plain(symbol: &str) -> String {
    format!("{:#}", demangle(symbol))
}

fn is_unwanted(name: &str) -> bool {
    UNWANTED.iter().any(|unwanted| name.contains(unwanted))
}

#[cfg(test)]
mod tests {
    use super::{is_unwanted, plain};

    #[test]
    fn a_crate_is_known_by_its_name_alone() {
        let symbol = "_RNvNtCs3xQ30Ue3M98_4core9panicking9panic_fmt";
        assert_eq!(plain(symbol), "core::panicking::panic_fmt");
    }

    #[test]
    fn panics_allocators_and_wide_helpers_are_told_by_their_names() {
        for name in
            ["core::panicking::panic_fmt", "__rustc::__rust_alloc", "__udivti3", "__muloti4"]
        {
            assert!(is_unwanted(name), "{name}");
        }
        for name in ["lodger_core::budget::order::split", "__aeabi_uldivmod", "_defmt_timestamp"] {
            assert!(!is_unwanted(name), "{name}");
        }
    }
}
