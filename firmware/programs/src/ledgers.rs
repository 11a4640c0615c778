//! A board's answers to questions about whole ledgers: those of the scene that needs no heap.

use heapless::Vec;
use lodger_core::Error;
use lodger_core::budget::{Decision, Lod};
use lodger_core::units::{BenefitValue, Budget};
use lodger_heapless::{Actor, ActorId, Module, ModuleId, Plan, Scene, SceneError};
use lodger_wire::conform::{
    ActorQuestion, Decided, DecidedModule, LEVELS, LedgerQuestion, Ledgers, MODULES,
    ModuleQuestion, Number, ROWS, Refusal, Told,
};

/// How many actors a question has at most.
const ACTORS: usize = MODULES * ROWS;

/// The scenes of `lodger-heapless`.
#[derive(Debug, Clone, Copy, Default)]
pub struct Heapless;

impl Ledgers for Heapless {
    fn answer<N: Number>(
        &mut self,
        question: &LedgerQuestion,
        told: &mut Told<'_>,
    ) -> Result<(), Refusal> {
        let mut asked = Asked::<N>::EMPTY;
        asked.populate(question).map_err(refusal)?;
        for (tick, (budget, eye)) in question.ticks::<N>().enumerate() {
            if tick > 0 {
                asked.pass(question).map_err(refusal)?;
            }
            asked.tick(budget, eye, told).map_err(refusal)?;
        }
        Ok(())
    }
}

fn refusal(error: SceneError) -> Refusal {
    match error {
        SceneError::Invalid(error) => Refusal::Value(error),
        _ => Refusal::Scene,
    }
}

/// A scene, and what the question calls its parts. Its functions stay apart, as the smallest board has little
/// flash and a short stack.
struct Asked<N: Number> {
    scene: Scene<N, MODULES, ACTORS, LEVELS>,
    modules: Vec<(ModuleId, Vec<ActorId, ROWS>), MODULES>,
}

impl<N: Number> Asked<N> {
    const EMPTY: Self = Self { scene: Scene::new(), modules: Vec::new() };

    #[inline(never)]
    fn populate(&mut self, question: &LedgerQuestion) -> Result<(), SceneError> {
        let Self { scene, modules } = self;
        scene.set_policy(question.policy());
        scene.set_stability(question.stability());
        scene.set_max_raises(question.max_raises.map(u32::from));
        scene.set_count_unmanaged(question.counts_unmanaged);
        for module in &question.modules {
            let id = scene.add_module(terms(module)?)?;
            let actors = module.actors.iter();
            let actors = actors.map(|one| Ok(scene.spawn(id, actor(one, module))?));
            // There are as many places as a question can have modules.
            let _ = modules.push((id, actors.collect::<Result<_, SceneError>>()?));
        }
        Ok(())
    }

    /// What happens between two ticks.
    #[inline(never)]
    fn pass(&mut self, question: &LedgerQuestion) -> Result<(), SceneError> {
        for (module, (id, actors)) in question.modules.iter().zip(&self.modules) {
            if let Some((units, time)) = module.measured {
                self.scene.measured_units(*id, units.into(), time.into())?;
            }
            if let Some(&actor) = module.leaves.and_then(|place| actors.get(usize::from(place))) {
                self.scene.despawn(actor)?;
            }
        }
        Ok(())
    }

    #[inline(never)]
    fn tick(&mut self, budget: u64, eye: [N; 3], told: &mut Told<'_>) -> Result<(), SceneError> {
        self.scene.look_from(&[eye])?;
        let plan = self.scene.tick(Budget::from_ns(budget));
        told.scene(decided(plan));
        for (id, actors) in &self.modules {
            let module = plan.module(*id).ok_or(SceneError::NoSuchModule)?;
            let decided = DecidedModule {
                assigned: module.assigned_ns,
                units: module.units,
                unit_cost: module.unit_cost,
            };
            told.module(decided, actors.iter().map(|&id| plan.level(id)));
        }
        Ok(())
    }
}

fn terms<N: Number>(question: &ModuleQuestion) -> Result<Module<N>, Error> {
    let value = BenefitValue::from_ns(question.benefit_value);
    let module = Module::new(question.unit_cost()?, value).rule(question.rule()?);
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

fn decided<N: Number>(plan: Plan<'_, N, MODULES, ACTORS, LEVELS>) -> Decided {
    let Decision { scale, overcommit, flips, .. } = plan.decision();
    let (fixed, assigned) = (plan.fixed_ns(), plan.assigned_ns());
    Decided { scale, overcommit, fixed, assigned, flips, quarantined: plan.quarantined() }
}

#[cfg(test)]
mod tests {
    use lodger_wire::conform::{Backend, Question, SchedulerBackend, Vectors, answer};

    use super::*;

    #[test]
    fn a_board_decides_as_the_scheduler_does() {
        for backend in Backend::ALL {
            let ledgers = Vectors::new(9, backend).filter(|q| matches!(q, Question::Ledger(_)));
            for question in ledgers.take(2_000) {
                let board = answer(backend, &question, &mut Heapless);
                let host = answer(backend, &question, &mut SchedulerBackend);
                assert_eq!(board, host, "{backend} {question:?}");
            }
        }
    }
}
