//! Sequences of frames, each decided sequentially, wide and naively.

use std::fmt::Debug;

use lodger_core::budget::{
    CachedAssignment, Carryover, Decision, Hysteresis, LadderSpan, LastKernel, Leftovers, Policy,
    PreviousLevel, Price, ROWS_PER_BLOCK, Request, RowBlock, Scale,
};
use lodger_core::calibration::Headroom;
use lodger_core::units::Budget;

use lodger_testkit::SplitMix64;
use lodger_tests::oracle::decision as naive;

use super::module_views::{Memory, Outcome, decide_sequential, decide_wide};
use super::modules::{Module, modules};
use super::{lod_bits, oracle_leftovers};

pub struct Scene {
    modules: Vec<Module>,
    sequential: Vec<Outcome>,
    wide: Vec<Outcome>,
    is_new: bool,
    /// The previous levels, which the wide state has to keep.
    kept: Vec<Vec<u8>>,
    carryover: [Carryover; 2],
    memory: Memory,
    parts: SplitMix64,
}

const POLICIES: [Policy; 7] = [
    Policy::Proportional(Leftovers::Keep),
    Policy::Proportional(Leftovers::WithinModule),
    Policy::Proportional(Leftovers::AcrossModules),
    Policy::Proportional(Leftovers::AcrossModules),
    Policy::Proportional(Leftovers::WholeBudget),
    Policy::Optimal,
    Policy::Optimal,
];

/// Only in small scenes may one actor be worth the whole budget, so these are mostly optimal.
fn random_policy(max: usize, random: &mut SplitMix64) -> Policy {
    if max <= 10 && random.one_in(2) {
        Policy::Optimal
    } else {
        POLICIES[random.index(POLICIES.len())]
    }
}

fn random_hysteresis(random: &mut SplitMix64) -> Hysteresis {
    match random.index(6) {
        0 | 1 => Hysteresis::TYPICAL,
        2 => {
            let mut part = || if random.one_in(4) { 0 } else { random.magnitude(8) as u8 };
            Hysteresis { margin: part(), dead_band: part() }
        }
        _ => Hysteresis::OFF,
    }
}

impl Scene {
    pub fn new(max: usize, random: &mut SplitMix64) -> Self {
        let modules = modules(max, random);
        Self::of_modules(modules, if random.one_in(2) { 64 } else { 0 }, random)
    }

