//! Measured times.

use lodger_heapless::{
    Actor, Benefit, BenefitValue, Budget, Module, ModuleId, Scene as AnyScene, SceneError, UnitCost,
};

type Scene = AnyScene<f32, 2, 8, 12>;

fn add(scene: &mut Scene, ns: f64) -> Result<ModuleId, SceneError> {
    scene.add_module(
        Module::new(UnitCost::from_ns(ns)?).benefit_value(BenefitValue::from_ns(1_000_000)),
    )
}

/// A module is summed by its calls until the first measured time, then by the tick.
#[test]
fn the_units_of_a_plan_count_despawned_actors_and_no_new_ones() -> Result<(), SceneError> {
    let mut scene = Scene::new();
    let modules = [add(&mut scene, 1.0)?, add(&mut scene, 1.0)?];
    let units = |scene: &Scene| {
        modules.map(|module| scene.plan().module(module).map_or(0, |plan| plan.units))
    };
    for frame in 0..3 {
        let mut actors = Vec::new();
        for (module, work) in
            [(modules[0], &[3, 40][..]), (modules[0], &[5, 600]), (modules[1], &[7_000])]
        {
            actors.push(scene.spawn(module, Actor::from_benefit(Benefit::MAX, work))?);
        }
        scene.tick(Budget::UNLIMITED);
        assert_eq!(units(&scene), [640, 7_000], "frame {frame}");
        scene.despawn(actors[0])?;
        scene.spawn(modules[0], Actor::from_benefit(Benefit::MAX, &[90_000]))?;
        assert_eq!(units(&scene), [640, 7_000], "frame {frame}");
        scene.observe_time(modules[0], 1_280)?;
        scene.despawn(actors[1])?;
        scene.despawn(actors[2])?;
        assert_eq!(units(&scene), [640, 7_000], "frame {frame}");
        for actor in scene.actors().collect::<Vec<_>>() {
            scene.despawn(actor)?;
        }
        scene.tick(Budget::UNLIMITED);
        assert_eq!(units(&scene), [0, 0], "frame {frame}");
    }
    // Three times twice the planned time.
    let mut expected = lodger_core::calibration::Calibration::new(UnitCost::from_ns(1.0)?);
    (0..3).for_each(|_| _ = expected.observe(640, 1_280));
    assert_eq!(scene.raw_unit_cost(modules[0]), Some(expected.raw_unit_cost()));
    Ok(())
}
