//! The core's ledger by itself: rows in any order and any number of parts, levels by share and by threshold.

use lodger_core::Benefit;
use lodger_core::budget::{
    self, Account, Bid, Book, Decision, LadderSpan, Ladders, Lod, Policy, Rate, Request, Room,
    Scale, Standing, Walk, decide,
};
use lodger_core::units::{BenefitValue, Budget};
use lodger_tests::oracle::ledger::{Leftovers, Scene, plan};
use lodger_tests::strategy::{orders, scenes, staircase};
use proptest::prelude::*;

/// One module's columns, in rows of any order; `ids` says which actor of the scene a row is.
struct Module {
    value: BenefitValue,
    continuous: bool,
    spans: Vec<LadderSpan>,
    costs: Vec<u32>,
    ladder: Vec<u32>,
    benefits: Vec<Benefit>,
    ids: Vec<u32>,
    levels: Vec<u8>,
    fractions: Vec<u16>,
}

impl Module {
    fn new(value_ns: u32, continuous: bool) -> Self {
        Self {
            value: BenefitValue::from_ns(value_ns),
            continuous,
            spans: Vec::new(),
            costs: Vec::new(),
            ladder: Vec::new(),
            benefits: Vec::new(),
            ids: Vec::new(),
            levels: Vec::new(),
            fractions: Vec::new(),
        }
    }

    /// Adds a ladder from a level on.
    fn ladder(&mut self, lowest: u8, costs: &[u32]) {
        let start = self.costs.len().try_into().unwrap();
        self.spans.push(LadderSpan::new(start, costs.len().try_into().unwrap(), lowest));
        self.costs.extend_from_slice(costs);
    }

    /// Adds an actor on one of the ladders.
    fn actor(&mut self, id: usize, ladder: usize, benefit: u32) {
        self.ladder.push(ladder.try_into().unwrap());
        self.benefits.push(Benefit::from_bits(benefit));
        self.ids.push(id.try_into().unwrap());
        self.levels.push(0);
        self.fractions.push(0);
    }

    /// The actors of a module that are on offer.
    fn of(scene: &Scene, number: usize, order: &[usize]) -> Self {
        let described = &scene.modules[number];
        let mut module = Self::new(described.benefit_value_ns, described.continuous);
        for &id in order {
            let actor = &scene.actors[id];
            if actor.module == number && scene.is_on_offer(actor) {
                let (lowest, highest) = actor.range;
                module.ladder(lowest, &actor.costs[lowest.into()..=highest.into()]);
                module.actor(id, module.spans.len() - 1, actor.benefit);
            }
        }
        module
    }

    fn account(&self) -> Account<'_> {
        Account {
            benefit_value: self.value,
            continuous: self.continuous,
            ladders: Ladders { spans: &self.spans, costs: &self.costs },
            ladder: &self.ladder,
            benefits: &self.benefits,
        }
    }

    /// The rows up to one, and those from there on.
    fn halves(&mut self, middle: usize) -> [Book<'_>; 2] {
        let account = |ladder, benefits| Account {
            benefit_value: self.value,
            continuous: self.continuous,
            ladders: Ladders { spans: &self.spans, costs: &self.costs },
            ladder,
            benefits,
        };
        let (first_ids, last_ids) = self.ids.split_at(middle);
        let (first_levels, last_levels) = self.levels.split_at_mut(middle);
        let (first_fractions, last_fractions) = self.fractions.split_at_mut(middle);
        let first = account(&self.ladder[..middle], &self.benefits[..middle]);
        let last = account(&self.ladder[middle..], &self.benefits[middle..]);
        [
            Book {
                account: first,
                ids: first_ids,
                levels: first_levels,
                fractions: first_fractions,
                ..Book::default()
            },
            Book {
                account: last,
                ids: last_ids,
                levels: last_levels,
                fractions: last_fractions,
                ..Book::default()
            },
        ]
    }

    fn book(&mut self) -> Book<'_> {
        let rows = self.ladder.len();
        let [book, _] = self.halves(rows);
        book
    }

    fn lods(&self) -> impl Iterator<Item = (usize, Lod)> {
        let lods = self.levels.iter().zip(&self.fractions);
        let lods = lods.map(|(&level, &fraction)| Lod::new(level, fraction));
        self.ids.iter().map(|&id| id as usize).zip(lods)
    }
}

fn modules(scene: &Scene, order: &[usize]) -> Vec<Module> {
    let enabled = (0..scene.modules.len()).filter(|&module| scene.modules[module].enabled);
    enabled.map(|module| Module::of(scene, module, order)).collect()
}

