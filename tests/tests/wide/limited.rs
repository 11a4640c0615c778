//! Searches with a limit of passes, after any state of the previous frame, and among equal steps.

use lodger_core::Benefit;
use lodger_core::budget::{Carryover, Decision, Hysteresis, Policy, Price, Quality, Request};
use lodger_core::units::{BenefitValue, Budget};
use lodger_testkit::SplitMix64;

use super::frames::Scene;
use super::module_views::{Memory, Outcome, decide_sequential};
use super::modules::{Module, modules};

/// Random modules, and a request of the optimal policy for them.
struct Instance {
    modules: Vec<Module>,
    request: Request,
    random: SplitMix64,
}

impl Instance {
    fn of(seed: u64) -> Self {
        let mut random = SplitMix64::new(seed);
        let modules = modules([6, 40, 300, 2_000][random.index(4)], &mut random);
        let maximum = modules.iter().map(Module::maximum).fold(0, u64::saturating_add);
        let budget = match random.index(20) {
            0 => Budget::UNLIMITED,
            1 => Budget::from_ns(maximum),
            _ => Budget::from_ns((maximum >> random.index(9)).saturating_sub(random.magnitude(2))),
        };
        let request = Request { budget, policy: Policy::Optimal, ..Request::default() };
        Self { modules, request, random }
    }

    fn outcomes(&self) -> Vec<Outcome> {
        self.modules.iter().map(Outcome::new).collect()
    }

    fn decide(
        &self,
        max_passes: Option<u32>,
        carryover: &mut Carryover,
        outcomes: &mut [Outcome],
    ) -> Decision {
        let request = Request { max_passes, ..self.request };
        let mut memory = Memory::new(self.modules.iter().map(Module::rows).sum(), 0);
        let decision = decide_sequential(&request, carryover, &self.modules, outcomes, &mut memory);
        assert!(decision.assigned <= decision.available || decision.overcommit > 0);
        decision
    }
}

#[test]
fn a_limited_search_goes_on_in_the_next_frame() {
    for seed in 0..256 {
        let mut instance = Instance::of(seed);
        let passes = 1 + instance.random.index(3) as u32;
        let expected = instance.decide(None, &mut Carryover::default(), &mut instance.outcomes());
        let best = expected.certificate.unwrap();
        let has_ended = |decision: &Decision| {
            (decision.price, decision.assigned) == (expected.price, expected.assigned)
        };
        let (mut carryover, mut outcomes) = (Carryover::FIRST, instance.outcomes());
        let end = (1..=40).find(|_| {
            let decision = instance.decide(Some(passes), &mut carryover, &mut outcomes);
            assert!(decision.certificate.unwrap().upper_bound() >= best.value(), "{seed}");
            has_ended(&decision)
        });
        assert!(end.is_some(), "seed {seed}: {expected:?}, but {carryover:?}");
        // With more passes than any search takes, the first frame ends at the price.
        let first = instance.decide(Some(40), &mut Carryover::default(), &mut instance.outcomes());
        assert!(has_ended(&first), "seed {seed}: {expected:?}, but {first:?}");
    }
}

#[test]
fn any_state_of_the_previous_frame_is_accepted() {
    for seed in 0..256 {
        let mut instance = Instance::of(seed);
        let shift = instance.random.index(25);
        let price = Some(Price::from_bits(instance.random.index(1 << 24) as u32 >> shift));
        for passes in [None, Some(0), Some(1), Some(9)] {
            let mut carryover = Carryover { price, ..Carryover::FIRST };
            instance.decide(passes, &mut carryover, &mut instance.outcomes());
        }
    }
}

#[test]
fn equal_steps_that_do_not_all_fit_are_taken_by_id() {
    let mut module = Module { value: BenefitValue::from_ns(1), ..Module::default() };
    let qualities = [0, 1 << 14, 1 << 15].map(Quality::from_bits);
    for id in 0..40 {
        module.add_actor(id ^ 1, Benefit::from_bits(1 << 22), (0, &[0, 100, 500], &qualities));
    }
    for (hysteresis, budget) in [(Hysteresis::OFF, 2_500), (Hysteresis::TYPICAL, 10_000)] {
        let mut scene = Scene::of_modules(vec![module.clone()], 0, &mut SplitMix64::new(7));
        for less in [0, 0, 100, 900, 0, 500] {
            let budget = Budget::from_ns(budget - less);
            scene.stand_still();
            let request =
                Request { budget, policy: Policy::Optimal, hysteresis, ..Request::default() };
            let decision = scene.frame(&request).unwrap();
            assert!(decision.assigned > 0 && decision.assigned < module.maximum());
        }
    }
}
