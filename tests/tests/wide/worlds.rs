//! Scenes of the scheduler that live through the same, and the plan that they should have.

use lodger_core::benefit::{BenefitRule, BenefitTerms, State, Weights};
use lodger_core::budget::{Last, Leftovers, Lod, LodControl, Quality, Request, Standing};
use lodger_core::importance::DistanceImportance;
use lodger_core::units::{BenefitValue, Budget, UnitCost};
use lodger_core::{Benefit, Fixed, Real};
use lodger_scheduler::{
    Actor, ActorId, ActorPlan, Change, Control, Module, ModuleId, Plan, Policy, Scene, Stability,
    Vectors, View, ViewId,
};
use lodger_tests::oracle::ledger as oracle;
use rayon::ThreadPool;

use super::crowds;
use super::random::Random;
use super::references::leftovers;
use super::walks::{Memory, Outcome, decide_plainly};

/// A number type, and numbers of it that nobody expects.
pub trait Odd: Real {
    const ODD: &'static [Self];
}

impl Odd for f32 {
    const ODD: &'static [Self] = &[
        Self::NAN,
        Self::INFINITY,
        Self::NEG_INFINITY,
        Self::MAX,
        Self::MIN_POSITIVE,
        1e-42,
        -0.0,
        -1.0,
    ];
}

impl Odd for f64 {
    const ODD: &'static [Self] = &[
        Self::NAN,
        Self::INFINITY,
        Self::NEG_INFINITY,
        Self::MAX,
        Self::MIN_POSITIVE,
        5e-324,
        -0.0,
        -1.0,
    ];
}

impl Odd for Fixed {
    const ODD: &'static [Self] = &[<Self as Real>::MAX, <Self as Real>::ZERO];
}

/// A way to decide that must not matter.
pub struct Way<'a> {
    pub vectors: Vectors,
    pub pool: &'a ThreadPool,
}

/// A scene, and the handles that its user holds.
#[derive(Clone)]
struct World<N: Real> {
    scene: Scene<N>,
    modules: Vec<ModuleId>,
    views: Vec<ViewId>,
    eyes: Vec<[N; 3]>,
    actors: Vec<ActorId>,
}

fn number<N: Odd>(random: &mut Random) -> N {
    if random.one_in(200) {
        return N::ODD[random.index(N::ODD.len())];
    }
    // Near and far, each kind as often.
    let size = random.magnitude(30) as f64 / 65_536.0;
    N::from_f64(if random.one_in(2) { size } else { -size }).unwrap_or(N::ZERO)
}

fn amount<N: Odd>(random: &mut Random) -> N {
    N::from_f64(random.magnitude(24) as f64 / 65_536.0).unwrap_or(N::ONE)
}

fn state<N: Odd>(random: &mut Random) -> State<N> {
    let speed = if random.one_in(100) { number(random) } else { amount(random) };
    State { position: [(); 3].map(|()| number(random)), age: number(random), speed }
}

fn rule<N: Odd>(random: &mut Random) -> BenefitRule<N> {
    let weight = |random: &mut Random| {
        N::from_f64([0.0, 0.0, 0.25, 0.5, 1.0][random.index(5)]).unwrap_or(N::ONE)
    };
    let distance = if random.one_in(4) { weight(random) } else { N::ONE };
    let [age, speed] = [(); 2].map(|()| weight(random));
    let is_angular = random.one_in(2);
    let terms = BenefitTerms {
        distance_importance: if is_angular {
            DistanceImportance::Angular
        } else {
            DistanceImportance::SolidAngle
        },
        max_distance: random.one_in(2).then(|| amount(random)),
        weights: Weights::new(distance, age, speed).unwrap_or(Weights::DISTANCE),
        bias: if random.one_in(4) { amount(random) } else { N::ZERO },
        max_age: Some(amount::<N>(random)),
        max_speed: Some(amount::<N>(random) + N::ONE),
    };
    BenefitRule::new(terms).unwrap_or(BenefitRule::new(BenefitTerms::default()).expect("sound"))
}

fn eye<N: Odd>(random: &mut Random) -> [N; 3] {
    [(); 3].map(|()| N::from_f64(random.magnitude(20) as f64 / 65_536.0).unwrap_or(N::ZERO))
}

fn view<N: Real>(eye: [N; 3]) -> View<N> {
    View::eye(eye).expect("finite")
}

/// The work of some kinds of actors.
fn works(random: &mut Random) -> Vec<Vec<u32>> {
    let kinds = [1, 1, 2, 3, 8, 70][random.index(6)];
    let (is_costly, bits) = (random.one_in(3), 1 + random.below(20));
    let work = |random: &mut Random| {
        let most = if random.one_in(8) { 24 } else { 6 };
        let levels = 1 + random.index(most);
        crowds::costs(levels, is_costly, bits, random)
    };
    (0..kinds).map(|_| work(random)).collect()
}