fn request(scene: &Scene) -> Request {
    Request {
        budget: scene.budget_ns.map_or(Budget::UNLIMITED, Budget::from_ns),
        fixed: plan(scene).fixed_ns,
        policy: Policy::Proportional(match scene.leftovers {
            Leftovers::Keep => budget::Leftovers::Keep,
            Leftovers::WithinModule => budget::Leftovers::WithinModule,
            Leftovers::AcrossModules => budget::Leftovers::AcrossModules,
            Leftovers::WholeBudget => budget::Leftovers::WholeBudget,
        }),
        ..Request::default()
    }
}

fn decide_over_slices(request: &Request, modules: &mut [Module]) -> Decision {
    let room = modules.iter().map(|module| module.ids.len()).sum();
    let mut books: Vec<Book<'_>> = modules.iter_mut().map(Module::book).collect();
    let room = Room { bids: &mut vec![Bid::default(); room], trials: &mut [] };
    decide(request, &mut Standing::default(), &mut books[..], room)
}

/// Counts how often somebody looks at the accounts.
struct Counted<'a> {
    modules: &'a mut [Module],
    visits: u32,
}

impl Walk for Counted<'_> {
    fn accounts(&self) -> usize {
        self.modules.len()
    }

    fn visit<R>(&mut self, account: usize, see: impl FnOnce(&mut Book<'_>) -> R) -> Option<R> {
        self.visits += 1;
        self.modules.get_mut(account).map(|module| see(&mut module.book()))
    }
}

