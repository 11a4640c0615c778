//! The words of a plan, for reports.

use std::fmt;

use crate::decision::Control;

impl fmt::Display for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Automatic => "automatic",
            Self::Forced => "forced",
            Self::Unmanaged => "unmanaged",
        })
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Control {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
