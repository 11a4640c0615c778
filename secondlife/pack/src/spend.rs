//! A budget question, put to lodger's optimal policy.

use lodger_core::Benefit;
use lodger_core::budget::{
    Account, Bid, Book, LadderSpan, Ladders, MadeFor, Policy, Quality, Request, Room, Slope,
    Slopes, Standing, Trial, decide,
};
use lodger_core::units::Budget;

/// So many levels has a ladder of the policy's at most.
const LEVELS: usize = 256;
/// With so many trials the policy looks for something better where its plan is not proven to be good. There are few
/// buyers, and no frame waits for them.
const TRIALS: usize = 4096;

/// Something of which better and dearer forms can be had.
#[derive(Clone, Debug)]
pub(crate) struct Buyer {
    /// What its best form is worth against the worst; not negative, in any unit that is the same for all.
    pub(crate) worth: f64,
    /// Its forms, cost not decreasing: cost in the budget's unit, and quality from 0 to 1, not decreasing.
    pub(crate) forms: Vec<(u32, f64)>,
}

impl Buyer {
    fn cost(&self, form: usize) -> u64 {
        self.forms.get(form).map_or(0, |&(cost, _)| cost.into())
    }

    /// What a form is worth.
    fn value(&self, form: usize) -> f64 {
        self.forms.get(form).map_or(0.0, |&(_, quality)| self.worth * quality)
    }

    /// The forms that the policy is asked about: all, or so many of them that its ladder holds them, the ends
    /// included.
    fn rungs(&self) -> Vec<usize> {
        let forms = self.forms.len();
        if forms <= LEVELS {
            return (0..forms).collect();
        }
        (0..LEVELS).map(|rung| rung * (forms - 1) / (LEVELS - 1)).collect()
    }
}

/// What was decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Purchase {
    /// The form that each buyer gets.
    pub(crate) forms: Vec<usize>,
    /// How much the budget lacks even for the cheapest forms; 0 if it does not.
    pub(crate) overcommit: u64,
}

/// Buys the forms that together are worth most for a budget.
///
/// The policy counts worths in 2⁻²⁴ of the greatest and qualities in 2⁻¹⁵. What such rounding hides, and what a
/// ladder does not hold, is looked at again with the numbers as they are: at the end no single buyer can have
/// a better form for what is left.
pub(crate) fn spend(buyers: &[Buyer], budget: u64) -> Purchase {
    let least: u64 = buyers.iter().map(|buyer| buyer.cost(0)).sum();
    let overcommit = least.saturating_sub(budget);
    if overcommit > 0 {
        return Purchase { forms: vec![0; buyers.len()], overcommit };
    }
    let mut forms = decided(buyers, budget);
    while let Some((buyer, form)) = best_raise(buyers, &forms, budget) {
        forms[buyer] = form;
    }
    Purchase { forms, overcommit }
}

/// What the optimal policy decides.
fn decided(buyers: &[Buyer], budget: u64) -> Vec<usize> {
    let rungs: Vec<Vec<usize>> = buyers.iter().map(Buyer::rungs).collect();
    let (mut spans, mut costs, mut qualities) = (Vec::new(), Vec::new(), Vec::new());
    for (buyer, rungs) in buyers.iter().zip(&rungs) {
        let start = u32::try_from(costs.len()).unwrap_or(u32::MAX);
        spans.push(LadderSpan::new(start, u16::try_from(rungs.len()).unwrap_or(0), 0));
        for &(cost, quality) in rungs.iter().map(|&rung| &buyer.forms[rung]) {
            costs.push(cost);
            qualities.push(Quality::new(quality.clamp(0.0, 1.0)).unwrap_or(Quality::ZERO));
        }
    }
    let benefits = benefits(buyers);
    let ids: Vec<u32> = (0..).take(buyers.len()).collect();
    let mut levels = vec![0; buyers.len()];
    let mut of_costs = vec![Slope::default(); costs.len()];
    let mut books = [Book {
        account: Account {
            ladder: &ids,
            ladders: Ladders { spans: &spans, costs: &costs },
            benefits: &benefits,
            ..Account::default()
        },
        ids: &ids,
        levels: &mut levels,
        qualities: &qualities,
        slopes: Slopes { of_costs: &mut of_costs, made_for: MadeFor::default() },
        ..Book::default()
    }];
    let request =
        Request { budget: Budget::from_ns(budget), policy: Policy::Optimal, ..Request::default() };
    let room = Room {
        bids: &mut vec![Bid::default(); buyers.len()],
        trials: &mut vec![Trial::default(); TRIALS],
    };
    decide(&request, &mut Standing::default(), &mut books[..], room);
    let form = |(rungs, &level): (&Vec<usize>, &u8)| rungs.get(usize::from(level)).copied();
    rungs.iter().zip(&levels).map(|pair| form(pair).unwrap_or(0)).collect()
}

/// The worths as benefits, the greatest of them the greatest that there is.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 2^24 − 1")]
fn benefits(buyers: &[Buyer]) -> Vec<Benefit> {
    let greatest = buyers.iter().map(|buyer| buyer.worth).fold(0.0, f64::max);
    let part = |worth: f64| if greatest > 0.0 { (worth / greatest).clamp(0.0, 1.0) } else { 0.0 };
    let most = f64::from(Benefit::MAX.bits());
    let benefit = |buyer: &Buyer| Benefit::from_bits((part(buyer.worth) * most).round() as u32);
    buyers.iter().map(benefit).collect()
}