impl<N: Odd> World<N> {
    fn new(most: usize, random: &mut Random) -> Self {
        let mut scene = Scene::new(Budget::UNLIMITED);
        if random.one_in(2) {
            scene.set_trials([0, 32][random.index(2)]);
        }
        scene.track_changes(true);
        let eyes: Vec<[N; 3]> = (0..random.below(4)).map(|_| eye(random)).collect();
        let views = eyes.iter().map(|&eye| scene.add_view(view(eye)).expect("room")).collect();
        let mut world = Self { scene, modules: Vec::new(), views, eyes, actors: Vec::new() };
        for _ in 0..=random.below(3) {
            let works = works(random);
            let cost: u64 = works.iter().map(|work| u64::from(work[work.len() - 1])).sum();
            let value = (cost / works.len() as u64 + 1).saturating_mul(1 + random.magnitude(8)) / 8;
            let value = BenefitValue::from_ns(u32::try_from(value).unwrap_or(u32::MAX));
            let unit = UnitCost::from_ns(1.0).expect("a cost");
            let module = Module::new("module", unit, value).rule(rule(random));
            let module = module.continuous(random.one_in(5)).managed(!random.one_in(10));
            world.modules.push(world.scene.add_module(module).expect("room"));
            for _ in 0..random.index(most + 1) {
                let work = &works[random.index(works.len())];
                let mut actor = Actor::in_state(state(random), amount(random), work)
                    .visible(!random.one_in(40));
                if random.one_in(20) {
                    actor = actor.forced(Lod::new(random.below(6) as u8, random.bits() as u16));
                }
                if random.one_in(20) {
                    actor = actor.lod_range(0..=random.index(work.len()) as u8);
                }
                let module = world.modules[world.modules.len() - 1];
                world.actors.push(world.scene.spawn(module, actor).expect("sound"));
            }
        }
        world
    }

    /// A frame's changes: little, much or none.
    fn pass(&mut self, random: &mut Random) {
        let scene = &mut self.scene;
        if random.one_in(2) {
            for (eye, &id) in self.eyes.iter_mut().zip(&self.views) {
                *eye = self::eye(random);
                scene.set_view(id, view(*eye)).expect("there");
            }
        }
        for &module in &self.modules {
            let rows = scene.module_len(module).unwrap_or(0);
            match random.below(4) {
                0 if rows > 0 => {
                    let (from, count) = (random.index(rows), 1 + random.index(rows));
                    let moved = scene.states_mut(module).expect("there");
                    for row in from..rows.min(from + count) {
                        let State { position, age, speed } = state(random);
                        [moved.x[row], moved.y[row], moved.z[row]] = position;
                        (moved.age[row], moved.speed[row]) = (age, speed);
                    }
                }
                1 if random.one_in(4) => {
                    let value = BenefitValue::from_ns(random.magnitude_32(24));
                    scene.set_benefit_value(module, value).expect("there");
                }
                2 if random.one_in(8) => {
                    scene.set_benefit_rule(module, rule(random)).expect("there");
                }
                3 if random.one_in(8) => {
                    scene.set_managed(module, random.one_in(2)).expect("there");
                }
                _ => {}
            }
        }
        if random.one_in(4) {
            scene.advance_ages(amount(random)).expect("finite");
        }
        let few = if self.actors.is_empty() { 0 } else { random.magnitude(5) };
        for _ in 0..few {
            let place = random.index(self.actors.len());
            let id = self.actors[place];
            match random.below(7) {
                0 => scene.set_state(id, state(random)).expect("there"),
                1 => {
                    let lod = Lod::new(random.below(6) as u8, random.bits() as u16);
                    scene.force_lod(id, Some(lod)).expect("there");
                }
                2 => scene.force_lod(id, None).expect("there"),
                3 => {
                    let given = Benefit::from_bits(random.magnitude_32(24));
                    scene.set_benefit(id, random.one_in(2).then_some(given)).expect("there");
                }
                4 => scene.set_visible(id, random.one_in(2)).expect("there"),
                5 => scene.set_radius(id, amount(random)).expect("there"),
                _ => {
                    let module = scene.module_of(id).expect("there");
                    let work = crowds::costs(1 + random.index(6), false, 10, random);
                    scene.despawn(id).expect("there");
                    let actor = Actor::in_state(state(random), amount(random), &work);
                    self.actors[place] = scene.spawn(module, actor).expect("sound");
                }
            }
        }
        self.ask(random);
    }

