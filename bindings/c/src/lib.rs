//! The scheduler for every language that can call C. `include/lodger.h` is the reference, and the README an introduction.
//!
//! Each function of the header is a function here with the same name. Rust programs use `lodger-scheduler` instead. From
//! Rust these functions are safe to call; making a pointer is unsafe, with the condition of the header:
//!
//! ```
//! # #![allow(unsafe_code)]
//! use lodger::abi::{SceneReport, Status};
//! use lodger::{In, Out, lodger_scene_create, lodger_scene_destroy, lodger_tick};
//!
//! // 2 ms a frame.
//! let mut scene = 0;
//! // SAFETY: both are valid for writing one value during the calls.
//! assert_eq!(lodger_scene_create(2_000_000, unsafe { Out::new(&raw mut scene) }), Status::OK);
//! let mut report = SceneReport { size: size_of::<SceneReport>() as u32, ..SceneReport::default() };
//! assert_eq!(lodger_tick(scene, unsafe { Out::new(&raw mut report) }), Status::OK);
//! assert_eq!(report.budget_ns, 2_000_000);
//!
//! // A stale handle is detected.
//! assert_eq!(lodger_scene_destroy(scene), Status::OK);
//! assert_eq!(lodger_scene_destroy(scene), Status::NO_SUCH_SCENE);
//! ```
//!
//! | task | functions |
//! |---|---|
//! | Set up | [`lodger_scene_create`], [`lodger_view_add`], [`lodger_module_add`], [`lodger_actors_spawn`] |
//! | Choose a policy | [`lodger_scene_set_policy`], [`lodger_scene_set_hysteresis`], [`lodger_scene_set_max_upgrades`] |
//! | Move actors and views | [`lodger_actors_set`], [`lodger_view_set`], [`lodger_scene_advance_ages`], [`lodger_scene_set_origin`] |
//! | Decide a frame | [`lodger_tick`] |
//! | Read the plan | [`lodger_actors_levels`], [`lodger_actors_lods`], [`lodger_changes`], [`lodger_actor_report_of`] |
//! | Report measured times | [`lodger_module_observe_time`], [`lodger_scene_frame_done`], [`lodger_scene_set_headroom_target`] |
//! | Explain a failure | [`lodger_last_error`], [`lodger_status_text`] |
//!
//! # Units
//!
//! Positions and radii are metres, ages seconds, costs and times nanoseconds, strides bytes.
//!
//! # Errors
//!
//! A call that can fail returns a [`Status`](abi::Status); 0 is success. A failed call leaves the scene unchanged, except
//! calls with many actors: they apply to all valid ones. A concurrent call on a scene returns [`BUSY`](abi::Status::BUSY)
//! at once. No panic crosses into C: the scene then returns [`PANICKED`](abi::Status::PANICKED) until it is destroyed.
//!
//! # Features
//!
//! Both are on by default, and off for browsers.
//!
//! - `threads`: all threads of a pool decide scenes with very many actors.
//! - `vectors`: loops over many actors use the widest vectors of the processor.

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
