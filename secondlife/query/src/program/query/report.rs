//! Reports in all formats, and their plots.

use std::io::{self, Write};
use std::path::Path;

use arrow::array::{Array, AsArray, RecordBatch};
use arrow::datatypes::Int64Type;
use clap::builder::styling::Style;
use comfy_table::Cell;
use lodger_grid::dataset::SourceEntry;
use lodger_grid::report::{Bin, QueryReport, ReportSection};
use lodger_terminal::layout::{name, number, sentence};
use lodger_terminal::plot::{self, Bar, BarChart};
use lodger_terminal::{
    Diagnostic, OutputTarget, RenderOptions, labelled, output, wrapped, write_table,
};
use serde_json::{Map, Value, json};

use super::args::{QueryFormat, QueryOutputArgs};
use super::result_stream::{BatchWriter, CsvWriter, ParquetWriter, json_rows};
use super::table::{ColumnTexts, column, decimal, heading, is_millionths, is_number, short};

/// Columns of which the first that is not null is shown in full.
const KEYS: [&str; 4] = ["object", ID, HASH, "owner"];
const ID: &str = "id";
const HASH: &str = "hash";
/// Columns that only JSON, CSV and Parquet contain.
const LEFT_OUT: [&str; 2] = ["scripts", "meshes"];
/// A column that a table contains if its values differ.
const SOURCE: &str = "source";

pub(super) fn write(report: &QueryReport, args: &QueryOutputArgs) -> Result<(), Diagnostic> {
    let target = args.target();
    match args.format {
        QueryFormat::Table => {
            let style = RenderOptions::for_target(target);
            output::write_with(target, |out| table(report, style, out))
        }
        QueryFormat::Json => {
            let document = document(report);
            let document = document.map_err(|error| cannot_show(&error))?;
            output::write_json(target, &document)
        }
        format => output::write_with(target, |out| write_list(report, format, out)),
    }
}

fn cannot_show(error: &io::Error) -> Diagnostic {
    Diagnostic::error(format!("cannot show the report: {error}"))
}

fn write_list(report: &QueryReport, format: QueryFormat, out: &mut dyn Write) -> io::Result<()> {
    let Some(list) = report.lists.first() else { return Ok(()) };
    let mut rows: Box<dyn BatchWriter + '_> = match format {
        QueryFormat::Parquet => Box::new(ParquetWriter::new(&list.schema, out)?),
        _ => Box::new(CsvWriter::new(&list.schema, out)?),
    };
    rows.write(&list.rows)?;
    rows.finish()
}

fn document(report: &QueryReport) -> io::Result<Value> {
    let mut document = Map::new();
    document.insert("schema".to_owned(), json!(1));
    document.insert("report".to_owned(), json!(report.name));
    for (option, value) in &report.parameters {
        document.insert((*option).to_owned(), json!(value));
    }
    document.insert("sources".to_owned(), json!(report.sources));
    let totals = json_rows(&report.totals.rows)?;
    document.insert("totals".to_owned(), totals.get(0).cloned().unwrap_or_default());
    for list in &report.lists {
        document.insert(list.name.to_owned(), json_rows(&list.rows)?);
    }
    if !report.distribution.is_empty() {
        document.insert("distribution".to_owned(), json!(report.distribution));
    }
    document.insert("notes".to_owned(), json!(report.notes));
    Ok(Value::Object(document))
}

fn table(report: &QueryReport, style: RenderOptions, out: &mut dyn Write) -> io::Result<()> {
    for list in &report.lists {
        if list.rows.num_rows() > 0 {
            writeln!(out, "{}", style.paint(Style::new().bold(), &list.heading))?;
            write_section(list, style, out)?;
            writeln!(out)?;
        }
    }
    writeln!(out, "{}", style.paint(Style::new().bold(), &report.totals.heading))?;
    write_totals(&report.totals, out)?;
    writeln!(out)?;
    for source in &report.sources {
        out.write_all(labelled("source:", Style::new(), &source_label(source), style).as_bytes())?;
    }
    for note in &report.notes {
        out.write_all(labelled("note:", Style::new().bold(), note, style).as_bytes())?;
    }
    if !report.parameters.is_empty() {
        let parameters: Vec<_> =
            report.parameters.iter().map(|(name, value)| format!("{name}: {value}")).collect();
        writeln!(out, "{}", wrapped(&parameters.join(", "), style))?;
    }
    Ok(())
}

fn source_label(source: &SourceEntry) -> String {
    if source.whole {
        source.name.clone()
    } else {
        format!("{} (not read to its end)", source.name)
    }
}

