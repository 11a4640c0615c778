//! Reports, in the forms that are asked for.

use std::io::{self, Write};

use arrow::array::{Array, AsArray, RecordBatch};
use arrow::datatypes::Int64Type;
use clap::builder::styling::Style;
use comfy_table::Cell;
use lodger_grid::dataset::SourceEntry;
use lodger_grid::report::{Report, Section};
use lodger_terminal::layout::{name, number, sentence};
use lodger_terminal::{Diagnostic, Look, labelled, output, wrapped, write_table};
use serde_json::{Map, Value, json};

use super::args::{FormatArg, Places};
use super::cell::{Texts, column, decimal, heading, is_millionths, is_number, short};
use super::formats::{Csv, Parquet, Rows, json_rows};

/// What is named in full: the first of these that a row has.
const KEYS: [&str; 4] = ["object", ID, HASH, "owner"];
const ID: &str = "id";
const HASH: &str = "hash";
/// What only JSON, CSV and Parquet have.
const LEFT_OUT: [&str; 2] = ["scripts", "meshes"];
/// What a table has too where its rows are of several.
const SOURCE: &str = "source";

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

/// A list; of what a row names, one thing in full.
fn section(section: &Section, look: Look, out: &mut dyn Write) -> io::Result<()> {
    let (fields, rows) = (section.schema.fields(), &section.rows);
    let of_name = |name: &str| {
        let place = fields.iter().position(|field| field.name() == name)?;
        (rows.column(place).null_count() < rows.num_rows()).then_some(place)
    };
    let texts = Texts::of(rows).map_err(io::Error::other)?;
    let is_various = |place: usize| {
        let mut all = (0..rows.num_rows()).map(|row| texts.shown(row).nth(place));
        let first = all.next();
        all.any(|text| Some(text) != first)
    };
    // Only what has no identifier is called by its hash.
    let hash = of_name(ID).and_then(|_| of_name(HASH));
    let shown = |place: &usize| {
        let name = fields[*place].name().as_str();
        let is_asked = !LEFT_OUT.contains(&name) && (name != SOURCE || is_various(*place));
        is_asked && of_name(name).is_some() && hash != Some(*place)
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
    let keys: Vec<_> = KEYS.into_iter().filter_map(of_name).collect();
    let row = |row: usize| {
        let all: Vec<_> = texts.shown(row).collect();
        let key = keys.iter().copied().find(|key| rows.column(*key).is_valid(row));
        let cell = |place: &usize| {
            let is_there = fields[*place].name() != ID || rows.column(*place).is_valid(row);
            let from = hash.filter(|_| !is_there).unwrap_or(*place);
            cell(rows, from, row, &all[from], key == Some(from))
        };
        places.iter().map(cell).collect::<Vec<_>>().into()
    };
    write_table(look, &columns, || (0..rows.num_rows()).map(row), out)
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
        // The path of each is told below.
        _ if field.name() == SOURCE => name(text.rsplit('/').next().unwrap_or(text)),
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
