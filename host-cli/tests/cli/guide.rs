//! Runs the commands of README and guide in their order, and compares their output with the shown
//! one.
//!
//! - A block with the info string `console` is run in a folder of the page. Lines that begin with
//!   `$ ` are given to sh, with `lodger` and `cargo run --release --` as the program under test. Each
//!   command must exit with 0; a page shows another exit code by `; echo $?`.
//! - Shown output must equal the real output; a line `…` matches any number of lines.
//! - A block `toml NAME` is written to a file of that name first. Files to try are in `docs/files`.
//!   Files that a page writes to `docs/` or below must equal the committed ones.
//! - `console build` blocks build or install something or take long, `console hardware` needs a
//!   board. An architecture test (`tests/tests/architecture`) rejects any other info string.
//!
//! `LODGER_BLESS=1 cargo test -p lodger-cli --test cli guide` renews the files of commands in
//! `docs/`; tables are copied from the output of the failing test.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};

use crate::run::{TestFolder, lodger};

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
fn pages_show_the_real_output() {
    let pages = pages();
    let failures: String = thread::scope(|scope| {
        let checked: Vec<_> = pages.iter().map(|page| scope.spawn(|| check(page))).collect();
        checked.into_iter().map(|page| page.join().expect("no panic")).collect()
    });
    assert!(failures.is_empty(), "{failures}");
}

fn check(page: &Path) -> String {
    let name = page.strip_prefix(root()).expect("a page of lodger").display().to_string();
    let text = fs::read_to_string(page).expect("readable");
    let sandbox = PageSandbox::new(root());
    let mut failures = String::new();
    for block in blocks(&text) {
        let words: Vec<_> = block.info.split_whitespace().collect();
        match words[..] {
            ["toml", file] => sandbox.write(file, &block.text),
            ["console"] => run(&name, &block, &sandbox, &mut failures),
            _ => {}
        }
    }
    for difference in sandbox.compare(root()) {
        let _ = writeln!(failures, "{name}: {difference}");
    }
    failures
}

fn run(page: &str, block: &Block, sandbox: &PageSandbox, failures: &mut String) {
    for ConsoleCommand { line, command, shown } in commands(block) {
        let place = format!("{page}:{line}: $ {command}");
        let (status, said) = sandbox.run(&command);
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

/// Wrong output and failing commands are detected.
#[test]
fn a_page_that_is_wrong_is_found() {
    let sandbox = PageSandbox::new(root());
    let failures_of = |text: &str| {
        let mut failures = String::new();
        for block in blocks(&format!("```console\n{text}\n```\n")) {
            run("page", &block, &sandbox, &mut failures);
        }
        failures
    };
    assert_eq!(
        failures_of("$ lodger linkset docs/files/house.toml\nLinkable by the sphere rule: [..]\n…"),
        ""
    );
    assert_eq!(
        failures_of(
            "$ cargo run --release -- linkset docs/files/house.toml > answer.txt\n$ cat answer.txt"
        ),
        ""
    );
    assert!(failures_of("$ lodger linkset docs/files/house.toml\nNot linkable").contains("page:2"));
    assert!(failures_of("$ lodger linkset gone.toml").contains("ended with Some(2)"));
    assert_eq!(failures_of("$ lodger linkset gone.toml; echo $?\n…\n2"), "");
}

#[derive(Clone, Debug)]
struct Block {
    /// The line of its fence, from 1.
    line: usize,
    info: String,
    text: String,
}

fn blocks(page: &str) -> Vec<Block> {
    let mut found = Vec::new();
    let mut open: Option<Block> = None;
    for (event, span) in Parser::new(page).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
                let line = page[..span.start].lines().count() + 1;
                open = Some(Block { line, info: info.to_string(), text: String::new() });
            }
            Event::Text(text) => open.iter_mut().for_each(|block| block.text += &text),
            Event::End(TagEnd::CodeBlock) => found.extend(open.take()),
            _ => {}
        }
    }
    found
}

#[derive(Clone, Debug)]
struct ConsoleCommand {
    /// Its line in the page, from 1.
    line: usize,
    command: String,
    /// The shown output, if any.
    shown: Option<String>,
}

/// The commands of a block. A line that ends with `\` continues on the next.
fn commands(block: &Block) -> Vec<ConsoleCommand> {
    let mut commands: Vec<ConsoleCommand> = Vec::new();
    let mut goes_on = false;
    for (line, text) in (block.line + 1..).zip(block.text.lines()) {
        if let Some(command) = text.strip_prefix("$ ") {
            commands.push(ConsoleCommand { line, command: command.to_owned(), shown: None });
        } else {
            let last = commands
                .last_mut()
                .unwrap_or_else(|| panic!("line {line}: a block begins with `$ `"));
            if goes_on {
                let _ = write!(last.command, "\n{text}");
            } else {
                let text = if text == "…" { "..." } else { text };
                let _ = writeln!(last.shown.get_or_insert_default(), "{text}");
            }
        }
        goes_on = commands.last().is_some_and(|it| it.shown.is_none()) && text.ends_with('\\');
    }
    commands
}

const PRELUDE: &str = "exec 2>&1\n\
    lodger() { \"$LODGER\" \"$@\"; }\n\
    cargo() {\n\
      test \"$1 $2 $3\" = 'run --release --' || { echo \"cargo $*: is no command to be run here\"; return 127; }\n\
      shift 3\n\
      lodger \"$@\"\n\
    }\n";

const FILES: &str = "docs/files";

struct PageSandbox(TestFolder);

impl PageSandbox {
    fn new(root: &Path) -> Self {
        let folder = lodger();
        fs::create_dir_all(folder.path(FILES)).expect("a folder");
        for file in fs::read_dir(root.join(FILES)).expect("files to try").flatten() {
            let copy = folder.path(FILES).join(file.file_name());
            fs::copy(file.path(), copy).expect("a copy");
        }
        Self(folder)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.0.path(name), text).expect("a file");
    }

    fn run(&self, command: &str) -> (Option<i32>, String) {
        let mut sh = Command::new("sh");
        // The folder's command has the environment for a test.
        let lodger = self.0.command(&[]);
        sh.arg("-c").arg(format!("{PRELUDE}{command}"));
        sh.current_dir(self.0.path(".")).stdin(Stdio::null());
        sh.env("LODGER", lodger.get_program()).env_remove("CLICOLOR_FORCE");
        let output = sh.output().expect("there is a sh");
        (output.status.code(), String::from_utf8(output.stdout).expect("UTF-8"))
    }

    /// Compares the files that a page wrote to `docs/` or below with the committed ones. With
    /// `LODGER_BLESS` the committed files are replaced.
    fn compare(&self, root: &Path) -> Vec<String> {
        let written = ["docs", FILES].map(|folder| {
            let entries = fs::read_dir(self.0.path(folder)).expect("a folder").flatten();
            let names =
                entries.filter(|entry| entry.path().is_file()).map(|entry| entry.file_name());
            names.map(|name| Path::new(folder).join(name)).collect::<Vec<_>>()
        });
        let mut differences = Vec::new();
        for file in written.concat() {
            let now = fs::read(self.0.path(".").join(&file)).expect("readable");
            let kept = root.join(&file);
            if fs::read(&kept).ok().is_some_and(|kept| kept == now) {
                continue;
            }
            if std::env::var_os("LODGER_BLESS").is_some() {
                fs::write(&kept, &now).expect("writable");
            } else {
                differences.push(format!("{} is not what the page writes", kept.display()));
            }
        }
        differences
    }
}
