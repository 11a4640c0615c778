//! Text: lines of the log, frames, crashes.

use std::fmt::Write as _;
use std::path::Path;

use clap::builder::styling::{AnsiColor, Style};
use lodger_board::{Crash, LogLevel, LogLine, StackFrame};
use lodger_core::budget::Load;
use lodger_core::units::ms;
use lodger_terminal::{MillisecondFormat, RenderOptions, percent, sanitize};
use lodger_wire::telemetry::{ModuleFrame, TelemetryFrame};

use super::json::{headroom, scale};

const LEVEL: usize = 5;
const MAX_FUNCTION: usize = 80;

/// Formats a log line with its source location at the end; plain text has neither level nor location.
pub(crate) fn log(line: &LogLine, render: RenderOptions) -> String {
    let time =
        line.time.as_deref().map(|time| format!("{:>10} ", sanitize(time))).unwrap_or_default();
    let name = level(line);
    let level = render.paint(line.level.map_or(Style::new(), style), &name);
    let mut lines = line.text.lines().map(sanitize);
    let mut text = format!("{time}{level}{}", lines.next().unwrap_or_default());
    if let Some(location) = &line.location {
        let place = format!("  {}", place(&location.file, location.line));
        text += &render.paint(Style::new().dimmed(), &place);
    }
    let indent = " ".repeat(time.len() + name.len());
    for line in lines {
        let _ = write!(text, "\n{indent}{line}");
    }
    text
}

/// Pads the level of a line; empty for plain text.
pub(crate) fn level(line: &LogLine) -> String {
    match line.level {
        Some(level) => format!("{level:LEVEL$} "),
        None if line.time.is_none() && line.location.is_none() => String::new(),
        None => format!("{:LEVEL$} ", ""),
    }
}

pub(crate) fn style(level: LogLevel) -> Style {
    match level {
        LogLevel::Trace => Style::new().dimmed(),
        LogLevel::Debug => AnsiColor::Blue.on_default(),
        LogLevel::Info => AnsiColor::Green.on_default(),
        LogLevel::Warn => AnsiColor::Yellow.on_default(),
        LogLevel::Error => AnsiColor::Red.on_default().bold(),
    }
}

/// A source location, relative to the working folder if it is below.
pub(crate) fn place(file: &Path, line: u64) -> String {
    let folder = std::env::current_dir().unwrap_or_default();
    let file = file.strip_prefix(&folder).unwrap_or(file).display().to_string();
    format!("{}:{line}", sanitize(&file))
}

pub(crate) fn telemetry(frame: &TelemetryFrame) -> String {
    let format = decimals(frame);
    let budget = frame.budget.map_or("unlimited".to_owned(), |budget| format.say(ms(budget)));
    let mut text =
        format!("frame {:<5} budget {budget}, scale {}", frame.number, percent(scale(frame)));
    if frame.headroom > 0 {
        let _ = write!(text, ", headroom {}", percent(headroom(frame)));
    }
    if frame.load > Load::Normal {
        let _ = write!(text, ", {}", frame.load);
    }
    if frame.overcommit > 0 {
        let _ = write!(text, ", over by {}", format.say(ms(frame.overcommit)));
    }
    for module in &frame.modules {
        let _ = write!(
            text,
            " | {}: LODs {}, planned {} ms, measured {} ms",
            sanitize(&module.name),
            levels(module),
            format.show(ms(module.planned)),
            format.show(ms(module.measured))
        );
        if module.quarantined > 0 {
            let _ = write!(text, ", {} quarantined", module.quarantined);
        }
    }
    text
}

pub(crate) fn decimals(frame: &TelemetryFrame) -> MillisecondFormat {
    let of_modules = frame.modules.iter().flat_map(|module| [module.planned, module.measured]);
    MillisecondFormat::for_all(of_modules.chain(frame.budget).map(ms))
}

pub(crate) fn levels(module: &ModuleFrame) -> String {
    let counts: Vec<_> = module.levels.iter().map(u16::to_string).collect();
    counts.join(" ")
}

pub(crate) fn crash(crash: &Crash, prefix: &str, render: RenderOptions) -> String {
    let verdict = render.paint(AnsiColor::Red.on_default().bold(), "The program crashed:");
    let mut text = format!("{prefix}{verdict} {}\n", crash.what);
    if crash.backtrace.is_empty() {
        text += "  no backtrace: the program has no debug information (debug = 2 in its profile)\n";
    }
    for (number, StackFrame { function, place: found, inlined, .. }) in
        crash.backtrace.iter().enumerate()
    {
        let inlined = if *inlined { " (inlined)" } else { "" };
        let function = render.paint(Style::new().bold(), &sanitize(&short(function)));
        let _ = writeln!(text, "{number:>4}: {function}{inlined}");
        if let Some((file, line)) = found {
            let place = format!("        at {}", place(file, *line));
            let _ = writeln!(text, "{}", render.paint(Style::new().dimmed(), &place));
        }
    }
    text
}

