//! The house is as ARCHITECTURE.md and CONTRIBUTING.md say: no circles, the tree that is drawn, commands without
//! formulas, and pages whose links, includes, commands and keys are there.

mod circles;
mod crates;
mod keys;
mod pages;
mod survivors;

use std::collections::BTreeSet;
use std::fs;

use crates::{root, sources};

/// The crates of others that host-cli may use: none of them reads a file format.
const CRATES_OF_HOST_CLI: [&str; 8] =
    ["clap", "clap_complete", "clap_mangen", "comfy-table", "csv", "rayon", "serde", "serde_json"];
/// The crates of others that only the simulation, the library of host-cli, may use.
const CRATES_OF_SIMULATION: [&str; 2] = ["base64", "libm"];

#[test]
fn no_circle_of_files_in_any_crate() {
    let circles: Vec<_> = sources().iter().flat_map(|src| circles::circles(src)).collect();
    assert!(circles.is_empty(), "files that use each other in a circle:\n{}", circles.join("\n"));
}

#[test]
fn circles_are_found() {
    let file = |name: &str, text: &str| (name.to_owned(), text.to_owned());
    let circle = circles::circles_among;
    let root = file("lib.rs", "mod a; mod b; pub use b::B;");
    // By way of what their parent re-exports, too.
    let a = file("a.rs", "use crate::B; pub struct A;");
    let b = file("b.rs", "use super::a::A; pub struct B;");
    assert_eq!(circle(&[root.clone(), a.clone(), b]), ["a.rs, b.rs"]);
    // Tests may use each other, and children their parents.
    let b = file("b.rs", "#[cfg(test)] mod tests { use super::super::a::A; } mod c; pub struct B;");
    let c = file("b/c.rs", "use super::B; use crate::a::A;");
    assert_eq!(circle(&[root, a, b, c]), [""; 0]);
}

/// Commands have no formula: they take types and constants of core, and no function. They read no file format: crates
/// that do are dependencies of libraries.
#[test]
fn commands_have_no_formula_and_no_file_format() {
    let mut formulas = Vec::new();
    for file in crates::rust_files(&root().join("host-cli/src")) {
        let text = fs::read_to_string(&file).expect("readable");
        let is_simulation = file.display().to_string().contains("/simulation");
        for name in CRATES_OF_SIMULATION.iter().filter(|_| !is_simulation) {
            assert!(!text.contains(&format!("{name}::")), "{} uses {name}", file.display());
        }
        let parsed = syn::parse_file(&text).expect("Rust");
        let functions = circles::uses(&parsed).into_iter().map(|one| one.path).filter(|path| {
            let is_function = |name: &String| name.starts_with(char::is_lowercase);
            path.first().is_some_and(|name| name == "lodger_core")
                && path.last().is_some_and(is_function)
        });
        formulas.extend(functions.map(|path| format!("{}: {}", file.display(), path.join("::"))));
    }
    assert!(formulas.is_empty(), "{}", formulas.join("\n"));
    let manifest = fs::read_to_string(root().join("host-cli/Cargo.toml")).expect("readable");
    let manifest: toml::Table = manifest.parse().expect("TOML");
    let dependencies = manifest["dependencies"].as_table().expect("dependencies").keys();
    let others: Vec<_> = dependencies
        .filter(|name| !name.starts_with("lodger-") && !CRATES_OF_HOST_CLI.contains(&name.as_str()))
        .filter(|name| !CRATES_OF_SIMULATION.contains(&name.as_str()))
        .collect();
    assert!(others.is_empty(), "{others:?}");
}

/// What the first build and all tests of this workspace compile is in its lock file, and nothing of an engine for SQL
/// is. The workspace of `secondlife/query` has that.
#[test]
fn engines_stay_in_a_workspace_of_their_own() {
    let ours = locked("Cargo.lock");
    for name in ["arrow", "ballista-core", "datafusion", "parquet", "sqlx"] {
        assert!(!ours.contains(name), "{name} is in Cargo.lock");
        assert!(
            locked("secondlife/query/Cargo.lock").contains(name),
            "{name} is not in secondlife/query"
        );
    }
}

