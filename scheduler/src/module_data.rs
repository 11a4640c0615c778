//! A module in a scene, without the states of its actors: all data that a decision reads and writes.

use lodger_core::benefit::{OutsideFactor, Priority};
use lodger_core::budget::{
    IndexColumn, LodControl, ModuleInput, ModuleView, Policy, Quality, Slopes, WideState,
};
use lodger_core::calibration::{Calibration, MeasuredWork};
use lodger_core::error::{Quantity, ValueError, ValueProblem};
use lodger_core::units::{BenefitValue, UnitCost};
use lodger_core::{Benefit, Real};

use crate::handle::SceneError;
use crate::input::{Actor, Module, ModuleQualities};
use crate::ladders::{LadderInput, LadderTable, LadderView};
use crate::rows::{ActorRows, OptionalColumn, Row, WideBuffers};
use crate::states::UsedFields;

#[derive(Debug, Clone, Copy)]
pub(crate) struct ModuleSettings {
    pub(crate) unit_cost: UnitCost,
    pub(crate) raw_unit_cost: UnitCost,
    pub(crate) overhead: u32,
    pub(crate) benefit_value: Option<BenefitValue>,
    pub(crate) managed: bool,
    pub(crate) lod_cap: Option<u8>,
    pub(crate) priority: Priority,
    pub(crate) outside: OutsideFactor,
    /// Whether the user says which rows are in view.
    pub(crate) is_view_given: bool,
    /// Whether the unit cost was measured before the last tick.
    pub(crate) was_measured: bool,
}

/// The factors of the benefits of a module's rows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RowFactors<'a> {
    pub(crate) settings: &'a ModuleSettings,
    pub(crate) priority: &'a OptionalColumn<Priority>,
    pub(crate) out_of_view: &'a OptionalColumn<bool>,
}

/// Sums over the planned actors of a module. They wrap, so that a part may be subtracted before it is
/// added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct RowSums {
    pub(crate) actors: u64,
    /// The sum of benefits, in 2⁻¹⁶.
    pub(crate) benefit: u64,
    /// The benefits of automatic actors, in 2⁻¹⁶.
    pub(crate) claim: u64,
    pub(crate) units: u64,
}

impl RowSums {
    const fn plus(self, other: Self) -> Self {
        Self {
            actors: self.actors.wrapping_add(other.actors),
            benefit: self.benefit.wrapping_add(other.benefit),
            claim: self.claim.wrapping_add(other.claim),
            units: self.units.wrapping_add(other.units),
        }
    }

    const fn minus(self, other: Self) -> Self {
        Self {
            actors: self.actors.wrapping_sub(other.actors),
            benefit: self.benefit.wrapping_sub(other.benefit),
            claim: self.claim.wrapping_sub(other.claim),
            units: self.units.wrapping_sub(other.units),
        }
    }
}

#[derive(Debug, Clone)]
pub(crate) struct ModuleData {
    pub(crate) name: String,
    pub(crate) settings: ModuleSettings,
    /// The numbers with a weight in the rule.
    pub(crate) used_fields: UsedFields,
    pub(crate) continuous: bool,
    /// The qualities of actors without their own.
    pub(crate) qualities: ModuleQualities,
    pub(crate) calibration: Calibration,
    pub(crate) ladders: LadderTable,
    pub(crate) rows: ActorRows,
    /// The number of quarantined actors, without actors that were despawned since the last tick.
    pub(crate) quarantined: usize,
    /// The numbers that were borrowed since the last tick.
    pub(crate) borrowed_fields: UsedFields,
    /// The settings of the last tick; `None` if the module is new.
    pub(crate) decided: Option<ModuleSettings>,
    /// Whether the module was managed in the last tick; true if it is new.
    pub(crate) was_managed: bool,
    pub(crate) wide: WideBuffers,
    /// The difference between the sums of the last tick and the sums over the rows.
    sums_correction: RowSums,
    /// The cost of the automatic actors, in nanoseconds.
    pub(crate) assigned: u64,
    /// The cost of the other actors and the overhead, in nanoseconds.
    pub(crate) reserved: u64,
    /// Whether the budget of the last tick paid for the module.
    pub(crate) counted: bool,
    /// The work that was measured since the last frame.
    pub(crate) measured: Option<MeasuredWork>,
    actors_in_tick: Option<usize>,
}

