//! The time of deciding itself.

use super::Calibration;
use super::headroom::{MeasuredWork, PlanWork};
use crate::error::{Quantity, ValueError, ValueProblem};
use crate::units::UnitCost;

/// The cost of a scene's own tick, as one unit of work that every frame pays first.
///
/// # Examples
/// ```
/// use lodger_core::calibration::OwnCost;
///
/// // Stated as 50 µs; in truth a tick takes 60 µs.
/// let mut own = OwnCost::new(50_000)?.ok_or("no cost")?;
/// for _ in 0..30 {
///     own.observe(60_000);
/// }
/// assert!((59_000..=60_000).contains(&own.ns()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct OwnCost {
    calibration: Calibration,
    /// The nanoseconds since the last frame, at most 2³² − 1.
    measured: Option<u32>,
}

impl OwnCost {
    /// Makes a cost from nanoseconds; `None` for 0.
    ///
    /// # Errors
    /// [`ValueProblem::TooLarge`] from 2³² ns (4.29 s).
    pub fn new(nanoseconds: u64) -> Result<Option<Self>, ValueError> {
        let ns = u32::try_from(nanoseconds)
            .map_err(|_| ValueError::new(Quantity::Cost, ValueProblem::TooLarge))?;
        Ok(Self::of(ns))
    }

    fn of(ns: u32) -> Option<Self> {
        let unit_cost = UnitCost::from_bits(u64::from(ns) << 32)?;
        Some(Self { calibration: Calibration::new(unit_cost), measured: None })
    }

    /// Makes a cost from a first measured time in nanoseconds, limited to below 4.29 s; `None` for 0.
    #[must_use]
    pub fn measured(nanoseconds: u64) -> Option<Self> {
        let mut own = Self::of(u32::try_from(nanoseconds).unwrap_or(u32::MAX))?;
        own.observe(nanoseconds);
        Some(own)
    }

    /// Returns the cost to plan with, in nanoseconds, below 4.29 s.
    #[must_use]
    pub fn ns(&self) -> u32 {
        self.calibration.unit_cost().of(1).unwrap_or(u32::MAX)
    }

    /// Records the measured time of a tick, in nanoseconds.
    pub fn observe(&mut self, nanoseconds: u64) {
        self.calibration.observe(1, nanoseconds);
        let more = u32::try_from(nanoseconds).unwrap_or(u32::MAX);
        self.measured = Some(self.measured.unwrap_or(0).saturating_add(more));
    }

    /// Adds the time since the last frame to a frame's work: the measured time, or the cost without a measurement.
    pub fn add_to(&mut self, work: &mut PlanWork) {
        let measured = self.measured.take().map(|ns| {
            let mut measured = MeasuredWork::default();
            measured.add(1, ns.into());
            measured
        });
        work.add(measured, self.calibration.is_settled(), self.ns().into());
    }

    /// Multiplies the cost and its measurements by a fraction; see [`Calibration::scaled`]. Times since the last frame are
    /// forgotten.
    #[must_use]
    pub fn scaled(&self, numerator: u32, denominator: u32) -> Option<Self> {
        let calibration = self.calibration.scaled(numerator, denominator)?;
        calibration.unit_cost().of(1)?;
        Some(Self { calibration, measured: None })
    }
}
