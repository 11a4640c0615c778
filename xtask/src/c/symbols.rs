//! What the shared library exports: the functions of the header, all of them and nothing else.

use std::collections::BTreeSet;
use std::fs;

use object::{NameOrOrdinal, Object};

use super::prefix::Prefix;
use crate::boards::{read, unfit};
use crate::failure::Failure;

/// What Rust exports from every library of this kind.
const OF_RUST: [&str; 1] = ["rust_eh_personality"];

/// Compares the header with the library.
pub(super) fn check(prefix: &Prefix) -> Result<(), Failure> {
    let header = prefix.folder().join("include/lodger.h");
    let text = fs::read_to_string(&header).map_err(|error| unfit(&header, &error))?;
    let declared = declared(&text);
    let exported = exported(prefix)?;
    if declared == exported && !declared.is_empty() {
        eprintln!("{} functions are declared and exported", declared.len());
        return Ok(());
    }
    let differing: Vec<_> = declared.symmetric_difference(&exported).cloned().collect();
    Err(Failure::Unfit(format!("header and library differ in {}", differing.join(", "))))
}

fn exported(prefix: &Prefix) -> Result<BTreeSet<String>, Failure> {
    let path = prefix.shared();
    let bytes = read(path)?;
    let file = object::File::parse(&*bytes).map_err(|error| unfit(path, &error))?;
    let exports = file.exports().map_err(|error| unfit(path, &error))?;
    let mut names = BTreeSet::new();
    for export in exports {
        let export = export.map_err(|error| unfit(path, &error))?;
        let NameOrOrdinal::Name(name) = export.name() else { continue };
        let name = String::from_utf8_lossy(name);
        let name =
            if cfg!(target_os = "macos") { name.trim_start_matches('_') } else { name.as_ref() };
        if !OF_RUST.contains(&name) {
            names.insert(name.to_owned());
        }
    }
    Ok(names)
}

/// The functions that the header declares for machines that are no browser.
fn declared(header: &str) -> BTreeSet<String> {
    let mut parts = header.split("#ifdef __wasm__");
    let first = parts.next().unwrap_or_default();
    let rest = parts.filter_map(|part| part.split_once("#endif")).map(|(_, rest)| rest);
    let code: String = [first].into_iter().chain(rest).collect();
    let declarations = code.split("LODGER_API").filter_map(|text| text.split_once('('));
    let names = declarations.filter_map(|(head, _)| head.split([' ', '*', '\n']).next_back());
    names.filter(|name| name.starts_with("lodger_")).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::declared;

    #[test]
    fn declarations_are_found_and_browsers_left_out() {
        let header = "#define LODGER_API __declspec(dllimport)\n#define LODGER_API\ntypedef int x;\n\
                      LODGER_API const char *lodger_one(int status);\nLODGER_API x lodger_two(void);\n\
                      #ifdef __wasm__\nLODGER_API void lodger_free(void *block);\n#endif\n";
        assert_eq!(declared(header).into_iter().collect::<Vec<_>>(), ["lodger_one", "lodger_two"]);
    }
}
