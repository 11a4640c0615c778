//! Scripts that are played in several ways, none of which may matter, and the plans that they should lead to.

use lodger_core::budget::{Last, Leftovers, Lod, LodControl, Quality, Request, Standing};
use lodger_core::calibration::Headroom;
use lodger_core::{Benefit, Real};
use lodger_scheduler::{
    ActorId, ActorPlan, Change, Control, ModuleId, Plan, Policy, Scene, Vectors,
};
use lodger_testkit::script::{Call, Profile, ScenePlayer, ScriptNumber, calls};
use lodger_tests::oracle::ledger as oracle;
use rayon::ThreadPool;

use super::crowds;
use super::references::leftovers;
use super::walks::{Memory, Outcome, decide_plainly};

/// A way to decide that must not matter.
pub struct ExecutionVariant<'a> {
    pub vectors: Vectors,
    pub pool: &'a ThreadPool,
}

/// All that a plan says.
#[derive(PartialEq)]
pub struct PlanSnapshot {
    pub whole: String,
    pub actors: Vec<ActorPlan>,
    pub changes: Vec<Change>,
}

impl PlanSnapshot {
    fn of<N: Real>(plan: Plan<'_, N>) -> Self {
        let numbers =
            (plan.scale(), plan.price(), plan.overcommit_ns(), plan.fixed_ns(), plan.assigned_ns());
        let marks = (plan.certificate(), plan.flips(), plan.quarantined(), plan.load());
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

/// The benefit that the rule gives an actor alone.
fn benefit<N: Real>(scene: &Scene<N>, id: ActorId) -> Option<Benefit> {
    if scene.is_visible(id) == Some(false) {
        return Some(Benefit::ZERO);
    }
    if let Some(given) = scene.given_benefit(id)? {
        return Some(given);
    }
    let rule = scene.benefit_rule(scene.module_of(id)?)?;
    let eyes: Vec<[N; 3]> = scene.views().map(|(_, view)| view.position()).collect();
    let curve = rule.curve(scene.radius(id)?).ok()?;
    Some(rule.benefit(&eyes, curve, scene.state(id)?).unwrap_or(Benefit::ZERO))
}

/// The levels that an actor may have unless it is forced.
fn range<N: Real>(scene: &Scene<N>, id: ActorId) -> Option<(u8, u8)> {
    let range = scene.lod_range(id)?;
    let (lowest, highest) = (*range.start(), *range.end());
    let is_free = scene.control(id) == Some(LodControl::Automatic);
    match scene.lod_cap(scene.module_of(id)?)? {
        Some(cap) if is_free => Some((lowest, cap.clamp(lowest, highest))),
        _ => Some((lowest, highest)),
    }
}

/// The cost of each level of an actor, in nanoseconds.
fn costs<N: Real>(scene: &Scene<N>, id: ActorId) -> Option<Vec<u32>> {
    let unit_cost = scene.plan().module(scene.module_of(id)?)?.unit_cost;
    scene.work(id)?.iter().map(|&units| unit_cost.of(units)).collect()
}

/// Holds a plan against benefits one by one, and against the naive ledger or the one for boards.
fn check<N: Real>(
    scene: &Scene<N>,
    modules: &[ModuleId],
    told: &PlanSnapshot,
) -> Result<(), String> {
    for actor in &told.actors {
        let expected = benefit(scene, actor.actor);
        if Some(actor.benefit) != expected {
            return Err(format!("{actor:?}, but alone {expected:?}"));
        }
    }
    let plan = scene.plan();
    let has_past = scene.stability().is_on() || scene.max_raises().is_some();
    if has_past || plan.headroom() > Headroom::NONE {
        return Ok(());
    }
    match scene.policy() {
        Policy::Proportional(who) => check_naively(scene, modules, who, told),
        Policy::Optimal => check_plainly(scene, modules, told),
    }
}

fn check_naively<N: Real>(
    scene: &Scene<N>,
    modules: &[ModuleId],
    who: Leftovers,
    told: &PlanSnapshot,
) -> Result<(), String> {
    let module = |&id: &ModuleId| oracle::Module {
        enabled: scene.is_managed(id).expect("there"),
        continuous: scene.is_continuous(id).expect("there"),
        benefit_value_ns: scene.benefit_value(id).expect("there").ns(),
    };
    let place = |id: ModuleId| modules.iter().position(|&other| other == id).expect("there");
    let actor = |plan: &ActorPlan| oracle::Actor {
        id: plan.actor.slot(),
        module: place(plan.module),
        benefit: plan.benefit.bits(),
        costs: costs(scene, plan.actor).expect("levels have costs"),
        range: range(scene, plan.actor).expect("there"),
        forced: match scene.control(plan.actor) {
            Some(LodControl::Forced(lod)) => Some(bits(lod)),
            _ => None,
        },
    };
    // An overhead is work that an actor of the module is forced to.
    let found = scene.plan();
    let overheads =
        found.modules().filter(|module| module.actors > 0).map(|module| oracle::Actor {
            id: u32::MAX - u32::from(module.module.index()),
            module: place(module.module),
            benefit: 0,
            costs: vec![module.unit_cost.of(module.overhead).expect("an overhead has a cost")],
            range: (0, 0),
            forced: Some(0),
        });
    let plan = oracle::plan(&oracle::Scene {
        budget_ns: scene.budget().ns(),
        count_unmanaged: scene.counts_unmanaged(),
        leftovers: leftovers(who),
        modules: modules.iter().map(module).collect(),
        actors: told.actors.iter().map(actor).chain(overheads).collect(),
    });
    let numbers =
        (found.scale().bits(), found.fixed_ns(), found.overcommit_ns(), found.assigned_ns());
    let expected = (plan.scale, plan.fixed_ns, plan.overcommit_ns, plan.assigned_ns);
    if numbers != expected {
        return Err(format!("{numbers:?}, but naively {expected:?}"));
    }
    let differs =
        |(actor, outcome): &(&ActorPlan, &oracle::Outcome)| bits(actor.lod) != outcome.lod;
    match told.actors.iter().zip(&plan.outcomes).find(differs) {
        Some((actor, outcome)) => Err(format!("{actor:?}, but naively {outcome:?}")),
        None => Ok(()),
    }
}

/// The automatic actors of a module.
fn automatic(told: &PlanSnapshot, id: ModuleId) -> impl Iterator<Item = &ActorPlan> {
    let actors = told.actors.iter();
    actors.filter(move |plan| plan.module == id && plan.control == Control::Automatic)
}

/// The columns of the automatic actors of a module.
fn columns<N: Real>(scene: &Scene<N>, told: &PlanSnapshot, id: ModuleId) -> crowds::Module {
    let mut module = crowds::Module {
        value: scene.benefit_value(id).expect("there"),
        continuous: scene.is_continuous(id).expect("there"),
        ..crowds::Module::default()
    };
    let mut known: Vec<(Vec<u32>, Vec<Quality>, u8)> = Vec::new();
    for plan in automatic(told, id) {
        let (lowest, highest) = range(scene, plan.actor).expect("there");
        let levels = usize::from(lowest)..=usize::from(highest);
        let costs = costs(scene, plan.actor).expect("levels have costs")[levels.clone()].to_vec();
        let qualities = scene.qualities(plan.actor).expect("there")[levels].to_vec();
        let kind = (costs, qualities, lowest);
        let ladder = known.iter().position(|other| *other == kind).unwrap_or_else(|| {
            module.add_ladder(lowest, &kind.0, kind.1.iter().copied());
            known.push(kind);
            known.len() - 1
        });
        module.ladder.push(ladder as u32);
        module.benefits.push(plan.benefit);
        module.ids.push(plan.actor.slot());
    }
    module.last = vec![Last::NONE; module.rows()];
    module
}

fn check_plainly<N: Real>(
    scene: &Scene<N>,
    ids: &[ModuleId],
    told: &PlanSnapshot,
) -> Result<(), String> {
    let modules: Vec<_> = ids.iter().map(|&id| columns(scene, told, id)).collect();
    let plan = scene.plan();
    let (budget, fixed) = (scene.budget(), plan.fixed_ns());
    let request = Request { budget, fixed, policy: Policy::Optimal, ..Request::default() };
    let mut outcomes: Vec<Outcome> = modules.iter().map(Outcome::of).collect();
    let mut memory = Memory::of(told.actors.len(), scene.trials());
    let mut standing = Standing::default();
    let decision = decide_plainly(&request, &mut standing, &modules, &mut outcomes, &mut memory);
    let expected =
        (decision.price, decision.certificate, decision.overcommit, fixed + decision.assigned);
    let found = (plan.price(), plan.certificate(), plan.overcommit_ns(), plan.assigned_ns());
    if found != expected {
        return Err(format!("{found:?}, but plainly {expected:?}"));
    }
    for (&id, outcome) in ids.iter().zip(&outcomes) {
        for (row, plan) in automatic(told, id).enumerate() {
            let lod = outcome.lod(row);
            if plan.lod != lod {
                return Err(format!("{plan:?}, but plainly {lod:?}"));
            }
        }
    }
    Ok(())
}

fn bits(lod: Lod) -> u32 {
    u32::from(lod.level()) << 16 | u32::from(lod.fraction())
}

/// A script of at most so many actors a call, played in all ways; `see` gets each plan.
///
/// # Errors
/// The difference, and its place.
pub fn run<N: ScriptNumber + Send + Sync>(
    seed: u64,
    most: u64,
    variants: &[ExecutionVariant<'_>],
    mut see: impl FnMut(&PlanSnapshot),
) -> Result<(), String> {
    let mut players = vec![ScenePlayer::<N>::new(); variants.len()];
    for (player, variant) in players.iter_mut().zip(variants) {
        player.scene.set_vectors(variant.vectors);
        player.scene.set_piece(Some(64));
    }
    for (number, call) in calls(seed, &Profile::of_many(most)).iter().enumerate() {
        let mut first: Option<PlanSnapshot> = None;
        for (player, variant) in players.iter_mut().zip(variants) {
            variant.pool.install(|| player.apply(call));
            if *call != Call::Tick {
                continue;
            }
            let scene = &player.scene;
            let told = PlanSnapshot::of(scene.plan());
            let same = match &first {
                Some(first) => first.same(&told),
                None => check(scene, &player.modules, &told),
            };
            same.map_err(|difference| {
                let (threads, policy) = (variant.pool.current_num_threads(), scene.policy());
                let vectors = variant.vectors;
                format!(
                    "script {seed} of {most} actors, call {number}, {policy:?}, {vectors:?}, {threads} threads: \
                     {difference}"
                )
            })?;
            first.get_or_insert(told);
        }
        first.iter().for_each(&mut see);
    }
    Ok(())
}
