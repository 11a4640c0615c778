//! What people write about scenes, read with a place for every mistake.
//!
//! [`SceneFile::from_toml`], [`SceneFile::from_gltf`], [`SceneFile::from_gltf_with`] and
//! [`SceneFile::from_streamed_sog`] read a scene: a [`Scene`](lodger_scheduler::Scene) that is ready to tick,
//! and what its file calls the modules and actors in it. Who is who goes by handles: an actor's name stands beside its
//! [`ActorId`](lodger_scheduler::ActorId), by which a plan is asked. [`Linkset::from_toml`] reads objects
//! that are to be linked, and a [`LinkReport`] says whether they can be.
//!
//! ```
//! use lodger_quota::{Quota, QuotaLimits};
//! use lodger_core::units::Budget;
//! use lodger_scenes::{EXAMPLE, Limits, SceneFile, Settings};
//!
//! let settings = Settings { budget: Some(Budget::from_ns(4_000_000)), ..Settings::default() };
//! let quota = Quota::new(QuotaLimits::default());
//! let mut file = SceneFile::from_toml(EXAMPLE, &settings, Limits::default(), &quota)?;
//! let plan = file.scene.tick();
//! for actor in &file.actors {
//!     let decided = plan.actor(actor.id).expect("nobody was despawned");
//!     println!("{}: LOD {}, {}", actor.name, decided.lod.to_f64(), decided.reason);
//! }
//! # Ok::<(), lodger_scenes::Error>(())
//! ```
//!
//! # Mistakes
//!
//! An [`Error`] says what is wrong (its `Display`; [`ErrorKind`] is for callers that add help), about whom
//! ([`Subject`]) and which key, on which bytes of the text, and mostly what to do about it. What is odd
//! but possible is a [`Warning`] beside the scene. What may be written is decided where it goes: by the
//! constructors of [`lodger_core`] and by the scene itself, and only what is the format's own, such as
//! names, is decided here.
//!
//! # Strangers' files
//!
//! Nothing that a file contains makes a reader panic. What is made of a file is paid for before it is made,
//! from a [`Quota`](lodger_quota::Quota), which does not count the bytes of the file itself:
//! whoever has read them has paid for them. The same file takes the same on every machine, in units of work
//! and in bytes, and no more bytes than were paid for:
//!
//! - a byte of TOML is 17 units, a byte of glTF's JSON 4, of a Streamed SOG's 12, an element of a glTF
//!   buffer 16
//! - memory for parsing TOML goes by its bytes, marks and blanks; the tables of `[[actor]]` and
//!   `[[object]]` are parsed one by one, and all else is parsed at once
//! - parsing glTF's JSON takes memory for each object, list and comma
//! - an actor that is kept takes some 400 bytes and its name, and work that no other actor has some more
//!
//! A name of a glTF file is cut after 160 characters, and so is every stranger's text in an [`Error`] or a
//! [`Warning`].
#![forbid(unsafe_code)]

#[cfg(test)]
mod bounded;
mod builder;
mod camera_path;
mod error;
mod gltf_scene;
mod link_report;
mod linkset;
mod numbers;
mod place;
mod plan_report;
mod scene_file;
mod settings;
mod streamed_sog;
mod text;
mod toml_outline;
mod toml_scene;
mod toml_text;
mod unit;

pub use camera_path::CameraPath;
pub use error::{Error, ErrorKind, Warning};
pub use link_report::{
    Better, Held, LinkReport, Miss, Piece, SpanError, SpanReport, SphereReport, Step,
};
pub use linkset::{LinkObject, Linkset};
pub use place::{Subject, span_of};
pub use plan_report::{ActorReport, ActorReports, LevelReport, ModuleReport, PlanReport};
pub use scene_file::{ASSUMED_SHARES, LadderSource, NamedActor, NamedModule, SceneFile};
pub use settings::{Limits, PolicyName, Settings};
pub use text::{Format, decode};
pub use unit::{Amount, Unit};

/// A scene in TOML that explains all of its keys.
pub const EXAMPLE: &str = include_str!("example.toml");

/// The examples of the README are compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
