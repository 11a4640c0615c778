//! Whole scenes by `lodger-scheduler`: the results that a board's must equal.

use std::time::Duration;
use std::vec::Vec;

use lodger_scheduler::lodger_core::Error;
use lodger_scheduler::{
    Actor, ActorId, BenefitValue, Budget, Lod, Module, ModuleId, Plan, Scene, SceneError, View,
};

use super::backend::Number;
use super::ledger::{Decided, DecidedModule, Ledgers, Refusal, Told};
use super::scene::{ActorQuestion, LedgerQuestion, ModuleQuestion};

/// The scenes of `lodger-scheduler`.
#[derive(Debug, Clone, Copy, Default)]
pub struct SchedulerBackend;

impl Ledgers for SchedulerBackend {
    fn answer<N: Number>(
        &mut self,
        question: &LedgerQuestion,
        told: &mut Told<'_>,
    ) -> Result<(), Refusal> {
        let mut scene = SceneUnderTest::<N>::new(question).map_err(refusal)?;
        for (tick, (budget, eye)) in question.ticks::<N>().enumerate() {
            if tick > 0 {
                scene.pass(question).map_err(refusal)?;
            }
            scene.tick(budget, eye, told).map_err(refusal)?;
        }
        Ok(())
    }
}

fn refusal(error: SceneError) -> Refusal {
    error.refused().map_or(Refusal::Scene, Refusal::Value)
}

/// A scene, with the handles of the modules and actors in the order of the question.
struct SceneUnderTest<N: Number> {
    scene: Scene<N>,
    modules: Vec<(ModuleId, Vec<ActorId>)>,
}

impl<N: Number> SceneUnderTest<N> {
    fn new(question: &LedgerQuestion) -> Result<Self, SceneError> {
        let mut scene = Scene::new(Budget::UNLIMITED);
        scene.set_policy(question.policy());
        scene.set_stability(question.stability());
        scene.set_max_raises(question.max_raises.map(u32::from));
        scene.set_count_unmanaged(question.counts_unmanaged);
        scene.set_trials(0);
        let mut modules = Vec::new();
        for module in &question.modules {
            let id = scene.add_module(terms(module)?)?;
            let actors = module.actors.iter();
            let actors = actors.map(|one| scene.spawn(id, actor(one, module)));
            modules.push((id, actors.collect::<Result<_, _>>()?));
        }
        Ok(Self { scene, modules })
    }

    /// Applies the changes between two ticks.
    fn pass(&mut self, question: &LedgerQuestion) -> Result<(), SceneError> {
        for (module, (id, actors)) in question.modules.iter().zip(&self.modules) {
            if let Some((units, time)) = module.measured {
                self.scene.measured(*id, units.into(), Duration::from_nanos(time.into()))?;
            }
            if let Some(&actor) = module.leaves.and_then(|place| actors.get(usize::from(place))) {
                self.scene.despawn(actor)?;
            }
        }
        Ok(())
    }

    fn tick(&mut self, budget: u64, eye: [N; 3], told: &mut Told<'_>) -> Result<(), SceneError> {
        let view = self.scene.views().map(|(id, _)| id).next();
        match view {
            Some(view) => self.scene.set_view(view, View::eye(eye)?)?,
            None => self.scene.add_view(View::eye(eye)?).map(drop)?,
        }
        self.scene.set_budget(Budget::from_ns(budget));
        let plan = self.scene.tick();
        told.scene(decided(plan));
        for (id, actors) in &self.modules {
            let module = plan.module(*id).ok_or(SceneError::NoSuchModule)?;
            let decided = DecidedModule {
                assigned: module.assigned_ns,
                units: module.units,
                unit_cost: module.unit_cost,
            };
            told.module(decided, actors.iter().map(|&id| plan.lod(id).map(Lod::level)));
        }
        Ok(())
    }
}

fn terms<N: Number>(question: &ModuleQuestion) -> Result<Module<N>, Error> {
    let value = BenefitValue::from_ns(question.benefit_value);
    let module = Module::new("", question.unit_cost()?, value).rule(question.rule()?);
    let module = module.managed(question.managed).overhead(question.overhead);
    Ok(match question.cap {
        Some(level) => module.lod_cap(level),
        None => module,
    })
}

fn actor<'q, N: Number>(question: &ActorQuestion, module: &'q ModuleQuestion) -> Actor<'q, N> {
    let mut actor = match question.given() {
        Some(benefit) => Actor::given(benefit, &module.work),
        None => Actor::in_state(question.state(), question.radius(), &module.work),
    };
    if question.confined {
        let [lowest, highest] = module.range;
        actor = actor.lod_range(lowest..=highest);
    }
    match question.forced {
        Some(level) => actor.forced(Lod::new(level, 0)),
        None => actor,
    }
}

fn decided<N: Number>(plan: Plan<'_, N>) -> Decided {
    Decided {
        scale: plan.scale(),
        overcommit: plan.overcommit_ns(),
        fixed: plan.fixed_ns(),
        assigned: plan.assigned_ns(),
        flips: plan.flips(),
        quarantined: plan.quarantined(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Backend, Question, Vectors, answer};

    use super::*;

    #[test]
    fn most_ledgers_are_decided_and_few_refused() {
        for backend in Backend::ALL {
            let ledgers = Vectors::new(5, backend).filter(|q| matches!(q, Question::Ledger(_)));
            let answers =
                ledgers.take(300).map(|question| answer(backend, &question, &mut SchedulerBackend));
            let long = answers.filter(|words| words.len() > 3).count();
            assert!((280..=300).contains(&long), "{backend} {long}");
        }
    }
}
