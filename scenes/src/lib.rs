//! Reads scenes, linksets and camera paths. Every error has its location in the file.
//!
//! | file | reader | result |
//! |---|---|---|
//! | scene TOML; [`EXAMPLE`] explains all keys | [`SceneFile::from_toml`] | [`SceneFile`] |
//! | .glb, .gltf | [`SceneFile::from_gltf`], [`from_gltf_with`](SceneFile::from_gltf_with) | [`SceneFile`] |
//! | Streamed SOG | [`SceneFile::from_streamed_sog`] | [`SceneFile`] |
//! | linkset TOML | [`Linkset::from_toml`] | [`Linkset`], checked into a [`LinkReport`] |
//! | camera path TOML | [`CameraPath::from_toml`] | [`CameraPath`] |
//!
//! [`SceneFormat::detect`] tells scenes apart, and [`decode`] makes text of bytes. The caller reads the file: no
//! reader does I/O.
//!
//! # Examples
//!
//! Read a scene with another budget, tick it, and report the plan by names:
//!
//! ```
//! use lodger_core::units::Budget;
//! use lodger_quota::Quota;
//! use lodger_scenes::{EXAMPLE, PlanReport, SceneFile, SceneLimits, SceneOverrides};
//!
//! let overrides = SceneOverrides { budget: Some(Budget::from_ns(4_000_000)), ..SceneOverrides::default() };
//! let quota = Quota::default();
//! let mut file = SceneFile::from_toml(EXAMPLE, &overrides, SceneLimits::default(), &quota)?;
//! file.scene.tick();
//! let report = PlanReport::new(&mut file);
//! for actor in report.actors.iter() {
//!     println!("{}: LOD {}, {}", actor.name, actor.lod, actor.reason);
//! }
//! assert_eq!((report.budget.to_f64(), report.actors.len()), (4.0, 12));
//! # Ok::<(), lodger_scenes::SceneFileError>(())
//! ```
//!
//! # Errors
//!
//! A [`SceneFileError`] has a message, a [`Subject`], a key, a span of bytes, and usually help. Unusual values are a
//! [`Warning`] beside the scene.
//!
//! ```
//! # use lodger_scenes::*;
//! # let (overrides, limits, quota) = Default::default();
//! let text = EXAMPLE.replace("radius = 2.5", "radius = -2.5");
//! let error = SceneFile::from_toml(&text, &overrides, limits, &quota).unwrap_err();
//! assert_eq!(error.to_string(), "`radius` is -2.5, but must be a finite number of at least 0");
//! assert_eq!(error.span().map(|span| &text[span]), Some("-2.5"));
//! ```
//!
//! # Untrusted files
//!
//! No file makes a reader panic. Memory and work are charged to a [`Quota`](lodger_quota::Quota) before they are
//! used, except the bytes of the file itself. The charge is the same on every machine:
//!
//! | input | units of work | memory |
//! |---|---|---|
//! | TOML | 17 a byte | by bytes, punctuation and blanks of the text outside of `[[actor]]` and `[[object]]`, which are parsed one by one |
//! | glTF | 4 a byte of JSON, 16 an element of a buffer | by objects, lists and commas |
//! | Streamed SOG | 12 a byte | by nesting |
//! | actor | | about 400 bytes and its name; more if no other actor has the same work |
//!
//! Names of a glTF file, and untrusted text in a message, are cut after 160 characters.
#![forbid(unsafe_code)]

#[cfg(test)]
mod bounded;
mod builder;
mod camera_lens;
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

pub use camera_lens::CameraLens;
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
///
/// # Examples
/// ```
/// # use lodger_scenes::*;
/// # let (overrides, limits, quota) = Default::default();
/// let file = SceneFile::from_toml(EXAMPLE, &overrides, limits, &quota)?;
/// assert_eq!((file.modules.len(), file.actors.len()), (4, 12));
/// # Ok::<(), lodger_scenes::SceneFileError>(())
/// ```
pub const EXAMPLE: &str = include_str!("example.toml");

/// Compiles the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