    /// Another budget or policy.
    fn ask(&mut self, random: &mut Random) {
        let scene = &mut self.scene;
        if random.one_in(2) {
            let most = self.actors.iter().filter_map(|&id| scene.work(id)?.last().copied());
            let most: u64 = most.map(u64::from).sum();
            scene.set_budget(match random.below(6) {
                0 => Budget::UNLIMITED,
                1 => Budget::from_ns(random.magnitude(40)),
                2 => Budget::from_ns(random.below(most / 16 + 1)),
                _ => Budget::from_ns(random.below(most + 1)),
            });
        }
        if random.one_in(3) {
            scene.set_policy(match random.below(6) {
                0 => Policy::Proportional(Leftovers::Keep),
                1 => Policy::Proportional(Leftovers::WithinModule),
                2 => Policy::Proportional(Leftovers::WholeBudget),
                3 => Policy::Optimal,
                _ => Policy::default(),
            });
        }
        let is_steady = random.one_in(12);
        scene.set_stability(if is_steady { Stability::STEADY } else { Stability::OFF });
        scene.set_max_raises(random.one_in(20).then(|| random.below(50) as u32));
        scene.set_count_unmanaged(!random.one_in(8));
    }
}

/// All that a plan says.
#[derive(PartialEq)]
pub struct Told {
    pub whole: String,
    pub actors: Vec<ActorPlan>,
    pub changes: Vec<Change>,
}

