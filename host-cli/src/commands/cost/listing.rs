//! Tables of many rows: objects, meshes and errors, the most expensive first, with their sums.

use std::fmt::Write as _;

use clap::builder::styling::{AnsiColor, Style};
use comfy_table::{Attribute, Cell, Color, Row, Table};
use lodger_core::cost::Provenance;
use lodger_core::cost::land_impact::ObjectWeight;
use lodger_opensim::pricing::{
    CostTotal, MeshPrice, PartPrice, location_labels, most_expensive_first, short_id,
};
use lodger_terminal::layout::{TableColumn, name, new_table, number, sentence};
use lodger_terminal::{RenderOptions, count, hint, sanitize, tail};

use super::render::{notes, scale, weights};
use super::report::{CostReport, GroupRow};
use super::weights::ObjectRow;

/// The maximum share of the line for a path, in percent.
const PATH: u16 = 40;

pub(super) fn listing(report: &CostReport, all: bool, style: RenderOptions) -> String {
    let mut sections = vec![totals(report, style)];
    if let Some(by) = &report.by {
        sections.push(groups(report, by, all, style));
    } else if report.rows.objects.iter().any(|row| !row.object.parts.is_empty()) {
        sections.push(parts_table(report, all, style));
    } else if !report.rows.objects.is_empty() {
        sections.push(objects(report, all, style));
    }
    if !report.rows.files.is_empty() {
        sections.push(files(report, all, style));
    }
    if !report.rows.errors.is_empty() {
        sections.push(errors(report, all, style));
    }
    if !report.rows.notes.is_empty() {
        let notes = report.rows.notes.iter().map(|row| format!("{}: {}", row.file, row.note));
        sections.push(self::notes(notes, all, style));
    }
    sections.retain(|section| !section.is_empty());
    sections.join("\n")
}

fn totals(report: &CostReport, style: RenderOptions) -> String {
    let bold = AnsiColor::Green.on_default().bold();
    let mut lines = String::new();
    let impact =
        |total: &CostTotal| style.paint(bold, &format!("Land impact {}", total.land_impact));
    let totals = &report.totals;
    if totals.objects.count > 0 {
        let what = count(totals.objects.count, "object");
        let _ = writeln!(lines, "{} of {what}, each from its own scale", impact(&totals.objects));
    }
    if let Some(first) = report.rows.files.first() {
        let (scale, count) = (scale(first.scale), count(totals.files.count, "mesh"));
        let of = if totals.objects.count > 0 { "by themselves" } else { "on their own" };
        let _ = writeln!(lines, "{} of {count} {of}, at {scale} each", impact(&totals.files));
    }
    if totals.errors > 0 {
        let text = format!("{} could not be priced.", count(totals.errors, "row"));
        lines += &style.paint(AnsiColor::Red.on_default().bold(), &text);
        lines.push('\n');
    }
    lines
}

fn files(report: &CostReport, all: bool, style: RenderOptions) -> String {
    let mut rows: Vec<_> = report.rows.files.iter().map(|row| (row, &row.detail.price)).collect();
    rows.sort_by(|(_, a), (_, b)| most_expensive_first(&a.assessment, &b.assessment));
    let more = (rows.len() - shown_rows(rows.len(), all), "mesh");
    rows.truncate(shown_rows(rows.len(), all));
    let rows = rows.into_iter().map(|(row, price)| {
        let path = row.file.strip_suffix("_mesh.llmesh").unwrap_or(&row.file);
        let cells = vec![name(&tail(path, name_width(style, PATH)))];
        let (total, trust) = (CostTotal::from(&price.assessment), mesh_trust(price));
        WeightRow { cells, price: total, trust, by: mesh_limit(price) }
    });
    let trust = least_certain(report.rows.files.iter().map(|row| mesh_trust(&row.detail.price)));
    let total = (vec![Cell::new("total")], &report.totals.files, trust);
    priced(vec![TableColumn::Name("Mesh", PATH)], rows.collect(), total, more, (true, style))
}

fn mesh_trust(price: &MeshPrice) -> Trust {
    [price.streaming_provenance, price.physics.provenance]
}

fn mesh_limit(price: &MeshPrice) -> String {
    match price.assessment.land_impact.limited_by {
        Some(ObjectWeight::Physics) => format!("physics ({})", price.physics.representation),
        Some(weight) => weight.to_string(),
        None => String::new(),
    }
}

