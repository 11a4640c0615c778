//! How much an input may cost, so that it is done in no time.

use lodger_allowance::Allowance;

/// What an input may take in all.
pub(crate) fn allowance() -> Allowance {
    Allowance::new(lodger_allowance::Limits { memory: 64 << 20, work: 1 << 26 })
}

/// Of an archive.
pub(crate) const OF_ARCHIVES: lodger_opensim::archive::Limits = lodger_opensim::archive::Limits {
    entry_bytes: 1 << 20,
    entries: 1000,
    nesting: 64,
    errors: 100,
};

/// Of a mesh asset: a block inflates to no more.
pub(crate) const OF_MESHES: lodger_mesh_asset::Limits =
    lodger_mesh_asset::Limits { block_bytes: 1 << 20, values: 1 << 12 };
