//! Whole ledgers of three actors, through the one door.

use lodger_core::Benefit;
use lodger_core::budget::{
    self, Account, Bid, Book, Decision, LadderSpan, Ladders, Policy, Request, Room, Standing,
    decide,
};
use lodger_core::units::{BenefitValue, Budget};
use lodger_tests::guarantees;
use lodger_tests::oracle::ledger::{Actor, Leftovers, Module, Scene, plan};

const POLICIES: [(Leftovers, budget::Leftovers); 4] = [
    (Leftovers::Keep, budget::Leftovers::Keep),
    (Leftovers::WithinModule, budget::Leftovers::WithinModule),
    (Leftovers::AcrossModules, budget::Leftovers::AcrossModules),
    (Leftovers::WholeBudget, budget::Leftovers::WholeBudget),
];

/// An actor: its ladder among those of its module, and its benefit in 2⁻¹⁶.
type Row = (usize, u32);

/// Actors of one module, or of two of which the first has one actor.
struct Columns<'a> {
    value: u32,
    continuous: bool,
    ladders: &'a [&'a [u32]],
    rows: [Row; 3],
    split: bool,
}

impl Columns<'_> {
    /// What is decided, and each actor's LOD in 2⁻¹⁶. `shares` is told of the accounts.
    fn decide(
        &self,
        request: &Request,
        mut shares: impl FnMut(&[Book<'_>], &Decision),
    ) -> (Decision, [u32; 3]) {
        let costs: Vec<u32> = self.ladders.concat();
        let mut start = 0;
        let spans: Vec<LadderSpan> = self
            .ladders
            .iter()
            .map(|ladder| {
                let len = u16::try_from(ladder.len()).expect("a few");
                start += u32::from(len);
                LadderSpan::new(start - u32::from(len), len, 0)
            })
            .collect();
        let ladder = self.rows.map(|(ladder, _)| u32::try_from(ladder).expect("a few"));
        let benefits = self.rows.map(|(_, benefit)| Benefit::from_bits(benefit));
        let (mut levels, mut fractions) = ([0; 3], [0; 3]);
        let middle = usize::from(self.split);
        let account = |part: std::ops::Range<usize>| Account {
            benefit_value: BenefitValue::from_ns(self.value),
            continuous: self.continuous,
            ladders: Ladders { spans: &spans, costs: &costs },
            ladder: &ladder[part.clone()],
            benefits: &benefits[part],
        };
        let (first_levels, levels_left) = levels.split_at_mut(middle);
        let (first_fractions, fractions_left) = fractions.split_at_mut(middle);
        let mut books = [
            Book {
                account: account(0..middle),
                ids: &[0][..middle],
                levels: first_levels,
                fractions: first_fractions,
                ..Book::default()
            },
            Book {
                account: account(middle..3),
                ids: &[0, 1, 2][middle..],
                levels: levels_left,
                fractions: fractions_left,
                ..Book::default()
            },
        ];
        let room = Room { bids: &mut [Bid::default(); 3], trials: &mut [] };
        let decision = decide(request, &mut Standing::default(), &mut books[..], room);
        shares(&books, &decision);
        let lod = |row: usize| u32::from(levels[row]) << 16 | u32::from(fractions[row]);
        (decision, [0, 1, 2].map(lod))
    }

    /// The same as the oracle has it.
    fn scene(&self, budget: u64, leftovers: Leftovers) -> Scene {
        let module =
            Module { enabled: true, continuous: self.continuous, benefit_value_ns: self.value };
        let actor = |(id, (ladder, benefit)): (usize, Row)| Actor {
            id: u32::try_from(id).expect("one of three"),
            module: usize::from(id >= usize::from(self.split)),
            benefit,
            costs: self.ladders[ladder].to_vec(),
            range: (0, u8::try_from(self.ladders[ladder].len() - 1).expect("a few")),
            forced: None,
        };
        Scene {
            budget_ns: Some(budget),
            count_unmanaged: true,
            leftovers,
            modules: vec![module; 2],
            actors: self.rows.into_iter().enumerate().map(actor).collect(),
        }
    }
}

/// All sets of three actors, in one order each: another order gives the same levels, as other tests hold.
fn triples(ladders: usize, benefits: &[u32]) -> Vec<[Row; 3]> {
    let kinds: Vec<Row> = (0..ladders)
        .flat_map(|ladder| benefits.iter().map(move |&benefit| (ladder, benefit)))
        .collect();
    let mut triples = Vec::new();
    for (a, &first) in kinds.iter().enumerate() {
        for (b, &second) in kinds.iter().enumerate().skip(a) {
            triples.extend(kinds[b..].iter().map(|&third| [first, second, third]));
        }
    }
    triples
}

/// Five ladders, three benefits: 680 sets of actors. Budgets from 0 to 16 ns, one more than all of them can
/// spend; four policies; whole and broken levels; one module and two.
#[test]
fn every_small_ledger_is_the_oracles_and_keeps_its_promises() {
    const LADDERS: [&[u32]; 5] = [&[0, 1, 3], &[1, 2, 5], &[2], &[0, 0, 4], &[3, 3, 3]];
    let mut ledgers = 0;
    for rows in triples(LADDERS.len(), &[0, 1 << 15, 3 << 15]) {
        for (continuous, split) in [(false, false), (true, false), (false, true), (true, true)] {
            let columns = Columns { value: 4, continuous, ladders: &LADDERS, rows, split };
            for budget in 0..=16 {
                for policy in POLICIES {
                    is_the_oracles(&columns, budget, policy);
                    ledgers += 1;
                }
            }
        }
    }
    assert_eq!(ledgers, 680 * 4 * 17 * 4);
}

fn is_the_oracles(
    columns: &Columns<'_>,
    budget: u64,
    (named, leftovers): (Leftovers, budget::Leftovers),
) {
    let scene = columns.scene(budget, named);
    let expected = plan(&scene);
    let request = Request {
        budget: Budget::from_ns(budget),
        fixed: 0,
        policy: Policy::Proportional(leftovers),
        ..Request::default()
    };
    let (decision, lods) = columns.decide(&request, shares_fit);
    assert_eq!(decision.scale.bits(), expected.scale, "{scene:?}");
    assert_eq!(decision.overcommit, expected.overcommit_ns, "{scene:?}");
    assert_eq!(decision.assigned, expected.assigned_ns, "{scene:?}");
    assert!(lods.iter().eq(expected.outcomes.iter().map(|outcome| &outcome.lod)), "{scene:?}");
    for promise in [
        guarantees::stays_within_budget,
        guarantees::levels_are_valid,
        guarantees::no_pot_is_overdrawn,
        guarantees::no_upgrade_is_left,
    ] {
        assert_eq!(promise(&scene, &expected), Ok(()));
    }
}

/// Eight ladders, of small costs and of the greatest, and four benefits: 5 984 sets of actors. Benefit values
/// at both ends; budgets at the ends of 32 and of 64 bits and between; a pot for each module.
#[test]
fn shares_fit_and_no_sum_wraps_with_the_greatest_numbers() {
    const HALF: u32 = 1 << 31;
    const MOST: u32 = u32::MAX;
    const LADDERS: [&[u32]; 8] = [
        &[0, 1],
        &[1, 2, 3],
        &[0, HALF, MOST],
        &[HALF, MOST],
        &[MOST],
        &[MOST - 1, MOST],
        &[7, 700],
        &[0, MOST],
    ];
    let most = u64::from(MOST);
    let budgets = [
        0,
        1,
        9,
        704,
        most - 1,
        most,
        most + 1,
        2 * most,
        3 * most - 1,
        3 * most,
        3 * most + 1,
        u64::MAX - 1,
        u64::MAX,
    ];
    for rows in triples(LADDERS.len(), &[0, 1, 1 << 16, (1 << 24) - 1]) {
        for value in [1, MOST] {
            let columns =
                Columns { value, continuous: false, ladders: &LADDERS, rows, split: true };
            let minimum: u128 =
                rows.iter().map(|(ladder, _)| u128::from(LADDERS[*ladder][0])).sum();
            for budget in budgets {
                let leftovers = budget::Leftovers::WithinModule;
                let request = Request {
                    budget: Budget::from_ns(budget),
                    fixed: 0,
                    policy: Policy::Proportional(leftovers),
                    ..Request::default()
                };
                let (decision, lods) = columns.decide(&request, shares_fit);
                let cost = |(lod, (ladder, _)): (u32, Row)| LADDERS[ladder][(lod >> 16) as usize];
                let spent: u128 = lods.into_iter().zip(rows).map(cost).map(u128::from).sum();
                assert_eq!(u128::from(decision.assigned), spent, "{rows:?} {value} {budget}");
                let missing =
                    if budget == u64::MAX { 0 } else { minimum.saturating_sub(budget.into()) };
                assert_eq!(u128::from(decision.overcommit), missing, "{rows:?} {value} {budget}");
                assert!(spent <= u128::from(budget).max(minimum), "{rows:?} {value} {budget}");
            }
        }
    }
}

/// Σ shares <= A, wherever the minimums fit.
fn shares_fit(books: &[Book<'_>], decision: &Decision) {
    let shares: u128 =
        books.iter().map(|book| u128::from(book.account.shares(decision.scale))).sum();
    assert!(decision.overcommit > 0 || shares <= u128::from(decision.available), "{decision:?}");
}
