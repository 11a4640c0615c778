//! The views of modules, decided sequentially as a slice, or in parts in any order.

use lodger_core::Benefit;
use lodger_core::budget::{
    BenefitSource, BlockTotals, CachedAssignment, Carryover, Decision, Hysteresis, IndexColumn,
    Kernel, LastKernel, Lod, ModuleInput, ModuleView, Modules, Move, PartialResult, ROWS_PER_BLOCK,
    Request, RowBlock, Scale, Scratch, Slope, SlopeRange, Slopes, Upgrade, WarmStart, WideState,
    decide,
};

use super::modules::Module;
use lodger_testkit::SplitMix64;

#[derive(Clone, Default)]
pub struct Outcome {
    pub levels: Vec<u8>,
    pub fractions: Vec<u16>,
    pub assigned: u64,
    slopes: Vec<Slope>,
    valid_for: SlopeRange,
    pub blocks: Vec<RowBlock>,
    pub before: Vec<u8>,
    pub warm_start: WarmStart,
    pub cached: CachedAssignment,
    pub total: Option<u64>,
    totals: Vec<BlockTotals>,
    pub last_kernel: LastKernel,
    /// Whether the totals of blocks are stored in this frame.
    pub has_totals: bool,
}

impl Outcome {
    pub fn new(module: &Module) -> Self {
        let rows = module.rows();
        let mut outcome = Self {
            levels: vec![0; rows],
            fractions: vec![0; if module.continuous { rows } else { 0 }],
            blocks: vec![RowBlock::default(); rows.div_ceil(ROWS_PER_BLOCK)],
            before: vec![0; rows],
            totals: vec![BlockTotals::default(); rows.div_ceil(ROWS_PER_BLOCK)],
            ..Self::default()
        };
        outcome.reset(module);
        outcome
    }

    /// Resets what depends on ladders, costs and rows.
    pub fn reset(&mut self, module: &Module) {
        self.slopes = vec![Slope::default(); module.costs.len()];
        self.valid_for = SlopeRange::default();
        self.forget();
    }

    pub fn forget(&mut self) {
        (self.cached, self.last_kernel) = Default::default();
    }

    pub fn view<'a>(&'a mut self, module: &'a Module) -> ModuleView<'a> {
        ModuleView {
            input: module.input(),
            ids: IndexColumn::Words(&module.ids),
            levels: &mut self.levels,
            fractions: &mut self.fractions,
            qualities: &module.qualities,
            slopes: Slopes { of_costs: &mut self.slopes, valid_for: self.valid_for },
            previous: &module.previous,
            assigned: self.assigned,
            is_cautious: module.is_cautious,
            wide: WideState {
                ladder_bytes: &module.ladder_bytes,
                groups: &mut self.blocks,
                before: &mut self.before,
                total: self.total,
                warm_start: self.warm_start,
                cached: self.cached,
                totals: if self.has_totals { &mut self.totals } else { &mut [] },
                last_kernel: self.has_totals.then_some(&mut self.last_kernel),
                ..WideState::default()
            },
        }
    }

    pub fn lod(&self, row: usize) -> Lod {
        Lod::new(self.levels[row], self.fractions.get(row).copied().unwrap_or(0))
    }

    /// Computes the cached assignment, part by part.
    pub fn precompute(
        &mut self,
        module: &Module,
        scale: Scale,
        hysteresis: Hysteresis,
        random: &mut SplitMix64,
    ) {
        let view = self.view(module);
        if !view.can_fill_and_assign(module.rows()) {
            return;
        }
        let input = ModuleInput { benefits: &[], ..view.input };
        let parts = split(ModuleView { input, ..view }, module.rows(), random);
        let assign = |Part { first, rows, mut view }: Part<'_>| {
            let mut benefits = vec![Benefit::ZERO; rows];
            let mut source = CachedBenefits(&module.benefits[first..]);
            let cost = view.fill_and_assign(scale, hysteresis, &mut benefits, &mut source);
            assert_eq!(benefits, module.benefits[first..first + rows]);
            cost
        };
        let cost = parts.into_iter().map(assign).sum();
        self.cached = CachedAssignment::at(scale, hysteresis, cost);
    }
}

#[derive(Default)]
pub struct Memory {
    upgrades: Vec<Upgrade>,
    moves: Vec<Move>,
}

