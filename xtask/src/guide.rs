//! `cargo xtask guide`: the guide as a book, and whether all of it leads somewhere.
//!
//! mdBook takes a missing include for a warning and looks at no link, so what it built is looked at here. The
//! pages themselves are looked at by the tests of the house, which need no mdBook.

use std::fs;
use std::path::{Path, PathBuf};

use crate::boards;
use crate::failure::Failure;
use crate::steps::Steps;
use crate::tools;

/// What mdBook leaves of an include that it cannot find.
const UNRESOLVED: &str = "{{#";

/// Builds the book into the folder `guide` of the target folder, and checks what was built.
pub(crate) fn run(steps: &mut Steps) -> Result<(), Failure> {
    tools::mdbook(steps)?;
    let book = boards::target_folder(steps)?.join("guide");
    let build = crate::command::Command::new("mdbook")
        .args("build docs --dest-dir")
        .arg(book.display().to_string());
    steps.run("guide", &build)?;
    let pages = steps.work("links of the guide", || check(&book))?;
    println!("{pages} pages: {}", book.join("index.html").display());
    Ok(())
}

/// How many pages there are, unless one of them leads nowhere.
fn check(book: &Path) -> Result<usize, Failure> {
    let pages = html(book)?;
    let mut faults = Vec::new();
    for page in &pages {
        let text = fs::read_to_string(page).map_err(|error| unread(page, &error))?;
        faults.extend(
            faults_of(&text, |to| page.with_file_name(to).exists())
                .map(|fault| format!("{}: {fault}", page.display())),
        );
    }
    if faults.is_empty() { Ok(pages.len()) } else { Err(Failure::Unfit(faults.join("\n"))) }
}

/// The pages of a book, but the one for a path that is not there, which knows no folder.
fn html(book: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries = fs::read_dir(book).map_err(|error| unread(book, &error))?;
    let paths = entries.flatten().map(|entry| entry.path());
    let is_page = |path: &PathBuf| {
        path.extension().is_some_and(|extension| extension == "html") && !path.ends_with("404.html")
    };
    Ok(paths.filter(is_page).collect())
}

fn unread(path: &Path, error: &std::io::Error) -> Failure {
    Failure::Unfit(format!("cannot read {}: {error}", path.display()))
}

/// What is wrong with a page: an include that was not found, or a link to what is not there.
fn faults_of(page: &str, is_there: impl Fn(&str) -> bool) -> impl Iterator<Item = String> {
    let unresolved = page.lines().filter(|line| line.contains(UNRESOLVED));
    let unresolved = unresolved.map(|line| format!("was not included: {}", line.trim()));
    let targets = ["href=\"", "src=\""].into_iter().flat_map(|attribute| {
        page.split(attribute).skip(1).filter_map(|rest| rest.split('"').next())
    });
    let paths = targets.map(|to| to.split(['#', '?']).next().unwrap_or(to));
    let local = paths.filter(|to| !to.is_empty() && !to.contains(':'));
    let lost = local
        .filter(move |to| !is_there(to))
        .map(|to| format!("leads to {to}, which is not there"));
    unresolved.chain(lost).collect::<Vec<_>>().into_iter()
}

#[cfg(test)]
mod tests {
    use super::faults_of;

    #[test]
    fn what_leads_nowhere_is_told() {
        let faults = |page: &str| faults_of(page, |to| to == "a.html").collect::<Vec<_>>();
        assert_eq!(
            faults(
                "<a href=\"a.html#b\">a</a> <a href=\"https://example.org\">b</a> <a href=\"#c\">"
            ),
            [""; 0]
        );
        assert_eq!(faults("<img src=\"b.svg\">"), ["leads to b.svg, which is not there"]);
        assert_eq!(faults(" {{#include a.rs}}"), ["was not included: {{#include a.rs}}"]);
    }
}