/// The names of the packages of a lock file.
fn locked(file: &str) -> BTreeSet<String> {
    let text = fs::read_to_string(root().join(file)).expect("readable");
    let names = text.lines().filter_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"'));
    names.map(str::to_owned).collect()
}

/// Every package is in ARCHITECTURE.md's tree, and the tree has no other.
#[test]
fn the_tree_is_what_is_there() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("readable");
    let drawn = tree(&text);
    let packages: Vec<String> = crates::packages()
        .iter()
        .filter_map(|folder| Some(folder.strip_prefix(root()).ok()?.to_str()?.to_owned()))
        .filter(|folder| !folder.is_empty())
        .collect();
    for package in &packages {
        assert!(drawn.contains(package), "{package} is not in the tree: {drawn:?}");
    }
    for folder in &drawn {
        assert!(root().join(folder).is_dir(), "{folder} is in the tree, but not there");
    }
}

/// The folders of the first code block that begins with one, `/` at the end and indented below what they are in.
fn tree(text: &str) -> Vec<String> {
    let block = text.split("```").find(|block| block.trim_start().starts_with("core/"));
    let mut above: Vec<(usize, String)> = Vec::new();
    let mut folders = Vec::new();
    for line in block.unwrap_or_default().lines() {
        let indent = line.len() - line.trim_start().len();
        let Some(name) = line.split_whitespace().next().and_then(|word| word.strip_suffix('/'))
        else {
            continue;
        };
        above.retain(|(outer, _)| *outer < indent);
        let path = above.iter().map(|(_, name)| name.as_str()).chain([name]);
        folders.push(path.collect::<Vec<_>>().join("/"));
        above.push((indent, name.to_owned()));
    }
    folders
}

#[test]
fn pages_lead_somewhere_and_say_which_commands_are_run() {
    let faults: Vec<_> = pages::pages().iter().flat_map(pages::faults).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_page_that_is_wrong_is_found() {
    let faults = |text: &str| {
        let page = pages::Page { name: "docs/page.md".to_owned(), text: text.to_owned() };
        pages::faults(&page).join("; ")
    };
    assert_eq!(
        faults("[a](performance.md#figures) <https://example.org>\n```console\n$ lodger\n```"),
        ""
    );
    assert_eq!(faults("```rust\n{{#include ../scheduler/examples/game_loop.rs}}\n```"), "");
    for (text, fault) in [
        ("[a](gone.md)", "links to gone.md, which is not there"),
        ("![a](../README.md)", "which is not in the guide"),
        ("```\nlodger schedule\n```", "fenced as \"\""),
        ("```sh\nlodger schedule\n```", "fenced as \"sh\""),
        ("```text\nlodger schedule\n```", "commands in a block"),
        ("```console\nlodger schedule\n```", "a console without"),
        ("```rust\n{{#include gone.rs}}\n```", "includes gone.rs, which is not there"),
        ("```rust\n{{#include ../tests/src/lib.rs:part}}\n```", "has no such anchor"),
        ("a\n\n    lodger schedule\n", "only indented"),
    ] {
        assert!(faults(text).contains(fault), "{text}: {}", faults(text));
    }
}

#[test]
fn the_guide_has_every_page_in_its_summary() {
    let summary = fs::read_to_string(root().join("docs/SUMMARY.md")).expect("readable");
    for page in pages::pages() {
        let Some(name) = page.name.strip_prefix("docs/") else { continue };
        let named = summary.contains(&format!("({name})"));
        assert!(named || name == "SUMMARY.md", "{name} is not in docs/SUMMARY.md");
    }
}

#[test]
fn the_page_of_formats_has_every_key_that_is_read() {
    let tables = lodger_testkit::page::tables();
    for (file, name, heading) in keys::KEYS {
        let named: BTreeSet<String> = tables[heading].iter().cloned().collect();
        assert_eq!(named, keys::fields(file, name), "{heading}");
    }
}
