//! A renderer of `firmware/template`, for the part of Liquid and of cargo-generate that it uses: `{{name}}`, conditions, and
//! files that a condition ignores.

use std::fs;
use std::path::{Path, PathBuf};

use toml::Table;

/// The values that `cargo generate` takes as `--define`, and the name of the project.
#[derive(Debug, Clone, Copy)]
pub struct TemplateValues<'a> {
    pub project_name: &'a str,
    pub lodger: &'a str,
    pub board: &'a str,
}

impl TemplateValues<'_> {
    fn get(&self, name: &str) -> &str {
        match name {
            "project-name" => self.project_name,
            "lodger" => self.lodger,
            "board" => self.board,
            _ => panic!("the template has no value {name}"),
        }
    }

    /// Evaluates comparisons that are joined by `or`, as Liquid writes it, or by `||`, as cargo-generate does.
    fn holds(&self, condition: &str) -> bool {
        condition.replace("||", " or ").split(" or ").any(|comparison| {
            let words: Vec<_> = comparison.split_whitespace().collect();
            let [name, operator, literal] = words[..] else { panic!("condition {comparison}") };
            let (value, literal) = (self.get(name), literal.trim_matches('"'));
            match operator {
                "==" => value == literal,
                "contains" => value.contains(literal),
                _ => panic!("operator {operator}"),
            }
        })
    }
}

fn settings(template: &Path) -> Table {
    let text = fs::read_to_string(template.join("cargo-generate.toml")).expect("the template");
    toml::from_str(&text).expect("valid TOML")
}

/// The boards that the template offers.
pub fn boards(template: &Path) -> Vec<String> {
    let settings = settings(template);
    let choices = settings["placeholders"]["board"]["choices"].as_array().expect("choices");
    choices.iter().map(|choice| choice.as_str().expect("a name").to_owned()).collect()
}

/// Renders the template into a folder that does not exist.
pub fn render(template: &Path, values: &TemplateValues<'_>, into: &Path) {
    let settings = settings(template);
    let mut ignored: Vec<_> = vec!["cargo-generate.toml".to_owned()];
    for (condition, then) in settings["conditional"].as_table().into_iter().flatten() {
        if values.holds(condition) {
            let names = then["ignore"].as_array().expect("names of files");
            ignored.extend(names.iter().filter_map(|name| name.as_str().map(str::to_owned)));
        }
    }
    for path in files(template) {
        let name = path.strip_prefix(template).expect("below it").with_extension("");
        let is_liquid = path.extension().is_some_and(|extension| extension == "liquid");
        let name = if is_liquid { &name } else { path.strip_prefix(template).expect("below it") };
        if ignored.iter().any(|ignored| name == Path::new(ignored)) {
            continue;
        }
        let text = fs::read_to_string(&path).expect("a text");
        let to = into.join(name);
        fs::create_dir_all(to.parent().expect("a folder")).expect("a new folder");
        fs::write(to, liquid(&text, values)).expect("a new file");
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry"));
    let nested = entries.map(|entry| match entry.path() {
        path if path.is_dir() => files(&path),
        path => vec![path],
    });
    nested.flatten().collect()
}

/// A condition and its branches.
struct Branches {
    /// Whether the current branch is taken.
    is_taken: bool,
    /// Whether this branch or an earlier one is taken.
    was_taken: bool,
}

/// Renders a text of Liquid. A tag with `-` removes the white space on that side.
fn liquid(text: &str, values: &TemplateValues<'_>) -> String {
    let mut rendered = String::new();
    let mut open: Vec<Branches> = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find("{%").into_iter().chain(rest.find("{{")).min() {
        let (before, tag) = rest.split_at(start);
        let end = tag.find(if tag.starts_with("{%") { "%}" } else { "}}" }).expect("its end");
        let (inner, after) = (&tag[2..end], &tag[end + 2..]);
        let is_shown = open.iter().all(|branches| branches.is_taken);
        if is_shown {
            let is_trimmed = inner.starts_with('-');
            rendered += if is_trimmed { before.trim_end() } else { before };
        }
        rest = if inner.ends_with('-') { after.trim_start() } else { after };
        let inner = inner.trim_matches('-').trim();
        if tag.starts_with("{{") {
            rendered += if is_shown { values.get(inner) } else { "" };
            continue;
        }
        match inner.split_once(' ').unwrap_or((inner, "")) {
            ("if", condition) => {
                let holds = values.holds(condition);
                open.push(Branches { is_taken: holds, was_taken: holds });
            }
            ("elsif", condition) => {
                let branches = open.last_mut().expect("an if");
                branches.is_taken = !branches.was_taken && values.holds(condition);
                branches.was_taken |= branches.is_taken;
            }
            ("else", _) => {
                let branches = open.last_mut().expect("an if");
                branches.is_taken = !branches.was_taken;
            }
            ("endif", _) => drop(open.pop().expect("an if")),
            (tag, _) => panic!("the template has a tag {tag}"),
        }
    }
    assert!(open.is_empty(), "an if has no end");
    rendered + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_choose_and_trim() {
        let values = TemplateValues { project_name: "loop", lodger: "/a", board: "pico-2" };
        let text = "a\n{%- if board == \"x\" or lodger contains \"://\" %}\nx\n{%- elsif board == \"pico-2\" %}\n\
                    {{board}}{% if board == \"y\" %}y{% else %}z{% endif %}\n{%- else %}\nelse\n{%- endif %}\nb {{project-name}}\n";
        assert_eq!(liquid(text, &values), "a\npico-2z\nb loop\n");
    }
}
