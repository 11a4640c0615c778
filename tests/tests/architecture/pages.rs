//! The pages of the guide and the READMEs: valid links and includes, blocks of known kinds, and the keys of files.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use syn::{Fields, Item};

use super::root;

/// Valid fences: languages of programs, and consoles, which `host-cli/tests/cli/guide.rs` runs unless they have a
/// second word.
const FENCES: [&str; 15] = [
    "c",
    "cmake",
    "console",
    "console build",
    "console hardware",
    "cpp",
    "csharp",
    "html",
    "js",
    "json",
    "python",
    "rust",
    "sql",
    "text",
    "toml",
];

/// Starts of lines with commands.
const COMMANDS: [&str; 9] =
    ["$ ", "apt-get ", "cargo ", "cc ", "lodger ", "mdbook ", "node ", "python3 ", "rustup "];

/// A page, by its path in the workspace.
pub(super) struct Page {
    pub(super) name: String,
    pub(super) text: String,
}

/// Pages besides the guide.
const READMES: [&str; 5] = [
    "README.md",
    "bindings/bevy/README.md",
    "bindings/c/README.md",
    "bindings/web/README.md",
    "firmware/README.md",
];

/// Pages for contributors.
const DOCUMENTS: [&str; 3] = ["ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md"];
/// The folder of the pages about decisions.
pub(super) const DECISIONS: &str = "docs/decisions";

/// The guide and READMEs.
pub(super) fn pages() -> Vec<Page> {
    let mut paths: Vec<PathBuf> = READMES.map(PathBuf::from).into();
    for entry in fs::read_dir(root().join("docs")).expect("a guide").flatten() {
        if entry.path().extension().is_some_and(|extension| extension == "md") {
            paths.push(Path::new("docs").join(entry.file_name()));
        }
    }
    read(paths)
}

/// Pages for contributors. Their blocks are pictures, and commands that no test runs.
pub(super) fn documents() -> Vec<Page> {
    let mut paths: Vec<PathBuf> = DOCUMENTS.map(PathBuf::from).into();
    for entry in fs::read_dir(root().join(DECISIONS)).expect("decisions").flatten() {
        paths.push(Path::new(DECISIONS).join(entry.file_name()));
    }
    read(paths)
}

fn read(mut paths: Vec<PathBuf>) -> Vec<Page> {
    paths.sort();
    let page = |path: PathBuf| Page {
        name: path.display().to_string(),
        text: fs::read_to_string(root().join(path)).expect("readable"),
    };
    paths.into_iter().map(page).collect()
}

/// The errors of a page.
pub(super) fn broken_links(page: &Page) -> Vec<String> {
    let mut found = Vec::new();
    let mut fence = None;
    let is_guide = is_guide(page) || READMES.contains(&page.name.as_str());
    for event in Parser::new_ext(&page.text, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::CodeBlock(kind)) => fence = Some(kind),
            Event::End(TagEnd::CodeBlock) => fence = None,
            Event::Text(text) => {
                if let Some(kind) = fence.as_ref().filter(|_| is_guide) {
                    found.extend(block_error(kind, &text));
                    found.extend(includes(&text).filter_map(|path| include_error(page, path)));
                }
            }
            Event::Start(Tag::Link { dest_url: to, .. } | Tag::Image { dest_url: to, .. }) => {
                found.extend(link_error(page, &to));
            }
            _ => {}
        }
    }
    found.into_iter().map(|error| format!("{}: {error}", page.name)).collect()
}

/// The error of a block that is neither a program nor a console with a command.
fn block_error(kind: &CodeBlockKind<'_>, text: &str) -> Option<String> {
    let CodeBlockKind::Fenced(info) = kind else {
        return Some(format!("a block that is only indented: {text}"));
    };
    let is_file =
        info.strip_prefix("toml ").is_some_and(|name| !name.contains(char::is_whitespace));
    if !FENCES.contains(&info.as_ref()) && !is_file {
        return Some(format!("a block fenced as {:?}", info.as_ref()));
    }
    let is_command = |line: &str| COMMANDS.iter().any(|command| line.starts_with(command));
    match info.starts_with("console") {
        true if !text.starts_with("$ ") => Some(format!("a console without a `$ `: {text}")),
        false if text.lines().any(is_command) => {
            Some(format!("commands in a block fenced as {:?}: {text}", info.as_ref()))
        }
        _ => None,
    }
}

/// The include directives of mdBook in a text.
fn includes(text: &str) -> impl Iterator<Item = &str> {
    let parts = text.split("{{#").skip(1);
    parts.map(|part| part.split("}}").next().unwrap_or(part))
}

/// The error of an include.
fn include_error(page: &Page, include: &str) -> Option<String> {
    let Some(named) = include.strip_prefix("include ") else {
        return Some(format!("mdBook directive {include:?} is no include"));
    };
    let (path, anchor) = named.split_once(':').unwrap_or((named, ""));
    let Ok(text) = fs::read_to_string(folder(page).join(path)) else {
        return Some(format!("includes {path}, which is not there"));
    };
    let begins = |line: &str| line.trim_end().ends_with(&format!("ANCHOR: {anchor}"));
    (!anchor.is_empty() && !text.lines().any(begins))
        .then(|| format!("includes {anchor} of {path}, which has no such anchor"))
}

/// The error of a link. Links of the guide stay in its folder, as mdBook builds no other.
fn link_error(page: &Page, to: &str) -> Option<String> {
    let path = to.split('#').next().unwrap_or(to);
    if path.is_empty() || to.contains("://") {
        return None;
    }
    let error = match folder(page).join(path).canonicalize() {
        Err(_) => "which is not there",
        Ok(found) if is_guide(page) && !found.starts_with(root().join("docs")) => {
            "which is not in the guide: name the file instead"
        }
        Ok(_) => return None,
    };
    Some(format!("links to {to}, {error}"))
}

fn is_guide(page: &Page) -> bool {
    page.name.starts_with("docs/") && !page.name.starts_with(DECISIONS)
}

fn folder(page: &Page) -> PathBuf {
    root().join(&page.name).parent().expect("a folder").to_owned()
}

/// The structs of readers, and the headings of the tables of `docs/formats.md` with their keys.
pub(super) const KEYS: [(&str, &str, &str); 10] = [
    ("scenes/src/toml_scene.rs", "RawScene", "The scene"),
    ("scenes/src/toml_scene.rs", "RawView", "A view"),
    ("scenes/src/toml_scene.rs", "RawModule", "A module"),
    ("scenes/src/toml_scene.rs", "RawWeights", "The weights of a module"),
    ("scenes/src/toml_scene.rs", "RawActor", "An actor"),
    ("scenes/src/linkset.rs", "RawLinkset", "The linkset"),
    ("scenes/src/linkset.rs", "RawObject", "An object"),
    ("scenes/src/linkset.rs", "RawPrim", "A prim"),
    ("scenes/src/camera_path.rs", "RawPath", "The path"),
    ("scenes/src/camera_path.rs", "RawWaypoint", "A waypoint"),
];

/// The fields of a struct, which are the keys of serde.
pub(super) fn fields(file: &str, name: &str) -> BTreeSet<String> {
    let text = fs::read_to_string(root().join(file)).expect("readable");
    let items = syn::parse_file(&text).expect("Rust").items;
    let found = items.into_iter().find_map(|item| match item {
        Item::Struct(found) if found.ident == name => Some(found.fields),
        _ => None,
    });
    let Some(Fields::Named(fields)) = found else { panic!("{file} has no struct {name}") };
    fields.named.iter().filter_map(|field| Some(field.ident.as_ref()?.to_string())).collect()
}
