//! What the programs of lodger say to a person, and how they write it down.
//!
//! A [`Diagnostic`] says where, what and what to do. A [`Look`] says how wide and how colourful a table
//! may be, and [`layout`] begins one. [`Milliseconds`], [`Money`], [`Decimals`], [`length`], [`percent`] and [`count`]
//! are numbers for eyes. [`plain`] and [`clipped`] make a stranger's text safe to show, [`csv_text`] safe
//! for a spreadsheet; [`wrapped`], [`hint`] and [`labelled`] keep a sentence within the terminal.
//! [`command_line`] is what was asked for, [`become_program`] who does it where that is another program,
//! [`on_threads`] and [`on_so_many_threads`] where the work is done. [`output`] writes a
//! result as a whole or not at all, several files as one too, [`check_outputs`] not onto what is read; [`Progress`] says how far the
//! work has come; [`signals`] are those that ask a program to end.
//!
//! What is shown is of a stated length: a name of some 60 characters, a sentence of
//! [`LONGEST_SENTENCE`], whatever a stranger wrote.
//!
//! A leaf: nothing here knows what a scene, a mesh or a board is.
#![forbid(unsafe_code)]

mod allowance;
mod cells;
mod command_line;
mod csv_text;
mod decimals;
mod diagnostic;
mod excerpt;
pub mod layout;
mod long_table;
mod look;
mod mark;
mod number;
pub mod output;
mod plain;
mod programs;
mod progress;
mod same_file;
pub mod signals;
mod source;
mod threads;
mod wrap;

pub use allowance::{AllowanceArgs, raise};
pub use cells::{Segment, bar, share_out};
pub use command_line::command_line;
pub use csv_text::csv_text;
pub use decimals::Decimals;
pub use diagnostic::{Diagnostic, Severity, tell_all};
pub use long_table::{greatest, write_table};
pub use look::Look;
pub use mark::Mark;
pub use number::{Milliseconds, Money, count, length, percent};
pub use output::Target;
pub use plain::{LONGEST_SENTENCE, clipped, plain};
pub use programs::become_program;
pub use progress::Progress;
pub use same_file::{check_outputs, is_same_file};
pub use source::Source;
pub use threads::{on_so_many_threads, on_threads};
pub use wrap::{hint, labelled, tail, wrapped};

/// The examples of the README are compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
