//! A module in a scene, without its rows.

use lodger_core::Real;
use lodger_core::budget::SlopeRange;
use lodger_core::calibration::{Calibration, MeasuredWork};
use lodger_core::error::{Quantity, ValueError, ValueProblem};
use lodger_core::units::{BenefitValue, UnitCost};

use crate::columns::ModuleRule;
use crate::input::Module;

/// The sum of the units of the last plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UnitSum {
    /// No call needed it so far, so ticks do not make it.
    Unneeded,
    /// The next tick makes it.
    Needed,
    Made,
}

#[derive(Debug, Clone)]
pub(crate) struct ModuleData<R> {
    pub(crate) rule: R,
    pub(crate) calibration: Calibration,
    /// The unit cost from the next tick on.
    pub(crate) unit_cost: UnitCost,
    /// The unit cost in the last tick.
    pub(crate) priced_at: UnitCost,
    /// The cost of all actors and the overhead after the last tick, in nanoseconds.
    pub(crate) planned: u64,
    pub(crate) measured: Option<MeasuredWork>,
    /// Whether the last tick found no actor in the module, so that it does no work.
    pub(crate) is_idle: bool,
    /// The units of the last plan if they were [summed](UnitSum::Made), else of its actors that were despawned since.
    pub(crate) units: u64,
    pub(crate) unit_sum: UnitSum,
    pub(crate) valid_for: SlopeRange,
    pub(crate) benefit_value: BenefitValue,
    pub(crate) overhead: u32,
    pub(crate) lod_cap: Option<u8>,
    pub(crate) managed: bool,
    /// Whether the budget of the last tick paid the module.
    pub(crate) counted: bool,
    pub(crate) rows: u16,
    pub(crate) automatic: u16,
    /// The number of rows with a benefit override.
    pub(crate) given: u16,
    pub(crate) quarantined: u16,
    pub(crate) ladders: u16,
    /// The number of levels of all ladders.
    pub(crate) levels: u16,
}

impl<R> ModuleData<R> {
    pub(crate) fn new<N: Real>(module: &Module<N>) -> Result<Self, ValueError>
    where
        R: ModuleRule<N>,
    {
        let too_large = ValueError::new(Quantity::Overhead, ValueProblem::TooLarge);
        module.unit_cost.of(module.overhead).ok_or(too_large)?;
        Ok(Self {
            rule: R::new(module.rule)?,
            calibration: Calibration::new(module.unit_cost),
            unit_cost: module.unit_cost,
            priced_at: module.unit_cost,
            planned: 0,
            measured: None,
            is_idle: false,
            units: 0,
            unit_sum: UnitSum::Unneeded,
            valid_for: SlopeRange::default(),
            benefit_value: module.benefit_value,
            overhead: module.overhead,
            lod_cap: module.lod_cap,
            managed: module.managed,
            counted: false,
            rows: 0,
            automatic: 0,
            given: 0,
            quarantined: 0,
            ladders: 0,
            levels: 0,
        })
    }

    pub(crate) fn automatic_rows(&self) -> usize {
        if self.managed { self.automatic.into() } else { 0 }
    }

    /// Begins to count the units of a new plan.
    pub(crate) fn begin_units(&mut self) {
        self.units = 0;
        if self.unit_sum == UnitSum::Made {
            self.unit_sum = UnitSum::Needed;
        }
    }

    /// Whether the unit cost was not measured yet, and the module has automatic actors.
    pub(crate) fn is_unmeasured(&self) -> bool {
        !self.calibration.is_measured() && self.automatic_rows() > 0
    }

    /// Returns the cost of the overhead at the unit cost of the last tick, in nanoseconds.
    pub(crate) fn overhead_cost(&self) -> u64 {
        if self.rows == 0 {
            return 0;
        }
        self.priced_at.of(self.overhead).unwrap_or(u32::MAX).into()
    }
}
