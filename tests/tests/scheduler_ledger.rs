//! Scenes of the scheduler get the plans of the naive ledger, to the nanosecond.

use lodger_core::budget::{Lod, LodControl};
use lodger_core::units::{BenefitValue, Budget};
use lodger_core::{Benefit, Fixed, Micro, Real};
use lodger_scheduler::{Actor, LodSource, Module, Plan, Policy, Reason, Scene};
use lodger_tests::oracle::ledger as oracle;
use lodger_tests::strategy::{scenes, staircase};
use lodger_tests::vectors::{LedgerVectors, Vectors as _};
use proptest::prelude::*;

use crate::scheduler_settings::ns;
use crate::wide::{core_leftovers, lod_bits};

/// Copies a scene; a unit of work costs a nanosecond.
fn scene<N: Real>(input: &oracle::Scene) -> Scene<N> {
    let mut scene = Scene::new(input.budget_ns.map_or(Budget::UNLIMITED, Budget::from_ns));
    scene.set_unmanaged_in_budget(input.unmanaged_in_budget);
    scene.set_policy(Policy::Proportional(core_leftovers(input.leftovers))).unwrap();
    let module = |module: &oracle::Module| {
        let value = BenefitValue::from_ns(module.benefit_value_ns);
        Module::new("", ns(1.0))
            .benefit_value(value)
            .managed(module.enabled)
            .continuous(module.continuous)
    };
    let ids: Vec<_> =
        input.modules.iter().map(|one| scene.add_module(module(one)).unwrap()).collect();
    for input in &input.actors {
        let (lowest, highest) = input.range;
        let mut actor = Actor::from_benefit(Benefit::from_bits(input.benefit), &input.costs)
            .lod_range(lowest..=highest);
        if let Some(bits) = input.forced {
            actor = actor.forced(lod(bits));
        }
        scene.spawn(ids[input.module], actor).unwrap();
    }
    scene
}

fn lod(bits: u32) -> Lod {
    Lod::from_f64(f64::from(bits) / 65_536.0).unwrap()
}

fn plan<N: Real>(plan: Plan<'_, N>) -> oracle::Plan {
    let outcome = |actor: lodger_scheduler::ActorPlan| oracle::Outcome {
        share_ns: actor.share_ns,
        lod: lod_bits(actor.lod),
        cost_ns: actor.cost_ns,
    };
    oracle::Plan {
        scale: plan.scale().bits(),
        reserved_ns: plan.reserved_ns(),
        overcommit_ns: plan.overcommit_ns(),
        assigned_ns: plan.assigned_ns(),
        targets_ns: plan.modules().map(|module| module.target_ns).collect(),
        outcomes: plan.actors().map(outcome).collect(),
    }
}

fn decided<N: Real>(input: &oracle::Scene) -> oracle::Plan {
    plan(scene::<N>(input).tick())
}

#[test]
fn whole_ledgers_of_every_number_type() {
    for case in LedgerVectors::load().case {
        let (input, expected) = (case.scene(), case.plan());
        assert_eq!(decided::<f64>(&input), expected, "{}", case.name);
        assert_eq!(decided::<f32>(&input), expected, "{}", case.name);
        assert_eq!(decided::<Fixed>(&input), expected, "{}", case.name);
        assert_eq!(decided::<Micro>(&input), expected, "{}", case.name);
    }
}

#[test]
fn a_staircase_is_decided_as_by_the_oracle() {
    for steps in [1, 2, 12, 24] {
        let input = staircase(steps);
        assert_eq!(decided::<f32>(&input), oracle::plan(&input), "{steps} steps");
    }
}

fn reasons_are_right(plan: Plan<'_, f32>) -> Result<(), TestCaseError> {
    for actor in plan.actors() {
        let paid = actor.share_ns.map(|share| share >= actor.cost_ns.into());
        let fits = match actor.reason {
            Reason::Forced | Reason::ForcedIntoRange => actor.source == LodSource::Forced,
            Reason::Unmanaged => actor.source == LodSource::Unmanaged,
            Reason::Overcommitted => paid == Some(true) && !plan.is_feasible(),
            Reason::Pinned => actor.share_ns == Some(actor.cost_ns.into()) && actor.cost_ns > 0,
            Reason::Share | Reason::Highest => paid == Some(true),
            Reason::Leftovers => paid == Some(false),
            _ => false,
        };
        prop_assert!(fits, "{actor:?}");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn the_scheduler_decides_as_the_naive_ledger_does(input in scenes()) {
        let mut scene = scene::<f32>(&input);
        let decided = plan(scene.tick());
        prop_assert_eq!(&decided, &oracle::plan(&input));
        reasons_are_right(scene.tick())?;
    }
}

#[test]
fn a_forced_lod_outlasts_a_range_that_it_does_not_fit() {
    let mut scene = Scene::<f32>::new(Budget::UNLIMITED);
    let unit = ns(1.0);
    let module =
        scene.add_module(Module::new("", unit).benefit_value(BenefitValue::from_ns(1))).unwrap();
    let work = [0, 1, 2, 3];
    let actor = scene.spawn(module, Actor::from_benefit(Benefit::ZERO, &work)).unwrap();
    scene.force_physical_lod(actor, 2.5).unwrap();
    let level = |scene: &mut Scene| scene.tick().actor(actor).map(|a| (a.lod.level(), a.reason));
    assert_eq!(level(&mut scene), Some((3, Reason::Forced)), "halves go up");
    scene.set_lod_range(actor, 0..=1).unwrap();
    assert_eq!(level(&mut scene), Some((1, Reason::ForcedIntoRange)));
    scene.set_lod_range(actor, 0..=3).unwrap();
    assert_eq!(level(&mut scene), Some((3, Reason::Forced)));
    assert!(scene.force_physical_lod(actor, f32::NAN).is_err());
    assert_eq!(level(&mut scene), Some((3, Reason::Forced)), "an error changes nothing");
    scene.force_physical_lod(actor, -0.0).unwrap();
    assert_eq!(level(&mut scene), Some((0, Reason::Forced)), "−0.0 is not negative");
    scene.force_physical_lod(actor, -1.0).unwrap();
    assert_eq!(level(&mut scene), Some((0, Reason::Share)));
    assert_eq!(LodControl::from_number(-1.0), Ok(LodControl::Automatic));
}
