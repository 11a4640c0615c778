//! Sequences of frames, each decided sequentially, wide and by the naive ledger.

use std::fmt::Debug;

use lodger_core::budget::{
    CachedAssignment, Carryover, Decision, Hysteresis, Leftovers, Policy, PreviousLevel,
    ROWS_PER_BLOCK, Request, RowBlock,
};
use lodger_core::calibration::Headroom;
use lodger_core::units::Budget;

use lodger_testkit::SplitMix64;
use lodger_tests::oracle::ledger as oracle;

use super::module_views::{Memory, Outcome, decide_sequential, decide_wide};
use super::modules::{Module, modules};
use super::{lod_bits, oracle_leftovers};

pub struct Scene {
    modules: Vec<Module>,
    sequential: Vec<Outcome>,
    wide: Vec<Outcome>,
    carryover: [Carryover; 2],
    memory: Memory,
    parts: SplitMix64,
}

const POLICIES: [Policy; 6] = [
    Policy::Proportional(Leftovers::Keep),
    Policy::Proportional(Leftovers::WithinModule),
    Policy::Proportional(Leftovers::AcrossModules),
    Policy::Proportional(Leftovers::AcrossModules),
    Policy::Proportional(Leftovers::WholeBudget),
    Policy::Optimal,
];

impl Scene {
    pub fn new(max: usize, random: &mut SplitMix64) -> Self {
        let modules = modules(max, random);
        let outcomes: Vec<Outcome> = modules.iter().map(Outcome::new).collect();
        let actors = modules.iter().map(Module::rows).sum();
        let moves = if random.one_in(2) { 64 } else { 0 };
        Self {
            modules,
            sequential: outcomes.clone(),
            wide: outcomes,
            carryover: [Carryover::default(); 2],
            memory: Memory::new(actors, moves),
            parts: SplitMix64::new(random.next_u64()),
        }
    }

    pub fn actors(&self) -> usize {
        self.modules.iter().map(Module::rows).sum()
    }

    pub fn request(&self, before: &Request, random: &mut SplitMix64) -> Request {
        let mut request = *before;
        if random.one_in(3) {
            request.policy = POLICIES[random.index(POLICIES.len())];
        }
        if random.one_in(2) {
            request.budget = self.budget(random);
        } else if let (Some(ns), true) = (request.budget.ns(), random.one_in(2)) {
            let less = ns.saturating_sub(random.magnitude(6));
            request.budget = Budget::from_ns(less.saturating_add(random.magnitude(6)));
        }
        request.reserved = if random.one_in(8) { random.magnitude(20) } else { 0 };
        let headroom = if random.one_in(8) { random.magnitude(24) as u32 } else { 0 };
        request.headroom = Headroom::from_bits(headroom);
        request.hysteresis = match random.index(6) {
            0..2 => Hysteresis::OFF,
            2 => {
                let (margin, dead_band) = (random.next_u64() as u8, random.next_u64() as u8);
                Hysteresis { margin, dead_band }
            }
            _ => Hysteresis::TYPICAL,
        };
        request.max_upgrades = random.one_in(10).then(|| random.index(100) as u32);
        request
    }

    fn budget(&self, random: &mut SplitMix64) -> Budget {
        let sum = |of: fn(&Module) -> u64| self.modules.iter().map(of).fold(0, u64::saturating_add);
        let minimum = sum(|module| module.input().minimum());
        let target = sum(|module| module.input().target());
        let maximum = sum(Module::maximum);
        let part = |whole: u64, random: &mut SplitMix64| {
            let range = whole.saturating_sub(minimum).max(1);
            minimum.saturating_add(random.index(range as usize) as u64)
        };
        Budget::from_ns(match random.index(12) {
            0 => return Budget::UNLIMITED,
            1 => random.magnitude(64),
            2 => minimum.saturating_sub(random.magnitude(20)),
            3 => minimum.saturating_add(random.magnitude(20)),
            4 => target.saturating_add(random.magnitude(3)).saturating_sub(random.magnitude(3)),
            5 => maximum.saturating_sub(random.magnitude(24)),
            6..9 => part(target, random),
            9 => part(target.min(maximum), random) / 16,
            _ => part(maximum, random),
        })
    }

