//! What the programs of lodger say to a person, and how they write it down.
//!
//! A [`Diagnostic`] says where, what and what to do. A [`Look`] says how wide and how colourful a table
//! may be, and [`layout`] begins one. [`Milliseconds`], [`Decimals`], [`length`], [`percent`] and [`count`] are numbers for
//! eyes,
//! and [`plain`] makes a stranger's text safe to show; [`wrapped`], [`hint`] and [`labelled`] keep a
//! sentence within the terminal. [`output`] writes a result as a whole or not at all; [`Progress`] says
//! how far the work has come; [`signals`] are those that ask a program to end.
//!
//! A leaf: nothing here knows what a scene, a mesh or a board is.
#![forbid(unsafe_code)]

mod allowance;
mod cells;
mod decimals;
mod diagnostic;
pub mod layout;
mod long_table;
mod look;
mod number;
pub mod output;
mod plain;
mod progress;
pub mod signals;
mod source;
mod wrap;

pub use allowance::{AllowanceArgs, raise};
pub use cells::share_out;
pub use decimals::Decimals;
pub use diagnostic::{Diagnostic, Mark, Severity};
pub use long_table::write_table;
pub use look::Look;
pub use number::{Milliseconds, count, length, percent};
pub use output::Target;
pub use plain::plain;
pub use progress::Progress;
pub use source::Source;
pub use wrap::{hint, labelled, tail, wrapped};
