//! Sums of rows.

use serde::Serialize;

use super::report::{FileRow, LandImpactRow, NoteRow, ObjectRow, Report};
use crate::input::assets::FileError;

/// The sums, of meshes and objects apart.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Totals {
    /// Of the meshes.
    pub(crate) files: Total,
    /// Of the objects.
    pub(crate) objects: Total,
    /// How much could not be priced.
    pub(crate) errors: usize,
}

/// A sum of rows.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Total {
    /// How many rows.
    pub(crate) count: usize,
    /// Streaming weights.
    pub(crate) streaming: f64,
    /// Physics weights, penalised where physical.
    pub(crate) physics: f64,
    /// Server weights.
    pub(crate) server: f64,
    /// Land impacts.
    pub(crate) land_impact: u64,
}

impl Report {
    /// A report with its sums.
    pub(crate) fn new(
        files: Vec<FileRow>,
        objects: Vec<ObjectRow>,
        errors: Vec<FileError>,
        notes: Vec<NoteRow>,
    ) -> Self {
        let sum = |total: Total, streaming, physics, server, land_impact: &LandImpactRow| Total {
            count: total.count + 1,
            streaming: total.streaming + streaming,
            physics: total.physics + physics,
            server: total.server + server,
            land_impact: total.land_impact + u64::from(land_impact.value),
        };
        let of_files = files.iter().fold(Total::default(), |total, row| {
            let (streaming, physics) = (row.streaming.cost, row.physics.penalised);
            sum(total, streaming, physics, row.server.cost, &row.land_impact)
        });
        let of_objects = objects.iter().fold(Total::default(), |total, row| {
            let (streaming, physics) = (row.streaming.cost, row.physics.penalised);
            sum(total, streaming, physics, row.server.cost, &row.land_impact)
        });
        let totals = Totals { files: of_files, objects: of_objects, errors: errors.len() };
        Self { schema: 1, files, objects, errors, notes, totals }
    }
}
