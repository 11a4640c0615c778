use serde::Serialize;

use super::decide::{Assignment, CostEstimate, FrameInput, LevelReason, LodController};
use super::motion::{CameraPose, Walker};
use super::settings::{Candidate, FRAMES_PER_SECOND, WARMUP_FRAMES};
use super::simulated_scene::{ActorTable, Ground, SimulationScene, has_position};

#[derive(Debug, Clone, Default)]
pub(crate) struct History {
    /// The measured and, if the candidate plans, the planned time of each frame, in milliseconds.
    pub(crate) took_ms: Vec<f32>,
    pub(crate) planned_ms: Vec<f32>,
    pub(crate) changed: Vec<u32>,
    /// The assumed unit cost of each module, as a share of the true one: raw, then applied. Of each
    /// frame if it is watched, else of the last.
    pub(crate) estimates: Vec<[f32; 2]>,
    pub(crate) reasons: Vec<LevelReason>,
    pub(crate) lives: Vec<LevelHistory>,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct LevelHistory {
    /// Finished runs: number of frames, level, index of the reason, and benefit at the start in
    /// 2⁻¹⁶. The first and the last number are in groups of 7 bits.
    bytes: Vec<u8>,
    run: Option<LevelRun>,
}

#[derive(Debug, Clone, Copy)]
struct LevelRun {
    frames: u32,
    level: u8,
    reason: u8,
    benefit: f64,
}

impl History {
    /// Records a frame, and with `is_watched` the estimates of each frame for a page.
    #[expect(clippy::cast_possible_truncation, reason = "for pictures")]
    pub(crate) fn note(
        &mut self,
        assignment: &Assignment,
        took_ns: f64,
        estimates: &[CostEstimate],
        true_ns: &[f64],
        is_watched: bool,
    ) {
        self.took_ms.push((took_ns / 1e6) as f32);
        self.planned_ms.extend(assignment.planned_ns.map(|ns| (ns / 1e6) as f32));
        if !is_watched {
            self.estimates.clear();
        }
        let parts = estimates.iter().zip(true_ns);
        let parts = parts.map(|(estimate, ns)| [estimate.raw_ns / ns, estimate.applied_ns / ns]);
        self.estimates.extend(parts.map(|part| part.map(|part| part as f32)));
    }

    pub(crate) fn watch(
        &mut self,
        shown: impl Iterator<Item = usize>,
        assignment: &Assignment,
        benefits: &[f64],
        controller: &dyn LodController,
    ) {
        for (index, actor) in shown.enumerate() {
            let reason = controller.reason(actor).map_or(0, |reason| self.number(reason));
            if self.lives.len() == index {
                self.lives.push(LevelHistory::default());
            }
            self.lives[index].push(assignment.levels[actor], reason, benefits[actor]);
        }
    }

    fn number(&mut self, reason: LevelReason) -> u8 {
        let known = self.reasons.iter().position(|known| *known == reason);
        let number = known.unwrap_or_else(|| {
            self.reasons.push(reason);
            self.reasons.len() - 1
        });
        u8::try_from(number).unwrap_or(0)
    }
}

impl LevelHistory {
    fn push(&mut self, level: u8, reason: u8, benefit: f64) {
        match &mut self.run {
            Some(run) if (run.level, run.reason) == (level, reason) => run.frames += 1,
            _ => {
                let ended = self.run.replace(LevelRun { frames: 1, level, reason, benefit });
                if let Some(ended) = ended {
                    ended.write(&mut self.bytes);
                }
            }
        }
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.bytes.clone();
        if let Some(run) = self.run {
            run.write(&mut bytes);
        }
        bytes
    }
}

impl LevelRun {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "below 2^24")]
    fn write(self, bytes: &mut Vec<u8>) {
        groups(self.frames, bytes);
        bytes.extend([self.level, self.reason]);
        groups((self.benefit * 65_536.0) as u32, bytes);
    }
}

/// Writes groups of 7 bits, the lowest first; all but the last have the highest bit set.
#[expect(clippy::cast_possible_truncation, reason = "the lowest bits are meant")]
fn groups(mut number: u32, bytes: &mut Vec<u8>) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// The limit of actors on a page; of more, every n-th is shown.
pub(crate) const MAX_ACTORS: usize = 4_000;
/// The limit of levels on a page; of more frames, every n-th is kept.
pub(crate) const MAX_LEVELS: usize = 4_000_000;
/// Kept frames per recorded position of a walker; walkers move in straight lines.
pub(crate) const STRIDE: usize = 6;

