//! Levels of detail within a millisecond budget, as a Bevy plugin.
#![forbid(unsafe_code)]

mod actor;
mod ages;
mod apply;
mod batch;
mod changed;
mod clock;
mod error;
mod exceptions;
mod follow;
mod handle;
mod kind;
mod lod;
#[cfg(feature = "overlay")]
mod overlay;
mod plan;
mod plugin;
mod report;
mod rows;
mod say;
mod sets;
mod settings;
mod swap;
mod sync;
mod view;

pub use lodger_scheduler as scheduler;

pub use actor::LodActor;
pub use batch::{SpawnLods, SpawnLodsLater};
pub use changed::LodChanged;
pub use clock::{LodClock, LodTimer};
pub use error::{LodError, LodProblem};
pub use exceptions::{ForcedLod, LodHidden, LodRange};
pub use handle::LodHandle;
pub use kind::LodModule;
pub use lod::Lod;
#[cfg(feature = "overlay")]
pub use overlay::{LodMark, LodOverlay, LodOverlayPlugin};
pub use plan::{LodModuleMut, LodPlan};
pub use plugin::{LodModulePlugin, LodgerPlugin};
pub use report::LodReport;
pub use sets::LodSystems;
pub use settings::{LodBudget, LodSettings};
pub use swap::{LodSwap, LodSwapPlugin};
pub use view::LodView;
