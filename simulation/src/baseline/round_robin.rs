//! Round robin by significance.
//!
//! Unreal's Animation Budget Allocator: the most significant actors work in every frame, and what is left
//! of the budget goes round among the others, a level at a time. What work takes is a smoothed mean of measured times. What is
//! a tick left out there is the lowest level here.

use std::collections::VecDeque;

use lodger_scheduler::SceneError;

use super::{Tuning, by_significance};
use crate::cast::Cast;
use crate::decide::{Belief, Choice, Decide, Frame, Why};

/// The parts of the budget that the most significant may have.
const ALWAYS: [f64; 5] = [0.3, 0.5, 0.7, 0.8, 0.9];
/// The part of the way to a new time, which smooths over a fifth of a second.
const GAIN: f64 = 1.0 / 12.0;

/// Times beyond so many times what was expected count as that.
const LONGEST: f64 = 1.5;

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
        let levels =
            |always, money| serve(tuning.cast, tuning.benefits, unit_ns, (always, money), 0);
        let (always, money) = tuning.shape(ALWAYS, levels).unwrap_or((0.5, 0.0));
        Self { always, money, unit_ns: unit_ns.clone(), turn: 0 }
    }
}

fn serve(
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
        choice.levels = serve(frame.cast, frame.benefits, unit_ns, how, self.turn);
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
