//! Instances as views of modules, and how close their plans come to the optimum.

use lodger_core::Benefit;
use lodger_core::budget::{
    Carryover, Decision, Hysteresis, Leftovers, OptimalityCertificate, Policy, PreviousLevel,
    Quality, Request, certify,
};
use lodger_core::units::{BenefitValue, Budget};
use lodger_tests::knapsack::exact::optimum;
use lodger_tests::knapsack::{Instance, relax};

use crate::wide::module_views::{Memory, Outcome, decide_sequential, views};
use crate::wide::modules::Module;

pub(crate) struct InstanceViews {
    modules: Vec<Module>,
    outcomes: Vec<Outcome>,
    pub(crate) carryover: Carryover,
    pub(crate) hysteresis: Hysteresis,
    pub(crate) max_upgrades: Option<u32>,
    reserved: u64,
    actors: usize,
}

impl InstanceViews {
    pub(crate) fn in_order(instance: &Instance, order: &[usize], reversed: bool) -> Self {
        let module = Module { value: BenefitValue::from_ns(1_000_000), ..Module::default() };
        let mut modules = vec![module; instance.modules];
        for &index in order {
            let actor = &instance.actors[index];
            let qualities: Vec<Quality> =
                actor.qualities.iter().map(|&bits| Quality::from_bits(bits)).collect();
            let id = u32::try_from(index).expect("few");
            let ladder = (actor.lowest, &actor.costs[..], &qualities[..]);
            modules[actor.module].add_actor(id, Benefit::from_bits(actor.benefit), ladder);
        }
        if reversed {
            modules.reverse();
        }
        Self {
            outcomes: modules.iter().map(Outcome::new).collect(),
            modules,
            carryover: Carryover::default(),
            hysteresis: Hysteresis::OFF,
            max_upgrades: None,
            reserved: instance.reserved,
            actors: instance.actors.len(),
        }
    }

    pub(crate) fn new(instance: &Instance) -> Self {
        let order: Vec<usize> = (0..instance.actors.len()).collect();
        Self::in_order(instance, &order, false)
    }

    fn request(&self, budget: u64, policy: Policy) -> Request {
        Request {
            budget: Budget::from_ns(budget),
            reserved: self.reserved,
            policy,
            hysteresis: self.hysteresis,
            max_upgrades: self.max_upgrades,
            ..Request::default()
        }
    }

    pub(crate) fn decide(&mut self, budget: u64, policy: Policy, moves: usize) -> Decision {
        let request = self.request(budget, policy);
        let Self { modules, outcomes, carryover, actors, .. } = self;
        decide_sequential(&request, carryover, modules, outcomes, &mut Memory::new(*actors, moves))
    }

    pub(crate) fn certify(&mut self, budget: u64) -> OptimalityCertificate {
        let request = self.request(budget, Policy::default());
        certify(&request, &mut views(&self.modules, &mut self.outcomes)[..])
    }

    /// The level of each actor by its id, counted from its lowest.
    pub(crate) fn levels(&self, instance: &Instance) -> Vec<usize> {
        let mut levels = vec![0; self.actors];
        for (module, outcome) in self.modules.iter().zip(&self.outcomes) {
            for (&id, &level) in module.ids.iter().zip(&outcome.levels) {
                let lowest = instance.actors[id as usize].lowest;
                levels[id as usize] = usize::from(level - lowest);
            }
        }
        levels
    }

    pub(crate) fn remember(&mut self) {
        for (module, outcome) in self.modules.iter_mut().zip(&self.outcomes) {
            module.previous =
                outcome.levels.iter().map(|&level| PreviousLevel::automatic(level)).collect();
        }
    }

    pub(crate) fn set_previous(&mut self, previous: impl Fn(u32) -> PreviousLevel) {
        for module in &mut self.modules {
            module.previous = module.ids.iter().map(|&id| previous(id)).collect();
        }
    }

    pub(crate) fn make_continuous(&mut self) {
        for (module, outcome) in self.modules.iter_mut().zip(&mut self.outcomes) {
            module.continuous = true;
            *outcome = Outcome::new(module);
        }
    }

