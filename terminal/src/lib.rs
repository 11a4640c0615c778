//! Writes the messages, tables, pictures and results of lodger's programs.
//!
//! ```
//! use lodger_terminal::{Diagnostic, MillisecondFormat, csv_text, sanitize_to};
//!
//! // The times of a column have the same number of decimals.
//! let column = MillisecondFormat::for_all([16.6, 2.25].into_iter());
//! assert_eq!([16.6, 2.25].map(|ms| column.show(ms)), ["16.60", "2.25"]);
//! assert_eq!(column.say(16.6), "16.6 ms");
//!
//! // Names of untrusted files cannot control the terminal or a spreadsheet.
//! assert_eq!(sanitize_to("red \x1b[31m chair", 12), "red ␛[31m ch…");
//! assert_eq!(csv_text("=HYPERLINK(A1)"), "'=HYPERLINK(A1)");
//!
//! // An error with advice, as `print` writes it to stderr.
//! let error = Diagnostic::error("`chair.glb` has no scene").help("choose one with --scene");
//! assert!(error.render(80).contains("choose one with --scene"));
//! ```
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
//! Times are milliseconds and lengths metres. Every shown text has a bounded length: a name about 60 characters, a
//! sentence [`MAX_SENTENCE`].
//!
//! # Errors
//!
//! Functions that fail return a [`Diagnostic`], which the program prints before it ends. [`quota_exceeded`] makes one for
//! an input that exceeds its quota.
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

pub use arguments::{OutputFormat, QuotaArgs, ReportArgs, quota_exceeded, quota_help};
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
