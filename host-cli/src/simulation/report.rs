//! Results: the report as JSON, and a page that shows every frame without a server or a network.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;

use super::decide::LevelReason;
use super::history::{CandidateMetrics, LevelHistory, STRIDE, Scenery};
use super::motion::CameraMotion;
use super::settings::{CostKnowledge, FRAMES_PER_SECOND, WARMUP_FRAMES};
use super::{CandidateRun, Simulation};

const SCHEMA: u32 = 1;

/// The report of a simulation; serialised, the JSON of schema 1.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SimulationReport {
    pub schema: u32,
    /// Settings, and the size of the scene.
    pub settings: SettingsReport,
    pub rows: Vec<CandidateMetrics>,
}

/// The settings of a simulation, and the size of its scene.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SettingsReport {
    pub scene: String,
    pub modules: usize,
    pub actors: usize,
    /// Milliseconds; infinite (in JSON null) if unlimited.
    pub budget_ms: f64,
    /// The name of the camera path.
    pub path: &'static str,
    pub frames: usize,
    pub frames_per_s: u16,
    /// The first frame of the metrics.
    pub reported_from: usize,
    /// The number of frames from one decision to the next.
    pub decide_every: usize,
    /// The relative deviation of measured times.
    pub noise: f64,
    /// The share of frames that took ten times as long.
    pub spike: f64,
    /// The initial factor of error of the unit costs.
    pub wrong: f64,
    pub seed: u64,
    /// The number of seeds, from `seed` on, of whose results the rows are medians; `None` for one
    /// simulation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seeds: Option<usize>,
}

impl SimulationReport {
    /// Medians of simulations of one scene and its candidates, whose seeds follow one another;
    /// `None` without reports.
    #[must_use]
    pub fn medians(reports: &[Self]) -> Option<Self> {
        let Self { schema, settings, rows } = reports.first()?;
        let row = |number| {
            let rows: Vec<_> =
                reports.iter().filter_map(|report| report.rows.get(number)).collect();
            CandidateMetrics::medians(&rows)
        };
        let rows = (0..rows.len()).filter_map(row).collect();
        let settings = SettingsReport { seeds: Some(reports.len()), ..settings.clone() };
        Some(Self { schema: *schema, settings, rows })
    }
}

impl Simulation {
    /// The report up to now, with `scene` as the name of the scene.
    #[must_use]
    pub fn report(&self, scene: &str) -> SimulationReport {
        let (noise, spike, wrong) = match self.settings.prices {
            CostKnowledge::Measured { wrong, noise, spike } => (noise, spike, wrong),
            CostKnowledge::Known { .. } => (0.0, 0.0, 1.0),
        };
        let settings = SettingsReport {
            scene: scene.to_owned(),
            modules: self.simulated.modules.len(),
            actors: self.simulated.actors.len(),
            budget_ms: self.table.budget_ns / 1e6,
            path: match self.settings.path {
                CameraMotion::Orbit => "orbit",
                CameraMotion::Line => "line",
                CameraMotion::Still => "still",
                CameraMotion::File(_) => "file",
            },
            frames: self.frames(),
            frames_per_s: FRAMES_PER_SECOND,
            reported_from: WARMUP_FRAMES,
            decide_every: self.settings.decide_every,
            noise,
            spike,
            wrong,
            seed: self.settings.seed,
            seeds: None,
        };
        SimulationReport { schema: SCHEMA, settings, rows: self.rows() }
    }

    /// The name of each candidate, and its time in each frame as a share of the budget.
    pub fn times(&self) -> impl Iterator<Item = (&'static str, Vec<f64>)> {
        let budget_ms = self.table.budget_ns / 1e6;
        self.runs.iter().map(move |run| {
            let times = run.history.took_ms.iter().map(|ms| f64::from(*ms) / budget_ms);
            (run.candidate.name(), times.collect())
        })
    }

    /// The number of actors whose level changed in each frame, for each candidate.
    pub fn changes(&self) -> impl Iterator<Item = &[u32]> {
        self.runs.iter().map(|run| &run.history.changed[..])
    }
}

const TEMPLATE: &str = include_str!("page.html");
const PLACE: &str = "{{data}}";
const MAX_NAME: usize = 80;

