//! `lodger cost` on archives: rows that can be told apart, sums by owner and parcel, parts.

use lodger_testkit::build::archive::{
    ArchiveFile, PartXml, coalesced, id, object_asset, parcel, region_object,
};
use lodger_testkit::build::mesh::good;
use serde_json::Value as Json;

use crate::cost_fixtures::{cost, json, number, rows};
use crate::run::{TestFolder, lodger};

/// Two chairs of one name, a table and a tree; owners 11 and 12, a parcel in the west, an object inside
/// a chair.
fn region() -> TestFolder {
    let chair = |number, x, owner| {
        let root = PartXml::mesh("chair", &id(1)).id(&id(number)).at(x, "10.4", "21").owner(owner);
        let root = root.scale("2", "1", "1.5").scripts(2).holding(&[&id(50)]);
        region_object(&root, &[PartXml::cube("foot"), PartXml::mesh("cushion", &id(1))])
    };
    let table = PartXml::prim("table", 64, 1).id(&id(33)).at("200", "10", "21").owner(&id(12));
    let tree = PartXml::cube("tree").shape("PCode", "255").id(&id(34)).at("1", "2", "3");
    let archive = ArchiveFile::new()
        .with_mesh(&id(1), good())
        .with_parcel("", &id(7), parcel(&id(7), "the west", &id(11), 64, |x, _| x < 32))
        .with_object(&id(50), object_asset(&PartXml::cube("stowed"), &[]))
        .with("objects/1.xml", chair(31, "10", &id(11)))
        .with("objects/2.xml", chair(32, "180", &id(12)))
        .with("objects/3.xml", region_object(&table, &[]))
        .with("objects/4.xml", region_object(&tree, &[]));
    lodger().with("region.oar", archive.gzip())
}

/// Chairs of one name in two folders, and one that no item refers to.
fn inventory() -> TestFolder {
    let chair = object_asset(&PartXml::mesh("chair", &id(1)).holding(&[&id(54)]), &[]);
    let archive = ArchiveFile::new()
        .with_mesh(&id(1), good())
        .with_item("Objects/old/", "chair", &id(51), &id(11))
        .with_item("Objects/new/", "chair", &id(52), &id(12))
        .with_object(&id(51), &chair)
        .with_object(&id(52), &chair)
        .with_object(&id(53), coalesced(&[object_asset(&PartXml::cube("lone"), &[])]))
        .with_object(&id(54), object_asset(&PartXml::cube("inside"), &[]));
    lodger().with("mine.iar", archive.gzip())
}

fn find(report: &Json, number: usize) -> &Json {
    let objects = report["objects"].as_array().expect("a list");
    objects.iter().find(|row| row["id"] == id(number)).expect("an object of that id")
}

#[test]
fn rows_of_a_region_say_where_and_whose() {
    let report = json(&region(), &["region.oar"]);
    let chair = find(&report, 31);
    assert_eq!(chair["position"], serde_json::json!([10.0, 10.4, 21.0]));
    assert_eq!((&chair["place"], &chair["region"]), (&Json::Null, &Json::Null));
    assert_eq!(chair["owner"], id(11));
    assert_eq!(chair["parcel"], serde_json::json!({ "id": id(7), "name": "the west" }));
    assert_eq!(find(&report, 32)["parcel"], Json::Null);
    assert!(chair.get("parts").is_none() && report.get("by").is_none(), "only if asked for");
    let note = report["notes"].to_string();
    assert!(note.contains("inside other objects, not in the world, and not counted"), "{note}");
    let outcome = cost(&region(), &["region.oar", "--format", "csv"]).succeeds();
    let rows = rows(&outcome.stdout);
    let row = rows.iter().find(|row| row["id"] == id(31)).expect("a row");
    let said = ["x", "y", "z", "owner", "parcel", "parcel_name", "entry"].map(|key| &*row[key]);
    assert_eq!(said, ["10", "10.4", "21", &id(11), &id(7), "the west", "objects/1.xml"]);
    assert_eq!((&*row["place"], &*row["streaming_provenance"]), ("", "estimated"));
}

#[test]
fn rows_of_an_inventory_say_the_path() {
    let report = json(&inventory(), &["mine.iar"]);
    let objects = report["objects"].as_array().expect("a list");
    let mut places: Vec<_> = objects.iter().map(|row| row["place"].as_str()).collect();
    places.sort_unstable();
    assert_eq!(places, [None, Some("Objects/new/chair"), Some("Objects/old/chair")]);
    assert!(objects.iter().all(|row| row["position"].is_null() && row["parcel"].is_null()));
    let note = report["notes"].to_string();
    assert!(note.contains("inside other objects of the inventory, not counted"), "{note}");
    let table = cost(&inventory(), &["mine.iar"]).succeeds().stdout;
    for part in ["Where", "Objects/new/", "Objects/old/"] {
        assert!(table.contains(part), "no {part:?} in\n{table}");
    }
}

