//! Cycles of files. An edge is a `use` of an item in another file that is neither ancestor nor descendant.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use syn::{Attribute, File, Item, UseTree, Visibility};

use super::rust_files;

/// A module by its path from the root of its crate.
type Module = Vec<String>;

/// The cycles in a crate, a line for each.
pub(super) fn cycles_of(src: &Path) -> Vec<String> {
    let files = rust_files(src).into_iter().map(|path| {
        let name = path.strip_prefix(src).expect("below").to_string_lossy().replace('\\', "/");
        (name, fs::read_to_string(path).expect("readable"))
    });
    // Programs are crates of a single file.
    let files: Vec<_> = files.filter(|(name, _)| !name.starts_with("bin/")).collect();
    let cycles = find_cycles(&files);
    cycles.into_iter().map(|cycle| format!("{}: {cycle}", src.display())).collect()
}

/// The cycles among files, given by name and text.
pub(super) fn find_cycles(files: &[(String, String)]) -> Vec<String> {
    let graph = Graph::new(files);
    let edges: BTreeMap<&Module, BTreeSet<&Module>> =
        graph.files.keys().map(|module| (module, graph.edges(module))).collect();
    let reachable = |from: &Module| -> BTreeSet<&Module> {
        let mut reached = BTreeSet::new();
        let mut next: Vec<&Module> = edges[from].iter().copied().collect();
        while let Some(module) = next.pop() {
            if reached.insert(module) {
                next.extend(&edges[module]);
            }
        }
        reached
    };
    let reach: BTreeMap<_, _> = edges.keys().map(|module| (*module, reachable(module))).collect();
    let mut found = BTreeSet::new();
    for (module, reached) in &reach {
        if reached.contains(module) {
            let cycle =
                reach.iter().filter(|(m, back)| reached.contains(*m) && back.contains(module));
            let names = cycle.map(|(m, _)| graph.files[*m].name.as_str());
            found.insert(names.collect::<Vec<_>>().join(", "));
        }
    }
    found.into_iter().collect()
}

struct Source {
    name: String,
    uses: Vec<Use>,
}

/// The files of a crate by module.
struct Graph {
    files: BTreeMap<Module, Source>,
}

impl Graph {
    fn new(files: &[(String, String)]) -> Self {
        let mut found = BTreeMap::new();
        let mut for_tests = Vec::new();
        for (name, text) in files {
            let module = module_of(name);
            let parsed = syn::parse_file(text).unwrap_or_else(|error| panic!("{name}: {error}"));
            for test in test_modules(&parsed) {
                for_tests.push(module.iter().cloned().chain([test]).collect::<Module>());
            }
            found.insert(module, Source { name: name.clone(), uses: uses(&parsed) });
        }
        found.retain(|module, _| !for_tests.iter().any(|test| module.starts_with(test)));
        Self { files: found }
    }

    /// The files that a file uses, without ancestors and descendants.
    fn edges(&self, from: &Module) -> BTreeSet<&Module> {
        let uses = self.files[from].uses.iter().filter(|one| !one.is_export);
        let targets = uses.filter_map(|one| self.target(from, &one.path, 0));
        targets.filter(|to| !to.starts_with(from) && !from.starts_with(to)).collect()
    }

    /// The file of an item, through re-exports.
    fn target(&self, from: &Module, path: &[String], depth: usize) -> Option<&Module> {
        let absolute = self.absolute(from, path)?;
        let len =
            (0..=absolute.len()).rev().find(|&len| self.files.contains_key(&absolute[..len]))?;
        let (module, source) = self.files.get_key_value(&absolute[..len])?;
        let Some(item) = absolute.get(len) else { return Some(module) };
        let exported = source.uses.iter().find(|one| one.is_export && one.name == *item);
        match exported {
            Some(one) if depth < 8 => self.target(module, &one.path, depth + 1).or(Some(module)),
            _ => Some(module),
        }
    }

    /// A path from the root of the crate; `None` for another crate.
    fn absolute(&self, from: &Module, path: &[String]) -> Option<Module> {
        let mut module = from.clone();
        let mut rest = path;
        match path.first()?.as_str() {
            "crate" => {
                module.clear();
                rest = &path[1..];
            }
            "self" => rest = &path[1..],
            "super" => {
                while let Some(("super", later)) =
                    rest.split_first().map(|(first, later)| (first.as_str(), later))
                {
                    module.pop()?;
                    rest = later;
                }
            }
            child => {
                let child: Module = from.iter().cloned().chain([child.to_owned()]).collect();
                if !self.files.contains_key(&child) {
                    return None;
                }
            }
        }
        module.extend(rest.iter().cloned());
        Some(module)
    }
}

/// `a/b.rs` and `a/b/mod.rs` are `a::b`, `lib.rs` and `main.rs` the root.
fn module_of(name: &str) -> Module {
    let path = name.trim_end_matches(".rs").trim_end_matches("/mod");
    if path == "lib" { Module::new() } else { path.split('/').map(str::to_owned).collect() }
}

/// A path of a `use`, and whether it is a re-export.
#[derive(Debug, Clone)]
pub(super) struct Use {
    pub(super) path: Vec<String>,
    /// The local name; `*` for all items of a module.
    name: String,
    is_export: bool,
}

/// All `use` paths outside of tests.
pub(super) fn uses(file: &File) -> Vec<Use> {
    let mut found = Vec::new();
    for item in &file.items {
        if let Item::Use(item) = item
            && !is_for_tests(&item.attrs)
        {
            let is_export = !matches!(item.vis, Visibility::Inherited);
            collect(&item.tree, &mut Vec::new(), is_export, &mut found);
        }
    }
    found
}

/// The names of the test modules of a file.
fn test_modules(file: &File) -> Vec<String> {
    let module = |item: &Item| match item {
        Item::Mod(module) if is_for_tests(&module.attrs) => Some(module.ident.to_string()),
        _ => None,
    };
    file.items.iter().filter_map(module).collect()
}

pub(super) fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Ident>().is_ok_and(|condition| condition == "test")
    })
}

fn collect(tree: &UseTree, path: &mut Vec<String>, is_export: bool, found: &mut Vec<Use>) {
    let mut add = |last: Option<String>, name: String| {
        let path = path.iter().cloned().chain(last).collect();
        found.push(Use { path, name, is_export });
    };
    match tree {
        UseTree::Path(next) => {
            path.push(next.ident.to_string());
            collect(&next.tree, path, is_export, found);
            path.pop();
        }
        UseTree::Name(name) if name.ident == "self" => {
            add(None, path.last().cloned().unwrap_or_default());
        }
        UseTree::Name(name) => add(Some(name.ident.to_string()), name.ident.to_string()),
        UseTree::Rename(rename) => add(Some(rename.ident.to_string()), rename.rename.to_string()),
        UseTree::Glob(_) => add(None, "*".to_owned()),
        UseTree::Group(group) => {
            for tree in &group.items {
                collect(tree, path, is_export, found);
            }
        }
    }
}
