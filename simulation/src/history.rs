//! What is kept of each frame: what a candidate did, and where everything is.

use crate::decide::{Belief, Choice, Decide, Frame, Why};
use crate::motion::Walker;
use crate::stage::{Ground, Stage, is_seen};

/// What a candidate did, frame by frame.
#[derive(Debug, Clone, Default)]
pub(crate) struct History {
    /// What each frame took and, where there was a plan, was planned to take, in milliseconds.
    pub(crate) took_ms: Vec<f32>,
    pub(crate) planned_ms: Vec<f32>,
    /// How many actors changed their level in each frame.
    pub(crate) changed: Vec<u32>,
    /// The assumed unit cost of each module, as a share of the true one: raw, then applied. Of each frame if it is
    /// watched, else of the last.
    pub(crate) beliefs: Vec<[f32; 2]>,
    /// The words for why.
    pub(crate) whys: Vec<Why>,
    /// The levels of each actor that is shown.
    pub(crate) lives: Vec<Life>,
}

/// The levels of an actor, as runs of equal ones.
#[derive(Debug, Clone, Default)]
pub(crate) struct Life {
    /// The runs that have ended: how many frames, the level, the number of the reason, and the benefit with
    /// which it began in 2⁻¹⁶. The first and the last are written in groups of 7 bits.
    bytes: Vec<u8>,
    run: Option<Run>,
}

#[derive(Debug, Clone, Copy)]
struct Run {
    frames: u32,
    level: u8,
    why: u8,
    benefit: f64,
}

impl History {
    /// Keeps what is known of every frame, and for a page what was believed in it.
    #[expect(clippy::cast_possible_truncation, reason = "for pictures")]
    pub(crate) fn note(
        &mut self,
        choice: &Choice,
        took_ns: f64,
        beliefs: &[Belief],
        true_ns: &[f64],
        is_watched: bool,
    ) {
        self.took_ms.push((took_ns / 1e6) as f32);
        self.planned_ms.extend(choice.planned_ns.map(|ns| (ns / 1e6) as f32));
        if !is_watched {
            self.beliefs.clear();
        }
        let parts = beliefs.iter().zip(true_ns);
        let parts = parts.map(|(belief, ns)| [belief.raw_ns / ns, belief.applied_ns / ns]);
        self.beliefs.extend(parts.map(|part| part.map(|part| part as f32)));
    }

    /// Keeps the levels of those that are shown.
    pub(crate) fn watch(
        &mut self,
        shown: impl Iterator<Item = usize>,
        choice: &Choice,
        benefits: &[f64],
        decider: &dyn Decide,
    ) {
        for (index, actor) in shown.enumerate() {
            let why = decider.why(actor).map_or(0, |why| self.number(why));
            if self.lives.len() == index {
                self.lives.push(Life::default());
            }
            self.lives[index].live(choice.levels[actor], why, benefits[actor]);
        }
    }

    fn number(&mut self, why: Why) -> u8 {
        let known = self.whys.iter().position(|known| *known == why);
        let number = known.unwrap_or_else(|| {
            self.whys.push(why);
            self.whys.len() - 1
        });
        u8::try_from(number).unwrap_or(0)
    }
}

impl Life {
    fn live(&mut self, level: u8, why: u8, benefit: f64) {
        match &mut self.run {
            Some(run) if (run.level, run.why) == (level, why) => run.frames += 1,
            _ => {
                let ended = self.run.replace(Run { frames: 1, level, why, benefit });
                if let Some(ended) = ended {
                    ended.write(&mut self.bytes);
                }
            }
        }
    }

    /// All runs, in bytes.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.bytes.clone();
        if let Some(run) = self.run {
            run.write(&mut bytes);
        }
        bytes
    }
}

impl Run {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "below 2^24")]
    fn write(self, bytes: &mut Vec<u8>) {
        groups(self.frames, bytes);
        bytes.extend([self.level, self.why]);
        groups((self.benefit * 65_536.0) as u32, bytes);
    }
}

