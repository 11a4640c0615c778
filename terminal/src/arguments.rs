//! Options that several programs share, and parsers of their values.
//!
//! The error of a parser is the expected text, which follows clap's *invalid value*.

use std::fmt;
use std::io::{self, Write};
use std::path::PathBuf;
use std::str::FromStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use lodger_core::cost::ObjectScale;
use lodger_core::cost::physics::ShapeType;
use lodger_core::cost::streaming::StreamingRules;
use lodger_core::error::{Quantity, ValueError};
use lodger_quota::{QuotaExceeded, QuotaLimits};
use serde::Serialize;

use crate::{Diagnostic, OutputTarget, RenderOptions, output};

const MIB: u64 = 1 << 20;
const MILLION: u64 = 1_000_000;
/// More than any machine has.
const MAX: u64 = 1 << 30;
const NUMBER: &str = "a number is expected";
const WHOLE: &str =
    "a whole number below 2^53 is expected, as in 1500k, 2M or 2.5G; `inf` is unlimited";
/// The error of [`coordinates`].
pub const COORDINATES: &str = "three finite numbers are expected, as in 0,1.7,-4";

/// The quota of one file, as options.
#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Quota of a file")]
pub struct QuotaArgs {
    /// Memory quota of one file, in MiB
    #[arg(long, value_name = "MIB", default_value_t = QuotaLimits::default().memory / MIB,
        value_parser = clap::value_parser!(u64).range(1..=MAX))]
    memory: u64,

    /// Work quota of one file, in million units; a unit is about the work of reading a byte
    #[arg(long, value_name = "MILLIONS", default_value_t = QuotaLimits::default().work / MILLION,
        value_parser = clap::value_parser!(u64).range(1..=MAX))]
    work: u64,
}

impl QuotaArgs {
    /// Returns the limits that the options set.
    #[must_use]
    pub const fn limits(self) -> QuotaLimits {
        QuotaLimits { memory: self.memory * MIB, work: self.work * MILLION }
    }
}

/// Returns advice that names the option of an exceeded limit.
#[must_use]
pub const fn quota_help(exceeded: QuotaExceeded) -> &'static str {
    match exceeded {
        QuotaExceeded::Work { .. } => "raise --work",
        _ => "raise --memory",
    }
}

/// Creates the error of a file, a model or a simulation that exceeds its quota; `subject` names it.
#[must_use]
pub fn quota_exceeded(subject: &impl fmt::Display, exceeded: QuotaExceeded) -> Diagnostic {
    let message = fmt::from_fn(|f| exceeded.about(subject, f));
    Diagnostic::error(message.to_string()).help(quota_help(exceeded))
}

/// The output format of a command, as `--format` names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OutputFormat {
    /// A table
    Table,
    /// One JSON document
    Json,
    /// CSV rows
    Csv,
}

impl OutputFormat {
    /// Returns a parser of the formats of a command without CSV.
    #[must_use]
    pub fn table_or_json() -> impl TypedValueParser<Value = Self> {
        let formats = [Self::Table, Self::Json];
        let values = formats.into_iter().filter_map(|format| format.to_possible_value());
        PossibleValuesParser::new(values)
            .map(|name| if name == "json" { Self::Json } else { Self::Table })
    }

