//! What is counted of a candidate.

use serde::Serialize;

use crate::cast::Cast;
use crate::decide::Belief;
use crate::settings::{Candidate, FRAMES_PER_SECOND, REPORTED_FROM};

/// Whoever takes a change back within so many frames has flickered: half a second.
const SOON: usize = FRAMES_PER_SECOND as usize / 2;

/// How a candidate fared, from [`REPORTED_FROM`] on.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// Who decided.
    pub policy: &'static str,
    /// Whether its stability was on; none for those that have none.
    pub stability: Option<&'static str>,
    /// The part of the frames that took more than the budget.
    pub over_budget: f64,
    /// The same of the frames without a spike.
    pub over_budget_without_spikes: f64,
    /// What was shown, as the mean of the frames: the sum of benefit times quality.
    pub benefit: f64,
    /// What no plan could exceed at the true costs, as the mean of the frames.
    pub bound: f64,
    /// Of several simulations, the median of what was shown as a part of the bound; none for one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shown: Option<f64>,
    /// How many actors changed their level in a second.
    pub flips_per_s: f64,
    /// How many of them went back to the level before within half a second.
    pub returns_per_s: f64,
    /// By which part the unit costs by measurement alone are off, as the mean of modules and frames; none
    /// where nobody thinks in costs.
    pub unit_cost_error: Option<f64>,
}

impl Row {
    /// What was shown, as a part of what no plan could exceed.
    #[must_use]
    pub fn worth(&self) -> f64 {
        let worth = if self.bound > 0.0 { self.benefit / self.bound } else { 1.0 };
        self.shown.unwrap_or(worth)
    }

    /// The median of each number of the rows of one candidate; none of none.
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

/// The middle one of the numbers, or the mean of the two in the middle.
fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    let (low, high) = (numbers.len().saturating_sub(1) / 2, numbers.len() / 2);
    match (numbers.get(low), numbers.get(high)) {
        (Some(low), Some(high)) => f64::midpoint(*low, *high),
        _ => 0.0,
    }
}

/// What became of a frame.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Seen<'a> {
    pub(crate) frame: usize,
    pub(crate) cast: &'a Cast,
    pub(crate) levels: &'a [u8],
    pub(crate) is_over: bool,
    pub(crate) has_spike: bool,
    pub(crate) benefit: f64,
    pub(crate) bound: f64,
    pub(crate) beliefs: &'a [Belief],
    pub(crate) true_ns: &'a [f64],
}

/// The sums behind a [`Row`].
#[derive(Debug, Clone, Default)]
pub(crate) struct Metrics {
    frames: u32,
    over: u32,
    calm: u32,
    calm_over: u32,
    benefit: f64,
    bound: f64,
    flips: f64,
    returns: f64,
    errors: f64,
    /// The number of these errors, which may exceed 32 bits.
    beliefs: f64,
    /// How many actors changed their level in the last frame.
    pub(crate) changed_last: u32,
    levels: Vec<u8>,
    /// For each actor when it changed last, and from where.
    changed: Vec<Option<(usize, u8)>>,
}

impl Metrics {
    pub(crate) fn see(&mut self, seen: Seen<'_>) {
        let (flips, returns) = self.changes(seen);
        if seen.frame < REPORTED_FROM {
            return;
        }
        self.frames += 1;
        self.over += u32::from(seen.is_over);
        self.calm += u32::from(!seen.has_spike);
        self.calm_over += u32::from(seen.is_over && !seen.has_spike);
        self.benefit += seen.benefit;
        self.bound += seen.bound;
        self.flips += f64::from(flips);
        self.returns += f64::from(returns);
        for (belief, true_ns) in seen.beliefs.iter().zip(seen.true_ns) {
            self.errors += (belief.raw_ns / true_ns - 1.0).abs();
            self.beliefs += 1.0;
        }
    }

    fn changes(&mut self, seen: Seen<'_>) -> (u32, u32) {
        let (mut flips, mut returns) = (0, 0);
        self.changed.resize(seen.levels.len(), None);
        let automatic = seen.cast.roles.iter().map(|role| role.is_automatic);
        let levels = self.levels.iter().zip(seen.levels).zip(&mut self.changed);
        for (((&before, &now), changed), _) in levels.zip(automatic).filter(|(_, counts)| *counts) {
            if before != now {
                flips += 1;
                let is_back =
                    changed.is_some_and(|(when, from)| from == now && seen.frame - when <= SOON);
                returns += u32::from(is_back);
                *changed = Some((seen.frame, before));
            }
        }
        self.changed_last = flips;
        self.levels.clear();
        self.levels.extend_from_slice(seen.levels);
        (flips, returns)
    }

    /// The means so far.
    pub(crate) fn row(&self, candidate: Candidate) -> Row {
        let part = |sum: f64, count: u32| if count == 0 { 0.0 } else { sum / f64::from(count) };
        let a_second = |sum: f64| part(sum, self.frames) * f64::from(FRAMES_PER_SECOND);
        Row {
            policy: candidate.name(),
            stability: candidate.stability().map(|on| if on { "on" } else { "off" }),
            over_budget: part(self.over.into(), self.frames),
            over_budget_without_spikes: part(self.calm_over.into(), self.calm),
            benefit: part(self.benefit, self.frames),
            bound: part(self.bound, self.frames),
            shown: None,
            flips_per_s: a_second(self.flips),
            returns_per_s: a_second(self.returns),
            unit_cost_error: (self.beliefs > 0.0).then(|| self.errors / self.beliefs),
        }
    }
}
