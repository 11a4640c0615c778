//! Plans equal those over plain slices, for all parts and orders.

use std::vec;
use std::vec::Vec;

use proptest::prelude::*;

use crate::benefit::Benefit;
use crate::budget::cutoff::WarmStart;
use crate::budget::decide;
use crate::budget::decision::Decision;
use crate::budget::demand::ModuleInput;
use crate::budget::index_column::IndexColumn;
use crate::budget::kernels::group::{ROWS_PER_BLOCK, RowBlock, WideState};
use crate::budget::ladder::{LadderSpan, Ladders};
use crate::budget::last::{Carryover, PreviousLevel};
use crate::budget::module_view::{Kernel, ModuleView, Modules, PartialResult};
use crate::budget::policy::{Hysteresis, Leftovers, Policy, Request};
use crate::budget::price::Price;
use crate::budget::scratch::{Move, Scratch};
use crate::budget::slope::{Slope, SlopeRange, Slopes};
use crate::budget::upgrade_queue::Upgrade;
use crate::budget::work::Quality;
use crate::units::{BenefitValue, Budget};

#[derive(Debug, Clone, Default)]
struct WideModule {
    continuous: bool,
    value: BenefitValue,
    spans: Vec<LadderSpan>,
    costs: Vec<u32>,
    qualities: Vec<Quality>,
    slopes: Vec<Slope>,
    valid_for: SlopeRange,
    ladder: Vec<u32>,
    ladder_bytes: Vec<u8>,
    benefits: Vec<Benefit>,
    ids: Vec<u32>,
    levels: Vec<u8>,
    fractions: Vec<u16>,
    groups: Vec<RowBlock>,
    before: Vec<u8>,
    previous: Vec<PreviousLevel>,
    warm_start: WarmStart,
    assigned: u64,
}

impl WideModule {
    fn module_view(&mut self) -> ModuleView<'_> {
        ModuleView {
            is_cautious: false,
            input: ModuleInput {
                continuous: self.continuous,
                benefit_value: self.value,
                ladders: Ladders { spans: &self.spans, costs: &self.costs },
                ladder: IndexColumn::Words(&self.ladder),
                benefits: &self.benefits,
            },
            ids: IndexColumn::Words(&self.ids),
            levels: &mut self.levels,
            fractions: &mut self.fractions,
            qualities: &self.qualities,
            slopes: Slopes { of_costs: &mut self.slopes, valid_for: self.valid_for },
            previous: &self.previous,
            assigned: self.assigned,
            wide: WideState {
                ladder_bytes: &self.ladder_bytes,
                groups: &mut self.groups,
                before: &mut self.before,
                warm_start: self.warm_start,
                ..WideState::default()
            },
        }
    }
}

struct Parted<'a> {
    modules: &'a mut [WideModule],
    seed: u64,
    results: usize,
}

impl Parted<'_> {
    fn random(&mut self, below: usize) -> usize {
        self.seed = self.seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.seed >> 33) as usize % below.max(1)
    }
}

impl Modules for Parted<'_> {
    const WIDE: bool = true;

    fn count(&self) -> usize {
        self.modules.len()
    }

    fn visit<R>(&mut self, index: usize, see: impl FnOnce(&mut ModuleView<'_>) -> R) -> Option<R> {
        let module = self.modules.get_mut(index)?;
        let mut module_view = module.module_view();
        let marked = see(&mut module_view);
        let (valid_for, warm_start, assigned) =
            (module_view.slopes.valid_for, module_view.wide.warm_start, module_view.assigned);
        (module.valid_for, module.warm_start, module.assigned) = (valid_for, warm_start, assigned);
        Some(marked)
    }

    fn map_reduce<Q: Kernel>(&mut self, index: usize, kernel: &Q) -> Q::Partial {
        self.results += 1;
        let rows = self.modules[index].benefits.len();
        let mut sizes = Vec::new();
        let mut left = rows;
        while left > 0 && self.random(4) > 0 {
            let size = (1 + self.random(left.div_ceil(ROWS_PER_BLOCK))) * ROWS_PER_BLOCK;
            sizes.push(size);
            left = left.saturating_sub(size);
        }
        let mut whole = self.modules[index].module_view();
        let mut parts = Vec::new();
        for size in sizes {
            let (part, rest) = whole.split_at(size);
            parts.push(part);
            whole = rest;
        }
        parts.push(whole);
        let mut answers: Vec<Q::Partial> =
            parts.iter_mut().rev().map(|part| kernel.run(part)).collect();
        drop(parts);
        let mut sum = Q::Partial::default();
        while !answers.is_empty() {
            let next = self.random(answers.len());
            sum = answers.swap_remove(next).plus(sum);
        }
        sum
    }
}

