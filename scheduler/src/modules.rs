//! Modules: their settings, and the measured times of their work.

use std::time::Duration;

use lodger_core::Real;
use lodger_core::benefit::{BenefitRule, BenefitTerms};
use lodger_core::budget::MAX_MODULES;
use lodger_core::calibration::Calibration;
use lodger_core::error::{Quantity, ValueError, ValueProblem};
use lodger_core::units::{BenefitValue, UnitCost};

use crate::handle::{ModuleId, SceneError};
use crate::input::Module;
use crate::module_data::ModuleData;
use crate::scene::Scene;
use crate::states::{ModuleStates, UsedFields};

impl<N: Real> Scene<N> {
    /// Adds a module.
    ///
    /// # Errors
    /// [`ValueProblem::TooLarge`] beyond [`MAX_MODULES`], and for an overhead of 4.29 s or more.
    pub fn add_module(&mut self, module: Module<N>) -> Result<ModuleId, SceneError> {
        let index = u16::try_from(self.data.modules.len()).ok();
        let index = index.filter(|&index| u32::from(index) < MAX_MODULES);
        let index = index.ok_or(ValueError::new(Quantity::Count, ValueProblem::TooLarge))?;
        let rule = match module.rule {
            Some(rule) => rule,
            None => BenefitRule::new(BenefitTerms::default())?,
        };
        self.data.modules.push(ModuleData::new(module, UsedFields::of_rule(&rule))?);
        self.states.push(ModuleStates::new(rule));
        Ok(ModuleId::new(index, self.data.tag))
    }

    /// Returns all modules, in the order in which they were added.
    pub fn modules(&self) -> impl Iterator<Item = ModuleId> {
        let numbers = (0..).take(self.data.modules.len());
        let tag = self.data.tag;
        numbers.map(move |index| ModuleId::new(index, tag))
    }

    /// Returns the name of a module.
    #[must_use]
    pub fn module_name(&self, id: ModuleId) -> Option<&str> {
        self.data.module(id).map(|module| module.name.as_str())
    }

    /// Returns the number of actors of a module.
    #[must_use]
    pub fn module_len(&self, id: ModuleId) -> Option<usize> {
        self.data.module(id).map(|module| module.rows.len())
    }

    /// Sets the unit cost of a module from the next tick on, and restarts its calibration with it.
    ///
    /// # Errors
    /// An invalid handle ([`SceneError::is_foreign`]); [`ValueProblem::TooLarge`] if a level of an actor
    /// or the overhead would cost 4.29 s or more; then nothing changes.
    #[doc(alias = "setLODUnitCost")]
    pub fn set_unit_cost(&mut self, id: ModuleId, cost: UnitCost) -> Result<(), SceneError> {
        let module = self.data.module_mut(id)?;
        if module.clamp_unit_cost(cost) != cost {
            return Err(ValueError::new(Quantity::Cost, ValueProblem::TooLarge).into());
        }
        (module.settings.unit_cost, module.settings.raw_unit_cost) = (cost, cost);
        module.calibration = Calibration::new(cost);
        Ok(())
    }