    pub fn advance(&mut self, hysteresis: Hysteresis, random: &mut SplitMix64) {
        let scale = self.carryover[0].scale;
        for (index, module) in self.modules.iter_mut().enumerate() {
            let (sequential, wide) = (&mut self.sequential[index], &mut self.wide[index]);
            wide.blocks.iter_mut().for_each(RowBlock::begin);
            let mut touched = module.set_random_benefits(scale, random);
            if random.one_in(10) {
                module.set_random_value(random);
                wide.cached = CachedAssignment::default();
            }
            if random.one_in(10) {
                module.set_random_ladders(random);
                sequential.reset(module);
                wide.reset(module);
            }
            if random.one_in(4) && module.rows() > 0 {
                // A row without a change may be marked, too.
                touched.push(random.index(module.rows()));
            }
            for row in touched {
                wide.blocks[row / ROWS_PER_BLOCK].touch();
            }
            wide.total = random.one_in(2).then(|| module.input().benefit());
            if random.one_in(3) {
                // Some actors are new, and some had levels that are not valid now.
                let other = if random.one_in(2) { u8::MAX } else { random.index(40) as u8 };
                for _ in 0..=random.index(8) {
                    if module.rows() > 0 {
                        let row = random.index(module.rows());
                        (sequential.levels[row], wide.levels[row]) = (other, other);
                        wide.cached = CachedAssignment::default();
                    }
                }
            }
            module.previous = sequential.levels.iter().map(|&level| previous(level)).collect();
            match (random.index(4), scale) {
                (0, _) => wide.cached = CachedAssignment::default(),
                (1 | 2, Some(scale)) => wide.precompute(module, scale, hysteresis, random),
                _ => {}
            }
        }
    }

    /// Takes the warm start of another scene, which must not matter.
    pub fn copy_warm_start(&mut self, other: &Self) {
        for (wide, other) in self.wide.iter_mut().zip(&other.wide) {
            wide.warm_start = other.warm_start;
        }
    }

    /// Decides a frame in both ways and by the naive ledger.
    ///
    /// # Errors
    /// The first difference.
    pub fn frame(&mut self, request: &Request) -> Result<Decision, String> {
        let Self { modules, sequential, wide, carryover: [one, other], memory, parts } = self;
        let expected = decide_sequential(request, one, modules, sequential, memory);
        let found = decide_wide(request, other, modules, wide, memory, parts);
        same("carryover", one, other)?;
        for (index, (sequential, wide)) in sequential.iter().zip(wide).enumerate() {
            let of = |what: &str| format!("{what} of module {index}");
            same_column(&of("level"), &sequential.levels, &wide.levels)?;
            same_column(&of("fraction"), &sequential.fractions, &wide.fractions)?;
            same(&of("cost"), &sequential.assigned, &wide.assigned)?;
            let last = modules[index].previous.chunks(ROWS_PER_BLOCK);
            let rows = wide.before.chunks(ROWS_PER_BLOCK).zip(wide.levels.chunks(ROWS_PER_BLOCK));
            for ((block, (before, levels)), last) in wide.blocks.iter().zip(rows).zip(last) {
                let kept = if block.has_changed() { before } else { levels };
                let kept: Vec<PreviousLevel> = kept.iter().map(|&level| previous(level)).collect();
                same_column(&of("level before"), last, &kept)?;
            }
        }
        // Of new actors, all levels are other ones.
        let is_new = |last: &&PreviousLevel| **last == PreviousLevel::NONE;
        let new = modules.iter().flat_map(|module| &module.previous).filter(is_new).count() as u32;
        let mut found = found;
        found.switches -= new;
        same("decision", &expected, &found)?;
        check_naively(modules, request, &expected, sequential)?;
        Ok(expected)
    }

    pub fn outcomes(&self) -> &[Outcome] {
        &self.wide
    }
}

/// A level of 255 means that there was none.
fn previous(level: u8) -> PreviousLevel {
    if level == u8::MAX { PreviousLevel::NONE } else { PreviousLevel::automatic(level) }
}

fn same<T: PartialEq + Debug>(what: &str, expected: &T, found: &T) -> Result<(), String> {
    if expected == found { Ok(()) } else { Err(format!("{what}: {found:?}, but {expected:?}")) }
}

