//! What comes out, for scripts.

use serde::Serialize;

use crate::metrics::Row;
use crate::path::Path;
use crate::settings::{FRAMES_PER_SECOND, Prices, REPORTED_FROM};
use crate::simulation::Simulation;

/// The version of the JSON.
const SCHEMA: u32 = 1;

/// How everybody fared, and in what. Serialised, it is the JSON of schema 1.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// The version of this shape.
    pub schema: u32,
    /// In what.
    pub settings: SettingsReport,
    /// How each candidate fared.
    pub rows: Vec<Row>,
}

/// The settings of a simulation, and the size of its scene.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SettingsReport {
    /// What the scene is called.
    pub scene: String,
    /// How many modules it has.
    pub modules: usize,
    /// How many actors it has.
    pub actors: usize,
    /// Milliseconds; infinite (in JSON null) if unlimited.
    pub budget_ms: f64,
    /// Where the camera went.
    pub path: &'static str,
    /// How many frames there were.
    pub frames: usize,
    /// How many of them are a second.
    pub frames_per_s: u16,
    /// The first frame that counts.
    pub reported_from: usize,
    /// The relative deviation of measured times.
    pub noise: f64,
    /// The part of the frames that took ten times as long.
    pub spike: f64,
    /// By which factor the unit costs were wrong at first.
    pub wrong: f64,
    /// What all chance was made from.
    pub seed: u64,
    /// The number of seeds, from `seed` on, of whose results the rows are medians; none for one simulation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seeds: Option<usize>,
}

impl Report {
    /// The medians of simulations of the same scene and candidates whose seeds follow one another; none of none.
    #[must_use]
    pub fn medians(reports: &[Self]) -> Option<Self> {
        let Self { schema, settings, rows } = reports.first()?;
        let row = |number| {
            let rows: Vec<_> =
                reports.iter().filter_map(|report| report.rows.get(number)).collect();
            Row::medians(&rows)
        };
        let rows = (0..rows.len()).filter_map(row).collect();
        let settings = SettingsReport { seeds: Some(reports.len()), ..settings.clone() };
        Some(Self { schema: *schema, settings, rows })
    }
}

impl Simulation {
    /// How everybody fared so far in a scene of that name.
    #[must_use]
    pub fn report(&self, scene: &str) -> Report {
        let (noise, spike, wrong) = match self.settings.prices {
            Prices::Measured { wrong, noise, spike } => (noise, spike, wrong),
            Prices::Told { .. } => (0.0, 0.0, 1.0),
        };
        let settings = SettingsReport {
            scene: scene.to_owned(),
            modules: self.stage.modules.len(),
            actors: self.stage.actors.len(),
            budget_ms: self.cast.budget_ns / 1e6,
            path: match self.settings.path {
                Path::Orbit => "orbit",
                Path::Line => "line",
                Path::Still => "still",
                Path::File(_) => "file",
            },
            frames: self.frames(),
            frames_per_s: FRAMES_PER_SECOND,
            reported_from: REPORTED_FROM,
            noise,
            spike,
            wrong,
            seed: self.settings.seed,
            seeds: None,
        };
        Report { schema: SCHEMA, settings, rows: self.rows() }
    }

    /// What each frame took with each candidate, as a part of the budget, and who that was.
    pub fn times(&self) -> impl Iterator<Item = (&'static str, Vec<f64>)> {
        let budget_ms = self.cast.budget_ns / 1e6;
        self.runs.iter().map(move |run| {
            let times = run.history.took_ms.iter().map(|ms| f64::from(*ms) / budget_ms);
            (run.candidate.name(), times.collect())
        })
    }

    /// How many actors changed their level in each frame, of each candidate.
    pub fn changes(&self) -> impl Iterator<Item = &[u32]> {
        self.runs.iter().map(|run| &run.history.changed[..])
    }
}
