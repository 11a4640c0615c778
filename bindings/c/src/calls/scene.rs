//! Scenes, their settings and views, and the library itself.
#![allow(unsafe_code, reason = "a function that C calls has a name of its own in the program")]

use std::ffi::{CStr, c_char};
use std::time::Duration;

use lodger_scheduler::{Budget, HeadroomTarget, Hysteresis, Leftovers, Policy, View};

use crate::abi::{ABI_VERSION, SceneHandle, Status, ViewHandle};
use crate::error::{self, CallError};
use crate::handle_table;
use crate::memory::{In, Out};
use crate::origin::OriginScene;

/// The memory of search moves is allocated at once.
const MAX_SEARCH_MOVES: u32 = 1 << 16;

/// Creates a scene.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_scene_create(budget_ns: u64, out: Out<SceneHandle>) -> Status {
    handle_table::call(|| {
        out.check()?.write(handle_table::insert(OriginScene::new(Budget::from_ns(budget_ns)))?)
    })
}

/// Destroys a scene; running calls may finish.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_scene_destroy(scene: SceneHandle) -> Status {
    handle_table::call(|| if scene == 0 { Ok(()) } else { handle_table::remove(scene) })
}

/// Sets the budget.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_scene_set_budget(scene: SceneHandle, budget_ns: u64) -> Status {
    set(scene, |target| target.scene.set_budget(Budget::from_ns(budget_ns)))
}

/// Sets the policy.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_scene_set_policy(scene: SceneHandle, policy: u32) -> Status {
    handle_table::change(scene, |target| {
        target.scene.set_policy(match policy {
            0 => Policy::Proportional(Leftovers::Keep),
            1 => Policy::Proportional(Leftovers::WithinModule),
            2 => Policy::Proportional(Leftovers::AcrossModules),
            3 => Policy::Proportional(Leftovers::WholeBudget),
            4 => Policy::Optimal,
            _ => return Err(CallError::Argument("there is no such policy")),
        })?;
        Ok(())
    })
}

/// Sets the hysteresis, in 2⁻⁸.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_scene_set_hysteresis(
    scene: SceneHandle,
    margin: u8,
    dead_band: u8,
) -> Status {
    set(scene, |target| target.scene.set_hysteresis(Hysteresis { margin, dead_band }))
}

/// Sets the most actors that a tick may upgrade.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_scene_set_max_upgrades(scene: SceneHandle, most: u32) -> Status {
    set(scene, |target| target.scene.set_max_upgrades((most != u32::MAX).then_some(most)))
}

/// Sets the number of search moves of the optimal policy.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_scene_set_search_moves(scene: SceneHandle, moves: u32) -> Status {
    handle_table::change(scene, |target| {
        if moves > MAX_SEARCH_MOVES {
            return Err(CallError::Invalid("moves: more than 65536"));
        }
        target.scene.set_search_moves(moves as usize);
        Ok(())
    })
}

/// Sets the share of ticks whose work may exceed the budget.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_scene_set_headroom_target(scene: SceneHandle, part: f64) -> Status {
    handle_table::change(scene, |target| {
        let headroom = if part == 0.0 { None } else { Some(HeadroomTarget::new(part)?) };
        target.scene.set_headroom_target(headroom);
        Ok(())
    })
}

/// Ends a frame, whose time the headroom follows.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_scene_frame_done(scene: SceneHandle) -> Status {
    set(scene, |target| target.scene.frame_done())
}

/// Multiplies all unit costs and the own cost.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_scene_scale_costs(
    scene: SceneHandle,
    numerator: u32,
    denominator: u32,
) -> Status {
    handle_table::change(scene, |target| Ok(target.scene.scale_costs(numerator, denominator)?))
}

/// Sets the time of a tick itself.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_scene_set_own_cost(scene: SceneHandle, ns: u64) -> Status {
    handle_table::change(scene, |target| Ok(target.scene.set_own_cost(Duration::from_nanos(ns))?))
}

/// Records the measured time of a tick itself.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_scene_observe_own_time(scene: SceneHandle, ns: u64) -> Status {
    set(scene, |target| target.scene.observe_own_time(Duration::from_nanos(ns)))
}

/// Sets whether modules start cautiously.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_scene_set_cautious_start(scene: SceneHandle, cautious: u32) -> Status {
    set(scene, |target| target.scene.set_cautious_start(cautious != 0))
}

/// Sets whether unmanaged modules count in the budget.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_scene_set_unmanaged_in_budget(scene: SceneHandle, count: u32) -> Status {
    set(scene, |target| target.scene.set_unmanaged_in_budget(count != 0))
}

