//! The views of modules, decided sequentially as a slice, or in parts in any order.

use lodger_core::Benefit;
use lodger_core::budget::{
    Account, Answer, Bid, Book, Crowd, Decision, Draft, GROUP, Group, Guess, Lod, MadeFor,
    Question, Request, Room, Scale, Slope, Slopes, Source, Standing, Trial, Walk, decide,
};

use super::modules::Module;
use lodger_testkit::SplitMix64;

/// The results and the carried state of a module.
#[derive(Clone, Default)]
pub struct Outcome {
    pub levels: Vec<u8>,
    pub fractions: Vec<u16>,
    pub assigned: u64,
    slopes: Vec<Slope>,
    made_for: MadeFor,
    pub blocks: Vec<Group>,
    pub before: Vec<u8>,
    pub warm_start: Guess,
    pub cached: Draft,
    pub total: Option<u64>,
}

impl Outcome {
    /// The state before the first decision.
    pub fn new(module: &Module) -> Self {
        let rows = module.rows();
        let mut outcome = Self {
            levels: vec![0; rows],
            fractions: vec![0; if module.continuous { rows } else { 0 }],
            blocks: vec![Group::default(); rows.div_ceil(GROUP)],
            before: vec![0; rows],
            ..Self::default()
        };
        outcome.reset(module);
        outcome
    }

    /// Resets what depends on ladders, costs and rows.
    pub fn reset(&mut self, module: &Module) {
        self.slopes = vec![Slope::default(); module.costs.len()];
        (self.made_for, self.cached) = Default::default();
    }

    /// The view of the module.
    pub fn view<'a>(&'a mut self, module: &'a Module) -> Book<'a> {
        Book {
            account: module.input(),
            ids: &module.ids,
            levels: &mut self.levels,
            fractions: &mut self.fractions,
            qualities: &module.qualities,
            slopes: Slopes { of_costs: &mut self.slopes, made_for: self.made_for },
            last: &module.last,
            assigned: self.assigned,
            crowd: Crowd {
                kinds: &module.kinds,
                groups: &mut self.blocks,
                before: &mut self.before,
                total: self.total,
                guess: self.warm_start,
                draft: self.cached,
                ..Crowd::default()
            },
        }
    }

    /// The LOD in a row.
    pub fn lod(&self, row: usize) -> Lod {
        Lod::new(self.levels[row], self.fractions.get(row).copied().unwrap_or(0))
    }

    /// Computes the cached assignment, part by part.
    pub fn precompute(&mut self, module: &Module, scale: Scale, random: &mut SplitMix64) {
        let view = self.view(module);
        if !view.can_be_drafted(module.rows()) {
            return;
        }
        let account = Account { benefits: &[], ..view.account };
        let parts = split(Book { account, ..view }, module.rows(), random);
        let assign = |Part { first, rows, mut view }: Part<'_>| {
            let mut benefits = vec![Benefit::ZERO; rows];
            let mut source = CachedBenefits(&module.benefits[first..]);
            let cost = view.draft(scale, &mut benefits, &mut source);
            assert_eq!(benefits, module.benefits[first..first + rows]);
            cost
        };
        let cost = parts.into_iter().map(assign).sum();
        self.cached = Draft::at(scale, cost);
    }
}

/// The scratch memory of decisions.
#[derive(Default)]
pub struct Memory {
    upgrades: Vec<Bid>,
    moves: Vec<Trial>,
}

impl Memory {
    /// Scratch memory for the actors, and moves of local search.
    pub fn new(actors: usize, moves: usize) -> Self {
        Self { upgrades: vec![Bid::default(); actors], moves: vec![Trial::default(); moves] }
    }

    fn scratch(&mut self) -> Room<'_> {
        Room { bids: &mut self.upgrades, trials: &mut self.moves }
    }
}

/// The views of several modules.
pub fn views<'a>(modules: &'a [Module], outcomes: &'a mut [Outcome]) -> Vec<Book<'a>> {
    outcomes.iter_mut().zip(modules).map(|(outcome, module)| outcome.view(module)).collect()
}

