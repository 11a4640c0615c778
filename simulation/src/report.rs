//! What comes out: numbers for scripts, and a page that shows what happened and needs nothing else, no server and
//! no network.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;

use crate::decide::Why;
use crate::history::{Life, STRIDE, Scenery};
use crate::metrics::Row;
use crate::motion::Path;
use crate::settings::{FRAMES_PER_SECOND, Prices, REPORTED_FROM};
use crate::simulation::{Run, Simulation};

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

/// The page without its data.
const TEMPLATE: &str = include_str!("page.html");
/// Where its data belongs.
const PLACE: &str = "{{data}}";
/// A name is cut after so many characters.
const LONGEST_NAME: usize = 80;

/// What the page is made of. Numbers of one kind are bytes in Base64, the lowest byte first.
#[derive(Serialize)]
struct Data<'a> {
    report: Report,
    modules: Vec<&'a str>,
    /// The truth at the start, in nanoseconds a unit.
    unit_ns: &'a [f64],
    actors: Actors,
    /// One of so many frames is kept, and one of so many actors.
    every_frame: usize,
    every_actor: usize,
    /// x, z and half of the side, in metres.
    ground: [f64; 3],
    /// x and z in each frame: f32.
    eyes: String,
    walkers: &'a [usize],
    /// x and z of each walker in every so many kept frames, as parts of the ground: u16.
    walks: String,
    stride: usize,
    spikes: &'a [usize],
    candidates: Vec<Told>,
}

#[derive(Serialize)]
struct Actors {
    names: Vec<String>,
    /// The number of the module of each: u8, the modules beyond 255 being one.
    modules: String,
    /// Metres: f32.
    radii: String,
    /// x and z at the start: f32, NaN for who has no place.
    places: String,
}

/// What one candidate did.
#[derive(Serialize)]
struct Told {
    /// Milliseconds: f32.
    took: String,
    planned: String,
    /// Raw and applied of each module in each frame, as parts of the truth: f32.
    beliefs: String,
    whys: Vec<String>,
    /// The runs of levels of all actors, one after the other.
    lives: String,
}

impl Simulation {
    /// A page that shows what happened in a scene of that name; nothing if it was not watched.
    #[must_use]
    pub fn page(&self, scene: &str) -> Option<String> {
        let scenery = self.scenery.as_ref()?;
        let ground = self.stage.ground;
        let data = Data {
            report: self.report(scene),
            modules: self.stage.modules.iter().map(|(_, name)| &**name).collect(),
            unit_ns: &self.truth.unit_ns,
            actors: self.actors(scenery),
            every_frame: scenery.every_frame,
            every_actor: scenery.every_actor,
            ground: [ground.centre[0], ground.centre[1], ground.reach],
            eyes: floats(scenery.eyes.as_flattened()),
            walkers: &scenery.walkers,
            walks: base64(scenery.walks.as_flattened().iter().flat_map(|part| part.to_le_bytes())),
            stride: STRIDE,
            spikes: &scenery.spikes,
            candidates: self.runs.iter().map(told).collect(),
        };
        // Nothing in it may end the element that it stands in.
        let json = serde_json::to_string(&data).ok()?.replace('<', "\\u003c");
        Some(TEMPLATE.replacen(PLACE, &json, 1))
    }

    fn actors(&self, scenery: &Scenery) -> Actors {
        let name = |actor: usize| self.stage.actors[actor].1.chars().take(LONGEST_NAME).collect();
        let module = |actor: usize| u8::try_from(self.cast.roles[actor].module).unwrap_or(u8::MAX);
        let radius = |actor: usize| self.stage.scene.radius(self.stage.actors[actor].0);
        let radii: Vec<_> = scenery.shown().map(|actor| radius(actor).unwrap_or(0.0)).collect();
        Actors {
            names: scenery.shown().map(name).collect(),
            modules: base64(scenery.shown().map(module)),
            radii: floats(&radii),
            places: floats(scenery.places.as_flattened()),
        }
    }
}

fn told(run: &Run) -> Told {
    let word = |why: &Why| match why {
        Why::Plan(reason) => reason.to_string(),
        Why::Words(words) => (*words).to_owned(),
    };
    let history = &run.history;
    Told {
        took: floats(&history.took_ms),
        planned: floats(&history.planned_ms),
        beliefs: floats(history.beliefs.as_flattened()),
        whys: history.whys.iter().map(word).collect(),
        lives: base64(history.lives.iter().flat_map(Life::bytes)),
    }
}

fn floats(numbers: &[f32]) -> String {
    base64(numbers.iter().flat_map(|number| number.to_le_bytes()))
}

fn base64(bytes: impl Iterator<Item = u8>) -> String {
    STANDARD.encode(bytes.collect::<Vec<_>>())
}
