//! Checks licences and sources of dependencies against deny.toml without cargo-deny, which takes minutes to install.
//!
//! `cargo tree` resolves all features for all targets and prints licences. `cargo xtask ci deep` also runs
//! cargo-deny.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use crate::error::TaskError;
use crate::steps::Steps;
use crate::tools::{self, GRID_MANIFEST};

const CRATES_IO: &str = "registry+https://github.com/rust-lang/crates.io-index";

#[derive(Deserialize)]
struct LicencePolicy {
    licenses: Licenses,
}

#[derive(Deserialize)]
struct Licenses {
    allow: BTreeSet<String>,
    exceptions: Vec<Exception>,
}

/// Licences that only one package may have.
#[derive(Deserialize)]
struct Exception {
    #[serde(rename = "crate")]
    package: String,
    allow: BTreeSet<String>,
}

pub(crate) fn check(steps: &mut Steps) -> Result<(), TaskError> {
    let file = steps.root().join("deny.toml");
    let policy: LicencePolicy =
        toml::from_str(&read(&file)?).map_err(|error| TaskError::file(&file, &error))?;
    for (folder, manifest) in [(".", ""), ("secondlife/query", GRID_MANIFEST)] {
        let tree =
            "tree --workspace --all-features --target all --locked --prefix none --format {p}|{l}";
        let tree = steps.cargo(tree).args(manifest);
        let metadata = steps.metadata(&format!("--no-deps {manifest}"))?;
        let lock = steps.root().join(folder).join("Cargo.lock");
        let root = steps.root().to_owned();
        steps.work(&format!("licences of {folder}"), || {
            eprintln!("{tree}");
            let failed = || TaskError::Invalid(format!("`{tree}` fails"));
            let mut faults = policy.faults(&tree.output(&root).ok_or_else(failed)?);
            faults.extend(foreign_sources(&read(&lock)?));
            faults.extend(unstated_versions(&metadata)?);
            if faults.is_empty() { Ok(()) } else { Err(TaskError::Invalid(faults.join("\n"))) }
        })?;
    }
    Ok(())
}

/// Runs cargo-deny without advisories, which the hosted workflow checks.
pub(crate) fn cargo_deny(steps: &mut Steps) -> Result<(), TaskError> {
    tools::cargo_deny(steps)?;
    for (name, manifest) in [("cargo deny", ""), ("grid: cargo deny", GRID_MANIFEST)] {
        let deny = steps.cargo("deny").args(manifest);
        steps.run(name, &deny.args("--workspace --locked check licenses bans sources"))?;
    }
    Ok(())
}

impl LicencePolicy {
    /// Packages with a rejected licence.
    fn faults(&self, tree: &str) -> Vec<String> {
        // A package that stood above already is marked.
        let lines = tree.lines().map(|line| line.trim_end_matches(" (*)"));
        let packages: BTreeSet<&str> = lines.filter(|line| !line.is_empty()).collect();
        let refused = packages.into_iter().filter(|line| {
            let (package, licence) = line.split_once('|').unwrap_or((line, ""));
            !self.allows(package.split(' ').next().unwrap_or_default(), licence)
        });
        refused.map(|line| format!("deny.toml does not allow the licence of {line}")).collect()
    }

    /// Whether a package may have a licence, an SPDX expression (`/` is the old form of `OR`).
    fn allows(&self, package: &str, licence: &str) -> bool {
        let exceptions = self.licenses.exceptions.iter().filter(|it| it.package == package);
        let allowed: Vec<&BTreeSet<String>> =
            exceptions.map(|it| &it.allow).chain([&self.licenses.allow]).collect();
        let spaced = licence.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
        let mut words = spaced.split_whitespace().peekable();
        let is_allowed =
            any_of(&mut words, &|licence| allowed.iter().any(|set| set.contains(licence)));
        is_allowed == Some(true) && words.peek().is_none()
    }
}

type LicenceWords<'l> = std::iter::Peekable<std::str::SplitWhitespace<'l>>;

/// Parses an expression; `AND` binds stronger than `OR`; `None` if malformed.
fn any_of(words: &mut LicenceWords<'_>, is_allowed: &dyn Fn(&str) -> bool) -> Option<bool> {
    let mut any = all_of(words, is_allowed)?;
    while words.next_if_eq(&"OR").is_some() {
        any |= all_of(words, is_allowed)?;
    }
    Some(any)
}

fn all_of(words: &mut LicenceWords<'_>, is_allowed: &dyn Fn(&str) -> bool) -> Option<bool> {
    let mut all = one(words, is_allowed)?;
    while words.next_if_eq(&"AND").is_some() {
        all &= one(words, is_allowed)?;
    }
    Some(all)
}