    pub(crate) fn set_levels(&mut self, level: impl Fn(u32) -> u8) {
        for (module, outcome) in self.modules.iter().zip(&mut self.outcomes) {
            outcome.levels = module.ids.iter().map(|&id| level(id)).collect();
        }
    }

    pub(crate) fn set_benefits(&mut self, benefit: impl Fn(u32) -> u32) {
        for module in &mut self.modules {
            module.benefits =
                module.ids.iter().map(|&id| Benefit::from_bits(benefit(id))).collect();
        }
    }

    pub(crate) fn assigned(&self) -> u64 {
        self.outcomes.iter().map(|outcome| outcome.assigned).sum()
    }
}

/// Shares of the optimal value beyond the base levels, or of an upper bound if the optimum is unknown.
pub(crate) struct InstanceQuality {
    pub(crate) actors: usize,
    pub(crate) is_exact: bool,
    /// The share with 512 moves of local search.
    pub(crate) improved: f64,
    /// The share without local search.
    pub(crate) greedy: f64,
    /// The share of the proportional policy, with all of the budget.
    pub(crate) proportional: f64,
    /// The relative excess of the certificate's bound over the relaxation.
    pub(crate) over_relaxation: f64,
    pub(crate) violations: Vec<String>,
}

#[expect(clippy::cast_precision_loss, reason = "shares")]
pub(crate) fn measure(instance: &Instance) -> InstanceQuality {
    let policies = [
        (Policy::Optimal, 512),
        (Policy::Optimal, 0),
        (Policy::Proportional(Leftovers::WholeBudget), 0),
    ];
    let mut violations = Vec::new();
    let (mut values, mut bounds) = (Vec::new(), Vec::new());
    for (policy, moves) in policies {
        let mut views = InstanceViews::new(instance);
        let decision = views.decide(instance.budget, policy, moves);
        let (cost, value) = sums(instance, &views.levels(instance));
        let mut check = |holds: bool, violation: &str| {
            if !holds {
                violations.push(format!("{policy:?} with {moves} moves: {violation}"));
            }
        };
        let computed = views.certify(instance.budget);
        let certificate = decision.certificate.unwrap_or(computed);
        let total = cost + i128::from(instance.reserved);
        check(total <= i128::from(instance.budget), "over budget");
        check(cost == i128::from(decision.assigned), "the assigned cost is wrong");
        check(views.assigned() == decision.assigned, "modules do not add up");
        check(value == i128::from(certificate.value), "the value is wrong");
        check(certificate == computed, "the certificates differ");
        values.push(value);
        bounds.push(i128::from(certificate.upper_bound));
    }
    let relaxed = relax(instance);
    let known = values.iter().copied().max().unwrap_or(0);
    let found = optimum(instance, known);
    let min = instance.min_value();
    let best = found.max - min;
    let share = |value: i128| if best <= 0 { 1.0 } else { (value - min) as f64 / best as f64 };
    for &bound in &bounds {
        if bound < found.min {
            violations.push(format!("a bound of {bound} is below the optimum of {}", found.min));
        }
    }
    let relaxation = relaxed.bound() - min as f64;
    let over = (bounds[0] - min) as f64 / relaxation.max(1.0) - 1.0;
    // A bound is rounded by 2⁻²⁹ of the base value.
    let rounding = min as f64 / relaxation.max(1.0) / f64::from(1 << 28);
    if over > 0.001 + rounding && bounds[0] - known > 4 {
        violations.push(format!("a bound {over} above the relaxation"));
    }
    if values.iter().take(2).any(|&value| 2 * (value - min) < found.min - min) {
        violations.push("below half of the optimum".to_owned());
    }
    InstanceQuality {
        actors: instance.actors.len(),
        is_exact: found.min == found.max,
        improved: share(values[0]),
        greedy: share(values[1]),
        proportional: share(values[2]),
        over_relaxation: over,
        violations,
    }
}

pub(crate) fn sums(instance: &Instance, levels: &[usize]) -> (i128, i128) {
    let pairs = instance.actors.iter().zip(levels);
    pairs.fold((0, 0), |(cost, value), (actor, &level)| {
        (cost + i128::from(actor.costs[level]), value + actor.value(level))
    })
}
