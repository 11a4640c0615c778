//! A scene and its settings.
#![allow(unsafe_code, reason = "a function that C calls has a name of its own in the program")]

use lodger_scheduler::{Budget, HeadroomTarget, Leftovers, Policy, Stability};

use crate::abi::{SceneHandle, Status};
use crate::failure::Failure;
use crate::memory::{In, Out};
use crate::place::Placed;
use crate::shelf;

/// The memory of all trials is taken at once.
const MOST_TRIALS: u32 = 1 << 16;

/// Makes a scene.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_scene_create(budget_ns: u64, out: Out<SceneHandle>) -> Status {
    shelf::call(|| out.check()?.write(shelf::put(Placed::new(Budget::from_ns(budget_ns)))?))
}

/// Ends a scene; whoever is in it may finish.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_scene_destroy(scene: SceneHandle) -> Status {
    shelf::call(|| if scene == 0 { Ok(()) } else { shelf::take(scene) })
}

/// Sets the budget.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_scene_set_budget(scene: SceneHandle, budget_ns: u64) -> Status {
    set(scene, |placed| placed.scene.set_budget(Budget::from_ns(budget_ns)))
}

/// Sets how the budget is divided.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_scene_set_policy(scene: SceneHandle, policy: u32) -> Status {
    shelf::change(scene, |placed| {
        placed.scene.set_policy(match policy {
            0 => Policy::Proportional(Leftovers::Keep),
            1 => Policy::Proportional(Leftovers::WithinModule),
            2 => Policy::Proportional(Leftovers::AcrossModules),
            3 => Policy::Proportional(Leftovers::WholeBudget),
            4 => Policy::Optimal,
            _ => return Err(Failure::Argument("there is no such policy")),
        });
        Ok(())
    })
}

/// Sets how much better another plan has to be, in 2⁻⁸.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_scene_set_stability(
    scene: SceneHandle,
    margin: u8,
    reserve: u8,
) -> Status {
    set(scene, |placed| placed.scene.set_stability(Stability { margin, reserve }))
}

/// Sets how many actors a tick may raise at most.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_scene_set_max_raises(scene: SceneHandle, most: u32) -> Status {
    set(scene, |placed| placed.scene.set_max_raises((most != u32::MAX).then_some(most)))
}

/// Sets how many levels the optimal policy may try out.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_scene_set_trials(scene: SceneHandle, trials: u32) -> Status {
    shelf::change(scene, |placed| {
        if trials > MOST_TRIALS {
            return Err(Failure::Refused("trials: more than 65536"));
        }
        placed.scene.set_trials(trials as usize);
        Ok(())
    })
}

/// Sets in which part of all ticks the work may exceed the budget.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_scene_set_headroom_target(scene: SceneHandle, part: f64) -> Status {
    shelf::change(scene, |placed| {
        let target = if part == 0.0 { None } else { Some(HeadroomTarget::new(part)?) };
        placed.scene.set_headroom_target(target);
        Ok(())
    })
}

/// Sets whether modules that are not managed are paid for.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_scene_set_count_unmanaged(scene: SceneHandle, count: u32) -> Status {
    set(scene, |placed| placed.scene.set_count_unmanaged(count != 0))
}

/// Sets whether ticks list who changed.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_scene_track_changes(scene: SceneHandle, track: u32) -> Status {
    set(scene, |placed| placed.scene.track_changes(track != 0))
}

/// Moves the origin, and nobody in the world.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_scene_set_origin(scene: SceneHandle, origin: In<[f64; 3]>) -> Status {
    shelf::change(scene, |placed| placed.set_origin(origin.one()?))
}

/// Where the origin is.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_scene_origin(scene: SceneHandle, out: Out<[f64; 3]>) -> Status {
    shelf::read(scene, |placed| out.write(placed.origin()))
}

/// Ages all actors.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_scene_advance_ages(scene: SceneHandle, seconds: f32) -> Status {
    shelf::change(scene, |placed| Ok(placed.scene.advance_ages(seconds)?))
}

fn set(scene: SceneHandle, work: impl FnOnce(&mut Placed)) -> Status {
    shelf::change(scene, |placed| {
        work(placed);
        Ok(())
    })
}
