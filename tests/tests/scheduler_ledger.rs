//! Scenes of the scheduler get the plans of the naive ledger, to the nanosecond.

use lodger_core::budget::{self, Lod, LodControl};
use lodger_core::units::{BenefitValue, Budget, UnitCost};
use lodger_core::{Benefit, Fixed, Micro, Real};
use lodger_scheduler::{Actor, Control, Module, Plan, Policy, Reason, Scene};
use lodger_tests::guarantees::{
    disabled_modules_are_at_their_best, forced_lods_are_honoured, levels_are_valid,
    no_pot_is_overdrawn, no_upgrade_is_left, nobody_is_below, stays_within_budget,
};
use lodger_tests::oracle::ledger as oracle;
use lodger_tests::strategy::{scenes, staircase};
use lodger_tests::vectors::{LedgerVectors, Vectors as _};
use proptest::prelude::*;

/// The scheduler's scene for an oracle's. A unit of work is a nanosecond, so work and cost are the same.
fn scene<N: Real>(asked: &oracle::Scene) -> Scene<N> {
    let mut scene = Scene::new(asked.budget_ns.map_or(Budget::UNLIMITED, Budget::from_ns));
    scene.set_count_unmanaged(asked.count_unmanaged);
    scene.set_policy(Policy::Proportional(match asked.leftovers {
        oracle::Leftovers::Keep => budget::Leftovers::Keep,
        oracle::Leftovers::WithinModule => budget::Leftovers::WithinModule,
        oracle::Leftovers::AcrossModules => budget::Leftovers::AcrossModules,
        oracle::Leftovers::WholeBudget => budget::Leftovers::WholeBudget,
    }));
    let module = |module: &oracle::Module| {
        let value = BenefitValue::from_ns(module.benefit_value_ns);
        Module::new("", UnitCost::from_ns(1.0).unwrap(), value)
            .managed(module.enabled)
            .continuous(module.continuous)
    };
    let ids: Vec<_> =
        asked.modules.iter().map(|asked| scene.add_module(module(asked)).unwrap()).collect();
    for asked in &asked.actors {
        let (lowest, highest) = asked.range;
        let mut actor = Actor::given(Benefit::from_bits(asked.benefit), &asked.costs)
            .lod_range(lowest..=highest);
        if let Some(bits) = asked.forced {
            actor = actor.forced(lod(bits));
        }
        scene.spawn(ids[asked.module], actor).unwrap();
    }
    scene
}

fn lod(bits: u32) -> Lod {
    Lod::from_f64(f64::from(bits) / 65_536.0).unwrap()
}

/// The scheduler's plan as the oracle would put it.
fn plan<N: Real>(plan: Plan<'_, N>) -> oracle::Plan {
    let outcome = |actor: lodger_scheduler::ActorPlan| oracle::Outcome {
        share_ns: actor.share_ns,
        lod: u32::from(actor.lod.level()) << 16 | u32::from(actor.lod.fraction()),
        cost_ns: actor.cost_ns,
    };
    oracle::Plan {
        scale: plan.scale().bits(),
        fixed_ns: plan.fixed_ns(),
        overcommit_ns: plan.overcommit_ns(),
        assigned_ns: plan.assigned_ns(),
        targets_ns: plan.modules().map(|module| module.target_ns).collect(),
        outcomes: plan.actors().map(outcome).collect(),
    }
}

fn decided<N: Real>(asked: &oracle::Scene) -> oracle::Plan {
    plan(scene::<N>(asked).tick())
}

#[test]
fn whole_ledgers_of_every_number_type() {
    for case in LedgerVectors::load().case {
        let (asked, expected) = (case.scene(), case.plan());
        assert_eq!(decided::<f64>(&asked), expected, "{}", case.name);
        assert_eq!(decided::<f32>(&asked), expected, "{}", case.name);
        assert_eq!(decided::<Fixed>(&asked), expected, "{}", case.name);
        assert_eq!(decided::<Micro>(&asked), expected, "{}", case.name);
    }
}

#[test]
fn a_staircase_of_pins_settles() {
    for rungs in [1, 2, 12, 24] {
        let asked = staircase(rungs);
        assert_eq!(decided::<f32>(&asked), oracle::plan(&asked), "{rungs} rungs");
    }
}

