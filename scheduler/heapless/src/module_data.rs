//! A module in a scene, without its rows.

use lodger_core::Real;
use lodger_core::budget::Policy;
use lodger_core::calibration::{Calibration, MeasuredWork};
use lodger_core::error::{Quantity, ValueError, ValueProblem};
use lodger_core::units::{BenefitValue, UnitCost};

use crate::columns::{ModulePriority as _, ModuleRule as _, ModuleSight as _, Selection};
use crate::handle::{ModuleId, SceneError};
use crate::index::{RowNumber, SlotIndex};
use crate::input::Module;
use crate::qualities::QualityRule as _;

/// The sum of the units of the last plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UnitSum {
    /// No call needed it so far, so ticks do not make it.
    Unneeded,
    /// The next tick makes it.
    Needed,
    Made,
}

#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ModuleFlags(u8);

impl ModuleFlags {
    pub(crate) const MANAGED: u8 = 1;
    /// The budget of the last tick paid the module.
    pub(crate) const COUNTED: u8 = 2;
    /// The last tick found no actor in the module, so that it does no work.
    pub(crate) const IDLE: u8 = 4;
    pub(crate) const HAS_BENEFIT_VALUE: u8 = 8;
    /// The last tick picked the levels of all actors.
    pub(crate) const STEADY: u8 = 16;
    /// Times were measured in the frame.
    const MEASURED: u8 = 32;
    /// One of them was of work.
    const WORKED: u8 = 64;

    pub(crate) const fn has(self, mark: u8) -> bool {
        self.0 & mark != 0
    }

    pub(crate) const fn set(&mut self, mark: u8, is_set: bool) {
        self.0 = if is_set { self.0 | mark } else { self.0 & !mark };
    }
}

/// A number of rows or ladders of columns.
type Count<C> = <<C as Selection>::SlotIndex as SlotIndex>::Row;

#[derive(Debug, Clone)]
pub(crate) struct ModuleData<N: Real, C: Selection> {
    pub(crate) rule: C::Rule<N>,
    pub(crate) sight: C::Sight,
    pub(crate) priority: C::ModulePriority,
    pub(crate) qualities: C::Qualities,
    pub(crate) calibration: Calibration,
    /// The unit cost from the next tick on.
    pub(crate) unit_cost: UnitCost,
    /// The unit cost in the last tick.
    pub(crate) priced_at: UnitCost,
    /// The cost of all actors and the overhead after the last tick, in nanoseconds.
    pub(crate) planned: u64,
    /// The sum of the frame's measured times, in nanoseconds.
    measured: u64,
    /// The units of the last plan if they were [summed](UnitSum::Made), else of its actors that were despawned since.
    pub(crate) units: u64,
    pub(crate) unit_sum: UnitSum,
    /// 0 without one.
    pub(crate) benefit_value: BenefitValue,
    pub(crate) overhead: u32,
    pub(crate) lod_cap: Option<u8>,
    pub(crate) flags: ModuleFlags,
    pub(crate) rows: Count<C>,
    pub(crate) automatic: Count<C>,
    /// The number of rows with a benefit override.
    pub(crate) given: Count<C>,
    pub(crate) quarantined: Count<C>,
    pub(crate) ladders: Count<C>,
    /// The number of levels of all ladders.
    pub(crate) levels: u16,
}

impl<N: Real, C: Selection> ModuleData<N, C> {
    pub(crate) fn new(module: &Module<N>) -> Result<Self, ValueError> {
        let too_large = ValueError::new(Quantity::Overhead, ValueProblem::TooLarge);
        module.unit_cost.of(module.overhead).ok_or(too_large)?;
        let mut flags = ModuleFlags::default();
        flags.set(ModuleFlags::MANAGED, module.managed);
        flags.set(ModuleFlags::HAS_BENEFIT_VALUE, module.benefit_value.is_some());
        Ok(Self {
            rule: C::Rule::<N>::new(module.rule),
            sight: C::Sight::NEW,
            priority: C::ModulePriority::NEW,
            qualities: C::Qualities::NEW,
            calibration: Calibration::new(module.unit_cost),
            unit_cost: module.unit_cost,
            priced_at: module.unit_cost,
            planned: 0,
            measured: 0,
            units: 0,
            unit_sum: UnitSum::Unneeded,
            benefit_value: module.benefit_value.unwrap_or_default(),
            overhead: module.overhead,
            lod_cap: module.lod_cap,
            flags,
            rows: RowNumber::new(0),
            automatic: RowNumber::new(0),
            given: RowNumber::new(0),
            quarantined: RowNumber::new(0),
            ladders: RowNumber::new(0),
            levels: 0,
        })
    }

    pub(crate) fn is_managed(&self) -> bool {
        self.flags.has(ModuleFlags::MANAGED)
    }

    /// Checks that the module has the numbers that a policy needs.
    pub(crate) fn check_for(&self, policy: Policy, id: ModuleId) -> Result<(), SceneError> {
        let is_valued = self.flags.has(ModuleFlags::HAS_BENEFIT_VALUE);
        if self.is_managed() && !is_valued && policy != Policy::Optimal {
            Err(SceneError::NoBenefitValue(id))
        } else {
            Ok(())
        }
    }

    pub(crate) fn automatic_rows(&self) -> usize {
        if self.is_managed() { self.automatic.get() } else { 0 }
    }

    /// Counts a row that had, or now has, a benefit override.
    pub(crate) fn count_given(&mut self, was_given: bool, is_given: bool) {
        match (was_given, is_given) {
            (false, true) => self.given = self.given.next(),
            (true, false) => self.given = self.given.previous(),
            _ => {}
        }
    }

    /// Adds a measured time of the frame, in nanoseconds.
    pub(crate) fn measure(&mut self, units: u64, time: u64) {
        self.measured = self.measured.saturating_add(time);
        let worked = if units > 0 { ModuleFlags::WORKED } else { 0 };
        self.flags.set(ModuleFlags::MEASURED | worked, true);
    }

    /// Takes the measured work of the frame; `None` if no time was measured.
    pub(crate) fn take_measured(&mut self) -> Option<MeasuredWork> {
        let flags = self.flags;
        if !flags.has(ModuleFlags::MEASURED) {
            return None;
        }
        self.flags.set(ModuleFlags::MEASURED | ModuleFlags::WORKED, false);
        let mut work = MeasuredWork::default();
        work.add(flags.has(ModuleFlags::WORKED).into(), core::mem::take(&mut self.measured));
        Some(work)
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
        if self.rows.get() == 0 || self.overhead == 0 {
            return 0;
        }
        self.priced_at.of(self.overhead).unwrap_or(u32::MAX).into()
    }
}
