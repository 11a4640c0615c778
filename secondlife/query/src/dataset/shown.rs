//! Values as columns of texts.

use std::fmt::{Display, Write as _};

use arrow::array::StringBuilder;

/// Adds what a value is shown as, or null.
pub(super) fn append_shown(column: &mut StringBuilder, value: Option<impl Display>) {
    match value {
        Some(value) => {
            // A column takes all that is written; the value that it has begun ends here.
            let _ = write!(column, "{value}");
            column.append_value("");
        }
        None => column.append_null(),
    }
}
