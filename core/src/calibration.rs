//! Unit costs from measurements.
//!
//! A module reports the measured time of its work to its [`Calibration`]; the next frame is planned with a unit cost closer
//! to the true one.
//!
//! # Estimation
//!
//! Each measurement gives a unit cost, time over units. The unit cost moves towards the median of the [`WINDOW`] latest, in
//! logarithms: by [`GAIN_UP`] of the difference up, by [`GAIN_DOWN`] down, as too low a unit cost exceeds the budget and
//! too high a one only wastes.
//!
//! - Up to four **spikes** have no effect, from the first frame on: the window starts full of the first unit cost.
//! - The unit cost stays within the range of the measurements and its previous value, and does not oscillate.
//! - A unit cost wrong by a factor f is within a factor f^(0.8ⁿ) after n + 4 frames if it was too low, and f^(0.9ⁿ) if too
//!   high.
//! - If a coarse clock reads **no time**, the units are added to the next measurement.
//!
//! # Overhead
//!
//! A module states the constant part of its work in units, its *overhead*. The caller includes it in the units of every
//! measurement; it is paid before all actors.
//!
//! # Applied unit cost
//!
//! The *raw* unit cost follows the measurements. To keep levels steady, the *applied* one stays while it is at least the
//! raw one and at most a sixteenth more; see [`Calibration::unit_cost`].
//!
//! Source: lodger's own. The APEX LOD document leaves unit costs to the application; nearly every game that shipped APEX
//! disabled the automatic LOD because they were never calibrated.
//!
//! Logarithms have 16 fractional bits and are computed in integers. A suffix such as `_q16` counts a name's fractional bits.

mod headroom;
mod logarithm;
mod own_cost;

pub use headroom::{Headroom, HeadroomTarget, HeadroomTracker, MeasuredWork, PlanWork};

pub use own_cost::OwnCost;

use crate::units::UnitCost;
use logarithm::{FRACTION, MAX_LOG_Q16, exp2, log2_q16};

/// The number of measurements in the median.
pub const WINDOW: usize = 9;
/// The step towards a higher median: a fifth of the difference.
pub const GAIN_UP: u32 = 5;
/// The step towards a lower median: a tenth of the difference.
pub const GAIN_DOWN: u32 = 10;
/// The number of measurements after which a unit cost is no longer assumed.
pub const SETTLING: u8 = 30;

const UNIT_COST_FRACTION: u32 = 32;

/// A module's unit cost, and the latest measurements.
///
/// # Examples
/// ```
/// use lodger_core::calibration::Calibration;
/// use lodger_core::units::UnitCost;
///
/// // Assumed 100 ns a particle; in truth it takes 200 ns.
/// let mut calibration = Calibration::new(UnitCost::from_ns(100.0)?);
/// for _ in 0..30 {
///     calibration.observe(1_000, 200_000);
/// }
/// assert!((calibration.raw_unit_cost().ns() / 200.0 - 1.0).abs() < 0.01);
///
/// // One frame that took a hundred times as long, and one that took a little longer, move nothing.
/// let before = calibration.unit_cost();
/// calibration.observe(1_000, 20_000_000);
/// calibration.observe(1_000, 201_000);
/// assert!((calibration.unit_cost().ns() / before.ns() - 1.0).abs() < 0.01);
/// # Ok::<(), lodger_core::ValueError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[doc(alias = "setLODUnitCost")]
pub struct Calibration {
    raw: StoredCost,
    applied: StoredCost,
    /// log₂ of the raw unit cost in units of its last bit.
    log_q16: u32,
    timeless: u32,
    window: Window,
}

/// A unit cost at a multiple of 4 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
struct StoredCost {
    low: u32,
    high: u32,
}

impl StoredCost {
    #[allow(clippy::cast_possible_truncation)] // the low half
    const fn new(cost: UnitCost) -> Self {
        Self { low: cost.bits() as u32, high: (cost.bits() >> 32) as u32 }
    }

    const fn get(self) -> UnitCost {
        UnitCost::of_bits((self.high as u64) << 32 | self.low as u64)
    }
}

/// Logarithms of the latest measurements, 3 bytes each, in a ring: the order has no effect on a median.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
struct Window {
    low_q16: [u16; WINDOW],
    high: [u8; WINDOW],
    /// The number of measurements; after [`ROUNDS`](Self::ROUNDS) it counts the last round again.
    measurements: u8,
}

