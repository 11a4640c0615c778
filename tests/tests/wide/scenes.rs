//! Scripts that run in several execution variants, and checks of their plans.

use lodger_core::benefit::{LensTask, OutsideFactor, Priority, Sight, StateColumns};
use lodger_core::budget::{Carryover, Lod, LodControl, PreviousLevel, Request};
use lodger_core::calibration::Headroom;
use lodger_core::{Benefit, Real};
use lodger_scheduler::{
    ActorId, ActorPlan, BenefitValue, LevelChange, LodSource, ModuleId, ModulePlan, Plan, Scene,
    SimdLevel,
};
use lodger_testkit::script::{Call, Profile, ScenePlayer, ScriptNumber, calls};
use lodger_tests::oracle::ledger as oracle;
use rayon::ThreadPool;

use super::lod_bits;
use super::module_views::{Memory, Outcome, decide_sequential};
use super::modules::Module;

/// A SIMD level and a thread pool, which must not matter.
pub struct ExecutionVariant<'a> {
    pub simd_level: SimdLevel,
    pub pool: &'a ThreadPool,
}

#[derive(PartialEq)]
pub struct PlanSnapshot {
    pub whole: String,
    pub actors: Vec<ActorPlan>,
    pub changes: Vec<LevelChange>,
}

impl PlanSnapshot {
    fn new<N: Real>(plan: Plan<'_, N>) -> Self {
        let numbers = (
            plan.scale(),
            plan.price(),
            plan.overcommit_ns(),
            plan.reserved_ns(),
            plan.assigned_ns(),
        );
        let marks = (plan.certificate(), plan.switches(), plan.quarantined(), plan.load());
        Self {
            whole: format!("{numbers:?} {marks:?} {:?}", plan.modules().collect::<Vec<_>>()),
            actors: plan.actors().collect(),
            changes: plan.changes().to_vec(),
        }
    }

    fn same(&self, other: &Self) -> Result<(), String> {
        if self.whole != other.whole {
            return Err(format!("{}, but {}", other.whole, self.whole));
        }
        if let Some((one, other)) = self.actors.iter().zip(&other.actors).find(|(a, b)| a != b) {
            return Err(format!("{other:?}, but {one:?}"));
        }
        if self == other { Ok(()) } else { Err("other changes or actors".to_owned()) }
    }
}

/// The least and the greatest benefit that an actor may have. They differ only at several views, of which the scene does not
/// tell which of them see the actor.
fn benefits<N: Real>(scene: &Scene<N>, id: ActorId) -> Option<[Benefit; 2]> {
    if scene.is_visible(id) == Some(false) {
        return Some([Benefit::ZERO; 2]);
    }
    let module = scene.module_of(id)?;
    let given = scene.benefit_override(id)?;
    let benefit = given.or_else(|| computed(scene, id)).unwrap_or(Benefit::ZERO);
    let outside = scene.outside(module)?;
    let at_views = match scene.is_in_view(id)? {
        true if given.is_none() && scene.views().count() > 1 => [benefit.outside(outside), benefit],
        true => [benefit; 2],
        false => [benefit.outside(outside); 2],
    };
    let [actor, module] = [scene.priority(id)?, scene.module_priority(module)?]
        .map(|priority| u32::from(priority.bits()));
    let priority = Priority::from_bits(u16::try_from((actor * module) >> 12).unwrap_or(u16::MAX));
    Some(at_views.map(|benefit| benefit.with_priority(priority)))
}

/// The benefit of an actor if all views see it; `None` if its state is invalid.
fn computed<N: Real>(scene: &Scene<N>, id: ActorId) -> Option<Benefit> {
    let rule = scene.benefit_rule(scene.module_of(id)?)?;
    let (curve, state) = (rule.curve(scene.radius(id)?).ok()?, scene.state(id)?);
    let eyes: Vec<[N; 3]> = scene.views().map(|(_, view)| view.position()).collect();
    if scene.views().all(|(_, view)| !view.lens().has_zoom()) {
        return rule.benefit(&eyes, curve, state);
    }
    let lenses: Vec<_> = scene.views().map(|(_, view)| Some(view.lens())).collect();
    let task = LensTask { lenses: &lenses, outside: OutsideFactor::ONE, radius: &[] };
    let [x, y, z] = state.position.map(|axis| [axis]);
    let (age, speed, curve) = ([state.age], [state.speed], [curve]);
    let columns = StateColumns { x: &x, y: &y, z: &z, age: &age, speed: &speed, curve: &curve };
    let mut benefit = [Benefit::ZERO];
    let quarantined = rule.benefits_through(task, Sight::All, columns, &mut benefit);
    (quarantined == 0).then_some(benefit[0])
}

