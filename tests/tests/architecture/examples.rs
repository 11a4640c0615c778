//! The share of public functions that have an example in their documentation.

use syn::{Attribute, Expr, ExprLit, File, ImplItem, Item, ItemImpl, Lit, Meta, Visibility};

use super::cycles::is_for_tests;

/// The public functions of a package.
#[derive(Debug, Default)]
pub(super) struct Functions {
    pub(super) number: usize,
    /// The functions without an example, as `Type::function`.
    pub(super) without: Vec<String>,
}

impl Functions {
    /// Adds the public functions and methods of a file. Methods of traits are documented by the trait.
    pub(super) fn add(&mut self, file: &File) {
        self.add_items(&file.items);
    }

    fn add_items(&mut self, items: &[Item]) {
        for item in items {
            match item {
                Item::Mod(module) if !is_for_tests(&module.attrs) => {
                    let items = module.content.as_ref().map(|(_, items)| items.as_slice());
                    self.add_items(items.unwrap_or_default());
                }
                Item::Fn(function) => {
                    self.add_one(&function.vis, &function.attrs, || function.sig.ident.to_string());
                }
                Item::Impl(block) if block.trait_.is_none() && !is_for_tests(&block.attrs) => {
                    self.add_methods(block);
                }
                _ => {}
            }
        }
    }

    fn add_methods(&mut self, block: &ItemImpl) {
        let owner = match &*block.self_ty {
            syn::Type::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()),
            _ => None,
        };
        let owner = owner.unwrap_or_default();
        for item in &block.items {
            if let ImplItem::Fn(method) = item {
                let name = || format!("{owner}::{}", method.sig.ident);
                self.add_one(&method.vis, &method.attrs, name);
            }
        }
    }

    fn add_one(
        &mut self,
        visibility: &Visibility,
        attributes: &[Attribute],
        name: impl FnOnce() -> String,
    ) {
        if matches!(visibility, Visibility::Public(_)) && !is_hidden(attributes) {
            self.number += 1;
            if !has_example(attributes) {
                self.without.push(name());
            }
        }
    }
}

fn is_hidden(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let list = |list: &syn::MetaList| list.tokens.to_string() == "hidden";
        attribute.path().is_ident("doc")
            && matches!(&attribute.meta, Meta::List(meta) if list(meta))
    })
}

/// Whether the documentation has a block that is compiled and asserts.
fn has_example(attributes: &[Attribute]) -> bool {
    let lines = attributes.iter().filter_map(|attribute| match &attribute.meta {
        Meta::NameValue(value) if value.path.is_ident("doc") => match &value.value {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
            _ => None,
        },
        _ => None,
    });
    let lines: Vec<String> = lines.collect();
    lines.iter().any(|line| is_fence(line)) && lines.iter().any(|line| line.contains("assert"))
}

/// Whether a line opens or closes a block that is compiled.
fn is_fence(line: &str) -> bool {
    let info = line.trim().strip_prefix("```");
    info.is_some_and(|info| ["", "should_panic", "no_run"].contains(&info))
}
