//! Formats compared with defmt-decoder, and mistakes.

use defmt_decoder::Table;
use defmt_decoder::log::format::{Formatter, FormatterConfig};
use lodger_board::LogLocation;
use lodger_testkit::SplitMix64;

use super::*;
use crate::fixture::{elf_that_logs, frame_of};

const FORMATS: [&str; 15] = [
    "{s}",
    "Log: {s}",
    "[{L}] {s}",
    "{L:bold:5} {f:white:<10} {s}",
    "{t} {L} {s} {c} {m} {F}:{l}",
    "{f} {ff} {fff} {ffff}|{s}",
    "{L:>8}|{L:<8}|{L:^8}|{L:08}|{L:>08}|{s}",
    "{l:1} {l} {l:^9} {s:30}|",
    "{[{L}]%bold} {s}",
    "{[{L:bold}]%underline} {s}",
    "{{[{L}]%bold} {f:>20}:%<35} {s}",
    "{t} {[{L}]%bold} {s} {({c:bold} {fff}:{l:1})%dimmed}",
    "{s:red}{s:werror}{s:severity}{s:bold:italic:underline:strike:dimmed}",
    "{L} {s}\n└─ {m} @ {F}:{l}",
    "{{s}%>20}",
];

fn by_defmt(format: &str, with_place: bool) -> String {
    let table = Table::parse(&elf_that_logs("microbit")).expect("sound").expect("defmt");
    let mut stream = table.new_stream_decoder();
    stream.received(&frame_of(7));
    let frame = stream.decode().expect("a frame");
    let formatter = Formatter::new(FormatterConfig::custom(format));
    let place = with_place.then_some(("src/deep/app.rs", 12, "app::device"));
    let text = formatter.format_frame(
        frame,
        place.map(|(file, ..)| file),
        place.map(|(_, line, _)| line),
        place.map(|(.., module)| module),
    );
    anstream::adapter::strip_str(&text).to_string()
}

fn line(text: &str, level: LogLevel) -> LogLine {
    LogLine { level: Some(level), ..LogLine::new(text.to_owned()) }
}

fn warning(with_place: bool) -> LogLine {
    let module = "app::device".to_owned();
    let place = LogLocation { file: "src/deep/app.rs".into(), line: 12, module };
    LogLine { location: with_place.then_some(place), ..line("seven is 7", LogLevel::Warn) }
}

fn shown(format: &str, line: &LogLine, colour: bool) -> String {
    let format: LogFormat = format.parse().unwrap_or_else(|error| panic!("{format}: {error}"));
    format.show(line, RenderOptions { width: 80, colour })
}

#[test]
fn formats_equal_the_output_of_defmt() {
    for format in FORMATS {
        for with_place in [true, false] {
            let ours = shown(format, &warning(with_place), false);
            assert_eq!(ours, by_defmt(format, with_place), "{format}");
        }
    }
}

#[test]
fn a_time_is_shown_as_the_board_sends_it() {
    let line = LogLine { time: Some("0.5".to_owned()), ..warning(true) };
    assert_eq!(shown("{t:>5} {s}", &line, false), "  0.5 seven is 7");
    // A line without a level stays unchanged.
    let line = LogLine { level: None, text: "hello".to_owned(), ..line };
    assert_eq!(shown("{t} [{L}] {s:red}", &line, true), "hello");
}

#[test]
fn escape_sequences_of_a_board_are_neutralised() {
    let line = line("too \u{1b}[31m\nmuch", LogLevel::Warn);
    assert_eq!(shown("[{L:>7}] {s}\n-", &line, false), "[   WARN] too ␛[31m\nmuch\n-");
}

#[test]
fn colours_and_styles_follow_the_format() {
    let info = line("too \u{1b}[31m\nmuch", LogLevel::Info);
    let red = |text: &str| format!("\u{1b}[31m{text}\u{1b}[0m");
    let lines = format!("{}\n{}", red("too ␛[31m"), red("much"));
    assert_eq!(shown("{s:red}", &info, true), lines);
    assert_eq!(shown("{s:werror}", &info, true), "too ␛[31m\nmuch");
    let error = LogLine { level: Some(LogLevel::Error), ..info.clone() };
    assert!(shown("{s:werror}", &error, true).contains("\u{1b}[31m"));
    assert!(shown("{s:bold:underline}", &info, true).starts_with("\u{1b}[1m\u{1b}[4m"));
}

#[test]
fn a_group_colours_parts_without_a_colour() {
    let segments = parse("{[{L:bold}] {s:red}%dimmed%cyan}").expect("a format");
    let styled = |colour, effects| TextStyle { colour: Some(colour), effects };
    let (cyan, dimmed) = (Colour::Ansi(AnsiColor::Cyan), Effects::DIMMED);
    let level = styled(Colour::Severity, dimmed | Effects::BOLD);
    assert_eq!(
        pieces(&segments, &line("hello", LogLevel::Info), TextStyle::default()),
        [
            ("[".to_owned(), styled(cyan, dimmed)),
            ("INFO".to_owned(), level),
            (" ".to_owned(), level),
            ("] ".to_owned(), styled(cyan, dimmed)),
            ("hello".to_owned(), styled(Colour::Ansi(AnsiColor::Red), dimmed)),
        ]
    );
}

#[test]
fn a_mistake_is_reported_with_its_position() {
    for (format, at, reason) in [
        ("", 1, NO_MESSAGE),
        ("{L}", 1, NO_MESSAGE),
        ("{s", 1, UNCLOSED),
        ("{s} {L", 5, UNCLOSED),
        ("{s} {[{L}]%bold", 5, UNCLOSED),
        ("{s}}", 4, STRAY),
        ("{s} 50 %", 8, STRAY),
        ("ä {s} {}", 8, UNKNOWN),
        ("{bold} {s}", 2, EMPTY),
        ("{[x]%bold} {s}", 1, EMPTY),
        ("{s:bald}", 4, UNKNOWN),
        ("{s:bold:x}", 9, UNKNOWN),
        ("{s:<}", 4, UNKNOWN),
        ("{sL}", 2, UNKNOWN),
        ("{s:L}", 4, TWICE),
        ("{s:bold:bold}", 9, TWICE),
        ("{s:red:blue}", 8, TWICE),
        ("{s:5:6}", 6, TWICE),
        ("{s:1001}", 4, TOO_WIDE),
        ("{[{s}]%bald}", 8, NO_PARAMETER),
        ("{[{s}]%bold%}", 13, NO_PARAMETER),
    ] {
        let error = LogFormatError { at, reason };
        assert_eq!(parse(format), Err(error), "{format}");
        let text = error.to_string();
        assert!(text.contains(&format!("character {at}:")) || reason == NO_MESSAGE, "{text}");
    }
}

#[test]
fn formats_that_defmt_rejects_are_rejected() {
    for format in ["", "{L}", "{s", "{s:bald}", "{bold}", "{s:bold:bold}", "{s:red:blue}"] {
        let formatter = || drop(Formatter::new(FormatterConfig::custom(format)));
        assert!(std::panic::catch_unwind(formatter).is_err(), "{format}");
        assert!(parse(format).is_err(), "{format}");
    }
}

#[test]
fn any_text_is_a_format_or_a_mistake_within_it() {
    let mut random = SplitMix64::new(1);
    for length in 0..4_000 {
        let any = |_| random.pick(&['{', '}', '%', ':', 's', 'L', '<', '9', 'ü', 'f']);
        let text: String = (0..length % 24).map(any).collect();
        if let Err(LogFormatError { at, .. }) = parse(&text) {
            assert!(at <= text.chars().count() + 1, "{text}");
        }
    }
}