/// Positions of the camera and the actors, frame by frame.
#[derive(Debug, Clone)]
pub(crate) struct Scenery {
    pub(crate) every_frame: usize,
    pub(crate) every_actor: usize,
    actors: usize,
    ground: Ground,
    /// The x and z of the eye in each frame, in metres.
    pub(crate) eyes: Vec<[f32; 2]>,
    /// The unit direction of view in each frame; NaN without one, and empty without a frustum.
    pub(crate) directions: Vec<[f32; 3]>,
    half_width: Option<f64>,
    /// Whether each shown actor in each kept frame is outside of the view: a bit, the lowest first.
    pub(crate) outside: Vec<u8>,
    bits: usize,
    /// The x and z of each shown actor at the start, in metres; NaN for an actor without a
    /// position.
    pub(crate) places: Vec<[f32; 2]>,
    pub(crate) walkers: Vec<usize>,
    /// The x and z of each walker in each recorded frame, as parts of the ground in 2⁻¹⁶.
    pub(crate) walks: Vec<[u16; 2]>,
    pub(crate) spikes: Vec<usize>,
}

impl Scenery {
    pub(crate) fn new(
        simulated: &SimulationScene,
        walkers: &[Walker],
        frames: usize,
        candidates: usize,
    ) -> Self {
        let every_actor = simulated.actors.len().div_ceil(MAX_ACTORS).max(1);
        let shown = simulated.actors.len().div_ceil(every_actor);
        let every_frame = (frames * shown * candidates).div_ceil(MAX_LEVELS).max(1);
        let place = |actor: usize| {
            let (id, _) = simulated.actors[actor];
            let place = simulated.scene.position(id).filter(|_| has_position(&simulated.scene, id));
            place.map_or([f32::NAN; 2], |[x, _, z]| [x, z])
        };
        let walking = walkers.iter().map(|walker| walker.actor);
        let walking =
            walking.filter(|actor| actor % every_actor == 0).map(|actor| actor / every_actor);
        Self {
            every_frame,
            every_actor,
            actors: simulated.actors.len(),
            ground: simulated.ground,
            eyes: Vec::new(),
            directions: Vec::new(),
            half_width: simulated.lens.half_width(),
            outside: Vec::new(),
            bits: 0,
            places: (0..simulated.actors.len()).step_by(every_actor).map(place).collect(),
            walkers: walking.collect(),
            walks: Vec::new(),
            spikes: Vec::new(),
        }
    }

    pub(crate) fn shown_actors(&self) -> impl Iterator<Item = usize> + use<> {
        (0..self.actors).step_by(self.every_actor)
    }

    /// The tangent of half of the angle between the sides of the frustum, if there is one.
    pub(crate) fn half_width(&self) -> Option<f64> {
        self.half_width
    }

    /// Records which of the shown actors are outside of the view in a kept frame.
    pub(crate) fn watch(&mut self, is_outside: impl Fn(usize) -> bool) {
        if self.half_width.is_none() {
            return;
        }
        for actor in self.shown_actors() {
            if self.bits.is_multiple_of(8) {
                self.outside.push(0);
            }
            if let Some(byte) = self.outside.last_mut() {
                *byte |= u8::from(is_outside(actor)) << (self.bits % 8);
            }
            self.bits += 1;
        }
    }

    pub(crate) fn keep(
        &mut self,
        number: usize,
        pose: CameraPose,
        frame: &FrameInput<'_>,
        has_spike: bool,
    ) -> bool {
        let [x, _, z] = frame.view.position();
        self.eyes.push([x, z]);
        if self.half_width.is_some() {
            self.directions.push(unit(pose.direction));
        }
        self.spikes.extend(has_spike.then_some(number));
        if number.is_multiple_of(self.every_frame * STRIDE) {
            for walker in frame.walkers.iter().filter(|walker| walker.actor % self.every_actor == 0)
            {
                let [x, _, z] = walker.position;
                self.walks.push([self.ground_part(x, 0), self.ground_part(z, 1)]);
            }
        }
        number.is_multiple_of(self.every_frame)
    }

    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
    fn ground_part(&self, metres: f64, axis: usize) -> u16 {
        let Ground { centre, reach, .. } = self.ground;
        let part = (metres - (centre[axis] - reach)) / (2.0 * reach);
        (part.clamp(0.0, 1.0) * f64::from(u16::MAX)) as u16
    }
}

#[expect(clippy::cast_possible_truncation, reason = "for pictures")]
fn unit(direction: Option<[f64; 3]>) -> [f32; 3] {
    let [x, y, z] = direction.unwrap_or([f64::NAN; 3]);
    let length = (x * x + y * y + z * z).sqrt();
    [x, y, z].map(|along| (along / length) as f32)
}

/// A change that is undone within half a second is flicker.
const SOON: usize = FRAMES_PER_SECOND as usize / 2;

/// Metrics of a candidate, from frame [`WARMUP_FRAMES`] on.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CandidateMetrics {
    /// The name of the candidate.
    pub policy: &'static str,
    /// `on` or `off` for the hysteresis of a policy; `None` for a baseline.
    pub stability: Option<&'static str>,
    /// The share of frames that took more than the budget.
    pub over_budget: f64,
    /// The same share among the frames without a spike.
    pub over_budget_without_spikes: f64,
    /// The mean value of a frame: the sum of benefit times quality.
    pub benefit: f64,
    /// The mean upper bound of the value at the true costs.
    pub bound: f64,
    /// The median of value over upper bound in several simulations; `None` for one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shown: Option<f64>,
    /// Changes of level per second.
    pub flips_per_s: f64,
    /// Changes per second that return to the previous level within half a second.
    pub returns_per_s: f64,
    /// The mean relative error of the measured unit costs over modules and frames; `None` for a
    /// candidate without estimates.
    pub unit_cost_error: Option<f64>,
}

