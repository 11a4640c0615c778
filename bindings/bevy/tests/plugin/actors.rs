//! Actors and cameras: their levels, batches, lifetimes and disabled entities.

use bevy_ecs::entity_disabling::Disabled;

use crate::prelude::*;

#[test]
fn near_actors_get_higher_levels_than_far_ones() {
    let mut app = with_camera(Budget::from_ns(1_050_000));
    let near = app.spawn((at(2.0), cape()));
    let far = app.spawn((at(40.0), cape()));
    assert_eq!((level_of(&app, near), plan_of(&app, near)), (0, None));
    app.update();
    assert_eq!(actors(&app), 2);
    assert_eq!((level_of(&app, near), level_of(&app, far)), (3, 1));
    let near_plan = plan_of(&app, near).expect("decided");
    assert_eq!((near_plan.key, near_plan.lod.level()), (near.to_bits(), 3));
    let first = level_changes(&mut app);
    assert_eq!(first.iter().map(|change| change.from).collect::<Vec<_>>(), [None, None]);

    // They swap places.
    set(&mut app, near, at(41.0));
    set(&mut app, far, at(2.0));
    app.update();
    assert_eq!((level_of(&app, near), level_of(&app, far)), (1, 3));
    let then = level_changes(&mut app);
    assert_eq!(then.len(), 2);
    assert!(then.iter().all(|change| change.to == level_of(&app, change.entity)));
    assert_eq!(errors(&mut app), []);
}

#[test]
fn an_entity_is_an_actor_of_several_modules() {
    let mut app = with_camera(Budget::UNLIMITED);
    app.add_plugins(LodModulePlugin::<Cloth>::new(module("cloth")));
    let actors_of_both = (cape(), LodActor::<Cloth>::new(1.0, &[0, 5]));
    let both = app.spawn((at(2.0), actors_of_both, ForcedLod::<Cloth>::new(1)));
    app.update();
    assert_eq!(actors(&app), 2);
    assert_eq!(plan::<Cloth>(&app, both).map(|plan| plan.reason), Some(Reason::Forced));
    assert_eq!(level_of(&app, both), 3);
    app.remove::<LodActor<Cloth>>(both);
    app.update();
    assert_eq!((actors(&app), level_of(&app, both)), (1, 3));
}

#[test]
fn components_constrain_levels_while_they_are_present() {
    let mut app = with_camera(Budget::UNLIMITED);
    let actor = app.spawn((at(2.0), cape()));
    app.update();
    assert_eq!(level_of(&app, actor), 3);
    let mut after = |change: fn(&mut EntityWorldMut<'_>)| {
        change(&mut app.world_mut().entity_mut(actor));
        app.update();
        (level_of(&app, actor), plan_of(&app, actor).expect("decided").reason)
    };
    assert_eq!(after(|e| _ = e.insert(Forced::new(1))), (1, Reason::Forced));
    assert_eq!(after(|e| _ = e.insert(Forced::new(2))), (2, Reason::Forced));
    assert_eq!(after(|e| _ = e.insert(Forced::new(9))), (3, Reason::ForcedIntoRange));
    assert_eq!(after(|e| _ = e.insert(Range::new(1, 2))).0, 2);
    assert_eq!(after(|e| _ = e.remove::<Forced>()).0, 2);
    assert_eq!(after(|e| _ = e.remove::<Range>()).0, 3);
    assert_eq!(after(|e| _ = e.insert(Hidden::default())), (0, Reason::Invisible));
    assert_eq!(after(|e| _ = e.remove::<Hidden>()).0, 3);
    let other = Actor::new(1.0, &[0, 7]);
    app.insert(actor, other);
    app.update();
    assert_eq!((level_of(&app, actor), actors(&app)), (1, 1));
    assert_eq!(plan_of(&app, actor).map(|plan| plan.cost_ns), Some(7_000));
    assert_eq!(errors(&mut app), []);
}

