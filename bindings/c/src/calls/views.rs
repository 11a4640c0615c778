//! Views: eyes in the world.
#![allow(unsafe_code, reason = "a function that C calls has a name of its own in the program")]

use lodger_scheduler::ViewId;

use crate::abi::{SceneHandle, Status, ViewHandle};
use crate::failure::Failure;
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
        out.write(placed.add_view(eye)?.to_bits())
    })
}

/// Moves an eye.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_view_set(
    scene: SceneHandle,
    view: ViewHandle,
    eye: In<[f64; 3]>,
) -> Status {
    shelf::change(scene, |placed| placed.set_view(id(view)?, eye.one()?))
}

/// Removes an eye.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_view_remove(scene: SceneHandle, view: ViewHandle) -> Status {
    shelf::change(scene, |placed| placed.remove_view(id(view)?))
}

fn id(view: ViewHandle) -> Result<ViewId, Failure> {
    ViewId::from_bits(view).ok_or(Failure::NoSuchView)
}