fn scenes_and_orders() -> impl Strategy<Value = (Scene, Vec<usize>)> {
    scenes().prop_flat_map(|scene| {
        let order = orders(scene.actors.len());
        (Just(scene), order)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn rows_in_any_order_get_the_same_levels((scene, order) in scenes_and_orders()) {
        let expected = plan(&scene);
        let request = request(&scene);
        let mut whole = modules(&scene, &order);
        let decision = decide_over_slices(&request, &mut whole);
        prop_assert_eq!(decision.scale.bits(), expected.scale);
        prop_assert_eq!(decision.overcommit, expected.overcommit_ns);
        let mut cost = 0;
        for (id, lod) in whole.iter().flat_map(Module::lods) {
            prop_assert_eq!(u32::from(lod.level()) << 16 | u32::from(lod.fraction()), expected.outcomes[id].lod);
            cost += u64::from(expected.outcomes[id].cost_ns);
        }
        prop_assert_eq!(decision.assigned, cost);
    }

    #[test]
    fn share_and_threshold_say_the_same(
        value: u32, available: u64, wanted: u64, cost: u32, benefit in 0_u32..1 << 24,
    ) {
        let rate = Rate::new(BenefitValue::from_ns(value), Scale::fitting(available, wanted));
        let pays = |bits: u32| rate.share(Benefit::from_bits(bits)) >= u64::from(cost);
        let threshold = rate.threshold(cost);
        prop_assert_eq!(pays(benefit), threshold.is_some_and(|least| benefit >= least.bits()));
        if let Some(least) = threshold.map(Benefit::bits) {
            prop_assert!(pays(least) && (least == 0 || !pays(least - 1)));
        }
    }

    /// Many actors on few ladders go by threshold; each of them alone goes by share.
    #[test]
    fn a_crowd_gets_the_levels_that_its_members_get_alone(
        costs in prop::collection::vec(prop::collection::vec(0_u32..4_000, 1..6), 1..5),
        parts in prop::collection::vec((any::<prop::sample::Index>(), 0_usize..5, 1_usize..5), 0..4),
        crowd in prop::collection::vec((any::<prop::sample::Index>(), 0_u32..200_000), 100..200),
        value in 0_u32..10_000,
        wanted in 1_u64..1 << 40,
    ) {
        let mut module = Module::new(value, false);
        for mut costs in costs {
            costs.sort_unstable();
            module.ladder(1, &costs);
        }
        // Shorter ranges of some of the ladders, over the same costs.
        for (whole, skip, len) in parts {
            let whole = whole.index(module.spans.len());
            let levels = module.account().ladders.ladder(whole.try_into().unwrap());
            let skip = skip.min(levels.costs().len() - 1);
            let len = len.min(levels.costs().len() - skip);
            let part = &levels.costs()[skip..][..len];
            let start = module.costs.windows(len).position(|window| window == part).unwrap();
            module.spans.push(LadderSpan::new(start.try_into().unwrap(), len.try_into().unwrap(), 1));
        }
        for (id, (ladder, benefit)) in crowd.into_iter().enumerate() {
            module.actor(id, ladder.index(module.spans.len()), benefit);
        }
        let scale = Scale::fitting(wanted / 2, wanted);
        let cost = module.book().assign(scale);
        let account = module.account();
        let alone = (0..module.levels.len()).map(|row| {
            let one = row..=row;
            let ladder = &account.ladder[one.clone()];
            let account = Account { ladder, benefits: &account.benefits[one], ..account };
            let mut level = [0];
            let mut book = Book { account, levels: &mut level, ..Book::default() };
            (book.assign(scale), level[0])
        });
        let (costs, members): (Vec<u64>, Vec<u8>) = alone.unzip();
        prop_assert_eq!(&module.levels, &members);
        prop_assert_eq!(cost, costs.into_iter().sum::<u64>());
    }

    #[test]
    fn scales_are_quotients_rounded_down(available: u64, wanted: u64) {
        let exact = if available >= wanted {
            1 << 32
        } else {
            (u128::from(available) << 32) / u128::from(wanted)
        };
        prop_assert_eq!(u128::from(Scale::fitting(available, wanted).bits()), exact);
    }
}

/// As many passes as the naive ledger counts: one for each rung, the first and the confirming one.
#[test]
fn a_staircase_takes_a_pass_per_rung() {
    for rungs in [1, 2, 12, 24] {
        let scene = staircase(rungs);
        let order: Vec<usize> = scene.indices().collect();
        let mut modules = modules(&scene, &order);
        let mut counted = Counted { modules: &mut modules, visits: 0 };
        decide(&request(&scene), &mut Standing::default(), &mut counted, Room::default());
        // One visit each adds up the minimums, assigns and counts flips.
        assert_eq!(counted.visits - 3, rungs + 2, "{rungs} rungs");
    }
}

/// Where all have the first ladder, no column has to say so; each way to choose levels knows it.
#[test]
fn without_a_column_all_have_the_first_ladder() {
    let benefits: Vec<Benefit> = (0..50).map(|row| Benefit::from_bits(row * 2_000)).collect();
    let ids: Vec<u32> = (0..50).collect();
    for (rows, continuous) in [(3, false), (50, false), (50, true)] {
        let with = Account {
            benefit_value: BenefitValue::from_ns(1_000),
            continuous,
            ladders: Ladders {
                spans: &[LadderSpan::new(0, 4, 1), LadderSpan::new(1, 2, 0)],
                costs: &[10, 10, 300, 900],
            },
            ladder: &[0; 50][..rows],
            benefits: &benefits[..rows],
        };
        let without = Account { ladder: &[], ..with };
        let decided = |account: Account<'_>| {
            let (mut levels, mut fractions) = ([0; 50], [0; 50]);
            let columns = (&mut levels, &mut fractions);
            let book = Book {
                account,
                ids: &ids,
                levels: columns.0,
                fractions: columns.1,
                ..Book::default()
            };
            let leftovers = budget::Leftovers::WholeBudget;
            let request = Request {
                budget: Budget::from_ns(15_000),
                fixed: 0,
                policy: Policy::Proportional(leftovers),
                ..Request::default()
            };
            let decision = {
                let room = Room { bids: &mut [Bid::default(); 50], trials: &mut [] };
                decide(&request, &mut Standing::default(), &mut [book][..], room)
            };
            (decision, levels, fractions)
        };
        assert_eq!(decided(without), decided(with));
        assert_eq!(without.ladder_of(7), with.ladders.ladder(0));
    }
}

/// Whatever the slices say, the ledger answers: an index, a span or a length that is out of bounds costs nothing.
#[test]
fn columns_that_do_not_fit_together_do_no_harm() {
    let account = Account {
        benefit_value: BenefitValue::from_ns(u32::MAX),
        continuous: false,
        ladders: Ladders { spans: &[LadderSpan::new(1, 9, 250)], costs: &[5, 1] },
        ladder: &[0, 1, u32::MAX],
        benefits: &[Benefit::MAX; 2],
    };
    let mut levels = [9; 1];
    let mut books = [Book { account, levels: &mut levels, ..Book::default() }];
    let leftovers = budget::Leftovers::WholeBudget;
    let request = Request {
        budget: Budget::from_ns(10),
        fixed: 3,
        policy: Policy::Proportional(leftovers),
        ..Request::default()
    };
    let room = Room { bids: &mut [Bid::default(); 1], trials: &mut [] };
    let decision = decide(&request, &mut Standing::default(), &mut books[..], room);
    assert_eq!(decision.assigned, 0);
    let [book] = &mut books;
    assert_eq!((book.raise(0, 50), book.raise(1, 50)), (0, 0));
    assert_eq!(account.ladders.ladder(7).cost(Lod::new(3, 1)), 0);
}
