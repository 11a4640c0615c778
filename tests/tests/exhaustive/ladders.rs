//! What money buys on a ladder.

use lodger_core::budget::{Ladder, Lod};

/// All ladders of three costs from 0 to 5, and all money from 0 to 7.
#[test]
fn what_is_affordable_is_the_highest_that_money_pays() {
    for [a, b, c] in ascending(5) {
        let costs = [a, b, c];
        let ladder = Ladder::new(2, &costs).expect("they do not decrease");
        for money in 0..8_u32 {
            let purse = money.max(a);
            let whole = ladder.affordable(money.into(), false);
            let level = costs.iter().rposition(|&cost| cost <= purse).expect("the lowest is paid");
            assert_eq!(whole, Lod::new(2 + u8::try_from(level).expect("one of three"), 0));
            is_the_highest(ladder, money.into(), purse);
        }
    }
}

/// All 2^16 ways between two levels, for rises from 1 to the greatest.
#[test]
fn every_fraction_is_affordable_for_what_it_costs() {
    for (low, rise) in [
        (0, 1),
        (7, 2),
        (0, 3),
        (1, 65_535),
        (0, 65_536),
        (9, 65_537),
        (0, (1 << 31) - 1),
        (1 << 31, 1 << 31),
        (0, u32::MAX),
    ] {
        let costs = [low, rise.saturating_add(low)];
        let ladder = Ladder::new(0, &costs).expect("they do not decrease");
        let mut last = 0;
        for fraction in 0..=u16::MAX {
            let lod = Lod::new(0, fraction);
            let cost = ladder.cost(lod);
            let exact = u128::from(costs[1] - low) * u128::from(fraction);
            assert_eq!(u128::from(cost - low), exact.div_ceil(1 << 16), "{fraction} of {rise}");
            assert!(cost >= last, "a greater fraction costs less");
            assert!(ladder.affordable(cost.into(), true) >= lod);
            last = cost;
        }
    }
}

/// All ladders of three costs from 0 to 4, all pots from 0 to 5; all levels, and in continuous modules a few
/// LODs between them.
#[test]
fn a_raise_costs_what_it_says_and_no_more_than_the_pot() {
    const FRACTIONS: [u16; 4] = [0, 1, 1 << 15, u16::MAX];
    for costs in ascending(4) {
        let ladder = Ladder::new(0, &costs).expect("they do not decrease");
        for (continuous, fractions) in [(false, &FRACTIONS[..1]), (true, &FRACTIONS)] {
            for (level, &fraction) in (0..3).flat_map(|it| fractions.iter().map(move |by| (it, by)))
            {
                let lod = ladder.clamp(Lod::new(level, fraction));
                for pot in 0..6 {
                    let (raised, price) = ladder.raise(lod, pot, continuous);
                    assert!(raised >= lod && price <= pot, "{costs:?} {lod:?} {pot}");
                    let paid = u64::from(ladder.cost(raised)) - u64::from(ladder.cost(lod));
                    assert_eq!(price, paid, "{costs:?} {lod:?} {pot}");
                }
            }
        }
    }
}

fn ascending(most: u32) -> impl Iterator<Item = [u32; 3]> {
    (0..=most).flat_map(move |a| (a..=most).flat_map(move |b| (b..=most).map(move |c| [a, b, c])))
}

/// Nothing above it, in steps of 2⁻¹⁶, is paid by the same money.
fn is_the_highest(ladder: Ladder<'_>, money: u64, purse: u32) {
    let lod = ladder.affordable(money, true);
    assert!(ladder.cost(lod) <= purse);
    let above = match lod.fraction().checked_add(1) {
        Some(fraction) => Lod::new(lod.level(), fraction),
        None => Lod::new(lod.level() + 1, 0),
    };
    assert!(lod == ladder.top() || ladder.cost(above) > purse, "{ladder:?} {money} {lod:?}");
}
