//! Whole scenes in `lodger-scheduler`, for a host.

use std::time::Duration;
use std::vec::Vec;

use lodger_scheduler::lodger_core::{Fixed, Micro, ValueError};
use lodger_scheduler::{
    Actor, ActorId, BenefitValue, Budget, Lod, Module, ModuleId, Plan, Priority, Scene, SceneError,
    View, ViewId,
};

use super::number::{Number, NumberType};
use super::scene::{
    ActorVector, ModuleResult, ModuleVector, ResponseWriter, SceneBackend, SceneFailure,
    SceneResult, SceneVector,
};
use super::view::VIEWS;

/// The scenes of `lodger-scheduler`.
#[derive(Debug, Clone, Copy, Default)]
pub struct SchedulerBackend;

impl SceneBackend for SchedulerBackend {
    fn run_scene(
        &mut self,
        backend: NumberType,
        vector: &SceneVector,
        response: &mut ResponseWriter<'_>,
    ) -> Result<(), SceneFailure> {
        match backend {
            NumberType::F32 => SchedulerScene::<f32>::run(vector, response)?,
            NumberType::Fixed => SchedulerScene::<Fixed>::run(vector, response)?,
            NumberType::Micro => SchedulerScene::<Micro>::run(vector, response)?,
        }
        Ok(())
    }
}

impl From<SceneError> for SceneFailure {
    fn from(error: SceneError) -> Self {
        error.value_error().map_or(Self::Scene, Self::Value)
    }
}

/// A scene, with the handles of the modules and actors in the order of the vector.
struct SchedulerScene<N: Number> {
    scene: Scene<N>,
    modules: Vec<(ModuleId, Vec<ActorId>)>,
    views: Vec<ViewId>,
}

impl<N: Number> SchedulerScene<N> {
    fn run(vector: &SceneVector, response: &mut ResponseWriter<'_>) -> Result<(), SceneError> {
        let mut scene = Self::new(vector)?;
        for (tick, budget) in vector.budgets.into_iter().enumerate() {
            if tick > 0 {
                scene.pass(vector)?;
            }
            scene.look(vector.views(tick)?)?;
            scene.tick(budget, response)?;
        }
        Ok(())
    }

    fn new(vector: &SceneVector) -> Result<Self, SceneError> {
        let mut scene = Scene::new(Budget::UNLIMITED);
        scene.set_policy(vector.policy())?;
        scene.set_hysteresis(vector.hysteresis());
        scene.set_max_upgrades(vector.max_upgrades.map(u32::from));
        scene.set_unmanaged_in_budget(vector.is_unmanaged_in_budget);
        scene.set_search_moves(0);
        let mut modules = Vec::new();
        for module in &vector.modules {
            let id = scene.add_module(terms(module)?)?;
            let actors = module.actors.iter();
            let actors = actors.map(|one| {
                let actor = scene.spawn(id, actor(one, module))?;
                scene.set_priority(actor, Priority::from_bits(one.priority))?;
                Ok::<_, SceneError>(actor)
            });
            modules.push((id, actors.collect::<Result<_, _>>()?));
        }
        Ok(Self { scene, modules, views: Vec::new() })
    }

    /// Applies the changes between two ticks.
    fn pass(&mut self, vector: &SceneVector) -> Result<(), SceneError> {
        for (module, (id, actors)) in vector.modules.iter().zip(&self.modules) {
            if let Some((units, time)) = module.measured {
                self.scene.observe_time(*id, units.into(), Duration::from_nanos(time.into()))?;
            }
            if let Some(&actor) = module.leaves.and_then(|place| actors.get(usize::from(place))) {
                self.scene.despawn(actor)?;
            }
        }
        Ok(())
    }

    /// Sets the views of a tick; each keeps its handle.
    fn look(&mut self, views: heapless::Vec<View<N>, VIEWS>) -> Result<(), SceneError> {
        for (place, view) in views.into_iter().enumerate() {
            match self.views.get(place) {
                Some(&id) => self.scene.set_view(id, view)?,
                None => self.views.push(self.scene.add_view(view)?),
            }
        }
        Ok(())
    }

    fn tick(&mut self, budget: u64, response: &mut ResponseWriter<'_>) -> Result<(), SceneError> {
        self.scene.set_budget(Budget::from_ns(budget));
        let plan = self.scene.tick();
        response.scene(decided(plan));
        for (id, actors) in &self.modules {
            let module = plan.module(*id).ok_or(SceneError::NoSuchModule)?;
            let decided = ModuleResult {
                assigned: module.assigned_ns,
                units: module.units,
                unit_cost: module.unit_cost,
            };
            response.module(decided, actors.iter().map(|&id| plan.lod(id).map(Lod::level)));
        }
        Ok(())
    }
}

fn terms<N: Number>(vector: &ModuleVector) -> Result<Module<N>, ValueError> {
    let value = BenefitValue::from_ns(vector.benefit_value);
    let module = Module::new("", vector.unit_cost()?).benefit_value(value).rule(vector.rule()?);
    let module = module.managed(vector.managed).overhead(vector.overhead);
    let module = module.priority(Priority::from_bits(vector.priority)).outside(vector.outside()?);
    Ok(match vector.cap {
        Some(level) => module.lod_cap(level),
        None => module,
    })
}

fn actor<'q, N: Number>(vector: &ActorVector, module: &'q ModuleVector) -> Actor<'q, N> {
    let mut actor = match vector.given() {
        Some(benefit) => Actor::from_benefit(benefit, &module.work),
        None => Actor::from_state(vector.state(), vector.radius(), &module.work),
    };
    if vector.confined {
        let [lowest, highest] = module.range;
        actor = actor.lod_range(lowest..=highest);
    }
    match vector.forced {
        Some(level) => actor.forced(Lod::new(level, 0)),
        None => actor,
    }
}

fn decided<N: Number>(plan: Plan<'_, N>) -> SceneResult {
    SceneResult {
        scale: plan.scale(),
        overcommit: plan.overcommit_ns(),
        reserved: plan.reserved_ns(),
        assigned: plan.assigned_ns(),
        switches: plan.switches(),
        quarantined: plan.quarantined(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{TestVector, TestVectors, evaluate};

    use super::*;

    #[test]
    fn most_scenes_have_a_plan_and_few_are_invalid() {
        for backend in NumberType::ALL {
            let scenes = TestVectors::new(5, backend).filter(|q| matches!(q, TestVector::Scene(_)));
            let answers =
                scenes.take(300).map(|vector| evaluate(backend, &vector, &mut SchedulerBackend));
            let long = answers.filter(|words| words.len() > 3).count();
            assert!((280..=300).contains(&long), "{backend} {long}");
        }
    }
}
