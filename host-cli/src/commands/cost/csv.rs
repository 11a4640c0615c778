//! Columns of costs in CSV, over the rows of the JSON.

use std::io::{self, Write};

use csv::Writer;
use lodger_core::cost::land_impact::Accounting;
use lodger_terminal::csv_text;
use serde::Serialize;
use serde_json::{Value, json};

use super::report::ReportView;
use super::sweep::Sweep;
use super::target::TargetReport;

/// Column names, each with the path of its value in a row if that differs, and alternative paths.
const REPORT: &str = "file object prims meshes scripts physical scale_x=scale/0|size/0 \
    scale_y=scale/1|size/1 scale_z=scale/2|size/2 radius rules=streaming/rules \
    streaming=streaming/cost physics=physics/cost physics_penalised=physics/penalised \
    representation=physics/representation provenance=physics/provenance server=server/cost accounting \
    land_impact=land_impact/value limited_by=land_impact/limited_by \
    triangles_lowest=streaming/triangles/lowest triangles_low=streaming/triangles/low \
    triangles_medium=streaming/triangles/medium triangles_high=streaming/triangles/high \
    share_lowest=streaming/share/lowest share_low=streaming/share/low \
    share_medium=streaming/share/medium share_high=streaming/share/high \
    bytes_lowest=streaming/bytes/lowest bytes_low=streaming/bytes/low \
    bytes_medium=streaming/bytes/medium bytes_high=streaming/bytes/high";
const OBJECT: &str = "streaming_provenance=streaming/provenance id entry place region x=position/0 \
    y=position/1 z=position/2 owner parcel=parcel/id parcel_name=parcel/name error";
const RESOURCE: &str = "simulator_cost=resource_cost/simulator region_cost=resource_cost/region \
    simulator=resource_cost/parameters";
const RESOURCE_NOW: &str = "simulator_cost=now/resource_cost/simulator \
    region_cost=now/resource_cost/region simulator=now/resource_cost/parameters";
const RESOURCE_SUMS: &str = "simulator_cost region_cost";
const GROUPS: &str = "by id name objects prims streaming physics server land_impact file error";
const PARTS: &str = "file object id entry part=number name shape mesh scale_x=scale/0 scale_y=scale/1 \
    scale_z=scale/2 scripts shape_type streaming=streaming/cost \
    streaming_provenance=streaming/provenance physics=physics/cost \
    representation=physics/representation provenance=physics/provenance";
const GEOMETRY: &str = "real_triangles_lowest=streaming/geometry/lowest/triangles \
    real_triangles_low=streaming/geometry/low/triangles \
    real_triangles_medium=streaming/geometry/medium/triangles \
    real_triangles_high=streaming/geometry/high/triangles \
    vertices_lowest=streaming/geometry/lowest/vertices vertices_low=streaming/geometry/low/vertices \
    vertices_medium=streaming/geometry/medium/vertices vertices_high=streaming/geometry/high/vertices";
const SWEEP: &str = "size scale_x=scale/0 scale_y=scale/1 scale_z=scale/2 radius streaming physics \
    representation server land_impact limited_by mark";
const TARGET: &str = "file=now/file target land_impact=now/land_impact/value \
    limited_by=now/land_impact/limited_by streaming=now/streaming/cost bytes_possible=bytes/possible \
    alone_lowest=bytes/alone/lowest alone_low=bytes/alone/low alone_medium=bytes/alone/medium \
    alone_high=bytes/alone/high together_lowest=bytes/together/lowest \
    together_low=bytes/together/low together_medium=bytes/together/medium \
    together_high=bytes/together/high size_limit=size/limit scale_x=size/scale/0 \
    scale_y=size/scale/1 scale_z=size/scale/2 longest_side=size/longest_side \
    all_smaller=size/all_smaller why_not=bytes/why_not notes";

/// Writes a row for each file, object and error; with groups or parts, for each of these. Columns
/// of resource costs are optional.
pub(crate) fn report(
    report: ReportView<'_>,
    (in_parts, has_resource): (bool, bool),
    out: &mut dyn Write,
) -> io::Result<()> {
    let errors = report.rows.errors.iter().map(row);
    if let Some(groups) = report.groups {
        let group = |group| with(row(group), "by", &json!(report.by));
        let columns = [&[GROUPS][..], if_any(has_resource, &RESOURCE_SUMS)].concat();
        return table(out, &columns, groups.iter().map(group).chain(errors));
    }
    if in_parts {
        let parts = report.rows.objects.iter().flat_map(|object| part_rows(row(object)));
        return table(out, &[PARTS, GEOMETRY, "error"], parts.chain(errors));
    }
    let new = json!(Accounting::New);
    let files = report.rows.files.iter().map(|file| with(row(file), "accounting", &new));
    let objects = report.rows.objects.iter().map(row);
    let columns = [&[REPORT, GEOMETRY, OBJECT][..], if_any(has_resource, &RESOURCE)].concat();
    table(out, &columns, files.chain(objects).chain(errors))
}

pub(crate) fn sweep(sweep: &Sweep, has_resource: bool, out: &mut dyn Write) -> io::Result<()> {
    let columns = [&[SWEEP][..], if_any(has_resource, &RESOURCE_SUMS)].concat();
    table(out, &columns, sweep.points.iter().map(row))
}

pub(crate) fn target(
    answer: &TargetReport,
    has_resource: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    let columns = [&[TARGET][..], if_any(has_resource, &RESOURCE_NOW)].concat();
    table(out, &columns, std::iter::once(row(answer)))
}

fn if_any(has: bool, columns: &'static &'static str) -> &'static [&'static str] {
    if has { std::slice::from_ref(columns) } else { &[] }
}

/// Serialises a row, which cannot fail, as all maps are structs.
fn row(row: impl Serialize) -> Value {
    serde_json::to_value(row).unwrap_or_default()
}

fn with(mut row: Value, key: &str, value: &Value) -> Value {
    row[key].clone_from(value);
    row
}

fn part_rows(mut object: Value) -> Vec<Value> {
    let Value::Array(mut parts) = object["parts"].take() else { return Vec::new() };
    for part in &mut parts {
        for key in ["file", "object", "id", "entry"] {
            part[key].clone_from(&object[key]);
        }
    }
    parts
}

fn table(
    out: &mut dyn Write,
    columns: &[&str],
    rows: impl Iterator<Item = Value>,
) -> io::Result<()> {
    let columns = columns.iter().flat_map(|columns| columns.split(' '));
    let columns: Vec<_> = columns.map(|at| at.split_once('=').unwrap_or((at, at))).collect();
    let mut writer = Writer::from_writer(out);
    writer.write_record(columns.iter().map(|(name, _)| name))?;
    for row in rows {
        let value = |(_, places): &(_, &str)| cell(places.split('|').find_map(|at| find(&row, at)));
        writer.write_record(columns.iter().map(value))?;
    }
    writer.flush()
}

fn find<'v>(row: &'v Value, place: &str) -> Option<&'v Value> {
    place.split('/').try_fold(row, |value, key| match value {
        Value::Array(list) => list.get(key.parse::<usize>().ok()?),
        _ => value.get(key),
    })
}

fn cell(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => csv_text(text).into_owned(),
        Some(Value::Array(list)) => {
            list.iter().map(|value| cell(Some(value))).collect::<Vec<_>>().join("; ")
        }
        Some(Value::Number(number)) if number.is_f64() => {
            number.as_f64().map(|number| number.to_string()).unwrap_or_default()
        }
        Some(value) => value.to_string(),
    }
}