fn errors(report: &CostReport, all: bool, style: RenderOptions) -> String {
    let mut table =
        new_table(style, &[TableColumn::Name("Not priced", PATH), TableColumn::Words("Why")]);
    let shown = shown_rows(report.rows.errors.len(), all);
    for row in &report.rows.errors[..shown] {
        let file = name(&tail(&row.file, name_width(style, PATH))).fg(Color::Red);
        table.add_row([file, sentence(&row.error)]);
    }
    with_rest(&table, report.rows.errors.len() - shown, "error", style)
}

fn name_width(style: RenderOptions, percent: u16) -> usize {
    const PADDING: usize = 4;
    /// The minimum characters of three weights, the land impact and its limit.
    const NUMBERS: usize = 56;
    let part = (style.width * usize::from(percent) / 100).saturating_sub(PADDING);
    part.min(style.width.saturating_sub(NUMBERS))
}

const MAX_SHOWN: usize = 20;
const MAX_ROW_LINES: usize = 2;

/// A row: its first cells, its weights, and its limiting weight.
#[derive(Debug)]
struct WeightRow {
    cells: Vec<Cell>,
    price: CostTotal,
    trust: Trust,
    by: String,
}

type Trust = [Provenance; 2];

fn least_certain(rows: impl IntoIterator<Item = Trust>) -> Trust {
    let worse = |[a, b]: Trust, [c, d]: Trust| [a.max(c), b.max(d)];
    rows.into_iter().reduce(worse).unwrap_or([Provenance::Exact; 2])
}

/// A table of rows with their sum, and the number of further rows. Estimated weights are marked.
fn priced(
    mut columns: Vec<TableColumn<'_>>,
    rows: Vec<WeightRow>,
    (mut total, sum, trust): (Vec<Cell>, &CostTotal, Trust),
    (more, noun): (usize, &str),
    (with_server, style): (bool, RenderOptions),
) -> String {
    let shown = if with_server { 3 } else { 2 };
    columns.extend(
        ["Streaming", "Physics", "Server"][..shown].iter().copied().map(TableColumn::Number),
    );
    columns.push(TableColumn::Number("Impact"));
    let with_resource = sum.resource.is_some();
    columns.extend(["SRC", "RRC"].into_iter().filter(|_| with_resource).map(TableColumn::Number));
    let is_limited = rows.iter().any(|row| !row.by.is_empty());
    columns.extend(is_limited.then_some(TableColumn::Words("Limited by")));
    let costs = |of: &CostTotal| {
        let resource = of.resource.map_or([0.0; 2], |costs| [costs.simulator, costs.region]);
        [of.streaming, of.physics, of.server, resource[0], resource[1]]
    };
    let prices = || rows.iter().map(|row| &row.price).chain([sum]);
    let decimals = [0, 1, 2, 3, 4].map(|which| weights(prices().map(|of| costs(of)[which])));
    let resource = |of: &CostTotal| {
        let cells = costs(of).into_iter().zip(decimals).skip(3).filter(|_| with_resource);
        cells.map(|(cost, column)| number(format!("~{}", column.show(cost)))).collect::<Vec<_>>()
    };
    let weights = |of: &CostTotal, [streaming, physics]: Trust| {
        let marks = [mark(streaming), mark(physics), ""];
        let cells = costs(of).into_iter().zip(decimals).zip(marks);
        let cells = cells.map(|((cost, column), mark)| format!("{mark}{}", column.show(cost)));
        cells.take(shown).map(number).collect::<Vec<_>>()
    };
    let mut table = new_table(style, &columns);
    for WeightRow { mut cells, price, trust, by } in rows {
        cells.extend(weights(&price, trust));
        cells.push(number(price.land_impact.to_string()).add_attribute(Attribute::Bold));
        cells.extend(resource(&price));
        cells.extend(is_limited.then(|| Cell::new_owned(by)));
        let mut row = Row::from(cells);
        row.max_height(MAX_ROW_LINES);
        table.add_row(row);
    }
    total.extend(weights(sum, trust));
    total.push(number(sum.land_impact.to_string()));
    total.extend(resource(sum));
    table.add_row(total.into_iter().map(|cell| cell.add_attribute(Attribute::Bold)));
    let constants = if with_resource { Provenance::Estimated } else { Provenance::Exact };
    with_rest(&table, more, noun, style) + &legend(trust.map(|of| of.max(constants)), style)
}