fn range<N: Real>(scene: &Scene<N>, id: ActorId) -> Option<(u8, u8)> {
    let range = scene.lod_range(id)?;
    let (lowest, highest) = (*range.start(), *range.end());
    let is_free = scene.control(id) == Some(LodControl::Automatic);
    match scene.lod_cap(scene.module_of(id)?)? {
        Some(cap) if is_free => Some((lowest, cap.clamp(lowest, highest))),
        _ => Some((lowest, highest)),
    }
}

fn costs<N: Real>(scene: &Scene<N>, id: ActorId) -> Option<Vec<u32>> {
    let unit_cost = scene.plan().module(scene.module_of(id)?)?.unit_cost;
    scene.work(id)?.iter().map(|&units| unit_cost.of(units)).collect()
}

/// The source of an actor's LOD, and the LOD unless it is automatic.
fn fixed_lod<N: Real>(scene: &Scene<N>, id: ActorId) -> Option<(LodSource, Option<Lod>)> {
    let (module, (lowest, highest)) = (scene.module_of(id)?, range(scene, id)?);
    let [lowest, highest] = [lowest, highest].map(|level| Lod::new(level, 0));
    Some(match scene.control(id)? {
        LodControl::Forced(lod) => {
            let lod = if scene.is_continuous(module)? { lod } else { lod.rounded() };
            (LodSource::Forced, Some(lod.clamp(lowest, highest)))
        }
        LodControl::Automatic if scene.is_managed(module)? => (LodSource::Automatic, None),
        LodControl::Automatic => (LodSource::Unmanaged, Some(highest)),
    })
}

/// Compares a plan with single benefits, with the LODs that are not automatic, with single and reserved costs, and with the
/// sequential algorithms.
fn check<N: Real>(
    scene: &Scene<N>,
    modules: &[ModuleId],
    plan: &PlanSnapshot,
) -> Result<(), String> {
    for actor in &plan.actors {
        let expected = benefits(scene, actor.actor);
        if expected.is_none_or(|[low, high]| !(low..=high).contains(&actor.benefit)) {
            return Err(format!("{actor:?}, but its rule gives {expected:?}"));
        }
        let (source, lod) = fixed_lod(scene, actor.actor).expect("there");
        let costs = costs(scene, actor.actor).expect("levels have costs");
        let lod = lod.unwrap_or(actor.lod);
        let expected = (source, lod, oracle::lod_cost_ns(&costs, lod_bits(lod)));
        if (actor.source, actor.lod, actor.cost_ns) != expected {
            return Err(format!("{actor:?}, but its settings give {expected:?}"));
        }
    }
    let (found, expected) = (scene.plan().reserved_ns(), reserved_ns(scene, plan));
    if found != expected {
        return Err(format!("{found} ns are reserved, but the costs are {expected}"));
    }
    let limits_upgrades = scene.max_upgrades().is_some() || scene.has_cautious_start();
    if scene.hysteresis().is_on() || limits_upgrades {
        return Ok(());
    }
    check_sequential(scene, modules, plan)
}

/// The reserved cost: the tick's own, and in counted modules the overhead and all forced and unmanaged actors.
fn reserved_ns<N: Real>(scene: &Scene<N>, plan: &PlanSnapshot) -> u64 {
    let own = u64::try_from(scene.own_cost().as_nanos()).expect("fits 64 bits");
    let counted = scene
        .plan()
        .modules()
        .filter(|module| module.actors > 0 && (module.managed || scene.is_unmanaged_in_budget()));
    let of_module = |module: ModulePlan| {
        let overhead = module.unit_cost.of(module.overhead).expect("an overhead has a cost");
        let actors = plan
            .actors
            .iter()
            .filter(|actor| actor.module == module.module && actor.source != LodSource::Automatic);
        u64::from(overhead) + actors.map(|actor| u64::from(actor.cost_ns)).sum::<u64>()
    };
    own + counted.map(of_module).sum::<u64>()
}

