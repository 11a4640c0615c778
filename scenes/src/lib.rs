//! What people write about scenes, read with a place for every mistake.
//!
//! [`SceneFile::from_toml`], [`SceneFile::from_gltf`] and [`SceneFile::from_gltf_with`] read a scene: a
//! [`Scene`](lodger_scheduler::Scene) that is ready to tick, and what its file calls the modules and
//! actors in it. Who is who goes by handles: an actor's name stands beside its
//! [`ActorId`](lodger_scheduler::ActorId), by which a plan is asked. [`Linkset::from_toml`] reads objects
//! that are to be linked.
//!
//! ```
//! use lodger_scenes::{EXAMPLE, Limits, SceneFile, Settings};
//! use lodger_core::units::Budget;
//!
//! let settings = Settings { budget: Some(Budget::from_ns(4_000_000)), ..Settings::default() };
//! let mut file = SceneFile::from_toml(EXAMPLE, &settings, Limits::default())?;
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
//! Nothing that a file contains makes a reader panic. How much of it is taken is up to [`Limits`].
#![forbid(unsafe_code)]

mod error;
mod format;
mod gltf_error;
mod gltf_scene;
mod ladder;
mod limits;
mod linkset;
mod names;
mod number;
mod numbers;
mod place;
mod scene_file;
mod settings;
mod text;
mod toml_error;
mod toml_scene;
mod warning;
mod work;

pub use error::{Error, ErrorKind};
pub use format::Format;
pub use gltf_error::{
    BufferError, DataError, GltfError, JsonError, MeshError, NodeError, OutsideError, SkinError,
};
pub use ladder::{ASSUMED_SHARES, LadderSource};
pub use limits::Limits;
pub use linkset::{LinkObject, Linkset};
pub use place::{Subject, span_of};
pub use scene_file::{NamedActor, NamedModule, SceneFile};
pub use settings::Settings;
pub use text::decode;
pub use toml_error::TomlError;
pub use warning::{Warning, WarningKind};
pub use work::WorkError;

/// A scene in TOML that explains all of its keys.
pub const EXAMPLE: &str = include_str!("example.toml");
