//! Unit costs from measurements.
//!
//! A plan is only as good as its unit costs. A module reports the measured time of its work to its
//! [`Calibration`], and the next frame is planned with a unit cost that is closer to the true one.
//!
//! # Estimation
//!
//! Every measurement gives a unit cost: time over units. The [`WINDOW`] latest of them are kept
//! as logarithms, and the unit cost moves towards their median: by [`GAIN_UP`] of the difference if
//! the median is higher, by [`GAIN_DOWN`] if it is lower.
//!
//! - A **spike** is not the median, so a frame delayed by an interrupt has no effect, and neither have
//!   four. The window starts full of the first unit cost, so this holds from the first frame on.
//! - **Increases are faster than decreases**: too low a unit cost exceeds the budget, too high a unit
//!   cost only wastes.
//! - The unit cost stays within the range of the measurements and its previous value, and never moves
//!   away from the median, so it does not oscillate.
//! - A unit cost that is wrong by a factor f is within a factor f^(0.8ⁿ) after n + 4 frames if it was
//!   too low, and f^(0.9ⁿ) if it was too high.
//! - A clock too coarse for the work sometimes reads **no time**: those units are added to the next
//!   measurement.
//!
//! # Overhead
//!
//! A module whose work has a constant part states it in units, its *overhead*. The caller includes the
//! overhead in the units of every measurement, and it is paid before all actors; otherwise a module
//! with little work would look expensive, and one with much work cheap.
//!
//! # Applied unit cost
//!
//! Measurements are noisy, and costs that change in every frame change levels without need. So the
//! *raw* unit cost follows the measurements, and the *applied* unit cost stays as long as it is at least
//! the raw one and at most a sixteenth more; see [`Calibration::unit_cost`].
//!
//! Source: lodger's own. The APEX LOD document leaves the unit costs to the application, and nearly
//! every game that shipped APEX disabled the automatic LOD because they were never calibrated.
//!
//! Logarithms have 16 fractional bits and are computed by squaring, so there are only integers, the
//! same bits on every processor, and no division wider than 32 bits.
//!
//! A name that ends in `_q16` holds a number times 2^16; the suffix counts its fractional bits.

mod headroom;

pub use headroom::{Headroom, HeadroomTarget, MeasuredWork, PlanWork};

use crate::units::UnitCost;

/// The number of measurements in the median.
pub const WINDOW: usize = 9;
/// The reciprocal of the step towards a higher median: a fifth of the difference.
pub const GAIN_UP: u32 = 5;
/// The reciprocal of the step towards a lower median: a tenth of the difference.
pub const GAIN_DOWN: u32 = 10;
/// The number of measurements after which a unit cost no longer counts as assumed.
pub const SETTLING: u8 = 30;

/// The fractional bits of a logarithm.
const FRACTION: u32 = 16;
/// The fractional bits of a unit cost.
const UNIT_COST_FRACTION: u32 = 32;
/// The logarithm of the greatest unit cost, in units of its last bit.
const MAX_LOG_Q16: u32 = (64 << FRACTION) - 1;

/// The unit cost of one module, and the latest measurements of it.
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
    raw: UnitCost,
    applied: UnitCost,
    /// log₂ of the raw unit cost in units of its last bit.
    log_q16: u32,
    /// The logarithms of the latest measurements, the latest last.
    window_q16: [u32; WINDOW],
    /// Units without a measured time.
    timeless: u64,
    /// The number of measurements, saturating.
    measurements: u8,
}

impl Calibration {
    /// Starts from an assumed unit cost, which is used until measurements change it.
    #[must_use]
    pub fn new(unit_cost: UnitCost) -> Self {
        let log_q16 = log2_q16(unit_cost.bits());
        Self {
            raw: unit_cost,
            applied: unit_cost,
            log_q16,
            window_q16: [log_q16; WINDOW],
            timeless: 0,
            measurements: 0,
        }
    }

    /// Returns the unit cost to plan with: the value nearest to the previous one that is at least
    /// [`raw_unit_cost`](Self::raw_unit_cost) and at most a sixteenth more.
    #[must_use]
    #[doc(alias = "getLODUnitCost")]
    pub const fn unit_cost(&self) -> UnitCost {
        self.applied
    }

    /// Returns the unit cost that the measurements suggest.
    #[must_use]
    pub const fn raw_unit_cost(&self) -> UnitCost {
        self.raw
    }

    /// Whether there were [`SETTLING`] measurements, so that the unit cost is no longer assumed.
    #[must_use]
    pub const fn is_settled(&self) -> bool {
        self.measurements >= SETTLING
    }

