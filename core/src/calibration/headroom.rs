//! Headroom: the part of a budget that plans leave free.

use core::num::NonZeroU32;

use crate::error::{Quantity, ValueError, ValueProblem};
use crate::real::Real as _;
use crate::units::Budget;

/// The part of a budget that plans leave free, from 0 to a half, in 2⁻²⁴. With unbiased unit costs and no headroom,
/// nearly half of all frames would exceed the plan.
///
/// # Examples
/// ```
/// # use lodger_core::calibration::Headroom;
/// assert_eq!(Headroom::from_bits(1 << 22).to_f64(), 0.25);
/// assert_eq!(Headroom::from_bits(1 << 24), Headroom::MAX); // a half
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Headroom(u32);

impl Headroom {
    /// No headroom: plans use the whole budget.
    pub const NONE: Self = Self(0);
    /// The greatest headroom: half of the budget.
    pub const MAX: Self = Self(1 << 23);

    /// Makes a headroom from [`bits`](Self::bits), saturating at a half.
    #[must_use]
    pub const fn from_bits(bits: u32) -> Self {
        if bits > Self::MAX.0 { Self::MAX } else { Self(bits) }
    }

    /// Returns the headroom in 2⁻²⁴ of the budget.
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// Returns the part of the budget, from 0 to 0.5.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        f64::from(self.0) / f64::from(1 << 24)
    }
}

/// The headroom of a scene, which follows the times of its frames, and the number of spikes before.
///
/// # Examples
/// ```
/// # use lodger_core::calibration::{HeadroomTarget, HeadroomTracker};
/// # use lodger_core::units::Budget;
/// let (budget, target) = (Budget::from_ms(4.0)?, HeadroomTarget::DEFAULT);
/// let mut tracker = HeadroomTracker::NEW;
/// tracker.observe(budget, 4_100_000, target);
/// assert!((tracker.headroom().to_f64() - 0.02).abs() < 1e-6);
///
/// // Two spikes change nothing; a third in a row means that the work really takes so long.
/// let headroom = [9_000_000; 3].map(|time| {
///     tracker.observe(budget, time, target);
///     tracker.headroom().to_f64()
/// });
/// assert!((headroom[1] - 0.02).abs() < 1e-6 && (headroom[2] - 0.04).abs() < 1e-6);
/// # Ok::<(), lodger_core::ValueError>(())
/// ```
// The headroom in the low 24 bits, and in the high ones the number of spikes in a row, at most two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct HeadroomTracker(u32);

impl HeadroomTracker {
    /// No headroom, and no spikes.
    pub const NEW: Self = Self(0);

    /// The number of spikes in a row that are ignored.
    const IGNORED_SPIKES: u32 = 2;

    /// Returns the headroom.
    #[must_use]
    pub const fn headroom(self) -> Headroom {
        Headroom(self.0 & 0xff_ffff)
    }

    /// Records the time of a frame's work, in nanoseconds: more than the budget increases the headroom by 0.02, anything
    /// else decreases it so that in the long run the target share of frames exceeds the budget.
    ///
    /// The first two of consecutive frames of more than one and a half budgets are spikes, and change nothing. Neither does
    /// a frame with an unlimited budget, or a frame that took time under a budget of 0.
    pub fn observe(&mut self, budget: Budget, measured: u64, target: HeadroomTarget) {
        let Some(budget) = budget.ns().filter(|&budget| budget > 0 || measured == 0) else {
            return;
        };
        let (spikes, headroom) = (self.0 >> 24, self.headroom().0);
        let is_spike = measured > budget.saturating_add(budget >> 1);
        *self = if is_spike && spikes < Self::IGNORED_SPIKES {
            Self(spikes.wrapping_add(1) << 24 | headroom)
        } else if measured > budget {
            let spikes = if is_spike { spikes } else { 0 };
            let headroom = Headroom::from_bits(headroom.wrapping_add(HeadroomTarget::RISE.bits()));
            Self(spikes << 24 | headroom.0)
        } else {
            Self(headroom.saturating_sub(target.bits()))
        };
    }
}

