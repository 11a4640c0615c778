//! JSON output: one object per line. `help.txt` documents the keys.

use lodger_board::{BoardError, Crash, LogLine, ProgramProgress};
use lodger_core::budget::Scale;
use lodger_core::calibration::Headroom;
use lodger_core::units::{UnitCost, ms};
use lodger_wire::conform::Mismatch;
use lodger_wire::telemetry::{ModuleFrame, TelemetryFrame};
use serde::Serialize;

#[derive(Debug, Serialize)]
pub(crate) struct JsonLine<'a> {
    schema: u32,
    probe: &'a str,
    #[serde(flatten)]
    event: JsonEvent<'a>,
}

impl<'a> JsonLine<'a> {
    pub(crate) fn new(probe: &'a str, event: JsonEvent<'a>) -> Self {
        Self { schema: 1, probe, event }
    }
}

#[derive(Debug, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub(crate) enum JsonEvent<'a> {
    Progress { phase: String, done: u64, total: u64 },
    Flashed { program: &'a str, bytes: u64, seconds: f64 },
    Log(JsonLogLine<'a>),
    Telemetry(JsonTelemetry<'a>),
    Lost { what: &'static str, count: u32 },
    Restarted,
    Exit { code: u32 },
    Crash { what: &'static str, code: u8, backtrace: Vec<JsonFrame<'a>> },
    Stopped,
    Failed { message: String, help: &'a str },
    Mismatch(JsonMismatch),
    Compared { backend: String, vectors: u32, differ: u32 },
}

#[derive(Debug, Serialize)]
pub(crate) struct JsonLogLine<'a> {
    level: Option<String>,
    time: Option<&'a str>,
    text: &'a str,
    file: Option<String>,
    line: Option<u64>,
    module: Option<&'a str>,
}

#[derive(Debug, Serialize)]
pub(crate) struct JsonTelemetry<'a> {
    frame: u32,
    budget_ms: Option<f64>,
    overcommit_ms: f64,
    scale: f64,
    headroom: f64,
    load: String,
    ledger_ms: f64,
    planned_ms: f64,
    measured_ms: f64,
    modules: Vec<ModuleTelemetry<'a>>,
}

#[derive(Debug, Serialize)]
struct ModuleTelemetry<'a> {
    name: &'a str,
    levels: &'a [u16],
    quarantined: u16,
    units: u32,
    planned_ms: f64,
    measured_ms: f64,
    unit_cost_ns: Option<f64>,
    raw_unit_cost_ns: Option<f64>,
}

#[derive(Debug, Serialize)]
pub(crate) struct JsonFrame<'a> {
    function: &'a str,
    file: Option<String>,
    line: Option<u64>,
    inlined: bool,
}

#[derive(Debug, Serialize)]
pub(crate) struct JsonMismatch {
    pub(crate) backend: String,
    pub(crate) question: String,
    pub(crate) board: Vec<String>,
    pub(crate) host: Vec<String>,
}

/// The scale of targets, 0 to 1.
pub(crate) fn scale(frame: &TelemetryFrame) -> f64 {
    // The bits are in units of 2^-32, like `Scale::ONE`.
    Scale::fitting(frame.scale, Scale::ONE.bits()).to_f64()
}

/// The headroom as a part of the budget, 0 to 0.5.
pub(crate) fn headroom(frame: &TelemetryFrame) -> f64 {
    Headroom::from_bits(frame.headroom).to_f64()
}

/// The planned time of all modules, in milliseconds.
pub(crate) fn planned_ms(frame: &TelemetryFrame) -> f64 {
    frame.modules.iter().map(|module| ms(module.planned)).sum()
}

impl<'a> From<&'a BoardError> for JsonEvent<'a> {
    fn from(error: &'a BoardError) -> Self {
        Self::Failed { message: error.to_string(), help: error.help() }
    }
}

impl From<ProgramProgress> for JsonEvent<'_> {
    fn from(ProgramProgress { phase, done, total }: ProgramProgress) -> Self {
        Self::Progress { phase: phase.to_string(), done, total }
    }
}

