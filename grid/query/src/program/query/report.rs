//! Reports, in the forms that are asked for.

use std::io::{self, Write};

use arrow::array::{Array, AsArray, RecordBatch};
use arrow::datatypes::Int64Type;
use clap::builder::styling::Style;
use comfy_table::Cell;
use lodger_grid::dataset::SourceEntry;
use lodger_grid::report::{Report, Section};
use lodger_terminal::layout::{Column, name, number};
use lodger_terminal::{Diagnostic, Look, labelled, output, wrapped, write_table};
use serde_json::{Map, Value, json};

use super::args::{FormatArg, Places};
use super::cell::{Texts, decimal, heading, is_number, short};
use super::formats::{Csv, Parquet, Rows, json_rows};

/// What the columns of millionths end in.
const MILLIONTHS: &str = "_millionths";
/// What is named in full: the first of these that a list has.
const KEYS: [&str; 4] = ["object", "id", "hash", "owner"];
/// What only JSON, CSV and Parquet have.
const LEFT_OUT: [&str; 3] = ["source", "scripts", "meshes"];

/// Writes a report.
pub(super) fn write(report: &Report, places: &Places) -> Result<(), Diagnostic> {
    let target = places.target();
    match places.format {
        FormatArg::Table => {
            let look = Look::of(target);
            output::write_with(target, |out| table(report, look, out))
        }
        FormatArg::Json => {
            let document = document(report);
            let document = document.map_err(|error| cannot(&error))?;
            output::write_json(target, &document)
        }
        format => output::write_with(target, |out| list(report, format, out)),
    }
}

fn cannot(error: &io::Error) -> Diagnostic {
    Diagnostic::error(format!("cannot show the report: {error}"))
}

/// The first list alone.
fn list(report: &Report, format: FormatArg, out: &mut dyn Write) -> io::Result<()> {
    let Some(list) = report.lists.first() else { return Ok(()) };
    let mut rows: Box<dyn Rows + '_> = match format {
        FormatArg::Parquet => Box::new(Parquet::new(&list.schema, out)?),
        _ => Box::new(Csv::new(&list.schema, out)?),
    };
    rows.write(&list.rows)?;
    rows.finish()
}

fn document(report: &Report) -> io::Result<Value> {
    let mut document = Map::new();
    document.insert("schema".to_owned(), json!(1));
    document.insert("report".to_owned(), json!(report.name));
    for (option, value) in &report.asked {
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

fn table(report: &Report, look: Look, out: &mut dyn Write) -> io::Result<()> {
    for list in &report.lists {
        if list.rows.num_rows() > 0 {
            writeln!(out, "{}", look.paint(Style::new().bold(), &list.heading))?;
            section(list, look, out)?;
            writeln!(out)?;
        }
    }
    writeln!(out, "{}", look.paint(Style::new().bold(), &report.totals.heading))?;
    totals(&report.totals, out)?;
    writeln!(out)?;
    for source in &report.sources {
        out.write_all(labelled("source:", Style::new(), &told(source), look).as_bytes())?;
    }
    for note in &report.notes {
        out.write_all(labelled("note:", Style::new().bold(), note, look).as_bytes())?;
    }
    if !report.asked.is_empty() {
        let asked: Vec<_> =
            report.asked.iter().map(|(name, value)| format!("{name}: {value}")).collect();
        writeln!(out, "{}", wrapped(&asked.join(", "), look))?;
    }
    Ok(())
}

fn told(source: &SourceEntry) -> String {
    if source.whole {
        source.name.clone()
    } else {
        format!("{} (not read to its end)", source.name)
    }
}

/// A list; of what is named in it, one column in full.
fn section(section: &Section, look: Look, out: &mut dyn Write) -> io::Result<()> {
    let fields = section.schema.fields();
    let shown = |place: &usize| {
        let field = &fields[*place];
        let is_empty = section.rows.column(*place).null_count() == section.rows.num_rows();
        !LEFT_OUT.contains(&field.name().as_str()) && !is_empty
    };
    let places: Vec<usize> = (0..fields.len()).filter(shown).collect();
    let key = KEYS
        .iter()
        .find_map(|key| places.iter().copied().find(|place| fields[*place].name() == key));
    let headings: Vec<_> = places.iter().map(|place| heading(fields[*place].name())).collect();
    let column =
        |(place, heading): (&usize, &'_ String)| -> (usize, String) { (*place, heading.clone()) };
    let named: Vec<_> = places.iter().zip(&headings).map(column).collect();
    let columns: Vec<_> = named
        .iter()
        .map(|(place, heading)| match is_number(fields[*place].data_type()) {
            true => Column::Number(heading),
            false => Column::Words(heading),
        })
        .collect();
    let texts = Texts::of(&section.rows).map_err(io::Error::other)?;
    let rows = || {
        (0..section.rows.num_rows()).map(|row| {
            let all: Vec<_> = texts.shown(row).collect();
            let cell =
                |place: &usize| cell(&section.rows, *place, row, &all[*place], key == Some(*place));
            places.iter().map(cell).collect::<Vec<_>>().into()
        })
    };
    write_table(look, &columns, rows, out)
}

fn cell(rows: &RecordBatch, place: usize, row: usize, text: &str, in_full: bool) -> Cell {
    let (schema, column) = (rows.schema(), rows.column(place));
    let field = schema.field(place);
    match column.as_primitive_opt::<Int64Type>() {
        Some(values) if field.name().ends_with(MILLIONTHS) && values.is_valid(row) => {
            number(decimal(values.value(row)))
        }
        _ if is_number(field.data_type()) => number(text.to_owned()),
        _ if in_full => name(text),
        _ => name(&short(text)),
    }
}

/// One row, a line for each of its values.
fn totals(totals: &Section, out: &mut dyn Write) -> io::Result<()> {
    let texts = Texts::of(&totals.rows).map_err(io::Error::other)?;
    let fields = totals.schema.fields();
    let values = if totals.rows.num_rows() == 0 { Vec::new() } else { texts.shown(0).collect() };
    let shown = |(place, text): (usize, String)| {
        let column = totals.rows.column(place).as_primitive_opt::<Int64Type>();
        match column {
            Some(column) if fields[place].name().ends_with(MILLIONTHS) => decimal(column.value(0)),
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
