//! What money counts.

use std::fmt;
use std::sync::Arc;

use lodger_core::units::ms;
use serde::Serialize;

/// More is no word for a table.
const LONGEST: usize = 24;

/// What the money of a scene counts. The ledger knows whole numbers only; this says what one of them is.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Unit {
    /// Nanoseconds, which people write and read as milliseconds.
    #[default]
    Time,
    /// Whole things of this name: splats, bytes, tiles.
    Named(Arc<str>),
}

impl Unit {
    /// The unit of that name; `None` if it is no word of letters, digits, `-` and `_`, or is one of time.
    ///
    /// # Examples
    /// ```
    /// use lodger_scenes::Unit;
    ///
    /// assert_eq!(Unit::named("splat").map(|unit| unit.to_string()).as_deref(), Some("splat"));
    /// assert!(Unit::named("ms").is_none() && Unit::named("").is_none());
    /// ```
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let is_word = name.starts_with(char::is_alphabetic)
            && name.chars().count() <= LONGEST
            && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'));
        let is_time = ["ms", "ns", "us", "s"].contains(&name.to_ascii_lowercase().as_str());
        (is_word && !is_time).then(|| Self::Named(name.into()))
    }

    /// Its name, unless it is time.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Time => None,
            Self::Named(name) => Some(name),
        }
    }

    /// So much of the ledger's money as people write it: milliseconds, or the same number.
    #[must_use]
    pub fn amount(&self, money: u64) -> Amount {
        match self {
            Self::Time => Amount::Milliseconds(ms(money)),
            Self::Named(_) => Amount::Whole(money),
        }
    }
}

/// `ms`, or the name.
impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name().unwrap_or("ms"))
    }
}

/// Money as people write it. Serialised, it is a number.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Amount {
    /// Milliseconds.
    Milliseconds(f64),
    /// Whole units.
    Whole(u64),
    /// Without limit: null.
    Unlimited,
}

impl Amount {
    /// The number; infinite if there is no limit.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "for eyes")]
    pub const fn to_f64(self) -> f64 {
        match self {
            Self::Milliseconds(ms) => ms,
            Self::Whole(units) => units as f64,
            Self::Unlimited => f64::INFINITY,
        }
    }
}