impl Memory {
    pub fn new(actors: usize, moves: usize) -> Self {
        Self { upgrades: vec![Upgrade::default(); actors], moves: vec![Move::default(); moves] }
    }

    /// Whether there is memory for local search.
    pub fn has_moves(&self) -> bool {
        self.moves.len() > 1
    }

    fn scratch(&mut self) -> Scratch<'_> {
        Scratch { upgrades: &mut self.upgrades, moves: &mut self.moves }
    }
}

pub fn views<'a>(modules: &'a [Module], outcomes: &'a mut [Outcome]) -> Vec<ModuleView<'a>> {
    let views = outcomes.iter_mut().zip(modules).map(|(outcome, module)| outcome.view(module));
    views.map(|view| ModuleView { wide: WideState::default(), ..view }).collect()
}

pub fn decide_sequential(
    request: &Request,
    carryover: &mut Carryover,
    modules: &[Module],
    outcomes: &mut [Outcome],
    memory: &mut Memory,
) -> Decision {
    let mut views = views(modules, outcomes);
    let decision = decide(request, carryover, &mut views[..], memory.scratch());
    let results: Vec<_> = views.iter().map(|view| (view.assigned, view.slopes.valid_for)).collect();
    for (outcome, (assigned, valid_for)) in outcomes.iter_mut().zip(results) {
        (outcome.assigned, outcome.valid_for) = (assigned, valid_for);
    }
    decision
}

pub fn decide_wide(
    request: &Request,
    carryover: &mut Carryover,
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

impl Modules for PartitionedModules<'_> {
    const WIDE: bool = true;

    fn count(&self) -> usize {
        self.modules.len()
    }

    fn visit<R>(&mut self, index: usize, call: impl FnOnce(&mut ModuleView<'_>) -> R) -> Option<R> {
        let (module, outcome) = (self.modules.get(index)?, self.outcomes.get_mut(index)?);
        let mut view = outcome.view(module);
        let result = call(&mut view);
        let (assigned, valid_for) = (view.assigned, view.slopes.valid_for);
        let WideState { warm_start, cached, .. } = view.wide;
        (outcome.assigned, outcome.valid_for) = (assigned, valid_for);
        (outcome.warm_start, outcome.cached) = (warm_start, cached);
        Some(result)
    }

    fn map_reduce<Q: Kernel>(&mut self, index: usize, kernel: &Q) -> Q::Partial {
        let Self { modules, outcomes, random } = self;
        let module = &modules[index];
        let mut parts = split(outcomes[index].view(module), module.rows(), random);
        random.shuffle(&mut parts);
        let mut partial: Vec<_> =
            parts.into_iter().map(|mut part| kernel.run(&mut part.view)).collect();
        // Any order of reduction gives the same result.
        while partial.len() > 1 {
            let one = partial.swap_remove(random.index(partial.len()));
            let other = partial.swap_remove(random.index(partial.len()));
            partial.push(one.plus(other));
        }
        partial.pop().unwrap_or_default()
    }
}

struct Part<'a> {
    first: usize,
    rows: usize,
    view: ModuleView<'a>,
}

/// Splits a view at the boundaries of blocks; parts may be empty.
fn split<'a>(view: ModuleView<'a>, rows: usize, random: &mut SplitMix64) -> Vec<Part<'a>> {
    let max_splits = if random.one_in(4) { rows / ROWS_PER_BLOCK + 1 } else { 3 };
    let (mut parts, splits) = (vec![Part { first: 0, rows, view }], random.index(max_splits + 1));
    for _ in 0..splits {
        let Part { first, rows, view } = parts.swap_remove(random.index(parts.len()));
        let here = random.index(rows.div_ceil(ROWS_PER_BLOCK) + 1) * ROWS_PER_BLOCK;
        let (one, other) = view.split_at(here);
        let here = here.min(rows);
        parts.push(Part { first, rows: here, view: one });
        parts.push(Part { first: first + here, rows: rows - here, view: other });
    }
    parts
}

struct CachedBenefits<'a>(&'a [Benefit]);

impl BenefitSource for CachedBenefits<'_> {
    fn fill(&mut self, first: usize, benefits: &mut [Benefit]) {
        benefits.copy_from_slice(&self.0[first..first + benefits.len()]);
    }
}
