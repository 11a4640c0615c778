//! What every run must hold to, whatever it is given. This is the only place that says so.

use std::fmt;

use serde::de::IgnoredAny;

use super::case::{Case, Form, Sink};
use super::hard::FORGED;
use super::limits::Limits;
use super::process::{End, LEFT_ON_DISK, Outcome, system};

/// A promise that was broken, in the order of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Broken {
    Time,
    Memory,
    Signal,
    Panic,
    Code,
    Silent,
    Json,
    Csv,
    Formula,
    Raw,
    Forged,
    Input,
    Output,
    Stray,
    Row,
    Threads,
}

/// A broken promise, with what was seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Violation {
    pub(super) broken: Broken,
    pub(super) seen: String,
}

/// The most spaces before a line of a message.
const SET_IN: usize = 8;
/// Words that only a program has to say that did not expect something.
const PANICS: [&str; 4] =
    ["panicked at", "memory allocation of", "internal error", "RUST_BACKTRACE"];

/// All that a run broke of what it must hold to by itself. What several runs must hold to together is
/// asked by [`super::compare`].
pub(super) fn check(case: &Case, limits: &Limits, outcome: &Outcome) -> Vec<Violation> {
    let mut found = Vec::new();
    let mut add = |broken, seen: String| found.push(Violation { broken, seen });
    match outcome.end {
        End::TooLong => add(Broken::Time, format!("more than {} s", limits.seconds)),
        End::TooMuch => {
            let allowed = limits.memory >> 20;
            add(Broken::Memory, format!("more than {allowed} MiB after {:.1} s", outcome.seconds));
        }
        End::Signal(signal) if !was_sent(case, signal) => {
            add(Broken::Signal, format!("ended by signal {signal}"));
        }
        End::Signal(_) => {}
        End::Code(code) => {
            if let Some(wrong) = wrong_code(case, code) {
                add(Broken::Code, wrong);
            }
            if code == 2 && outcome.stderr.is_empty() && case.stderr == Sink::Pipe {
                add(Broken::Silent, "exit code 2 with nothing on stderr".to_owned());
            }
        }
    }
    let stderr = String::from_utf8_lossy(&outcome.stderr);
    if let Some(words) = PANICS.iter().find(|words| stderr.contains(**words)) {
        add(Broken::Panic, format!("`{words}` on stderr"));
    }
    found.extend(said(case, outcome, &stderr));
    found.extend(left(case, outcome));
    found
}

fn was_sent(case: &Case, signal: i32) -> bool {
    case.signal.is_some_and(|(which, _)| system(which).as_raw() == signal)
}

fn wrong_code(case: &Case, code: i32) -> Option<String> {
    if code == LEFT_ON_DISK {
        return Some("something was left on the full disk".to_owned());
    }
    let promised = matches!(code, 0..=2) || code == 130 && case.signal.is_some();
    let right = case.codes.map_or(promised, |codes| codes.contains(&code));
    (!right).then(|| match case.codes {
        Some(codes) => format!("exit code {code}, where {codes:?} is right"),
        None => format!("exit code {code}"),
    })
}

/// What is wrong with what was said.
fn said(case: &Case, outcome: &Outcome, stderr: &str) -> Vec<Violation> {
    let mut found = Vec::new();
    found.extend(unsafe_to_show(stderr, "stderr"));
    let whole = matches!(outcome.end, End::Code(0 | 1)) && case.stdout == Sink::Pipe;
    let form = case.form();
    if form == Form::Table {
        found.extend(unsafe_to_show(&String::from_utf8_lossy(&outcome.stdout), "stdout"));
    } else if whole && !outcome.stdout.is_empty() {
        found.extend(wrong_form(form, &outcome.stdout, "stdout"));
    }
    found
}

/// What is wrong with what was left in the folder.
fn left(case: &Case, outcome: &Outcome) -> Vec<Violation> {
    let mut found = Vec::new();
    let after = &outcome.after;
    let all =
        |names: &[String]| names.iter().map(|it| format!("{it:?}")).collect::<Vec<_>>().join(", ");
    if !after.strays.is_empty() {
        found.push(Violation { broken: Broken::Stray, seen: all(&after.strays) });
    }
    if !after.filled.is_empty() && !matches!(outcome.end, End::Code(0 | 1)) {
        found.push(Violation { broken: Broken::Stray, seen: all(&after.filled) });
    }
    if !after.changed.is_empty() {
        found.push(Violation { broken: Broken::Input, seen: all(&after.changed) });
    }
    for (bytes, as_before) in &after.outputs {
        if *as_before {
            continue;
        }
        let wrong = if bytes.starts_with(b"<svg") || bytes.starts_with(b"<?xml") {
            (!bytes.trim_ascii_end().ends_with(b"</svg>")).then(|| "the picture is cut".to_owned())
        } else if bytes.is_empty() {
            Some("it is empty".to_owned())
        } else {
            wrong_form(case.form(), bytes, "the file").map(|it| it.seen)
        };
        found.extend(wrong.map(|seen| Violation { broken: Broken::Output, seen }));
    }
    found
}

/// What is wrong with a document of a form.
fn wrong_form(form: Form, bytes: &[u8], place: &str) -> Option<Violation> {
    match form {
        Form::Json => {
            let error = serde_json::from_slice::<IgnoredAny>(bytes).err()?;
            Some(Violation { broken: Broken::Json, seen: format!("{place}: {error}") })
        }
        Form::Csv => wrong_csv(bytes, place),
        Form::Table | Form::Other => None,
    }
}

