//! Setters and getters of actors, modules and scenes.

use lodger_scheduler::{
    Actor, ActorId, ActorPlan, Benefit, BenefitValue, Budget, Hysteresis, Leftovers, Lod,
    LodControl, Module, Policy, Reason, Scene, UnitCost,
};
use lodger_testkit::script::{ScenePlayer, any_steps};
use proptest::prelude::*;

pub(crate) const LEFTOVERS: [Leftovers; 4] =
    [Leftovers::Keep, Leftovers::WithinModule, Leftovers::AcrossModules, Leftovers::WholeBudget];

fn ignore_previous_levels(scene: &mut Scene) {
    scene.set_hysteresis(Hysteresis::OFF);
    scene.set_max_upgrades(None);
    scene.set_cautious_start(false);
}

pub(crate) fn plans(scene: &mut Scene) -> Vec<ActorPlan> {
    scene.tick().actors().collect()
}

/// Builds a scene from another scene's getters, with actors in the order of slots.
fn rebuilt(scene: &Scene) -> Option<Scene> {
    let mut copy = Scene::new(scene.budget());
    copy.set_policy(scene.policy()).unwrap();
    copy.set_hysteresis(scene.hysteresis());
    copy.set_max_upgrades(scene.max_upgrades());
    copy.set_search_moves(scene.search_moves());
    copy.set_unmanaged_in_budget(scene.is_unmanaged_in_budget());
    copy.set_headroom_target(scene.headroom_target());
    copy.set_own_cost(scene.own_cost()).ok()?;
    copy.set_cautious_start(scene.has_cautious_start());
    for (id, view) in scene.views() {
        assert_eq!(scene.view(id), Some(view));
        copy.add_view(*view).ok()?;
    }
    for id in scene.modules() {
        let (name, cost) = (scene.module_name(id)?, scene.unit_cost(id)?);
        let mut module = Module::new(name, cost)
            .rule(*scene.benefit_rule(id)?)
            .managed(scene.is_managed(id)?)
            .priority(scene.module_priority(id)?)
            .outside(scene.outside(id)?)
            .overhead(scene.overhead(id)?)
            .continuous(scene.is_continuous(id)?);
        if let Some(value) = scene.benefit_value(id) {
            module = module.benefit_value(value);
        }
        if let Some(cap) = scene.lod_cap(id)? {
            module = module.lod_cap(cap);
        }
        copy.add_module(module).ok()?;
    }
    let modules: Vec<_> = copy.modules().collect();
    for id in scene.actors() {
        let mut actor = Actor::from_state(scene.state(id)?, scene.radius(id)?, scene.work(id)?)
            .lod_range(scene.lod_range(id)?)
            .visible(scene.is_visible(id)?)
            .priority(scene.priority(id)?)
            .key(scene.key(id)?);
        if let LodControl::Forced(lod) = scene.control(id)? {
            actor = actor.forced(lod);
        }
        let qualities = scene.qualities(id)?;
        actor = actor.qualities(&qualities);
        let module = scene.module_of(id)?;
        let spawned = copy.spawn(modules[usize::from(module.index())], actor).ok()?;
        if !scene.tests_views(module)? {
            copy.set_actor_in_view(spawned, scene.is_in_view(id)?).ok()?;
        }
        copy.set_benefit_override(spawned, scene.benefit_override(id)?).ok()?;
    }
    Some(copy)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn a_scene_that_is_built_from_its_getters_decides_the_same(calls in any_steps(60)) {
        let mut game = ScenePlayer::<f32>::started(&[]);
        for (call, index) in calls.into_iter().zip(0..) {
            game.apply_all(&[call]);
            if index % 16 == 0 {
                game.scene.tick();
            }
        }
        ignore_previous_levels(&mut game.scene);
        // A tick without a target resets the headroom.
        let target = game.scene.headroom_target();
        game.scene.set_headroom_target(None);
        game.scene.tick();
        game.scene.set_headroom_target(target);
        // The margins of new views are for all actors.
        for (id, view) in game.scene.views().map(|(id, view)| (id, *view)).collect::<Vec<_>>() {
            game.scene.remove_view(id).unwrap();
            game.scene.add_view(view).unwrap();
        }
        let mut copy = rebuilt(&game.scene).expect("every getter answers");
        let (mine, other) = (plans(&mut game.scene), plans(&mut copy));
        prop_assert_eq!(mine.len(), other.len());
        for (mine, other) in mine.iter().zip(&other) {
            let fields = |plan: &ActorPlan| {
                let module = plan.module.index();
                let decided = (plan.lod, plan.cost_ns, plan.share_ns, plan.source, plan.reason);
                (plan.key, module, plan.benefit, decided)
            };
            prop_assert_eq!(fields(mine), fields(other));
        }
    }

    /// An invisible actor counts like an actor of benefit 0, with another reason.
    #[test]
    fn an_invisible_actor_has_no_benefit(
        calls in any_steps(30),
        hidden in prop::collection::vec(any::<prop::sample::Index>(), 1..8),
        leftovers in prop::sample::select(&LEFTOVERS),
    ) {
        let mut game = ScenePlayer::<f32>::started(&calls);
        ignore_previous_levels(&mut game.scene);
        game.scene.set_policy(Policy::Proportional(leftovers)).unwrap();
        let actors = game.present();
        prop_assume!(!actors.is_empty());
        for &id in &actors {
            game.scene.set_visible(id, true).unwrap();
        }
        let (visible, mut worthless) = (game.scene.clone(), game.scene.clone());
        let hidden: Vec<_> = hidden.iter().map(|index| actors[index.index(actors.len())]).collect();
        for &id in &hidden {
            game.scene.set_visible(id, false).unwrap();
            worthless.set_benefit_override(id, Some(Benefit::ZERO)).unwrap();
        }
        for (got, mut expected) in plans(&mut game.scene).into_iter().zip(plans(&mut worthless)) {
            if hidden.contains(&got.actor) && got.share_ns.is_some() {
                expected.reason = Reason::Invisible;
            }
            prop_assert_eq!(got, expected);
        }
        prop_assert_eq!(game.scene.plan().quarantined(), worthless.plan().quarantined());
        for &id in &hidden {
            game.scene.set_visible(id, true).unwrap();
        }
        prop_assert_eq!(plans(&mut game.scene), plans(&mut visible.clone()), "visible again");
    }

    #[test]
    fn handles_and_keys_are_numbers(calls in any_steps(40), bits: u64, key: u64) {
        let mut game = ScenePlayer::<f32>::started(&calls);
        for id in game.present() {
            prop_assert_eq!(ActorId::from_bits(id.to_bits()), Some(id));
            prop_assert_eq!(id.to_bits() >> 40, u64::from(id.slot()));
            game.scene.set_key(id, key).unwrap();
            prop_assert_eq!(game.scene.key(id), Some(key));
        }
        prop_assert!(plans(&mut game.scene).iter().all(|plan| plan.key == key));
        for module in game.scene.modules() {
            prop_assert_eq!(lodger_scheduler::ModuleId::from_bits(module.to_bits()), Some(module));
        }
        for (view, _) in game.scene.views() {
            prop_assert_eq!(lodger_scheduler::ViewId::from_bits(view.to_bits()), Some(view));
        }
        // A random number is no handle, one that is rejected, or by chance a valid one.
        if let Some(id) = ActorId::from_bits(bits) {
            prop_assert_eq!(id.to_bits(), bits);
            prop_assert_eq!(game.scene.contains(id), game.present().contains(&id));
        }
    }
}

