//! What people write about scenes, read with a place for every mistake.
//!
//! [`SceneFile::from_toml`], [`SceneFile::from_gltf`], [`SceneFile::from_gltf_with`] and
//! [`SceneFile::from_streamed_sog`] read a scene: a [`Scene`](lodger_scheduler::Scene) that is ready to tick,
//! and what its file calls the modules and actors in it. Who is who goes by handles: an actor's name stands beside its
//! [`ActorId`](lodger_scheduler::ActorId), by which a plan is asked. [`Linkset::from_toml`] reads objects
//! that are to be linked, and a [`LinkReport`] says whether they can be.
//!
//! ```
//! use lodger_allowance::{Allowance, Limits as Most};
//! use lodger_core::units::Budget;
//! use lodger_scenes::{EXAMPLE, Limits, SceneFile, Settings};
//!
//! let settings = Settings { budget: Some(Budget::from_ns(4_000_000)), ..Settings::default() };
//! let allowance = Allowance::new(Most::default());
//! let mut file = SceneFile::from_toml(EXAMPLE, &settings, Limits::default(), &allowance)?;
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
//! An [`Error`] says what is wrong ([`ErrorKind`], and in words its `Display`), about whom
//! ([`Subject`]) and which key, on which bytes of the text, and mostly what to do about it. What is odd
//! but possible is a [`Warning`] beside the scene. What may be written is decided where it goes: by the
//! constructors of [`lodger_core`] and by the scene itself, and only what is the format's own, such as
//! names, is decided here.
//!
//! # Strangers' files
//!
//! Nothing that a file contains makes a reader panic. What is made of a file is paid for before it is made,
//! from an [`Allowance`](lodger_allowance::Allowance), which does not count the bytes of the file itself:
//! whoever has read them has paid for them. The same file takes the same on every machine, in units of work
//! and in bytes, and no more bytes than were paid for:
//!
//! - a byte of TOML is 17 units, a byte of glTF's JSON 4, of a Streamed SOG's 12, an element of a glTF
//!   buffer 16
//! - memory for parsing goes by the marks of the text, such as brackets, dots and commas; the tables of
//!   `[[actor]]` and `[[object]]` are parsed one by one
//! - an actor that is kept takes some 400 bytes and its name, and work that no other actor has some more
//!
//! A name of a glTF file is cut after 160 characters, and so is every stranger's text in an [`Error`] or a
//! [`Warning`].
#![forbid(unsafe_code)]

#[cfg(test)]
mod bounded;
mod camera_path;
mod error;
mod format;
mod gltf_error;
mod gltf_scene;
mod ladder;
mod limits;
mod link_report;
mod linkset;
mod memory;
mod names;
mod number;
mod place;
mod plan_report;
mod policy;
mod quality;
mod scene_file;
mod settings;
mod sog_error;
mod streamed_sog;
mod text;
mod toml_error;
mod toml_outline;
mod toml_price;
mod toml_scene;
mod unit;
mod warning;
mod work;

pub use camera_path::CameraPath;
pub use error::{Error, ErrorKind};
pub use format::Format;
pub use gltf_error::{GltfError, MeshError, NodeError, SkinError};
pub use ladder::{ASSUMED_SHARES, LadderSource};
pub use limits::Limits;
pub use link_report::{
    Better, Held, LinkReport, Miss, Piece, SpanError, SpanReport, SphereReport, Step,
};
pub use linkset::{LinkObject, Linkset};
pub use place::{Subject, span_of};
pub use plan_report::{ActorReport, ActorReports, LevelReport, ModuleReport, PlanReport};
pub use policy::PolicyName;
pub use quality::QualityError;
pub use scene_file::{NamedActor, NamedModule, SceneFile};
pub use settings::Settings;
pub use sog_error::SogError;
pub use text::decode;
pub use toml_error::TomlError;
pub use unit::{Amount, Unit};
pub use warning::{Warning, WarningKind};
pub use work::WorkError;

pub use lodger_gltf::{BufferError, DataError, Error as FileError, JsonError, OutsideError};

/// A scene in TOML that explains all of its keys.
pub const EXAMPLE: &str = include_str!("example.toml");

/// The examples of the README are compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