/// The change of one buyer's form that gains most and fits; of equal ones the cheapest, then the first.
fn best_raise(buyers: &[Buyer], forms: &[usize], budget: u64) -> Option<(usize, usize)> {
    let spent: u64 = buyers.iter().zip(forms).map(|(buyer, &form)| buyer.cost(form)).sum();
    let mut best: Option<(f64, u64, (usize, usize))> = None;
    for (index, (buyer, &now)) in buyers.iter().zip(forms).enumerate() {
        let (others, value) = (spent - buyer.cost(now), buyer.value(now));
        for form in now + 1..buyer.forms.len() {
            let (cost, gain) = (others + buyer.cost(form), buyer.value(form) - value);
            if cost > budget {
                break;
            }
            let better = best.is_none_or(|(most, least, _)| {
                gain > most || gain.total_cmp(&most).is_eq() && cost < least
            });
            if gain > 0.0 && better {
                best = Some((gain, cost, (index, form)));
            }
        }
    }
    best.map(|(.., raise)| raise)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn buyer(worth: f64, forms: &[(u32, f64)]) -> Buyer {
        Buyer { worth, forms: forms.to_vec() }
    }

    fn value(buyers: &[Buyer], forms: &[usize]) -> f64 {
        buyers.iter().zip(forms).map(|(buyer, &form)| buyer.value(form)).sum()
    }

    fn cost(buyers: &[Buyer], forms: &[usize]) -> u64 {
        buyers.iter().zip(forms).map(|(buyer, &form)| buyer.cost(form)).sum()
    }

    /// The best of all plans, by trying them.
    fn best(buyers: &[Buyer], budget: u64) -> f64 {
        let plans: usize = buyers.iter().map(|buyer| buyer.forms.len()).product();
        let plan = |mut number: usize| -> Vec<usize> {
            let digit = |buyer: &Buyer| {
                let form = number % buyer.forms.len();
                number /= buyer.forms.len();
                form
            };
            buyers.iter().map(digit).collect()
        };
        let fitting = (0..plans).map(plan).filter(|forms| cost(buyers, forms) <= budget);
        fitting.map(|forms| value(buyers, &forms)).fold(0.0, f64::max)
    }

    #[test]
    fn money_goes_where_it_is_worth_most() {
        let buyers = [
            buyer(1.0, &[(1, 0.0), (5, 0.5), (10, 1.0)]),
            buyer(4.0, &[(1, 0.0), (5, 0.5), (10, 1.0)]),
        ];
        assert_eq!(spend(&buyers, 11).forms, [0, 2]);
        assert_eq!(spend(&buyers, 15).forms, [1, 2]);
        assert_eq!(spend(&buyers, u64::MAX), Purchase { forms: vec![2, 2], overcommit: 0 });
        assert_eq!(spend(&[], 3), Purchase { forms: vec![], overcommit: 0 });
    }

    #[test]
    fn what_is_lacking_is_told() {
        let buyers = [buyer(1.0, &[(7, 0.0), (9, 1.0)]), buyer(0.0, &[(u32::MAX, 1.0)])];
        let least = u64::from(u32::MAX) + 7;
        assert_eq!(spend(&buyers, 10), Purchase { forms: vec![0, 0], overcommit: least - 10 });
        assert_eq!(spend(&buyers, least), Purchase { forms: vec![0, 0], overcommit: 0 });
    }

    #[test]
    fn what_is_below_the_policys_resolution_is_bought_too() {
        // 10⁻⁹ of the greatest worth, and qualities that are 10⁻⁷ apart.
        let buyers = [
            buyer(1e9, &[(1, 0.0), (2, 1.0)]),
            buyer(1.0, &[(1, 0.0), (2, 1.0)]),
            buyer(1e9, &[(1, 0.5), (2, 0.500_000_1)]),
        ];
        assert_eq!(spend(&buyers, 6).forms, [1, 1, 1]);
    }

    #[test]
    fn more_forms_than_a_ladder_holds_are_all_looked_at() {
        let forms: Vec<(u32, f64)> =
            (0_u32..1000).map(|level| (level, f64::from(level) / 999.0)).collect();
        assert_eq!(spend(&[buyer(1.0, &forms)], 998).forms, [998]);
        assert_eq!(spend(&[buyer(1.0, &forms), buyer(0.5, &forms)], 1003).forms, [999, 4]);
    }

    #[test]
    fn plans_are_near_the_best_of_all_and_never_above_the_budget() {
        let mut state = 1_u64;
        let mut next = |below: u32| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            u32::try_from(state >> 33).unwrap() % below
        };
        for _ in 0..300 {
            let buyers: Vec<Buyer> = (0..4)
                .map(|_| {
                    let mut forms = vec![(next(20), 0.0)];
                    for step in 1..=5 {
                        let (cost, _) = forms[step - 1];
                        forms.push((cost + 1 + next(40), 0.0));
                    }
                    let mut quality = 0.0;
                    for form in forms.iter_mut().skip(1) {
                        quality += f64::from(1 + next(30));
                        form.1 = quality / 151.0;
                    }
                    Buyer { worth: f64::from(1 + next(1000)), forms }
                })
                .collect();
            let budget = cost(&buyers, &[0; 4]) + u64::from(next(300));
            let bought = spend(&buyers, budget);
            assert_eq!(bought.overcommit, 0);
            assert!(cost(&buyers, &bought.forms) <= budget, "{buyers:?} for {budget}");
            let (ours, best) = (value(&buyers, &bought.forms), best(&buyers, budget));
            // What the policy itself certifies, and what its numbers round.
            assert!(ours >= best * 0.998, "{ours} of {best}: {buyers:?} for {budget}");
            assert_eq!(best_raise(&buyers, &bought.forms, budget), None);
        }
    }
}