#[test]
fn an_actor_may_have_its_own_qualities() {
    let mut app = with_camera(Budget::UNLIMITED);
    let good = Actor::new(1.0, &[1, 2, 3]).with_qualities(&[0.0, 0.75, 1.0]);
    let forced = Forced::new(1);
    let one = app.spawn((at(2.0), good.clone(), forced));
    let two = app.spawn((at(3.0), Actor::new(1.0, &[1, 2, 3]), forced));
    app.update();
    let quality = |app: &_, entity| plan_of(app, entity).expect("decided").quality.to_f64();
    assert!((quality(&app, one) - 0.75).abs() < 1e-4 && (quality(&app, two) - 0.5).abs() < 1e-4);
    app.insert(one, Actor::new(1.0, &[1, 2, 3]));
    app.insert(two, good);
    app.update();
    assert!((quality(&app, two) - 0.75).abs() < 1e-4 && (quality(&app, one) - 0.5).abs() < 1e-4);
}

#[derive(Resource, Default)]
struct Reports(Vec<Option<Reason>>, Option<usize>);

#[test]
fn a_system_reads_the_plan_by_entity() {
    let mut app = with_camera(Budget::UNLIMITED);
    let actor = app.spawn((at(2.0), cape()));
    let other = app.spawn(at(2.0));
    app.init_resource::<Reports>();
    app.add_systems(
        PreUpdate,
        move |report: LodReport<Animation>, mut reports: ResMut<Reports>| {
            reports.0 = vec![report.reason(actor), report.reason(other)];
            reports.1 = report.module().map(|module| module.actors);
        },
    );
    app.update();
    app.update();
    let reports = app.world().resource::<Reports>();
    assert_eq!((reports.0.as_slice(), reports.1), (&[Some(Reason::Highest), None][..], Some(1)));
}

#[test]
fn modules_assign_slots_in_the_order_of_their_plugins() {
    for _ in 0..8 {
        let mut app = with_camera(Budget::UNLIMITED);
        app.add_plugins(LodModulePlugin::<Cloth>::new(module("cloth")));
        let both = (LodActor::<Cloth>::new(1.0, WORK), cape());
        let entity = app.spawn((at(2.0), both));
        app.update();
        let slot = |plan: Option<ActorPlan>| plan.expect("decided").actor.slot();
        let (animation, cloth) = (plan_of(&app, entity), plan::<Cloth>(&app, entity));
        assert!(slot(animation) < slot(cloth));
    }
}

#[test]
fn a_batch_equals_single_spawns() {
    let mut app = with_camera(Budget::UNLIMITED);
    let batch = (0..50_u8).map(|i| (at(i.into()), cape()));
    let entities = app.world_mut().spawn_lods::<Animation, _>(batch);
    // Some change or despawn before the first sync.
    app.insert(entities[0], Forced::new(1));
    app.world_mut()
        .entity_mut(entities[1])
        .remove::<Actor>()
        .insert(LodActor::<Animation>::new(1.0, &[0, 1]));
    app.remove::<Actor>(entities[2]);
    app.world_mut().despawn(entities[3]);
    app.update();
    assert_eq!(actors(&app), 48);
    assert_eq!((level_of(&app, entities[0]), level_of(&app, entities[1])), (1, 1));
    assert_eq!(level_of(&app, entities[4]), 3);
    assert_eq!(errors(&mut app), []);
    // A single spawn and another batch.
    let one = app.spawn((at(2.0), cape()));
    app.world_mut().spawn_lods::<Animation, _>((0..3_u8).map(|i| (at(i.into()), cape())));
    app.update();
    assert_eq!((actors(&app), level_of(&app, one)), (52, 3));
}