impl ModuleData {
    pub(crate) fn new<N: Real>(
        module: Module<N>,
        used_fields: UsedFields,
    ) -> Result<Self, ValueError> {
        let too_large = ValueError::new(Quantity::Overhead, ValueProblem::TooLarge);
        module.unit_cost.of(module.overhead).ok_or(too_large)?;
        Ok(Self {
            name: module.name,
            settings: ModuleSettings {
                unit_cost: module.unit_cost,
                raw_unit_cost: module.unit_cost,
                overhead: module.overhead,
                benefit_value: module.benefit_value,
                managed: module.managed,
                lod_cap: module.lod_cap,
                priority: module.priority,
                outside: module.outside,
                is_view_given: false,
                was_measured: false,
            },
            used_fields,
            continuous: module.continuous,
            qualities: module.qualities,
            calibration: Calibration::new(module.unit_cost),
            ladders: LadderTable::new(module.unit_cost),
            rows: ActorRows::default(),
            quarantined: 0,
            borrowed_fields: UsedFields::NONE,
            decided: None,
            was_managed: true,
            wide: WideBuffers::default(),
            sums_correction: RowSums::default(),
            assigned: 0,
            reserved: 0,
            counted: false,
            measured: None,
            actors_in_tick: None,
        })
    }

    /// Adds an actor at the end, among the forced ones.
    ///
    /// # Errors
    /// The first of: an invalid ladder, an invalid radius, a level that costs too much.
    pub(crate) fn add<N: Real>(
        &mut self,
        slot: u32,
        actor: &Actor<'_, N>,
        radius: Result<(), ValueError>,
    ) -> Result<(), ValueError> {
        let ladder = self.acquire(actor.work, actor.lod_range, actor.qualities, radius)?;
        let &Actor { benefit_override, control, visible, key, priority, .. } = actor;
        let row = Row { slot, benefit_override, ladder, control, visible, key, priority };
        self.rows.push(row, actor.state.is_valid());
        Ok(())
    }

    fn acquire(
        &mut self,
        work: &[u32],
        range: Option<(u8, u8)>,
        qualities: Option<&[Quality]>,
        radius: Result<(), ValueError>,
    ) -> Result<u32, ValueError> {
        let qualities = qualities.or_else(|| self.qualities.of_levels(work.len()));
        if let Some(ladder) = self.ladders.recent(work, range, qualities) {
            radius?;
            self.ladders.retain(ladder);
            return Ok(ladder);
        }
        let work = LadderInput::new(work, range, qualities)?;
        radius?;
        self.ladders.acquire(work, self.settings.unit_cost)
    }

    /// Removes the last actor, a forced one.
    pub(crate) fn remove_last(&mut self) {
        let last = self.rows.len() - 1;
        self.sums_correction = self.sums_correction.plus(self.part(last));
        self.ladders.release(self.rows.ladder[last]);
        self.quarantined -= usize::from(self.rows.flags[last].was_quarantined());
        self.rows.pop();
    }

    /// Returns the part of a row in the sums.
    pub(crate) fn part(&self, row: usize) -> RowSums {
        if !self.rows.flags[row].is_planned() {
            return RowSums::default();
        }
        let benefit = u64::from(self.rows.benefit[row].bits());
        let ladder = self.ladders.in_units().ladder(self.rows.ladder[row]);
        RowSums {
            actors: 1,
            benefit,
            claim: if row < self.rows.automatic { benefit } else { 0 },
            units: ladder.cost(self.rows.lod(row)).into(),
        }
    }

    /// Records that the part of a row in the sums changed.
    pub(crate) fn note(&mut self, before: RowSums, now: RowSums) {
        self.sums_correction = self.sums_correction.plus(before).minus(now);
    }

    pub(crate) fn sums(&self) -> RowSums {
        (0..self.rows.len()).fold(self.sums_correction, |sums, row| sums.plus(self.part(row)))
    }

    /// Begins a tick; returns whether ladders, costs, the benefit value, the automatic rows or the need of caution have
    /// changed.
    pub(crate) fn begin_tick(&mut self) -> bool {
        let is_measured = self.calibration.is_measured();
        let was_measured = std::mem::replace(&mut self.settings.was_measured, is_measured);
        let have_changed = self.ladders.prepare(self.settings.unit_cost, self.settings.lod_cap);
        let value = self.settings.benefit_value;
        let has_other_value = self.decided.is_none_or(|settings| settings.benefit_value != value);
        self.decided = Some(self.settings);
        self.sums_correction = RowSums::default();
        let is_regrouped = std::mem::take(&mut self.rows.is_regrouped);
        let has_other_rows = self.wide.begin_tick(self.automatic(), &self.rows.level, is_regrouped);
        if have_changed || has_other_value {
            self.wide.forget();
        }
        have_changed || has_other_value || has_other_rows || is_measured != was_measured
    }

    pub(crate) fn end_tick(&mut self) {
        self.was_managed = self.settings.managed;
        self.rows.dirty.clear();
    }

    /// Whether a row has become automatic, or has another number of levels. Its change is no switch.
    pub(crate) fn is_newly_automatic(&self, row: usize) -> bool {
        row < self.automatic() && !self.rows.previous(row).is_automatic()
    }

