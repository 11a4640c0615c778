//! The sequential ledger of core: rows in any order, passes over modules, missing and invalid columns.

use lodger_core::Benefit;
use lodger_core::budget::{
    self, Carryover, Decision, IndexColumn, LadderSpan, Ladders, Lod, ModuleInput, ModuleView,
    Modules, Policy, Request, Scratch, Upgrade, decide,
};
use lodger_core::calibration::Headroom;
use lodger_core::units::{BenefitValue, Budget};
use lodger_tests::oracle::ledger::{Scene, plan};
use lodger_tests::strategy::{orders, scenes, staircase};
use proptest::prelude::*;

use crate::wide::module_views::{Memory, Outcome, decide_sequential};
use crate::wide::modules::Module;
use crate::wide::{core_leftovers, lod_bits};

/// The enabled modules of a scene, with automatic actors in this order.
pub(crate) fn modules(scene: &Scene, order: &[usize]) -> Vec<Module> {
    let mut modules: Vec<Module> = scene
        .modules
        .iter()
        .map(|module| Module {
            value: BenefitValue::from_ns(module.benefit_value_ns),
            continuous: module.continuous,
            ..Module::default()
        })
        .collect();
    for actor in order.iter().map(|&index| &scene.actors[index]) {
        if scene.is_automatic(actor) {
            let (lowest, highest) = actor.range;
            let costs = &actor.costs[lowest.into()..=highest.into()];
            let benefit = Benefit::from_bits(actor.benefit);
            modules[actor.module].add_actor(actor.id, benefit, (lowest, costs, &[]));
        }
    }
    let enabled = modules.into_iter().zip(&scene.modules).filter(|(_, module)| module.enabled);
    enabled.map(|(module, _)| module).collect()
}

fn request(scene: &Scene, reserved_ns: u64) -> Request {
    Request {
        budget: scene.budget_ns.map_or(Budget::UNLIMITED, Budget::from_ns),
        reserved: reserved_ns,
        policy: Policy::Proportional(core_leftovers(scene.leftovers)),
        ..Request::default()
    }
}

pub(crate) fn decide_modules(
    scene: &Scene,
    reserved_ns: u64,
    modules: &[Module],
) -> (Decision, Vec<Outcome>) {
    let mut outcomes: Vec<Outcome> = modules.iter().map(Outcome::new).collect();
    let (request, mut carryover) = (request(scene, reserved_ns), Carryover::default());
    let mut memory = Memory::new(scene.actors.len(), 0);
    let decision = decide_sequential(&request, &mut carryover, modules, &mut outcomes, &mut memory);
    (decision, outcomes)
}

struct VisitCounter<'a> {
    modules: &'a [Module],
    outcomes: Vec<Outcome>,
    visits: u32,
}

