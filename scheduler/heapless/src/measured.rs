//! What work took, and the part of the budget that is kept free because of it.

use lodger_core::Real;
use lodger_core::calibration::{Headroom, HeadroomTarget, PlanWork};

use crate::error::SceneError;
use crate::handle::ModuleId;
use crate::scene::Scene;

impl<N: Real, const MODULES: usize, const ACTORS: usize, const COSTS: usize>
    Scene<N, MODULES, ACTORS, COSTS>
{
    /// Takes in how many nanoseconds a module's work took: that of the last plan, and the module's
    /// overhead besides. From the next tick on the unit cost follows, as [`lodger_core::calibration`]
    /// says, and the headroom, see [`set_headroom_target`](Self::set_headroom_target).
    ///
    /// To be called once after each tick whose plan was worked off. Where no time was read, as by a clock
    /// too coarse for the work, the units count with those of the next call.
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
    /// scene.spawn(particles, Actor::given(Benefit::MAX, &[0, 1_000]))?;
    /// for _ in 0..20 {
    ///     scene.tick(Budget::from_ms(2.0)?);
    ///     scene.measured(particles, 200_000)?;
    /// }
    /// assert!(scene.unit_cost(particles).is_some_and(|cost| cost.ns() > 190.0));
    /// # Ok::<(), lodger_heapless::SceneError>(())
    /// ```
    pub fn measured(&mut self, id: ModuleId, nanoseconds: u64) -> Result<(), SceneError> {
        let units = self.planned_units(self.module_index(id)?);
        self.measured_units(id, units, nanoseconds)
    }

    /// The same for who counted the units of work, without the overhead, or worked otherwise than
    /// planned.
    ///
    /// # Errors
    /// [`SceneError::NoSuchModule`].
    pub fn measured_units(
        &mut self,
        id: ModuleId,
        units: u64,
        nanoseconds: u64,
    ) -> Result<(), SceneError> {
        let module = self.roster_mut(id)?;
        let overhead = if module.is_idle { 0 } else { module.overhead };
        let units = units.saturating_add(overhead.into());
        let unit_cost = module.calibration.observe(units, nanoseconds);
        module.measured.get_or_insert_default().add(units, nanoseconds);
        let unit_cost = self.bearable(id, unit_cost)?;
        self.roster_mut(id)?.unit_cost = unit_cost;
        Ok(())
    }

    /// Sets in which part of all ticks the work may take more than the budget: one in a thousand, unless
    /// this is called. `None` plans with the whole budget; so does an unlimited one, and a scene in
    /// which nothing is [`measured`](Self::measured). Where the budget is not time it must be `None`
    /// if times are measured nevertheless.
    ///
    /// What a tick's plan took is what modules reported until the next tick; one that did not is
    /// counted with what was planned, and modules off the books not at all. Until every module that
    /// reports work has been measured [`SETTLING`](lodger_core::calibration::SETTLING) times, its unit
    /// cost is an assumption, and what that breaks is not taken for noise.
    pub const fn set_headroom_target(&mut self, target: Option<HeadroomTarget>) {
        self.headroom_target = target;
        if target.is_none() {
            self.headroom = Headroom::NONE;
        }
    }

    /// In which part of all ticks the work may take more than the budget.
    #[must_use]
    pub const fn headroom_target(&self) -> Option<HeadroomTarget> {
        self.headroom_target
    }

    /// Takes in what the last plan took.
    pub(crate) fn follow_headroom(&mut self) {
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