    /// Makes a scene with memory for a number of moves of local search.
    pub fn of_modules(modules: Vec<Module>, moves: usize, random: &mut SplitMix64) -> Self {
        let outcomes: Vec<Outcome> = modules.iter().map(Outcome::new).collect();
        let count = modules.len();
        let actors = modules.iter().map(Module::rows).sum();
        Self {
            modules,
            sequential: outcomes.clone(),
            wide: outcomes,
            is_new: true,
            kept: vec![Vec::new(); count],
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
        if random.one_in(2) {
            request.budget = self.budget(random);
        } else if let (Some(ns), true) = (request.budget.ns(), random.one_in(2)) {
            let less = ns.saturating_sub(random.magnitude(6));
            request.budget = Budget::from_ns(less.saturating_add(random.magnitude(6)));
        }
        request.reserved = if random.one_in(8) { random.magnitude(20) } else { 0 };
        let headroom = if random.one_in(8) { random.magnitude(24) as u32 } else { 0 };
        request.headroom = Headroom::from_bits(headroom);
        if random.one_in(3) {
            request.hysteresis = random_hysteresis(random);
        }
        if random.one_in(3) {
            let bits = 1 + self.actors().max(1).ilog2() as usize;
            request.max_upgrades = random.one_in(4).then(|| random.magnitude(bits) as u32);
            request.is_cautious = random.one_in(3);
        }
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
        Budget::from_ns(match random.index(14) {
            0 => return Budget::UNLIMITED,
            1 => random.magnitude(64),
            2 => minimum.saturating_sub(random.magnitude(20)),
            3 => minimum.saturating_add(random.magnitude(20)),
            4 => target.saturating_add(random.magnitude(3)).saturating_sub(random.magnitude(3)),
            5 => maximum.saturating_sub(random.magnitude(24)),
            6..9 => part(target, random),
            9 => part(target.min(maximum), random) / 16,
            10 | 11 => {
                minimum.saturating_add(self.rise(random)).saturating_add(random.magnitude(3))
            }
            _ => part(maximum, random),
        })
    }

    /// Returns the additional cost of a level of an actor.
    fn rise(&self, random: &mut SplitMix64) -> u64 {
        let module = &self.modules[random.index(self.modules.len())];
        let ladder = module.input().ladder_of(random.index(module.rows().max(1)));
        let cost = ladder.costs()[random.index(ladder.costs().len())];
        u64::from(cost - ladder.minimum())
    }

    pub fn advance(&mut self, hysteresis: Hysteresis, random: &mut SplitMix64) {
        let scale = self.carryover[0].scale;
        for (index, module) in self.modules.iter_mut().enumerate() {
            let (sequential, wide) = (&mut self.sequential[index], &mut self.wide[index]);
            wide.blocks.iter_mut().for_each(RowBlock::begin);
            let mut touched = module.set_random_benefits(scale, random);
            if random.one_in(10) {
                module.set_random_value(random);
                wide.forget();
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
            let last = previous_levels(sequential, self.is_new, random);
            self.kept[index] = hand_over_previous(module, last, wide);
            match (random.index(6), scale) {
                (0, _) => wide.forget(),
                (1 | 2, Some(scale)) => {
                    wide.forget();
                    wide.precompute(module, scale, hysteresis, random);
                }
                _ => {}
            }
            wide.has_totals = !random.one_in(4);
            if !wide.has_totals {
                wide.last_kernel = LastKernel::default();
            }
        }
        self.is_new = false;
    }

    /// Begins a frame of the same modules and benefits.
    pub fn stand_still(&mut self) {
        let outcomes = self.sequential.iter().zip(&mut self.wide).zip(&mut self.kept);
        for (module, ((sequential, wide), kept)) in self.modules.iter_mut().zip(outcomes) {
            wide.blocks.iter_mut().for_each(RowBlock::begin);
            wide.forget();
            let last = sequential.levels.iter().map(|&level| PreviousLevel::automatic(level));
            *kept = hand_over_previous(module, last.collect(), wide);
        }
    }

    /// Takes the warm start of another scene, which must not matter.
    pub fn copy_warm_start(&mut self, other: &Self) {
        for (wide, other) in self.wide.iter_mut().zip(&other.wide) {
            wide.warm_start = other.warm_start;
        }
    }

    /// Decides a frame in both ways and naively.
    ///
    /// # Errors
    /// The first difference.
    pub fn frame(&mut self, request: &Request) -> Result<Decision, String> {
        let Self { modules, sequential, wide, kept, memory, parts, .. } = self;
        let [one, other] = &mut self.carryover;
        let before = *one;
        let expected = decide_sequential(request, one, modules, sequential, memory);
        let mut found = decide_wide(request, other, modules, wide, memory, parts);
        same("carryover", one, other)?;
        let mut changes = 0;
        for (index, (sequential, wide)) in sequential.iter().zip(wide).enumerate() {
            let of = |what: &str| format!("{what} of module {index}");
            same_column(&of("level"), &sequential.levels, &wide.levels)?;
            same_column(&of("fraction"), &sequential.fractions, &wide.fractions)?;
            same(&of("cost"), &sequential.assigned, &wide.assigned)?;
            let row_before = |row: usize| {
                let has_changed = wide.blocks[row / ROWS_PER_BLOCK].has_changed();
                if has_changed { wide.before[row] } else { wide.levels[row] }
            };
            let before: Vec<u8> = (0..wide.levels.len()).map(row_before).collect();
            same_column(&of("level before"), &kept[index], &before)?;
            changes +=
                wide.levels.iter().zip(&before).filter(|(now, before)| now != before).count();
        }
        // New and manual actors count, too.
        same("changed levels", &changes, &(found.switches as usize))?;
        found.switches = expected.switches;
        same("decision", &expected, &found)?;
        let carried = match request.policy {
            Policy::Proportional(_) => Carryover { scale: Some(expected.scale), ..before },
            Policy::Optimal => Carryover { price: Some(expected.price), ..before },
        };
        same("new carryover", &carried, one)?;
        check_naively(modules, request, before, memory.has_moves(), &expected, sequential)?;
        Ok(expected)
    }

    pub fn outcomes(&self) -> &[Outcome] {
        &self.wide
    }
}

/// Returns the levels of the last frame as previous levels, from time to time with spawned actors, forced ones, and levels
/// out of the range.
fn previous_levels(outcome: &Outcome, is_new: bool, random: &mut SplitMix64) -> Vec<PreviousLevel> {
    let levels = outcome.levels.iter();
    let mut last: Vec<_> = levels.map(|&level| PreviousLevel::automatic(level)).collect();
    let any_level = |random: &mut SplitMix64| match random.index(4) {
        0 => 255,
        1 => random.next_u64() as u8,
        _ => random.index(8) as u8,
    };
    let other = |random: &mut SplitMix64| match random.index(3) {
        0 => PreviousLevel::NONE,
        1 => PreviousLevel::manual(any_level(random)),
        _ => PreviousLevel::automatic(any_level(random)),
    };
    if is_new && random.one_in(2) || random.one_in(20) {
        last.fill(PreviousLevel::NONE);
    } else if random.one_in(3) {
        let chances = 1 + random.index(30);
        for last in &mut last {
            if random.one_in(chances) {
                *last = other(random);
            }
        }
    }
    last
}

/// Hands previous levels to both algorithms: in a column of their own, or as the levels of the wide state, 255 for none.
/// No other function knows this. Returns the levels that the wide state has to keep.
fn hand_over_previous(
    module: &mut Module,
    last: Vec<PreviousLevel>,
    wide: &mut Outcome,
) -> Vec<u8> {
    let levels: Vec<u8> = last.iter().map(|last| last.level().unwrap_or(u8::MAX)).collect();
    let blocks = levels.chunks(ROWS_PER_BLOCK).zip(wide.levels.chunks(ROWS_PER_BLOCK));
    for (block, _) in wide.blocks.iter_mut().zip(blocks).filter(|(_, (new, old))| new != old) {
        block.touch();
    }
    if wide.levels != levels {
        wide.levels.clone_from(&levels);
        wide.cached = CachedAssignment::default();
    }
    module.previous = last;
    // Missing rows have no previous level.
    while module.previous.last() == Some(&PreviousLevel::NONE) {
        module.previous.pop();
    }
    levels
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

/// The greatest numbers of actors of the scenes of successive seeds.
const MOST_ACTORS: [usize; 12] = [6, 40, 3, 300, 10, 2_000, 6, 40, 20, 300, 3, 6_000];

/// Decides some frames of the scene of a seed, and calls `visit` with each.
///
/// # Errors
/// The first difference and its place.
pub fn run(seed: u64, mut visit: impl FnMut(&Scene, &Decision)) -> Result<(), String> {
    let max = MOST_ACTORS[(seed % MOST_ACTORS.len() as u64) as usize];
    let mut random = SplitMix64::new(seed.wrapping_mul(0x2545_f491_4f6c_dd1d));
    let mut scene = Scene::new(max, &mut random);
    let policy = random_policy(max, &mut random);
    let budget = scene.budget(&mut random);
    let hysteresis = random_hysteresis(&mut random);
    let mut request = Request { budget, policy, hysteresis, ..Request::default() };
    if random.one_in(4) {
        let mut other = Scene::new(max, &mut random);
        let request = Request { budget: other.budget(&mut random), ..request };
        other.advance(request.hysteresis, &mut random);
        other
            .frame(&request)
            .map_err(|difference| format!("seed {seed}, other scene: {difference}"))?;
        scene.copy_warm_start(&other);
    }
    for frame in 0..=random.index(8) {
        scene.advance(request.hysteresis, &mut random);
        let decision = scene.frame(&request).map_err(|difference| {
            format!("seed {seed}, at most {max} actors, frame {frame}, {request:?}: {difference}")
        })?;
        visit(&scene, &decision);
        request = scene.request(&request, &mut random);
        if random.one_in(3) {
            request.policy = random_policy(max, &mut random);
        }
    }
    Ok(())
}

fn naive_ladder(module: &Module, span: LadderSpan) -> naive::Ladder {
    let (start, len, lowest) = span.parts();
    let columns = start as usize..start as usize + usize::from(len);
    let qualities = module.qualities[columns.clone()].iter().map(|quality| quality.bits());
    naive::Ladder { lowest, costs: module.costs[columns].to_vec(), qualities: qualities.collect() }
}

fn naive_actor<'a>(
    number: usize,
    module: &Module,
    ladders: &'a [naive::Ladder],
    row: usize,
    request: &Request,
) -> naive::Actor<'a> {
    let last = module.previous.get(row).copied().unwrap_or_default();
    let is_automatic = last.is_automatic();
    naive::Actor {
        id: module.ids[row],
        module: number,
        benefit_value_ns: module.value.ns(),
        is_continuous: module.continuous,
        is_cautious: request.is_cautious && module.is_cautious,
        ladder: &ladders[module.ladder.get(row).map_or(0, |&ladder| ladder as usize)],
        benefit: module.benefits[row].bits(),
        previous: last.level().map(|level| naive::PreviousLevel { level, is_automatic }),
    }
}

fn naive_request(request: &Request, before: Carryover) -> naive::Request {
    let policy = match request.policy {
        Policy::Proportional(leftovers) => {
            naive::Policy::Proportional(oracle_leftovers(leftovers), before.scale.map(Scale::bits))
        }
        Policy::Optimal => naive::Policy::Optimal(before.price.map(Price::bits)),
    };
    naive::Request {
        budget_ns: request.budget.ns(),
        reserved_ns: request.reserved,
        headroom: request.headroom.bits(),
        policy,
        margin: request.hysteresis.margin,
        dead_band: request.hysteresis.dead_band,
        max_upgrades: request.max_upgrades,
    }
}

/// Compares a decision with the naive one. Of a plan that local search may have improved, it compares all but levels.
fn check_naively(
    modules: &[Module],
    request: &Request,
    before: Carryover,
    has_moves: bool,
    decision: &Decision,
    outcomes: &[Outcome],
) -> Result<(), String> {
    let ladders: Vec<Vec<_>> = modules
        .iter()
        .map(|module| module.spans.iter().map(|&span| naive_ladder(module, span)).collect())
        .collect();
    let mut actors = Vec::new();
    for (number, (module, ladders)) in modules.iter().zip(&ladders).enumerate() {
        actors.extend(
            (0..module.rows()).map(|row| naive_actor(number, module, ladders, row, request)),
        );
    }
    let expected = naive::decide(&actors, &naive_request(request, before));
    same(
        "naive available budget, overcommit, minimum, scale and price",
        &(
            expected.available_ns,
            expected.overcommit_ns,
            expected.minimum_ns,
            expected.scale,
            expected.price,
        ),
        &(
            decision.available,
            decision.overcommit,
            decision.minimum,
            decision.scale.bits(),
            decision.price.bits(),
        ),
    )?;
    let certificate = decision.certificate.map(|found| (found.value, found.upper_bound));
    if has_moves && expected.begins_local_search {
        let (least, bound) = expected.certificate.unwrap_or_default();
        let (value, upper_bound) = certificate.unwrap_or_default();
        same("naive upper bound", &bound.max(value), &upper_bound)?;
        let is_worse = value < least && !request.limits_upgrades();
        return if is_worse { Err(format!("value {value}, naively {least}")) } else { Ok(()) };
    }
    same("naive certificate", &expected.certificate, &certificate)?;
    let mut plan = expected.outcomes.iter();
    for (index, outcome) in outcomes.iter().enumerate() {
        let plan = plan.by_ref().take(outcome.levels.len());
        let (lods, costs): (Vec<u32>, Vec<u64>) = plan.copied().unzip();
        let found: Vec<u32> =
            (0..outcome.levels.len()).map(|row| lod_bits(outcome.lod(row))).collect();
        same_column(&format!("naive LOD of module {index}"), &lods, &found)?;
        let cost: u64 = costs.iter().sum();
        same(&format!("naive cost of module {index}"), &cost, &outcome.assigned)?;
    }
    let cost: u64 = expected.outcomes.iter().map(|&(_, cost)| cost).sum();
    let numbers = (cost, expected.switches);
    same("naive cost and switches", &numbers, &(decision.assigned, decision.switches as usize))
}