impl Window {
    /// The measurements of the whole rounds that contain [`SETTLING`], and of one more.
    const ROUNDS: u8 = SETTLING.next_multiple_of(Self::ROUND) + Self::ROUND;
    #[allow(clippy::cast_possible_truncation)] // 9
    const ROUND: u8 = WINDOW as u8;

    const fn full_of(log_q16: u32) -> Self {
        let (low, high) = parts(log_q16);
        Self { low_q16: [low; WINDOW], high: [high; WINDOW], measurements: 0 }
    }

    fn logs_q16(&self) -> [u32; WINDOW] {
        let [a, b, c, d, e, f, g, h, i] = self.low_q16;
        let [j, k, l, m, n, o, p, q, r] = self.high;
        let log_q16 = |low: u16, high: u8| u32::from(high) << 16 | u32::from(low);
        // Written out: a loop takes twice the instructions on a Cortex-M0.
        [
            log_q16(a, j),
            log_q16(b, k),
            log_q16(c, l),
            log_q16(d, m),
            log_q16(e, n),
            log_q16(f, o),
            log_q16(g, p),
            log_q16(h, q),
            log_q16(i, r),
        ]
    }

    /// Replaces the oldest measurement; returns the median.
    #[inline(never)] // alone it needs few registers
    fn add(&mut self, log_q16: u32) -> u32 {
        self.set((self.measurements % Self::ROUND).into(), log_q16);
        self.measurements = self.measurements.wrapping_add(1);
        if self.measurements == Self::ROUNDS {
            self.measurements = self.measurements.wrapping_sub(Self::ROUND);
        }
        median(&self.logs_q16())
    }

    fn set(&mut self, place: usize, log_q16: u32) {
        if let (Some(low), Some(high)) = (self.low_q16.get_mut(place), self.high.get_mut(place)) {
            (*low, *high) = parts(log_q16);
        }
    }
}

#[allow(clippy::cast_possible_truncation)] // 24 bits
const fn parts(log_q16: u32) -> (u16, u8) {
    const { assert!(MAX_LOG_Q16 < 1 << 24) };
    (log_q16 as u16, (log_q16 >> 16) as u8)
}

impl Calibration {
    /// Starts from an assumed unit cost.
    #[must_use]
    pub fn new(unit_cost: UnitCost) -> Self {
        let log_q16 = log2_q16(unit_cost.bits());
        Self {
            raw: StoredCost::new(unit_cost),
            applied: StoredCost::new(unit_cost),
            log_q16,
            timeless: 0,
            window: Window::full_of(log_q16),
        }
    }

    /// Returns the unit cost to plan with: the value nearest to the previous one that is at least
    /// [`raw_unit_cost`](Self::raw_unit_cost) and at most a sixteenth more.
    #[must_use]
    #[doc(alias = "getLODUnitCost")]
    pub const fn unit_cost(&self) -> UnitCost {
        self.applied.get()
    }

    /// Returns the unit cost that the measurements suggest.
    #[must_use]
    pub const fn raw_unit_cost(&self) -> UnitCost {
        self.raw.get()
    }

    /// Whether there was a measurement.
    #[must_use]
    pub const fn is_measured(&self) -> bool {
        self.window.measurements > 0
    }

    /// Whether there were [`SETTLING`] measurements.
    #[must_use]
    pub const fn is_settled(&self) -> bool {
        self.window.measurements >= SETTLING
    }

    /// Records that `units` of work, overhead included, took `measured` nanoseconds; returns the unit cost to plan with.
    ///
    /// Without work it changes nothing; without time it adds the units to the next measurement.
    pub fn observe(&mut self, units: u64, measured: u64) -> UnitCost {
        let units = units.saturating_add(self.timeless.into());
        if measured == 0 {
            self.timeless = u32::try_from(units).unwrap_or(u32::MAX);
        } else if units > 0 {
            self.timeless = 0;
            let time_q16 = log2_q16(measured).saturating_add(UNIT_COST_FRACTION << FRACTION);
            let observed_q16 = time_q16.saturating_sub(log2_q16(units)).min(MAX_LOG_Q16);
            let median_q16 = self.window.add(observed_q16);
            self.follow(median_q16);
            self.apply();
        }
        self.unit_cost()
    }