fn same_column<T: PartialEq + Debug>(
    what: &str,
    expected: &[T],
    found: &[T],
) -> Result<(), String> {
    match expected.iter().zip(found).position(|(a, b)| a != b) {
        Some(row) => same(&format!("{what}, row {row}"), &expected[row], &found[row]),
        None => Ok(()),
    }
}

/// Decides some frames of the scene of a seed, and calls `visit` with each.
///
/// # Errors
/// The first difference and its place.
pub fn run(seed: u64, max: usize, mut visit: impl FnMut(&Scene, &Decision)) -> Result<(), String> {
    let mut random = SplitMix64::new(seed.wrapping_mul(0x2545_f491_4f6c_dd1d));
    let mut scene = Scene::new(max, &mut random);
    let policy = POLICIES[random.index(POLICIES.len())];
    let mut request = Request { budget: scene.budget(&mut random), policy, ..Request::default() };
    if random.one_in(4) {
        let mut other = Scene::new(max, &mut random);
        let request = Request { budget: other.budget(&mut random), ..request };
        other.advance(request.hysteresis, &mut random);
        other
            .frame(&request)
            .map_err(|difference| format!("seed {seed}, other scene: {difference}"))?;
        scene.copy_warm_start(&other);
    }
    for frame in 0..=random.index(5) {
        scene.advance(request.hysteresis, &mut random);
        let decision = scene.frame(&request).map_err(|difference| {
            format!("seed {seed}, at most {max} actors, frame {frame}, {request:?}: {difference}")
        })?;
        visit(&scene, &decision);
        request = scene.request(&request, &mut random);
    }
    Ok(())
}

/// The oracle's scene, or `None` if the oracle does not support the request.
fn oracle_scene(modules: &[Module], request: &Request) -> Option<oracle::Scene> {
    let Policy::Proportional(leftovers) = request.policy else { return None };
    if request.headroom > Headroom::NONE || request.uses_previous_levels() {
        return None;
    }
    let mut scene = oracle::Scene {
        budget_ns: request.budget.ns(),
        unmanaged_in_budget: true,
        leftovers: oracle_leftovers(leftovers),
        modules: Vec::new(),
        actors: Vec::new(),
    };
    for (number, module) in modules.iter().enumerate() {
        scene.modules.push(oracle::Module {
            enabled: true,
            continuous: module.continuous,
            benefit_value_ns: module.value.ns(),
        });
        let input = module.input();
        for row in 0..module.rows() {
            let ladder = input.ladder_of(row);
            let mut costs = vec![ladder.minimum(); ladder.lowest().into()];
            costs.extend_from_slice(ladder.costs());
            scene.actors.push(oracle::Actor {
                id: module.ids[row],
                module: number,
                benefit: module.benefits[row].bits(),
                costs,
                range: (ladder.lowest(), ladder.highest()),
                forced: None,
            });
        }
    }
    // An actor of a disabled module has the reserved cost.
    let unmanaged = oracle::Module { enabled: false, continuous: false, benefit_value_ns: 1 };
    scene.actors.push(oracle::Actor {
        id: u32::MAX,
        module: scene.modules.len(),
        benefit: 0,
        costs: vec![u32::try_from(request.reserved).ok()?],
        range: (0, 0),
        forced: None,
    });
    scene.modules.push(unmanaged);
    Some(scene)
}

/// Compares with the naive ledger, if the ledger supports the request.
fn check_naively(
    modules: &[Module],
    request: &Request,
    decision: &Decision,
    outcomes: &[Outcome],
) -> Result<(), String> {
    let Some(scene) = oracle_scene(modules, request) else { return Ok(()) };
    let plan = oracle::plan(&scene);
    let expected = (plan.scale, plan.overcommit_ns, plan.assigned_ns);
    let found = (decision.scale.bits(), decision.overcommit, request.reserved + decision.assigned);
    if expected != found {
        return Err(format!("scale, overcommit and cost: {found:?}, but naively {expected:?}"));
    }
    let lods =
        outcomes.iter().flat_map(|outcome| (0..outcome.levels.len()).map(|row| outcome.lod(row)));
    match lods.map(lod_bits).zip(&plan.outcomes).position(|(lod, outcome)| lod != outcome.lod) {
        Some(row) => Err(format!("the LOD of row {row} is naively {:?}", plan.outcomes[row])),
        None => Ok(()),
    }
}
