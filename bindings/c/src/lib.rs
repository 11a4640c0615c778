//! The scheduler for every language that can call C; `include/lodger.h` is the reference.
//!
//! Each function of the header is a function here with the same name. `memory` accesses callers' pointers,
//! `handle_table` finds the scene, excludes concurrent changes and stops panics, and `error` has statuses and messages.
//!
//! Rust programs use `lodger-scheduler`. From Rust these functions are safe to call; making a pointer is unsafe, with
//! the condition of the header:
//!
//! ```
//! # #![allow(unsafe_code)]
//! use lodger::abi::{SceneReport, Status};
//! use lodger::{In, Out, lodger_scene_create, lodger_scene_destroy, lodger_tick};
//!
//! let mut scene = 0;
//! // SAFETY: both are valid for writing one value during the calls.
//! assert_eq!(lodger_scene_create(2_000_000, unsafe { Out::new(&raw mut scene) }), Status::OK);
//! let mut report = SceneReport { size: size_of::<SceneReport>() as u32, ..SceneReport::default() };
//! assert_eq!(lodger_tick(scene, unsafe { Out::new(&raw mut report) }), Status::OK);
//! assert_eq!(report.budget_ns, 2_000_000);
//! assert_eq!(lodger_scene_destroy(scene), Status::OK);
//! ```

pub mod abi;
mod desc;
mod error;
mod handle_table;
mod memory;
mod origin;

/// The functions of the header, by section.
mod calls {
    pub(crate) mod actors;
    pub(crate) mod frame;
    #[cfg(target_family = "wasm")]
    pub(crate) mod memory;
    pub(crate) mod modules;
    pub(crate) mod scene;
}

pub use calls::actors::*;
pub use calls::frame::*;
#[cfg(target_family = "wasm")]
pub use calls::memory::*;
pub use calls::modules::*;
pub use calls::scene::*;
pub use memory::{In, Out};