    /// Multiplies the unit costs and the measurements by a fraction, as after a change of the processor's clock. Unit costs
    /// are rounded as by [`UnitCost::scaled`], measurements keep their distance from the raw unit cost. `None` if either
    /// number is 0, or if a unit cost would be 2³² ns (4.29 s) or more.
    ///
    /// # Examples
    /// ```
    /// use lodger_core::calibration::Calibration;
    /// use lodger_core::units::UnitCost;
    ///
    /// let [slow, fast] = [200.0, 100.0].map(|ns| UnitCost::from_ns(ns).map(Calibration::new));
    /// assert_eq!(fast?.scaled(2, 1), Some(slow?));
    /// # Ok::<(), lodger_core::ValueError>(())
    /// ```
    #[must_use]
    pub fn scaled(&self, numerator: u32, denominator: u32) -> Option<Self> {
        let raw = self.raw.get().scaled(numerator, denominator)?;
        let log_q16 = log2_q16(raw.bits());
        let moved = log_q16.wrapping_sub(self.log_q16).cast_signed();
        let mut window = self.window;
        for (place, observed_q16) in self.window.logs_q16().into_iter().enumerate() {
            window.set(place, observed_q16.saturating_add_signed(moved).min(MAX_LOG_Q16));
        }
        let applied = StoredCost::new(self.unit_cost().scaled(numerator, denominator)?);
        Some(Self { raw: StoredCost::new(raw), applied, log_q16, window, ..*self })
    }

    /// Moves a part of the difference towards the median, at least one unit.
    fn follow(&mut self, median_q16: u32) {
        let difference = median_q16.abs_diff(self.log_q16);
        let log_q16 = if median_q16 > self.log_q16 {
            self.log_q16.saturating_add(tenth(difference.wrapping_mul(GAIN_DOWN / GAIN_UP)))
        } else {
            self.log_q16.saturating_sub(tenth(difference))
        };
        if log_q16 != self.log_q16 {
            self.log_q16 = log_q16;
            if let Some(raw) = UnitCost::from_bits(exp2(log_q16)) {
                self.raw = StoredCost::new(raw);
            }
        }
    }

    fn apply(&mut self) {
        let raw = self.raw.get();
        let most = UnitCost::of_bits(raw.bits().saturating_add(raw.bits() >> 4));
        self.applied = StoredCost::new(self.applied.get().min(most).max(raw));
    }
}

/// Divides by [`GAIN_DOWN`], rounded up, by shifts: the smallest Cortex-M have no division. 26 bits are exact.
fn tenth(number: u32) -> u32 {
    const { assert!(GAIN_DOWN == 10) };
    let number = number.wrapping_add(GAIN_DOWN - 1);
    // 0.8 times the number, rounded down in four places: 3/4 · (1 + 2⁻⁴) · (1 + 2⁻⁸) · (1 + 2⁻¹⁶).
    let product = (number >> 1).wrapping_add(number >> 2);
    let product = product.wrapping_add(product >> 4);
    let product = product.wrapping_add(product >> 8);
    let product = product.wrapping_add(product >> 16);
    let quotient = product >> 3;
    let rest = number.wrapping_sub(quotient.wrapping_mul(GAIN_DOWN));
    quotient.wrapping_add(u32::from(rest >= GAIN_DOWN))
}

/// Selects the fifth of nine by nineteen comparisons: a sorting network without the outputs that are not used.
#[inline]
fn median(window: &[u32; WINDOW]) -> u32 {
    let [a, b, c, d, e, f, g, h, i] = *window;
    let sorted = |a: u32, b: u32| if a <= b { (a, b) } else { (b, a) };
    let sorted3 = |a, b, c| {
        let (b, c) = sorted(b, c);
        let (a, b) = sorted(a, b);
        let (b, c) = sorted(b, c);
        (a, b, c)
    };
    let (a, b, c) = sorted3(a, b, c);
    let (d, e, f) = sorted3(d, e, f);
    let (g, h, i) = sorted3(g, h, i);
    // Three candidates remain: the greatest minimum, the median of the medians and the least maximum.
    let (_, middle, _) = sorted3(b, e, h);
    let (_, median, _) = sorted3(a.max(d).max(g), middle, c.min(f).min(i));
    median
}

#[cfg(test)]
mod tests;
