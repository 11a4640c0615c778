//! The architecture is as ARCHITECTURE.md and CONTRIBUTING.md describe it: no cycles of files, a complete tree,
//! commands without formulas, pages with valid links, includes, commands and keys, Second Life apart from the
//! scheduler, and STYLE's words and examples.

mod cycles;
mod examples;
mod pages;
mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The external crates that host-cli may use; none reads a file format.
const CRATES_OF_HOST_CLI: [&str; 8] =
    ["clap", "clap_complete", "clap_mangen", "comfy-table", "csv", "rayon", "serde", "serde_json"];
/// The external crates that only the simulation, the library of host-cli, may use.
const CRATES_OF_SIMULATION: [&str; 2] = ["base64", "libm"];

#[test]
fn no_crate_has_a_cycle_of_files() {
    let cycles: Vec<_> = sources().iter().flat_map(|src| cycles::cycles_of(src)).collect();
    assert!(cycles.is_empty(), "files that use each other in a cycle:\n{}", cycles.join("\n"));
}

#[test]
fn cycles_are_found() {
    let file = |name: &str, text: &str| (name.to_owned(), text.to_owned());
    let root = file("lib.rs", "mod a; mod b; pub use b::B;");
    // Also through the re-exports of the parent.
    let a = file("a.rs", "use crate::B; pub struct A;");
    let b = file("b.rs", "use super::a::A; pub struct B;");
    assert_eq!(cycles::find_cycles(&[root.clone(), a.clone(), b]), ["a.rs, b.rs"]);
    // Tests may use each other, and children their parents.
    let b = file("b.rs", "#[cfg(test)] mod tests { use super::super::a::A; } mod c; pub struct B;");
    let c = file("b/c.rs", "use super::B; use crate::a::A;");
    assert_eq!(cycles::find_cycles(&[root, a, b, c]), [""; 0]);
}

/// Commands have no formula: they use types and constants of core, but no functions. They read no file format:
/// libraries depend on the crates that do.
#[test]
fn commands_have_no_formula_and_no_file_format() {
    let mut formulas = Vec::new();
    for file in rust_files(&root().join("host-cli/src")) {
        let text = read(&file);
        let is_simulation = file.display().to_string().contains("/simulation");
        for name in CRATES_OF_SIMULATION.iter().filter(|_| !is_simulation) {
            assert!(!text.contains(&format!("{name}::")), "{} uses {name}", file.display());
        }
        let parsed = syn::parse_file(&text).expect("Rust");
        let functions = cycles::uses(&parsed).into_iter().map(|one| one.path).filter(|path| {
            let is_function = |name: &String| name.starts_with(char::is_lowercase);
            path.first().is_some_and(|name| name == "lodger_core")
                && path.last().is_some_and(is_function)
        });
        formulas.extend(functions.map(|path| format!("{}: {}", file.display(), path.join("::"))));
    }
    assert!(formulas.is_empty(), "{}", formulas.join("\n"));
    let manifest = read(&root().join("host-cli/Cargo.toml"));
    let manifest: toml::Table = manifest.parse().expect("TOML");
    let dependencies = manifest["dependencies"].as_table().expect("dependencies");
    let others: Vec<_> = dependencies
        .keys()
        .filter(|name| !name.starts_with("lodger-") && !CRATES_OF_HOST_CLI.contains(&name.as_str()))
        .filter(|name| !CRATES_OF_SIMULATION.contains(&name.as_str()))
        .collect();
    assert!(others.is_empty(), "{others:?}");
    let needless: Vec<_> = CRATES_OF_HOST_CLI
        .iter()
        .chain(&CRATES_OF_SIMULATION)
        .filter(|name| !dependencies.contains_key(**name))
        .collect();
    assert!(needless.is_empty(), "host-cli does not depend on {needless:?}");
}

/// No build and test of this workspace compiles an SQL engine; that is in the lock file of `secondlife/query`.
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
    let text = read(&root().join(file));
    let names = text.lines().filter_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"'));
    names.map(str::to_owned).collect()
}

/// The tree of ARCHITECTURE.md has every package, and every folder of it exists.
#[test]
fn the_tree_is_complete() {
    let text = read(&root().join("ARCHITECTURE.md"));
    let tree = tree(&text);
    let packages: Vec<String> = packages()
        .iter()
        .filter_map(|folder| Some(folder.strip_prefix(root()).ok()?.to_str()?.to_owned()))
        .filter(|folder| !folder.is_empty())
        .collect();
    for package in &packages {
        assert!(tree.contains(package), "{package} is not in the tree: {tree:?}");
    }
    for folder in &tree {
        assert!(root().join(folder).is_dir(), "{folder} is in the tree, but does not exist");
    }
}

