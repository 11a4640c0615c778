//! Four methods of today's engines.
//!
//! Each baseline has one setting, which its users adjust once at the start. Here bisection adjusts
//! it until the work of the first frame takes [`TUNED_TO`] of the budget at the true costs. A
//! baseline with several shapes uses the shape with the highest value in the first frame.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, VecDeque};

use lodger_scheduler::SceneError;

use super::decide::{Assignment, CostEstimate, FrameInput, LevelReason, LodController};
use super::settings::CostModel;
use super::simulated_scene::{ActorTable, LevelTable};

/// The share of the budget that the tuning aims at.
const TUNED_TO: f64 = 0.9;
/// The range of a setting; bisection is geometric.
const TUNING_RANGE: (f64, f64) = (1e-12, 1e12);
const BISECTIONS: u32 = 24;
/// The weight of a new time in an exponential mean, which smooths over a fifth of a second.
const GAIN: f64 = 1.0 / 12.0;
/// Longer times are clamped to this multiple of the expected time or of the budget.
const MAX_RATIO: f64 = 1.5;

#[derive(Clone, Copy)]
pub(crate) struct Tuning<'a> {
    pub(crate) table: &'a ActorTable,
    pub(crate) benefits: &'a [f64],
    pub(crate) costs: &'a CostModel,
}

impl Tuning<'_> {
    /// Returns the highest setting with which the first frame fits; higher settings take more time.
    fn tune(self, mut levels: impl FnMut(f64) -> Vec<u8>) -> f64 {
        let limit = TUNED_TO * self.table.budget_ns;
        let (mut low, mut high) = TUNING_RANGE;
        for _ in 0..BISECTIONS {
            let middle = (low * high).sqrt();
            if self.takes(&levels(middle)) <= limit {
                low = middle;
            } else {
                high = middle;
            }
        }
        low
    }

    fn shape<S: Copy>(
        self,
        shapes: impl IntoIterator<Item = S>,
        levels: impl Fn(S, f64) -> Vec<u8>,
    ) -> Option<(S, f64)> {
        let tuned =
            shapes.into_iter().map(|shape| (shape, self.tune(|setting| levels(shape, setting))));
        let value =
            |&(shape, setting): &(S, f64)| self.table.value(self.benefits, &levels(shape, setting));
        tuned.max_by(|a, b| value(a).total_cmp(&value(b)))
    }

    /// The true time of the levels, in nanoseconds.
    fn takes(self, levels: &[u8]) -> f64 {
        self.table.paid(&self.costs.takes(&self.table.units(levels)))
    }
}

fn each(table: &ActorTable, benefits: &[f64], level: impl Fn(&LevelTable, f64) -> u8) -> Vec<u8> {
    table
        .actors
        .iter()
        .zip(benefits)
        .map(|(entry, benefit)| level(&entry.ladder, *benefit))
        .collect()
}

/// Indices of the actors by falling benefit.
fn by_significance(benefits: &[f64]) -> Vec<usize> {
    let mut order: Vec<_> = (0..benefits.len()).collect();
    order.sort_by(|a, b| benefits[*b].total_cmp(&benefits[*a]).then(a.cmp(b)));
    order
}

const BANDS: u8 = 4;
const RATIOS: [f64; 6] = [1.2, 1.5, 2.0, 3.0, 4.0, 8.0];

/// Fixed bands of distance, the oldest and most common method: Unity's `LODGroup` (parts of the
/// screen's height), Unreal's screen sizes of static meshes, Godot's and Bevy's visibility ranges.
///
/// A level is a band of apparent size, here of benefit; the total cost is not considered. The bands
/// are the same for all actors, each a constant factor farther than the previous one, which tuning
/// chooses.
pub(crate) struct Bands {
    ratio: f64,
    scale: f64,
}

