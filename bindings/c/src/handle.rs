//! The numbers that stand for actors, views and modules in C.
//!
//! The scheduler's own are small in a young process, and alike for all three kinds. Here each kind has its own
//! bits, so that one that is taken for another, or made up, is of nobody.

use lodger_scheduler::{ActorId, ModuleId, ViewId};

use crate::abi::{ActorHandle, ModuleHandle, SceneHandle, ViewHandle};
use crate::failure::Failure;

/// The last handle of a scene before the first.
pub(crate) const BEFORE_SCENES: SceneHandle = 0x1000_0000;

pub(crate) fn of_actor(id: ActorId) -> ActorHandle {
    !id.to_bits()
}

pub(crate) fn actor(handle: ActorHandle) -> Result<ActorId, Failure> {
    let id = if handle == 0 { None } else { ActorId::from_bits(!handle) };
    id.ok_or(Failure::NoSuchActor)
}

pub(crate) fn of_view(id: ViewId) -> ViewHandle {
    id.to_bits().reverse_bits()
}

pub(crate) fn view(handle: ViewHandle) -> Result<ViewId, Failure> {
    ViewId::from_bits(handle.reverse_bits()).ok_or(Failure::NoSuchView)
}

pub(crate) fn of_module(id: ModuleId) -> ModuleHandle {
    !id.to_bits()
}

pub(crate) fn module(handle: ModuleHandle) -> Result<ModuleId, Failure> {
    let id = if handle == 0 { None } else { ModuleId::from_bits(!handle) };
    id.ok_or(Failure::NoSuchModule)
}
