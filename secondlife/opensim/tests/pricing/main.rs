//! What the library promises beside its formulas, which are core's.

mod archives;
mod bounds;
mod meshes;
mod objects;
mod sample;

/// A quota that is enough for anything.
fn plenty() -> lodger_quota::Quota {
    lodger_quota::Quota::new(lodger_quota::QuotaLimits::default())
}

/// The usual limits within a quota.
fn within(quota: &lodger_quota::Quota) -> lodger_opensim::pricing::Within<'_> {
    lodger_opensim::pricing::Within { limits: lodger_mesh_asset::Limits::default(), quota }
}
