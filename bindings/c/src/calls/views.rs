//! Views: eyes in the world.
#![allow(unsafe_code, reason = "a function that C calls has a name of its own in the program")]

use crate::abi::{SceneHandle, Status, ViewHandle};
use crate::handle;
use crate::memory::{In, Out};
use crate::shelf;

/// Adds an eye.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_view_add(
    scene: SceneHandle,
    eye: In<[f64; 3]>,
    out: Out<ViewHandle>,
) -> Status {
    shelf::change(scene, |placed| {
        let (eye, out) = (eye.one()?, out.check()?);
        out.write(handle::of_view(placed.add_view(eye)?))
    })
}

/// Moves an eye.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_view_set(
    scene: SceneHandle,
    view: ViewHandle,
    eye: In<[f64; 3]>,
) -> Status {
    shelf::change(scene, |placed| placed.set_view(handle::view(view)?, eye.one()?))
}

/// Removes an eye.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_view_remove(scene: SceneHandle, view: ViewHandle) -> Status {
    shelf::change(scene, |placed| placed.remove_view(handle::view(view)?))
}
