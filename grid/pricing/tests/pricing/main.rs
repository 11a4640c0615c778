//! What the library promises beside its formulas, which are core's.

#[path = "../../../archive/tests/archive/archive_files.rs"]
mod archive_files;
mod archives;
mod bounds;
mod meshes;
mod objects;
mod sample;
mod sizes;
