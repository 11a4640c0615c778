//! The scheduler for every language that can call C: `include/lodger.h` has what is promised.
//!
//! Each function of the header is one here, of the same name, and does what the scheduler's method does. What a
//! call has beside that stands in three places: `memory` is the wall behind which a caller's pointers are followed,
//! `shelf` finds the scene, keeps threads apart and stops panics, `failure` is what is said when a call fails.
//!
//! Rust programs use `lodger-scheduler`. From Rust these functions are safe to call, and the pointers are made with
//! the promise that the header asks for:
//!
//! ```
//! # #![allow(unsafe_code)]
//! use lodger::abi::{Report, Status};
//! use lodger::{In, Out, lodger_scene_create, lodger_scene_destroy, lodger_tick};
//!
//! let mut scene = 0;
//! // SAFETY: both are good for writing one value, for as long as the calls.
//! assert_eq!(lodger_scene_create(2_000_000, unsafe { Out::new(&raw mut scene) }), Status::OK);
//! let mut report = Report { size: size_of::<Report>() as u32, ..Report::default() };
//! assert_eq!(lodger_tick(scene, unsafe { Out::new(&raw mut report) }), Status::OK);
//! assert_eq!(report.budget_ns, 2_000_000);
//! assert_eq!(lodger_scene_destroy(scene), Status::OK);
//! ```

pub mod abi;
mod calls;
mod desc;
mod failure;
mod memory;
mod place;
mod shelf;
mod status;

pub use calls::actors::*;
pub use calls::frame::*;
pub use calls::library::*;
#[cfg(target_family = "wasm")]
pub use calls::memory::*;
pub use calls::modules::*;
pub use calls::scene::*;
pub use calls::views::*;
pub use memory::{In, Out};
