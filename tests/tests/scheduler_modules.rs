//! What can be set for modules: caps.

use lodger_scheduler::{
    Actor, Benefit, BenefitValue, Budget, Lod, LodControl, Module, Reason, Scene, UnitCost,
};
use proptest::prelude::*;

use crate::scheduler_calls::{Game, calls};

fn ns(nanoseconds: f64) -> UnitCost {
    UnitCost::from_ns(nanoseconds).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    /// A cap decides as a shorter range of every actor that is not forced would.
    #[test]
    fn a_cap_is_a_shorter_range_for_all_that_are_not_forced(
        calls in calls(40),
        caps in prop::collection::vec(prop::option::of(0_u8..5), 4),
    ) {
        let mut game = Game::after(calls);
        game.forget();
        for (&module, &cap) in game.modules.iter().zip(&caps) {
            game.scene.set_lod_cap(module, cap).unwrap();
            prop_assert_eq!(game.scene.lod_cap(module), Some(cap));
        }
        let mut shorter = game.scene.clone();
        for &id in &game.actors {
            let module = game.scene.module_of(id).unwrap();
            let range = game.scene.lod_range(id).unwrap();
            let cap = game.scene.lod_cap(module).unwrap().unwrap_or(u8::MAX);
            if game.scene.control(id) == Some(LodControl::Automatic) {
                let highest = cap.clamp(*range.start(), *range.end());
                shorter.set_lod_range(id, *range.start()..=highest).unwrap();
            }
        }
        for &module in &game.modules {
            shorter.set_lod_cap(module, None).unwrap();
        }
        let (capped, shorter) = (game.scene.tick(), shorter.tick());
        prop_assert_eq!(capped.scale(), shorter.scale());
        prop_assert_eq!(capped.assigned_ns(), shorter.assigned_ns());
        for (got, mut expected) in capped.actors().zip(shorter.actors()) {
            let at_the_end = [(Reason::Capped, Reason::Highest), (Reason::WorthCapped, Reason::WorthHighest)];
            if let Some(&(capped, highest)) = at_the_end.iter().find(|(it, _)| *it == got.reason) {
                prop_assert_eq!(expected.reason, highest);
                expected.reason = capped;
            }
            prop_assert_eq!(got, expected);
        }
    }

    /// The units of a plan are the work of every actor at its level.
    #[test]
    fn units_are_the_sum_of_the_work(calls in calls(40)) {
        let mut game = Game::after(calls);
        game.scene.tick();
        let plan = game.scene.plan();
        for &module in &game.modules {
            let mut expected = 0;
            for actor in plan.actors().filter(|actor| actor.module == module) {
                let work = game.scene.work(actor.actor).unwrap();
                let (level, fraction) = (usize::from(actor.lod.level()), u64::from(actor.lod.fraction()));
                let here = u64::from(work[level]);
                let next = work.get(level + 1).map_or(here, |&next| u64::from(next));
                expected += here + ((next - here) * fraction).div_ceil(1 << 16);
            }
            prop_assert_eq!(plan.module(module).map(|module| module.units), Some(expected));
        }
    }
}

#[test]
fn a_cap_leaves_what_is_forced_and_who_cannot_go_below() {
    let mut scene = Scene::<f32>::new(Budget::UNLIMITED);
    let module = Module::new("", ns(1.0), BenefitValue::from_ns(1_000)).lod_cap(1);
    let module = scene.add_module(module).unwrap();
    let work = [0, 1, 2, 3];
    let actor = Actor::given(Benefit::MAX, &work);
    let [free, forced, high] = [actor, actor.forced(Lod::new(3, 0)), actor.lod_range(2..=3)]
        .map(|actor| scene.spawn(module, actor).unwrap());
    let levels = |scene: &mut Scene<f32>| {
        let plan = scene.tick();
        [free, forced, high].map(|id| plan.actor(id).map(|a| (a.lod.level(), a.cost_ns, a.reason)))
    };
    let expected = [(1, 1, Reason::Capped), (3, 3, Reason::Forced), (2, 2, Reason::Capped)];
    assert_eq!(levels(&mut scene), expected.map(Some));
    assert_eq!(scene.plan().module(module).and_then(|module| module.lod_cap), Some(1));
    scene.set_managed(module, false).unwrap();
    let expected = [(1, 1, Reason::Unmanaged), (3, 3, Reason::Forced), (2, 2, Reason::Unmanaged)];
    assert_eq!(levels(&mut scene), expected.map(Some));
    scene.set_managed(module, true).unwrap();
    scene.set_lod_cap(module, None).unwrap();
    let expected = [(3, 3, Reason::Highest), (3, 3, Reason::Forced), (3, 3, Reason::Highest)];
    assert_eq!(levels(&mut scene), expected.map(Some));
}
