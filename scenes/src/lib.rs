//! Readers of scenes, linksets and camera paths, with the location of every error.
//!
//! [`SceneFile::from_toml`], [`SceneFile::from_gltf`], [`SceneFile::from_gltf_with`] and
//! [`SceneFile::from_streamed_sog`] read a [`Scene`](lodger_scheduler::Scene) that is ready to tick, with the file's names
//! of its modules and actors. A name stands beside its handle, with which a plan is queried.
//! [`Linkset::from_toml`] reads objects that are to be linked, and a [`LinkReport`] says whether they can be.
//!
//! ```
//! use lodger_quota::{Quota, QuotaLimits};
//! use lodger_core::units::Budget;
//! use lodger_scenes::{EXAMPLE, SceneLimits, SceneFile, SceneOverrides};
//!
//! let settings = SceneOverrides { budget: Some(Budget::from_ns(4_000_000)), ..SceneOverrides::default() };
//! let quota = Quota::new(QuotaLimits::default());
//! let mut file = SceneFile::from_toml(EXAMPLE, &settings, SceneLimits::default(), &quota)?;
//! let plan = file.scene.tick();
//! for actor in &file.actors {
//!     let decided = plan.actor(actor.id).expect("no actor was despawned");
//!     println!("{}: LOD {}, {}", actor.name, decided.lod.to_f64(), decided.reason);
//! }
//! # Ok::<(), lodger_scenes::SceneFileError>(())
//! ```
//!
//! # Errors
//!
//! An [`SceneFileError`] has a message, a [`Subject`], a key, the bytes of the text, and usually help; [`SceneFileErrorKind`] is for callers
//! that add their own help. A [`Warning`] beside the scene reports unusual values. The constructors of [`lodger_core`] and
//! the scene validate values; this crate validates only what belongs to a format, such as names.
//!
//! # Untrusted files
//!
//! No file makes a reader panic. Memory and work are charged to a [`Quota`](lodger_quota::Quota) before they are used; the
//! caller accounts for the bytes of the file itself. A file takes the same units of work and bytes on every machine:
//!
//! - a byte of TOML is 17 units, a byte of glTF's JSON 4, a byte of a Streamed SOG 12, an element of a glTF buffer 16
//! - the memory for parsing TOML depends on its bytes, punctuation and blanks; tables of `[[actor]]` and `[[object]]` are
//!   parsed one by one, the rest at once
//! - the memory for parsing glTF's JSON depends on its objects, lists and commas
//! - an actor takes about 400 bytes and its name, and more for work that no other actor has
//!
//! Names of a glTF file are cut after 160 characters, and so is untrusted text in an [`SceneFileError`] or a [`Warning`].
#![forbid(unsafe_code)]

#[cfg(test)]
mod bounded;
mod builder;
mod camera_path;
mod error;
mod format;
mod gltf_scene;
mod link_report;
mod linkset;
mod numbers;
mod plan_report;
mod scene_file;
mod spans;
mod streamed_sog;
mod toml_scene;
mod toml_text;

pub use camera_path::CameraPath;
pub use error::{SceneFileError, SceneFileErrorKind, Warning};
pub use format::{SceneFormat, decode};
pub use link_report::{
    BetterLinkOrder, LinkFailure, LinkGroup, LinkReport, LinkStep, SpanError, SpanReport,
    SphereReport, SupportPrim,
};
pub use linkset::{LinkObject, Linkset};
pub use numbers::{CostAmount, CostUnit};
pub use plan_report::{ActorReports, LevelReport, PlanReport, PlannedActor, PlannedModule};
pub use scene_file::{
    ASSUMED_SHARES, LadderSource, NamedActor, NamedModule, PolicyName, SceneFile, SceneLimits,
    SceneOverrides,
};
pub use spans::{Subject, span_of};

/// A scene in TOML that explains all keys.
pub const EXAMPLE: &str = include_str!("example.toml");

/// Compiles the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
