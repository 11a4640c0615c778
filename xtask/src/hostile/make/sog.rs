//! Indices of a Streamed SOG.

use serde_json::{Value, json};

/// A leaf with so many levels, whose counts and errors begin with a number.
pub(crate) fn leaf(levels: usize, first: usize) -> Value {
    let lods: Value = (0..levels)
        .map(|level| {
            (
                level.to_string(),
                json!({"file": 0, "offset": 0, "count": first + 9 * (levels - level)}),
            )
        })
        .collect();
    let errors: Vec<_> = (0..levels).map(|level| first + level * level).collect();
    json!({"bound": {"min": [-1, 0, -1.5], "max": [1, 2, 1.5]}, "lods": lods, "errors": errors})
}

/// An index of a tree.
pub(crate) fn index(levels: usize, tree: &Value) -> Value {
    json!({"version": 1, "asset": {"generator": "none"}, "count": 1, "counts": [1], "lodLevels": levels,
        "lodErrors": true, "environment": null, "filenames": ["0_0/meta.json"], "tree": tree})
}

/// A node of these leaves.
pub(crate) fn node(leaves: &[Value]) -> Value {
    json!({"bound": {"min": [-1, 0, -1.5], "max": [1, 2, 1.5]}, "children": leaves})
}