impl Bands {
    pub(crate) fn new(tuning: Tuning<'_>) -> Self {
        let levels = |ratio, scale| {
            each(tuning.table, tuning.benefits, |ladder, benefit| {
                band_level(ladder, benefit * scale, ratio)
            })
        };
        let (ratio, scale) = tuning.shape(RATIOS, levels).unwrap_or((2.0, 1.0));
        Self { ratio, scale }
    }
}

/// Returns the level of an apparent size; the nearest band ends at size 1.
fn band_level(ladder: &LevelTable, size: f64, ratio: f64) -> u8 {
    let (mut passed, mut border) = (BANDS, 1.0);
    while passed > 0 && size < border {
        passed -= 1;
        border /= ratio;
    }
    let steps = u16::from(ladder.highest() - ladder.lowest());
    let climbed = (u16::from(passed) * steps).div_ceil(u16::from(BANDS));
    ladder.lowest().saturating_add(u8::try_from(climbed).unwrap_or(u8::MAX))
}

impl LodController for Bands {
    fn decide(
        &mut self,
        frame: &FrameInput<'_>,
        assignment: &mut Assignment,
    ) -> Result<(), SceneError> {
        assignment.levels = each(frame.table, frame.benefits, |ladder, benefit| {
            band_level(ladder, benefit * self.scale, self.ratio)
        });
        assignment.units = frame.table.units(&assignment.levels);
        Ok(())
    }

    fn reason(&self, _: usize) -> Option<LevelReason> {
        Some(LevelReason::Words("the band of its size"))
    }
}

/// Candidate shares of the budget for the most significant actors.
const ALWAYS: [f64; 5] = [0.3, 0.5, 0.7, 0.8, 0.9];
/// Round robin by significance, as in Unreal's Animation Budget Allocator.
///
/// The most significant actors work in every frame, and the others get the rest of the budget in
/// turn, one level at a time. The time of a unit is an exponential mean of measured times. A
/// skipped update there is the lowest level here.
pub(crate) struct RoundRobin {
    always: f64,
    /// The spending limit, in nanoseconds.
    spendable_ns: f64,
    unit_ns: Vec<f64>,
    /// The first actor of the rotation, which advances in every frame.
    turn: usize,
}

impl RoundRobin {
    pub(crate) fn new(tuning: Tuning<'_>) -> Self {
        let unit_ns = &tuning.costs.unit_ns;
        let levels = |always, spendable_ns| {
            serve_in_turn(tuning.table, tuning.benefits, unit_ns, (always, spendable_ns), 0)
        };
        let (always, spendable_ns) = tuning.shape(ALWAYS, levels).unwrap_or((0.5, 0.0));
        Self { always, spendable_ns, unit_ns: unit_ns.clone(), turn: 0 }
    }
}

fn serve_in_turn(
    table: &ActorTable,
    benefits: &[f64],
    unit_ns: &[f64],
    (always, spendable_ns): (f64, f64),
    turn: usize,
) -> Vec<u8> {
    let mut levels: Vec<_> = table.actors.iter().map(|entry| entry.ladder.lowest()).collect();
    let cost = |actor: usize, level: u8| {
        let entry = &table.actors[actor];
        f64::from(entry.ladder.units(level)) * unit_ns[entry.module]
    };
    let min: f64 = levels.iter().enumerate().map(|(actor, level)| cost(actor, *level)).sum();
    let mut left = spendable_ns - min;
    let kept = left * (1.0 - always);
    let mut order = by_significance(benefits);
    order.retain(|actor| benefits[*actor] > 0.0);
    let mut raise = |actor: usize, to: u8, keep: f64| {
        let more = cost(actor, to) - cost(actor, levels[actor]);
        let fits = left - more >= keep;
        if fits {
            left -= more;
            levels[actor] = to;
        }
        fits
    };
    let top = |actor: usize| table.actors[actor].ladder.highest();
    let always = order.iter().take_while(|actor| raise(**actor, top(**actor), kept)).count();
    // Levels rise one by one until the budget is used. An actor at its highest level leaves the rotation.
    let others = order.drain(always..).map(|actor| (actor, table.actors[actor].ladder.lowest()));
    let mut round: VecDeque<_> = others.collect();
    round.rotate_left(turn.checked_rem(round.len()).unwrap_or(0));
    while let Some((actor, height)) = round.pop_front() {
        if height < top(actor) {
            if !raise(actor, height + 1, 0.0) {
                break;
            }
            round.push_back((actor, height + 1));
        }
    }
    levels
}