/// The share of frames whose work may exceed the budget, stored as the decrease of the headroom in each other frame.
///
/// # Examples
/// ```
/// use lodger_core::calibration::{HeadroomTarget, HeadroomTracker};
/// use lodger_core::units::Budget;
///
/// // One frame in a hundred, for work that varies by a few per cent under a budget of 100 000 ns.
/// let target = HeadroomTarget::new(0.01)?;
/// let mut tracker = HeadroomTracker::NEW;
/// let mut over = 0;
/// for frame in 0..10_000_u32 {
///     let planned = 100_000.0 * (1.0 - tracker.headroom().to_f64());
///     let measured = planned as u64 + u64::from(frame.wrapping_mul(2_654_435_769) >> 20);
///     tracker.observe(Budget::from_ns(100_000), measured, target);
///     over += u32::from(measured > 100_000);
/// }
/// assert!((90..=120).contains(&over));
/// # Ok::<(), lodger_core::ValueError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct HeadroomTarget(NonZeroU32);

impl HeadroomTarget {
    /// The increase after a frame over its budget: 0.02.
    const RISE: Self = Self::of_bits(335_544);

    /// The default target: one frame in a thousand.
    pub const DEFAULT: Self = Self::of_bits(Self::RISE.bits().div_ceil(999));

    /// Makes a target of bits that are not 0.
    const fn of_bits(bits: u32) -> Self {
        match NonZeroU32::new(bits) {
            Some(bits) => Self(bits),
            None => Self(NonZeroU32::MIN),
        }
    }

    const fn bits(self) -> u32 {
        self.0.get()
    }

    /// Makes a target from the share of frames, above 0 and at most 0.5.
    ///
    /// # Errors
    /// [`ValueProblem::NotFinite`], [`ValueProblem::NotPositive`], [`ValueProblem::TooSmall`] below 3 in a million, or
    /// [`ValueProblem::TooLarge`].
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // from 0 to `RISE`
    pub fn new(part: f64) -> Result<Self, ValueError> {
        let error = |problem| Err(ValueError::new(Quantity::Headroom, problem));
        let part = part.finite(Quantity::Headroom)?;
        match f64::from(Self::RISE.bits()) * part / (1.0 - part) {
            _ if part <= 0.0 => error(ValueProblem::NotPositive),
            _ if part > 0.5 => error(ValueProblem::TooLarge),
            fall if fall < 1.0 => error(ValueProblem::TooSmall),
            fall => Ok(Self::of_bits((fall + 0.5) as u32)),
        }
    }

    /// Returns the share of frames.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        f64::from(self.bits()) / (f64::from(self.bits()) + f64::from(Self::RISE.bits()))
    }
}

impl Default for HeadroomTarget {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// A module's measured work between two ticks.
#[derive(Debug, Clone, Copy, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct MeasuredWork {
    time: u64,
    has_worked: bool,
}

impl MeasuredWork {
    /// Adds `units` of work and their nanoseconds.
    pub fn add(&mut self, units: u64, time: u64) {
        self.time = self.time.saturating_add(time);
        self.has_worked |= units > 0;
    }
}

/// The time of a plan's work, over all modules in its budget.
///
/// # Examples
/// ```
/// use lodger_core::calibration::{
///     Headroom, HeadroomTarget, HeadroomTracker, MeasuredWork, PlanWork,
/// };
/// use lodger_core::units::Budget;
///
/// let mut measured = MeasuredWork::default();
/// measured.add(5, 900);
/// let mut work = PlanWork::default();
/// work.add(Some(measured), true, 800);
/// work.add(None, false, 200); // not measured: counts as planned
/// let mut tracker = HeadroomTracker::NEW;
/// work.update(&mut tracker, Budget::from_ns(1_000), Some(HeadroomTarget::DEFAULT));
/// assert!(tracker.headroom() > Headroom::NONE);
/// # Ok::<(), lodger_core::ValueError>(())
/// ```
#[derive(Debug, Clone, Copy, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct PlanWork {
    time: u64,
    is_measured: bool,
    is_assumed: bool,
}

impl PlanWork {
    /// Adds a module: its measured work, whether its unit cost is [settled](super::Calibration::is_settled), and the
    /// planned time, which counts if nothing was measured.
    pub fn add(&mut self, measured: Option<MeasuredWork>, is_settled: bool, planned: u64) {
        self.is_measured |= measured.is_some();
        self.is_assumed |= !is_settled && measured.is_some_and(|measured| measured.has_worked);
        self.time = self.time.saturating_add(measured.map_or(planned, |measured| measured.time));
    }

