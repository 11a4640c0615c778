//! Scenes and linksets in TOML, and indices of a Streamed SOG.

use serde_json::{Value, json};

pub const HEAD: &str = "budget_ms = 8.0\n[[view]]\neye = [0.0, 1.7, 0.0]\nlook = [0.0, 1.7, -9.0]\nfov = 60.0\n\
    reference_fov = 60.0\nfrustum = true\nmargin = 2.0\n[[module]]\n\
    name = \"cloth\"\nunit_cost_ms = 0.0005\nbenefit_value = 6.0\nmax_distance = 60.0\n\
    weights = { distance = 0.7, speed = 0.3 }\nmax_speed = 12.0\n\
    priority = 2.0\noutside = 0.5\nquality = \"diminishing\"\n";

/// An actor of the module; `name` is quoted.
pub fn actor(name: &str) -> String {
    format!(
        "[[actor]]\nname = {name}\nmodule = \"cloth\"\nposition = [0.0, 1.2, -3.0]\nradius = 0.9\n\
         speed = 2.0\nwork = [0, 200, 600]\n"
    )
}

pub fn of_actors(count: usize) -> String {
    let mut text = HEAD.to_owned();
    for number in 0..count {
        text += &actor(&format!("\"actor {number}\""));
    }
    text
}

/// A linkset of distant objects of one prim, with names of `name_bytes` bytes.
pub fn linkset(objects: usize, name_bytes: usize) -> String {
    let object = |number: usize| {
        let digits = number.to_string();
        let name = "0".repeat(name_bytes.saturating_sub(digits.len())) + &digits;
        let place = number * 100;
        format!(
            "[[object]]\nname = \"{name}\"\n[[object.prim]]\nposition = [{place}, 0.0, 0.0]\n\
             scale = [0.5, 0.5, 0.5]\n"
        )
    };
    (0..objects).map(object).collect::<Vec<_>>().concat()
}

/// A leaf of `levels` levels, whose counts and errors begin at `first`.
pub fn sog_leaf(levels: usize, first: usize) -> Value {
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

pub fn sog_index(levels: usize, tree: &Value) -> Value {
    json!({"version": 1, "asset": {"generator": "none"}, "count": 1, "counts": [1], "lodLevels": levels,
        "lodErrors": true, "environment": null, "filenames": ["0_0/meta.json"], "tree": tree})
}

pub fn sog_node(leaves: &[Value]) -> Value {
    json!({"bound": {"min": [-1, 0, -1.5], "max": [1, 2, 1.5]}, "children": leaves})
}