/// Writes a list; each row shows one key in full.
fn write_section(
    section: &ReportSection,
    style: RenderOptions,
    out: &mut dyn Write,
) -> io::Result<()> {
    let (fields, rows) = (section.schema.fields(), &section.rows);
    let column_of = |name: &str| {
        let place = fields.iter().position(|field| field.name() == name)?;
        (rows.column(place).null_count() < rows.num_rows()).then_some(place)
    };
    let texts = ColumnTexts::new(rows).map_err(io::Error::other)?;
    let has_different = |place: usize| {
        let mut all = (0..rows.num_rows()).map(|row| texts.texts(row).nth(place));
        let first = all.next();
        all.any(|text| Some(text) != first)
    };
    // The hash replaces a missing identifier.
    let hash = column_of(ID).and_then(|_| column_of(HASH));
    let shown = |place: &usize| {
        let name = fields[*place].name().as_str();
        let is_listed = !LEFT_OUT.contains(&name) && (name != SOURCE || has_different(*place));
        is_listed && column_of(name).is_some() && hash != Some(*place)
    };
    let places: Vec<usize> = (0..fields.len()).filter(shown).collect();
    let heading = |place: &usize| match fields[*place].name().as_str() {
        ID if hash.is_some() => "Id or hash".to_owned(),
        name => heading(name),
    };
    let headings: Vec<_> = places.iter().map(heading).collect();
    let columns: Vec<_> = places
        .iter()
        .zip(&headings)
        .map(|(place, heading)| column(&fields[*place], heading))
        .collect();
    let keys: Vec<_> = KEYS.into_iter().filter_map(column_of).collect();
    let row = |row: usize| {
        let all: Vec<_> = texts.texts(row).collect();
        let key = keys.iter().copied().find(|key| rows.column(*key).is_valid(row));
        let cell = |place: &usize| {
            let is_known = fields[*place].name() != ID || rows.column(*place).is_valid(row);
            let from = hash.filter(|_| !is_known).unwrap_or(*place);
            cell(rows, from, row, &all[from], key == Some(from))
        };
        places.iter().map(cell).collect::<Vec<_>>().into()
    };
    write_table(style, &columns, || (0..rows.num_rows()).map(row), out)
}

fn cell(rows: &RecordBatch, place: usize, row: usize, text: &str, in_full: bool) -> Cell {
    let (schema, column) = (rows.schema(), rows.column(place));
    let field = schema.field(place);
    match column.as_primitive_opt::<Int64Type>() {
        Some(values) if is_millionths(field.name()) && values.is_valid(row) => {
            number(decimal(values.value(row)))
        }
        _ if is_number(field.data_type()) => number(text.to_owned()),
        _ if in_full => sentence(text),
        // The full paths are listed below.
        _ if field.name() == SOURCE => name(text.rsplit('/').next().unwrap_or(text)),
        _ => name(&short(text)),
    }
}

fn write_totals(totals: &ReportSection, out: &mut dyn Write) -> io::Result<()> {
    let texts = ColumnTexts::new(&totals.rows).map_err(io::Error::other)?;
    let fields = totals.schema.fields();
    let values = if totals.rows.num_rows() == 0 { Vec::new() } else { texts.texts(0).collect() };
    let shown = |(place, text): (usize, String)| {
        let column = totals.rows.column(place).as_primitive_opt::<Int64Type>();
        match column {
            Some(column) if is_millionths(fields[place].name()) => decimal(column.value(0)),
            _ => text,
        }
    };
    let values: Vec<_> = values.into_iter().enumerate().map(shown).collect();
    let headings: Vec<_> = fields.iter().map(|field| heading(field.name())).collect();
    let widest =
        |texts: &[String]| texts.iter().map(|text| text.chars().count()).max().unwrap_or(0);
    let (left, right) = (widest(&headings), widest(&values));
    for (heading, value) in headings.iter().zip(&values) {
        writeln!(out, "  {heading:left$}  {value:>right$}")?;
    }
    Ok(())
}

pub(super) fn plot_land_impacts(report: &QueryReport, file: &Path) -> Result<(), Diagnostic> {
    let rules = report.parameters.iter().find(|(option, _)| *option == "rules");
    let rules = rules.map_or("", |(_, rules)| rules);
    let objects: u64 = report.distribution.iter().map(|bin| bin.value).sum();
    let bars: Vec<_> = report.distribution.iter().map(|bin| bar(bin, grouped(bin.value))).collect();
    let picture = BarChart {
        heading: "Land impact",
        conditions: &format!("{} objects, {rules} rules", grouped(objects)),
        across: "land impact of an object",
        up: "objects",
        bars: &bars,
    };
    draw(&picture, file)
}

pub(super) fn plot_bytes(report: &QueryReport, file: &Path) -> Result<(), Diagnostic> {
    let all: u64 = report.distribution.iter().map(|bin| bin.value).sum();
    let bars: Vec<_> = report.distribution.iter().map(|bin| bar(bin, binary(bin.value))).collect();
    let picture = BarChart {
        heading: "Bytes of meshes by level of detail",
        conditions: &format!("{} in all meshes, compressed as stored", binary(all)),
        across: "level of detail",
        up: "bytes",
        bars: &bars,
    };
    draw(&picture, file)
}

#[expect(clippy::cast_precision_loss, reason = "a bar has no more than a thousand pixels")]
fn bar(bin: &Bin, text: String) -> Bar {
    Bar { label: bin.label.clone(), value: bin.value as f64, value_text: text }
}

fn draw(picture: &BarChart<'_>, file: &Path) -> Result<(), Diagnostic> {
    let svg = plot::bars(picture)?;
    output::write(OutputTarget::File(file), svg.as_bytes())
}

fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<_> = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy).collect();
    groups.join("\u{202f}")
}

/// Formats bytes in the smallest unit with at most three integer digits.
#[expect(clippy::cast_precision_loss, reason = "three digits are shown")]
fn binary(bytes: u64) -> String {
    const UNITS: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let mut amount = bytes as f64;
    let mut text = format!("{bytes} B");
    for unit in UNITS {
        if amount < 1_000.0 {
            break;
        }
        amount /= 1_024.0;
        text = format!("{amount:.1} {unit}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_formatted_for_readers() {
        let groups = [0, 999, 1_000, 1_234_567].map(grouped);
        assert_eq!(groups, ["0", "999", "1\u{202f}000", "1\u{202f}234\u{202f}567"]);
        let bytes = [0, 999, 1_000, 1 << 20, u64::MAX].map(binary);
        assert_eq!(bytes, ["0 B", "999 B", "1.0 KiB", "1.0 MiB", "16.0 EiB"]);
    }
}