/// Sets whether ticks list changed actors.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_scene_track_changes(scene: SceneHandle, track: u32) -> Status {
    set(scene, |target| target.scene.track_changes(track != 0))
}

/// Moves the origin; positions in the world stay.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_scene_set_origin(scene: SceneHandle, origin: In<[f64; 3]>) -> Status {
    handle_table::change(scene, |target| target.set_origin(origin.one()?))
}

/// Writes the origin.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_scene_origin(scene: SceneHandle, out: Out<[f64; 3]>) -> Status {
    handle_table::read(scene, |target| out.write(target.origin()))
}

/// Adds to the ages of all actors.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_scene_advance_ages(scene: SceneHandle, seconds: f32) -> Status {
    handle_table::change(scene, |target| Ok(target.scene.advance_ages(seconds)?))
}

fn set(scene: SceneHandle, work: impl FnOnce(&mut OriginScene)) -> Status {
    handle_table::change(scene, |target| {
        work(target);
        Ok(())
    })
}

/// Adds a view.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_view_add(
    scene: SceneHandle,
    eye: In<[f64; 3]>,
    out: Out<ViewHandle>,
) -> Status {
    handle_table::change(scene, |target| {
        let (eye, out) = (eye.one()?, out.check()?);
        out.write(handle_table::of_view(target.add_view(eye)?))
    })
}

/// Moves a view; its zoom and its frustum stay.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_view_set(
    scene: SceneHandle,
    view: ViewHandle,
    eye: In<[f64; 3]>,
) -> Status {
    handle_table::change(scene, |target| target.move_view(handle_table::view(view)?, eye.one()?))
}

/// Sets the magnification of a view.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_view_set_zoom(scene: SceneHandle, view: ViewHandle, zoom: f64) -> Status {
    handle_table::change(scene, |target| {
        let id = handle_table::view(view)?;
        target.set_lens(id, target.view(id)?.zoom(zoom)?)
    })
}

/// Sets position, zoom and frustum of a view from a camera's matrices.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_view_set_matrices(
    scene: SceneHandle,
    view: ViewHandle,
    view_matrix: In<[f64; 16]>,
    projection: In<[f64; 16]>,
    reference_fov: f64,
    margin: f64,
) -> Status {
    handle_table::change(scene, |target| {
        let id = handle_table::view(view)?;
        let (view_matrix, projection) = (columns(view_matrix.one()?), columns(projection.one()?));
        let eye = View::<f64>::from_matrix(view_matrix)?.position();
        let mut view = View::from_matrices(view_matrix, projection)?;
        if let Some(degrees) = given_degrees(reference_fov) {
            view = view.reference_fov(degrees)?;
        }
        if let Some(degrees) = given_degrees(margin) {
            view = view.frustum_with_margin(degrees)?;
        }
        target.set_view(id, eye, view)
    })
}

/// Negative means none; the view rejects NaN.
fn given_degrees(degrees: f64) -> Option<f64> {
    if degrees < 0.0 { None } else { Some(degrees) }
}

fn columns(matrix: [f64; 16]) -> [[f64; 4]; 4] {
    std::array::from_fn(|column| std::array::from_fn(|row| matrix[column * 4 + row]))
}

/// Removes a view.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_view_remove(scene: SceneHandle, view: ViewHandle) -> Status {
    handle_table::change(scene, |target| target.remove_view(handle_table::view(view)?))
}

/// Returns the library's ABI version.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_abi_version() -> u32 {
    ABI_VERSION
}

/// Returns the text of a status; static, never null.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_status_text(status: Status) -> *const c_char {
    text(status).as_ptr()
}

fn text(status: Status) -> &'static CStr {
    match status {
        Status::OK => c"success",
        Status::NO_SUCH_SCENE => c"there is no such scene",
        Status::NO_SUCH_VIEW => c"there is no such view",
        Status::NO_SUCH_MODULE => c"there is no such module",
        Status::NO_SUCH_ACTOR => c"there is no such actor",
        Status::INVALID_VALUE => c"a value was refused",
        Status::INVALID_ARGUMENT => c"an argument is invalid",
        Status::BUSY => c"another thread uses this scene",
        Status::PANICKED => c"lodger panicked in this scene",
        _ => c"not a status of lodger",
    }
}

/// Writes the message of this thread's last failed call; returns its length in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_last_error(out: Out<c_char>, capacity: usize) -> usize {
    let text = error::last();
    // Without an output the length is still returned.
    let _ = out.write_text(&text, if out.is_null() { 0 } else { capacity.min(text.len() + 1) });
    text.len()
}