#[test]
fn the_table_tells_equal_names_apart_and_what_is_uncertain() {
    let table = cost(&region(), &["region.oar"]).succeeds().stdout;
    for part in ["Where", "10, 10, 21", "180, 10, 21", "unknown", "a plant", "unknown shape"] {
        assert!(table.contains(part), "no {part:?} in\n{table}");
    }
    // One above the other, and so are those of another run of objects at one place.
    let twins = (0..2).fold(ArchiveFile::new(), |archive, number| {
        let part = PartXml::cube("twin").id(&id(60 + number));
        archive.with(&format!("objects/{number}.xml"), region_object(&part, &[]))
    });
    let folder = lodger().with("twins.oar", twins.gzip());
    let table = cost(&folder, &["twins.oar"]).succeeds().stdout;
    assert!(table.contains("0000003c") && table.contains("0000003d"), "{table}");
}

#[test]
fn sums_by_owner_and_parcel() {
    let folder = region();
    for (by, first, none) in [("owner", id(11), "no owner"), ("parcel", id(7), "no parcel")] {
        let report = json(&folder, &["region.oar", "--by", by]);
        assert_eq!(report["by"], by);
        let groups = report["groups"].as_array().expect("a list");
        let sum = |key: &str| groups.iter().map(|row| number(&row[key])).sum::<f64>();
        let totals = &report["totals"]["objects"];
        assert!((sum("land_impact") - number(&totals["land_impact"])).abs() < 1e-9);
        assert!((sum("streaming") - number(&totals["streaming"])).abs() < 1e-9);
        assert!((sum("objects") - number(&totals["count"])).abs() < 1e-9);
        assert!(groups.iter().any(|row| row["id"] == first));
        assert!(groups.iter().any(|row| row["id"].is_null()), "{groups:?}");
        let impacts: Vec<_> = groups.iter().map(|row| number(&row["land_impact"])).collect();
        assert!(impacts.is_sorted_by(|a, b| a >= b), "{impacts:?}");
        let table = cost(&folder, &["region.oar", "--by", by]).succeeds().stdout;
        assert!(table.contains(none) && table.contains("total"), "{table}");
        assert!(!table.contains("chair"), "{table}");
        let outcome = cost(&folder, &["region.oar", "--by", by, "--format", "csv"]).succeeds();
        let rows = rows(&outcome.stdout);
        assert_eq!(rows.len(), groups.len());
        for (row, group) in rows.iter().zip(groups) {
            assert_eq!((&*row["by"], &*row["prims"]), (by, &*group["prims"].to_string()));
            assert_eq!(row["id"], group["id"].as_str().unwrap_or_default());
        }
    }
    let table = cost(&folder, &["region.oar", "--by", "parcel"]).stdout;
    assert!(table.contains("the west"), "{table}");
}

#[test]
fn what_has_no_price_is_in_the_sums_of_csv_too() {
    let bad = region_object(&PartXml::mesh("bad", &id(9)), &[]);
    let folder = lodger().with("bad.oar", ArchiveFile::new().with("objects/b.xml", bad).gzip());
    for option in [&["--by", "owner"][..], &["--parts"]] {
        let outcome = cost(&folder, &[&["bad.oar", "--format", "csv"], option].concat());
        assert_eq!(outcome.code, Some(1));
        let rows = rows(&outcome.stdout);
        assert!(rows[0]["file"].contains("(bad)") && rows[0]["error"].contains("is missing"));
    }
}

