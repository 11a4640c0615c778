//! The pages that people read: links that lead somewhere, includes that are there, and no third kind of
//! command beside those that the tests run and those that say why not.

use std::fs;
use std::path::{Path, PathBuf};

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use super::crates::root;

/// What a fence may say: the languages of programs, and consoles, which `host-cli/tests/cli/guide.rs` runs
/// unless a second word says why not.
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

/// How lines begin that are commands.
const COMMANDS: [&str; 9] =
    ["$ ", "apt-get ", "cargo ", "cc ", "lodger ", "mdbook ", "node ", "python3 ", "rustup "];

/// A page, from the folder of the workspace.
pub(super) struct Page {
    pub(super) name: String,
    pub(super) text: String,
}

/// Those beside the guide's.
const READMES: [&str; 5] = [
    "README.md",
    "bindings/bevy/README.md",
    "bindings/c/README.md",
    "bindings/web/README.md",
    "firmware/README.md",
];

/// The guide and READMEs.
pub(super) fn pages() -> Vec<Page> {
    let mut paths: Vec<PathBuf> = READMES.map(PathBuf::from).into();
    for entry in fs::read_dir(root().join("docs")).expect("a guide").flatten() {
        if entry.path().extension().is_some_and(|extension| extension == "md") {
            paths.push(Path::new("docs").join(entry.file_name()));
        }
    }
    paths.sort();
    let page = |path: &PathBuf| Page {
        name: path.display().to_string(),
        text: fs::read_to_string(root().join(path)).expect("readable"),
    };
    paths.iter().map(page).collect()
}

/// What is wrong with a page.
pub(super) fn faults(page: &Page) -> Vec<String> {
    let mut found = Vec::new();
    let mut fence = None;
    for event in Parser::new_ext(&page.text, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::CodeBlock(kind)) => fence = Some(kind),
            Event::End(TagEnd::CodeBlock) => fence = None,
            Event::Text(text) => {
                if let Some(kind) = &fence {
                    found.extend(wrong_block(kind, &text));
                    found.extend(includes(&text).filter_map(|path| lost(page, path)));
                }
            }
            Event::Start(Tag::Link { dest_url: to, .. } | Tag::Image { dest_url: to, .. }) => {
                found.extend(lost_link(page, &to));
            }
            _ => {}
        }
    }
    found.into_iter().map(|fault| format!("{}: {fault}", page.name)).collect()
}

/// That a block is neither a program nor a console, or a console without a command.
fn wrong_block(kind: &CodeBlockKind<'_>, text: &str) -> Option<String> {
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

/// The files that mdBook puts in, with their anchors.
fn includes(text: &str) -> impl Iterator<Item = &str> {
    let parts = text.split("{{#").skip(1);
    parts.map(|part| part.split("}}").next().unwrap_or(part))
}

/// That an include is of something that is not there.
fn lost(page: &Page, include: &str) -> Option<String> {
    let Some(named) = include.strip_prefix("include ") else {
        return Some(format!("mdBook is asked for {include:?}, and only includes are looked at"));
    };
    let (path, anchor) = named.split_once(':').unwrap_or((named, ""));
    let Ok(text) = fs::read_to_string(folder(page).join(path)) else {
        return Some(format!("includes {path}, which is not there"));
    };
    let begins = |line: &str| line.trim_end().ends_with(&format!("ANCHOR: {anchor}"));
    (!anchor.is_empty() && !text.lines().any(begins))
        .then(|| format!("includes {anchor} of {path}, which has no such anchor"))
}

/// That a link leads nowhere. Those of the guide stay in its folder, which is all that mdBook builds.
fn lost_link(page: &Page, to: &str) -> Option<String> {
    let path = to.split('#').next().unwrap_or(to);
    if path.is_empty() || to.contains("://") {
        return None;
    }
    let is_guide = page.name.starts_with("docs/");
    let fault = match folder(page).join(path).canonicalize() {
        Err(_) => "which is not there",
        Ok(found) if is_guide && !found.starts_with(root().join("docs")) => {
            "which is not in the guide: name the file instead"
        }
        Ok(_) => return None,
    };
    Some(format!("links to {to}, {fault}"))
}

fn folder(page: &Page) -> PathBuf {
    root().join(&page.name).parent().expect("a folder").to_owned()
}
