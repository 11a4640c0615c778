//! What a tick does not look at again has not changed.

use lodger_scheduler::{Actor, BenefitRule, BenefitTerms, Scene, View};
use proptest::prelude::*;

use crate::scheduler_calls::{Game, calls};

/// Has the next tick look at everybody.
fn look_at_all(scene: &mut Scene) {
    let view = scene.add_view(View::eye([0.0; 3]).unwrap()).unwrap();
    scene.remove_view(view).unwrap();
}

/// All that a plan tells.
fn told(scene: &Scene) -> String {
    let plan = scene.plan();
    let (actors, modules): (Vec<_>, Vec<_>) = (plan.actors().collect(), plan.modules().collect());
    let numbers = (plan.quarantined(), plan.flips(), plan.assigned_ns(), plan.scale(), plan.load());
    format!("{numbers:?} {actors:?} {modules:?} {:?}", plan.changes())
}

/// How many actors somebody looks at whose state is not sound.
fn unsound(scene: &Scene) -> usize {
    let looked_at = scene
        .actors()
        .filter(|&id| scene.is_visible(id) == Some(true) && scene.given_benefit(id) == Some(None));
    looked_at.filter(|&id| scene.state(id).is_some_and(|state| !state.is_sound())).count()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    /// A scene decides as another one does in which every tick looks at everybody.
    #[test]
    fn no_call_is_overlooked(frames in prop::collection::vec(calls(6), 1..16), crowd in 0_u16..200) {
        let mut game = Game::new();
        game.scene.track_changes(true);
        game.play((0..crowd).map(|number| (0, number, number.wrapping_mul(77))).collect());
        let mut all = game.clone();
        for frame in frames {
            game.play(frame.clone());
            all.play(frame);
            look_at_all(&mut all.scene);
            game.scene.tick();
            all.scene.tick();
            prop_assert_eq!(told(&game.scene), told(&all.scene));
            prop_assert_eq!(game.scene.plan().quarantined(), unsound(&game.scene));
        }
    }
}

/// Somebody who was found before stands in the same 64 rows, and is not looked at again.
#[test]
fn who_turns_bad_beside_others_is_found() {
    let mut game = Game::new();
    let module = game.modules[0];
    game.scene
        .set_benefit_rule(module, BenefitRule::new(BenefitTerms::default()).unwrap())
        .unwrap();
    let actors = (0..64).map(|_| Actor::seen([1.0; 3], 1.0, &[0, 10]));
    game.scene.spawn_many(module, actors).unwrap();
    for (row, quarantined) in [(0, 1), (20, 2), (63, 3), (63, 3)] {
        game.scene.positions_mut(module, row..=row).unwrap().x.fill(f32::NAN);
        assert_eq!(game.scene.tick().quarantined(), quarantined);
        assert_eq!(unsound(&game.scene), quarantined);
    }
    game.scene.positions_mut(module, ..=20).unwrap().x.fill(1.0);
    assert_eq!(game.scene.tick().quarantined(), 1);
}
