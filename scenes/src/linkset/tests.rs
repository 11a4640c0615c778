//! Linkset files.

use lodger_allowance::{Allowance, Limits};
use lodger_core::linkability::LinkPrim;

use super::Linkset;
use crate::Error;

const TABLE_AND_CHAIR: &str = "\
[[object]]
name = \"table\"
[[object.prim]]
position = [0, 0, 0.5]
scale = [2, 1, 1]

[[object]]
name = \"chair\"
[[object.prim]]
position = [1.5, 0, 0.25]
scale = [0.5, 0.5, 0.5]
[[object.prim]]
position = [1.7, 0, 0.75]
scale = [0.1, 0.5, 1]
";

fn read(text: &str) -> Result<Linkset, Error> {
    Linkset::from_toml(text, &Allowance::new(Limits::default()))
}

/// Line and column, from 1.
fn place(text: &str, at: usize) -> String {
    let before = &text[..at];
    let column = before.rsplit('\n').next().map_or(0, str::len) + 1;
    format!(":{}:{column}", before.matches('\n').count() + 1)
}

#[track_caller]
fn refuse(text: &str, parts: &[&str]) {
    let error = read(text).expect_err("a mistake");
    let places = [error.span(), error.first_use()].into_iter().flatten();
    let places: Vec<_> = places.map(|span| place(text, span.start)).collect();
    let said = format!("{error} {places:?} {}", error.help().unwrap_or_default());
    for part in parts {
        assert!(said.contains(part), "no {part:?} in:\n{said}");
    }
}

#[track_caller]
fn refuse_with(from: &str, to: &str, parts: &[&str]) {
    assert!(TABLE_AND_CHAIR.contains(from), "no {from:?}");
    refuse(&TABLE_AND_CHAIR.replacen(from, to, 1), parts);
}

#[test]
fn objects_and_prims_are_read_in_order() {
    let linkset = read(TABLE_AND_CHAIR).expect("a linkset");
    let names: Vec<_> = linkset.objects.iter().map(|object| object.name.as_str()).collect();
    assert_eq!(names, ["table", "chair"]);
    let back = LinkPrim { position: [1.7, 0.0, 0.75], scale: [0.1, 0.5, 1.0] };
    assert_eq!(linkset.objects[1].prims[1], back);
}

#[test]
fn a_mistake_is_told_with_its_place() {
    refuse("", &["no objects", "write `[[object]]`"]);
    refuse("[[object]]\nname = \"a\"\n", &["the object `a` has no prims", ":2:8"]);
    refuse_with("\"chair\"", "\"table\"", &["two objects called `table`", ":8:8", ":2:8"]);
    refuse_with("scale", "scael", &["unknown key `scael`", ":5:1", "did you mean `scale`?"]);
    refuse_with("scale = [2, 1, 1]\n", "", &["missing key `scale`", ":3:"]);
    refuse_with("[2, 1, 1]", "[2, 1]", &["an array of 3 numbers", ":5:9"]);
    refuse_with("[2, 1, 1]", "2", &["`object.prim.scale`", "an array of 3 numbers", ":5:9"]);
    refuse_with("\"table\"", "7", &["`object.name`", ":2:8"]);
    refuse("[object]\nname = \"a\"\n", &["`object`", "write `[[object]]`", ":1:1"]);
    refuse("[[object]]\nname = \"a\"\n[object.prim]\n", &["write `[[object.prim]]`", ":3:1"]);
    refuse("budget_ms = 5", &["unknown key `budget_ms`", ":1:1"]);
}

#[test]
fn numbers_are_finite_and_scales_not_negative() {
    refuse_with("[2, 1, 1]", "[2, -1, 1]", &["prim 1 of `table`: `scale` is -1", ":5:9"]);
    refuse_with("[2, 1, 1]", "[2, nan, 1]", &["`scale` is NaN"]);
    refuse_with("[0.1, 0.5, 1]", "[inf, 1, 1]", &["prim 2 of `chair`: `scale` is inf", ":14:9"]);
    refuse_with("[1.5, 0, 0.25]", "[1.5, -inf, 0]", &["`position` is -inf", ":10:12"]);
    refuse_with("[1.5, 0, 0.25]", "[-1.5, 0, nan]", &["`position` is NaN", ":10:12"]);
    refuse_with("[1.5, 0, 0.25]", "[1e200, 0, 0]", &["position is too large", ":10:12"]);
    let still = TABLE_AND_CHAIR.replace("[2, 1, 1]", "[0, 0, 0]").replace("1.5", "-1.5");
    assert!(read(&still).is_ok());
}
