//! What a file uses and re-exports, as `use` says it.

use syn::{Attribute, File, Item, UseTree, Visibility};

/// A path of a `use`, and whether the file hands on what it names.
#[derive(Debug, Clone)]
pub(super) struct Use {
    pub(super) path: Vec<String>,
    /// What the file calls it; `*` is all of a module.
    pub(super) name: String,
    pub(super) is_export: bool,
}

/// All uses outside of tests.
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

/// The names of the modules that a file is cut into for tests only.
pub(super) fn test_modules(file: &File) -> Vec<String> {
    let module = |item: &Item| match item {
        Item::Mod(module) if is_for_tests(&module.attrs) => Some(module.ident.to_string()),
        _ => None,
    };
    file.items.iter().filter_map(module).collect()
}

fn is_for_tests(attributes: &[Attribute]) -> bool {
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
