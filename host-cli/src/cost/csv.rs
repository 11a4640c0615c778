//! Costs as CSV.

use csv::Writer;

use super::report::{FileRow, ObjectRow, PerLod, Report};
use super::sweep::Point;
use super::target::Answer;
use lodger_terminal::Diagnostic;

const REPORT: [&str; 33] = [
    "file",
    "object",
    "prims",
    "meshes",
    "scripts",
    "physical",
    "scale_x",
    "scale_y",
    "scale_z",
    "radius",
    "rules",
    "streaming",
    "physics",
    "physics_penalised",
    "representation",
    "provenance",
    "server",
    "accounting",
    "land_impact",
    "limited_by",
    "triangles_lowest",
    "triangles_low",
    "triangles_medium",
    "triangles_high",
    "share_lowest",
    "share_low",
    "share_medium",
    "share_high",
    "bytes_lowest",
    "bytes_low",
    "bytes_medium",
    "bytes_high",
    "error",
];

const SWEEP: [&str; 12] = [
    "size",
    "scale_x",
    "scale_y",
    "scale_z",
    "radius",
    "streaming",
    "physics",
    "representation",
    "server",
    "land_impact",
    "limited_by",
    "mark",
];

const TARGET: [&str; 22] = [
    "file",
    "target",
    "land_impact",
    "limited_by",
    "streaming",
    "bytes_possible",
    "alone_lowest",
    "alone_low",
    "alone_medium",
    "alone_high",
    "together_lowest",
    "together_low",
    "together_medium",
    "together_high",
    "size_limit",
    "scale_x",
    "scale_y",
    "scale_z",
    "longest_side",
    "all_smaller",
    "why_not",
    "notes",
];

/// A row for each file, object and error.
pub(crate) fn report(report: &Report) -> Result<Vec<u8>, Diagnostic> {
    let files = report.files.iter().map(file);
    let objects = report.objects.iter().map(object);
    let errors = report.errors.iter().map(|row| {
        let mut cells = vec![String::new(); REPORT.len()];
        cells[0].clone_from(&row.file);
        if let Some(last) = cells.last_mut() {
            last.clone_from(&row.error);
        }
        cells
    });
    written(&REPORT, files.chain(objects).chain(errors))
}

/// A row for each size.
pub(crate) fn sweep(points: &[Point]) -> Result<Vec<u8>, Diagnostic> {
    written(
        &SWEEP,
        points.iter().map(|point| {
            let mut cells = vec![point.size.to_string()];
            cells.extend(point.scale.map(|side| side.to_string()));
            cells.extend(
                [point.radius, point.streaming, point.physics].map(|cost| cost.to_string()),
            );
            cells.push(point.representation.to_owned());
            cells.extend([point.server.to_string(), point.land_impact.to_string()]);
            cells.push(point.limited_by.to_owned());
            cells.push(point.mark.as_ref().map(super::sweep::Mark::text).unwrap_or_default());
            cells
        }),
    )
}

/// One row.
pub(crate) fn target(answer: &Answer) -> Result<Vec<u8>, Diagnostic> {
    let now = &answer.now;
    let or_empty = |value: Option<String>| value.unwrap_or_default();
    let mut cells = vec![now.file.clone(), answer.target.to_string()];
    cells.extend(impact(&now.land_impact));
    cells.extend([now.streaming.cost.to_string(), answer.bytes.possible.to_string()]);
    cells.extend(answer.bytes.alone.each().map(|size| or_empty(size.map(|size| size.to_string()))));
    match &answer.bytes.together {
        Some(sizes) => cells.extend(texts(sizes)),
        None => cells.extend([const { String::new() }; 4]),
    }
    cells.push(answer.size.limit.name().to_owned());
    match answer.size.scale {
        Some(sides) => cells.extend(sides.map(|side| side.to_string())),
        None => cells.extend([const { String::new() }; 3]),
    }
    cells.push(or_empty(answer.size.longest_side.map(|side| side.to_string())));
    cells.push(answer.size.all_smaller.to_string());
    cells.push(or_empty(answer.bytes.why_not.clone()));
    cells.push(answer.notes.join("; "));
    written(&TARGET, std::iter::once(cells))
}

fn file(row: &FileRow) -> Vec<String> {
    let mut cells = vec![row.file.clone()];
    cells.extend([const { String::new() }; 5]);
    cells.extend(row.scale.map(|side| side.to_string()));
    cells.extend([row.radius.to_string(), row.streaming.rules.to_owned()]);
    let costs = [row.streaming.cost, row.physics.cost, row.physics.penalised];
    cells.extend(costs.map(|cost| cost.to_string()));
    cells.extend([row.physics.representation, row.physics.provenance].map(str::to_owned));
    cells.extend([row.server.cost.to_string(), "new".to_owned()]);
    cells.extend(impact(&row.land_impact));
    cells.extend(texts(&row.streaming.triangles));
    cells.extend(texts(&row.streaming.share));
    cells.extend(texts(&row.streaming.bytes));
    cells.push(String::new());
    cells
}

fn object(row: &ObjectRow) -> Vec<String> {
    let mut cells = vec![row.file.clone(), row.object.clone()];
    cells.extend([row.prims, row.meshes, row.scripts].map(|count| count.to_string()));
    cells.push(row.physical.to_string());
    cells.extend(row.size.map(|side| side.to_string()));
    cells.extend([String::new(), row.streaming.rules.to_owned()]);
    let costs = [row.streaming.cost, row.physics.cost, row.physics.penalised];
    cells.extend(costs.map(|cost| cost.to_string()));
    cells.extend([String::new(), row.physics.provenance.to_owned()]);
    cells.extend([row.server.cost.to_string(), row.accounting.to_owned()]);
    cells.extend(impact(&row.land_impact));
    cells.resize(REPORT.len(), String::new());
    cells
}

fn impact(impact: &super::report::LandImpactRow) -> [String; 2] {
    [impact.value.to_string(), impact.limited_by.unwrap_or_default().to_owned()]
}

fn texts<T: Copy + ToString>(values: &PerLod<T>) -> [String; 4] {
    values.each().map(|value| value.to_string())
}

fn written(keys: &[&str], rows: impl Iterator<Item = Vec<String>>) -> Result<Vec<u8>, Diagnostic> {
    let failed =
        |e: &dyn std::error::Error| Diagnostic::error(format!("cannot show the costs as CSV: {e}"));
    let mut writer = Writer::from_writer(Vec::new());
    writer.write_record(keys).map_err(|e| failed(&e))?;
    for row in rows {
        writer.write_record(row).map_err(|e| failed(&e))?;
    }
    writer.into_inner().map_err(|e| failed(&e))
}