#[test]
fn a_rejected_actor_does_not_affect_its_batch() {
    let mut app = with_camera(Budget::UNLIMITED);
    let tables: [&[u32]; 4] = [WORK, &[5, 3], &[0, 1], WORK];
    let batch = tables.map(|work| (at(2.0), Actor::new(1.0, work), Range::new(0, 1)));
    let entities = app.world_mut().spawn_lods::<Animation, _>(batch);
    app.update();
    assert_eq!(actors(&app), 3);
    let rejected = errors(&mut app);
    assert_eq!(rejected.len(), 1);
    assert_eq!((rejected[0].entity, rejected[0].module), (Some(entities[1]), "Animation"));
    assert!(matches!(rejected[0].problem, LodProblem::Invalid(_)));
    app.insert(entities[1], Actor::new(1.0, &[3, 5]));
    app.update();
    assert_eq!((actors(&app), level_of(&app, entities[1])), (4, 1));
    assert_eq!(errors(&mut app), []);
}

#[test]
fn commands_spawn_batches_and_actors_wait_for_their_plugin() {
    let mut app = with_camera(Budget::UNLIMITED);
    let mut commands = app.world_mut().commands();
    let spawn = |commands: &mut Commands| {
        commands.spawn_lods::<Animation, _>((0..10_u8).map(|i| (at(i.into()), cape())));
        let cloth = |i: u8| (at(i.into()), LodActor::<Cloth>::new(1.0, WORK));
        commands.spawn_lods::<Cloth, _>((0..2_u8).map(cloth));
    };
    spawn(&mut commands);
    app.world_mut().flush();
    app.update();
    assert_eq!(actors(&app), 10);
    let missing = errors(&mut app);
    assert_eq!(missing.len(), 2);
    assert!(missing.iter().all(|error| error.problem == LodProblem::NoModule));
}

#[derive(Resource, Default)]
struct Escorts(Vec<Entity>);

#[test]
fn changes_of_observers_during_a_batch_are_applied() {
    let mut app = with_camera(Budget::UNLIMITED);
    let old = app.spawn((at(2.0), cape()));
    app.update();
    app.init_resource::<Escorts>();
    let escort = move |_: On<Add<Actor>>, mut all: ResMut<Escorts>, mut commands: Commands| {
        // Four more, one after the other.
        if all.0.len() < 4 {
            all.0.push(commands.spawn((at(3.0), cape())).id());
            commands.entity(old).insert(Forced::new(1));
        }
    };
    app.add_observer(escort);
    let batch =
        app.world_mut().spawn_lods::<Animation, _>((0..4_u8).map(|i| (at(i.into()), cape())));
    app.update();
    let escorts = app.world().resource::<Escorts>().0.clone();
    assert_eq!((batch.len(), escorts.len(), actors(&app)), (4, 4, 9));
    assert!(batch.iter().chain(&escorts).all(|&entity| level_of(&app, entity) == 3));
    assert_eq!(level_of(&app, old), 1);
    assert_eq!(errors(&mut app), []);
}

#[test]
fn an_actor_between_two_frames_never_enters_the_scene() {
    let mut app = with_camera(Budget::UNLIMITED);
    let entity = app.spawn((at(2.0), cape()));
    app.world_mut().despawn(entity);
    let kept = app.spawn((at(2.0), cape()));
    app.world_mut().entity_mut(kept).remove::<Actor>().insert(cape());
    let bare = app.spawn((at(2.0), cape()));
    app.remove::<Actor>(bare);
    app.update();
    assert_eq!((actors(&app), level_of(&app, kept)), (1, 3));
    assert!(app.world().get::<Lod<Animation>>(bare).is_none());
    assert!(app.world().get::<LodHandle<Animation>>(bare).is_none());
}

#[test]
fn a_removed_and_inserted_actor_is_a_new_one() {
    let mut app = with_camera(Budget::UNLIMITED);
    let entity = app.spawn((at(2.0), cape()));
    app.update();
    let before = plan_of(&app, entity).expect("decided").actor;
    app.remove::<Actor>(entity);
    app.insert(entity, cape());
    app.update();
    let after = plan_of(&app, entity).expect("decided").actor;
    assert_ne!(before, after);
    assert!(!app.scene().contains(before));
    assert_eq!(actors(&app), 1);
}

