//! Calls beyond a scene's capacity return an error, and released memory is used again.

use lodger_heapless::{
    Actor, ActorId, Benefit, BenefitValue, Budget, Capacity, Module, ModuleId, Scene, SceneError,
    UnitCost,
};

fn module() -> Module<f32> {
    Module::new(UnitCost::from_ns(1.0).unwrap()).benefit_value(BenefitValue::from_ns(1_000))
}

fn actor(work: &[u32]) -> Actor<'_, f32> {
    Actor::from_benefit(Benefit::MAX, work)
}

fn scene() -> (Scene<f32, 2, 3, 6>, [ModuleId; 2]) {
    let mut scene = Scene::new();
    let modules = [(); 2].map(|()| scene.add_module(module()).unwrap());
    (scene, modules)
}

#[test]
fn handles_are_small_and_detect_a_reused_slot() {
    assert_eq!((size_of::<ActorId>(), size_of::<Option<ActorId>>()), (4, 4));
    assert_eq!(size_of::<ModuleId>(), 1);
    let (mut scene, [first, second]) = scene();
    let ids = [first, second, first].map(|module| scene.spawn(module, actor(&[0, 9])).unwrap());
    scene.despawn(ids[0]).unwrap();
    scene.despawn(ids[1]).unwrap();
    // The slot that was released first comes first.
    let new = [second, second].map(|module| scene.spawn(module, actor(&[0, 9])).unwrap());
    assert_eq!(new.map(ActorId::slot), [0, 1]);
    assert_eq!(ids.map(|id| scene.contains(id)), [false, false, true]);
    assert_eq!(scene.despawn(ids[0]), Err(SceneError::StaleActor));
    assert_eq!(scene.set_position(ids[1], [0.0; 3]), Err(SceneError::StaleActor));
    let plan = scene.tick(Budget::UNLIMITED);
    assert_eq!((plan.level(ids[1]), plan.level(new[1])), (None, Some(1)));
    assert_eq!(scene.actors().map(ActorId::slot).collect::<Vec<_>>(), [0, 1, 2]);
    assert_eq!(scene.module_of(ids[2]), Some(first));
}

#[test]
fn a_full_scene_returns_the_actor_in_the_error() {
    let (mut scene, [first, second]) = scene();
    assert_eq!(scene.add_module(module()), Err(SceneError::Full(Capacity::Modules)));
    for _ in 0..3 {
        scene.spawn(first, actor(&[5])).unwrap();
    }
    let rejected = scene.spawn(second, actor(&[7])).unwrap_err();
    assert_eq!((rejected.error, rejected.actor), (SceneError::Full(Capacity::Actors), actor(&[7])));
    assert_eq!((scene.len(), scene.module_len(second)), (3, Some(0)));
    assert!(scene.set_eyes(&[[0.0; 3]; 4]).is_ok());
    assert_eq!(scene.set_eyes(&[[0.0; 3]; 5]), Err(SceneError::Full(Capacity::Eyes)));
    assert!(scene.set_eyes(&[[f32::NAN; 3]]).is_err());
    assert_eq!(scene.eyes().len(), 4);
}

#[test]
fn levels_are_freed_with_the_last_actor_that_uses_them() {
    let (mut scene, [first, second]) = scene();
    let a = scene.spawn(first, actor(&[0, 5, 9])).unwrap();
    let b = scene.spawn(first, actor(&[0, 5, 9])).unwrap();
    // The same work in another module has another ladder, as its costs differ.
    let c = scene.spawn(second, actor(&[0, 5, 9])).unwrap();
    scene.despawn(b).unwrap();
    let rejected = scene.spawn(first, actor(&[1])).unwrap_err();
    assert_eq!(rejected.error, SceneError::Full(Capacity::Costs));
    // An actor that does not share its ladder can change its range in a full scene.
    assert_eq!(scene.set_lod_range(a, 0..=1), Ok(()));
    let d = scene.spawn(second, actor(&[0, 5, 9])).unwrap();
    assert_eq!(scene.set_lod_range(d, 1..=2), Err(SceneError::Full(Capacity::Costs)));
    assert_eq!(scene.tick(Budget::UNLIMITED).level(d), Some(2));
    scene.despawn(a).unwrap();
    assert_eq!(scene.set_lod_range(d, 1..=1), Ok(()));
    let plan = scene.tick(Budget::from_ns(9));
    assert_eq!([c, d].map(|id| plan.level(id)), [Some(0), Some(1)]);
    scene.despawn(c).unwrap();
    assert_eq!(scene.work(d), Some(&[0, 5, 9][..]));
    assert!(scene.spawn(first, actor(&[1, 2, 3])).is_ok());
}

#[test]
fn invalid_values_are_rejected_and_change_nothing() {
    let (mut scene, [first, _]) = scene();
    let assert_rejected = |scene: &mut Scene<f32, 2, 3, 6>, actor: Actor<'_, f32>| {
        let rejected = scene.spawn(first, actor).unwrap_err();
        assert!(matches!(rejected.error, SceneError::Invalid(_)), "{rejected:?}");
    };
    assert_rejected(&mut scene, Actor::at([0.0; 3], -1.0, &[1]));
    assert_rejected(&mut scene, actor(&[]));
    assert_rejected(&mut scene, actor(&[2, 1]));
    assert_rejected(&mut scene, actor(&[1, 2]).lod_range(0..=2));
    assert_rejected(&mut scene, actor(&[0; 257]));
    scene.set_unit_cost(first, UnitCost::from_ns(1e9).unwrap()).unwrap();
    assert_rejected(&mut scene, actor(&[5]));
    assert!(scene.is_empty() && scene.set_overhead(first, 5).is_err());
}
