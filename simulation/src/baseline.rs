//! What engines do today.
//!
//! Each has one knob, which its users turn once at the start until what they see fits: here until the work
//! of the first frame truly takes [`TUNED_TO`] of the budget. Where a shape is to be chosen too, that one is
//! taken which shows most.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, VecDeque};

use lodger_scheduler::SceneError;

use crate::cast::{Cast, Ladder};
use crate::decide::{Belief, Choice, Decide, Frame, Why};
use crate::truth::Truth;

/// The part of the budget that a careful user aims at.
const TUNED_TO: f64 = 0.9;
/// Between what a knob is turned, and how often: it moves in equal factors.
const KNOB: (f64, f64) = (1e-12, 1e12);
const TURNS: u32 = 24;
/// The part of the way to a new time, which smooths over a fifth of a second.
const GAIN: f64 = 1.0 / 12.0;
/// Times beyond so many times what was expected, or the budget, count as that.
const LONGEST: f64 = 1.5;

/// What is known while a knob is turned.
#[derive(Clone, Copy)]
pub(crate) struct Tuning<'a> {
    pub(crate) cast: &'a Cast,
    pub(crate) benefits: &'a [f64],
    pub(crate) truth: &'a Truth,
}

impl Tuning<'_> {
    /// The highest setting of a knob with which the first frame fits: higher settings take more.
    fn knob(self, mut levels: impl FnMut(f64) -> Vec<u8>) -> f64 {
        let limit = TUNED_TO * self.cast.budget_ns;
        let (mut low, mut high) = KNOB;
        for _ in 0..TURNS {
            let middle = (low * high).sqrt();
            if self.takes(&levels(middle)) <= limit {
                low = middle;
            } else {
                high = middle;
            }
        }
        low
    }

    /// The shape that shows most in the first frame, with its knob.
    fn shape<S: Copy>(
        self,
        shapes: impl IntoIterator<Item = S>,
        levels: impl Fn(S, f64) -> Vec<u8>,
    ) -> Option<(S, f64)> {
        let turned = shapes.into_iter().map(|shape| (shape, self.knob(|knob| levels(shape, knob))));
        let worth =
            |&(shape, knob): &(S, f64)| self.cast.value(self.benefits, &levels(shape, knob));
        turned.max_by(|a, b| worth(a).total_cmp(&worth(b)))
    }

    /// What the levels take in truth, in nanoseconds.
    fn takes(self, levels: &[u8]) -> f64 {
        self.cast.paid(&self.truth.takes(&self.cast.units(levels)))
    }
}

/// The levels by a rule for each actor alone.
fn each(cast: &Cast, benefits: &[f64], level: impl Fn(&Ladder, f64) -> u8) -> Vec<u8> {
    cast.roles.iter().zip(benefits).map(|(role, benefit)| level(&role.ladder, *benefit)).collect()
}

/// The actors by falling benefit.
fn by_significance(benefits: &[f64]) -> Vec<usize> {
    let mut order: Vec<_> = (0..benefits.len()).collect();
    order.sort_by(|a, b| benefits[*b].total_cmp(&benefits[*a]).then(a.cmp(b)));
    order
}

/// How many bands there are but for the farthest.
const BANDS: u8 = 4;
/// By which factor the benefits of two bands may differ.
const RATIOS: [f64; 6] = [1.2, 1.5, 2.0, 3.0, 4.0, 8.0];

/// Fixed bands of distance.
///
/// The oldest and still the most common way: Unity's `LODGroup` (parts of the screen's height), Unreal's
/// screen sizes of static meshes, Godot's and Bevy's visibility ranges. A level is a band of apparent size,
/// and nobody asks what all of them cost together. Here apparent size is the benefit; the bands are the
/// same for all, each so many times as far as the last, and which factor is found at the start.
pub(crate) struct Bands {
    ratio: f64,
    scale: f64,
}

impl Bands {
    pub(crate) fn new(tuning: Tuning<'_>) -> Self {
        let levels = |ratio, scale| {
            each(tuning.cast, tuning.benefits, |ladder, benefit| {
                band_level(ladder, benefit * scale, ratio)
            })
        };
        let (ratio, scale) = tuning.shape(RATIOS, levels).unwrap_or((2.0, 1.0));
        Self { ratio, scale }
    }
}

/// The level of a size, of which 1 is where the nearest band ends.
fn band_level(ladder: &Ladder, size: f64, ratio: f64) -> u8 {
    let (mut passed, mut border) = (BANDS, 1.0);
    while passed > 0 && size < border {
        passed -= 1;
        border /= ratio;
    }
    let steps = u16::from(ladder.highest() - ladder.lowest());
    let climbed = (u16::from(passed) * steps).div_ceil(u16::from(BANDS));
    ladder.lowest().saturating_add(u8::try_from(climbed).unwrap_or(u8::MAX))
}