impl Told {
    fn of<N: Real>(plan: Plan<'_, N>) -> Self {
        let numbers =
            (plan.scale(), plan.price(), plan.overcommit_ns(), plan.fixed_ns(), plan.assigned_ns());
        let marks = (plan.certificate(), plan.flips(), plan.quarantined(), plan.load());
        Self {
            whole: format!("{numbers:?} {marks:?}"),
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

impl<N: Odd> World<N> {
    /// The benefit that the rule gives an actor alone.
    fn benefit(&self, id: ActorId) -> Benefit {
        let scene = &self.scene;
        if scene.is_visible(id) == Some(false) {
            return Benefit::ZERO;
        }
        let module = scene.module_of(id).expect("there");
        let rule = scene.benefit_rule(module).expect("there");
        let state = scene.state(id).expect("there");
        let curve = rule.curve(scene.radius(id).expect("there")).expect("sound");
        match scene.given_benefit(id).flatten() {
            Some(given) => given,
            None => rule.benefit(&self.eyes, curve, state).unwrap_or(Benefit::ZERO),
        }
    }

    /// The levels that an actor may have, and what they cost.
    fn range(&self, id: ActorId) -> (u8, u8) {
        let range = self.scene.lod_range(id).expect("there");
        (*range.start(), *range.end())
    }

    /// Holds a plan against benefits one by one, and against the naive ledger or the one for boards.
    fn check(&self, told: &Told) -> Result<(), String> {
        for actor in &told.actors {
            let expected = self.benefit(actor.actor);
            if actor.benefit != expected {
                return Err(format!("{actor:?}, but alone {expected:?}"));
            }
        }
        let scene = &self.scene;
        if scene.stability().is_on() || scene.max_raises().is_some() {
            return Ok(());
        }
        match scene.policy() {
            Policy::Proportional(who) => self.check_naively(who, told),
            Policy::Optimal => self.check_plainly(told),
        }
    }

    fn check_naively(&self, who: Leftovers, told: &Told) -> Result<(), String> {
        let scene = &self.scene;
        let module = |&id: &ModuleId| oracle::Module {
            enabled: scene.is_managed(id).expect("there"),
            continuous: scene.is_continuous(id).expect("there"),
            benefit_value_ns: scene.benefit_value(id).expect("there").ns(),
        };
        let actor = |plan: &ActorPlan| oracle::Actor {
            id: plan.actor.slot(),
            module: self.modules.iter().position(|&id| id == plan.module).expect("there"),
            benefit: plan.benefit.bits(),
            costs: scene.work(plan.actor).expect("there").to_vec(),
            range: self.range(plan.actor),
            forced: match scene.control(plan.actor) {
                Some(LodControl::Forced(lod)) => Some(bits(lod)),
                _ => None,
            },
        };
        let plan = oracle::plan(&oracle::Scene {
            budget_ns: scene.budget().ns(),
            count_unmanaged: scene.counts_unmanaged(),
            leftovers: leftovers(who),
            modules: self.modules.iter().map(module).collect(),
            actors: told.actors.iter().map(actor).collect(),
        });
        let found = scene.plan();
        let found =
            (found.scale().bits(), found.fixed_ns(), found.overcommit_ns(), found.assigned_ns());
        let expected = (plan.scale, plan.fixed_ns, plan.overcommit_ns, plan.assigned_ns);
        if found != expected {
            return Err(format!("{found:?}, but naively {expected:?}"));
        }
        let differs =
            |(actor, outcome): &(&ActorPlan, &oracle::Outcome)| bits(actor.lod) != outcome.lod;
        match told.actors.iter().zip(&plan.outcomes).find(differs) {
            Some((actor, outcome)) => Err(format!("{actor:?}, but naively {outcome:?}")),
            None => Ok(()),
        }
    }

    fn check_plainly(&self, told: &Told) -> Result<(), String> {
        let scene = &self.scene;
        let mut modules = Vec::new();
        for &id in &self.modules {
            let automatic = told
                .actors
                .iter()
                .filter(|plan| plan.module == id && plan.control == Control::Automatic);
            let mut module = crowds::Module {
                value: scene.benefit_value(id).expect("there"),
                continuous: scene.is_continuous(id).expect("there"),
                ..crowds::Module::default()
            };
            let mut known: Vec<(&[u32], (u8, u8))> = Vec::new();
            for plan in automatic {
                let work = scene.work(plan.actor).expect("there");
                let kind = (work, self.range(plan.actor));
                let ladder = known.iter().position(|other| *other == kind).unwrap_or_else(|| {
                    known.push(kind);
                    let (lowest, highest) = (usize::from(kind.1.0), usize::from(kind.1.1));
                    let levels = work.len() as u16;
                    let even = (lowest..=highest).map(|level| Quality::even(level as u8, levels));
                    module.add_ladder(lowest as u8, &work[lowest..=highest], even);
                    known.len() - 1
                });
                module.ladder.push(ladder as u32);
                module.benefits.push(plan.benefit);
                module.ids.push(plan.actor.slot());
            }
            module.last = vec![Last::NONE; module.rows()];
            modules.push(module);
        }
        let plan = scene.plan();
        let (budget, fixed) = (scene.budget(), plan.fixed_ns());
        let request = Request { budget, fixed, policy: Policy::Optimal, ..Request::default() };
        let mut outcomes: Vec<Outcome> = modules.iter().map(Outcome::of).collect();
        let mut memory = Memory::of(told.actors.len(), scene.trials());
        let decision = decide_plainly(
            &request,
            &mut Standing::default(),
            &modules,
            &mut outcomes,
            &mut memory,
        );
        let expected =
            (decision.price, decision.certificate, decision.overcommit, fixed + decision.assigned);
        let found = (plan.price(), plan.certificate(), plan.overcommit_ns(), plan.assigned_ns());
        if found != expected {
            return Err(format!("{found:?}, but plainly {expected:?}"));
        }
        for (&id, outcome) in self.modules.iter().zip(&outcomes) {
            let automatic = told
                .actors
                .iter()
                .filter(|plan| plan.module == id && plan.control == Control::Automatic);
            for (row, plan) in automatic.enumerate() {
                let lod = outcome.lod(row);
                if plan.lod != lod {
                    return Err(format!("{plan:?}, but plainly {lod:?}"));
                }
            }
        }
        Ok(())
    }
}

fn bits(lod: Lod) -> u32 {
    u32::from(lod.level()) << 16 | u32::from(lod.fraction())
}

/// A few frames of one scene in all ways, by a number; `see` gets each plan.
///
/// # Errors
/// What differs, and where.
pub fn run<N: Odd + Send + Sync>(
    seed: u64,
    most: usize,
    ways: &[Way<'_>],
    mut see: impl FnMut(&Told),
) -> Result<(), String> {
    let mut random = Random(seed.wrapping_mul(0xd129_0ddb_5354_9c1f));
    let world = World::<N>::new(most, &mut random);
    let mut worlds: Vec<World<N>> = vec![world; ways.len()];
    for (world, way) in worlds.iter_mut().zip(ways) {
        world.scene.set_vectors(way.vectors);
        world.scene.set_piece(Some(64));
    }
    for frame in 0..=random.below(4) {
        let before = random.clone();
        let mut first: Option<Told> = None;
        for (world, way) in worlds.iter_mut().zip(ways) {
            random = before.clone();
            world.pass(&mut random);
            way.pool.install(|| {
                world.scene.tick();
            });
            let told = Told::of(world.scene.plan());
            let same = match &first {
                Some(first) => first.same(&told),
                None => world.check(&told),
            };
            same.map_err(|difference| {
                let (threads, policy) = (way.pool.current_num_threads(), world.scene.policy());
                let vectors = way.vectors;
                format!(
                    "scene {seed}, at most {most} actors a module, frame {frame}, {policy:?}, {vectors:?}, \
                     {threads} threads: {difference}"
                )
            })?;
            first.get_or_insert(told);
        }
        first.iter().for_each(&mut see);
    }
    Ok(())
}
