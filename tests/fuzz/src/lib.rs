//! Entry points for fuzzing: each takes bytes, returns whether they are valid, and panics if a property does not
//! hold.
//!
//! The fuzz targets call them under libFuzzer; the tests of the workspace include this file, for a stable toolchain.

mod archive;
mod asset;
mod files;
mod pricing;
mod scenes;
pub mod seeds;
mod terminal;
mod wire;

pub use archive::{archive, entries, objects};
pub use asset::{asset, llsd};
pub use files::{choice, stream};
use lodger_quota::{Quota, QuotaLimits};
pub use pricing::pricing;
pub use scenes::{gltf, linkset, scene, sog};
pub use terminal::terminal;
pub use wire::{conform, telemetry};

/// A quota small enough that each input takes little time.
fn quota() -> Quota {
    Quota::new(QuotaLimits { memory: 64 << 20, work: 1 << 26 })
}

const ARCHIVE_LIMITS: lodger_opensim::archive::ArchiveLimits =
    lodger_opensim::archive::ArchiveLimits {
        entry_bytes: 1 << 20,
        entries: 1000,
        nesting: 64,
        errors: 100,
    };

const MESH_LIMITS: lodger_mesh_asset::AssetLimits =
    lodger_mesh_asset::AssetLimits { block_bytes: 1 << 20, values: 1 << 12 };
