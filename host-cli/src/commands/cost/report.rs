//! What comes out, as JSON of schema 1 has it.

pub(super) mod csv;
mod rows;
mod sweep;
mod target;
mod weights;

pub(super) use rows::{FileRow, NoteRow, ObjectRow, Report, Rows};
pub(super) use sweep::{Point, Sweep};
pub(super) use target::{Answer, Limit};
