//! The commands of README and guide, run in the order in which they stand, with their output.
//!
//! A block is run if it is fenced as `console`. Its lines that begin with `$ ` are given to sh, where `lodger`
//! and `cargo run --release --` are the program under test, in a folder that the page has for itself. Each must
//! end with 0; a page that is about another code shows it by `; echo $?`. Where output stands below a command
//! it must be that, but for `…`: in a line of its own it is any number of lines. A block fenced as `toml` and a
//! name is written to a file of that name first. The files to try are in `docs/files`. What is written to `docs/`
//! and to that folder must be what is there.
//!
//! Blocks that are not run say why: `console build` builds or installs something or takes long, `console
//! hardware` needs a board. That there is no third kind is a test of the house (`tests/tests/house`).
//!
//! To make pictures and tables anew: `LODGER_BLESS=1 cargo test -p lodger-cli --test cli guide` writes what
//! commands put into `docs/`; tables are copied from what the failing test prints.

mod console;
mod page;
mod stage;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

use console::{Step, steps};
use page::{Block, blocks};
use stage::Stage;

/// The pages beside those of the guide.
const OTHERS: [&str; 5] = [
    "README.md",
    "bindings/bevy/README.md",
    "bindings/c/README.md",
    "bindings/web/README.md",
    "firmware/README.md",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("host-cli/ is in the workspace")
}

/// What is made of these and run.
fn pages() -> Vec<PathBuf> {
    let guide = fs::read_dir(root().join("docs")).expect("a guide").flatten();
    let guide = guide.map(|entry| entry.path());
    let mut pages: Vec<_> =
        guide.filter(|path| path.extension().is_some_and(|it| it == "md")).collect();
    pages.extend(OTHERS.map(|page| root().join(page)));
    pages.sort();
    pages
}

#[test]
fn what_the_pages_show_is_what_the_program_says() {
    let pages = pages();
    let failures: String = thread::scope(|scope| {
        let checked: Vec<_> = pages.iter().map(|page| scope.spawn(|| check(page))).collect();
        checked.into_iter().map(|page| page.join().expect("no panic")).collect()
    });
    assert!(failures.is_empty(), "{failures}");
}

/// What is wrong with a page.
fn check(page: &Path) -> String {
    let name = page.strip_prefix(root()).expect("a page of lodger").display().to_string();
    let text = fs::read_to_string(page).expect("readable");
    let stage = Stage::new(root());
    let mut failures = String::new();
    for block in blocks(&text) {
        let words: Vec<_> = block.info.split_whitespace().collect();
        match words[..] {
            ["toml", file] => stage.write(file, &block.text),
            ["console"] => run(&name, &block, &stage, &mut failures),
            _ => {}
        }
    }
    for difference in stage.compare(root()) {
        let _ = writeln!(failures, "{name}: {difference}");
    }
    failures
}

fn run(page: &str, block: &Block, stage: &Stage, failures: &mut String) {
    for Step { line, command, shown } in steps(block) {
        let place = format!("{page}:{line}: $ {command}");
        let (status, said) = stage.run(&command);
        if status != Some(0) {
            let _ = writeln!(failures, "{place}\nended with {status:?}:\n{said}");
        } else if let Some(shown) = shown {
            let assert = snapbox::Assert::new();
            if let Err(error) = assert.try_eq(Some(&place), said.into(), shown.into()) {
                let _ = writeln!(failures, "{error}");
            }
        }
    }
}

/// A page that shows what no program says is found, and so is a command that fails.
#[test]
fn a_page_that_is_wrong_is_found() {
    let stage = Stage::new(root());
    let told = |text: &str| {
        let mut failures = String::new();
        for block in blocks(&format!("```console\n{text}\n```\n")) {
            run("page", &block, &stage, &mut failures);
        }
        failures
    };
    assert_eq!(
        told("$ lodger linkset docs/files/house.toml\nLinkable by the sphere rule: [..]\n…"),
        ""
    );
    assert_eq!(
        told(
            "$ cargo run --release -- linkset docs/files/house.toml > answer.txt\n$ cat answer.txt"
        ),
        ""
    );
    assert!(told("$ lodger linkset docs/files/house.toml\nNot linkable").contains("page:2"));
    assert!(told("$ lodger linkset gone.toml").contains("ended with Some(2)"));
    assert_eq!(told("$ lodger linkset gone.toml; echo $?\n…\n2"), "");
}
