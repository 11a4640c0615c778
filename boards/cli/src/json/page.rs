//! `docs/formats.md` has a table of the keys of each event, and of no other.

#[expect(unreachable_pub, reason = "it is public in lodger-tests")]
#[path = "../../../../tests/src/tables.rs"]
mod tables;

use std::collections::{BTreeMap, BTreeSet};

use lodger_probe::{Phase, StackFrame};
use serde_json::Value;

use super::*;
use crate::words::tests::frame;

type Keys = BTreeSet<String>;

/// What every event has.
const COMMON: [&str; 3] = ["schema", "probe", "event"];

/// The paths of the keys of a value.
fn paths(at: &str, value: &Value, keys: &mut Keys) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                let path = if at.is_empty() { key.clone() } else { format!("{at}.{key}") };
                paths(&path, value, keys);
                keys.insert(path);
            }
        }
        Value::Array(list) => list.iter().for_each(|value| paths(&format!("{at}[]"), value, keys)),
        _ => {}
    }
}

/// Each event with the keys that it has beside those of all.
fn said(events: Vec<Said<'_>>) -> BTreeMap<String, Keys> {
    let keys = |event| {
        let line = serde_json::to_value(Line::new("1d50:6018", event)).expect("JSON");
        let mut keys = Keys::new();
        paths("", &line, &mut keys);
        COMMON.iter().for_each(|common| assert!(keys.remove(*common), "no {common}: {line}"));
        (line["event"].as_str().expect("a name").to_owned(), keys)
    };
    events.into_iter().map(keys).collect()
}

#[test]
fn the_page_of_formats_has_every_key_of_every_event() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/formats.md");
    let page = std::fs::read_to_string(page).expect("readable");
    let tables = tables::first_columns(&page);
    assert_eq!(tables["lodger board: an object a line"], COMMON);

    let (line, frame) = (LogLine::new("hello".to_owned()), frame(7));
    let crash = Crash::new("it panicked", vec![StackFrame::new("main".to_owned())]);
    let text = String::new;
    let said = said(vec![
        Progress::new(Phase::Erase, 1, 2).into(),
        Said::Flashed { program: "app", bytes: 1, seconds: 0.5 },
        (&line).into(),
        (&frame).into(),
        Said::Lost { what: "log", count: 1 },
        Said::Restarted,
        Said::Exit { code: 0 },
        (&crash).into(),
        Said::Stopped,
        (&Error::NothingChosen).into(),
        Said::Mismatch { backend: text(), question: text(), board: vec![], host: vec![] },
        Said::Compared { backend: text(), vectors: 1, differ: 0 },
    ]);
    for (event, keys) in &said {
        let named: Keys = tables.get(event).into_iter().flatten().cloned().collect();
        assert_eq!(&named, keys, "{event}");
        assert!(page.contains(&format!("\n### {event}\n")), "docs/formats.md has no {event}");
    }
    // What stands behind the common keys, until the page ends, are events.
    let (_, events) = page.split_once("### lodger board: an object a line").expect("a heading");
    let headings = events.lines().filter_map(|line| line.strip_prefix("### "));
    assert!(headings.clone().all(|heading| said.contains_key(heading)), "{said:?}");
    assert_eq!(headings.count(), said.len());
}
