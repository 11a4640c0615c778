//! What comes out, as JSON of schema 1 has it.

pub(super) mod csv;
mod groups;
mod object;
mod rows;
mod sweep;
mod target;
mod weights;

pub(super) use groups::GroupRow;
pub(super) use object::ObjectRow;
pub(super) use rows::{FileRow, NoteRow, Report, Rows};
pub(super) use sweep::{Point, Sweep};
pub(super) use target::{Answer, Limit};
pub(super) use weights::PriceBasis;
