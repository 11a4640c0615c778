//! What several runs must hold to together: good rows are as they are alone, and threads change nothing.

use std::collections::BTreeSet;

use serde_json::Value;

use super::case::{Case, Form};
use super::invariant::{Broken, Violation};
use super::process::{End, Outcome};

/// The rows about some files, each as a text, in an order that depends on nothing else.
pub(super) type Rows = Vec<String>;

/// The lists of a JSON document that have rows about files.
const LISTS: [&str; 2] = ["files", "objects"];

/// The rows of the good files of a case.
pub(super) fn rows(case: &Case, stdout: &[u8]) -> Rows {
    let names: BTreeSet<String> =
        case.good.iter().map(|name| name.to_string_lossy().into_owned()).collect();
    let mut rows = match case.form() {
        Form::Json => json_rows(stdout, &names),
        Form::Csv => csv_rows(stdout, &names),
        Form::Table | Form::Other => Rows::new(),
    };
    rows.sort_unstable();
    rows
}

fn json_rows(stdout: &[u8], names: &BTreeSet<String>) -> Rows {
    let document: Value = serde_json::from_slice(stdout).unwrap_or_default();
    let rows = LISTS.iter().filter_map(|list| document[list].as_array()).flatten();
    let of_good = |row: &&Value| row["file"].as_str().is_some_and(|file| names.contains(file));
    rows.filter(of_good).map(Value::to_string).collect()
}

fn csv_rows(stdout: &[u8], names: &BTreeSet<String>) -> Rows {
    let mut reader = csv::Reader::from_reader(stdout);
    let headings = reader.headers().cloned().unwrap_or_default();
    let Some(place) = headings.iter().position(|heading| heading == "file") else {
        return Rows::new();
    };
    let records = reader.records().map_while(Result::ok);
    let of_good = records.filter(|record| record.get(place).is_some_and(|it| names.contains(it)));
    let row = |record: csv::StringRecord| {
        let cells =
            headings.iter().zip(&record).map(|(heading, cell)| format!("{heading}={cell:?}"));
        cells.collect::<Vec<_>>().join(" ")
    };
    of_good.map(row).collect()
}

/// The good rows that are missing or other than they are alone.
pub(super) fn lost(case: &Case, alone: &Rows, outcome: &Outcome) -> Option<Violation> {
    let End::Code(_) = outcome.end else { return None };
    let found = rows(case, &outcome.stdout);
    if alone.is_empty() {
        let seen = "the good files have no rows, even alone".to_owned();
        return Some(Violation { broken: Broken::Row, seen });
    }
    let missing = alone.iter().find(|row| !found.contains(row));
    let more = found.len() > alone.len();
    let shown = |row: &String| row.chars().take(120).collect::<String>();
    let seen = match missing {
        Some(row) => {
            format!("{} of {} good rows, without {}", found.len(), alone.len(), shown(row))
        }
        None if more => format!("{} rows of files that have {}", found.len(), alone.len()),
        None => return None,
    };
    Some(Violation { broken: Broken::Row, seen })
}

/// The objects that are neither in the result nor missed by the exit code.
pub(super) fn silently_lost(case: &Case, outcome: &Outcome) -> Option<Violation> {
    if case.objects.is_empty() || outcome.end != End::Code(0) {
        return None;
    }
    let text = String::from_utf8_lossy(&outcome.stdout);
    let missing = case.objects.iter().find(|name| !text.contains(**name))?;
    let seen = format!("exit code 0 without a word of the object {missing:?}");
    Some(Violation { broken: Broken::Row, seen })
}

/// What differs between the answers with one thread and with four.
pub(super) fn differing(one: &Outcome, four: &Outcome) -> Option<Violation> {
    let what = if one.end != four.end {
        format!("{:?} with one thread, {:?} with four", one.end, four.end)
    } else if one.stdout != four.stdout {
        format!("stdout differs from byte {}", first_difference(&one.stdout, &four.stdout))
    } else if one.stderr != four.stderr {
        format!("stderr differs from byte {}", first_difference(&one.stderr, &four.stderr))
    } else {
        return None;
    };
    Some(Violation { broken: Broken::Threads, seen: what })
}

fn first_difference(a: &[u8], b: &[u8]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::{lost, rows};
    use crate::hostile::case::Case;
    use crate::hostile::folder::After;
    use crate::hostile::process::{End, Outcome};

    const ALONE: &str = r#"{"files": [{"file": "good.llmesh", "cost": 1}], "objects": [
        {"file": "good.oar", "cost": 2}], "errors": []}"#;

    fn outcome(stdout: &str) -> Outcome {
        let (stdout, stderr, after) = (stdout.into(), Vec::new(), After::default());
        Outcome { end: End::Code(1), stdout, stderr, peak: 0, seconds: 0.0, after }
    }

    #[test]
    fn a_good_row_is_missed_when_it_is_gone_or_another() {
        let case = Case::of("cost").beside_good().format("json");
        let alone = rows(&case, ALONE.as_bytes());
        assert_eq!(alone.len(), 2);
        assert_eq!(lost(&case, &alone, &outcome(ALONE)), None);
        assert!(lost(&case, &alone, &outcome("{}")).is_some());
        assert!(lost(&case, &alone, &outcome(&ALONE.replace(": 2", ": 3"))).is_some());
        let beside = ALONE.replace("[]}", "[{\"file\": \"bad\"}]}");
        assert_eq!(lost(&case, &alone, &outcome(&beside)), None);
    }

    #[test]
    fn csv_rows_are_compared_by_heading() {
        let case = Case::of("cost").beside_good().format("csv");
        let alone = rows(&case, b"file,cost\ngood.oar,2\n");
        assert_eq!(alone.len(), 1);
        assert_eq!(lost(&case, &alone, &outcome("file,cost\nbad,\ngood.oar,2\n")), None);
        assert!(lost(&case, &alone, &outcome("file,cost\nbad,\n")).is_some());
    }
}
