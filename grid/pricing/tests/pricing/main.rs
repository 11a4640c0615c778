//! What the library promises beside its formulas, which are core's.

#[path = "../../../archive/tests/archive/archive_files.rs"]
mod archive_files;
mod archives;
mod meshes;
mod objects;
mod sample;
mod sizes;

/// An allowance that is enough for anything.
fn plenty() -> lodger_allowance::Allowance {
    lodger_allowance::Allowance::new(lodger_allowance::Limits::default())
}
