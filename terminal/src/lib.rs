//! Messages, tables, pictures and results of lodger's programs.
//!
//! | task | items |
//! |---|---|
//! | message with a location and advice | [`Diagnostic`], [`print_errors`] |
//! | table, sentence, bar | [`layout`], [`RenderOptions`], [`wrapped`], [`hint`], [`labelled`] |
//! | numbers | [`MillisecondFormat`], [`CostFormat`], [`DecimalFormat`], [`length`], [`percent`], [`count`] |
//! | untrusted text | [`sanitize`] and [`sanitize_to`] for terminals, [`csv_text`] for spreadsheets |
//! | pictures | [`plot`] |
//! | command line | [`command_line`], [`arguments`] |
//! | subcommands in programs of their own | [`exec_program`], [`CommandSpec`] |
//! | threads and progress | [`with_default_threads`], [`with_threads`], [`ProgressReport`] |
//! | results, written as a whole or not at all | [`output`], [`check_outputs`] |
//! | termination signals | [`signals`] |
//!
//! Every shown text has a bounded length: a name about 60 characters, a sentence [`MAX_SENTENCE`].
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

pub use arguments::{OutputFormat, QuotaArgs, quota_exceeded, quota_help};
pub use diagnostic::{Diagnostic, Severity, SourceFile, SpanLabel, print_errors};
pub use layout::{
    RenderOptions, StyledSegment, apportion, bar, greatest, hint, labelled, wrapped, write_table,
};
pub use numbers::{CostFormat, DecimalFormat, MillisecondFormat, count, length, percent};
pub use output::{OutputTarget, check_outputs, is_same_file};
pub use subcommands::{CommandSpec, command_line, describe_program, exec_program};
pub use text::{MAX_SENTENCE, csv_text, sanitize, sanitize_to, tail};
pub use work::{ProgressReport, with_default_threads, with_threads};

/// Compiles the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
