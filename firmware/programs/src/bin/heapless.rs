//! A heapless scene of 64 actors in 4 modules, with nearly all of its functions, under the proportional policy. It measures
//! the memory of such a scene and must not contain panics.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
mod device {
    use core::hint::black_box;

    use lodger_heapless::{
        Actor, ActorId, Benefit, BenefitValue, Budget, Fixed, Lod, Module, ModuleId, Real, Scene,
        SceneError, SelfTimed, UnitCost,
    };
    use lodger_programs::board::exit;
    use static_cell::ConstStaticCell;

    type Four = Scene<Fixed, 4, 64, 20, SelfTimed>;

    const WORK: [u32; 5] = [0, 10, 25, 50, 90];

    static SCENE: ConstStaticCell<Four> = ConstStaticCell::new(Scene::new());

    #[lodger_programs::board::entry]
    fn main() -> ! {
        let outcome = SCENE.try_take().map(live);
        exit((!matches!(outcome, Some(Ok(1..)))).into())
    }

    fn live(scene: &mut Four) -> Result<u64, SceneError> {
        let mut last = None;
        for _ in 0..4 {
            let module =
                Module::new(UnitCost::from_ns(100.0)?).benefit_value(BenefitValue::from_ns(9_000));
            let module = scene.add_module(module.overhead(3).lod_cap(3))?;
            for actor in 0..16 {
                last = Some((module, spawn(scene, module, black_box(actor))?));
            }
        }
        let Some((module, actor)) = last else { return Ok(0) };
        change(scene, module, actor)?;
        scene.set_cautious_start(true);
        scene.set_own_cost(black_box(1_000))?;
        scene.tick(Budget::from_ns(black_box(60_000)));
        scene.observe_time(module, black_box(9_000))?;
        scene.observe_own_time(black_box(1_100));
        scene.frame_done();
        scene.scale_costs(black_box(3), 2)?;
        scene.despawn(actor)?;
        spawn(scene, module, 3)?;
        let plan = scene.tick(Budget::from_ns(black_box(40_000)));
        let changed = plan.changes().count() + plan.levels(module).count() + plan.quarantined();
        black_box((changed, plan.module(module)));
        Ok(plan.assigned_ns())
    }

    fn spawn(scene: &mut Four, module: ModuleId, actor: u8) -> Result<ActorId, SceneError> {
        let number = Fixed::from_bits(i32::from(actor) << 16);
        let actor = if actor.is_multiple_of(2) {
            Actor::at([number, Fixed::ZERO, number], Fixed::ONE, &WORK)
        } else {
            Actor::from_benefit(Benefit::from_bits(u32::from(actor) << 12), &WORK)
        };
        Ok(scene.spawn(module, actor)?)
    }

    fn change(scene: &mut Four, module: ModuleId, actor: ActorId) -> Result<(), SceneError> {
        scene.set_eyes(&[[Fixed::ONE; 3]])?;
        scene.set_position(actor, [Fixed::ONE; 3])?;
        scene.set_benefit_override(actor, None)?;
        // There is no space for another ladder.
        let _ = black_box(scene.set_lod_range(actor, 1..=3));
        scene.force_lod(actor, Some(Lod::new(2, 0)))?;
        scene.force_lod(actor, None)?;
        scene.advance_ages(Fixed::ONE)?;
        scene.set_managed(module, true)?;
        scene.set_lod_cap(module, None)?;
        scene.set_unit_cost(module, UnitCost::from_ns(80.0)?)
    }
}

#[cfg(not(target_os = "none"))]
fn main() {}