impl LodController for RoundRobin {
    fn decide(
        &mut self,
        frame: &FrameInput<'_>,
        assignment: &mut Assignment,
    ) -> Result<(), SceneError> {
        let unit_ns = frame.known_ns.unwrap_or(&self.unit_ns);
        let how = (self.always, self.spendable_ns);
        assignment.levels = serve_in_turn(frame.table, frame.benefits, unit_ns, how, self.turn);
        self.turn += 1;
        assignment.units = frame.table.units(&assignment.levels);
        Ok(())
    }

    fn update(
        &mut self,
        _: &FrameInput<'_>,
        assignment: &Assignment,
        took_ns: &[f64],
    ) -> Result<(), SceneError> {
        for ((unit_ns, units), took_ns) in
            self.unit_ns.iter_mut().zip(&assignment.units).zip(took_ns)
        {
            if *units > 0 {
                #[expect(clippy::cast_precision_loss, reason = "53 bits are enough for a mean")]
                let measured = (took_ns / *units as f64).min(MAX_RATIO * *unit_ns);
                *unit_ns += GAIN * (measured - *unit_ns);
            }
        }
        Ok(())
    }

    fn estimates(&self) -> Vec<CostEstimate> {
        self.unit_ns.iter().map(|ns| CostEstimate { raw_ns: *ns, applied_ns: *ns }).collect()
    }

    fn reason(&self, _: usize) -> Option<LevelReason> {
        Some(LevelReason::Words("its significance or its turn"))
    }
}

/// The factor by which the threshold moves in a frame.
const STEP: f64 = 1.02;
/// The threshold stays while the smoothed time is this close to its aim, as a share of the budget.
const DEAD_ZONE: f64 = 0.03;
/// A threshold moved by feedback.
///
/// Viewers of 3D Tiles move the maximum screen space error (`CesiumJS` by 2 % while memory is over
/// or under its limit), and Second Life's `AutoTune` its factors of detail. An actor whose error
/// exceeds the threshold gets more detail, and the threshold follows the time of the frame.
pub(crate) struct Threshold {
    /// The reciprocal of the tolerated error.
    detail: f64,
    /// The smoothed time, as a share of the budget.
    load: f64,
}

impl Threshold {
    pub(crate) fn new(tuning: Tuning<'_>) -> Self {
        let levels = |detail: f64| {
            each(tuning.table, tuning.benefits, |ladder, benefit| {
                missing_level(ladder, benefit * detail)
            })
        };
        Self { detail: tuning.tune(levels), load: TUNED_TO }
    }
}

/// Returns the lowest level whose error is at most 1.
fn missing_level(ladder: &LevelTable, benefit: f64) -> u8 {
    let mut levels = ladder.levels();
    let enough = levels.find(|level| benefit * (1.0 - ladder.quality(*level)) <= 1.0);
    enough.unwrap_or(ladder.highest())
}

impl LodController for Threshold {
    fn decide(
        &mut self,
        frame: &FrameInput<'_>,
        assignment: &mut Assignment,
    ) -> Result<(), SceneError> {
        assignment.levels = each(frame.table, frame.benefits, |ladder, benefit| {
            missing_level(ladder, benefit * self.detail)
        });
        assignment.units = frame.table.units(&assignment.levels);
        Ok(())
    }

    fn update(
        &mut self,
        frame: &FrameInput<'_>,
        _: &Assignment,
        took_ns: &[f64],
    ) -> Result<(), SceneError> {
        let load = frame.table.paid(took_ns) / frame.table.budget_ns;
        self.load += GAIN * (load.min(MAX_RATIO) - self.load);
        if self.load > TUNED_TO + DEAD_ZONE {
            self.detail /= STEP;
        } else if self.load < TUNED_TO - DEAD_ZONE {
            self.detail *= STEP;
        }
        Ok(())
    }

