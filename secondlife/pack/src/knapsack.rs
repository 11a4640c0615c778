//! A multiple-choice knapsack problem, solved by lodger's optimal policy.

use lodger_core::Benefit;
use lodger_core::budget::{
    Carryover, IndexColumn, LadderSpan, Ladders, ModuleInput, ModuleView, Move, Policy, Quality,
    Request, Scratch, Slope, SlopeRange, Slopes, Upgrade, decide,
};
use lodger_core::units::Budget;

const LEVELS: usize = 256;
/// The number of local-search moves where the plan is not proven to be good.
const MOVES: usize = 4096;

/// A class: exactly one of its options is chosen.
#[derive(Clone, Debug)]
pub(crate) struct KnapsackClass {
    /// The value of the best option above the worst, in a unit shared by all classes; not negative.
    pub(crate) value: f64,
    /// The cost, in the unit of the budget, and quality from 0 to 1 of each option; neither
    /// decreases.
    pub(crate) options: Vec<(u32, f64)>,
}

impl KnapsackClass {
    /// The class of costs and losses, the cheapest first: its value is the greatest loss, the
    /// quality of an option the share of it that the option avoids.
    pub(crate) fn from_losses(options: impl Iterator<Item = (u32, f64)> + Clone) -> Self {
        let value = options.clone().map(|(_, loss)| loss).fold(0.0, f64::max);
        let quality = |loss: f64| if value > 0.0 { 1.0 - loss / value } else { 1.0 };
        Self { value, options: options.map(|(cost, loss)| (cost, quality(loss))).collect() }
    }

    fn cost(&self, option: usize) -> u64 {
        self.options.get(option).map_or(0, |&(cost, _)| cost.into())
    }

    fn value(&self, option: usize) -> f64 {
        self.options.get(option).map_or(0.0, |&(_, quality)| self.value * quality)
    }

