//! Why the work of an actor cannot be so.

use std::fmt;

use lodger_core::error::{Error, Problem, Quantity};

use crate::unit::Unit;

/// Levels are counted in a byte.
const MOST_LEVELS: usize = 256;

/// Why the work of an actor cannot be so; its `Display` is the end of a sentence.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum WorkError {
    /// There is none.
    Empty,
    /// It has too many levels.
    TooManyLevels {
        /// How many it has.
        levels: usize,
    },
    /// A level is less work than the one below it.
    Decreases {
        /// The level from which it decreases.
        lod: usize,
        /// The work there.
        from: u32,
        /// The work one level higher.
        to: u32,
    },
    /// A level costs more than one actor may.
    TooExpensive {
        /// The work at the highest level.
        units: u32,
        /// What a unit costs, in milliseconds.
        unit_cost_ms: f64,
    },
    /// The same where money counts something else than time.
    TooMany {
        /// The work at the highest level.
        units: u32,
        /// What a unit costs.
        unit_cost: f64,
    },
}

impl WorkError {
    /// Finds in the work what a scene refused about it; `None` if the refusal is about something else. The
    /// unit cost is in the unit of the scene, as people write it.
    pub(crate) fn find(refused: Error, work: &[u32], unit: &Unit, cost: f64) -> Option<Self> {
        Some(match (refused.quantity(), refused.problem()) {
            (Quantity::Work, Problem::Missing) => Self::Empty,
            (Quantity::Work, Problem::TooLarge) => Self::TooManyLevels { levels: work.len() },
            (Quantity::Work, Problem::Decreasing) => {
                let (lod, pair) =
                    work.windows(2).enumerate().find(|(_, pair)| pair[1] < pair[0])?;
                Self::Decreases { lod, from: pair[0], to: pair[1] }
            }
            (Quantity::Cost, _) => match (*work.last()?, unit) {
                (units, Unit::Time) => Self::TooExpensive { units, unit_cost_ms: cost },
                (units, Unit::Named(_)) => Self::TooMany { units, unit_cost: cost },
            },
            _ => return None,
        })
    }
}

impl fmt::Display for WorkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("is empty, but must have the units at LOD 0 at least"),
            Self::TooManyLevels { levels } => {
                write!(f, "has {levels} LODs, but at most {MOST_LEVELS} are possible")
            }
            Self::Decreases { lod, from, to } => write!(
                f,
                "decreases from {from} at LOD {lod} to {to} at LOD {}, but higher LODs cannot cost \
                 less",
                lod + 1
            ),
            Self::TooExpensive { units, unit_cost_ms } => write!(
                f,
                "of {units} units at {unit_cost_ms:?} ms a unit costs more than the 4.29 s that one \
                 actor may cost"
            ),
            Self::TooMany { units, unit_cost } => write!(
                f,
                "of {units} units at {unit_cost:?} a unit costs more than the {} that one actor may cost",
                u32::MAX
            ),
        }
    }
}

impl std::error::Error for WorkError {}