    fn reason(&self, _: usize) -> Option<LevelReason> {
        Some(LevelReason::Words("what it would miss, against the threshold"))
    }
}

/// Upgrades by value for cost, until the first that does not fit.
///
/// Balancers of streamed splats work this way: `PlayCanvas`'s engine for Streamed SOG, and Spark's
/// for its trees of splats. The cost of a unit is the scene's; tuning finds the budget that fits.
pub(crate) struct Greedy {
    /// The assumed cost of a unit of each module, in nanoseconds.
    unit_ns: Vec<f64>,
    /// The spending limit at the assumed costs, in nanoseconds.
    spendable_ns: f64,
}

impl Greedy {
    pub(crate) fn new(tuning: Tuning<'_>, initial_ns: &[f64]) -> Self {
        let spendable_ns = tuning.tune(|spendable_ns| {
            upgrade_greedily(tuning.table, tuning.benefits, initial_ns, spendable_ns)
        });
        Self { unit_ns: initial_ns.to_vec(), spendable_ns }
    }
}

#[derive(PartialEq)]
struct GreedyStep {
    value_per_cost: f64,
    cost: f64,
    actor: usize,
}

impl Eq for GreedyStep {}

impl Ord for GreedyStep {
    fn cmp(&self, other: &Self) -> Ordering {
        self.value_per_cost.total_cmp(&other.value_per_cost).then(other.actor.cmp(&self.actor))
    }
}

impl PartialOrd for GreedyStep {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

fn upgrade_greedily(
    table: &ActorTable,
    benefits: &[f64],
    unit_ns: &[f64],
    spendable_ns: f64,
) -> Vec<u8> {
    let mut levels: Vec<_> = table.actors.iter().map(|entry| entry.ladder.lowest()).collect();
    let cost = |actor: usize, level: u8| {
        let entry = &table.actors[actor];
        f64::from(entry.ladder.units(level)) * unit_ns[entry.module]
    };
    let upgrade = |actor: usize, level: u8| {
        let ladder = &table.actors[actor].ladder;
        let next = level.checked_add(1).filter(|next| *next <= ladder.highest())?;
        let more = cost(actor, next) - cost(actor, level);
        let gain = benefits[actor] * (ladder.quality(next) - ladder.quality(level));
        let value_per_cost = if more > 0.0 { gain / more } else { f64::INFINITY };
        Some(GreedyStep { value_per_cost, cost: more, actor })
    };
    let mut left = spendable_ns;
    let mut heap = BinaryHeap::new();
    for (actor, level) in levels.iter().enumerate() {
        left -= cost(actor, *level);
        heap.extend(upgrade(actor, *level));
    }
    while let Some(best) = heap.pop().filter(|best| best.value_per_cost > 0.0 && best.cost <= left)
    {
        left -= best.cost;
        levels[best.actor] += 1;
        heap.extend(upgrade(best.actor, levels[best.actor]));
    }
    levels
}

impl LodController for Greedy {
    fn decide(
        &mut self,
        frame: &FrameInput<'_>,
        assignment: &mut Assignment,
    ) -> Result<(), SceneError> {
        let unit_ns = frame.known_ns.unwrap_or(&self.unit_ns);
        assignment.levels =
            upgrade_greedily(frame.table, frame.benefits, unit_ns, self.spendable_ns);
        assignment.units = frame.table.units(&assignment.levels);
        Ok(())
    }

    fn estimates(&self) -> Vec<CostEstimate> {
        self.unit_ns.iter().map(|ns| CostEstimate { raw_ns: *ns, applied_ns: *ns }).collect()
    }

    fn reason(&self, _: usize) -> Option<LevelReason> {
        Some(LevelReason::Words("value for cost, until the budget was used"))
    }
}