impl Decide for Bands {
    fn decide(&mut self, frame: &Frame<'_>, choice: &mut Choice) -> Result<(), SceneError> {
        choice.levels = each(frame.cast, frame.benefits, |ladder, benefit| {
            band_level(ladder, benefit * self.scale, self.ratio)
        });
        choice.units = frame.cast.units(&choice.levels);
        Ok(())
    }

    fn why(&self, _: usize) -> Option<Why> {
        Some(Why::Words("the band of its size"))
    }
}

/// The parts of the budget that the most significant may have.
const ALWAYS: [f64; 5] = [0.3, 0.5, 0.7, 0.8, 0.9];
/// Round robin by significance.
///
/// Unreal's Animation Budget Allocator: the most significant actors work in every frame, and what is left
/// of the budget goes round among the others, a level at a time. What work takes is a smoothed mean of measured times. What is
/// a tick left out there is the lowest level here.
pub(crate) struct RoundRobin {
    always: f64,
    /// What is spent, in nanoseconds.
    money: f64,
    unit_ns: Vec<f64>,
    /// Whose turn it is first: one on in every frame, so that nobody waits for ever and few change.
    turn: usize,
}

impl RoundRobin {
    pub(crate) fn new(tuning: Tuning<'_>) -> Self {
        let unit_ns = &tuning.truth.unit_ns;
        let levels = |always, money| {
            serve_in_turn(tuning.cast, tuning.benefits, unit_ns, (always, money), 0)
        };
        let (always, money) = tuning.shape(ALWAYS, levels).unwrap_or((0.5, 0.0));
        Self { always, money, unit_ns: unit_ns.clone(), turn: 0 }
    }
}