/// The mark of a weight that no document states.
fn mark(provenance: Provenance) -> &'static str {
    match provenance {
        Provenance::Exact | Provenance::Documented => "",
        Provenance::Estimated => "~",
        Provenance::Unknown => "?",
    }
}

fn legend(trust: Trust, style: RenderOptions) -> String {
    match trust.into_iter().max() {
        Some(Provenance::Estimated) => hint("~ estimated", style),
        Some(Provenance::Unknown) => {
            hint("~ estimated; ? of what no document says anything", style)
        }
        _ => String::new(),
    }
}

fn shown_rows(rows: usize, all: bool) -> usize {
    if all { rows } else { MAX_SHOWN.min(rows) }
}

fn with_rest(table: &Table, more: usize, noun: &str, style: RenderOptions) -> String {
    table.trim_fmt() + "\n" + &rest(more, noun, style)
}

fn rest(more: usize, noun: &str, style: RenderOptions) -> String {
    if more == 0 {
        return String::new();
    }
    let line = format!("… and {} more; --all shows all", count(more, noun));
    style.paint(Style::new().dimmed(), &line) + "\n"
}

/// The minimum width with the names of archives, or with prims and server weight.
const WIDE: usize = 100;
const ARCHIVE: usize = 10;
const WIDEST: usize = 130;
/// Sums by owner or parcel are not marked: they always contain estimates.
const SUMS: Trust = [Provenance::Documented; 2];

/// The objects of a report. On a narrow terminal, places replace prims and server weight, to
/// distinguish objects of one name.
fn objects(report: &CostReport, all: bool, style: RenderOptions) -> String {
    let several = |differ: fn(&ObjectRow, &ObjectRow) -> bool| {
        report.rows.objects.windows(2).any(|pair| differ(&pair[0], &pair[1]))
    };
    let rows = &report.rows.objects[..shown_rows(report.rows.objects.len(), all)];
    let max = if style.width >= WIDEST { 40 } else { 22 };
    let mut places = location_labels(rows.iter().map(|row| &row.object), max);
    let archives = several(|a, b| a.file != b.file);
    let archive = archives && style.width >= WIDE;
    if archives && !archive {
        for (place, row) in places.iter_mut().zip(rows) {
            *place = format!("{}: {place}", tail(&row.file, ARCHIVE));
        }
    }
    let owner = style.width >= WIDEST && several(|a, b| a.object.owner != b.object.owner);
    let place = places.iter().any(|place| !place.is_empty());
    let prims = !place || style.width >= if archive { WIDEST } else { WIDE };
    let mut columns = vec![TableColumn::Name("Object", 34)];
    columns.extend(archive.then_some(TableColumn::Name("Archive", 20)));
    columns.extend(place.then_some(TableColumn::Name("Where", 34)));
    columns.extend(owner.then_some(TableColumn::Name("Owner", 10)));
    let mut total = vec![Cell::new("total")];
    total.resize(columns.len(), Cell::new(""));
    let sum: u64 =
        report.rows.objects.iter().map(|row| u64::from(row.price.assessment.prims)).sum();
    total.extend(prims.then(|| number(sum.to_string())));
    columns.extend(prims.then_some(TableColumn::Number("Prims")));
    let cells = rows.iter().zip(&places).map(|(row, at)| {
        let mut cells = vec![name(&row.object.name)];
        cells.extend(archive.then(|| name(&row.file)));
        cells.extend(place.then(|| name(at)));
        let of = || Cell::new(row.object.owner.map(short_id).unwrap_or_default());
        cells.extend(owner.then(of));
        cells.extend(prims.then(|| number(row.price.assessment.prims.to_string())));
        let (price, trust) = (CostTotal::from(&row.price.assessment), object_trust(row));
        WeightRow { cells, price, trust, by: object_limit(row) }
    });
    let trust = least_certain(report.rows.objects.iter().map(object_trust));
    let more = (report.rows.objects.len() - rows.len(), "object");
    priced(columns, cells.collect(), (total, &report.totals.objects, trust), more, (prims, style))
}

fn object_trust(row: &ObjectRow) -> Trust {
    [row.price.streaming_provenance, row.price.assessment.physics_provenance]
}

fn object_limit(row: &ObjectRow) -> String {
    let by = row.price.assessment.land_impact.limited_by;
    let by = by.map_or_else(|| "prims".to_owned(), |weight| weight.to_string());
    if row.price.physical { format!("{by}, physical") } else { by }
}

