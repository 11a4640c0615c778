//! Messages, tables, pictures and results of lodger's programs.
//!
//! A [`Diagnostic`] is a message with a place and advice. A [`RenderOptions`] has the width and the colours of a table, and
//! [`layout`] creates tables. [`Milliseconds`], [`Money`], [`Decimals`], [`length`], [`percent`] and [`count`] format
//! numbers. [`plain`] and [`clipped`] make untrusted text safe for a terminal, [`csv_text`] for a spreadsheet;
//! [`wrapped`], [`hint`] and [`labelled`] keep a sentence within the terminal; [`plot`] draws pictures.
//!
//! [`command_line`] parses the arguments of a program, and [`arguments`] has shared options and parsers.
//! [`exec_program`] runs the program of a subcommand, and a [`CommandSpec`] describes its options. [`on_threads`] and
//! [`on_so_many_threads`] set the number of threads, [`ProgressReport`] shows a progress bar. [`output`] writes a result as
//! a whole or not at all, several files as one, too; [`check_outputs`] rejects outputs that are inputs; [`signals`]
//! handles termination signals.
//!
//! Every shown text has a bounded length: a name about 60 characters, a sentence [`LONGEST_SENTENCE`].
//!
//! Of lodger's crates it depends on lodger-quota and lodger-core only.
#![forbid(unsafe_code)]

pub mod arguments;
mod diagnostic;
pub mod layout;
mod numbers;
pub mod output;
pub mod plot;
pub mod signals;
mod subcommands;
mod text;
mod work;

pub use arguments::{OutputFormat, QuotaArgs, quota_exceeded, raise};
pub use diagnostic::{Diagnostic, Severity, SourceFile, SpanLabel, tell_all};
pub use layout::{
    RenderOptions, StyledSegment, bar, greatest, hint, labelled, share_out, wrapped, write_table,
};
pub use numbers::{Decimals, Milliseconds, Money, count, length, percent};
pub use output::{OutputTarget, check_outputs, is_same_file};
pub use subcommands::{CommandSpec, command_line, describe_program, exec_program};
pub use text::{LONGEST_SENTENCE, clipped, csv_text, plain, tail};
pub use work::{ProgressReport, on_so_many_threads, on_threads};

/// The examples of the README are compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