#[test]
fn parts_come_to_the_object() {
    let folder = region();
    let report = json(&folder, &["region.oar", "--parts"]);
    for object in report["objects"].as_array().expect("a list") {
        let parts = object["parts"].as_array().expect("a list");
        assert_eq!(parts.len() as u64, object["prims"].as_u64().expect("a number"));
        let sum = |key: &str| parts.iter().map(|part| number(&part[key]["cost"])).sum::<f64>();
        assert!((sum("streaming") - number(&object["streaming"]["cost"])).abs() < 1e-9);
        assert!((sum("physics") - number(&object["physics"]["cost"])).abs() < 1e-9);
    }
    let chair = &find(&report, 31)["parts"];
    let shapes = [0, 1, 2].map(|at| chair[at]["shape"].as_str().expect("a shape"));
    assert_eq!(shapes, ["mesh", "box", "mesh"]);
    assert_eq!((&chair[0]["number"], &chair[0]["scripts"]), (&1.into(), &2.into()));
    assert_eq!(chair[0]["scale"], serde_json::json!([2.0, 1.0, 1.5]));
    assert_eq!((&chair[0]["mesh"], &chair[1]["mesh"]), (&id(1).into(), &Json::Null));
    assert_eq!(chair[0]["streaming"]["geometry"]["high"]["triangles"], 16);
    assert_eq!(chair[0]["streaming"]["provenance"], "documented");
    assert_eq!(chair[1]["streaming"]["provenance"], "estimated");
    assert_eq!(chair[1]["physics"]["representation"], "prim");
    assert_eq!(find(&report, 34)["parts"][0]["shape"], "tree");
    assert_eq!(find(&report, 33)["parts"][0]["streaming"]["provenance"], "unknown");
}

#[test]
fn parts_are_shown_below_their_objects() {
    let folder = region();
    let table = cost(&folder, &["region.oar", "--parts"]).succeeds().stdout;
    for part in ["chair (10, 10, 21): land impact", "cushion", "tree", "foot", "prim", "unknown"] {
        assert!(table.contains(part), "no {part:?} in\n{table}");
    }
    let outcome = cost(&folder, &["region.oar", "--parts", "--format", "csv"]).succeeds();
    let rows = rows(&outcome.stdout);
    assert_eq!(rows.len(), 8);
    let row = rows.iter().find(|row| row["id"] == id(32) && row["part"] == "3").expect("a part");
    assert_eq!((&*row["object"], &*row["name"], &*row["mesh"]), ("chair", "cushion", &*id(1)));
    assert_eq!((&*row["real_triangles_high"], &*row["representation"]), ("16", "hull"));
    let many = (0..30).fold(ArchiveFile::new(), |archive, i| {
        archive.with(&format!("objects/{i}.xml"), region_object(&PartXml::cube("a box"), &[]))
    });
    let folder = lodger().with("many.oar", many.gzip());
    let shown = |arguments: &[&str]| {
        let outcome = cost(&folder, &[&["many.oar", "--parts"], arguments].concat()).succeeds();
        outcome.stdout.matches(": land impact 1").count()
    };
    assert_eq!((shown(&[]), shown(&["--all"])), (20, 30));
}

#[test]
fn options_that_would_be_ignored_are_errors() {
    let folder = region().with("a.llmesh", good());
    let options: [(&[&str], &str); 5] = [
        (&["--scale", "1,1,1"], "--scale is for mesh assets alone"),
        (&["--shape", "convex-hull"], "--shape is"),
        (&["--physical"], "--physical is"),
        (&["--scripts", "0"], "--scripts is"),
        (
            &["--scripts", "1", "--scale", "2,2,2"],
            "--scale and --scripts are for mesh assets alone",
        ),
    ];
    for (option, said) in options {
        for files in [&["region.oar"][..], &["a.llmesh", "region.oar"], &["."]] {
            cost(&folder, &[files, option].concat())
                .fails_with(&[said, "region.oar` have their own"]);
        }
        cost(&folder, &[&["a.llmesh"], option].concat()).succeeds();
    }
    cost(&folder, &["a.llmesh", "--by", "owner"]).fails_with(&["--by owner needs an archive"]);
    cost(&folder, &["a.llmesh", "--parts"]).fails_with(&["only objects have parts"]);
    cost(&folder, &["region.oar", "--by", "name"]).fails_with(&["owner", "parcel"]);
    let clashes: [&[&str]; 3] = [&["--sweep", "1..2"], &["--target", "3"], &["--parts"]];
    for other in clashes {
        cost(&folder, &[&["region.oar", "--by", "owner"], other].concat()).fails_with(&["--by"]);
    }
    cost(&folder, &["--lod-bytes", "1,2,3,4", "--parts"]).fails_with(&["--parts"]);
}

#[test]
fn an_archive_under_another_name_heeds_no_options_of_meshes_either() {
    let folder = region();
    std::fs::rename(folder.path("region.oar"), folder.path("backup.bin")).expect("a file");
    cost(&folder, &["backup.bin", "--scale", "2,2,2"]).fails_with(&["backup.bin` have their own"]);
    cost(&folder, &["backup.bin", "--by", "owner"]).succeeds();
}