impl<'a> From<&'a LogLine> for JsonEvent<'a> {
    fn from(line: &'a LogLine) -> Self {
        let place = line.location.as_ref();
        Self::Log(JsonLogLine {
            level: line.level.map(|level| level.to_string()),
            time: line.time.as_deref(),
            text: &line.text,
            file: place.map(|place| place.file.display().to_string()),
            line: place.map(|place| place.line),
            module: place.map(|place| place.module.as_str()),
        })
    }
}

impl<'a> From<&'a TelemetryFrame> for JsonEvent<'a> {
    fn from(frame: &'a TelemetryFrame) -> Self {
        let module = |module: &'a ModuleFrame| ModuleTelemetry {
            name: &module.name,
            levels: &module.levels,
            quarantined: module.quarantined,
            units: module.units,
            planned_ms: ms(module.planned),
            measured_ms: ms(module.measured),
            unit_cost_ns: UnitCost::from_bits(module.unit_cost).map(UnitCost::ns),
            raw_unit_cost_ns: UnitCost::from_bits(module.raw_unit_cost).map(UnitCost::ns),
        };
        Self::Telemetry(JsonTelemetry {
            frame: frame.number,
            budget_ms: frame.budget.map(ms),
            overcommit_ms: ms(frame.overcommit),
            scale: scale(frame),
            headroom: headroom(frame),
            load: frame.load.to_string(),
            ledger_ms: ms(frame.decision_time),
            planned_ms: planned_ms(frame),
            measured_ms: ms(frame.measured()),
            modules: frame.modules.iter().map(module).collect(),
        })
    }
}

impl<'a> From<&'a Crash> for JsonEvent<'a> {
    fn from(crash: &'a Crash) -> Self {
        let calls = crash.backtrace.iter().map(|frame| JsonFrame {
            function: &frame.function,
            file: frame.place.as_ref().map(|(file, _)| file.display().to_string()),
            line: frame.place.as_ref().map(|(_, line)| *line),
            inlined: frame.inlined,
        });
        Self::Crash { what: crash.what, code: 1, backtrace: calls.collect() }
    }
}

