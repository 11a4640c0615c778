//! Runs the scenes of conformance tests on a board, with `lodger-heapless`.

use heapless::Vec;
use lodger_core::ValueError;
use lodger_core::budget::{Decision, Lod};
use lodger_core::units::{BenefitValue, Budget};
use lodger_heapless::{Actor, ActorId, Module, ModuleId, Plan, Scene, SceneError};
use lodger_wire::conform::{
    ActorVector, LEVELS, MODULES, ModuleResult, ModuleVector, Number, ROWS, ResponseWriter,
    SceneBackend, SceneFailure, SceneResult, SceneVector,
};

const ACTORS: usize = MODULES * ROWS;

#[derive(Debug, Clone, Copy, Default)]
pub struct HeaplessBackend;

impl SceneBackend for HeaplessBackend {
    fn run_scene<N: Number>(
        &mut self,
        vector: &SceneVector,
        response: &mut ResponseWriter<'_>,
    ) -> Result<(), SceneFailure> {
        let mut scene = BoardScene::<N>::EMPTY;
        scene.populate(vector).map_err(failure)?;
        for (tick, (budget, eye)) in vector.ticks::<N>().enumerate() {
            if tick > 0 {
                scene.pass(vector).map_err(failure)?;
            }
            scene.tick(budget, eye, response).map_err(failure)?;
        }
        Ok(())
    }
}

fn failure(error: SceneError) -> SceneFailure {
    match error {
        SceneError::Invalid(error) => SceneFailure::Value(error),
        _ => SceneFailure::Scene,
    }
}

/// A scene, with the handles of its modules and actors in the order of the vector. Functions are not inlined, because
/// the smallest board has little flash and a short stack.
struct BoardScene<N: Number> {
    scene: Scene<N, MODULES, ACTORS, LEVELS>,
    modules: Vec<(ModuleId, Vec<ActorId, ROWS>), MODULES>,
}

impl<N: Number> BoardScene<N> {
    const EMPTY: Self = Self { scene: Scene::new(), modules: Vec::new() };

    #[inline(never)]
    fn populate(&mut self, vector: &SceneVector) -> Result<(), SceneError> {
        let Self { scene, modules } = self;
        scene.set_policy(vector.policy())?;
        scene.set_hysteresis(vector.hysteresis());
        scene.set_max_upgrades(vector.max_upgrades.map(u32::from));
        scene.set_unmanaged_in_budget(vector.is_unmanaged_in_budget);
        for module in &vector.modules {
            let id = scene.add_module(terms(module)?)?;
            let actors = module.actors.iter();
            let actors = actors.map(|one| Ok(scene.spawn(id, actor(one, module))?));
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
    fn tick(
        &mut self,
        budget: u64,
        eye: [N; 3],
        response: &mut ResponseWriter<'_>,
    ) -> Result<(), SceneError> {
        self.scene.set_eyes(&[eye])?;
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
    let module = Module::new(vector.unit_cost()?).benefit_value(value).rule(vector.rule()?);
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

fn decided<N: Number>(plan: Plan<'_, N, MODULES, ACTORS, LEVELS>) -> SceneResult {
    let Decision { scale, overcommit, switches, .. } = plan.decision();
    let (reserved, assigned) = (plan.reserved_ns(), plan.assigned_ns());
    SceneResult { scale, overcommit, reserved, assigned, switches, quarantined: plan.quarantined() }
}

#[cfg(test)]
mod tests {
    use lodger_wire::conform::{NumberType, SchedulerBackend, TestVector, TestVectors, evaluate};

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
