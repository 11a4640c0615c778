//! `lodger linkset` on objects of archives.

use lodger_testkit::build::archive::{
    ArchiveFile, BLOCK, PartXml, coalesced, id, object_asset, region_object,
};
use serde_json::{Value as Json, json};

use crate::run::{RunOutput, TestFolder, lodger};

fn offset(part: PartXml, [x, y, z]: [f64; 3]) -> PartXml {
    part.with("OffsetPosition", &format!("<X>{x}</X><Y>{y}</Y><Z>{z}</Z>"))
}

fn place(part: PartXml, position: [f64; 3]) -> PartXml {
    let [x, y, z] = position.map(|metres| metres.to_string());
    part.at(&x, &y, &z)
}

/// Two cubes of 10 m, so far apart along x, as one object.
fn pair(name: &str, distance: f64, position: [f64; 3]) -> String {
    let cube = |name: &str| PartXml::cube(name).scale("10", "10", "10");
    let other = offset(cube("other"), [distance, 0.0, 0.0]);
    region_object(&place(cube(name), position), &[place(other, position)])
}

fn run(folder: &TestFolder, arguments: &[&str]) -> RunOutput {
    folder.run(&[&["linkset"], arguments].concat())
}

/// Exit code and JSON.
fn asked(folder: &TestFolder, arguments: &[&str]) -> (Option<i32>, Json) {
    let outcome = run(folder, &[arguments, &["--format", "json"]].concat());
    (outcome.code, outcome.json())
}

fn region() -> Vec<u8> {
    ArchiveFile::new()
        .with("objects/near.xml", pair("near", 36.0, [100.0, 100.0, 20.0]))
        .with("objects/far.xml", pair("far", 60.0, [150.0, 100.0, 20.0]))
        .with("objects/low.xml", pair("low", 1.0, [100.0, 100.0, 40.0]))
        .gzip()
}

#[test]
fn one_object_is_taken_apart() {
    let folder = lodger().with("region.oar", region());
    let (code, answer) = asked(&folder, &["region.oar:near", "--rule", "span"]);
    let whole = json!({
        "schema": 1, "rule": "span", "linkable": true, "groups": [["near", "other"]], "misses": []
    });
    assert_eq!((code, answer), (Some(0), whole));
    let (code, answer) = asked(&folder, &["region.oar:far"]);
    assert_eq!((code, &answer["diameter"], &answer["prims"]), (Some(1), &json!(60.0), &json!(2)));
    let table = run(&folder, &["region.oar:far"]).stdout;
    assert!(table.contains("Not linkable by the sphere rule: far, other"), "{table}");
}

#[test]
fn several_objects_are_put_together_where_they_stand() {
    let folder = lodger().with("region.oar", region());
    let (code, answer) = asked(&folder, &["region.oar:near", "region.oar:low"]);
    // From 100, 100, 40 to 136, 100, 20.
    let diameter = 36.0_f64.hypot(20.0);
    assert_eq!(code, Some(0), "{answer}");
    assert!((answer["diameter"].as_f64().expect("metres") - diameter).abs() < 1e-6, "{answer}");
    assert_eq!(answer["prims"], 4);
    let (code, answer) = asked(&folder, &["region.oar:near", "region.oar:far", "--rule", "span"]);
    assert_eq!((code, &answer["groups"]), (Some(1), &json!([["near"], ["far"]])));
}

#[test]
fn a_turned_object_turns_its_parts() {
    // A quarter turn about z: the part 20 m along x is 20 m along y.
    let half = 0.5_f64.sqrt();
    let turn = format!("<X>0</X><Y>0</Y><Z>{half}</Z><W>{half}</W>");
    let root = place(PartXml::cube("turned"), [100.0, 100.0, 20.0]).with("RotationOffset", &turn);
    let part = offset(PartXml::cube("arm"), [20.0, 0.0, 0.0]);
    let post = region_object(&place(PartXml::cube("post"), [100.0, 120.0, 20.0]), &[]);
    let archive = ArchiveFile::new()
        .with("objects/turned.xml", region_object(&root, &[part]))
        .with("objects/post.xml", post);
    let folder = lodger().with("region.oar", archive.gzip());
    let (_, answer) = asked(&folder, &["region.oar:turned", "region.oar:post"]);
    assert!((answer["diameter"].as_f64().expect("metres") - 20.0).abs() < 1e-6, "{answer}");
}

