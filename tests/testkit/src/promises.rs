//! The promises of every run of a program for any input: bounded time and memory, no panic, a message for every failure, complete
//! outputs, no other changed file, and no control character of a file on the terminal.

use std::fmt;

use serde::de::IgnoredAny;

use crate::build::damage::FORGED;
use crate::case::{Form, Sink};
use crate::output::{RunEnd, RunOutput};

/// A broken promise, and the observation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvariantViolation {
    pub promise: &'static str,
    pub observed: String,
}

impl InvariantViolation {
    pub(crate) const fn new(promise: &'static str, observed: String) -> Self {
        Self { promise, observed }
    }
}

pub(crate) const TIME: &str = "too long";
pub(crate) const ROW_LOST: &str = "row lost";
const EXIT_CODE: &str = "wrong exit code";
const RAW_CONTROL: &str = "raw control character";
const STRAY_FILE: &str = "stray file";
const MAX_INDENT: usize = 8;
const PANICS: [&str; 4] =
    ["panicked at", "memory allocation of", "internal error", "RUST_BACKTRACE"];
/// Exit code of the wrapper around a run that left a file on its full disk.
pub(crate) const LEFT_ON_DISK: i32 = 121;

#[track_caller]
pub fn assert_promises(output: &RunOutput) {
    let broken = check_invariants(output);
    assert!(
        broken.is_empty(),
        "{:?}: {}\nended: {:?}\n{}{}",
        output.case.args,
        broken.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "),
        output.end,
        output.stdout.chars().take(4000).collect::<String>(),
        output.stderr.chars().take(4000).collect::<String>(),
    );
}

pub fn check_invariants(output: &RunOutput) -> Vec<InvariantViolation> {
    let (case, limits) = (&output.case, &output.limits);
    let mut found = Vec::new();
    let mut add = |promise, observed| found.push(InvariantViolation::new(promise, observed));
    match output.end {
        RunEnd::OutOfTime => add(TIME, format!("more than {} s", limits.seconds)),
        RunEnd::OutOfMemory => {
            let (allowed, seconds) = (limits.memory >> 20, output.seconds);
            add("too much memory", format!("more than {allowed} MiB after {seconds:.1} s"));
        }
        RunEnd::Signal(signal) if case.signal.is_none_or(|(name, _)| number(name) != signal) => {
            add("ended by a signal", format!("ended by signal {signal}"));
        }
        RunEnd::Signal(_) => {}
        RunEnd::Code(code) => {
            let is_promised = matches!(code, 0..=2) || code == 130 && case.signal.is_some();
            match case.codes {
                _ if code == LEFT_ON_DISK => add(STRAY_FILE, "on the full disk".to_owned()),
                Some(codes) if !codes.contains(&code) => {
                    add(EXIT_CODE, format!("exit code {code}, where {codes:?} is right"));
                }
                None if !is_promised => add(EXIT_CODE, format!("exit code {code}")),
                _ => {}
            }
            if code == 2 && output.stderr.is_empty() && case.stderr == Sink::Pipe {
                add("no message of the error", "exit code 2 with nothing on stderr".to_owned());
            }
        }
    }
    if let Some(message) = PANICS.iter().find(|message| output.stderr.contains(**message)) {
        add("panic", format!("`{message}` on stderr"));
    }
    if !output.is_utf8 && !matches!(case.stdout, Sink::Leaving(_)) {
        add("no UTF-8", "an output is not UTF-8".to_owned());
    }
    found.extend(unsafe_to_show(&output.stderr, "stderr"));
    let form = case.form();
    let is_whole = matches!(output.end, RunEnd::Code(0 | 1)) && case.stdout == Sink::Pipe;
    if form == Form::Table {
        found.extend(unsafe_to_show(&output.stdout, "stdout"));
    } else if is_whole && !output.stdout.is_empty() {
        found.extend(malformed(form, output.stdout.as_bytes(), "stdout"));
    }
    if form == Form::Csv
        && let Some(control) = output.stdout.chars().find(|&c| c != '\n' && c.is_control())
    {
        let observed = format!("stdout: U+{:04X}", u32::from(control));
        found.push(InvariantViolation::new(RAW_CONTROL, observed));
    }
    found.extend(left_behind(output));
    found
}

