//! Units of cost, and conversions of a file's numbers.

use std::fmt;
use std::sync::Arc;

use lodger_core::error::{Quantity, ValueError, ValueProblem};
use lodger_core::units::ms;
use serde::Serialize;

const MAX_LEVELS: usize = 256;

/// Rounds to the nearest float; an error if a finite number becomes infinite. NaN and infinity pass.
#[expect(clippy::cast_possible_truncation, reason = "rounds to the nearest")]
pub(crate) fn coordinate(value: f64) -> Result<f32, ValueError> {
    let narrow = value as f32;
    if value.is_finite() && !narrow.is_finite() {
        return Err(ValueError::new(Quantity::Position, ValueProblem::TooLarge));
    }
    Ok(narrow)
}

/// As [`coordinate`], and an error if a number other than 0 becomes 0.
pub(crate) fn narrow(value: f64, quantity: Quantity) -> Result<f32, ValueError> {
    match coordinate(value) {
        Err(error) => Err(ValueError::new(quantity, error.problem())),
        Ok(0.0) if value != 0.0 => Err(ValueError::new(quantity, ValueProblem::TooSmall)),
        narrow => narrow,
    }
}

pub(crate) fn place([x, y, z]: [f64; 3]) -> Result<[f32; 3], ValueError> {
    Ok([coordinate(x)?, coordinate(y)?, coordinate(z)?])
}

/// The predicate of a sentence about rejected work; `None` for another reason. `cost` is a unit's, in milliseconds or
/// the scene's unit.
pub(crate) fn refused_work(
    refused: ValueError,
    work: &[u32],
    unit: &CostUnit,
    cost: f64,
) -> Option<String> {
    Some(match (refused.quantity(), refused.problem()) {
        (Quantity::Work, ValueProblem::Missing) => {
            "is empty, but must have the units at LOD 0 at least".to_owned()
        }
        (Quantity::Work, ValueProblem::TooLarge) => {
            format!("has {} LODs, but at most {MAX_LEVELS} are possible", work.len())
        }
        (Quantity::Work, ValueProblem::Decreasing) => {
            let (lod, pair) = work.windows(2).enumerate().find(|(_, pair)| pair[1] < pair[0])?;
            format!(
                "decreases from {} at LOD {lod} to {} at LOD {}, but higher LODs cannot cost less",
                pair[0],
                pair[1],
                lod + 1
            )
        }
        (Quantity::Cost, _) => {
            let (units, most) = (*work.last()?, u32::MAX);
            let (milliseconds, most) = match unit {
                CostUnit::Time => (" ms", "4.29 s".to_owned()),
                CostUnit::Named(_) => ("", most.to_string()),
            };
            format!(
                "of {units} units at {cost:?}{milliseconds} a unit costs more than the {most} that one \
                 actor may cost"
            )
        }
        _ => return None,
    })
}

/// A unit's name heads columns of tables.
const MAX_NAME: usize = 24;

/// The unit of a scene's costs, which are integers.
///
/// # Examples
/// ```
/// use lodger_scenes::CostUnit;
///
/// let splat = CostUnit::named("splat").expect("a valid name");
/// assert_eq!((CostUnit::Time.to_string(), splat.to_string()), ("ms".to_owned(), "splat".to_owned()));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum CostUnit {
    /// Nanoseconds, written as milliseconds in files and reports.
    #[default]
    Time,
    /// Things of this name, for example splats, bytes or tiles.
    Named(Arc<str>),
}

impl CostUnit {
    /// Creates a unit from a name of up to 24 letters, digits, `-` and `_` that starts with a letter. Returns `None` for
    /// another name and for a unit of time.
    ///
    /// # Examples
    /// ```
    /// use lodger_scenes::CostUnit;
    ///
    /// assert_eq!(CostUnit::named("splat").map(|unit| unit.to_string()).as_deref(), Some("splat"));
    /// assert!(CostUnit::named("ms").is_none() && CostUnit::named("").is_none());
    /// ```
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let is_word = name.starts_with(char::is_alphabetic)
            && name.chars().count() <= MAX_NAME
            && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'));
        let is_time = ["ms", "ns", "us", "s"].contains(&name.to_ascii_lowercase().as_str());
        (is_word && !is_time).then(|| Self::Named(name.into()))
    }

    /// Returns the name of the unit; `None` for time.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scenes::CostUnit;
    /// assert_eq!(CostUnit::named("tile").as_ref().and_then(CostUnit::name), Some("tile"));
    /// assert_eq!(CostUnit::Time.name(), None);
    /// ```
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Time => None,
            Self::Named(name) => Some(name),
        }
    }

    /// Converts a cost to an amount for display: nanoseconds become milliseconds, other units stay whole.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scenes::{CostAmount, CostUnit};
    /// assert_eq!(CostUnit::Time.amount(2_400_000), CostAmount::Milliseconds(2.4));
    /// assert_eq!(CostUnit::Named("splat".into()).amount(2_400_000), CostAmount::Whole(2_400_000));
    /// ```
    #[must_use]
    pub fn amount(&self, cost: u64) -> CostAmount {
        match self {
            Self::Time => CostAmount::Milliseconds(ms(cost)),
            Self::Named(_) => CostAmount::Whole(cost),
        }
    }
}

impl fmt::Display for CostUnit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name().unwrap_or("ms"))
    }
}

/// A cost for display, serialised as a number.
///
/// # Examples
/// ```
/// use lodger_scenes::CostAmount;
///
/// let amounts = [CostAmount::Milliseconds(2.4), CostAmount::Whole(15), CostAmount::Unlimited];
/// assert_eq!(serde_json::to_string(&amounts)?, "[2.4,15,null]");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(untagged)]
pub enum CostAmount {
    /// Milliseconds.
    Milliseconds(f64),
    /// Whole units.
    Whole(u64),
    /// No limit, serialised as null.
    Unlimited,
}

impl CostAmount {
    /// Converts the amount to a number; infinite without a limit.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scenes::CostAmount;
    /// assert_eq!(CostAmount::Whole(15).to_f64(), 15.0);
    /// assert_eq!(CostAmount::Unlimited.to_f64(), f64::INFINITY);
    /// ```
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "for display")]
    pub const fn to_f64(self) -> f64 {
        match self {
            Self::Milliseconds(ms) => ms,
            Self::Whole(units) => units as f64,
            Self::Unlimited => f64::INFINITY,
        }
    }
}