#[test]
fn names_become_unique() {
    let table =
        region_object(&PartXml::cube("table"), &[PartXml::cube("leg"), PartXml::cube("leg")]);
    let folder =
        lodger().with("region.oar", ArchiveFile::new().with("objects/a.xml", table).gzip());
    let (_, answer) = asked(&folder, &["region.oar", "--rule", "span"]);
    assert_eq!(answer["groups"], json!([["table", "leg #2", "leg #3"]]));
}

#[test]
fn one_name_means_one_object() {
    let lamp = |x: usize| {
        let root = PartXml::cube("lamp").at(&x.to_string(), "2", "3");
        region_object(&root, &[])
    };
    let archive = (1..=6).fold(ArchiveFile::new(), |archive, number| {
        let path = format!("objects/lamp_{number}__{}.xml", id(number));
        archive.with(&path, lamp(number))
    });
    let folder = lodger().with("region.oar", archive.gzip());
    let said = "`region.oar:lamp` means 6 objects; choose one by its UUID, as `region.oar:UUID`";
    let told = [said, &id(1), "`lamp`", "… and 2 more"];
    run(&folder, &["region.oar:lamp"]).fails_with(&told);
    run(&folder, &["region.oar"]).fails_with(&["`region.oar` means 6 objects"]);
    run(&folder, &[&format!("region.oar:{}", id(3))]).succeeds();
    run(&folder, &["region.oar:lamb"]).fails_with(&["no object called `lamb`", "`lamp`"]);
}

#[test]
fn objects_without_a_place_are_only_taken_apart() {
    let object = |name: &str| object_asset(&PartXml::cube(name), &[PartXml::cube("part")]);
    let archive = ArchiveFile::new()
        .with(&format!("assets/{}_object.xml", id(1)), object("chair"))
        .with(&format!("assets/{}_object.xml", id(2)), object("table"));
    let folder = lodger()
        .with("mine.iar", archive.gzip())
        .with("lamp_object.xml", object("lamp"))
        .with("two_object.xml", coalesced(&[object("one"), object("two")]));
    run(&folder, &["mine.iar:chair"]).succeeds();
    run(&folder, &["lamp_object.xml"]).succeeds();
    run(&folder, &["two_object.xml:one"]).succeeds();
    let told = ["`chair` stands in no region", "where they stand"];
    run(&folder, &["mine.iar:chair", "mine.iar:table"]).fails_with(&told);
    run(&folder, &["two_object.xml"]).fails_with(&["means 2 objects"]);
}

#[test]
fn regions_apart_are_not_near() {
    let cube = |name: &str| region_object(&place(PartXml::cube(name), [1.0, 2.0, 3.0]), &[]);
    let archive = ArchiveFile::new()
        .with("regions/1_1_home/objects/a.xml", cube("a"))
        .with("regions/1_2_away/objects/b.xml", cube("b"));
    let folder = lodger().with("both.oar", archive.gzip());
    run(&folder, &["both.oar:a", "both.oar:b"])
        .fails_with(&["`a` and `b` stand in different regions"]);
}

#[test]
fn toml_is_alone() {
    let text = "[[object]]\nname = \"A\"\n[[object.prim]]\nposition = [0, 0, 0]\nscale = [1, 1, 1]";
    let folder = lodger().with("a.toml", text).with("region.oar", region());
    run(&folder, &["a.toml"]).succeeds();
    run(&folder, &["a.toml", "a.toml"]).fails_with(&["several TOML files", "one file"]);
    let mixed = ["`a.toml` is TOML, and the others are objects of archives"];
    run(&folder, &["a.toml", "region.oar:near"]).fails_with(&mixed);
    run(&folder, &["region.oar:near", "a.toml"]).fails_with(&mixed);
    run(&folder, &[]).fails_with(&["FILE"]);
}

#[test]
fn an_archive_that_is_partly_broken_is_warned_of() {
    let archive = || {
        ArchiveFile::new()
            .with("objects/near.xml", pair("near", 36.0, [100.0, 100.0, 20.0]))
            .with("objects/bad.xml", "<SceneObjectGroup />")
    };
    let cut = archive().with("objects/far.xml", "x".repeat(2_000)).tar();
    let cut = &cut[..cut.len() - 3 * BLOCK];
    let folder = lodger().with("whole.oar", archive().gzip()).with("cut.oar", cut);
    let outcome = run(&folder, &["cut.oar:near"]).succeeds();
    assert!(outcome.stderr.contains("warning: `cut.oar:near` has 1 entr"), "{}", outcome.stderr);
    // What is wrong with an object that was not asked for is not told.
    assert_eq!(run(&folder, &["whole.oar:near"]).succeeds().stderr, "");
}