#[derive(Debug, PartialEq)]
struct WideOutcome {
    decision: Decision,
    carryover: Carryover,
    levels: Vec<Vec<u8>>,
    fractions: Vec<Vec<u16>>,
    assigned: Vec<u64>,
}

fn outcome(decision: Decision, carryover: Carryover, modules: &[WideModule]) -> WideOutcome {
    WideOutcome {
        decision,
        carryover,
        levels: modules.iter().map(|module| module.levels.clone()).collect(),
        fractions: modules.iter().map(|module| module.fractions.clone()).collect(),
        assigned: modules.iter().map(|module| module.assigned).collect(),
    }
}

fn actors(modules: &[WideModule]) -> usize {
    modules.iter().map(|module| module.benefits.len()).sum()
}

fn plainly(
    modules: &mut [WideModule],
    request: &Request,
    carryover: &mut Carryover,
    moves: usize,
) -> WideOutcome {
    for module in modules.iter_mut() {
        module.previous =
            module.levels.iter().map(|&level| PreviousLevel::automatic(level)).collect();
    }
    let (mut upgrades, mut moves) =
        (vec![Upgrade::default(); actors(modules)], vec![Move::default(); moves]);
    let scratch = Scratch { upgrades: &mut upgrades, moves: &mut moves };
    let module_views = modules.iter_mut().map(WideModule::module_view);
    let module_views = module_views.map(|view| ModuleView { wide: WideState::default(), ..view });
    let mut module_views: Vec<ModuleView<'_>> = module_views.collect();
    let decision = decide(request, carryover, &mut module_views[..], scratch);
    let kept: Vec<_> = module_views
        .iter()
        .map(|module_view| (module_view.slopes.valid_for, module_view.assigned))
        .collect();
    drop(module_views);
    for (module, kept) in modules.iter_mut().zip(kept) {
        (module.valid_for, module.assigned) = kept;
    }
    outcome(decision, *carryover, modules)
}

fn in_parts(
    modules: &mut [WideModule],
    request: &Request,
    carryover: &mut Carryover,
    moves: usize,
    seed: u64,
) -> WideOutcome {
    for module in modules.iter_mut() {
        module.groups.iter_mut().for_each(RowBlock::begin);
        module.before.fill(99);
    }
    let before: Vec<Vec<u8>> = modules.iter().map(|module| module.levels.clone()).collect();
    let (mut upgrades, mut moves) =
        (vec![Upgrade::default(); actors(modules)], vec![Move::default(); moves]);
    let scratch = Scratch { upgrades: &mut upgrades, moves: &mut moves };
    let mut parted = Parted { modules, seed, results: 0 };
    let decision = decide(request, carryover, &mut parted, scratch);
    // The saved levels are those of the changed blocks, and no other block changed.
    for (module, before) in modules.iter().zip(before) {
        let groups = module.groups.iter().zip(before.chunks(ROWS_PER_BLOCK));
        for ((group, before), (now, kept)) in groups
            .zip(module.levels.chunks(ROWS_PER_BLOCK).zip(module.before.chunks(ROWS_PER_BLOCK)))
        {
            assert_eq!(if group.has_changed() { kept } else { now }, before);
        }
    }
    outcome(decision, *carryover, modules)
}

fn ladder() -> impl Strategy<Value = (u8, Vec<(u32, u16)>)> {
    let cost = || prop_oneof![Just(0_u32), 0_u32..8, 0_u32..3_000, 0_u32..1 << 30];
    let few = prop::collection::vec((cost(), 0_u16..=1 << 15), 1..6);
    let many = prop::collection::vec((0_u32..500, 0_u16..=1 << 15), 1..20);
    let levels = prop_oneof![8 => few, 1 => many];
    (0_u8..4, levels)
}

fn benefits(rows: usize) -> impl Strategy<Value = Vec<u32>> {
    let random = prop::collection::vec((0_u32..1 << 24, 0_u32..24), rows);
    let random =
        random.prop_map(|all| all.into_iter().map(|(bits, zeros)| bits >> zeros).collect());
    let few =
        prop::collection::vec(prop_oneof![Just(0_u32), Just(700), Just(701), 1_u32..20], rows);
    let same = (1_u32..1 << 24).prop_map(move |bits| vec![bits; rows]);
    let near = (1_u32..1 << 23, prop::collection::vec(0_u32..3_000, rows))
        .prop_map(|(from, all)| all.into_iter().map(|more| from + more).collect());
    prop_oneof![4 => random, 1 => few, 1 => same, 2 => near]
}