/// Parses a licence, optionally `WITH` an exception, or parentheses.
fn one(words: &mut LicenceWords<'_>, is_allowed: &dyn Fn(&str) -> bool) -> Option<bool> {
    let word = words.next().filter(|word| !["AND", "OR", "WITH", ")"].contains(word))?;
    if word == "(" {
        let inner = any_of(words, is_allowed)?;
        return words.next_if_eq(&")").map(|_| inner);
    }
    if words.next_if_eq(&"WITH").is_none() {
        return Some(is_allowed(word));
    }
    Some(is_allowed(&format!("{word} WITH {}", words.next()?)))
}

fn foreign_sources(lock: &str) -> impl Iterator<Item = String> {
    let sources = lock.lines().filter_map(|line| line.strip_prefix("source = "));
    let foreign = sources.filter(|source| source.trim_matches('"') != CRATES_IO);
    foreign.map(|source| format!("deny.toml does not allow the source {source}"))
}

/// Dependencies without a version, except the workspace's packages.
fn unstated_versions(metadata: &Value) -> Result<Vec<String>, TaskError> {
    let packages =
        metadata["packages"].as_array().ok_or(TaskError::Metadata("it has no packages"))?;
    let faults = packages.iter().flat_map(|package| {
        let dependencies = package["dependencies"].as_array().into_iter().flatten();
        let unstated = dependencies.filter(|it| it["req"] == "*" && it["path"].is_null());
        unstated.map(|it| format!("{} states no version of {}", package["name"], it["name"]))
    });
    Ok(faults.collect())
}

fn read(path: &Path) -> Result<String, TaskError> {
    fs::read_to_string(path).map_err(|error| TaskError::file(path, &error))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{LicencePolicy, foreign_sources, unstated_versions};

    fn policy() -> LicencePolicy {
        let text = "[licenses]\nallow = [\"MIT\", \"Apache-2.0\", \"Unicode-3.0\"]\n\
                    exceptions = [{ allow = [\"Apache-2.0 WITH LLVM-exception\"], crate = \"ar\" }]";
        toml::from_str(text).unwrap()
    }

    #[test]
    fn a_licence_is_allowed_if_its_expression_is() {
        for licence in [
            "MIT",
            "MIT OR GPL-3.0-only",
            "GPL-3.0-only/MIT",
            "(MIT OR GPL-3.0-only) AND Unicode-3.0",
            "GPL-3.0-only OR MIT AND Apache-2.0",
            "Apache-2.0 WITH LLVM-exception OR MIT",
        ] {
            assert!(policy().allows("any", licence), "{licence}");
        }
        for licence in [
            "",
            "GPL-3.0-only",
            "MIT AND GPL-3.0-only",
            "(MIT OR Apache-2.0) AND GPL-3.0-only",
            "Apache-2.0 WITH LLVM-exception",
            "MIT OR",
            "MIT Apache-2.0",
            "(MIT",
            "MIT)",
            "AND",
        ] {
            assert!(!policy().allows("any", licence), "{licence}");
        }
    }

    #[test]
    fn an_exception_is_for_its_package_alone() {
        assert!(policy().allows("ar", "Apache-2.0 WITH LLVM-exception"));
        let tree = "ar v1.0.0|Apache-2.0 WITH LLVM-exception\n\nb v2.0.0|MIT (*)\nc v1.0.0 (proc-macro)|WTFPL (*)\nd v1.0.0|\n";
        let faults = policy().faults(tree);
        assert_eq!(faults.len(), 2, "{faults:?}");
        assert!(
            faults[0].contains("c v1.0.0 (proc-macro)|WTFPL") && faults[1].contains("d v1.0.0")
        );
    }

    #[test]
    fn other_sources_and_unstated_versions_are_found() {
        let lock = "source = \"registry+https://github.com/rust-lang/crates.io-index\"\n\
                    source = \"git+https://example.org/a#1\"\n";
        let foreign: Vec<_> = foreign_sources(lock).collect();
        assert!(matches!(&foreign[..], [one] if one.contains("git+https://example.org/a")));
        let metadata = json!({ "packages": [{ "name": "p", "dependencies": [
            { "name": "a", "req": "*", "path": "/a" }, { "name": "b", "req": "*" }, { "name": "c", "req": "^1" }
        ] }] });
        assert_eq!(unstated_versions(&metadata).unwrap(), ["\"p\" states no version of \"b\""]);
        assert!(unstated_versions(&json!({})).is_err());
    }
}
