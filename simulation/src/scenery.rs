//! Where everything is, for whoever looks at the scene later.

use crate::decide::Frame;
use crate::stage::{Ground, Stage, is_seen};
use crate::walkers::Walker;

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