fn groups(report: &CostReport, by: &str, all: bool, style: RenderOptions) -> String {
    let groups = report.groups.as_deref().unwrap_or_default();
    let heading = if by == "owner" { "Owner" } else { "Parcel" };
    let is_wide = style.width >= WIDE;
    let mut columns = vec![TableColumn::Name(heading, 50), TableColumn::Number("Objects")];
    columns.extend(is_wide.then_some(TableColumn::Number("Prims")));
    let cells = |label: &str, objects: usize, prims: u64| {
        let mut cells = vec![name(label), number(objects.to_string())];
        cells.extend(is_wide.then(|| number(prims.to_string())));
        cells
    };
    let rows = groups[..shown_rows(groups.len(), all)].iter().map(|GroupRow(group)| {
        let label = group.label(&format!("no {by}"));
        let cells = cells(&label, group.total.count, group.prims);
        WeightRow { cells, price: group.total, trust: SUMS, by: String::new() }
    });
    let prims = groups.iter().map(|GroupRow(group)| group.prims).sum();
    let sum = &report.totals.objects;
    let more = (groups.len() - rows.len(), by);
    let total = (cells("total", sum.count, prims), sum, SUMS);
    priced(columns, rows.collect(), total, more, (is_wide, style))
}

const INDENT: &str = "  ";
const WIDE_PARTS: usize = 120;
const PLACE: usize = 40;

fn parts_table(report: &CostReport, all: bool, style: RenderOptions) -> String {
    let rows = &report.rows.objects[..shown_rows(report.rows.objects.len(), all)];
    let blocks = rows.iter().zip(location_labels(rows.iter().map(|row| &row.object), PLACE)).map(
        |(row, place)| {
            let heading = style.paint(Style::new().bold(), &sanitize(&row.object.name));
            let place = if place.is_empty() { place } else { format!(" ({})", sanitize(&place)) };
            let impact = row.price.assessment.land_impact.value;
            let line =
                format!("{heading}{place}: land impact {impact}, limited by {}", object_limit(row));
            line + "\n" + &table(row, style)
        },
    );
    let blocks: Vec<_> = blocks.collect();
    blocks.join("\n") + &rest(report.rows.objects.len() - rows.len(), "object", style)
}

fn table(row: &ObjectRow, style: RenderOptions) -> String {
    let is_wide = style.width >= WIDE_PARTS;
    let parts = &row.object.parts;
    let mut columns = vec![
        TableColumn::Number("#"),
        TableColumn::Name("Part", 30),
        TableColumn::Name("Shape", 12),
    ];
    columns.extend(is_wide.then_some(TableColumn::Name("Scale", 24)));
    columns.extend(is_wide.then_some(TableColumn::Number("Scripts")));
    columns.extend(["Triangles", "Streaming", "Physics"].map(TableColumn::Number));
    columns.push(TableColumn::Words("Trust; collides as"));
    let width = style.width - INDENT.len();
    let mut table = new_table(RenderOptions { width, ..style }, &columns);
    let streaming = weights(parts.iter().map(|part| part.streaming));
    let physics = weights(parts.iter().map(|part| part.physics.cost));
    for (index, part) in parts.iter().enumerate() {
        let mesh = part.shape.mesh().filter(|_| is_wide).map(short_id);
        let shape = [Some(part.shape.to_string()), mesh].into_iter().flatten();
        let mut cells = vec![number((index + 1).to_string()), name(&part.name)];
        cells.push(Cell::new_owned(shape.collect::<Vec<_>>().join(" ")));
        cells.extend(is_wide.then(|| Cell::new_owned(scale(part.scale))));
        cells.extend(is_wide.then(|| number(part.scripts.to_string())));
        cells.push(number(triangles(part)));
        cells.push(number(streaming.show(part.streaming)));
        cells.push(number(physics.show(part.physics.cost)));
        let (trust, physics) = (part.streaming_provenance, &part.physics);
        let collides = format!("{trust}; {}, {}", physics.representation, physics.provenance);
        cells.push(Cell::new_owned(collides));
        table.add_row(cells);
    }
    let text = table.trim_fmt().replace('\n', &format!("\n{INDENT}"));
    format!("{INDENT}{text}\n")
}

fn triangles(part: &PartPrice) -> String {
    let high = part.geometry.and_then(|lods| lods.high);
    match (part.shape.mesh(), high) {
        (_, Some(counts)) => counts.triangles.to_string(),
        (Some(_), None) => "?".to_owned(),
        (None, None) => String::new(),
    }
}