impl From<&Mismatch> for JsonMismatch {
    fn from(Mismatch { request, device, host, .. }: &Mismatch) -> Self {
        let words = |words: &[u32]| words.iter().map(|word| format!("{word:08x}")).collect();
        Self {
            backend: request.backend.to_string(),
            question: format!("{:x?}", request.vector),
            board: words(device),
            host: words(host),
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::collections::BTreeMap;
    use std::fs;

    use lodger_board::{FlashPhase, LogLevel, LogLocation, StackFrame};
    use lodger_testkit::page::{Keys, key_paths, tables};
    use serde_json::{Value, json};

    use super::super::text::tests::frame;
    use super::*;

    pub(crate) fn keys_on_page() -> BTreeMap<String, Keys> {
        tables().into_iter().map(|(heading, keys)| (heading, keys.into_iter().collect())).collect()
    }

    const COMMON: [&str; 3] = ["schema", "probe", "event"];

    /// The keys of checked events, without the common ones.
    #[derive(Default)]
    struct Checked(BTreeMap<String, Keys>);

    impl Checked {
        #[track_caller]
        fn check(&mut self, event: JsonEvent<'_>, expected: &Value) {
            let mut line = serde_json::to_value(JsonLine::new("1d50:6018", event)).expect("JSON");
            let mut keys = key_paths(&line, &[]);
            assert!(COMMON.into_iter().all(|common| keys.remove(common)), "{line}");
            self.0.insert(line["event"].as_str().expect("a name").to_owned(), keys);
            let object = line.as_object_mut().expect("an object");
            assert_eq!(object.remove("schema"), Some(json!(1)));
            assert_eq!(object.remove("probe"), Some(json!("1d50:6018")));
            assert_eq!(&line, expected);
        }
    }

    #[test]
    fn every_event_has_its_keys_and_the_page_names_them() {
        let mut checked = Checked::default();
        let mut line = LogLine::new("hello".to_owned());
        checked.check(
            (&line).into(),
            &json!({"event": "log", "level": null, "time": null, "text": "hello",
                   "file": null, "line": null, "module": null}),
        );
        (line.level, line.time) = (Some(LogLevel::Info), Some("0.5".to_owned()));
        let module = "app::device".to_owned();
        line.location = Some(LogLocation { file: "src/app.rs".into(), line: 12, module });
        checked.check(
            (&line).into(),
            &json!({"event": "log", "level": "info", "time": "0.5", "text": "hello",
                   "file": "src/app.rs", "line": 12, "module": "app::device"}),
        );
        checked.check(
            (&frame(7)).into(),
            &json!({"event": "telemetry", "frame": 7, "budget_ms": 8.0, "overcommit_ms": 0.0,
                   "scale": 0.5, "headroom": 0.03125, "load": "normal", "ledger_ms": 0.25,
                   "planned_ms": 6.0, "measured_ms": 6.5,
                   "modules": [{"name": "cloth", "levels": [0, 1, 3], "quarantined": 1,
                                "units": 1200, "planned_ms": 6.0, "measured_ms": 6.5,
                                "unit_cost_ns": 5000.0, "raw_unit_cost_ns": 4900.0}]}),
        );
        checked.check(
            ProgramProgress { phase: FlashPhase::Erase, done: 1, total: 2 }.into(),
            &json!({"event": "progress", "phase": "erase", "done": 1, "total": 2}),
        );
        checked.check(
            JsonEvent::Flashed { program: "app", bytes: 1, seconds: 0.5 },
            &json!({"event": "flashed", "program": "app", "bytes": 1, "seconds": 0.5}),
        );
        checked.check(JsonEvent::Stopped, &json!({"event": "stopped"}));
        checked.check(JsonEvent::Restarted, &json!({"event": "restarted"}));
        checked.check(
            (&BoardError::new("no probe", "plug one in")).into(),
            &json!({"event": "failed", "message": "no probe", "help": "plug one in"}),
        );
        checked.check(JsonEvent::Exit { code: 3 }, &json!({"event": "exit", "code": 3}));
        checked.check(
            JsonEvent::Lost { what: "log", count: 2 },
            &json!({"event": "lost", "what": "log", "count": 2}),
        );
        let place = Some(("src/app.rs".into(), 9));
        let call = StackFrame { function: "main".to_owned(), place, inlined: true };
        checked.check(
            (&Crash { what: "it panicked", backtrace: vec![call] }).into(),
            &json!({"event": "crash", "what": "it panicked", "code": 1, "backtrace": [
                {"function": "main", "file": "src/app.rs", "line": 9, "inlined": true}]}),
        );
        let (backend, question) = ("f32".to_owned(), "x".to_owned());
        checked.check(
            JsonEvent::Mismatch(JsonMismatch { backend, question, board: vec![], host: vec![] }),
            &json!({"event": "mismatch", "backend": "f32", "question": "x", "board": [], "host": []}),
        );
        checked.check(
            JsonEvent::Compared { backend: "f32".to_owned(), vectors: 1, differ: 0 },
            &json!({"event": "compared", "backend": "f32", "vectors": 1, "differ": 0}),
        );

        let on_page = keys_on_page();
        assert_eq!(on_page["lodger board: an object a line"], COMMON.map(str::to_owned).into());
        for (event, keys) in &checked.0 {
            assert_eq!(&on_page.get(event).cloned().unwrap_or_default(), keys, "{event}");
        }
        // The headings after the common keys are exactly the events.
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/formats.md");
        let page = fs::read_to_string(page).expect("readable");
        let (_, events) = page.split_once("### lodger board: an object a line").expect("a heading");
        let headings = events.lines().filter_map(|line| line.strip_prefix("#### "));
        let headings: Keys = headings.map(str::to_owned).collect();
        assert_eq!(headings, checked.0.into_keys().collect());
    }
}
