//! `docs/formats.md` has a table of the keys of each event, and of no other.

use std::collections::BTreeMap;

use lodger_probe::{Phase, StackFrame};

use super::*;
use crate::page::{self, Keys};
use crate::words::tests::frame;

/// What every event has.
const COMMON: [&str; 3] = ["schema", "probe", "event"];

/// Each event with the keys that it has beside those of all.
fn said(events: Vec<Said<'_>>) -> BTreeMap<String, Keys> {
    let keys = |event| {
        let line = serde_json::to_value(Line::new("1d50:6018", event)).expect("JSON");
        let mut keys = page::keys(&line);
        for common in COMMON {
            assert!(keys.remove(common), "no {common}: {line}");
        }
        (line["event"].as_str().expect("a name").to_owned(), keys)
    };
    events.into_iter().map(keys).collect()
}

#[test]
fn the_page_of_formats_has_every_key_of_every_event() {
    let (page, named) = (page::text(), page::named());
    assert_eq!(named["lodger board: an object a line"], COMMON.map(str::to_owned).into());
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
        assert_eq!(&named.get(event).cloned().unwrap_or_default(), keys, "{event}");
    }
    // What stands behind the common keys, until the page ends, are events: these, and no other.
    let (_, events) = page.split_once("### lodger board: an object a line").expect("a heading");
    let headings: Keys =
        events.lines().filter_map(|line| line.strip_prefix("#### ")).map(str::to_owned).collect();
    assert_eq!(headings, said.into_keys().collect());
}
