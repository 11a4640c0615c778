//! Linkset files.

#[path = "../../../tests/cli/linkset_files.rs"]
mod linkset_files;

use linkset_files::TABLE_AND_CHAIR;

use super::{LinkPrim, load, read};
use lodger_terminal::Diagnostic;

#[track_caller]
fn refuse(text: impl Into<Vec<u8>>, parts: &[&str]) -> Diagnostic {
    let diagnostic = read("linkset.toml".to_owned(), text.into()).expect_err("a mistake");
    let said = diagnostic.render(120);
    let said: String = anstream::adapter::strip_str(&said).to_string();
    for part in parts {
        assert!(said.contains(part), "no {part:?} in:\n{said}");
    }
    diagnostic
}

#[track_caller]
fn refuse_with(from: &str, to: &str, parts: &[&str]) {
    assert!(TABLE_AND_CHAIR.contains(from), "no {from:?}");
    refuse(TABLE_AND_CHAIR.replacen(from, to, 1), parts);
}

#[test]
fn objects_and_prims_are_read_in_order() {
    let linkset = read("linkset.toml".to_owned(), TABLE_AND_CHAIR.into()).expect("a linkset");
    let names: Vec<_> = linkset.objects.iter().map(|object| object.name.as_str()).collect();
    assert_eq!(names, ["table", "chair"]);
    assert_eq!(linkset.source.name, "linkset.toml");
    let back = LinkPrim { position: [1.7, 0.0, 0.75], scale: [0.1, 0.5, 1.0] };
    assert_eq!(linkset.objects[1].prims[1], back);
}

#[test]
fn a_mistake_is_told_with_its_place() {
    refuse("", &["no objects", "linkset.toml", "write `[[object]]`"]);
    refuse("[[object]]\nname = \"a\"\n", &["the object `a` has no prims", "linkset.toml:2:8"]);
    refuse_with("\"chair\"", "\"table\"", &["two objects called `table`", ":8:8", ":2:8"]);
    refuse_with("scale", "scael", &["unknown key `scael`", ":5:1", "did you mean `scale`?"]);
    refuse_with("scale = [2, 1, 1]\n", "", &["missing key `scale`", "linkset.toml:3:"]);
    refuse_with("[2, 1, 1]", "[2, 1]", &["an array of 3 numbers", ":5:9"]);
    refuse_with("[2, 1, 1]", "2", &["`object.prim.scale`", "an array of 3 numbers", ":5:9"]);
    refuse_with("\"table\"", "7", &["`object.name`", ":2:8"]);
    refuse("[object]\nname = \"a\"\n", &["`object`", "write `[[object]]`", ":1:1"]);
    refuse("[[object]]\nname = \"a\"\n[object.prim]\n", &["write `[[object.prim]]`", ":3:1"]);
}

#[test]
fn numbers_are_finite_and_scales_not_negative() {
    refuse_with("[2, 1, 1]", "[2, -1, 1]", &["prim 1 of `table`: `scale` is -1", ":5:9"]);
    refuse_with("[2, 1, 1]", "[2, nan, 1]", &["`scale` is NaN"]);
    refuse_with("[0.1, 0.5, 1]", "[inf, 1, 1]", &["prim 2 of `chair`: `scale` is inf", ":14:9"]);
    refuse_with("[1.5, 0, 0.25]", "[1.5, -inf, 0]", &["`position` is -inf", ":10:12"]);
    let still = TABLE_AND_CHAIR.replace("[2, 1, 1]", "[0, 0, 0]").replace("1.5", "-1.5");
    assert!(read("linkset.toml".to_owned(), still.into()).is_ok());
}

#[test]
fn what_is_no_linkset_is_said() {
    refuse([0xff, 0xfe, 0, 0], &["UTF-16"]);
    refuse([b'#', 0xe9], &["offset 1", "a linkset is a TOML file in UTF-8"]);
    refuse("budget_ms = 5", &["unknown key `budget_ms`", "linkset.toml:1:1"]);
    let folder = tempfile::tempdir().expect("a folder");
    let nowhere = load(&folder.path().join("nowhere.toml")).expect_err("no file");
    assert!(nowhere.message.contains("cannot read the linkset"), "{}", nowhere.message);
    let file = folder.path().join("linkset.toml");
    std::fs::write(&file, TABLE_AND_CHAIR).expect("a file");
    assert_eq!(load(&file).expect("a linkset").objects.len(), 2);
}