impl Modules for VisitCounter<'_> {
    fn count(&self) -> usize {
        self.modules.len()
    }

    fn visit<R>(&mut self, index: usize, call: impl FnOnce(&mut ModuleView<'_>) -> R) -> Option<R> {
        self.visits += 1;
        let (module, outcome) = (self.modules.get(index)?, self.outcomes.get_mut(index)?);
        Some(call(&mut outcome.view(module)))
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn rows_in_any_order_get_the_same_levels(
        (scene, order) in scenes().prop_flat_map(|scene| {
            let order = orders(scene.actors.len());
            (Just(scene), order)
        }),
    ) {
        let expected = plan(&scene);
        let modules = modules(&scene, &order);
        let (decision, outcomes) = decide_modules(&scene, expected.reserved_ns, &modules);
        prop_assert_eq!(decision.scale.bits(), expected.scale);
        prop_assert_eq!(decision.overcommit, expected.overcommit_ns);
        let mut cost = 0;
        for (module, outcome) in modules.iter().zip(&outcomes) {
            for (row, &id) in module.ids.iter().enumerate() {
                let expected = expected.outcomes[id as usize];
                prop_assert_eq!(lod_bits(outcome.lod(row)), expected.lod);
                cost += u64::from(expected.cost_ns);
            }
        }
        prop_assert_eq!(decision.assigned, cost);
    }

    #[test]
    fn headroom_never_reduces_the_needed_part(ns in 0..u64::MAX, needed: u64, bits: u32, zeros in 0..64) {
        let (ns, needed) = (ns >> zeros, needed >> zeros);
        let headroom = Headroom::from_bits(bits);
        let part = (u128::from(ns) * u128::from(headroom.bits())) >> 24;
        let rest: u64 = ns - u64::try_from(part).expect("a part of it");
        let available = |budget| Request { budget, headroom, ..Request::default() }.available(needed);
        let planned = [rest.max(needed.min(ns)), needed.saturating_sub(ns)];
        prop_assert_eq!(available(Budget::from_ns(ns)), planned);
        prop_assert_eq!(available(Budget::UNLIMITED), [u64::MAX, 0]);
    }
}

#[test]
fn a_staircase_takes_a_pass_per_step() {
    for steps in [1, 2, 12, 24] {
        let scene = staircase(steps);
        let modules = modules(&scene, &scene.indices().collect::<Vec<_>>());
        let outcomes = modules.iter().map(Outcome::new).collect();
        let mut counter = VisitCounter { modules: &modules, outcomes, visits: 0 };
        let request = request(&scene, 0);
        decide(&request, &mut Carryover::default(), &mut counter, Scratch::default());
        // One visit each sums the minimums, assigns levels and counts switches; a pass takes two.
        assert_eq!(counter.visits - 3, 2 * (steps + 2), "{steps} steps");
    }
}

#[test]
fn without_a_column_all_have_the_first_ladder() {
    let benefits: Vec<Benefit> = (0..50).map(|row| Benefit::from_bits(row * 2_000)).collect();
    let ids: Vec<u32> = (0..50).collect();
    for (rows, continuous) in [(3, false), (50, false), (50, true)] {
        let with = ModuleInput {
            benefit_value: BenefitValue::from_ns(1_000),
            continuous,
            ladders: Ladders {
                spans: &[LadderSpan::new(0, 4, 1), LadderSpan::new(1, 2, 0)],
                costs: &[10, 10, 300, 900],
            },
            ladder: IndexColumn::Words(&[0; 50][..rows]),
            benefits: &benefits[..rows],
        };
        let without = ModuleInput { ladder: IndexColumn::default(), ..with };
        let decided = |input: ModuleInput<'_>| {
            let (mut levels, mut fractions) = ([0; 50], [0; 50]);
            let view = ModuleView {
                input,
                ids: IndexColumn::Words(&ids),
                levels: &mut levels,
                fractions: &mut fractions,
                ..ModuleView::default()
            };
            let policy = Policy::Proportional(budget::Leftovers::WholeBudget);
            let request = Request { budget: Budget::from_ns(15_000), policy, ..Request::default() };
            let scratch = Scratch { upgrades: &mut [Upgrade::default(); 50], moves: &mut [] };
            let decision = decide(&request, &mut Carryover::default(), &mut [view][..], scratch);
            (decision, levels, fractions)
        };
        assert_eq!(decided(without), decided(with));
        assert_eq!(without.ladder_of(7), with.ladders.ladder(0));
    }
}

#[test]
fn inconsistent_columns_do_no_harm() {
    let input = ModuleInput {
        benefit_value: BenefitValue::from_ns(u32::MAX),
        continuous: false,
        ladders: Ladders { spans: &[LadderSpan::new(1, 9, 250)], costs: &[5, 1] },
        ladder: IndexColumn::Words(&[0, 1, u32::MAX]),
        benefits: &[Benefit::MAX; 2],
    };
    let mut levels = [9; 1];
    let mut views = [ModuleView { input, levels: &mut levels, ..ModuleView::default() }];
    let policy = Policy::Proportional(budget::Leftovers::WholeBudget);
    let request =
        Request { budget: Budget::from_ns(10), reserved: 3, policy, ..Request::default() };
    let scratch = Scratch { upgrades: &mut [Upgrade::default(); 1], moves: &mut [] };
    let decision = decide(&request, &mut Carryover::default(), &mut views[..], scratch);
    assert_eq!(decision.assigned, 0);
    assert_eq!(input.ladders.ladder(7).cost(Lod::new(3, 1)), 0);
}