    /// Options that become levels of the policy's ladder: all, or evenly chosen ones with both
    /// ends.
    fn ladder_options(&self) -> Vec<usize> {
        let options = self.options.len();
        if options <= LEVELS {
            return (0..options).collect();
        }
        (0..LEVELS).map(|option| option * (options - 1) / (LEVELS - 1)).collect()
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KnapsackSolution {
    pub(crate) options: Vec<usize>,
    /// The cost of the cheapest options above the budget; 0 if they fit.
    pub(crate) overcommit: u64,
}

/// Chooses the options with the greatest total value within a budget.
///
/// The policy rounds values to 2⁻²⁴ of the greatest and qualities to 2⁻¹⁵, and its ladders may omit
/// options. A final exact search upgrades single classes until no upgrade fits.
pub(crate) fn solve(classes: &[KnapsackClass], budget: u64) -> KnapsackSolution {
    let min: u64 = classes.iter().map(|class| class.cost(0)).sum();
    let overcommit = min.saturating_sub(budget);
    if overcommit > 0 {
        return KnapsackSolution { options: vec![0; classes.len()], overcommit };
    }
    let mut options = decided(classes, budget);
    while let Some((class, option)) = best_upgrade(classes, &options, budget) {
        options[class] = option;
    }
    KnapsackSolution { options, overcommit }
}

fn decided(classes: &[KnapsackClass], budget: u64) -> Vec<usize> {
    let ladder_options: Vec<Vec<usize>> =
        classes.iter().map(KnapsackClass::ladder_options).collect();
    let (mut spans, mut costs, mut qualities) = (Vec::new(), Vec::new(), Vec::new());
    for (class, ladder_options) in classes.iter().zip(&ladder_options) {
        let start = u32::try_from(costs.len()).unwrap_or(u32::MAX);
        spans.push(LadderSpan::new(start, u16::try_from(ladder_options.len()).unwrap_or(0), 0));
        for &(cost, quality) in ladder_options.iter().map(|&option| &class.options[option]) {
            costs.push(cost);
            qualities.push(Quality::new(quality.clamp(0.0, 1.0)).unwrap_or(Quality::ZERO));
        }
    }
    let benefits = benefits(classes);
    let ids: Vec<u32> = (0..).take(classes.len()).collect();
    let mut levels = vec![0; classes.len()];
    let mut of_costs = vec![Slope::default(); costs.len()];
    let mut modules = [ModuleView {
        input: ModuleInput {
            ladder: IndexColumn::Words(&ids),
            ladders: Ladders { spans: &spans, costs: &costs },
            benefits: &benefits,
            ..ModuleInput::default()
        },
        ids: IndexColumn::Words(&ids),
        levels: &mut levels,
        qualities: &qualities,
        slopes: Slopes { of_costs: &mut of_costs, valid_for: SlopeRange::default() },
        ..ModuleView::default()
    }];
    let request =
        Request { budget: Budget::from_ns(budget), policy: Policy::Optimal, ..Request::default() };
    let scratch = Scratch {
        upgrades: &mut vec![Upgrade::default(); classes.len()],
        moves: &mut vec![Move::default(); MOVES],
    };
    decide(&request, &mut Carryover::default(), &mut modules[..], scratch);
    let option = |(ladder_options, &level): (&Vec<usize>, &u8)| {
        ladder_options.get(usize::from(level)).copied()
    };
    ladder_options.iter().zip(&levels).map(|pair| option(pair).unwrap_or(0)).collect()
}

/// The values as benefits; the greatest value becomes the greatest benefit.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 2^24 − 1")]
fn benefits(classes: &[KnapsackClass]) -> Vec<Benefit> {
    let greatest = classes.iter().map(|class| class.value).fold(0.0, f64::max);
    let part = |value: f64| if greatest > 0.0 { (value / greatest).clamp(0.0, 1.0) } else { 0.0 };
    let max = f64::from(Benefit::MAX.bits());
    let benefit =
        |class: &KnapsackClass| Benefit::from_bits((part(class.value) * max).round() as u32);
    classes.iter().map(benefit).collect()
}

/// The upgrade of one class that gains most and fits; among equals the cheapest, then the first.
fn best_upgrade(
    classes: &[KnapsackClass],
    options: &[usize],
    budget: u64,
) -> Option<(usize, usize)> {
    let spent: u64 = classes.iter().zip(options).map(|(class, &option)| class.cost(option)).sum();
    let mut best: Option<(f64, u64, (usize, usize))> = None;
    for (index, (class, &now)) in classes.iter().zip(options).enumerate() {
        let (others, value) = (spent - class.cost(now), class.value(now));
        for option in now + 1..class.options.len() {
            let (cost, gain) = (others + class.cost(option), class.value(option) - value);
            if cost > budget {
                break;
            }
            let better = best.is_none_or(|(max, min, _)| {
                gain > max || gain.total_cmp(&max).is_eq() && cost < min
            });
            if gain > 0.0 && better {
                best = Some((gain, cost, (index, option)));
            }
        }
    }
    best.map(|(.., upgrade)| upgrade)
}

#[cfg(test)]
mod tests {
    use crate::knapsack::*;

    fn class(value: f64, options: &[(u32, f64)]) -> KnapsackClass {
        KnapsackClass { value, options: options.to_vec() }
    }

    fn value(classes: &[KnapsackClass], options: &[usize]) -> f64 {
        classes.iter().zip(options).map(|(class, &option)| class.value(option)).sum()
    }

    fn cost(classes: &[KnapsackClass], options: &[usize]) -> u64 {
        classes.iter().zip(options).map(|(class, &option)| class.cost(option)).sum()
    }

    fn best(classes: &[KnapsackClass], budget: u64) -> f64 {
        let plans: usize = classes.iter().map(|class| class.options.len()).product();
        let plan = |mut number: usize| -> Vec<usize> {
            let digit = |class: &KnapsackClass| {
                let option = number % class.options.len();
                number /= class.options.len();
                option
            };
            classes.iter().map(digit).collect()
        };
        let fitting = (0..plans).map(plan).filter(|options| cost(classes, options) <= budget);
        fitting.map(|options| value(classes, &options)).fold(0.0, f64::max)
    }

    #[test]
    fn money_goes_where_it_is_worth_most() {
        let classes = [
            class(1.0, &[(1, 0.0), (5, 0.5), (10, 1.0)]),
            class(4.0, &[(1, 0.0), (5, 0.5), (10, 1.0)]),
        ];
        assert_eq!(solve(&classes, 11).options, [0, 2]);
        assert_eq!(solve(&classes, 15).options, [1, 2]);
        assert_eq!(
            solve(&classes, u64::MAX),
            KnapsackSolution { options: vec![2, 2], overcommit: 0 }
        );
        assert_eq!(solve(&[], 3), KnapsackSolution { options: vec![], overcommit: 0 });
    }

    #[test]
    fn overcommit_is_the_missing_budget() {
        let classes = [class(1.0, &[(7, 0.0), (9, 1.0)]), class(0.0, &[(u32::MAX, 1.0)])];
        let min = u64::from(u32::MAX) + 7;
        assert_eq!(
            solve(&classes, 10),
            KnapsackSolution { options: vec![0, 0], overcommit: min - 10 }
        );
        assert_eq!(solve(&classes, min), KnapsackSolution { options: vec![0, 0], overcommit: 0 });
    }

    #[test]
    fn upgrades_below_the_policys_resolution_are_selected() {
        // 10⁻⁹ of the greatest value, and qualities that are 10⁻⁷ apart.
        let classes = [
            class(1e9, &[(1, 0.0), (2, 1.0)]),
            class(1.0, &[(1, 0.0), (2, 1.0)]),
            class(1e9, &[(1, 0.5), (2, 0.500_000_1)]),
        ];
        assert_eq!(solve(&classes, 6).options, [1, 1, 1]);
    }

    #[test]
    fn more_forms_than_a_ladder_holds_are_all_looked_at() {
        let options: Vec<(u32, f64)> =
            (0_u32..1000).map(|level| (level, f64::from(level) / 999.0)).collect();
        assert_eq!(solve(&[class(1.0, &options)], 998).options, [998]);
        assert_eq!(solve(&[class(1.0, &options), class(0.5, &options)], 1003).options, [999, 4]);
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
            let classes: Vec<KnapsackClass> = (0..4)
                .map(|_| {
                    let mut options = vec![(next(20), 0.0)];
                    for step in 1..=5 {
                        let (cost, _) = options[step - 1];
                        options.push((cost + 1 + next(40), 0.0));
                    }
                    let mut quality = 0.0;
                    for option in options.iter_mut().skip(1) {
                        quality += f64::from(1 + next(30));
                        option.1 = quality / 151.0;
                    }
                    KnapsackClass { value: f64::from(1 + next(1000)), options }
                })
                .collect();
            let budget = cost(&classes, &[0; 4]) + u64::from(next(300));
            let bought = solve(&classes, budget);
            assert_eq!(bought.overcommit, 0);
            assert!(cost(&classes, &bought.options) <= budget, "{classes:?} for {budget}");
            let (ours, best) = (value(&classes, &bought.options), best(&classes, budget));
            // The certificate of the policy, and its rounding.
            assert!(ours >= best * 0.998, "{ours} of {best}: {classes:?} for {budget}");
            assert_eq!(best_upgrade(&classes, &bought.options, budget), None);
        }
    }
}
