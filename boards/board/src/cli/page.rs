//! What `docs/formats.md` says of the JSON of `lodger board`, for the tests that hold it to what is said.

use std::collections::BTreeMap;
use std::fs;

use lodger_board::{BoardError, Crash, LogLine, Phase, Progress, StackFrame};
pub(crate) use lodger_testkit::page::Keys;
use serde_json::Value;

use super::json::{JsonEvent, JsonLine};
use super::text::tests::frame;

/// The text of the page.
fn text() -> String {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/formats.md");
    fs::read_to_string(page).expect("readable")
}

/// The keys that tables name, by the heading that they stand below.
pub(crate) fn named() -> BTreeMap<String, Keys> {
    let tables = lodger_testkit::page::tables().into_iter();
    tables.map(|(heading, keys)| (heading, keys.into_iter().collect())).collect()
}

/// The paths of all keys of a value.
pub(crate) fn keys(value: &Value) -> Keys {
    lodger_testkit::page::key_paths(value, &[])
}

/// What every event has.
const COMMON: [&str; 3] = ["schema", "probe", "event"];

/// Each event with the keys that it has beside those of all.
fn keys_by_event(events: Vec<JsonEvent<'_>>) -> BTreeMap<String, Keys> {
    let entry = |event| {
        let line = serde_json::to_value(JsonLine::new("1d50:6018", event)).expect("JSON");
        let mut keys = keys(&line);
        for common in COMMON {
            assert!(keys.remove(common), "no {common}: {line}");
        }
        (line["event"].as_str().expect("a name").to_owned(), keys)
    };
    events.into_iter().map(entry).collect()
}

#[test]
fn the_page_of_formats_has_every_key_of_every_event() {
    let (page, named) = (text(), named());
    assert_eq!(named["lodger board: an object a line"], COMMON.map(str::to_owned).into());
    let (line, frame) = (LogLine::new("hello".to_owned()), frame(7));
    let call = StackFrame { function: "main".to_owned(), place: None, inlined: false };
    let crash = Crash { what: "it panicked", backtrace: vec![call] };
    let error = BoardError::new("no probe", "plug one in");
    let empty = String::new;
    let found = keys_by_event(vec![
        Progress { phase: Phase::Erase, done: 1, total: 2 }.into(),
        JsonEvent::Flashed { program: "app", bytes: 1, seconds: 0.5 },
        (&line).into(),
        (&frame).into(),
        JsonEvent::Lost { what: "log", count: 1 },
        JsonEvent::Restarted,
        JsonEvent::Exit { code: 0 },
        (&crash).into(),
        JsonEvent::Stopped,
        (&error).into(),
        JsonEvent::Mismatch { backend: empty(), question: empty(), board: vec![], host: vec![] },
        JsonEvent::Compared { backend: empty(), vectors: 1, differ: 0 },
    ]);
    for (event, keys) in &found {
        assert_eq!(&named.get(event).cloned().unwrap_or_default(), keys, "{event}");
    }
    // What stands behind the common keys, until the page ends, are events: these, and no other.
    let (_, events) = page.split_once("### lodger board: an object a line").expect("a heading");
    let headings: Keys =
        events.lines().filter_map(|line| line.strip_prefix("#### ")).map(str::to_owned).collect();
    assert_eq!(headings, found.into_keys().collect());
}
