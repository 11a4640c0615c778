//! Why the quality of levels cannot be so.

use std::fmt;

use lodger_core::budget::Quality;

/// Why the quality of levels cannot be so; its `Display` is the end of a sentence.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum QualityError {
    /// That of a level is not from 0 to 1.
    Outside {
        /// The level.
        lod: usize,
        /// What is said of it.
        value: f64,
    },
    /// A level is worse than the one below it.
    Decreases {
        /// The level from which it decreases.
        lod: usize,
        /// The quality there.
        from: f64,
        /// The quality one level higher.
        to: f64,
    },
    /// There are more or fewer of them than levels.
    Count {
        /// How many there are.
        qualities: usize,
        /// How many levels there are.
        levels: usize,
    },
    /// A module has more or fewer of them than an actor has levels.
    CountOfModule {
        /// How many the module has.
        qualities: usize,
        /// How many levels the actor has.
        levels: usize,
    },
}

/// Numbers of a file as qualities.
pub(crate) fn qualities(numbers: &[f64]) -> Result<Vec<Quality>, QualityError> {
    let of = |(lod, &value)| Quality::new(value).map_err(|_| QualityError::Outside { lod, value });
    let qualities = numbers.iter().enumerate().map(of).collect::<Result<_, _>>()?;
    match numbers.windows(2).enumerate().find(|(_, pair)| pair[1] < pair[0]) {
        Some((lod, pair)) => Err(QualityError::Decreases { lod, from: pair[0], to: pair[1] }),
        None => Ok(qualities),
    }
}

impl fmt::Display for QualityError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Outside { lod, value } => {
                write!(f, "is {value:?} at LOD {lod}, but must be from 0 to 1")
            }
            Self::Decreases { lod, from, to } => write!(
                f,
                "decreases from {from:?} at LOD {lod} to {to:?} at LOD {}, but higher LODs cannot be \
                 worse",
                lod + 1
            ),
            Self::Count { qualities, levels } => {
                write!(f, "is of {qualities} LODs, but `work` has {levels}")
            }
            Self::CountOfModule { qualities, levels } => write!(
                f,
                "has {levels} LODs, but the `quality` of the module is of {qualities}: give the actor \
                 its own"
            ),
        }
    }
}

impl std::error::Error for QualityError {}
