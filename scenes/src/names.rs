//! Names that must be unique.

use std::collections::HashMap;

use crate::error::{Error, ErrorKind};
use crate::place::Subject;

/// Refuses the second of two equal names.
pub(crate) fn unique<'a>(
    names: impl Iterator<Item = &'a str>,
    what: &'static str,
    subject: fn(usize) -> Subject,
) -> Result<(), Error> {
    let mut first_use = HashMap::new();
    for (index, name) in names.enumerate() {
        if let Some(first) = first_use.insert(name, index) {
            let kind = ErrorKind::Duplicate { what, name: name.to_owned() };
            return Err(Error::new(kind, subject(index), "name").earlier(subject(first)));
        }
    }
    Ok(())
}