#[test]
fn handles_have_eight_bytes_and_no_zero() {
    assert_eq!(size_of::<Option<ActorId>>(), 8);
    assert_eq!(size_of::<Option<lodger_scheduler::ViewId>>(), 8);
    assert_eq!(size_of::<Option<lodger_scheduler::ModuleId>>(), 4);
    assert_eq!(ActorId::from_bits(0), None);
}

pub(crate) fn ns(nanoseconds: f64) -> UnitCost {
    UnitCost::from_ns(nanoseconds).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn a_cap_is_a_shorter_range_of_automatic_actors(
        calls in any_steps(40),
        caps in prop::collection::vec(prop::option::of(0_u8..5), 4),
    ) {
        let mut game = ScenePlayer::<f32>::started(&calls);
        ignore_previous_levels(&mut game.scene);
        for (&module, &cap) in game.modules.iter().zip(&caps) {
            game.scene.set_lod_cap(module, cap).unwrap();
            prop_assert_eq!(game.scene.lod_cap(module), Some(cap));
        }
        let mut shorter = game.scene.clone();
        for id in game.present() {
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

    #[test]
    fn units_are_the_sum_of_the_work(calls in any_steps(40)) {
        let mut game = ScenePlayer::<f32>::started(&calls);
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
fn a_cap_keeps_forced_levels_and_lowest_levels() {
    let mut scene = Scene::<f32>::new(Budget::UNLIMITED);
    let module = Module::new("", ns(1.0)).benefit_value(BenefitValue::from_ns(1_000)).lod_cap(1);
    let module = scene.add_module(module).unwrap();
    let work = [0, 1, 2, 3];
    let actor = Actor::from_benefit(Benefit::MAX, &work);
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
