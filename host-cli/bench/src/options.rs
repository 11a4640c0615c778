//! The options of `lodger bench`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use lodger_core::budget::MAX_ACTORS;

use crate::policy::PolicyName;

/// Where the picture goes unless it is said.
const PICTURE: &str = "lodger-bench.svg";
/// A sweep begins with so many.
pub(crate) const LEAST_ACTORS: u32 = 100;

/// What is measured, and what is written of it.
#[derive(Args, Debug)]
pub struct Options {
    /// How many actors, as in 250000, 250k or 4M [default: 1M; 10M for --sweep, as far as memory goes]
    #[arg(long, value_name = "N", value_parser = actors)]
    pub(crate) actors: Option<u32>,

    /// How many threads the scheduler may use; the textbook and the memory pass use one
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: u16,

    /// Which policies, with commas between them [default: all]
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) policy: Vec<PolicyName>,

    /// Measure 100, 1000, … actors and draw how the time of an actor grows [FILE.svg: lodger-bench.svg]
    #[arg(long, value_name = "FILE.svg", num_args = 0..=1, default_missing_value = PICTURE)]
    pub sweep: Option<PathBuf>,

    /// About how long each number of actors is measured; five rounds are made however long they take
    /// [default: 40; 10 for --sweep]
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u16).range(0..=3600))]
    pub(crate) seconds: Option<u16>,

    /// How to show the result
    #[arg(long, default_value = "table")]
    pub(crate) format: Form,

    /// Write to a file, as a whole or not at all
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// How a result is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// For eyes
    Table,
    /// One document, for scripts
    Json,
}

impl Options {
    /// The policies that are measured, in the order in which they are shown.
    pub(crate) fn policies(&self) -> Vec<PolicyName> {
        let wanted = |name: &PolicyName| self.policy.is_empty() || self.policy.contains(name);
        PolicyName::ALL.into_iter().filter(wanted).collect()
    }
}

/// A number of actors, which may be written in thousands (k) or millions (M).
fn actors(text: &str) -> Result<u32, String> {
    let scales = [("k", 1e3), ("K", 1e3), ("M", 1e6)];
    let scaled = scales.into_iter().find_map(|(unit, of)| Some((text.strip_suffix(unit)?, of)));
    let (digits, scale) = scaled.unwrap_or((text, 1.0));
    let number = digits.trim().parse::<f64>().ok().map(|number| number * scale);
    let (least, most) = (f64::from(LEAST_ACTORS), f64::from(MAX_ACTORS));
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within u32")]
    match number {
        Some(number) if number > most => {
            Err(format!("a scene holds at most {MAX_ACTORS} actors (2^24 - 1)"))
        }
        Some(number) if number >= least && number.fract() == 0.0 => Ok(number as u32),
        _ => Err(format!("a whole number is expected, from {LEAST_ACTORS} on, as in 250k or 4M")),
    }
}

#[cfg(test)]
mod tests {
    use super::actors;

    #[test]
    fn numbers_of_actors_are_whole_and_fit_into_a_scene() {
        for (text, number) in [("100", 100), ("2.5k", 2_500), ("1M", 1_000_000), ("1e5", 100_000)] {
            assert_eq!(actors(text), Ok(number));
        }
        assert_eq!(actors("16777215"), Ok(16_777_215));
        for wrong in ["99", "-1", "1.5", "many", "", "k", "NaN", "2.0001k"] {
            assert!(actors(wrong).is_err_and(|told| told.contains("whole number")), "{wrong}");
        }
        for large in ["16777216", "17M", "inf", "1e300"] {
            assert!(actors(large).is_err_and(|told| told.contains("at most 16777215")), "{large}");
        }
    }
}