#[test]
fn an_entity_without_components_leaves_the_scene() {
    let mut app = with_camera(Budget::UNLIMITED);
    let one = app.spawn((at(2.0), cape()));
    let two = app.spawn((at(2.0), cape()));
    let three = app.spawn((at(2.0), cape()));
    app.update();
    app.world_mut().entity_mut(one).clear();
    app.world_mut().entity_mut(two).remove_with_requires::<Actor>();
    app.remove::<LodHandle<Animation>>(three);
    app.update();
    assert_eq!(actors(&app), 0);
}

fn clear(app: &mut App) {
    let mut all = app.world_mut().query_filtered::<Entity, With<Transform>>();
    for entity in all.iter(app.world()).collect::<Vec<_>>() {
        app.world_mut().despawn(entity);
    }
}

#[test]
fn a_cleared_world_has_an_empty_scene() {
    let mut app = with_camera(Budget::UNLIMITED);
    for x in 0..100_u8 {
        app.spawn((at(x.into()), cape()));
    }
    app.update();
    assert_eq!(actors(&app), 100);
    clear(&mut app);
    app.update();
    assert_eq!(actors(&app), 0);
    assert_eq!(app.scene().views().count(), 0);
}

#[test]
fn a_clone_is_an_actor_of_its_own() {
    let mut app = with_camera(Budget::UNLIMITED);
    let one = app.spawn((at(2.0), cape()));
    app.update();
    let two = app.world_mut().entity_mut(one).clone_and_spawn();
    app.update();
    assert_eq!(actors(&app), 2);
    let both = [one, two].map(|entity| plan_of(&app, entity).expect("decided"));
    assert_ne!(both[0].actor, both[1].actor);
    assert_eq!(both[1].key, two.to_bits());
}

#[test]
fn existing_actors_are_added_with_the_plugin() {
    let mut app = App::new();
    let early = app.spawn((at(2.0), cape()));
    app.add_plugins((TransformPlugin, LodgerPlugin::new(Budget::UNLIMITED)));
    app.spawn((Transform::default(), LodView));
    app.add_plugins(LodModulePlugin::<Animation>::new(module("animation")));
    app.update();
    assert_eq!((actors(&app), level_of(&app, early)), (1, 3));
}

#[test]
fn a_disabled_actor_stays_in_the_plan() {
    let mut app = with_camera(Budget::UNLIMITED);
    let entity = app.spawn((at(50.0), cape()));
    let never_on = app.spawn((at(2.0), cape(), Disabled));
    app.update();
    let before = level_of(&app, entity);
    app.insert(entity, Disabled);
    app.update();
    assert_eq!((actors(&app), level_of(&app, entity)), (2, before));
    app.world_mut().despawn(never_on);
    app.update();
    assert_eq!(actors(&app), 1);
}

#[derive(Default, Component)]
struct Frozen;

#[derive(Default, Component)]
#[component(storage = "SparseSet")]
struct Asleep;

fn app_disabled_by<C: Component>() -> App {
    let mut app = App::new();
    app.world_mut().register_disabling_component::<C>();
    app.add_plugins((TransformPlugin, LodgerPlugin::new(Budget::UNLIMITED)));
    app.spawn((Transform::default(), LodView));
    app
}