fn short(function: &str) -> String {
    if function.chars().count() <= MAX_FUNCTION {
        return function.to_owned();
    }
    let (mut depth, mut before, mut text) = (0_usize, ' ', String::new());
    for c in function.chars() {
        // The end of `->` is no bracket.
        let closes = c == '>' && before != '-' && depth > 0;
        depth -= usize::from(closes);
        if depth == 0 {
            text.push(c);
        }
        if c == '<' {
            text += if depth == 0 { "…" } else { "" };
            depth += 1;
        }
        before = c;
    }
    text
}

#[cfg(test)]
pub(crate) mod tests {
    use lodger_board::LogLocation;

    use super::*;

    const RENDER: RenderOptions = RenderOptions { width: 100, colour: false };

    /// A frame of one module, with a budget of 8 ms, half of the module's target.
    pub(crate) fn frame(number: u32) -> TelemetryFrame {
        let module = ModuleFrame {
            name: "cloth".try_into().expect("a name"),
            levels: [0, 1, 3].into_iter().collect(),
            quarantined: 1,
            units: 1_200,
            planned: 6_000_000,
            measured: 6_500_000,
            unit_cost: 5_000 << 32,
            raw_unit_cost: 4_900 << 32,
        };
        TelemetryFrame {
            number,
            budget: Some(8_000_000),
            overcommit: 0,
            scale: 1 << 31,
            headroom: 1 << 19,
            load: Load::Normal,
            decision_time: 250_000,
            modules: [module].into_iter().collect(),
        }
    }

    #[test]
    fn a_line_of_the_log_has_time_level_text_and_place() {
        let here = std::env::current_dir().expect("a folder");
        let file = here.join("firmware/programs/src/bin/app.rs");
        let mut line = LogLine::new("too \u{1b}[31m much".to_owned());
        (line.level, line.time) = (Some(LogLevel::Warn), Some("0.004096".to_owned()));
        line.location = Some(LogLocation { file, line: 83, module: "app".to_owned() });
        let place = Path::new("firmware/programs/src/bin/app.rs").display();
        assert_eq!(log(&line, RENDER), format!("  0.004096 warn  too ␛[31m much  {place}:83"));
        (line.level, line.time, line.location) = (None, None, None);
        assert_eq!(log(&line, RENDER), "too ␛[31m much");
        line.time = Some("0.5".to_owned());
        assert_eq!(log(&line, RENDER), "       0.5       too ␛[31m much");
    }

    #[test]
    fn a_message_of_several_lines_is_indented() {
        let text = "panicked at app.rs:3\nindex out of bounds".to_owned();
        let mut line = LogLine::new(text);
        (line.level, line.time) = (Some(LogLevel::Error), Some("0.5".to_owned()));
        assert_eq!(
            log(&line, RENDER),
            "       0.5 error panicked at app.rs:3\n                 index out of bounds"
        );
    }

    #[test]
    fn long_generic_arguments_are_left_out() {
        assert_eq!(short("Cloth<Fixed, 5>::new"), "Cloth<Fixed, 5>::new");
        let long = format!("map<{}, fn() -> Vec<u8>>::call<u8>", "x".repeat(90));
        assert_eq!(short(&long), "map<…>::call<…>");
    }

    #[test]
    fn a_frame_is_a_line() {
        assert_eq!(
            telemetry(&frame(7)),
            "frame 7     budget 8 ms, scale 50.0 %, headroom 3.1 % | cloth: LODs 0 1 3, planned 6.000 ms, \
             measured 6.500 ms, 1 quarantined"
        );
        let load = Load::Infeasible;
        let unlimited =
            TelemetryFrame { budget: None, overcommit: 1_000_000, load, headroom: 0, ..frame(8) };
        let text = telemetry(&unlimited);
        assert!(text.contains(", infeasible") && !text.contains("headroom"), "{text}");
        assert!(text.contains("budget unlimited") && text.contains("over by 1 ms"), "{text}");
    }

    #[test]
    fn a_crash_names_functions_and_places() {
        let call = StackFrame {
            function: "panics::look_up".to_owned(),
            place: Some(("firmware/programs/src/bin/panics.rs".into(), 24)),
            inlined: true,
        };
        let text = crash(&Crash { what: "it panicked", backtrace: vec![call] }, "", RENDER);
        assert_eq!(
            text,
            "The program crashed: it panicked\n   0: panics::look_up (inlined)\n        \
             at firmware/programs/src/bin/panics.rs:24\n"
        );
        let text = crash(&Crash { what: "a hard fault", backtrace: Vec::new() }, "", RENDER);
        assert!(text.contains("no backtrace"), "{text}");
    }
}