    /// Whether the unit cost was not measured yet, and the module has automatic actors.
    pub(crate) fn is_unmeasured(&self) -> bool {
        !self.calibration.is_measured() && self.automatic() > 0
    }

    /// Returns the number of automatic rows, which are the first.
    pub(crate) fn automatic(&self) -> usize {
        if self.settings.managed { self.rows.automatic } else { 0 }
    }

    pub(crate) fn module_view(&mut self) -> ModuleView<'_> {
        let automatic = self.automatic();
        let ActorRows { ladder, narrow, benefit, slot, level, fraction, .. } = &mut self.rows;
        let has_column = self.ladders.only().is_none();
        let are_narrow = self.ladders.are_narrow();
        let LadderView { ladders, qualities, slopes, valid_for } = self.ladders.view();
        ModuleView {
            input: ModuleInput {
                benefit_value: self.settings.benefit_value.unwrap_or_default(),
                continuous: self.continuous,
                ladders,
                ladder: IndexColumn::Words(if has_column { &ladder[..automatic] } else { &[] }),
                benefits: &benefit[..automatic],
            },
            ids: IndexColumn::Words(&slot[..automatic]),
            levels: &mut level[..automatic],
            fractions: &mut fraction[..automatic],
            qualities,
            slopes: Slopes { of_costs: slopes, valid_for },
            assigned: self.assigned,
            is_cautious: !self.calibration.is_measured(),
            previous: &[],
            wide: WideState {
                ladder_bytes: if are_narrow { &narrow[..automatic] } else { &[] },
                ..self.wide.view(automatic)
            },
        }
    }

    /// Returns a module view to assign levels in, the benefits of all rows, and their factors.
    pub(crate) fn module_view_without_benefits(
        &mut self,
    ) -> (ModuleView<'_>, &mut [Benefit], RowFactors<'_>) {
        let automatic = self.automatic();
        let has_column = self.ladders.only().is_none();
        let are_narrow = self.ladders.are_narrow();
        let ActorRows { ladder, narrow, benefit, level, priority, out_of_view, .. } =
            &mut self.rows;
        let factors = RowFactors { settings: &self.settings, priority, out_of_view };
        let input = ModuleInput {
            benefit_value: self.settings.benefit_value.unwrap_or_default(),
            continuous: self.continuous,
            ladders: self.ladders.capped_or_only(),
            ladder: IndexColumn::Words(if has_column { &ladder[..automatic] } else { &[] }),
            benefits: &[],
        };
        let wide = WideState {
            ladder_bytes: if are_narrow { &narrow[..automatic] } else { &[] },
            ..self.wide.view(automatic)
        };
        let module_view =
            ModuleView { input, levels: &mut level[..automatic], wide, ..ModuleView::default() };
        (module_view, benefit, factors)
    }

    /// Checks that the module has the numbers that a policy needs.
    pub(crate) fn check_for(&self, policy: Policy) -> Result<(), SceneError> {
        let ModuleSettings { managed, benefit_value, .. } = self.settings;
        if managed && benefit_value.is_none() && policy != Policy::Optimal {
            Err(SceneError::NoBenefitValue(self.name.as_str().into()))
        } else {
            Ok(())
        }
    }

    /// Whether the last tick found no actor in the module.
    pub(crate) fn is_idle(&self) -> bool {
        self.actors_in_tick == Some(0)
    }

    fn overhead(&self) -> u64 {
        if self.rows.len() == 0 {
            return 0;
        }
        self.settings.unit_cost.of(self.settings.overhead).unwrap_or(u32::MAX).into()
    }

    /// Limits a unit cost so that every level and the overhead have a cost.
    pub(crate) fn clamp_unit_cost(&self, unit_cost: UnitCost) -> UnitCost {
        let most = self.ladders.most_units().max(self.settings.overhead);
        unit_cost.clamped_for(most)
    }

    /// Assigns the LODs of actors that are not automatic, and sums their cost and the overhead.
    pub(crate) fn assign_reserved(&mut self) {
        let (capped, whole) = (self.ladders.capped(), self.ladders.whole());
        self.actors_in_tick = Some(self.rows.len());
        self.reserved = self.overhead();
        for row in self.automatic()..self.rows.len() {
            let control = self.rows.control[row];
            let ladders = if control == LodControl::Automatic { capped } else { whole };
            let ladder = ladders.ladder(self.rows.ladder[row]);
            let lod = ladder.fixed(control, self.continuous);
            self.wide.before[row] = self.rows.level[row];
            (self.rows.level[row], self.rows.fraction[row]) = (lod.level(), lod.fraction());
            self.reserved += u64::from(ladder.cost(lod));
        }
    }
}