    /// Writes a report as JSON, or else as the table that `table` writes. A command with CSV writes it itself.
    ///
    /// # Errors
    /// The errors of [`output::write()`].
    pub fn write(
        self,
        target: OutputTarget<'_>,
        report: &impl Serialize,
        table: impl FnOnce(RenderOptions, &mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Diagnostic> {
        match self {
            Self::Json => output::write_json(target, report),
            Self::Table | Self::Csv => {
                output::write_with(target, |out| table(RenderOptions::for_target(target), out))
            }
        }
    }
}

/// The format and the file of a report, as options of a command without CSV.
#[derive(Args, Clone, Debug)]
pub struct ReportArgs {
    /// Output format
    #[arg(long, default_value = "table", value_parser = OutputFormat::table_or_json())]
    pub format: OutputFormat,

    /// Output file, written as a whole or not at all
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

impl ReportArgs {
    /// Returns the output of the report.
    #[must_use]
    pub fn target(&self) -> OutputTarget<'_> {
        OutputTarget::from_path(self.output.as_deref())
    }

    /// Writes a report as JSON, or else as the table that `table` writes.
    ///
    /// # Errors
    /// The errors of [`output::write()`].
    pub fn write(
        &self,
        report: &impl Serialize,
        table: impl FnOnce(RenderOptions, &mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Diagnostic> {
        self.format.write(self.target(), report, table)
    }
}

/// Parses a number.
///
/// # Errors
/// The text is no number.
pub fn number(text: &str) -> Result<f64, &'static str> {
    text.trim().parse().map_err(|_| NUMBER)
}

/// Parses a number and passes it to a constructor of lodger-core.
///
/// # Errors
/// The text is no number, or the constructor rejects it.
pub fn checked<T>(text: &str, constructor: fn(f64) -> Result<T, ValueError>) -> Result<T, String> {
    constructor(number(text)?).map_err(|error| match error.quantity() {
        Quantity::Budget => "a budget is at least 0; `inf` is unlimited".to_owned(),
        _ => format!("it {}", error.problem()),
    })
}

/// Parses a whole number below 2^53, also in thousands (k), millions (M) or billions (G).
///
/// # Errors
/// The text is no such number.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole and below 2^53")]
pub fn whole(text: &str) -> Result<u64, &'static str> {
    const END: f64 = 9_007_199_254_740_992.0;
    let exact = scaled(text)?;
    let number = exact.round();
    // 4.1 million is not exact in binary.
    let is_whole = (0.0..END).contains(&number) && (exact - number).abs() <= number * f64::EPSILON;
    is_whole.then_some(number as u64).ok_or(WHOLE)
}

/// Parses a number in ones, thousands (k or K), millions (M) or billions (G).
///
/// # Errors
/// The text is no number.
pub fn scaled(text: &str) -> Result<f64, &'static str> {
    let factors = [("k", 1e3), ("K", 1e3), ("M", 1e6), ("G", 1e9)];
    let found =
        factors.into_iter().find_map(|(unit, factor)| Some((text.strip_suffix(unit)?, factor)));
    let (digits, factor) = found.unwrap_or((text, 1.0));
    Ok(number(digits)? * factor)
}

/// Parses items between commas; `None` if one of them cannot be parsed.
#[must_use]
pub fn list<T: FromStr>(text: &str) -> Option<Vec<T>> {
    text.split(',').map(|part| part.trim().parse().ok()).collect()
}

/// Parses three coordinates between commas.
///
/// # Errors
/// [`COORDINATES`].
pub fn coordinates(text: &str) -> Result<[f32; 3], &'static str> {
    list(text).and_then(|parts| parts.try_into().ok()).ok_or(COORDINATES)
}

/// Parses the three sides of an object, in metres.
///
/// # Errors
/// The text is not three lengths, or no object has these sides.
pub fn scale(text: &str) -> Result<ObjectScale<f64>, String> {
    let sides = list(text).and_then(|parts| parts.try_into().ok());
    let sides = sides.ok_or("three lengths in metres are expected, as in 2,0.5,4")?;
    ObjectScale::new(sides).map_err(|error| error.to_string())
}

/// Returns a parser of the names of streaming rules.
#[must_use]
pub fn rules() -> impl TypedValueParser<Value = StreamingRules> {
    named(
        [
            (
                StreamingRules::WIKI,
                "The document's listing, with the viewer's defaults where it has none",
            ),
            (StreamingRules::VIEWER, "Current viewers"),
            (
                StreamingRules::GRID,
                "The live grid as announced: today's viewers × 0.85; unverified",
            ),
        ]
        .map(|(rules, help)| (rules.name, help, rules)),
    )
}

/// Returns a parser of physics shape types.
#[must_use]
pub fn shape() -> impl TypedValueParser<Value = ShapeType> {
    named([
        (
            "prim",
            "The asset's own shape: its decomposition, else its physics mesh",
            ShapeType::Prim,
        ),
        ("convex-hull", "One hull around everything; the default of a mesh", ShapeType::ConvexHull),
        ("none", "No collisions", ShapeType::None),
    ])
}

/// Returns a parser of values with a name and a help text each.
#[must_use]
pub fn named<T: Copy + Send + Sync + 'static, const N: usize>(
    values: [(&'static str, &'static str, T); N],
) -> impl TypedValueParser<Value = T> + use<T, N> {
    let names = values.map(|(name, help, _)| PossibleValue::new(name).help(help));
    PossibleValuesParser::new(names).try_map(move |text| {
        let found = values.into_iter().find(|(name, ..)| *name == text);
        found.map(|(.., value)| value).ok_or("there is no such value")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_have_factors() {
        for (text, number) in [("1500k", 1_500_000), ("2.5G", 2_500_000_000), ("4.1M", 4_100_000)] {
            assert_eq!(whole(text), Ok(number));
        }
        assert_eq!(whole("many"), Err(NUMBER));
        for wrong in ["1.5", "-1", "inf", "9007199254740992"] {
            assert_eq!(whole(wrong), Err(WHOLE), "{wrong}");
        }
    }
}