fn automatic(plan: &PlanSnapshot, id: ModuleId) -> impl Iterator<Item = &ActorPlan> {
    plan.actors.iter().filter(move |plan| plan.module == id && plan.source == LodSource::Automatic)
}

fn columns<N: Real>(scene: &Scene<N>, plan: &PlanSnapshot, id: ModuleId) -> Module {
    let mut module = Module {
        // The optimal policy does without.
        value: scene.benefit_value(id).unwrap_or(BenefitValue::from_ns(0)),
        continuous: scene.is_continuous(id).expect("there"),
        ..Module::default()
    };
    for plan in automatic(plan, id) {
        let (lowest, highest) = range(scene, plan.actor).expect("there");
        let levels = usize::from(lowest)..=usize::from(highest);
        let costs = costs(scene, plan.actor).expect("levels have costs")[levels.clone()].to_vec();
        let qualities = scene.qualities(plan.actor).expect("there")[levels].to_vec();
        module.add_actor(plan.actor.slot(), plan.benefit, (lowest, &costs, &qualities));
    }
    module.previous = vec![PreviousLevel::NONE; module.rows()];
    module
}

fn check_sequential<N: Real>(
    scene: &Scene<N>,
    ids: &[ModuleId],
    plan: &PlanSnapshot,
) -> Result<(), String> {
    let modules: Vec<_> = ids.iter().map(|&id| columns(scene, plan, id)).collect();
    let found = scene.plan();
    let (budget, reserved) = (scene.budget(), found.reserved_ns());
    let request = Request {
        budget,
        reserved,
        headroom: budget.ns().map_or(Headroom::NONE, |_| found.headroom()),
        policy: scene.policy(),
        ..Request::default()
    };
    let mut outcomes: Vec<Outcome> = modules.iter().map(Outcome::new).collect();
    let mut memory = Memory::new(plan.actors.len(), scene.search_moves());
    let mut carryover = Carryover::default();
    let decision =
        decide_sequential(&request, &mut carryover, &modules, &mut outcomes, &mut memory);
    let expected = (
        (decision.scale, decision.price, decision.certificate),
        (decision.overcommit, reserved + decision.assigned),
    );
    let found = (
        (found.scale(), found.price(), found.certificate()),
        (found.overcommit_ns(), found.assigned_ns()),
    );
    if found != expected {
        return Err(format!("{found:?}, but sequentially {expected:?}"));
    }
    for (&id, outcome) in ids.iter().zip(&outcomes) {
        for (row, plan) in automatic(plan, id).enumerate() {
            let lod = outcome.lod(row);
            if plan.lod != lod {
                return Err(format!("{plan:?}, but sequentially {lod:?}"));
            }
        }
    }
    Ok(())
}

/// Runs the script of a seed in all variants, and calls `visit` with each plan.
///
/// # Errors
/// The first difference and its place.
pub fn run<N: ScriptNumber + Send + Sync>(
    seed: u64,
    profile: &Profile,
    variants: &[ExecutionVariant<'_>],
    mut visit: impl FnMut(&PlanSnapshot),
) -> Result<(), String> {
    let mut players = vec![ScenePlayer::<N>::new(); variants.len()];
    for (index, (player, variant)) in players.iter_mut().zip(variants).enumerate() {
        // A decision that is repeated is the one that would be made.
        player.scene.set_repeats(!index.is_multiple_of(2));
        player.scene.set_simd_level(variant.simd_level);
        player.scene.set_chunk_rows(Some(64));
    }
    for (number, call) in calls(seed, profile).iter().enumerate() {
        let mut first: Option<PlanSnapshot> = None;
        for (player, variant) in players.iter_mut().zip(variants) {
            variant.pool.install(|| player.apply(call));
            if *call != Call::Tick {
                continue;
            }
            let scene = &player.scene;
            let plan = PlanSnapshot::new(scene.plan());
            let same = match &first {
                Some(first) => first.same(&plan),
                None => check(scene, &player.modules, &plan),
            };
            same.map_err(|difference| {
                let (threads, policy) = (variant.pool.current_num_threads(), scene.policy());
                let simd_level = variant.simd_level;
                format!(
                    "script {seed} of {profile:?}, call {number}, {policy:?}, {simd_level:?}, {threads} threads: \
                     {difference}"
                )
            })?;
            first.get_or_insert(plan);
        }
        first.iter().for_each(&mut visit);
    }
    Ok(())
}