    /// Records that `units` of work, overhead included, took `measured` nanoseconds, and returns the
    /// unit cost to plan with from now on.
    ///
    /// A measurement without work changes nothing. Work without time changes nothing either, but its
    /// units are added to the next measurement.
    pub fn observe(&mut self, units: u64, measured: u64) -> UnitCost {
        let units = units.saturating_add(self.timeless);
        if measured == 0 {
            self.timeless = units;
        } else if units > 0 {
            self.timeless = 0;
            self.measurements = self.measurements.saturating_add(1);
            let time_q16 = log2_q16(measured).saturating_add(UNIT_COST_FRACTION << FRACTION);
            let observed_q16 = time_q16.saturating_sub(log2_q16(units)).min(MAX_LOG_Q16);
            let [_, b, c, d, e, f, g, h, i] = self.window_q16;
            self.window_q16 = [b, c, d, e, f, g, h, i, observed_q16];
            self.follow(median(&self.window_q16));
            self.apply();
        }
        self.applied
    }

    /// Moves a part of the difference towards the median, rounded up, so by at least one unit.
    fn follow(&mut self, median_q16: u32) {
        let log_q16 = if median_q16 > self.log_q16 {
            self.log_q16.saturating_add(median_q16.abs_diff(self.log_q16).div_ceil(GAIN_UP))
        } else {
            self.log_q16.saturating_sub(median_q16.abs_diff(self.log_q16).div_ceil(GAIN_DOWN))
        };
        if log_q16 != self.log_q16 {
            self.log_q16 = log_q16;
            self.raw = UnitCost::from_bits(exp2(log_q16)).unwrap_or(self.raw);
        }
    }

    fn apply(&mut self) {
        let raw = self.raw.bits();
        let most = raw.saturating_add(raw >> 4);
        let applied = self.applied.bits().min(most).max(raw);
        self.applied = UnitCost::from_bits(applied).unwrap_or(self.raw);
    }
}

/// Returns the median: the greatest value with at most half of the values below it.
fn median(window: &[u32; WINDOW]) -> u32 {
    let below = |value: u32| window.iter().filter(|other| **other < value).count();
    let lower = window.iter().filter(|value| below(**value) <= WINDOW / 2);
    lower.max().copied().unwrap_or(0)
}

/// Returns log₂ of a number above 0, rounded down to a multiple of 2⁻¹⁶; roundings of the squarings
/// may cost one unit more. Returns 0 for 0.
#[allow(clippy::cast_possible_truncation)] // the upper half of 64 bits
fn log2_q16(value: u64) -> u32 {
    let zeros = value.leading_zeros();
    let normalised = value.checked_shl(zeros).unwrap_or(0);
    // In \[1, 2).
    let mut mantissa_q31 = (normalised >> 32) as u32;
    let mut log = 63_u32.saturating_sub(zeros);
    for _ in 0..FRACTION {
        let square_q62 = u64::from(mantissa_q31).wrapping_mul(mantissa_q31.into());
        let carry = (square_q62 >> 63) as u32;
        mantissa_q31 = (square_q62 >> 31_u32.wrapping_add(carry)) as u32;
        log = log << 1 | carry;
    }
    log
}

/// Returns 2^log to about 29 bits, rounded down; `log` is below 64.
fn exp2(log_q16: u32) -> u64 {
    // In \[1, 2); the roots are ordered from the greatest to the least.
    let mut mantissa_q31 = 1_u64 << 31;
    for (root_q31, bit) in ROOTS_Q31.iter().zip((0..FRACTION).rev()) {
        if log_q16 >> bit & 1 == 1 {
            mantissa_q31 = mantissa_q31.wrapping_mul(*root_q31) >> 31;
        }
    }
    let exponent = (log_q16 >> FRACTION).min(63);
    (mantissa_q31 << 32) >> 63_u32.wrapping_sub(exponent)
}

/// The powers 2^(1/2), 2^(1/4) and so on to 2^(2⁻¹⁶).
const ROOTS_Q31: [u64; FRACTION as usize] = roots();

#[allow(clippy::indexing_slicing)] // evaluated by the compiler, which rejects errors
const fn roots() -> [u64; FRACTION as usize] {
    let mut roots = [0; FRACTION as usize];
    let mut root_q31 = 2_u64 << 31;
    let mut index = 0;
    while index < roots.len() {
        // The square root of a number with 62 fractional bits has 31; 2 itself still fits.
        root_q31 = (root_q31 << 31).isqrt();
        roots[index] = root_q31;
        index += 1;
    }
    roots
}

#[cfg(test)]
mod tests;
