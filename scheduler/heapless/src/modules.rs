//! Modules: their settings, and the measured times of their work.

use lodger_core::Real;
use lodger_core::budget::SlopeRange;
use lodger_core::calibration::{Calibration, Headroom, HeadroomTarget, PlanWork};
use lodger_core::error::{Quantity, ValueError, ValueProblem};
use lodger_core::units::{BenefitValue, UnitCost};

use crate::handle::{Capacity, ModuleId, SceneError};
use crate::input::Module;
use crate::module_data::ModuleData;
use crate::scene::Scene;

impl<N: Real, const MODULES: usize, const ACTORS: usize, const COSTS: usize>
    Scene<N, MODULES, ACTORS, COSTS>
{
    /// Adds a module.
    ///
    /// # Errors
    /// [`Capacity::Modules`]; [`SceneError::Invalid`] for an overhead of 4.29 s or more.
    pub fn add_module(&mut self, module: Module<N>) -> Result<ModuleId, SceneError> {
        let index = u8::try_from(self.modules.len()).map_err(|_| Capacity::Modules)?;
        self.modules.push(ModuleData::new(&module)?).map_err(|_| Capacity::Modules)?;
        Ok(ModuleId::new(index))
    }

    /// Returns all modules, in the order in which they were added.
    pub fn modules(&self) -> impl Iterator<Item = ModuleId> + use<N, MODULES, ACTORS, COSTS> {
        (0..=u8::MAX).take(self.modules.len()).map(ModuleId::new)
    }

    /// Returns the number of actors of a module.
    #[must_use]
    pub fn module_len(&self, id: ModuleId) -> Option<usize> {
        self.module(id).map(|module| module.rows.into())
    }

    /// Sets the unit cost of a module from the next tick on, and restarts its calibration with it.
    ///
    /// # Errors
    /// [`SceneError::NoSuchModule`]; [`SceneError::Invalid`] if a level of an actor or the overhead would
    /// cost 4.29 s or more; then nothing changes.
    #[doc(alias = "setLODUnitCost")]
    pub fn set_unit_cost(&mut self, id: ModuleId, cost: UnitCost) -> Result<(), SceneError> {
        if self.clamp_unit_cost(id, cost)? != cost {
            return Err(ValueError::new(Quantity::Cost, ValueProblem::TooLarge).into());
        }
        let module = self.module_mut(id)?;
        module.unit_cost = cost;
        module.calibration = Calibration::new(cost);
        Ok(())
    }

    /// Returns the unit cost of a module from the next tick on: as it was set, or the measured cost and up
    /// to a sixteenth more, so that noise does not change it. It is limited so that no level and no
    /// overhead costs 4.29 s or more.
    #[doc(alias = "getLODUnitCost")]
    #[must_use]
    pub fn unit_cost(&self, id: ModuleId) -> Option<UnitCost> {
        self.module(id).map(|module| module.unit_cost)
    }

    /// Returns the unit cost of a module by the measurements alone.
    #[must_use]
    pub fn raw_unit_cost(&self, id: ModuleId) -> Option<UnitCost> {
        self.module(id).map(|module| module.calibration.raw_unit_cost())
    }

    /// Sets the constant part of a module's work; see [`Module::overhead`].
    ///
    /// # Errors
    /// [`SceneError::NoSuchModule`]; [`SceneError::Invalid`] if it would cost 4.29 s or more; then
    /// nothing changes.
    pub fn set_overhead(&mut self, id: ModuleId, units: u32) -> Result<(), SceneError> {
        let module = self.module_mut(id)?;
        let too_large = ValueError::new(Quantity::Overhead, ValueProblem::TooLarge);
        module.unit_cost.of(units).ok_or(too_large)?;
        module.overhead = units;
        Ok(())
    }

    /// Returns the constant part of a module's work, in units.
    #[must_use]
    pub fn overhead(&self, id: ModuleId) -> Option<u32> {
        self.module(id).map(|module| module.overhead)
    }

    /// Sets the greatest cost of a unit of benefit in a module.
    ///
    /// # Errors
    /// [`SceneError::NoSuchModule`].
    #[doc(alias = "setLODBenefitValue")]
    pub fn set_benefit_value(&mut self, id: ModuleId, v: BenefitValue) -> Result<(), SceneError> {
        self.module_mut(id)?.benefit_value = v;
        Ok(())
    }

    /// Returns the greatest cost of a unit of benefit in a module.
    #[doc(alias = "getLODBenefitValue")]
    #[must_use]
    pub fn benefit_value(&self, id: ModuleId) -> Option<BenefitValue> {
        self.module(id).map(|module| module.benefit_value)
    }

    /// Sets whether the LODs of a module are picked; otherwise every actor that is not forced has its
    /// highest LOD, up to the module's cap.
    ///
    /// # Errors
    /// [`SceneError::NoSuchModule`].
    #[doc(alias = "setLODEnabled")]
    pub fn set_managed(&mut self, id: ModuleId, managed: bool) -> Result<(), SceneError> {
        self.module_mut(id)?.managed = managed;
        Ok(())
    }

    /// Whether the LODs of a module are picked.
    #[must_use]
    pub fn is_managed(&self, id: ModuleId) -> Option<bool> {
        self.module(id).map(|module| module.managed)
    }

    /// Sets the highest level of a module's actors that are not forced, for example by a quality setting;
    /// `None` removes the cap.
    ///
    /// An actor whose lowest valid level is above the cap gets that level. The cap also applies if the
    /// module is not managed, and to upgrades from the leftover budget. Forced LODs are unchanged.
    ///
    /// # Errors
    /// [`SceneError::NoSuchModule`].
    pub fn set_lod_cap(&mut self, id: ModuleId, level: Option<u8>) -> Result<(), SceneError> {
        let module = self.module_mut(id)?;
        if module.lod_cap != level {
            module.lod_cap = level;
            module.valid_for = SlopeRange::default();
            self.ladders.set_cap(self.section(id.index()), level);
        }
        Ok(())
    }

    /// Returns the highest level of a module's actors that are not forced; the inner `None` means no cap.
    #[allow(clippy::option_option)] // the outer one is for the handle
    #[must_use]
    pub fn lod_cap(&self, id: ModuleId) -> Option<Option<u8>> {
        self.module(id).map(|module| module.lod_cap)
    }

    /// Returns the unit cost, or the greatest at which every level and the overhead have a cost if that is
    /// less.
    pub(crate) fn clamp_unit_cost(
        &self,
        id: ModuleId,
        cost: UnitCost,
    ) -> Result<UnitCost, SceneError> {
        let module = self.module(id).ok_or(SceneError::NoSuchModule)?;
        let most = self.ladders.most_units(self.section(id.index())).max(module.overhead);
        Ok(cost.clamped_for(most))
    }

    /// Records the time of a module's work in nanoseconds: of the last plan, and of the module's overhead.
    /// From the next tick on the unit cost follows ([`lodger_core::calibration`]), and so does the
    /// headroom ([`set_headroom_target`](Self::set_headroom_target)).
    ///
    /// Call it once after each tick whose plan was carried out. The units of a call without a measured
    /// time, for example by a coarse clock, are added to the next call.
    ///
    /// # Errors
    /// [`SceneError::NoSuchModule`].
    ///
    /// # Examples
    /// ```
    /// use lodger_heapless::{Actor, Benefit, BenefitValue, Budget, Module, Scene, UnitCost};
    ///
    /// let mut scene = Scene::<f32, 1, 1, 2>::new();
    /// let module = Module::new(UnitCost::from_ns(100.0)?, BenefitValue::from_ms(1.0)?);
    /// let particles = scene.add_module(module)?;
    /// scene.spawn(particles, Actor::from_benefit(Benefit::MAX, &[0, 1_000]))?;
    /// for _ in 0..20 {
    ///     scene.tick(Budget::from_ms(2.0)?);
    ///     scene.observe_time(particles, 200_000)?;
    /// }
    /// assert!(scene.unit_cost(particles).is_some_and(|cost| cost.ns() > 190.0));
    /// # Ok::<(), lodger_heapless::SceneError>(())
    /// ```
    pub fn observe_time(&mut self, id: ModuleId, nanoseconds: u64) -> Result<(), SceneError> {
        let units = self.planned_units(self.module_index(id)?);
        self.observe_units(id, units, nanoseconds)
    }

    /// Records the time of `units` of work, without the overhead, for a caller that counts units or did
    /// not follow the plan.
    ///
    /// # Errors
    /// [`SceneError::NoSuchModule`].
    pub fn observe_units(
        &mut self,
        id: ModuleId,
        units: u64,
        nanoseconds: u64,
    ) -> Result<(), SceneError> {
        let module = self.module_mut(id)?;
        let overhead = if module.is_idle { 0 } else { module.overhead };
        let units = units.saturating_add(overhead.into());
        let unit_cost = module.calibration.observe(units, nanoseconds);
        module.measured.get_or_insert_default().add(units, nanoseconds);
        let unit_cost = self.clamp_unit_cost(id, unit_cost)?;
        self.module_mut(id)?.unit_cost = unit_cost;
        Ok(())
    }

    /// Sets the share of ticks whose work may take more than the budget: one in a thousand by default.
    /// `None` plans with the whole budget; so does an unlimited budget, and a scene without
    /// [measurements](Self::observe_time). If the budget is not a time, it must be `None` when times are
    /// measured.
    ///
    /// The time of a tick's plan is the sum of the times that modules report until the next tick; a module
    /// without a report counts with its planned time, and modules outside the budget do not count. Until
    /// every module that reports work has been measured
    /// [`SETTLING`](lodger_core::calibration::SETTLING) times, its unit cost is an assumption, and the
    /// headroom does not change.
    pub const fn set_headroom_target(&mut self, target: Option<HeadroomTarget>) {
        self.headroom_target = target;
        if target.is_none() {
            self.headroom = Headroom::NONE;
        }
    }

    /// Returns the share of ticks whose work may take more than the budget.
    #[must_use]
    pub const fn headroom_target(&self) -> Option<HeadroomTarget> {
        self.headroom_target
    }

    /// Updates the headroom from the measured work of the last plan.
    pub(crate) fn update_headroom(&mut self) {
        let mut work = PlanWork::default();
        for module in &mut self.modules {
            let measured = module.measured.take();
            if module.counted {
                work.add(measured, module.calibration.is_settled(), module.planned);
            }
        }
        if let Some(outcome) = &self.outcome {
            work.update(&mut self.headroom, outcome.budget, self.headroom_target);
        }
    }
}
