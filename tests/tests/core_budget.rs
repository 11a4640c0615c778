//! The core's ledger by itself: rows in any order and any number of parts, levels by share and by threshold.

use lodger_core::Benefit;
use lodger_core::budget::{
    Account, Claims, LadderSpan, Ladders, Lod, Rate, Scale, ScaleSearch, settle,
};
use lodger_core::units::{BenefitValue, Budget};
use lodger_tests::oracle::ledger::{Leftovers, Scene, plan};
use lodger_tests::strategy::{orders, scenes, staircase};
use proptest::prelude::*;

/// One module's columns, in rows of any order; `places` says which actor of the scene a row is.
struct Book {
    value: BenefitValue,
    continuous: bool,
    spans: Vec<LadderSpan>,
    costs: Vec<u32>,
    ladder: Vec<u32>,
    benefits: Vec<Benefit>,
    places: Vec<usize>,
}

impl Book {
    fn of(scene: &Scene, module: usize, order: &[usize]) -> Self {
        let mut book = Self {
            value: BenefitValue::from_ns(scene.modules[module].benefit_value_ns),
            continuous: scene.modules[module].continuous,
            spans: Vec::new(),
            costs: Vec::new(),
            ladder: Vec::new(),
            benefits: Vec::new(),
            places: Vec::new(),
        };
        for &place in order {
            let actor = &scene.actors[place];
            if actor.module != module || !scene.is_on_offer(actor) {
                continue;
            }
            let (lowest, highest) = (usize::from(actor.range.0), usize::from(actor.range.1));
            book.ladder.push(book.spans.len().try_into().unwrap());
            let start = book.costs.len().try_into().unwrap();
            let len = (highest - lowest + 1).try_into().unwrap();
            book.spans.push(LadderSpan::new(start, len, actor.range.0));
            book.costs.extend_from_slice(&actor.costs[lowest..=highest]);
            book.benefits.push(Benefit::from_bits(actor.benefit));
            book.places.push(place);
        }
        book
    }

    /// The rows from `start` to `end`.
    fn part(&self, start: usize, end: usize) -> Account<'_> {
        Account {
            benefit_value: self.value,
            continuous: self.continuous,
            ladders: Ladders { spans: &self.spans, costs: &self.costs },
            ladder: &self.ladder[start..end],
            benefits: &self.benefits[start..end],
        }
    }

    fn account(&self) -> Account<'_> {
        self.part(0, self.ladder.len())
    }

    /// Two parts, split somewhere.
    fn halves(&self, split: prop::sample::Index) -> [Account<'_>; 2] {
        let middle = split.index(self.ladder.len() + 1);
        [self.part(0, middle), self.part(middle, self.ladder.len())]
    }
}

fn books(scene: &Scene, order: &[usize]) -> Vec<Book> {
    let enabled = (0..scene.modules.len()).filter(|&module| scene.modules[module].enabled);
    enabled.map(|module| Book::of(scene, module, order)).collect()
}

