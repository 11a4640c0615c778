//! A page that shows what happened, and needs nothing else: no server and no network.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;

use crate::decide::Why;
use crate::history::Life;
use crate::report::Report;
use crate::scenery::{STRIDE, Scenery};
use crate::simulation::{Run, Simulation};

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