fn wrong_csv(bytes: &[u8], place: &str) -> Option<Violation> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(bytes);
    for record in reader.records() {
        let record = match record {
            Ok(record) => record,
            Err(error) => {
                return Some(Violation { broken: Broken::Csv, seen: format!("{place}: {error}") });
            }
        };
        if let Some(cell) = record.iter().find(|cell| is_formula(cell)) {
            let cell: String = cell.chars().take(40).collect();
            let seen = format!("{place}: the cell {cell:?} is a formula to a spreadsheet");
            return Some(Violation { broken: Broken::Formula, seen });
        }
    }
    None
}

/// Whether a cell begins like a formula, also behind blanks that a spreadsheet may cut off.
fn is_formula(cell: &str) -> bool {
    let text = cell.trim_start_matches([' ', '\u{a0}', '\u{200b}', '\u{feff}']);
    let begins = text.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']);
    (begins || cell.starts_with(['\t', '\r'])) && cell.parse::<f64>().is_err()
}

/// What a terminal would obey, or a reader take for a line of the program's own.
fn unsafe_to_show(text: &str, place: &str) -> Option<Violation> {
    if let Some(line) = text.lines().find(|line| is_forged(line)) {
        let line: String = line.chars().take(40).collect();
        return Some(Violation {
            broken: Broken::Forged,
            seen: format!("{place}: the line {line:?}"),
        });
    }
    let obeyed = text.chars().find(|&c| c != '\n' && is_obeyed(c))?;
    let seen = format!("{place}: U+{:04X}", u32::from(obeyed));
    Some(Violation { broken: Broken::Raw, seen })
}

/// Whether a line begins as a stranger's, but for how far messages are set in.
fn is_forged(line: &str) -> bool {
    let words = line.trim_start_matches(' ');
    words.starts_with(FORGED) && line.len() - words.len() <= SET_IN
}

/// Control characters, and those that change the direction or end a line (Unicode, `Bidi_Control`).
fn is_obeyed(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        )
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Time => "too long",
            Self::Memory => "too much memory",
            Self::Signal => "ended by a signal",
            Self::Panic => "panic",
            Self::Code => "wrong exit code",
            Self::Silent => "no word of the error",
            Self::Json => "broken JSON",
            Self::Csv => "broken CSV",
            Self::Formula => "formula in CSV",
            Self::Raw => "raw control character",
            Self::Forged => "forged line",
            Self::Input => "input changed",
            Self::Output => "output not whole",
            Self::Stray => "stray file",
            Self::Row => "row lost",
            Self::Threads => "answer depends on threads",
        })
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.broken, self.seen)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hostile::folder::After;
    use crate::hostile::limits::limits;

    fn broken(case: &Case, end: End, stdout: &str, stderr: &str) -> Vec<Broken> {
        let after = After::default();
        let (stdout, stderr) = (stdout.into(), stderr.into());
        let outcome = Outcome { end, stdout, stderr, peak: 0, seconds: 0.0, after };
        let found = check(case, &limits("tar", 0), &outcome);
        found.into_iter().map(|violation| violation.broken).collect()
    }

    #[test]
    fn a_proper_answer_breaks_nothing() {
        let case = Case::of("cost").format("json");
        assert_eq!(broken(&case, End::Code(0), "{\"schema\": 1}\n", ""), []);
        assert_eq!(broken(&case, End::Code(2), "", "error: no"), []);
        let table = Case::of("cost");
        assert_eq!(broken(&table, End::Code(1), "a  b\n1  2\n", "note: ä\n"), []);
        let csv = Case::of("cost").format("csv");
        assert_eq!(broken(&csv, End::Code(0), "a,b\n\"=\"\"x\",1\n", ""), [Broken::Formula]);
        assert_eq!(broken(&csv, End::Code(0), "a,b\n\u{a0}＝x,1\n", ""), [Broken::Formula]);
        assert_eq!(broken(&csv, End::Code(0), "a,b\n'=x,-1e5\n-inf,\n", ""), []);
    }

    #[test]
    fn every_end_but_the_promised_ones_is_told() {
        let case = Case::of("lint");
        assert_eq!(
            broken(&case, End::Code(101), "", "panicked at x"),
            [Broken::Code, Broken::Panic]
        );
        assert_eq!(broken(&case, End::Code(130), "", ""), [Broken::Code]);
        assert_eq!(broken(&case, End::Code(2), "", ""), [Broken::Silent]);
        assert_eq!(broken(&case, End::Signal(6), "", ""), [Broken::Signal]);
        assert_eq!(broken(&case, End::TooLong, "", ""), [Broken::Time]);
        assert_eq!(broken(&case, End::TooMuch, "", ""), [Broken::Memory]);
    }

    #[test]
    fn broken_documents_are_told() {
        let json = Case::of("lint").format("json");
        assert_eq!(broken(&json, End::Code(1), "{\"schema\": ", ""), [Broken::Json]);
        assert_eq!(broken(&json, End::Code(1), "{}{}", ""), [Broken::Json]);
        let csv = Case::of("cost").option("--sweep", "1..2");
        assert_eq!(broken(&csv, End::Code(0), "a,b\n1\n", ""), [Broken::Csv]);
    }

    #[test]
    fn what_a_terminal_obeys_is_told() {
        let table = Case::of("cost");
        assert_eq!(broken(&table, End::Code(0), "a\u{61c}b", ""), [Broken::Raw]);
        assert_eq!(broken(&table, End::Code(2), "", "error: \u{1b}[31m"), [Broken::Raw]);
        assert_eq!(broken(&table, End::Code(2), "", "error: a\nFORGED"), [Broken::Forged]);
    }
}