impl CandidateMetrics {
    /// The value as a share of the upper bound.
    #[must_use]
    pub fn worth(&self) -> f64 {
        let worth = if self.bound > 0.0 { self.benefit / self.bound } else { 1.0 };
        self.shown.unwrap_or(worth)
    }

    /// Medians of the numbers of one candidate in several simulations; `None` without rows.
    pub(crate) fn medians(rows: &[&Self]) -> Option<Self> {
        let first = *rows.first()?;
        let of = |number: fn(&Self) -> f64| median(rows.iter().map(|row| number(row)).collect());
        Some(Self {
            policy: first.policy,
            stability: first.stability,
            over_budget: of(|row| row.over_budget),
            over_budget_without_spikes: of(|row| row.over_budget_without_spikes),
            benefit: of(|row| row.benefit),
            bound: of(|row| row.bound),
            shown: Some(of(Self::worth)),
            flips_per_s: of(|row| row.flips_per_s),
            returns_per_s: of(|row| row.returns_per_s),
            unit_cost_error: first
                .unit_cost_error
                .map(|_| of(|row| row.unit_cost_error.unwrap_or_default())),
        })
    }
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    let (low, high) = (numbers.len().saturating_sub(1) / 2, numbers.len() / 2);
    match (numbers.get(low), numbers.get(high)) {
        (Some(low), Some(high)) => f64::midpoint(*low, *high),
        _ => 0.0,
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct FrameSample<'a> {
    pub(crate) frame: usize,
    pub(crate) table: &'a ActorTable,
    pub(crate) levels: &'a [u8],
    pub(crate) is_over: bool,
    pub(crate) has_spike: bool,
    pub(crate) benefit: f64,
    pub(crate) bound: f64,
    pub(crate) estimates: &'a [CostEstimate],
    pub(crate) true_ns: &'a [f64],
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Metrics {
    frames: u32,
    over: u32,
    calm: u32,
    calm_over: u32,
    benefit: f64,
    bound: f64,
    switches: f64,
    returns: f64,
    errors: f64,
    /// The number of errors, which may exceed 32 bits.
    estimates: f64,
    pub(crate) changed_last: u32,
    levels: Vec<u8>,
    changed: Vec<Option<(usize, u8)>>,
}

impl Metrics {
    pub(crate) fn add(&mut self, sample: FrameSample<'_>) {
        let (switches, returns) = self.changes(sample);
        if sample.frame < WARMUP_FRAMES {
            return;
        }
        self.frames += 1;
        self.over += u32::from(sample.is_over);
        self.calm += u32::from(!sample.has_spike);
        self.calm_over += u32::from(sample.is_over && !sample.has_spike);
        self.benefit += sample.benefit;
        self.bound += sample.bound;
        self.switches += f64::from(switches);
        self.returns += f64::from(returns);
        for (estimate, true_ns) in sample.estimates.iter().zip(sample.true_ns) {
            self.errors += (estimate.raw_ns / true_ns - 1.0).abs();
            self.estimates += 1.0;
        }
    }

    fn changes(&mut self, sample: FrameSample<'_>) -> (u32, u32) {
        let (mut switches, mut returns) = (0, 0);
        self.changed.resize(sample.levels.len(), None);
        let automatic = sample.table.actors.iter().map(|entry| entry.is_automatic);
        let levels = self.levels.iter().zip(sample.levels).zip(&mut self.changed);
        for (((&before, &now), changed), _) in levels.zip(automatic).filter(|(_, counts)| *counts) {
            if before != now {
                switches += 1;
                let is_back =
                    changed.is_some_and(|(when, from)| from == now && sample.frame - when <= SOON);
                returns += u32::from(is_back);
                *changed = Some((sample.frame, before));
            }
        }
        self.changed_last = switches;
        self.levels.clear();
        self.levels.extend_from_slice(sample.levels);
        (switches, returns)
    }

    pub(crate) fn row(&self, candidate: Candidate) -> CandidateMetrics {
        let part = |sum: f64, count: u32| if count == 0 { 0.0 } else { sum / f64::from(count) };
        let a_second = |sum: f64| part(sum, self.frames) * f64::from(FRAMES_PER_SECOND);
        CandidateMetrics {
            policy: candidate.name(),
            stability: candidate.stability().map(|on| if on { "on" } else { "off" }),
            over_budget: part(self.over.into(), self.frames),
            over_budget_without_spikes: part(self.calm_over.into(), self.calm),
            benefit: part(self.benefit, self.frames),
            bound: part(self.bound, self.frames),
            shown: None,
            flips_per_s: a_second(self.switches),
            returns_per_s: a_second(self.returns),
            unit_cost_error: (self.estimates > 0.0).then(|| self.errors / self.estimates),
        }
    }
}