fn assert_changes_are_applied_later<C: Component + Default>() {
    let mut app = app_disabled_by::<C>();
    let early = app.spawn((at(2.0), cape(), C::default()));
    app.add_plugins(LodModulePlugin::<Animation>::new(module("animation")));
    app.add_plugins(LodSwapPlugin::<Animation, Mesh>::default());
    let late = app.spawn((at(2.0), cape(), C::default()));
    let meshes = LodSwap::<Animation, _>::new([Mesh("card"), Mesh("low"), Mesh("high")]);
    let changed = app.spawn((at(2.0), cape()));
    let decided = app.spawn((at(2.0), cape(), meshes.clone()));
    app.update();
    assert_eq!((actors(&app), level_of(&app, changed)), (2, 3));

    for entity in [changed, decided] {
        app.insert(entity, C::default());
    }
    app.insert(changed, (Forced::new(0), meshes));
    let mut lods = app.world_mut().resource_mut::<LodPlan>();
    lods.module_mut::<Animation>()
        .expect("it was added")
        .set_lod_cap(Some(1))
        .expect("it is there");
    for _ in 0..3 {
        app.update();
    }
    assert_eq!((actors(&app), level_of(&app, decided)), (2, 3));
    level_changes(&mut app);

    for entity in [early, late, changed, decided] {
        app.remove::<C>(entity);
    }
    app.update();
    let levels = [early, late, changed, decided].map(|entity| level_of(&app, entity));
    assert_eq!((actors(&app), levels), (4, [1, 1, 0, 1]));
    let meshes = [changed, decided].map(|entity| app.world().get::<Mesh>(entity).cloned());
    assert_eq!(meshes, [Some(Mesh("card")), Some(Mesh("low"))]);
    let changes = level_changes(&mut app);
    assert!(changes.iter().any(|it| (it.entity, it.from, it.to) == (decided, Some(3), 1)));

    // Positions of few and of all actors are applied.
    set(&mut app, changed, at(5.0));
    app.update();
    let place = |app: &App, entity| app.scene().position(plan_of(app, entity)?.actor);
    assert_eq!(place(&app, changed), Some([5.0, 0.0, 0.0]));
    for entity in [early, late, changed, decided] {
        set(&mut app, entity, at(6.0));
    }
    app.update();
    assert_eq!(place(&app, late), Some([6.0, 0.0, 0.0]));
    app.world_mut().entity_mut(changed).insert(C::default()).remove::<Actor>();
    app.update();
    assert_eq!(actors(&app), 3);
}

#[test]
fn changes_while_disabled_are_applied_later() {
    assert_changes_are_applied_later::<Frozen>();
}

#[test]
fn changes_while_disabled_by_a_sparse_component_are_applied_later() {
    assert_changes_are_applied_later::<Asleep>();
}

#[test]
fn the_nearest_camera_sets_the_benefit() {
    let mut app = app(Budget::UNLIMITED);
    let actor = app.spawn((at(2.0), cape()));
    let mut benefit = |change: &mut dyn FnMut(&mut bevy_ecs::world::World)| {
        change(app.world_mut());
        app.update();
        plan_of(&app, actor).expect("decided").benefit.to_f64()
    };
    assert!(benefit(&mut |_| ()) < 1e-9, "no camera");
    let (mut near, mut far) = (None, None);
    let from_far = benefit(&mut |world| far = Some(world.spawn((at(40.0), LodView)).id()));
    assert!(from_far > 0.0);
    let from_near = benefit(&mut |world| near = Some(world.spawn((at(0.0), LodView)).id()));
    assert!(from_near > 10.0 * from_far);
    let near = near.expect("spawned");
    let off = benefit(&mut |world| _ = world.entity_mut(near).remove::<LodView>());
    assert!((off - from_far).abs() < 1e-9);
    let on = benefit(&mut |world| _ = world.entity_mut(near).insert(LodView));
    assert!((on - from_near).abs() < 1e-9);
    let gone = benefit(&mut |world| assert!(world.despawn(near)));
    assert!((gone - from_far).abs() < 1e-9);
    assert!(benefit(&mut |world| assert!(world.despawn(far.expect("spawned")))) < 1e-9);
    assert_eq!(app.scene().views().count(), 0);
}

#[test]
fn a_camera_moves_with_its_parent() {
    let mut app = app(Budget::UNLIMITED);
    let vehicle = app.spawn(at(10.0));
    app.spawn((at(1.0), LodView, ChildOf(vehicle)));
    app.update();
    set(&mut app, vehicle, at(20.0));
    app.update();
    let plan = app.world().resource::<LodPlan>();
    let (_, view) = plan.scene().views().next().expect("one");
    assert!((view.position()[0] - 21.0).abs() < 1e-5);
}