/// Data of the page. Arrays of numbers are little-endian bytes in Base64.
#[derive(Serialize)]
struct PageData<'a> {
    report: SimulationReport,
    modules: Vec<&'a str>,
    /// The true unit costs at the start, in nanoseconds.
    unit_ns: &'a [f64],
    actors: ActorData,
    every_frame: usize,
    every_actor: usize,
    /// The x, the z and half of the side, in metres.
    ground: [f64; 3],
    /// The x and z in each frame: f32.
    eyes: String,
    /// The unit direction of view in each frame: f32, NaN without one; empty without a frustum.
    directions: String,
    /// The tangent of half of the angle between the sides of the frustum.
    half_width: Option<f64>,
    /// Whether each shown actor in each kept frame is outside of the view: a bit, the lowest first; empty without a frustum.
    outside: String,
    walkers: &'a [usize],
    /// The x and z of each walker in every `stride`-th kept frame, as parts of the ground: u16.
    walks: String,
    stride: usize,
    spikes: &'a [usize],
    candidates: Vec<CandidateData>,
}

#[derive(Serialize)]
struct ActorData {
    names: Vec<String>,
    /// The module of each actor: u8; all modules from 255 on are 255.
    modules: String,
    /// Metres: f32.
    radii: String,
    /// The x and z at the start: f32, NaN for an actor without a position.
    places: String,
}

#[derive(Serialize)]
struct CandidateData {
    /// Milliseconds: f32.
    took: String,
    planned: String,
    /// The raw and applied unit cost of each module in each frame, as shares of the true one: f32.
    beliefs: String,
    whys: Vec<String>,
    lives: String,
}

impl Simulation {
    /// The page of the simulation, with `scene` as the name of the scene; `None` unless it was
    /// watched.
    #[must_use]
    pub fn page(&self, scene: &str) -> Option<String> {
        let scenery = self.scenery.as_ref()?;
        let ground = self.simulated.ground;
        let data = PageData {
            report: self.report(scene),
            modules: self.simulated.modules.iter().map(|(_, name)| &**name).collect(),
            unit_ns: &self.costs.unit_ns,
            actors: self.actors(scenery),
            every_frame: scenery.every_frame,
            every_actor: scenery.every_actor,
            ground: [ground.centre[0], ground.centre[1], ground.reach],
            eyes: floats(scenery.eyes.as_flattened()),
            directions: floats(scenery.directions.as_flattened()),
            half_width: scenery.half_width(),
            outside: base64(scenery.outside.iter().copied()),
            walkers: &scenery.walkers,
            walks: base64(scenery.walks.as_flattened().iter().flat_map(|part| part.to_le_bytes())),
            stride: STRIDE,
            spikes: &scenery.spikes,
            candidates: self.runs.iter().map(candidate_data).collect(),
        };
        // No text may end the element.
        let json = serde_json::to_string(&data).ok()?.replace('<', "\\u003c");
        Some(TEMPLATE.replacen(PLACE, &json, 1))
    }

    fn actors(&self, scenery: &Scenery) -> ActorData {
        let name = |actor: usize| self.simulated.actors[actor].1.chars().take(MAX_NAME).collect();
        let module =
            |actor: usize| u8::try_from(self.table.actors[actor].module).unwrap_or(u8::MAX);
        let radius = |actor: usize| self.simulated.scene.radius(self.simulated.actors[actor].0);
        let radii: Vec<_> =
            scenery.shown_actors().map(|actor| radius(actor).unwrap_or(0.0)).collect();
        ActorData {
            names: scenery.shown_actors().map(name).collect(),
            modules: base64(scenery.shown_actors().map(module)),
            radii: floats(&radii),
            places: floats(scenery.places.as_flattened()),
        }
    }
}

fn candidate_data(run: &CandidateRun) -> CandidateData {
    let word = |reason: &LevelReason| match reason {
        LevelReason::Plan(reason) => reason.to_string(),
        LevelReason::Words(words) => (*words).to_owned(),
    };
    let history = &run.history;
    CandidateData {
        took: floats(&history.took_ms),
        planned: floats(&history.planned_ms),
        beliefs: floats(history.estimates.as_flattened()),
        whys: history.reasons.iter().map(word).collect(),
        lives: base64(history.lives.iter().flat_map(LevelHistory::bytes)),
    }
}

fn floats(numbers: &[f32]) -> String {
    base64(numbers.iter().flat_map(|number| number.to_le_bytes()))
}

fn base64(bytes: impl Iterator<Item = u8>) -> String {
    STANDARD.encode(bytes.collect::<Vec<_>>())
}