/// Groups of 7 bits, the lowest first; all but the last have the highest bit set.
#[expect(clippy::cast_possible_truncation, reason = "the lowest bits are meant")]
fn groups(mut number: u32, bytes: &mut Vec<u8>) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// How many actors are shown; of more, every second, every third and so on.
pub(crate) const MOST_ACTORS: usize = 4_000;
/// How many levels are kept in all; of more frames, every second, every third and so on.
pub(crate) const MOST_LEVELS: usize = 4_000_000;
/// Of the frames that are kept, every so many says where walkers are: they go straight on.
pub(crate) const STRIDE: usize = 6;

/// Where everything is, frame by frame.
#[derive(Debug, Clone)]
pub(crate) struct Scenery {
    /// One of so many frames is kept.
    pub(crate) every_frame: usize,
    /// One of so many actors is shown.
    pub(crate) every_actor: usize,
    actors: usize,
    ground: Ground,
    /// x and z of the eye in each frame, in metres.
    pub(crate) eyes: Vec<[f32; 2]>,
    /// x and z of each actor that is shown at the start, in metres; NaN where it has no place.
    pub(crate) places: Vec<[f32; 2]>,
    /// Who of those that are shown walks.
    pub(crate) walkers: Vec<usize>,
    /// x and z of each of them in each frame in which they are kept, as parts of the ground in 2⁻¹⁶.
    pub(crate) walks: Vec<[u16; 2]>,
    /// The frames with a spike.
    pub(crate) spikes: Vec<usize>,
}

impl Scenery {
    pub(crate) fn new(stage: &Stage, walkers: &[Walker], frames: usize, candidates: usize) -> Self {
        let every_actor = stage.actors.len().div_ceil(MOST_ACTORS).max(1);
        let shown = stage.actors.len().div_ceil(every_actor);
        let every_frame = (frames * shown * candidates).div_ceil(MOST_LEVELS).max(1);
        let place = |actor: usize| {
            let (id, _) = stage.actors[actor];
            let place = stage.scene.position(id).filter(|_| is_seen(&stage.scene, id));
            place.map_or([f32::NAN; 2], |[x, _, z]| [x, z])
        };
        let walking = walkers.iter().map(|walker| walker.actor);
        let walking =
            walking.filter(|actor| actor % every_actor == 0).map(|actor| actor / every_actor);
        Self {
            every_frame,
            every_actor,
            actors: stage.actors.len(),
            ground: stage.ground,
            eyes: Vec::new(),
            places: (0..stage.actors.len()).step_by(every_actor).map(place).collect(),
            walkers: walking.collect(),
            walks: Vec::new(),
            spikes: Vec::new(),
        }
    }

    /// The actors that are shown.
    pub(crate) fn shown(&self) -> impl Iterator<Item = usize> + use<> {
        (0..self.actors).step_by(self.every_actor)
    }

    /// Takes in a frame; whether its levels are kept.
    pub(crate) fn keep(&mut self, number: usize, frame: &Frame<'_>, has_spike: bool) -> bool {
        let [x, _, z] = frame.eye;
        self.eyes.push([x, z]);
        self.spikes.extend(has_spike.then_some(number));
        if number.is_multiple_of(self.every_frame * STRIDE) {
            for walker in frame.walkers.iter().filter(|walker| walker.actor % self.every_actor == 0)
            {
                let [x, _, z] = walker.position;
                self.walks.push([self.part(x, 0), self.part(z, 1)]);
            }
        }
        number.is_multiple_of(self.every_frame)
    }

    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
    fn part(&self, metres: f64, axis: usize) -> u16 {
        let Ground { centre, reach, .. } = self.ground;
        let part = (metres - (centre[axis] - reach)) / (2.0 * reach);
        (part.clamp(0.0, 1.0) * f64::from(u16::MAX)) as u16
    }
}