fn module() -> impl Strategy<Value = WideModule> {
    let rows = prop_oneof![0_usize..4, 0_usize..300, 500_usize..1_500];
    let ladders = prop_oneof![
        3 => prop::collection::vec(ladder(), 1..2),
        3 => prop::collection::vec(ladder(), 2..9),
        1 => prop::collection::vec(ladder(), 60..70),
    ];
    let odd = prop::bool::weighted(0.05);
    (rows, ladders, odd).prop_flat_map(|(rows, ladders, continuous)| {
        let ladder_bytes = prop::collection::vec(0..ladders.len(), rows);
        (Just(ladders), ladder_bytes, benefits(rows), Just(continuous), 0..=rows).prop_map(
            |(ladders, ladder_bytes, benefits, continuous, with_ladder)| {
                module_of(&ladders, &ladder_bytes, &benefits, continuous, with_ladder)
            },
        )
    })
}

fn module_of(
    ladders: &[(u8, Vec<(u32, u16)>)],
    ladder_bytes: &[usize],
    benefits: &[u32],
    continuous: bool,
    with_ladder: usize,
) -> WideModule {
    let mut module = WideModule { continuous, ..WideModule::default() };
    for (lowest, levels) in ladders {
        let start = u32::try_from(module.costs.len()).unwrap();
        let (mut costs, mut qualities): (Vec<u32>, Vec<u16>) = levels.iter().copied().unzip();
        costs.sort_unstable();
        qualities.sort_unstable();
        module.spans.push(LadderSpan::new(start, u16::try_from(costs.len()).unwrap(), *lowest));
        module.costs.extend(costs);
        module.qualities.extend(qualities.into_iter().map(Quality::from_bits));
    }
    let rows = ladder_bytes.len();
    // Rows beyond the end have the first ladder.
    let with_ladder = if with_ladder.is_multiple_of(3) { with_ladder } else { rows };
    let kind = |row: usize| if row < with_ladder { ladder_bytes[row] } else { 0 };
    module.slopes = vec![Slope::default(); module.costs.len()];
    module.ladder = (0..with_ladder).map(|row| u32::try_from(kind(row)).unwrap()).collect();
    module.ladder_bytes = (0..rows).map(|row| u8::try_from(kind(row)).unwrap()).collect();
    module.benefits = benefits.iter().map(|&bits| Benefit::from_bits(bits)).collect();
    module.levels = (0..rows).map(|row| u8::try_from(row % 7).unwrap()).collect();
    module.fractions = if continuous { vec![0; rows] } else { Vec::new() };
    module.groups = vec![RowBlock::default(); rows.div_ceil(ROWS_PER_BLOCK)];
    module.before = vec![0; rows];
    module
}

#[derive(Debug, Clone)]
struct WideFrame {
    budget: u32,
    less: u64,
    factor: u32,
    seed: u32,
    moves: usize,
    hysteresis: Hysteresis,
    policy: Policy,
}

fn policy() -> impl Strategy<Value = Policy> {
    prop_oneof![
        4 => Just(Policy::Optimal),
        1 => Just(Policy::Proportional(Leftovers::WithinModule)),
        2 => Just(Policy::Proportional(Leftovers::AcrossModules)),
        1 => Just(Policy::Proportional(Leftovers::WholeBudget)),
    ]
}

fn hysteresis() -> impl Strategy<Value = Hysteresis> {
    let any = any::<(u8, u8)>().prop_map(|(margin, dead_band)| Hysteresis { margin, dead_band });
    prop_oneof![2 => Just(Hysteresis::OFF), 2 => Just(Hysteresis::TYPICAL), 1 => any]
}

fn frame() -> impl Strategy<Value = WideFrame> {
    let budget = prop_oneof![
        6 => 0_u32..1 << 16,
        3 => 0_u32..1 << 8,
        1 => Just(1 << 16),
        1 => Just(u32::MAX),
    ];
    let factor = prop_oneof![Just(1_u32 << 16), 60_000_u32..70_000, 1_u32..1 << 18];
    let moves = prop_oneof![9 => Just(0_usize), 1 => Just(64)];
    (budget, 0_u64..3, factor, any::<u32>(), moves, hysteresis(), policy()).prop_map(
        |(budget, less, factor, seed, moves, hysteresis, policy)| WideFrame {
            budget,
            less,
            factor,
            seed,
            moves,
            hysteresis,
            policy,
        },
    )
}

impl WideFrame {
    fn change(&self, modules: &mut [WideModule]) {
        for module in modules {
            for (benefit, row) in module.benefits.iter_mut().zip(0_u32..) {
                let scatter = row.wrapping_mul(2_654_435_761).wrapping_add(self.seed) >> 27;
                let moved = (u64::from(benefit.bits()) * u64::from(self.factor)) >> 16;
                let moved = u32::try_from(moved).unwrap_or(u32::MAX);
                *benefit = Benefit::from_bits(moved.saturating_add(scatter & 3));
            }
        }
    }

