//! Messages, tables, pictures and results of lodger's programs.
//!
//! A [`Diagnostic`] says what is wrong, at which place, and what to do. A [`Look`] says how wide and how colourful a
//! table may be, and [`layout`] begins one. [`Milliseconds`], [`Money`], [`Decimals`], [`length`], [`percent`] and
//! [`count`] format numbers. [`plain`] and [`clipped`] make untrusted text safe to show, [`csv_text`] safe for a
//! spreadsheet; [`wrapped`], [`hint`] and [`labelled`] keep a sentence within the terminal; [`plot`] draws pictures.
//!
//! [`command_line`] parses the arguments of a program, and [`arguments`] has the options and parsers that programs
//! share. [`exec_program`] becomes the program behind a subcommand, and a [`CommandSpec`] describes its options.
//! [`on_threads`] and [`on_so_many_threads`] set the threads of the work, [`Progress`] shows how far it is.
//! [`output`] writes a result as a whole or not at all, several files as one too; [`check_outputs`] rejects outputs
//! that are inputs; [`signals`] are those that ask a program to end.
//!
//! All that is shown has a stated length: a name about 60 characters, a sentence [`LONGEST_SENTENCE`].
//!
//! A leaf: of lodger's crates it knows the quota of a file and the numbers of core.
#![forbid(unsafe_code)]

pub mod arguments;
mod command_spec;
mod diagnostic;
pub mod layout;
mod numbers;
pub mod output;
pub mod plot;
mod render_options;
mod same_file;
pub mod signals;
mod subcommands;
mod text;
mod work;

pub use arguments::{OutputFormat, QuotaArgs, quota_exceeded, raise};
pub use command_spec::CommandSpec;
pub use diagnostic::{Diagnostic, Mark, Severity, Source, tell_all};
pub use layout::{greatest, write_table};
pub use numbers::{Decimals, Milliseconds, Money, count, length, percent};
pub use output::Target;
pub use render_options::{Look, Segment, bar, hint, labelled, share_out, wrapped};
pub use same_file::{check_outputs, is_same_file};
pub use subcommands::{command_line, describe_program, exec_program};
pub use text::{LONGEST_SENTENCE, clipped, csv_text, plain, tail};
pub use work::{Progress, on_so_many_threads, on_threads};

/// The examples of the README are compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