    /// Updates the headroom, if a module was measured and no unit cost of measured work is assumed.
    pub fn update(
        self,
        tracker: &mut HeadroomTracker,
        budget: Budget,
        target: Option<HeadroomTarget>,
    ) {
        if let Some(target) = target
            && self.is_measured
            && !self.is_assumed
        {
            tracker.observe(budget, self.time, target);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BUDGET: Budget = Budget::from_ns(1_000_000);

    fn after(start: Headroom, frames: &[u64]) -> f64 {
        let mut tracker = HeadroomTracker(start.0);
        for &measured in frames {
            tracker.observe(BUDGET, measured, HeadroomTarget::default());
        }
        tracker.headroom().to_f64()
    }

    #[test]
    fn headroom_rises_at_once_and_falls_slowly() {
        let close = |found: f64, expected: f64| assert!((found - expected).abs() < 2e-5, "{found}");
        close(after(Headroom::NONE, &[1_000_000]), 0.0);
        close(after(Headroom::NONE, &[1_000_001]), 0.02);
        close(after(Headroom::NONE, &[1_500_000]), 0.02);
        close(after(Headroom::NONE, &[1_500_001, u64::MAX]), 0.0);
        close(after(Headroom::MAX, &[0; 999]), 0.48);
        close(after(Headroom::NONE, &[1_200_000; 100]), 0.5);
        close(after(Headroom::NONE, &[1_200_000, 0, 0]), 0.02 - 0.04 / 999.0);
    }

    #[test]
    fn the_third_spike_in_a_row_and_each_later_one_raise_the_headroom() {
        const SPIKE: u64 = 1_500_001;
        let close = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-4, "{found}");
        close(after(Headroom::NONE, &[SPIKE, SPIKE]), 0.0);
        close(after(Headroom::NONE, &[SPIKE, SPIKE, u64::MAX]), 0.02);
        close(after(Headroom::NONE, &[SPIKE; 7]), 0.1);
        close(after(Headroom::NONE, &[SPIKE; 40]), 0.5);
        // Any other frame ends a row, over the budget or not.
        for other in [0, 1_000_000, 1_500_000] {
            let alone = after(Headroom::NONE, &[other]);
            close(after(Headroom::NONE, &[SPIKE, SPIKE, other, SPIKE, SPIKE]), alone);
            let rise = after(Headroom::NONE, &[SPIKE, SPIKE, SPIKE, other]);
            close(after(Headroom::NONE, &[SPIKE, SPIKE, SPIKE, other, SPIKE, SPIKE]), rise);
        }
    }

    #[test]
    fn zero_and_unlimited_budgets_keep_the_headroom() {
        for budget in [Budget::from_ns(0), Budget::UNLIMITED] {
            let mut tracker = HeadroomTracker::NEW;
            for measured in [0, 1, u64::MAX, u64::MAX, u64::MAX] {
                tracker.observe(budget, measured, HeadroomTarget::default());
            }
            assert_eq!(tracker, HeadroomTracker::NEW);
        }
    }

    #[test]
    fn the_share_of_frames_over_budget_reaches_the_target() {
        for part in [0.001, 0.01, 0.05, 0.3] {
            let target = HeadroomTarget::new(part).unwrap();
            assert!((target.to_f64() / part - 1.0).abs() < 0.01);
            for noise in [0.03, 0.1, 0.3] {
                let (mut tracker, mut over, frames) = (HeadroomTracker::NEW, 0_u32, 200_000_u32);
                for frame in 0..frames {
                    let even = f64::from(frame.wrapping_mul(2_654_435_769)) / 4_294_967_296.0;
                    let planned = 1e6 * (1.0 - tracker.headroom().to_f64());
                    let measured = planned * (1.0 + noise * (2.0 * even - 1.0));
                    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // positive
                    tracker.observe(BUDGET, measured as u64, target);
                    over += u32::from(measured > 1e6);
                }
                let share = f64::from(over) / f64::from(frames);
                assert!((share / part - 1.0).abs() < 0.1, "{part} {noise}: {share}");
            }
        }
    }

    #[test]
    fn targets_are_shares_of_all_frames() {
        let refused = |part| HeadroomTarget::new(part).map_err(ValueError::problem);
        assert_eq!(refused(0.001), Ok(HeadroomTarget::DEFAULT));
        assert_eq!(refused(0.5), Ok(HeadroomTarget::RISE));
        for bits in 1..=HeadroomTarget::RISE.bits() {
            let target = HeadroomTarget::of_bits(bits);
            assert_eq!(refused(target.to_f64()), Ok(target));
        }
        assert_eq!(refused(f64::NAN), Err(ValueProblem::NotFinite));
        assert_eq!(refused(0.0), Err(ValueProblem::NotPositive));
        assert_eq!(refused(2e-6), Err(ValueProblem::TooSmall));
        assert_eq!(refused(0.6), Err(ValueProblem::TooLarge));
    }
}