fn number(signal: &str) -> i32 {
    match signal {
        "HUP" => 1,
        "INT" => 2,
        _ => 15,
    }
}

fn left_behind(output: &RunOutput) -> Vec<InvariantViolation> {
    let changes = &output.changes;
    let was_cut_off = !matches!(output.end, RunEnd::Code(0 | 1));
    let filled = if was_cut_off { &changes.filled[..] } else { &[] };
    let lists = [
        (STRAY_FILE, &changes.strays[..]),
        (STRAY_FILE, filled),
        ("input changed", &changes.changed),
    ];
    let listed = lists.into_iter().filter(|(_, names)| !names.is_empty());
    let mut found: Vec<_> = listed
        .map(|(promise, names)| InvariantViolation::new(promise, format!("{names:?}")))
        .collect();
    for bytes in &changes.written {
        let observed = if bytes.starts_with(b"<svg") || bytes.starts_with(b"<?xml") {
            (!bytes.trim_ascii_end().ends_with(b"</svg>")).then(|| "the picture is cut".to_owned())
        } else if bytes.starts_with(b"<!DOCTYPE html") {
            (!bytes.trim_ascii_end().ends_with(b"</html>")).then(|| "the page is cut".to_owned())
        } else if bytes.is_empty() {
            Some("it is empty".to_owned())
        } else if bytes.starts_with(b"lodger log") {
            None
        } else {
            malformed(output.case.form(), bytes, "the file").map(|it| it.observed)
        };
        let violation = |observed| InvariantViolation::new("output not whole", observed);
        found.extend(observed.map(violation));
    }
    found
}

fn malformed(form: Form, bytes: &[u8], place: &str) -> Option<InvariantViolation> {
    match form {
        Form::Json => {
            let error = serde_json::from_slice::<IgnoredAny>(bytes).err()?;
            let observed = format!("{place}: {error}");
            Some(InvariantViolation::new("broken JSON", observed))
        }
        Form::Csv => malformed_csv(bytes, place),
        Form::Table | Form::Other => None,
    }
}

fn malformed_csv(bytes: &[u8], place: &str) -> Option<InvariantViolation> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(bytes);
    for record in reader.records() {
        let record = match record {
            Ok(record) => record,
            Err(error) => {
                let observed = format!("{place}: {error}");
                return Some(InvariantViolation::new("broken CSV", observed));
            }
        };
        if let Some(cell) = record.iter().find(|cell| is_formula(cell)) {
            let cell: String = cell.chars().take(40).collect();
            let observed = format!("{place}: the cell {cell:?} is a formula to a spreadsheet");
            return Some(InvariantViolation::new("formula in CSV", observed));
        }
    }
    None
}

/// Whether a cell begins like a formula, also after blanks that a spreadsheet may trim.
fn is_formula(cell: &str) -> bool {
    let text = cell.trim_start_matches([' ', '\u{a0}', '\u{200b}', '\u{feff}']);
    let begins = text.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']);
    (begins || cell.starts_with(['\t', '\r'])) && cell.parse::<f64>().is_err()
}

fn unsafe_to_show(text: &str, place: &str) -> Option<InvariantViolation> {
    if let Some(line) = text.lines().find(|line| is_forged(line)) {
        let line: String = line.chars().take(40).collect();
        let observed = format!("{place}: the line {line:?}");
        return Some(InvariantViolation::new("forged line", observed));
    }
    let unsafe_char = text.chars().find(|&c| c != '\n' && acts_on_terminal(c))?;
    let observed = format!("{place}: U+{:04X}", u32::from(unsafe_char));
    Some(InvariantViolation::new(RAW_CONTROL, observed))
}

fn is_forged(line: &str) -> bool {
    let text = line.trim_start_matches(' ');
    text.starts_with(FORGED) && line.len() - text.len() <= MAX_INDENT
}

/// Whether a terminal acts on a character: control characters, line separators and changes of direction
/// (`Bidi_Control` of Unicode).
pub fn acts_on_terminal(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        )
}

