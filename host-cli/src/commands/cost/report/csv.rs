//! Costs as CSV.

use std::fmt::Display;

use csv::Writer;
use lodger_core::cost::land_impact::Accounting;

use super::super::words;
use super::rows::{FileRow, ObjectRow, Report};
use super::sweep::Sweep;
use super::target::{Answer, Limit};
use super::weights::Weights;
use lodger_terminal::Diagnostic;

const REPORT: &str = "file,object,prims,meshes,scripts,physical,scale_x,scale_y,scale_z,radius,rules,\
    streaming,physics,physics_penalised,representation,provenance,server,accounting,land_impact,\
    limited_by,triangles_lowest,triangles_low,triangles_medium,triangles_high,share_lowest,share_low,\
    share_medium,share_high,bytes_lowest,bytes_low,bytes_medium,bytes_high,error";
const SWEEP: &str = "size,scale_x,scale_y,scale_z,radius,streaming,physics,representation,server,\
    land_impact,limited_by,mark";
const TARGET: &str = "file,target,land_impact,limited_by,streaming,bytes_possible,alone_lowest,\
    alone_low,alone_medium,alone_high,together_lowest,together_low,together_medium,together_high,\
    size_limit,scale_x,scale_y,scale_z,longest_side,all_smaller,why_not,notes";

/// The cells of a row.
#[derive(Default)]
struct Cells(Vec<String>);

impl Cells {
    fn and(mut self, value: impl Display) -> Self {
        self.0.push(value.to_string());
        self
    }

    fn all<T: Display>(mut self, values: impl IntoIterator<Item = T>) -> Self {
        self.0.extend(values.into_iter().map(|value| value.to_string()));
        self
    }

    /// Each value, or empty cells in its place.
    fn maybe<T: Display, const N: usize>(self, values: Option<[T; N]>) -> Self {
        match values {
            Some(values) => self.all(values),
            None => self.all([""; N]),
        }
    }

    fn weights(self, of: &Weights, accounting: Accounting) -> Self {
        let Weights { streaming, physics, server, land_impact } = of;
        self.and(streaming.rules)
            .all([streaming.cost, physics.cost, physics.penalised])
            .maybe(physics.representation.map(|representation| [representation]))
            .and(physics.provenance)
            .and(server.cost)
            .and(accounting)
            .and(land_impact.value)
            .maybe(land_impact.limited_by.map(|weight| [weight]))
            .maybe(streaming.lods.map(|lods| lods.triangles.each()))
            .maybe(streaming.lods.map(|lods| lods.share.each()))
            .maybe(streaming.lods.map(|lods| lods.bytes.each()))
    }
}

/// A row for each file, object and error.
pub(crate) fn report(report: &Report) -> Result<Vec<u8>, Diagnostic> {
    let files = report.files.iter().map(|row: &FileRow| {
        let cells = Cells::default().and(&row.file).all([""; 5]).all(row.scale).and(row.radius);
        cells.weights(&row.weights, row.detail.price.assessment.accounting).and("")
    });
    let objects = report.objects.iter().map(|row: &ObjectRow| {
        let cells = Cells::default().and(&row.file).and(&row.object);
        let cells = cells.all([row.prims, row.meshes, row.scripts]).and(row.physical);
        cells.all(row.size).and("").weights(&row.weights, row.accounting).and("")
    });
    let errors = report.errors.iter().map(|row| {
        let between = REPORT.split(',').count() - 2;
        Cells::default().and(&row.file).all(vec![""; between]).and(&row.error)
    });
    written(REPORT, files.chain(objects).chain(errors))
}

/// A row for each size.
pub(crate) fn sweep(sweep: &Sweep) -> Result<Vec<u8>, Diagnostic> {
    written(
        SWEEP,
        sweep.points.iter().map(|point| {
            Cells::default()
                .and(point.size)
                .all(point.scale)
                .all([point.radius, point.streaming, point.physics])
                .and(point.representation)
                .and(point.server)
                .and(point.land_impact)
                .maybe(point.limited_by.map(|weight| [weight]))
                .maybe(point.mark.as_ref().map(|mark| [words::mark(mark)]))
        }),
    )
}

/// One row.
pub(crate) fn target(answer: &Answer) -> Result<Vec<u8>, Diagnostic> {
    let Answer { target, now, bytes, size, notes, .. } = answer;
    let limit = match size.limit {
        Limit::Never => "never",
        Limit::UpTo => "up-to",
        Limit::Always => "always",
    };
    let row = Cells::default()
        .and(&now.file)
        .and(target)
        .and(now.weights.land_impact.value)
        .maybe(now.weights.land_impact.limited_by.map(|weight| [weight]))
        .and(now.weights.streaming.cost)
        .and(bytes.possible)
        .all(bytes.alone.each().map(|size| size.map(|size| size.to_string()).unwrap_or_default()))
        .maybe(bytes.together.map(|sizes| sizes.each()))
        .and(limit)
        .maybe(size.scale)
        .maybe(size.longest_side.map(|side| [side]))
        .and(size.all_smaller)
        .maybe(bytes.why_not.as_ref().map(|why| [why]))
        .and(notes.join("; "));
    written(TARGET, std::iter::once(row))
}

fn written(keys: &str, rows: impl Iterator<Item = Cells>) -> Result<Vec<u8>, Diagnostic> {
    let failed =
        |e: &dyn std::error::Error| Diagnostic::error(format!("cannot show the costs as CSV: {e}"));
    let mut writer = Writer::from_writer(Vec::new());
    writer.write_record(keys.split(',')).map_err(|e| failed(&e))?;
    for row in rows {
        writer.write_record(row.0).map_err(|e| failed(&e))?;
    }
    writer.into_inner().map_err(|e| failed(&e))
}