fn serve_in_turn(
    cast: &Cast,
    benefits: &[f64],
    unit_ns: &[f64],
    (always, money): (f64, f64),
    turn: usize,
) -> Vec<u8> {
    let mut levels: Vec<_> = cast.roles.iter().map(|role| role.ladder.lowest()).collect();
    let cost = |actor: usize, level: u8| {
        let role = &cast.roles[actor];
        f64::from(role.ladder.units(level)) * unit_ns[role.module]
    };
    let least: f64 = levels.iter().enumerate().map(|(actor, level)| cost(actor, *level)).sum();
    let mut left = money - least;
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
    let top = |actor: usize| cast.roles[actor].ladder.highest();
    let always = order.iter().take_while(|actor| raise(**actor, top(**actor), kept)).count();
    // Level by level, as far as the money goes. An actor at its highest level leaves the round.
    let others = order.drain(always..).map(|actor| (actor, cast.roles[actor].ladder.lowest()));
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

impl Decide for RoundRobin {
    fn decide(&mut self, frame: &Frame<'_>, choice: &mut Choice) -> Result<(), SceneError> {
        let unit_ns = frame.told_ns.unwrap_or(&self.unit_ns);
        let how = (self.always, self.money);
        choice.levels = serve_in_turn(frame.cast, frame.benefits, unit_ns, how, self.turn);
        self.turn += 1;
        choice.units = frame.cast.units(&choice.levels);
        Ok(())
    }

    fn learn(&mut self, _: &Frame<'_>, choice: &Choice, took_ns: &[f64]) -> Result<(), SceneError> {
        for ((unit_ns, units), took_ns) in self.unit_ns.iter_mut().zip(&choice.units).zip(took_ns) {
            if *units > 0 {
                #[expect(clippy::cast_precision_loss, reason = "53 bits are enough for a mean")]
                let measured = (took_ns / *units as f64).min(LONGEST * *unit_ns);
                *unit_ns += GAIN * (measured - *unit_ns);
            }
        }
        Ok(())
    }

    fn beliefs(&self) -> Vec<Belief> {
        self.unit_ns.iter().map(|ns| Belief { raw_ns: *ns, applied_ns: *ns }).collect()
    }

    fn why(&self, _: usize) -> Option<Why> {
        Some(Why::Words("its significance or its turn"))
    }
}

/// How much the threshold moves in a frame.
const STEP: f64 = 1.02;
/// It stands while the smoothed time is so close to the aim, as a part of the budget.
const DEAD_ZONE: f64 = 0.03;
/// A threshold moved by feedback.
///
/// What viewers of 3D Tiles do with the maximum screen space error (`CesiumJS` moves its own by 2 % while
/// memory is over or under what it may be), and Second Life's `AutoTune` with its factors of detail: whoever
/// would miss more than the threshold gets more detail, and the threshold follows the time of the frame.
pub(crate) struct Threshold {
    /// One over what may be missed.
    detail: f64,
    /// The smoothed time, as a part of the budget.
    load: f64,
}

impl Threshold {
    pub(crate) fn new(tuning: Tuning<'_>) -> Self {
        let levels = |detail: f64| {
            each(tuning.cast, tuning.benefits, |ladder, benefit| {
                missing_level(ladder, benefit * detail)
            })
        };
        Self { detail: tuning.knob(levels), load: TUNED_TO }
    }
}

/// The lowest level that misses no more than 1.
fn missing_level(ladder: &Ladder, benefit: f64) -> u8 {
    let mut levels = ladder.levels();
    let enough = levels.find(|level| benefit * (1.0 - ladder.quality(*level)) <= 1.0);
    enough.unwrap_or(ladder.highest())
}

impl Decide for Threshold {
    fn decide(&mut self, frame: &Frame<'_>, choice: &mut Choice) -> Result<(), SceneError> {
        choice.levels = each(frame.cast, frame.benefits, |ladder, benefit| {
            missing_level(ladder, benefit * self.detail)
        });
        choice.units = frame.cast.units(&choice.levels);
        Ok(())
    }

    fn learn(&mut self, frame: &Frame<'_>, _: &Choice, took_ns: &[f64]) -> Result<(), SceneError> {
        let load = frame.cast.paid(took_ns) / frame.cast.budget_ns;
        self.load += GAIN * (load.min(LONGEST) - self.load);
        if self.load > TUNED_TO + DEAD_ZONE {
            self.detail /= STEP;
        } else if self.load < TUNED_TO - DEAD_ZONE {
            self.detail *= STEP;
        }
        Ok(())
    }

    fn why(&self, _: usize) -> Option<Why> {
        Some(Why::Words("what it would miss, against the threshold"))
    }
}

/// Upgrades by value for cost, until the first that does not fit.
///
/// The balancers of streamed splats do it with a budget of splats: `PlayCanvas`'s engine for streamed SOG,
/// and Spark's for its trees of splats, refine where it shows most until the budget is used. What a unit
/// costs is taken as the file says it; the budget is what its user has found to run well.
pub(crate) struct Greedy {
    /// What a unit is believed to cost, in nanoseconds.
    unit_ns: Vec<f64>,
    /// What may be spent at that belief, in nanoseconds.
    money: f64,
}

impl Greedy {
    pub(crate) fn new(tuning: Tuning<'_>, believed_ns: &[f64]) -> Self {
        let money =
            tuning.knob(|money| serve_by_worth(tuning.cast, tuning.benefits, believed_ns, money));
        Self { unit_ns: believed_ns.to_vec(), money }
    }
}

/// A step to the next level.
#[derive(PartialEq)]
struct GreedyStep {
    /// Value for cost.
    worth: f64,
    cost: f64,
    actor: usize,
}

impl Eq for GreedyStep {}

impl Ord for GreedyStep {
    fn cmp(&self, other: &Self) -> Ordering {
        self.worth.total_cmp(&other.worth).then(other.actor.cmp(&self.actor))
    }
}

impl PartialOrd for GreedyStep {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

fn serve_by_worth(cast: &Cast, benefits: &[f64], unit_ns: &[f64], money: f64) -> Vec<u8> {
    let mut levels: Vec<_> = cast.roles.iter().map(|role| role.ladder.lowest()).collect();
    let cost = |actor: usize, level: u8| {
        let role = &cast.roles[actor];
        f64::from(role.ladder.units(level)) * unit_ns[role.module]
    };
    let upgrade = |actor: usize, level: u8| {
        let ladder = &cast.roles[actor].ladder;
        let next = level.checked_add(1).filter(|next| *next <= ladder.highest())?;
        let more = cost(actor, next) - cost(actor, level);
        let gain = benefits[actor] * (ladder.quality(next) - ladder.quality(level));
        let worth = if more > 0.0 { gain / more } else { f64::INFINITY };
        Some(GreedyStep { worth, cost: more, actor })
    };
    let mut left = money;
    let mut heap = BinaryHeap::new();
    for (actor, level) in levels.iter().enumerate() {
        left -= cost(actor, *level);
        heap.extend(upgrade(actor, *level));
    }
    while let Some(best) = heap.pop().filter(|best| best.worth > 0.0 && best.cost <= left) {
        left -= best.cost;
        levels[best.actor] += 1;
        heap.extend(upgrade(best.actor, levels[best.actor]));
    }
    levels
}

impl Decide for Greedy {
    fn decide(&mut self, frame: &Frame<'_>, choice: &mut Choice) -> Result<(), SceneError> {
        let unit_ns = frame.told_ns.unwrap_or(&self.unit_ns);
        choice.levels = serve_by_worth(frame.cast, frame.benefits, unit_ns, self.money);
        choice.units = frame.cast.units(&choice.levels);
        Ok(())
    }

    fn beliefs(&self) -> Vec<Belief> {
        self.unit_ns.iter().map(|ns| Belief { raw_ns: *ns, applied_ns: *ns }).collect()
    }

    fn why(&self, _: usize) -> Option<Why> {
        Some(Why::Words("value for cost, until the budget was used"))
    }
}
