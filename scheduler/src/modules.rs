use std::time::Duration;

use lodger_core::Real;
use lodger_core::benefit::{BenefitRule, BenefitTerms};
use lodger_core::budget::MAX_MODULES;
use lodger_core::calibration::{Calibration, OwnCost};
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
    /// [`SceneError::NoBenefitValue`] for a managed module without one under a proportional policy, which is the default.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, .., cloth, _) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// let hair = Module::new("hair", UnitCost::from_ns(40.0)?).benefit_value(BenefitValue::from_ms(1.0)?);
    /// let hair = scene.add_module(hair)?;
    /// assert_eq!(scene.modules().collect::<Vec<_>>(), [cloth, hair]);
    /// # Ok::<(), SceneError>(())
    /// ```
    pub fn add_module(&mut self, module: Module<N>) -> Result<ModuleId, SceneError> {
        let index = u16::try_from(self.data.modules.len()).ok();
        let index = index.filter(|&index| u32::from(index) < MAX_MODULES);
        let index = index.ok_or(ValueError::new(Quantity::Count, ValueProblem::TooLarge))?;
        let rule = match module.rule {
            Some(rule) => rule,
            None => BenefitRule::new(BenefitTerms::default())?,
        };
        let module = ModuleData::new(module, UsedFields::of_rule(&rule))?;
        module.check_for(self.data.policy)?;
        self.data.modules.push(module);
        self.states.push(ModuleStates::new(rule));
        Ok(ModuleId::new(index, self.data.tag))
    }

    /// Returns all modules, in the order in which they were added.
    ///
    /// # Examples
    /// ```
    /// # let (scene, .., cloth, _) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// assert_eq!(scene.modules().collect::<Vec<_>>(), [cloth]);
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
    pub fn modules(&self) -> impl Iterator<Item = ModuleId> {
        let numbers = (0..).take(self.data.modules.len());
        let tag = self.data.tag;
        numbers.map(move |index| ModuleId::new(index, tag))
    }

    /// Returns the name of a module.
    ///
    /// # Examples
    /// ```
    /// # let (scene, .., cloth, _) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// assert_eq!(scene.module_name(cloth), Some("cloth"));
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
    #[must_use]
    pub fn module_name(&self, id: ModuleId) -> Option<&str> {
        self.data.module(id).map(|module| module.name.as_str())
    }

    /// Returns the number of actors of a module.
    ///
    /// # Examples
    /// ```
    /// # let (scene, .., cloth, _) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// assert_eq!(scene.module_len(cloth), Some(2));
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
    #[must_use]
    pub fn module_len(&self, id: ModuleId) -> Option<usize> {
        self.data.module(id).map(|module| module.rows.len())
    }

    /// Sets the unit cost of a module from the next tick on, and restarts its calibration.
    ///
    /// # Errors
    /// [`SceneError::NoSuchModule`] or [`SceneError::ForeignModule`]; [`ValueProblem::TooLarge`] if a level of
    /// an actor or the overhead would cost 4.29 s or more.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, .., cloth, _) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// scene.set_unit_cost(cloth, UnitCost::from_ns(250.0)?)?;
    /// assert_eq!(scene.tick().assigned_ns(), 1_200_000); // both capes at level 2
    /// # Ok::<(), SceneError>(())
    /// ```
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

    /// Reports the measured time of a module's work: of `units`, as
    /// [`ModulePlan::units`](crate::ModulePlan::units) of the last plan has them, and of the module's overhead.
    /// The unit cost ([`lodger_core::calibration`]) and the headroom
    /// ([`set_headroom_target`](Self::set_headroom_target)) follow from the next tick on.
    ///
    /// Call it once for each time that the module works. The times of all calls between two ticks are summed;
    /// the units of a call with time 0 are added to the next call.
    ///
    /// # Errors
    /// [`SceneError::NoSuchModule`] or [`SceneError::ForeignModule`].
    ///
    /// # Examples
    /// ```
    /// # let (mut scene, .., cloth, _) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// use std::time::Duration;
    ///
    /// for _ in 0..20 {
    ///     let units = scene.tick().module(cloth).map_or(0, |cloth| cloth.units);
    ///     // A vertex takes 600 ns, not 500 ns.
    ///     scene.observe_time(cloth, units, Duration::from_nanos(units * 600))?;
    /// }
    /// assert!(scene.unit_cost(cloth).is_some_and(|cost| cost.ns() > 590.0));
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
    pub fn observe_time(
        &mut self,
        id: ModuleId,
        units: u64,
        time: Duration,
    ) -> Result<(), SceneError> {
        let module = self.data.module_mut(id)?;
        let time = nanoseconds(time);
        let overhead = if module.is_idle() { 0 } else { module.settings.overhead };
        let units = units.saturating_add(overhead.into());
        let unit_cost = module.calibration.observe(units, time);
        module.settings.unit_cost = module.clamp_unit_cost(unit_cost);
        module.settings.raw_unit_cost = module.calibration.raw_unit_cost();
        module.measured.get_or_insert_default().add(units, time);
        Ok(())
    }

    /// Multiplies the unit costs of all modules, their measurements and the [own cost](Self::set_own_cost) by a fraction,
    /// from the next tick on: after a change of the processor's clock.
    ///
    /// Unit costs are rounded to the nearest 2⁻³² ns, halves up. Times that were reported since the last frame are
    /// dropped: they are of another clock than the rest of the frame, and say nothing about the headroom that plans need.
    ///
    /// # Errors
    /// [`ValueProblem::NotPositive`] if a number is 0; [`ValueProblem::TooLarge`] if a level of an actor, an overhead or the
    /// own cost would cost 4.29 s or more. Then nothing changes.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, .., cloth, _) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// // From 3.6 to 1.8 GHz, work takes twice as long: 400 vertices 0.4 ms.
    /// scene.scale_costs(36, 18)?;
    /// assert_eq!(scene.unit_cost(cloth).map(|cost| cost.ns()), Some(1_000.0));
    /// assert_eq!(scene.tick().assigned_ns(), 800_000); // both capes at level 1
    /// # Ok::<(), SceneError>(())
    /// ```
    pub fn scale_costs(&mut self, numerator: u32, denominator: u32) -> Result<(), SceneError> {
        if numerator == 0 || denominator == 0 {
            return Err(ValueError::new(Quantity::UnitCost, ValueProblem::NotPositive).into());
        }
        let too_large = ValueError::new(Quantity::Cost, ValueProblem::TooLarge);
        let scaled = |module: &ModuleData| {
            let unit_cost = module.settings.unit_cost.scaled(numerator, denominator)?;
            let calibration = module.calibration.scaled(numerator, denominator)?;
            (module.clamp_unit_cost(unit_cost) == unit_cost).then_some((unit_cost, calibration))
        };
        if self.data.modules.iter().any(|module| scaled(module).is_none()) {
            return Err(too_large.into());
        }
        if let Some(own) = &mut self.data.own_cost {
            *own = own.scaled(numerator, denominator).ok_or(too_large)?;
        }
        for module in &mut self.data.modules {
            if let Some((unit_cost, calibration)) = scaled(module) {
                module.settings.unit_cost = unit_cost;
                module.settings.raw_unit_cost = calibration.raw_unit_cost();
                module.calibration = calibration;
                module.measured = None;
            }
        }
        Ok(())
    }

    /// Sets the time of a tick itself, which every budget pays first; zero, the default, for none. Restarts its measurement.
    ///
    /// It is a part of [`Plan::reserved_ns`](crate::Plan::reserved_ns), and of the time of a frame.
    ///
    /// # Errors
    /// [`ValueProblem::TooLarge`] from 4.29 s; then nothing changes.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, near, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// use std::time::Duration;
    ///
    /// scene.set_own_cost(Duration::from_micros(900))?;
    /// let plan = scene.tick();
    /// assert_eq!((plan.reserved_ns(), plan.lod(near)), (900_000, Some(Lod::new(1, 0))));
    /// # Ok::<(), SceneError>(())
    /// ```
    pub fn set_own_cost(&mut self, time: Duration) -> Result<(), SceneError> {
        self.data.own_cost = OwnCost::new(nanoseconds(time))?;
        Ok(())
    }

    /// Returns the time of a tick itself that the next plan pays.
    ///
    /// # Examples
    /// ```
    /// # let (mut scene, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// use std::time::Duration;
    ///
    /// scene.set_own_cost(Duration::from_micros(700))?;
    /// assert_eq!(scene.own_cost(), Duration::from_micros(700));
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
    #[must_use]
    pub fn own_cost(&self) -> Duration {
        self.data.own_cost.map_or(Duration::ZERO, |own| Duration::from_nanos(own.ns().into()))
    }

    /// Records the measured time of a tick itself. From the next tick on, the [own cost](Self::set_own_cost) follows as unit
    /// costs do. Without a cost, the first time above zero becomes the cost.
    ///
    /// # Examples
    /// ```
    /// # let (mut scene, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// use std::time::Duration;
    ///
    /// scene.tick();
    /// scene.observe_own_time(Duration::from_micros(300));
    /// assert_eq!(scene.tick().reserved_ns(), 300_000);
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
    pub fn observe_own_time(&mut self, time: Duration) {
        let ns = nanoseconds(time);
        match &mut self.data.own_cost {
            Some(own) => own.observe(ns),
            None => self.data.own_cost = OwnCost::measured(ns),
        }
    }

    /// Returns the unit cost of a module from the next tick on: as it was set, or the measured cost and up to a
    /// sixteenth more, which absorbs noise. It is limited so that no level and no overhead costs 4.29 s or
    /// more.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, .., cloth, _) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// scene.set_unit_cost(cloth, UnitCost::from_ns(250.0)?)?;
    /// assert_eq!(scene.unit_cost(cloth).map(|cost| cost.ns()), Some(250.0));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[doc(alias = "getLODUnitCost")]
    #[must_use]
    pub fn unit_cost(&self, id: ModuleId) -> Option<UnitCost> {
        self.data.module(id).map(|module| module.settings.unit_cost)
    }

    /// Returns the unit cost of a module by the measurements alone.
    ///
    /// # Examples
    /// ```
    /// # let (mut scene, .., cloth, _) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// use std::time::Duration;
    ///
    /// for _ in 0..100 {
    ///     scene.observe_time(cloth, 1_000, Duration::from_micros(600))?;
    /// }
    /// assert!(scene.raw_unit_cost(cloth).is_some_and(|cost| (cost.ns() - 600.0).abs() < 1.0));
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
    #[must_use]
    pub fn raw_unit_cost(&self, id: ModuleId) -> Option<UnitCost> {
        self.data.module(id).map(|module| module.settings.raw_unit_cost)
    }

    /// Sets the constant part of a module's work; see [`Module::overhead`].
    ///
    /// # Errors
    /// [`SceneError::NoSuchModule`] or [`SceneError::ForeignModule`]; [`ValueProblem::TooLarge`] if it would
    /// cost 4.29 s or more.
    ///
    /// # Examples
    /// ```
    /// # let (mut scene, .., cloth, _) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// scene.set_overhead(cloth, 100)?;
    /// assert_eq!(scene.tick().reserved_ns(), 50_000);
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
    pub fn set_overhead(&mut self, id: ModuleId, units: u32) -> Result<(), SceneError> {
        let module = self.data.module_mut(id)?;
        let too_large = ValueError::new(Quantity::Overhead, ValueProblem::TooLarge);
        module.settings.unit_cost.of(units).ok_or(too_large)?;
        module.settings.overhead = units;
        Ok(())
    }

    /// Returns the constant part of a module's work, in units.
    ///
    /// # Examples
    /// ```
    /// # let (mut scene, .., cloth, _) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// scene.set_overhead(cloth, 100)?;
    /// assert_eq!(scene.overhead(cloth), Some(100));
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
    #[must_use]
    pub fn overhead(&self, id: ModuleId) -> Option<u32> {
        self.data.module(id).map(|module| module.settings.overhead)
    }

    /// Sets the target cost of an actor with benefit 1 in a module.
    ///
    /// # Errors
    /// [`SceneError::NoSuchModule`] or [`SceneError::ForeignModule`].
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, near, _, cloth, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// scene.set_benefit_value(cloth, BenefitValue::from_ms(1.0)?)?;
    /// assert_eq!(scene.tick().lod(near).map(|lod| lod.level()), Some(1));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[doc(alias = "setLODBenefitValue")]
    pub fn set_benefit_value(&mut self, id: ModuleId, v: BenefitValue) -> Result<(), SceneError> {
        self.data.module_mut(id)?.settings.benefit_value = Some(v);
        Ok(())
    }

    /// Returns the target cost of an actor with benefit 1 in a module; `None` also if the module has none.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (scene, .., cloth, _) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// assert_eq!(scene.benefit_value(cloth), Some(BenefitValue::from_ms(3.0)?));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[doc(alias = "getLODBenefitValue")]
    #[must_use]
    pub fn benefit_value(&self, id: ModuleId) -> Option<BenefitValue> {
        self.data.module(id).and_then(|module| module.settings.benefit_value)
    }

    /// Sets the rule by which the benefits of a module are computed.
    ///
    /// # Errors
    /// [`SceneError::NoSuchModule`] or [`SceneError::ForeignModule`]; the errors of [`BenefitRule::curve`].
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, _, far, cloth, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// let terms = BenefitTerms { max_distance: Some(4.0), ..BenefitTerms::default() };
    /// scene.set_benefit_rule(cloth, BenefitRule::new(terms)?)?;
    /// assert_eq!(scene.tick().actor(far).map(|plan| plan.benefit), Some(Benefit::ZERO));
    /// # Ok::<(), SceneError>(())
    /// ```
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
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, .., cloth, _) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// let terms = BenefitTerms { max_distance: Some(4.0), ..BenefitTerms::default() };
    /// scene.set_benefit_rule(cloth, BenefitRule::new(terms)?)?;
    /// let rule = scene.benefit_rule(cloth);
    /// assert_eq!(rule.and_then(|rule| rule.terms().max_distance), Some(4.0));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn benefit_rule(&self, id: ModuleId) -> Option<&BenefitRule<N>> {
        self.data.module_index(id).ok().map(|index| &self.states[index].rule)
    }

    /// Sets whether the scheduler picks the LODs of a module. If not, actors have their highest LOD, up to the
    /// module's cap, unless forced.
    ///
    /// # Errors
    /// [`SceneError::NoSuchModule`] or [`SceneError::ForeignModule`]; [`SceneError::NoBenefitValue`] as for
    /// [`add_module`](Self::add_module).
    ///
    /// # Examples
    /// ```
    /// # let (mut scene, .., cloth, _) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// scene.set_managed(cloth, false)?;
    /// assert_eq!(scene.tick().reserved_ns(), 2_400_000); // both capes at level 2
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
    #[doc(alias = "setLODEnabled")]
    pub fn set_managed(&mut self, id: ModuleId, managed: bool) -> Result<(), SceneError> {
        let policy = self.data.policy;
        let module = self.data.module_mut(id)?;
        let before = std::mem::replace(&mut module.settings.managed, managed);
        if before != managed {
            if let Err(error) = module.check_for(policy) {
                module.settings.managed = before;
                return Err(error);
            }
            module.rows.dirty.mark_all();
        }
        Ok(())
    }

    /// Whether the scheduler picks the LODs of a module.
    ///
    /// # Examples
    /// ```
    /// # let (mut scene, .., cloth, _) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// scene.set_managed(cloth, false)?;
    /// assert_eq!(scene.is_managed(cloth), Some(false));
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
    #[must_use]
    pub fn is_managed(&self, id: ModuleId) -> Option<bool> {
        self.data.module(id).map(|module| module.settings.managed)
    }

    /// Whether LODs between two levels are valid in a module; see [`Module::continuous`].
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, .., cloth, _) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// let hair = Module::new("hair", UnitCost::from_ns(40.0)?).benefit_value(BenefitValue::from_ms(1.0)?);
    /// let hair = scene.add_module(hair.continuous(true))?;
    /// assert_eq!([cloth, hair].map(|id| scene.is_continuous(id)), [Some(false), Some(true)]);
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn is_continuous(&self, id: ModuleId) -> Option<bool> {
        self.data.module(id).map(|module| module.continuous)
    }

    /// Sets the highest level of a module's actors that are not forced, also in an unmanaged module and for
    /// upgrades from the leftover budget; `None` removes the cap. An actor whose lowest valid level is above the
    /// cap gets that level.
    ///
    /// # Errors
    /// [`SceneError::NoSuchModule`] or [`SceneError::ForeignModule`].
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, near, _, cloth, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// scene.set_lod_cap(cloth, Some(1))?;
    /// assert_eq!(scene.tick().actor(near).map(|plan| plan.reason), Some(Reason::Capped));
    /// # Ok::<(), SceneError>(())
    /// ```
    pub fn set_lod_cap(&mut self, id: ModuleId, level: Option<u8>) -> Result<(), SceneError> {
        self.data.module_mut(id)?.settings.lod_cap = level;
        Ok(())
    }

    /// Returns the highest level of a module's actors that are not forced; the inner `None` means no cap.
    ///
    /// # Examples
    /// ```
    /// # let (mut scene, .., cloth, _) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// assert_eq!(scene.lod_cap(cloth), Some(None));
    /// scene.set_lod_cap(cloth, Some(1))?;
    /// assert_eq!(scene.lod_cap(cloth), Some(Some(1)));
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
    #[allow(clippy::option_option)] // the outer one is for the handle
    #[must_use]
    pub fn lod_cap(&self, id: ModuleId) -> Option<Option<u8>> {
        self.data.module(id).map(|module| module.settings.lod_cap)
    }
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}