/// The folders of the first code block that begins with a folder: each ends with `/` and is indented below its parent.
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
fn pages_have_valid_links_and_blocks() {
    let pages = pages::pages().into_iter().chain(pages::documents());
    let broken: Vec<_> = pages.flat_map(|page| pages::broken_links(&page)).collect();
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn invalid_pages_are_found() {
    let broken = |text: &str| {
        let page = pages::Page { name: "docs/page.md".to_owned(), text: text.to_owned() };
        pages::broken_links(&page).join("; ")
    };
    assert_eq!(
        broken("[a](performance.md#figures) <https://example.org>\n```console\n$ lodger\n```"),
        ""
    );
    assert_eq!(broken("```rust\n{{#include ../scheduler/examples/game_loop.rs}}\n```"), "");
    for (text, error) in [
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
        assert!(broken(text).contains(error), "{text}: {}", broken(text));
    }
}

#[test]
fn the_guide_has_every_page_in_its_summary() {
    let summary = read(&root().join("docs/SUMMARY.md"));
    for page in pages::pages() {
        let Some(name) = page.name.strip_prefix("docs/") else { continue };
        let named = summary.contains(&format!("({name})"));
        assert!(named || name == "SUMMARY.md", "{name} is not in docs/SUMMARY.md");
    }
}

#[test]
fn the_page_of_formats_has_every_key() {
    let tables = lodger_testkit::page::tables();
    for (file, name, heading) in pages::KEYS {
        let named: BTreeSet<String> = tables[heading].iter().cloned().collect();
        assert_eq!(named, pages::fields(file, name), "{heading}");
    }
}

/// The maximum number of words of a page.
const LENGTHS: [(&str, usize); 2] = [("README.md", 1_400), ("ARCHITECTURE.md", 2_500)];
/// The maximum number of words of a decision.
const DECISION: usize = 300;

#[test]
fn pages_are_short() {
    let words = |text: &str| text.split_whitespace().count();
    for (name, most) in LENGTHS {
        let words = words(&read(&root().join(name)));
        assert!(words <= most, "{name} has {words} words, and may have {most}");
    }
    let list = read(&root().join(pages::DECISIONS).join("README.md"));
    for page in pages::documents().iter().filter(|page| page.name.starts_with(pages::DECISIONS)) {
        let file = Path::new(&page.name).file_name().and_then(|name| name.to_str());
        let is_listed = file.is_some_and(|name| list.contains(&format!("({name})")));
        assert!(is_listed || page.name.ends_with("README.md"), "{} is not listed", page.name);
        let words = words(&page.text);
        assert!(words <= DECISION, "{} has {words} words, and may have {DECISION}", page.name);
    }
}

/// The file with the lists of words.
const LISTS: &str = "tests/tests/architecture/words.rs";

#[test]
fn names_and_texts_have_the_fields_words() {
    let files = rust_files(root()).into_iter();
    let files = files.map(|file| (name_of(&file), read(&file)));
    let pages = pages::pages().into_iter().chain(pages::documents());
    let texts = files.chain(pages.map(|page| (page.name, page.text)));
    let texts: BTreeMap<String, String> = texts.filter(|(name, _)| name != LISTS).collect();
    let mut errors = words::WordErrors::default();
    for (name, text) in &texts {
        errors.add(name, text);
    }
    let errors = errors.finish();
    assert!(errors.is_empty(), "{}", errors.join("\n"));
}

#[test]
fn packages_share_no_names_of_types() {
    let packages = packages().into_iter().map(|package| name_of(&package));
    let packages: Vec<_> = packages.filter(|package| !package.starts_with("tests")).collect();
    let files = packages.iter().flat_map(|package| {
        let sources = root().join(package).join("src");
        let files = if sources.is_dir() { rust_files(&sources) } else { Vec::new() };
        files
            .into_iter()
            .map(|file| (package.as_str(), syn::parse_file(&read(&file)).expect("Rust")))
    });
    let errors = words::shared_types(files);
    assert!(errors.is_empty(), "{}", errors.join("\n"));
}

/// The packages whose functions have examples, and the minimum share of them, in percent.
const EXAMPLES: [&str; 6] = [
    "scheduler",
    "scheduler/heapless",
    "scenes",
    "secondlife/mesh",
    "secondlife/opensim/src/pricing",
    "bindings/bevy",
];
const SHARE: usize = 90;

#[test]
fn public_functions_have_examples() {
    for package in EXAMPLES {
        let folder = root().join(package);
        let sources = if folder.join("src").is_dir() { folder.join("src") } else { folder };
        let mut functions = examples::Functions::default();
        for file in rust_files(&sources) {
            functions.add(&syn::parse_file(&read(&file)).expect("Rust"));
        }
        let examples::Functions { number, without } = functions;
        let with = number - without.len();
        println!("{package}: {with} of {number} public functions have an example");
        assert!(with * 100 >= number * SHARE, "{package}: {with} of {number}: {without:#?}");
    }
}

/// The path of a file in the workspace.
fn name_of(file: &Path) -> String {
    file.strip_prefix(root()).expect("a file of the workspace").display().to_string()
}

/// Folders that users rely on.
const FOLDERS: [&str; 6] = ["core", "scheduler", "firmware", "host-cli", "tests", ".cargo"];

/// Libraries that shipped code must use.
const LIBRARIES: [&str; 7] =
    ["heapless", "libm", "micromath", "embedded-hal", "defmt", "probe-rs", "tokio"];

/// The folders outside of `secondlife/` that may depend on its packages.
const USERS_OF_SECOND_LIFE: [&str; 4] = ["host-cli", "tests", "tests/fuzz", "tests/testkit"];

#[test]
fn folders_of_users_exist() {
    for folder in FOLDERS {
        assert!(root().join(folder).is_dir(), "{folder}/ is gone");
    }
    assert!(root().join("scheduler/src/task.rs").is_file(), "the tokio task is gone");
}

#[test]
fn libraries_of_users_are_used_by_shipped_code() {
    for library in LIBRARIES {
        let path = format!("{}::", library.replace('-', "_"));
        let is_used = packages().iter().any(|package| {
            let sources = package.join("src");
            dependencies(package, "dependencies").contains(library)
                && sources.is_dir()
                && rust_files(&sources).iter().any(|file| read(file).contains(&path))
        });
        assert!(is_used, "no package depends on {library} and uses it");
    }
}

#[test]
fn core_and_scheduler_have_criterion_benches() {
    for package in ["core", "scheduler"] {
        let package = root().join(package);
        assert!(dependencies(&package, "dev-dependencies").contains("criterion"));
        let benches = rust_files(&package.join("benches"));
        assert!(benches.iter().any(|file| read(file).contains("criterion_main!")), "{package:?}");
    }
}

/// The packages of the scheduler do not depend on those of Second Life.
#[test]
fn second_life_is_used_by_commands_and_tests_alone() {
    let is_inside = |package: &Path| package.starts_with(root().join("secondlife"));
    let (inside, outside): (Vec<_>, Vec<_>) =
        packages().into_iter().partition(|package| is_inside(package));
    let names: BTreeSet<String> = inside.iter().filter_map(|package| name(package)).collect();
    assert!(names.contains("lodger-mesh-asset"), "{names:?}");
    let mut needless = BTreeSet::from(USERS_OF_SECOND_LIFE.map(Path::new));
    for package in outside {
        let folder = package.strip_prefix(root()).expect("a package of the workspace");
        let used: Vec<_> = ["dependencies", "dev-dependencies"]
            .iter()
            .flat_map(|table| dependencies(&package, table))
            .filter(|dependency| names.contains(dependency))
            .collect();
        let may = USERS_OF_SECOND_LIFE.iter().any(|user| folder == Path::new(user));
        assert!(used.is_empty() || may, "{} depends on {used:?}", folder.display());
        if !used.is_empty() {
            needless.remove(folder);
        }
    }
    assert!(needless.is_empty(), "they do not depend on Second Life's packages: {needless:?}");
}

/// The names in a table of dependencies of a package, for all targets.
fn dependencies(package: &Path, table: &str) -> BTreeSet<String> {
    let manifest = manifest(package);
    let of_targets = manifest.get("target").and_then(toml::Value::as_table);
    let of_targets = of_targets.into_iter().flatten().filter_map(|(_, target)| target.get(table));
    let tables = manifest.get(table).into_iter().chain(of_targets);
    tables.filter_map(toml::Value::as_table).flat_map(|table| table.keys().cloned()).collect()
}

fn name(package: &Path) -> Option<String> {
    manifest(package).get("package")?.get("name")?.as_str().map(str::to_owned)
}

fn manifest(package: &Path) -> toml::Table {
    read(&package.join("Cargo.toml")).parse().expect("a manifest in TOML")
}

/// The root folder of the workspace.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests/ is in the workspace")
}

/// The folders with a Cargo.toml, except `target`.
fn packages() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root().to_owned()];
    while let Some(folder) = folders.pop() {
        if folder.join("Cargo.toml").is_file() {
            found.push(folder.clone());
        }
        for entry in fs::read_dir(&folder).expect("a folder").flatten() {
            let name = entry.file_name();
            let is_hidden = name.to_string_lossy().starts_with('.');
            if entry.path().is_dir() && !is_hidden && name != "target" && name != "src" {
                folders.push(entry.path());
            }
        }
    }
    found
}

/// The `src` of each package.
fn sources() -> Vec<PathBuf> {
    packages().iter().map(|package| package.join("src")).filter(|src| src.is_dir()).collect()
}

/// All Rust files below a folder, except those below `target`.
fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() && entry.file_name() != "target" {
            found.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn read(file: &Path) -> String {
    fs::read_to_string(file).expect("a readable file")
}