fn scenes_and_orders() -> impl Strategy<Value = (Scene, Vec<usize>)> {
    scenes().prop_flat_map(|scene| {
        let order = orders(scene.actors.len());
        (Just(scene), order)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn rows_in_any_order_get_the_same_levels((mut scene, order) in scenes_and_orders()) {
        scene.leftovers = Leftovers::Keep;
        let expected = plan(&scene);
        let books = books(&scene, &order);
        let budget = scene.budget_ns.map_or(Budget::UNLIMITED, Budget::from_ns);
        let settlement = settle(budget, expected.fixed_ns, books.iter().map(Book::account));
        prop_assert_eq!(settlement.scale.bits(), expected.scale);
        prop_assert_eq!(settlement.overcommit, expected.overcommit_ns);
        for book in &books {
            let mut levels = vec![0; book.places.len()];
            let mut fractions = vec![0; book.places.len()];
            book.account().assign(settlement.scale, &mut levels, &mut fractions);
            for ((&place, &level), &fraction) in book.places.iter().zip(&levels).zip(&fractions) {
                let lod = u32::from(level) << 16 | u32::from(fraction);
                prop_assert_eq!(lod, expected.outcomes[place].lod);
            }
        }
    }

    /// What a host does on many threads: walk parts of the columns, and merge what was found.
    #[test]
    fn a_search_over_parts_ends_at_the_same_scale(
        (scene, order) in scenes_and_orders(),
        split: prop::sample::Index,
    ) {
        let books = books(&scene, &order);
        let whole = settle(
            scene.budget_ns.map_or(Budget::UNLIMITED, Budget::from_ns),
            plan(&scene).fixed_ns,
            books.iter().map(Book::account),
        );
        prop_assume!(whole.overcommit == 0);
        let minimum = books.iter().flat_map(|book| book.halves(split)).map(|part| part.minimum());
        let mut search = ScaleSearch::new(whole.available, minimum.sum());
        loop {
            let (mut all, mut targets) = (Claims::default(), 0);
            for book in &books {
                let [a, b] = book.halves(split).map(|part| part.claims(search.scale()));
                targets += book.value.target(a.plus(b).benefit);
                all = all.plus(a).plus(b);
            }
            if search.pass(all, targets) {
                break;
            }
        }
        prop_assert_eq!(search.scale(), whole.scale);
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
        let mut book = Book {
            value: BenefitValue::from_ns(value),
            continuous: false,
            spans: Vec::new(),
            costs: Vec::new(),
            ladder: Vec::new(),
            benefits: Vec::new(),
            places: Vec::new(),
        };
        for mut costs in costs {
            costs.sort_unstable();
            let start = book.costs.len().try_into().unwrap();
            book.spans.push(LadderSpan::new(start, costs.len().try_into().unwrap(), 1));
            book.costs.extend(costs);
        }
        // Shorter ranges of some of the ladders, over the same costs.
        for (whole, skip, len) in parts {
            let whole = whole.index(book.spans.len());
            let levels = Ladders { spans: &book.spans, costs: &book.costs }.ladder(whole.try_into().unwrap());
            let skip = skip.min(levels.costs().len() - 1);
            let len = len.min(levels.costs().len() - skip);
            let part = &levels.costs()[skip..][..len];
            let start = book.costs.windows(len).position(|window| window == part).unwrap();
            book.spans.push(LadderSpan::new(start.try_into().unwrap(), len.try_into().unwrap(), 1));
        }
        for (ladder, benefit) in crowd {
            book.ladder.push(ladder.index(book.spans.len()).try_into().unwrap());
            book.benefits.push(Benefit::from_bits(benefit));
        }
        let scale = Scale::fitting(wanted / 2, wanted);
        let assign = |account: Account<'_>| {
            let mut levels = vec![0; account.ladder.len()];
            let cost = account.assign(scale, &mut levels, &mut []);
            (levels, cost)
        };
        let (levels, cost) = assign(book.account());
        let alone = (0..levels.len()).map(|row| assign(book.part(row, row + 1)));
        let (members, costs): (Vec<_>, Vec<u64>) = alone.unzip();
        prop_assert_eq!(levels, members.concat());
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
        let book = Book::of(&scene, 0, &order);
        let mut search = ScaleSearch::new(scene.budget_ns.unwrap(), book.account().minimum());
        let mut passes = 1;
        loop {
            let claims = book.account().claims(search.scale());
            if search.pass(claims, book.value.target(claims.benefit)) {
                break;
            }
            passes += 1;
        }
        assert_eq!(passes, rungs + 2, "{rungs} rungs");
    }
}

/// Where all have the first ladder, no column has to say so; each way to choose levels knows it.
#[test]
fn without_a_column_all_have_the_first_ladder() {
    let benefits: Vec<Benefit> = (0..50).map(|row| Benefit::from_bits(row * 2_000)).collect();
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
        let settlement = settle(Budget::from_ns(15_000), 0, [with].into_iter());
        assert_eq!(settle(Budget::from_ns(15_000), 0, [without].into_iter()), settlement);
        let decide = |account: Account<'_>| {
            let (mut levels, mut fractions) = ([0; 50], [0; 50]);
            let cost = account.assign(settlement.scale, &mut levels, &mut fractions);
            (cost, levels, fractions, account.shares(settlement.scale))
        };
        assert_eq!(decide(without), decide(with));
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
    let settlement = settle(Budget::from_ns(10), 3, [account].into_iter());
    let mut levels = [9; 1];
    assert_eq!(account.assign(settlement.scale, &mut levels, &mut []), 0);
    assert_eq!(account.bids(0, &[], &levels, &[]).count(), 0);
    assert_eq!(account.ladders.ladder(7).cost(Lod::new(3, 1)), 0);
}