impl fmt::Display for InvariantViolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.promise, self.observed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::Case;
    use crate::output::{FolderChanges, RunLimits};

    const NONE: [&str; 0] = [];

    fn broken(args: &str, end: RunEnd, stdout: &str, stderr: &str) -> Vec<&'static str> {
        let changes = FolderChanges::default();
        broken_with(args, end, [stdout, stderr], changes)
    }

    fn broken_with(
        args: &str,
        end: RunEnd,
        [stdout, stderr]: [&str; 2],
        changes: FolderChanges,
    ) -> Vec<&'static str> {
        let output = RunOutput {
            end,
            code: None,
            stdout: stdout.to_owned(),
            stderr: stderr.to_owned(),
            is_utf8: true,
            peak: 0,
            seconds: 0.0,
            changes,
            case: Case::new(args),
            limits: RunLimits { memory: 1, seconds: 1.0 },
        };
        check_invariants(&output).into_iter().map(|violation| violation.promise).collect()
    }

    #[test]
    fn a_valid_output_breaks_nothing() {
        let json = "cost --format json";
        assert_eq!(broken(json, RunEnd::Code(0), "{\"schema\": 1}\n", ""), NONE);
        assert_eq!(broken(json, RunEnd::Code(2), "", "error: no"), NONE);
        assert_eq!(broken("cost", RunEnd::Code(1), "a  b\n1  2\n", "note: ä\n"), NONE);
        let csv = "cost --format csv";
        let formula = ["formula in CSV"];
        assert_eq!(broken(csv, RunEnd::Code(0), "a,b\n\"=\"\"x\",1\n", ""), formula);
        assert_eq!(broken(csv, RunEnd::Code(0), "a,b\n\u{a0}＝x,1\n", ""), formula);
        assert_eq!(broken(csv, RunEnd::Code(0), "a,b\n'=x,-1e5\n-inf,\n", ""), NONE);
    }

    #[test]
    fn other_ends_than_the_promised_ones_are_found() {
        let panic = ["wrong exit code", "panic"];
        assert_eq!(broken("lint", RunEnd::Code(101), "", "panicked at x"), panic);
        assert_eq!(broken("lint", RunEnd::Code(130), "", ""), ["wrong exit code"]);
        assert_eq!(broken("lint", RunEnd::Code(2), "", ""), ["no message of the error"]);
        assert_eq!(broken("lint", RunEnd::Signal(6), "", ""), ["ended by a signal"]);
        assert_eq!(broken("lint", RunEnd::OutOfTime, "", ""), [TIME]);
        assert_eq!(broken("lint", RunEnd::OutOfMemory, "", ""), ["too much memory"]);
    }

    #[test]
    fn malformed_documents_are_found() {
        let json = "lint --format json";
        assert_eq!(broken(json, RunEnd::Code(1), "{\"schema\": ", ""), ["broken JSON"]);
        assert_eq!(broken(json, RunEnd::Code(1), "{}{}", ""), ["broken JSON"]);
        assert_eq!(broken("cost --sweep 1..2", RunEnd::Code(0), "a,b\n1\n", ""), ["broken CSV"]);
    }

    #[test]
    fn unsafe_text_is_found() {
        assert_eq!(broken("cost", RunEnd::Code(0), "a\u{61c}b", ""), ["raw control character"]);
        assert_eq!(
            broken("cost", RunEnd::Code(2), "", "error: \u{1b}[31m"),
            ["raw control character"]
        );
        assert_eq!(broken("cost", RunEnd::Code(2), "", "error: a\nFORGED"), ["forged line"]);
    }

    #[test]
    fn changes_of_the_folder_are_found() {
        let left = |code, changes| {
            broken_with("pack a --output out", RunEnd::Code(code), ["", "e"], changes)
        };
        let name = || vec!["a".to_owned()];
        let filled = || FolderChanges { filled: name(), ..FolderChanges::default() };
        assert_eq!(left(0, filled()), NONE);
        assert_eq!(left(2, filled()), ["stray file"]);
        let strays = FolderChanges { strays: name(), ..FolderChanges::default() };
        assert_eq!(left(0, strays), ["stray file"]);
        let changed = FolderChanges { changed: name(), ..FolderChanges::default() };
        assert_eq!(left(0, changed), ["input changed"]);
        for cut in [&b""[..], b"<svg><g>", b"<!DOCTYPE html><p>"] {
            let written = vec![cut.to_vec()];
            let changes = FolderChanges { written, ..FolderChanges::default() };
            assert_eq!(left(0, changes), ["output not whole"]);
        }
    }
}
