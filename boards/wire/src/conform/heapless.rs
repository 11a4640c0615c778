//! Whole scenes in `lodger-heapless`, for a board.

use heapless::Vec;
use lodger_core::budget::{Decision, Lod};
use lodger_core::units::{BenefitValue, Budget};
use lodger_core::{Fixed, Micro, ValueError};
use lodger_heapless::{
    Actor, ActorId, Module, ModuleId, Plan, Prioritised, Priority, RuntimeRules, Scene, SceneError,
    Viewed,
};

use super::number::{MODULES, Number, NumberType, ROWS};
use super::scene::{
    ActorVector, LEVELS, ModuleResult, ModuleVector, ResponseWriter, SceneBackend, SceneFailure,
    SceneResult, SceneVector,
};

const ACTORS: usize = MODULES * ROWS;

type SceneColumns = Prioritised<Viewed<RuntimeRules>>;

/// The scenes of `lodger-heapless`. They are compiled in this crate, whose code is optimised for size.
#[derive(Debug, Clone, Copy, Default)]
pub struct HeaplessBackend;

impl SceneBackend for HeaplessBackend {
    fn run_scene(
        &mut self,
        backend: NumberType,
        vector: &SceneVector,
        response: &mut ResponseWriter<'_>,
    ) -> Result<(), SceneFailure> {
        let outcome = match backend {
            NumberType::F32 => BoardScene::<f32>::run(vector, response),
            NumberType::Fixed => BoardScene::<Fixed>::run(vector, response),
            NumberType::Micro => BoardScene::<Micro>::run(vector, response),
        };
        outcome.map_err(|error| match error {
            SceneError::Invalid(error) => SceneFailure::Value(error),
            _ => SceneFailure::Scene,
        })
    }
}

/// A scene, with the handles of its modules and actors in the order of the vector. Functions are not inlined, because
/// the smallest board has little flash and a short stack.
struct BoardScene<N: Number> {
    scene: Scene<N, MODULES, ACTORS, LEVELS, SceneColumns>,
    modules: Vec<(ModuleId, Vec<ActorId, ROWS>), MODULES>,
}

impl<N: Number> BoardScene<N> {
    const EMPTY: Self = Self { scene: Scene::new(), modules: Vec::new() };

    #[inline(never)]
    fn run(vector: &SceneVector, response: &mut ResponseWriter<'_>) -> Result<(), SceneError> {
        let mut scene = Self::EMPTY;
        scene.populate(vector)?;
        for (tick, budget) in vector.budgets.into_iter().enumerate() {
            if tick > 0 {
                scene.pass(vector)?;
            }
            scene.look(vector, tick)?;
            scene.tick(budget, response)?;
        }
        Ok(())
    }

    #[inline(never)]
    fn populate(&mut self, vector: &SceneVector) -> Result<(), SceneError> {
        let Self { scene, modules } = self;
        scene.set_policy(vector.policy())?;
        scene.set_hysteresis(vector.hysteresis());
        scene.set_max_upgrades(vector.max_upgrades.map(u32::from));
        scene.set_unmanaged_in_budget(vector.is_unmanaged_in_budget);
        for module in &vector.modules {
            let id = scene.add_module_with_rule(terms(module)?, module.rule()?)?;
            let actors = module.actors.iter();
            scene.set_module_priority(id, Priority::from_bits(module.priority))?;
            scene.set_outside(id, module.outside()?)?;
            let actors = actors.map(|one| {
                let actor = scene.spawn(id, actor(one, module))?;
                scene.set_priority(actor, Priority::from_bits(one.priority))?;
                Ok(actor)
            });
            // There is a place for each module that a vector can have.
            let _ = modules.push((id, actors.collect::<Result<_, SceneError>>()?));
        }
        Ok(())
    }

    #[inline(never)]
    fn pass(&mut self, vector: &SceneVector) -> Result<(), SceneError> {
        for (module, (id, actors)) in vector.modules.iter().zip(&self.modules) {
            if let Some((units, time)) = module.measured {
                self.scene.observe_units(*id, units.into(), time.into())?;
            }
            if let Some(&actor) = module.leaves.and_then(|place| actors.get(usize::from(place))) {
                self.scene.despawn(actor)?;
            }
        }
        Ok(())
    }

    #[inline(never)]
    fn look(&mut self, vector: &SceneVector, tick: usize) -> Result<(), SceneError> {
        self.scene.set_views(&vector.views(tick)?)
    }

    #[inline(never)]
    fn tick(&mut self, budget: u64, response: &mut ResponseWriter<'_>) -> Result<(), SceneError> {
        let plan = self.scene.tick(Budget::from_ns(budget));
        response.scene(decided(plan));
        for (id, actors) in &self.modules {
            let module = plan.module(*id).ok_or(SceneError::NoSuchModule)?;
            let decided = ModuleResult {
                assigned: module.assigned_ns,
                units: module.units,
                unit_cost: module.unit_cost,
            };
            response.module(decided, actors.iter().map(|&id| plan.level(id)));
        }
        Ok(())
    }
}

fn terms<N: Number>(vector: &ModuleVector) -> Result<Module<N>, ValueError> {
    let value = BenefitValue::from_ns(vector.benefit_value);
    let module = Module::new(vector.unit_cost()?).benefit_value(value);
    let module = module.managed(vector.managed).overhead(vector.overhead);
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

fn decided<N: Number>(plan: Plan<'_, N, MODULES, ACTORS, LEVELS, SceneColumns>) -> SceneResult {
    let Decision { scale, overcommit, switches, .. } = plan.decision();
    let (reserved, assigned) = (plan.reserved_ns(), plan.assigned_ns());
    SceneResult { scale, overcommit, reserved, assigned, switches, quarantined: plan.quarantined() }
}

#[cfg(all(test, feature = "scheduler"))]
mod tests {
    use super::super::{SchedulerBackend, TestVector, TestVectors, evaluate};
    use super::*;

    #[test]
    fn a_board_decides_as_the_scheduler_does() {
        for backend in NumberType::ALL {
            let scenes = TestVectors::new(9, backend).filter(|q| matches!(q, TestVector::Scene(_)));
            for vector in scenes.take(2_000) {
                let board = evaluate(backend, &vector, &mut HeaplessBackend);
                let host = evaluate(backend, &vector, &mut SchedulerBackend);
                assert_eq!(board, host, "{backend} {vector:?}");
            }
        }
    }
}
