//! What every TOML file needs, be it a scene or a linkset: its text, its numbers, its names.

pub(super) mod number;
pub(super) mod numbers;
pub(super) mod text;

use std::collections::HashMap;

use crate::mistake::Mistake;
use crate::source::Subject;

/// Refuses the second of two equal names.
pub(super) fn unique_names<'a>(
    names: impl Iterator<Item = &'a str>,
    kind: &str,
    subject: fn(usize) -> Subject,
) -> Result<(), Mistake> {
    let mut first_use = HashMap::new();
    for (index, name) in names.enumerate() {
        if let Some(first) = first_use.insert(name, index) {
            return Err(Mistake::new(
                subject(index),
                "name",
                format!("there are two {kind}s called `{name}`; names must be unique"),
            )
            .earlier(subject(first)));
        }
    }
    Ok(())
}
