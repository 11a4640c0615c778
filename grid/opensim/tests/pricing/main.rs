//! What the library promises beside its formulas, which are core's.

#[path = "../archive/archive_files.rs"]
mod archive_files;
mod archives;
mod bounds;
mod meshes;
mod objects;
mod sample;

/// An allowance that is enough for anything.
fn plenty() -> lodger_allowance::Allowance {
    lodger_allowance::Allowance::new(lodger_allowance::Limits::default())
}

/// The usual limits within an allowance.
fn within(allowance: &lodger_allowance::Allowance) -> lodger_opensim::pricing::Within<'_> {
    lodger_opensim::pricing::Within { limits: lodger_mesh_asset::Limits::default(), allowance }
}
