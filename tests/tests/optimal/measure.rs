//! How close plans come to the optimum, and whether they keep what is promised of any plan.

use lodger_core::budget::{Leftovers, Policy};
use lodger_tests::knapsack::Instance;
use lodger_tests::knapsack::exact::optimum;
use lodger_tests::knapsack::relaxation::relax;

use super::books::Books;

/// Parts of the optimum, counting what is worth more than the lowest levels; of what is proven not to be exceeded
/// where the optimum is not known.
pub struct Measured {
    pub actors: usize,
    pub is_exact: bool,
    /// With 512 trials.
    pub refined: f64,
    /// Without.
    pub greedy: f64,
    /// Of the proportional policy, with all of the budget.
    pub proportional: f64,
    /// By which part the certificate's bound exceeds that of the relaxation.
    pub over_relaxation: f64,
    pub violations: Vec<String>,
}

/// Measures an instance.
#[allow(clippy::cast_precision_loss)] // parts
pub fn measure(instance: &Instance) -> Measured {
    let policies = [
        (Policy::Optimal, 512),
        (Policy::Optimal, 0),
        (Policy::Proportional(Leftovers::WholeBudget), 0),
    ];
    let mut violations = Vec::new();
    let (mut values, mut bounds) = (Vec::new(), Vec::new());
    for (policy, trials) in policies {
        let mut books = Books::of(instance);
        let decision = books.decide(instance.budget, policy, trials);
        let levels = books.levels(instance);
        let (cost, value) = sums(instance, &levels);
        let mut demand = |holds: bool, what: &str| {
            if !holds {
                violations.push(format!("{policy:?} with {trials} trials: {what}"));
            }
        };
        let certificate = match decision.certificate {
            Some(certificate) => certificate,
            None => books.certify(instance.budget),
        };
        demand(cost + i128::from(instance.fixed) <= i128::from(instance.budget), "over budget");
        demand(cost == i128::from(decision.assigned), "assigned is not the cost");
        demand(books.assigned() == decision.assigned, "modules do not add up");
        demand(value == i128::from(certificate.value), "the value is wrong");
        demand(certificate == books.certify(instance.budget), "certified otherwise");
        values.push(value);
        bounds.push(i128::from(certificate.upper_bound));
    }
    let relaxed = relax(instance);
    let known = values.iter().copied().max().unwrap_or(0);
    let found = optimum(instance, known);
    let least = instance.least_value();
    let best = found.most - least;
    let part = |value: i128| if best <= 0 { 1.0 } else { (value - least) as f64 / best as f64 };
    for &bound in &bounds {
        if bound < found.least {
            violations.push(format!("a bound of {bound} is below the optimum of {}", found.least));
        }
    }
    let relaxation = relaxed.bound() - least as f64;
    let over = (bounds[0] - least) as f64 / relaxation.max(1.0) - 1.0;
    // 2⁻²⁹ of what the lowest levels are worth is the rounding of a bound.
    let rounding = least as f64 / relaxation.max(1.0) / f64::from(1 << 28);
    if over > 0.001 + rounding && bounds[0] - known > 4 {
        violations.push(format!("a bound {over} above the relaxation"));
    }
    if values.iter().take(2).any(|&value| 2 * (value - least) < found.least - least) {
        violations.push("below half of the optimum".to_owned());
    }
    Measured {
        actors: instance.actors.len(),
        is_exact: found.least == found.most,
        refined: part(values[0]),
        greedy: part(values[1]),
        proportional: part(values[2]),
        over_relaxation: over,
        violations,
    }
}

/// What levels cost and are worth.
pub fn sums(instance: &Instance, levels: &[usize]) -> (i128, i128) {
    let each = instance.actors.iter().zip(levels);
    each.fold((0, 0), |(cost, value), (actor, &level)| {
        (cost + i128::from(actor.costs[level]), value + actor.value(level))
    })
}
