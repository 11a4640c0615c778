//! What a block of a console shows: commands, and what they say.

use std::fmt::Write as _;

use super::page::Block;

/// A command of a page.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// Its line in the page, from 1.
    pub(super) line: usize,
    pub(super) command: String,
    /// What it says, if that is shown.
    pub(super) shown: Option<String>,
}

/// The commands of a block. A line that ends with `\` goes on in the next.
pub(super) fn steps(block: &Block) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut goes_on = false;
    for (line, text) in (block.line + 1..).zip(block.text.lines()) {
        if let Some(command) = text.strip_prefix("$ ") {
            steps.push(Step { line, command: command.to_owned(), shown: None });
        } else {
            let step =
                steps.last_mut().unwrap_or_else(|| panic!("line {line}: a block begins with `$ `"));
            if goes_on {
                let _ = write!(step.command, "\n{text}");
            } else {
                let text = if text == "…" { "..." } else { text };
                let _ = writeln!(step.shown.get_or_insert_default(), "{text}");
            }
        }
        goes_on = steps.last().is_some_and(|step| step.shown.is_none()) && text.ends_with('\\');
    }
    steps
}
