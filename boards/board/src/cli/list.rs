//! `lodger board list`: plugged-in probes and known boards.

use std::fmt::Write as _;

use clap::builder::styling::{AnsiColor, Style};
use comfy_table::{Cell, Table};
use lodger_board::{ProbeInfo, probes};
use lodger_terminal::layout::{TableColumn, name, new_table};
use lodger_terminal::{Diagnostic, OutputTarget, RenderOptions, output, sanitize};
use lodger_wire::boards::BoardEntry;
use serde::Serialize;

use super::args::ListArgs;
use super::output::FINE;

#[derive(Serialize)]
struct ListReport<'a> {
    schema: u32,
    probes: &'a [ProbeInfo],
    boards: Vec<ListRow<'a>>,
}

#[derive(Serialize)]
struct ListRow<'a> {
    name: &'a str,
    target: &'a str,
    chip: Option<&'a str>,
    emulated: bool,
}

impl<'a> ListReport<'a> {
    fn new(probes: &'a [ProbeInfo], boards: &'a [BoardEntry]) -> Self {
        let row = |board: &'a BoardEntry| ListRow {
            name: &board.name,
            target: &board.target,
            chip: board.chip.as_deref(),
            emulated: board.emulated,
        };
        Self { schema: 1, probes, boards: boards.iter().map(row).collect() }
    }
}

pub(crate) fn run(args: &ListArgs) -> Result<u8, Diagnostic> {
    let probes = probes();
    let report = ListReport::new(&probes, lodger_wire::boards::all());
    let rendered = if args.output.as_json() {
        output::json(&report)?
    } else {
        table(&report, RenderOptions::for_target(OutputTarget::Stdout)).into_bytes()
    };
    output::write(OutputTarget::Stdout, &rendered)?;
    Ok(FINE)
}

fn table(report: &ListReport<'_>, render: RenderOptions) -> String {
    let heading = |text: &str| render.paint(Style::new().bold(), text);
    let mut text = heading("Debug probes") + "\n";
    if report.probes.is_empty() {
        text += "none is plugged in; name an emulated one with --probe\n";
    } else {
        text += &(probes_table(report.probes, render).trim_fmt() + "\n");
    }
    for probe in report.probes.iter().filter(|probe| !probe.accessible) {
        let line = format!(
            "{} cannot be used: a udev rule is missing",
            sanitize(&probe.selector.to_string())
        );
        let _ = writeln!(text, "{}", render.paint(AnsiColor::Yellow.on_default(), &line));
    }
    let _ = write!(
        text,
        "\n{}\n{}\n",
        heading("Boards"),
        boards_table(&report.boards, render).trim_fmt()
    );
    text + "Every other chip of probe-rs works too, by its name: --chip CHIP.\n"
}

fn probes_table(probes: &[ProbeInfo], render: RenderOptions) -> Table {
    let columns =
        [TableColumn::Words("Selector"), TableColumn::Words("Kind"), TableColumn::Words("Serial")];
    let mut table = new_table(render, &columns);
    for probe in probes {
        let serial = probe.serial.as_deref().unwrap_or("–");
        table.add_row([name(&probe.selector.to_string()), name(&probe.kind), name(serial)]);
    }
    table
}

fn boards_table(boards: &[ListRow<'_>], render: RenderOptions) -> Table {
    let columns = ["Board", "Chip", "Target", "Kind"].map(TableColumn::Words);
    let mut table = new_table(render, &columns);
    for board in boards {
        let kind = match (board.emulated, board.chip) {
            (false, Some(_)) => "real",
            (false, None) => "real, no probe: espflash",
            (true, Some(_)) => "emulated, through an emulated probe",
            (true, None) => "emulated, no probe: cargo xtask qemu",
        };
        let chip = board.chip.unwrap_or("–");
        table.add_row([board.name, chip, board.target, kind].map(Cell::new));
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn probe(accessible: bool) -> ProbeInfo {
        let selector = "0d28:0204:9900".parse().expect("a selector");
        let kind = "micro:bit (CMSIS-DAP)".to_owned();
        ProbeInfo { selector, kind, serial: Some("9900".to_owned()), accessible }
    }

    #[test]
    fn the_document_has_its_keys() {
        let probes = [probe(true)];
        let report = ListReport::new(&probes, lodger_wire::boards::all());
        let value = serde_json::to_value(&report).expect("JSON");
        assert_eq!(value["schema"], 1);
        assert_eq!(value["probes"][0]["selector"], "0d28:0204:9900");
        assert_eq!(value["probes"][0]["serial"], "9900");
        assert_eq!(value["boards"][0]["name"], "microbit");
        assert_eq!(value["boards"][0]["chip"], serde_json::Value::Null);
        assert_eq!(value["boards"][0]["emulated"], true);
        let keys = lodger_testkit::page::key_paths(&value, &[]);
        assert_eq!(crate::json::tests::keys_on_page()["lodger board list: JSON"], keys);
    }

    #[test]
    fn an_inaccessible_probe_is_shown() {
        let render = RenderOptions { width: 100, colour: false };
        let probes = [probe(false)];
        let text = table(&ListReport::new(&probes, lodger_wire::boards::all()), render);
        assert!(text.contains("0d28:0204:9900 cannot be used"), "{text}");
        let text = table(&ListReport::new(&[], lodger_wire::boards::all()), render);
        assert!(text.contains("none is plugged in") && text.contains("microbit"), "{text}");
        assert!(text.contains("real, no probe: espflash"), "{text}");
        assert!(text.ends_with("by its name: --chip CHIP.\n"), "{text}");
    }
}