    /// Records the measured time of a module's work: the time of `units`, as
    /// [`ModulePlan::units`](crate::ModulePlan::units) counts them for the last plan, and of the module's
    /// overhead. From the next tick on the unit cost follows ([`lodger_core::calibration`]), and so does
    /// the headroom ([`set_headroom_target`](Self::set_headroom_target)).
    ///
    /// Call it once for each time that the module has worked: every call counts the overhead, and the
    /// times of all calls between two ticks add up to the time of the first tick's plan. The units of a
    /// call without a measured time are added to the next call.
    ///
    /// # Errors
    /// An invalid handle ([`SceneError::is_foreign`]).
    ///
    /// # Examples
    /// ```
    /// use std::time::Duration;
    /// use lodger_scheduler::{BenefitValue, Budget, Module, Scene, UnitCost};
    ///
    /// let mut scene = Scene::<f32>::new(Budget::from_ms(2.0)?);
    /// let module = Module::new("particles", UnitCost::from_ns(100.0)?, BenefitValue::from_ms(1.0)?);
    /// let particles = scene.add_module(module)?;
    /// for _ in 0..20 {
    ///     scene.observe_time(particles, 1_000, Duration::from_micros(200))?;
    /// }
    /// assert!(scene.unit_cost(particles).is_some_and(|cost| cost.ns() > 190.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn observe_time(
        &mut self,
        id: ModuleId,
        units: u64,
        time: Duration,
    ) -> Result<(), SceneError> {
        let module = self.data.module_mut(id)?;
        let time = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        let overhead = if module.is_idle() { 0 } else { module.settings.overhead };
        let units = units.saturating_add(overhead.into());
        let unit_cost = module.calibration.observe(units, time);
        module.settings.unit_cost = module.clamp_unit_cost(unit_cost);
        module.settings.raw_unit_cost = module.calibration.raw_unit_cost();
        module.measured.get_or_insert_default().add(units, time);
        Ok(())
    }

    /// Returns the unit cost of a module from the next tick on: as it was set, or the measured cost and up
    /// to a sixteenth more, so that noise does not change it. It is limited so that no level and no
    /// overhead costs 4.29 s or more.
    #[doc(alias = "getLODUnitCost")]
    #[must_use]
    pub fn unit_cost(&self, id: ModuleId) -> Option<UnitCost> {
        self.data.module(id).map(|module| module.settings.unit_cost)
    }

    /// Returns the unit cost of a module by the measurements alone.
    #[must_use]
    pub fn raw_unit_cost(&self, id: ModuleId) -> Option<UnitCost> {
        self.data.module(id).map(|module| module.settings.raw_unit_cost)
    }

    /// Sets the constant part of a module's work; see [`Module::overhead`].
    ///
    /// # Errors
    /// An invalid handle ([`SceneError::is_foreign`]); [`ValueProblem::TooLarge`] if it would cost 4.29 s or
    /// more; then nothing changes.
    pub fn set_overhead(&mut self, id: ModuleId, units: u32) -> Result<(), SceneError> {
        let module = self.data.module_mut(id)?;
        let too_large = ValueError::new(Quantity::Overhead, ValueProblem::TooLarge);
        module.settings.unit_cost.of(units).ok_or(too_large)?;
        module.settings.overhead = units;
        Ok(())
    }

    /// Returns the constant part of a module's work, in units.
    #[must_use]
    pub fn overhead(&self, id: ModuleId) -> Option<u32> {
        self.data.module(id).map(|module| module.settings.overhead)
    }

    /// Sets the greatest cost of a unit of benefit in a module.
    ///
    /// # Errors
    /// An invalid handle ([`SceneError::is_foreign`]).
    #[doc(alias = "setLODBenefitValue")]
    pub fn set_benefit_value(&mut self, id: ModuleId, v: BenefitValue) -> Result<(), SceneError> {
        self.data.module_mut(id)?.settings.benefit_value = v;
        Ok(())
    }

    /// Returns the greatest cost of a unit of benefit in a module.
    #[doc(alias = "getLODBenefitValue")]
    #[must_use]
    pub fn benefit_value(&self, id: ModuleId) -> Option<BenefitValue> {
        self.data.module(id).map(|module| module.settings.benefit_value)
    }

    /// Sets the rule by which the benefits of a module are computed.
    ///
    /// # Errors
    /// An invalid handle ([`SceneError::is_foreign`]); the errors of [`BenefitRule::curve`]; then nothing
    /// changes.
    pub fn set_benefit_rule(
        &mut self,
        id: ModuleId,
        rule: BenefitRule<N>,
    ) -> Result<(), SceneError> {
        let index = self.data.module_index(id)?;
        let (module, states) = (&mut self.data.modules[index], &mut self.states[index]);
        let curves = states.radius.iter().map(|&radius| rule.curve(radius));
        states.curve = curves.collect::<Result<_, _>>()?;
        module.used_fields = UsedFields::of_rule(&rule);
        states.rule = rule;
        module.rows.dirty.mark_all();
        Ok(())
    }

    /// Returns the rule by which the benefits of a module are computed.
    #[must_use]
    pub fn benefit_rule(&self, id: ModuleId) -> Option<&BenefitRule<N>> {
        self.data.module_index(id).ok().map(|index| &self.states[index].rule)
    }

    /// Sets whether the LODs of a module are picked; otherwise every actor that is not forced has its
    /// highest LOD, up to the module's cap.
    ///
    /// # Errors
    /// An invalid handle ([`SceneError::is_foreign`]).
    #[doc(alias = "setLODEnabled")]
    pub fn set_managed(&mut self, id: ModuleId, managed: bool) -> Result<(), SceneError> {
        let module = self.data.module_mut(id)?;
        if module.settings.managed != managed {
            module.settings.managed = managed;
            module.rows.dirty.mark_all();
        }
        Ok(())
    }

    /// Whether the LODs of a module are picked.
    #[must_use]
    pub fn is_managed(&self, id: ModuleId) -> Option<bool> {
        self.data.module(id).map(|module| module.settings.managed)
    }

    /// Whether LODs between two levels are valid in a module.
    #[must_use]
    pub fn is_continuous(&self, id: ModuleId) -> Option<bool> {
        self.data.module(id).map(|module| module.continuous)
    }

    /// Sets the highest level of a module's actors that are not forced, for example by a quality setting;
    /// `None` removes the cap.
    ///
    /// An actor whose lowest valid level is above the cap gets that level. The cap also applies if the
    /// module is not managed, and to upgrades from the leftover budget. Forced LODs are unchanged.
    ///
    /// # Errors
    /// An invalid handle ([`SceneError::is_foreign`]).
    pub fn set_lod_cap(&mut self, id: ModuleId, level: Option<u8>) -> Result<(), SceneError> {
        self.data.module_mut(id)?.settings.lod_cap = level;
        Ok(())
    }

    /// Returns the highest level of a module's actors that are not forced; the inner `None` means no cap.
    #[allow(clippy::option_option)] // the outer one is for the handle
    #[must_use]
    pub fn lod_cap(&self, id: ModuleId) -> Option<Option<u8>> {
        self.data.module(id).map(|module| module.settings.lod_cap)
    }
}