/// Reasons follow from the numbers of a plan.
fn reasons_are_right(plan: Plan<'_, f32>) -> Result<(), TestCaseError> {
    for actor in plan.actors() {
        let paid = actor.share_ns.map(|share| share >= actor.cost_ns.into());
        let fits = match actor.reason {
            Reason::Forced | Reason::ForcedIntoRange => actor.control == Control::Forced,
            Reason::Unmanaged => actor.control == Control::Unmanaged,
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
    fn the_scheduler_decides_as_the_naive_ledger_does(asked in scenes()) {
        let mut scene = scene::<f32>(&asked);
        let decided = plan(scene.tick());
        prop_assert_eq!(&decided, &oracle::plan(&asked));
        let promises = [
            stays_within_budget, levels_are_valid, forced_lods_are_honoured,
            disabled_modules_are_at_their_best, no_pot_is_overdrawn, no_upgrade_is_left,
        ];
        for promise in promises {
            prop_assert_eq!(promise(&asked, &decided), Ok(()));
        }
        reasons_are_right(scene.tick())?;
    }

    #[test]
    fn leftovers_never_leave_anybody_below_keep(asked in scenes()) {
        let mut kept = asked.clone();
        kept.leftovers = oracle::Leftovers::Keep;
        let (floor, plan) = (decided::<f32>(&kept), decided::<f32>(&asked));
        prop_assert_eq!(nobody_is_below(&floor, &plan), Ok(()));
    }

    /// Rows move when actors are forced, released or removed; no decision may notice.
    #[test]
    fn a_scene_that_was_changed_decides_like_one_that_was_built_so(
        asked in scenes(),
        churn in prop::collection::vec((any::<prop::sample::Index>(), 0_u8..3), 0..20),
    ) {
        let mut scene = scene::<f32>(&asked);
        let mut actors: Vec<_> = scene.tick().actors().map(|actor| actor.actor).collect();
        let modules: Vec<_> = scene.tick().modules().map(|module| module.module).collect();
        for (index, action) in churn {
            let index = index.index(actors.len());
            let (id, asked) = (actors[index], &asked.actors[index]);
            match action {
                0 => scene.force_lod(id, Some(Lod::ZERO)).unwrap(),
                1 => scene.force_lod(id, None).unwrap(),
                _ => {
                    scene.despawn(id).unwrap();
                    let actor = Actor::given(Benefit::from_bits(asked.benefit), &asked.costs)
                        .lod_range(asked.range.0..=asked.range.1);
                    actors[index] = scene.spawn(modules[asked.module], actor).unwrap();
                    prop_assert_eq!(actors[index].slot(), id.slot(), "the slot given back last");
                }
            }
        }
        for (&id, asked) in actors.iter().zip(&asked.actors) {
            scene.force_lod(id, asked.forced.map(lod)).unwrap();
        }
        prop_assert_eq!(plan(scene.tick()), oracle::plan(&asked));
    }
}

#[test]
fn a_forced_lod_survives_what_it_does_not_fit() {
    let mut scene = Scene::<f32>::new(Budget::UNLIMITED);
    let unit = UnitCost::from_ns(1.0).unwrap();
    let module = scene.add_module(Module::new("", unit, BenefitValue::from_ns(1))).unwrap();
    let work = [0, 1, 2, 3];
    let actor = scene.spawn(module, Actor::given(Benefit::ZERO, &work)).unwrap();
    scene.force_physical_lod(actor, 2.5).unwrap();
    let level = |scene: &mut Scene| scene.tick().actor(actor).map(|a| (a.lod.level(), a.reason));
    assert_eq!(level(&mut scene), Some((3, Reason::Forced)), "halves go up");
    scene.set_lod_range(actor, 0..=1).unwrap();
    assert_eq!(level(&mut scene), Some((1, Reason::ForcedIntoRange)));
    scene.set_lod_range(actor, 0..=3).unwrap();
    assert_eq!(level(&mut scene), Some((3, Reason::Forced)));
    assert!(scene.force_physical_lod(actor, f32::NAN).is_err());
    assert_eq!(level(&mut scene), Some((3, Reason::Forced)), "a refusal changes nothing");
    scene.force_physical_lod(actor, -0.0).unwrap();
    assert_eq!(level(&mut scene), Some((0, Reason::Forced)), "−0.0 is not negative");
    scene.force_physical_lod(actor, -1.0).unwrap();
    assert_eq!(level(&mut scene), Some((0, Reason::Share)));
    assert_eq!(LodControl::from_number(-1.0), Ok(LodControl::Automatic));
}