    fn request(&self, modules: &[WideModule]) -> Request {
        let all: u64 = modules
            .iter()
            .flat_map(|module| {
                let ladders = Ladders { spans: &module.spans, costs: &module.costs };
                let ladder_bytes = module.ladder_bytes.iter();
                ladder_bytes.map(move |&kind| u64::from(ladders.ladder(kind.into()).maximum()))
            })
            .sum();
        let budget = if self.budget == u32::MAX {
            Budget::UNLIMITED
        } else {
            let part = (u128::from(all) * u128::from(self.budget)) >> 16;
            Budget::from_ns(u64::try_from(part).unwrap().saturating_sub(self.less))
        };
        let Self { hysteresis, policy, .. } = *self;
        Request { budget, policy, hysteresis, ..Request::default() }
    }
}

fn compare(mut modules: Vec<WideModule>, frames: &[WideFrame], seed: u64) {
    let mut next = 0_u32;
    for module in &mut modules {
        // Ids in another order than rows.
        let rows = u32::try_from(module.benefits.len()).unwrap();
        module.ids = (next..next + rows).map(|id| id ^ 1).collect();
        module.value = BenefitValue::from_ns(1 << (seed % 24));
        next += rows.next_multiple_of(2);
    }
    let mut wide = modules.clone();
    let (mut carryover, mut wide_standing) = (Carryover::default(), Carryover::default());
    for frame in frames {
        frame.change(&mut modules);
        frame.change(&mut wide);
        let request = frame.request(&modules);
        let expected = plainly(&mut modules, &request, &mut carryover, frame.moves);
        let got = in_parts(&mut wide, &request, &mut wide_standing, frame.moves, seed);
        assert_eq!(got, expected);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 3_000, ..ProptestConfig::default() })]
    #[test]
    fn plans_of_parts_equal_the_plan_of_the_whole(
        modules in prop::collection::vec(module(), 0..4),
        frames in prop::collection::vec(frame(), 1..5),
        seed: u64,
    ) {
        compare(modules, &frames, seed);
    }
}

proptest! {
    #[test]
    fn a_limited_search_goes_on_in_the_next_frame(
        modules in prop::collection::vec(module(), 1..4), frame in frame(), passes in 1_u32..4,
    ) {
        let mut modules = modules;
        frame.change(&mut modules);
        let (policy, hysteresis) = (Policy::Optimal, Hysteresis::OFF);
        let request = Request { policy, hysteresis, ..frame.request(&modules) };
        let decide = |modules: &mut [WideModule], request: &Request, carryover: &mut Carryover| {
            plainly(modules, request, carryover, 0).decision
        };
        let mut limited = modules.clone();
        let expected = decide(&mut modules, &request, &mut Carryover::default());
        let request = Request { max_passes: Some(passes), ..request };
        let mut carryover = Carryover::default();
        let frames = (1..=40).find(|_| {
            let decision = decide(&mut limited, &request, &mut carryover);
            assert!(decision.assigned <= decision.available || decision.overcommit > 0);
            let certificate = decision.certificate.unwrap();
            assert!(certificate.upper_bound() >= expected.certificate.unwrap().value());
            (decision.price, decision.assigned) == (expected.price, expected.assigned)
        });
        prop_assert!(frames.is_some(), "{expected:?}, but {carryover:?}");
        // With more passes than any search takes, the first frame ends at the price.
        let request = Request { max_passes: Some(40), ..request };
        let first = decide(&mut modules, &request, &mut Carryover::default());
        prop_assert_eq!((first.price, first.assigned), (expected.price, expected.assigned));
    }
}

proptest! {
    #[test]
    fn any_state_of_the_previous_frame_is_accepted(
        modules in prop::collection::vec(module(), 1..3),
        frame in frame(),
        prices in prop::array::uniform3(0_u32..1 << 24),
        shift in 0..25,
    ) {
        let mut modules = modules;
        frame.change(&mut modules);
        let [price, low, high] = prices.map(|bits| Some(Price::from_bits(bits >> shift)));
        let range = low.zip(high).map(|(low, high)| [low, high]);
        for (passes, range) in [(None, None), (None, range), (Some(1), range), (Some(9), range)] {
            let request = Request { max_passes: passes, ..frame.request(&modules) };
            let mut carryover = Carryover { price, range, ..Carryover::default() };
            let decision = plainly(&mut modules, &request, &mut carryover, 0).decision;
            prop_assert!(decision.assigned <= decision.available || decision.overcommit > 0);
        }
    }
}