/// Decides with the sequential algorithms of small boards.
pub fn decide_sequential(
    request: &Request,
    carryover: &mut Standing,
    modules: &[Module],
    outcomes: &mut [Outcome],
    memory: &mut Memory,
) -> Decision {
    let mut views = views(modules, outcomes);
    let decision = decide(request, carryover, &mut views[..], memory.scratch());
    let results: Vec<_> = views.iter().map(|view| (view.assigned, view.slopes.made_for)).collect();
    for (outcome, (assigned, made_for)) in outcomes.iter_mut().zip(results) {
        (outcome.assigned, outcome.made_for) = (assigned, made_for);
    }
    decision
}

/// Decides with the algorithms for many actors.
pub fn decide_wide(
    request: &Request,
    carryover: &mut Standing,
    modules: &[Module],
    outcomes: &mut [Outcome],
    memory: &mut Memory,
    random: &mut SplitMix64,
) -> Decision {
    let mut modules = PartitionedModules { modules, outcomes, random };
    decide(request, carryover, &mut modules, memory.scratch())
}

struct PartitionedModules<'a> {
    modules: &'a [Module],
    outcomes: &'a mut [Outcome],
    random: &'a mut SplitMix64,
}

impl Walk for PartitionedModules<'_> {
    const WIDE: bool = true;

    fn accounts(&self) -> usize {
        self.modules.len()
    }

    fn visit<R>(&mut self, index: usize, call: impl FnOnce(&mut Book<'_>) -> R) -> Option<R> {
        let (module, outcome) = (self.modules.get(index)?, self.outcomes.get_mut(index)?);
        let mut view = outcome.view(module);
        let result = call(&mut view);
        let (assigned, made_for) = (view.assigned, view.slopes.made_for);
        let Crowd { guess, draft, .. } = view.crowd;
        (outcome.assigned, outcome.made_for) = (assigned, made_for);
        (outcome.warm_start, outcome.cached) = (guess, draft);
        Some(result)
    }

    fn ask<Q: Question>(&mut self, index: usize, kernel: &Q) -> Q::Answer {
        let Self { modules, outcomes, random } = self;
        let module = &modules[index];
        let mut parts = split(outcomes[index].view(module), module.rows(), random);
        random.shuffle(&mut parts);
        let mut partial: Vec<_> =
            parts.into_iter().map(|mut part| kernel.ask(&mut part.view)).collect();
        // Any order of reduction gives the same result.
        while partial.len() > 1 {
            let one = partial.swap_remove(random.index(partial.len()));
            let other = partial.swap_remove(random.index(partial.len()));
            partial.push(one.plus(other));
        }
        partial.pop().unwrap_or_default()
    }
}

/// Some rows of a view.
struct Part<'a> {
    first: usize,
    rows: usize,
    view: Book<'a>,
}

/// Splits a view at the boundaries of blocks; parts may be empty.
fn split<'a>(view: Book<'a>, rows: usize, random: &mut SplitMix64) -> Vec<Part<'a>> {
    let max_splits = if random.one_in(4) { rows / GROUP + 1 } else { 3 };
    let (mut parts, splits) = (vec![Part { first: 0, rows, view }], random.index(max_splits + 1));
    for _ in 0..splits {
        let Part { first, rows, view } = parts.swap_remove(random.index(parts.len()));
        let here = random.index(rows.div_ceil(GROUP) + 1) * GROUP;
        let (one, other) = view.split_at(here);
        let here = here.min(rows);
        parts.push(Part { first, rows: here, view: one });
        parts.push(Part { first: first + here, rows: rows - here, view: other });
    }
    parts
}

/// A source of known benefits.
struct CachedBenefits<'a>(&'a [Benefit]);

impl Source for CachedBenefits<'_> {
    fn fill(&mut self, first: usize, benefits: &mut [Benefit]) {
        benefits.copy_from_slice(&self.0[first..first + benefits.len()]);
    }
}
