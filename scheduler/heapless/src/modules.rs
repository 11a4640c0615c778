//! Modules: settings, and measured times of their work.

use lodger_core::Real;
use lodger_core::benefit::BenefitRule;
use lodger_core::calibration::{Calibration, HeadroomTarget, HeadroomTracker, PlanWork};
use lodger_core::error::{Quantity, ValueError, ValueProblem};
use lodger_core::units::{BenefitValue, UnitCost};

use crate::columns::{Columns, ModuleRule as _, WithRules};
use crate::handle::{Capacity, ModuleId, SceneError};
use crate::index::RowNumber as _;
use crate::input::Module;
use crate::module_data::{ModuleData, ModuleFlags, UnitSum};
use crate::own_cost::TickCost as _;
use crate::qualities::QualityRule;
use crate::scene::Scene;

impl<N: Real, const MODULES: usize, const ACTORS: usize, const COSTS: usize, C: Columns>
    Scene<N, MODULES, ACTORS, COSTS, C>
{
    /// Adds a module.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// let module = Module::new(UnitCost::from_ns(80.0)?).benefit_value(BenefitValue::from_ms(1.0)?);
    /// let sparks = scene.add_module(module)?;
    /// assert_eq!((sparks.index(), scene.add_module(module)), (1, Err(Capacity::Modules.into())));
    /// # Ok::<(), SceneError>(())
    /// ```
    ///
    /// # Errors
    /// [`Capacity::Modules`]; [`SceneError::Invalid`] for an overhead of 4.29 s or more; [`SceneError::NoBenefitValue`] for a
    /// managed module without one under a proportional policy, which is the default.
    pub fn add_module(&mut self, module: Module<N>) -> Result<ModuleId, SceneError> {
        let index = u8::try_from(self.modules.len()).map_err(|_| Capacity::Modules)?;
        let (id, data) = (ModuleId::new(index), ModuleData::new(&module)?);
        data.check_for(self.policy(), id)?;
        self.modules.push(data).map_err(|_| Capacity::Modules)?;
        Ok(id)
    }

    /// Returns all modules, in the order in which they were added.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// assert!(scene.modules().eq([cloth]));
    /// # Ok::<(), SceneError>(())
    /// ```
    pub fn modules(&self) -> impl Iterator<Item = ModuleId> + use<N, MODULES, ACTORS, COSTS, C> {
        (0..=u8::MAX).take(self.modules.len()).map(ModuleId::new)
    }

    /// Returns the number of actors of a module.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// assert_eq!(scene.module_len(cloth), Some(1));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn module_len(&self, id: ModuleId) -> Option<usize> {
        self.module(id).map(|module| module.rows.get())
    }

    /// Sets the unit cost of a module from the next tick on, and restarts its calibration.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// scene.set_unit_cost(cloth, UnitCost::from_ns(250.0)?)?;
    /// assert_eq!(scene.tick(Budget::UNLIMITED).assigned_ns(), 1_600 * 250);
    /// # Ok::<(), SceneError>(())
    /// ```
    ///
    /// # Errors
    /// [`SceneError::NoSuchModule`]; [`SceneError::Invalid`] if a level or the overhead would cost 4.29 s or more; then
    /// nothing changes.
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

    /// Returns the unit cost of a module from the next tick on: the set cost, or up to a sixteenth more than the
    /// measured cost, so that noise does not change it. No level and no overhead costs 4.29 s or more at it.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// assert_eq!(scene.unit_cost(cloth).map(UnitCost::ns), Some(500.0));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[doc(alias = "getLODUnitCost")]
    #[must_use]
    pub fn unit_cost(&self, id: ModuleId) -> Option<UnitCost> {
        self.module(id).map(|module| module.unit_cost)
    }

    /// Returns the unit cost of a module by measurements alone.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// for _ in 0..5 {
    ///     scene.tick(Budget::UNLIMITED);
    ///     scene.observe_time(cloth, 1_600 * 600)?;
    /// }
    /// assert!(scene.raw_unit_cost(cloth) > Some(UnitCost::from_ns(500.0)?));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn raw_unit_cost(&self, id: ModuleId) -> Option<UnitCost> {
        self.module(id).map(|module| module.calibration.raw_unit_cost())
    }

    /// Sets the units of a module's work that do not depend on its actors; see [`Module::overhead`].
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// scene.set_overhead(cloth, 30)?;
    /// assert_eq!(scene.tick(Budget::UNLIMITED).reserved_ns(), 30 * 500);
    /// # Ok::<(), SceneError>(())
    /// ```
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

    /// Returns the overhead of a module, in units.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// scene.set_overhead(cloth, 30)?;
    /// assert_eq!(scene.overhead(cloth), Some(30));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn overhead(&self, id: ModuleId) -> Option<u32> {
        self.module(id).map(|module| module.overhead)
    }

    /// Sets the greatest cost that a benefit of 1 may have in a module.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// scene.set_benefit_value(cloth, BenefitValue::from_ms(1.0)?)?;
    /// assert_eq!(scene.benefit_value(cloth), Some(BenefitValue::from_ns(1_000_000)));
    /// # Ok::<(), SceneError>(())
    /// ```
    ///
    /// # Errors
    /// [`SceneError::NoSuchModule`].
    #[doc(alias = "setLODBenefitValue")]
    pub fn set_benefit_value(&mut self, id: ModuleId, v: BenefitValue) -> Result<(), SceneError> {
        let module = self.module_mut(id)?;
        module.benefit_value = v;
        module.flags.set(ModuleFlags::HAS_BENEFIT_VALUE, true);
        Ok(())
    }

    /// Returns the greatest cost that a benefit of 1 may have in a module.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// assert_eq!(scene.benefit_value(cloth), Some(BenefitValue::from_ms(2.0)?));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[doc(alias = "getLODBenefitValue")]
    #[must_use]
    pub fn benefit_value(&self, id: ModuleId) -> Option<BenefitValue> {
        let module = self.module(id)?;
        module.flags.has(ModuleFlags::HAS_BENEFIT_VALUE).then_some(module.benefit_value)
    }

    /// Sets whether the LODs of a module are picked. Otherwise every actor that is not forced has its highest LOD, up to
    /// the module's cap.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// scene.set_managed(cloth, false)?;
    /// assert_eq!(scene.tick(Budget::from_ns(1)).level(cape), Some(2));
    /// # Ok::<(), SceneError>(())
    /// ```
    ///
    /// # Errors
    /// [`SceneError::NoSuchModule`]; [`SceneError::NoBenefitValue`] as for [`add_module`](Self::add_module).
    #[doc(alias = "setLODEnabled")]
    pub fn set_managed(&mut self, id: ModuleId, managed: bool) -> Result<(), SceneError> {
        let policy = self.policy();
        let module = self.module_mut(id)?;
        let before = module.flags;
        module.flags.set(ModuleFlags::MANAGED, managed);
        let checked = module.check_for(policy, id);
        if checked.is_err() {
            module.flags = before;
        }
        checked
    }

    /// Whether the LODs of a module are picked.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// assert_eq!(scene.is_managed(cloth), Some(true));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn is_managed(&self, id: ModuleId) -> Option<bool> {
        self.module(id).map(ModuleData::is_managed)
    }

    /// Sets the highest level of a module's actors that are not forced, for example by a quality setting; `None`
    /// removes the cap.
    ///
    /// An actor whose lowest valid level is above the cap gets that level. The cap also applies if the
    /// module is not managed, and to upgrades from the leftover budget.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// scene.set_lod_cap(cloth, Some(1))?;
    /// assert_eq!(scene.tick(Budget::UNLIMITED).level(cape), Some(1));
    /// # Ok::<(), SceneError>(())
    /// ```
    ///
    /// # Errors
    /// [`SceneError::NoSuchModule`].
    pub fn set_lod_cap(&mut self, id: ModuleId, level: Option<u8>) -> Result<(), SceneError> {
        let module = self.module_mut(id)?;
        if module.lod_cap != level {
            module.lod_cap = level;
            module.qualities.invalidate_slopes();
            self.ladders.set_cap(self.section(id.index()), level);
        }
        Ok(())
    }

    /// Returns the highest level of a module's actors that are not forced; `None` without a cap.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// scene.set_lod_cap(cloth, Some(1))?;
    /// assert_eq!(scene.lod_cap(cloth), Ok(Some(1)));
    /// # Ok::<(), SceneError>(())
    /// ```
    ///
    /// # Errors
    /// [`SceneError::NoSuchModule`].
    pub fn lod_cap(&self, id: ModuleId) -> Result<Option<u8>, SceneError> {
        self.module(id).map(|module| module.lod_cap).ok_or(SceneError::NoSuchModule)
    }

    /// Returns the unit cost, or a lower one at which every level and the overhead have a cost.
    pub(crate) fn clamp_unit_cost(
        &self,
        id: ModuleId,
        cost: UnitCost,
    ) -> Result<UnitCost, SceneError> {
        let module = self.module(id).ok_or(SceneError::NoSuchModule)?;
        let most = self.ladders.most_units(self.section(id.index())).max(module.overhead);
        Ok(cost.clamped_for(most))
    }

    /// Records the time that a module took for the last plan, overhead included, in nanoseconds.
    ///
    /// Call it once after each tick whose plan was carried out. From the next tick on the unit cost follows
    /// ([`lodger_core::calibration`]), and so does the [headroom](Self::set_headroom_target). The units of a call with a time
    /// of 0, as a coarse clock reads it, are added to the next call.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// for _ in 0..20 {
    ///     scene.tick(Budget::from_ms(2.0)?);
    ///     scene.observe_time(cloth, 1_600 * 1_000)?; // twice as long as planned
    /// }
    /// assert!(scene.unit_cost(cloth).is_some_and(|cost| cost.ns() > 950.0));
    /// # Ok::<(), SceneError>(())
    /// ```
    ///
    /// # Errors
    /// [`SceneError::NoSuchModule`].
    pub fn observe_time(&mut self, id: ModuleId, nanoseconds: u64) -> Result<(), SceneError> {
        let units = self.planned_units(self.module_index(id)?);
        let module = self.module_mut(id)?;
        if module.unit_sum == UnitSum::Unneeded {
            module.unit_sum = UnitSum::Needed;
        }
        self.observe_units(id, units, nanoseconds)
    }

    /// Records the time of `units` of work, without the overhead, for a caller that counts units or did
    /// not follow the plan.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// for _ in 0..5 {
    ///     scene.tick(Budget::UNLIMITED);
    ///     scene.observe_units(cloth, 100, 100 * 800)?;
    /// }
    /// assert!(scene.raw_unit_cost(cloth) > Some(UnitCost::from_ns(500.0)?));
    /// # Ok::<(), SceneError>(())
    /// ```
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
        let overhead = if module.flags.has(ModuleFlags::IDLE) { 0 } else { module.overhead };
        let units = units.saturating_add(overhead.into());
        let mut unit_cost = module.calibration.observe(units, nanoseconds);
        module.measure(units, nanoseconds);
        // Every level has a cost at the present unit cost.
        if unit_cost > module.unit_cost {
            unit_cost = self.clamp_unit_cost(id, unit_cost)?;
        }
        self.module_mut(id)?.unit_cost = unit_cost;
        Ok(())
    }

    /// Multiplies the unit costs of all modules, their measurements and the [own cost](Self::set_own_cost) by a fraction,
    /// from the next tick on: after a change of the processor's clock.
    ///
    /// Unit costs are rounded to the nearest 2⁻³² ns, halves up. Times that were reported since the last frame are
    /// dropped: they are of another clock than the rest of the frame, and say nothing about the headroom that plans need.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// // From 64 to 16 MHz, work takes four times as long: 1 600 vertices 3.2 ms, and 400 vertices 0.8 ms.
    /// assert_eq!(scene.tick(Budget::from_ms(1.0)?).level(cape), Some(2));
    /// scene.scale_costs(64, 16)?;
    /// assert_eq!(scene.unit_cost(cloth).map(UnitCost::ns), Some(2_000.0));
    /// assert_eq!(scene.tick(Budget::from_ms(1.0)?).level(cape), Some(1));
    /// # Ok::<(), SceneError>(())
    /// ```
    ///
    /// # Errors
    /// [`SceneError::Invalid`] if a number is 0, or if a level, an overhead or the own cost would cost 4.29 s or more; then
    /// nothing changes.
    pub fn scale_costs(&mut self, numerator: u32, denominator: u32) -> Result<(), SceneError> {
        if numerator == 0 || denominator == 0 {
            return Err(ValueError::new(Quantity::UnitCost, ValueProblem::NotPositive).into());
        }
        let too_large = ValueError::new(Quantity::Cost, ValueProblem::TooLarge);
        let scaled = |data: &ModuleData<N, C>| {
            let unit_cost = data.unit_cost.scaled(numerator, denominator)?;
            Some((unit_cost, data.calibration.scaled(numerator, denominator)?))
        };
        for id in self.modules() {
            let data = self.module(id).ok_or(SceneError::NoSuchModule)?;
            let (unit_cost, _) = scaled(data).ok_or(too_large)?;
            if self.clamp_unit_cost(id, unit_cost)? != unit_cost {
                return Err(too_large.into());
            }
        }
        self.own_cost = self.own_cost.scaled(numerator, denominator).ok_or(too_large)?;
        for data in &mut self.modules {
            if let Some((unit_cost, calibration)) = scaled(data) {
                (data.unit_cost, data.calibration) = (unit_cost, calibration);
                data.take_measured();
            }
        }
        Ok(())
    }

    /// Sets the time of a tick itself, in nanoseconds, which every budget pays first; 0, the default, for none. Restarts
    /// its measurement, which scenes with [`SelfTimed`](crate::SelfTimed) have.
    ///
    /// It is a part of [`reserved_ns`](crate::Plan::reserved_ns), and of the time of a frame.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// scene.set_own_cost(300_000)?;
    /// let plan = scene.tick(Budget::from_ms(1.0)?);
    /// assert_eq!((plan.reserved_ns(), plan.level(cape)), (300_000, Some(1)));
    /// # Ok::<(), SceneError>(())
    /// ```
    ///
    /// # Errors
    /// [`SceneError::Invalid`] from 4.29 s; then nothing changes.
    pub fn set_own_cost(&mut self, nanoseconds: u64) -> Result<(), SceneError> {
        self.own_cost = C::TickCost::new(nanoseconds)?;
        Ok(())
    }

    /// Returns the time of a tick itself that the next plan pays, in nanoseconds.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// scene.set_own_cost(300_000)?;
    /// assert_eq!(scene.own_cost_ns(), 300_000);
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn own_cost_ns(&self) -> u64 {
        self.own_cost.ns().into()
    }

    /// Sets the share of ticks whose work may exceed the budget; one in a thousand by default. `None` plans with
    /// the whole budget, and is required if times are measured and the budget is not a time.
    ///
    /// The time of a tick is the sum of the times that modules report until the next tick, or until
    /// [`frame_done`](Self::frame_done). A module without a report counts with its planned time. The first two of consecutive
    /// times above one and a half budgets are spikes, and are ignored. The headroom does not change before every reporting
    /// module was measured [`SETTLING`](lodger_core::calibration::SETTLING) times.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// scene.set_headroom_target(Some(HeadroomTarget::new(0.05)?));
    /// assert_eq!(scene.headroom_target(), Some(HeadroomTarget::new(0.05)?));
    /// # Ok::<(), SceneError>(())
    /// ```
    pub const fn set_headroom_target(&mut self, target: Option<HeadroomTarget>) {
        self.headroom_target = target;
        if target.is_none() {
            self.headroom = HeadroomTracker::NEW;
        }
    }

    /// Returns the share of ticks whose work may exceed the budget.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// assert_eq!(scene.headroom_target(), Some(HeadroomTarget::new(0.001)?));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub const fn headroom_target(&self) -> Option<HeadroomTarget> {
        self.headroom_target
    }

    /// Ends a frame, whose time the [headroom](Self::set_headroom_target) follows. For programs that do not tick in each
    /// frame: after the first call, ticks no longer end frames.
    ///
    /// The time of a frame is the sum of the times that modules report since the last call. A module without a report
    /// counts with its planned time. Before the first tick a call does nothing.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// scene.tick(Budget::from_ms(1.0)?);
    /// for _frame in 0..40 {
    ///     scene.observe_time(cloth, 1_050_000)?; // more than the budget in each frame
    ///     scene.frame_done();
    /// }
    /// assert!(scene.tick(Budget::from_ms(1.0)?).headroom().to_f64() > 0.2);
    /// # Ok::<(), SceneError>(())
    /// ```
    pub fn frame_done(&mut self) {
        if self.outcome().is_some() {
            self.calls_end_frames = true;
            self.end_frame();
        }
    }

    /// Updates the headroom by the work since the last frame.
    pub(crate) fn end_frame(&mut self) {
        let mut work = PlanWork::default();
        self.own_cost.add_to(&mut work);
        for module in &mut self.modules {
            let measured = module.take_measured();
            if module.flags.has(ModuleFlags::COUNTED) {
                work.add(measured, module.calibration.is_settled(), module.planned);
            }
        }
        if let Some(budget) = self.outcome().map(|outcome| outcome.budget) {
            work.update(&mut self.headroom, budget, self.headroom_target);
        }
    }
}

impl<N: Real, const MODULES: usize, const ACTORS: usize, const COSTS: usize, C: WithRules>
    Scene<N, MODULES, ACTORS, COSTS, C>
{
    /// Adds a module with a rule that the scene keeps, in place of [the module's](Module::rule); see
    /// [`RuntimeRules`](crate::RuntimeRules).
    ///
    /// # Errors
    /// As of [`add_module`](Self::add_module).
    pub fn add_module_with_rule(
        &mut self,
        module: Module<N>,
        rule: BenefitRule<N>,
    ) -> Result<ModuleId, SceneError> {
        let id = self.add_module(module)?;
        self.module_mut(id)?.rule.set(rule);
        Ok(id)
    }
}
