//! `lodger cost` on archives: rows that can be told apart, sums by owner and parcel, parts.

use lodger_testkit::build::archive::{
    ArchiveFile, PartXml, coalesced, id, object_asset, parcel, region_object,
};
use lodger_testkit::build::mesh::{bytes, good};
use serde_json::Value as Json;

use crate::run::{SIZES, TestFolder, cost, json, lodger, number, rows, sized};

/// Two chairs of one name, a table and a tree; owners 11 and 12, a parcel in the west, an object
/// inside a chair.
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
        .with_object(&id(50), object_asset(&PartXml::cube("nested"), &[]))
        .with("objects/1.xml", chair(31, "10", &id(11)))
        .with("objects/2.xml", chair(32, "180", &id(12)))
        .with("objects/3.xml", region_object(&table, &[]))
        .with("objects/4.xml", region_object(&tree, &[]));
    lodger().with("region.oar", archive.gzip())
}

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
fn the_table_distinguishes_equal_names_and_marks_estimates() {
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
    cost(&folder, &["twins.oar"]).succeeds().shows(&["0000003c", "0000003d"]);
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
    cost(&folder, &["region.oar", "--by", "parcel"]).shows(&["the west"]);
}

#[test]
fn csv_sums_count_rows_without_a_price() {
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
    cost(&folder, &["region.oar", "--parts"]).succeeds().shows(&[
        "chair (10, 10, 21): land impact",
        "cushion",
        "tree",
        "foot",
        "prim",
        "unknown",
    ]);
    let outcome = cost(&folder, &["region.oar", "--parts", "--format", "csv"]).succeeds();
    let rows = rows(&outcome.stdout);
    assert_eq!(rows.len(), 8);
    let row = rows.iter().find(|row| row["id"] == id(32) && row["part"] == "3").expect("a part");
    assert_eq!((&*row["object"], &*row["name"], &*row["mesh"]), ("chair", "cushion", &*id(1)));
    assert_eq!((&*row["real_triangles_high"], &*row["representation"]), ("16", "hull"));
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

/// A region: a statue of one mesh, a fence of one mesh twice and a box, a stack of two boxes; an
/// unused mesh, a broken mesh, and an object with a missing mesh.
fn audited_region() -> Vec<u8> {
    let mesh = |name: &str, number| PartXml::mesh(name, &id(number));
    let statue = mesh("statue", 1).scale("20", "20", "20").scripts(3);
    let fence = mesh("fence", 1).scale("2", "1", "1").with("PhysicsShapeType", "1");
    let rail = mesh("rail", 1).scale("4", "1", "1").with("PhysicsShapeType", "0");
    let post = PartXml::cube("post").scale("0.2", "0.2", "2");
    ArchiveFile::new()
        .with_mesh(&id(1), bytes(&sized(SIZES)))
        .with_mesh(&id(2), bytes(&sized([0, 0, 0, 2000])))
        .with_mesh(&id(3), "broken")
        .with("objects/stack.xml", region_object(&PartXml::cube("stack"), &[PartXml::cube("top")]))
        .with("objects/fence.xml", region_object(&fence, &[rail, post]))
        .with("objects/statue.xml", region_object(&statue, &[]))
        .with("objects/bad.xml", region_object(&mesh("bad", 3), &[]))
        .with("objects/lost.xml", region_object(&mesh("lost", 4), &[]))
        .gzip()
}

#[test]
fn rows_are_objects_with_the_most_expensive_first() {
    let folder = lodger().with("region.oar", audited_region());
    let report = json(&folder, &["region.oar"]);
    let objects = report["objects"].as_array().expect("a list");
    let names: Vec<_> = objects.iter().map(|row| row["object"].as_str().expect("a name")).collect();
    assert_eq!(names, ["statue", "fence", "stack"]);
    let statue = &objects[0];
    assert_eq!((&statue["prims"], &statue["scripts"]), (&1.into(), &3.into()));
    assert_eq!(statue["size"], serde_json::json!([20.0, 20.0, 20.0]));
    assert_eq!(statue["land_impact"]["limited_by"], "streaming");
    let fence = &objects[1];
    assert_eq!((&fence["prims"], &fence["meshes"]), (&3.into(), &2.into()));
    // Nothing, a decomposition of 2 hulls with 8 vertices, and a box.
    assert!((number(&fence["physics"]["cost"]) - 0.5).abs() < 1e-9);
    assert_eq!(fence["server"]["cost"], 1.5);
    assert_eq!(fence["land_impact"], serde_json::json!({ "value": 2, "limited_by": "server" }));
    let stack = &objects[2];
    assert_eq!(stack["accounting"], "old");
    assert_eq!(stack["land_impact"], serde_json::json!({ "value": 2, "limited_by": null }));
    let sum: u64 = objects.iter().filter_map(|row| row["land_impact"]["value"].as_u64()).sum();
    assert_eq!(report["totals"]["objects"]["land_impact"], sum);
    assert_eq!(report["totals"]["objects"]["count"], 3);
}

#[test]
fn a_region_without_objects_is_a_region() {
    let land = ArchiveFile::new().with("archive.xml", "<archive />").with("terrains/a.r32", "0000");
    let other = ArchiveFile::new().with("notes.txt", "nothing");
    let folder = lodger().with("land.oar", land.gzip()).with("other.tar", other.tar());
    let report = json(&folder, &["land.oar"]);
    let note = "there are no objects in this region";
    assert_eq!(report["notes"], serde_json::json!([{"file": "land.oar", "note": note}]));
    assert_eq!(report["errors"], serde_json::json!([]));
    cost(&folder, &["land.oar"]).succeeds().shows(&[note]);
    let report = json(&folder, &["other.tar"]);
    let error = "there are no objects and no meshes in this archive";
    assert_eq!(report["errors"][0]["error"], error);
    cost(&folder, &["other.tar"]).fails_with(&["other.tar", error]);
    assert_eq!(cost(&folder, &["land.oar", "other.tar"]).code, Some(1));
}

#[test]
fn meshes_without_an_object_are_listed_and_bad_ones_are_rows() {
    let folder = lodger().with("region.oar", audited_region());
    let report = json(&folder, &["region.oar"]);
    let files = report["files"].as_array().expect("a list");
    assert_eq!(files.len(), 1);
    assert!(files[0]["file"].as_str().is_some_and(|file| file.contains(&id(2))));
    assert_eq!(files[0]["scale"], serde_json::json!([1.0, 1.0, 1.0]));
    let errors: Vec<_> = report["errors"].as_array().expect("a list").iter().collect();
    assert_eq!(errors.len(), 2, "{errors:?}");
    let says = |part: &str| errors.iter().any(|row| row.to_string().contains(part));
    assert!(says("(bad)") && says("(lost)"), "{errors:?}");
    assert!(says(&format!("{} is missing", id(4))), "{errors:?}");
    let outcome = cost(&folder, &["region.oar", "--format", "csv"]);
    assert_eq!(outcome.code, Some(1));
    let rows = rows(&outcome.stdout);
    assert_eq!(rows.len(), 6);
    assert_eq!(
        (&*rows[1]["object"], &*rows[1]["land_impact"]),
        ("statue", &*report["objects"][0]["land_impact"]["value"].to_string())
    );
}

#[test]
fn the_penalty_comes_from_the_box_around_all_parts() {
    // Two meshes of 1 m, 4 m apart along x: a box of 5 × 1 × 1 m with faces of 5, 5 and 1 m².
    let child = PartXml::mesh("child", &id(1)).with("OffsetPosition", "<X>4</X><Y>0</Y><Z>0</Z>");
    let root = PartXml::mesh("root", &id(1)).with("Flags", "Physics");
    let archive = ArchiveFile::new()
        .with_mesh(&id(1), bytes(&sized(SIZES)))
        .with("objects/a.xml", region_object(&root, &[child]));
    let folder = lodger().with("region.oar", archive.gzip());
    let object = json(&folder, &["region.oar"])["objects"][0].take();
    assert_eq!(object["physical"], true);
    assert_eq!(object["size"], serde_json::json!([5.0, 1.0, 1.0]));
    let penalty = 1.0 + 0.04 * 11.0 / 3.0;
    let (cost, penalised) = (&object["physics"]["cost"], &object["physics"]["penalised"]);
    assert!((number(penalised) - number(cost) * penalty).abs() < 1e-9);
}

#[test]
fn the_table_is_an_audit() {
    let folder = lodger().with("region.oar", audited_region());
    let outcome = cost(&folder, &["region.oar"]);
    assert_eq!((outcome.code, &*outcome.stderr), (Some(1), ""));
    outcome.shows(&["of 3 objects", "statue", "total", "2 rows could not be priced", "Not priced"]);
}

#[test]
fn tables_show_20_of_many_objects() {
    let many = (0..30).fold(ArchiveFile::new(), |archive, i| {
        archive.with(&format!("objects/{i}.xml"), region_object(&PartXml::cube("a box"), &[]))
    });
    let folder = lodger().with("many.oar", many.gzip());
    for (options, each) in [(&[][..], "a box"), (&["--parts"], ": land impact 1")] {
        let shown = |more: &[&str]| {
            let arguments = [&["many.oar"], options, more].concat();
            cost(&folder, &arguments).succeeds().stdout.matches(each).count()
        };
        assert_eq!((shown(&[]), shown(&["--all"])), (20, 30), "{options:?}");
    }
}

#[test]
fn report_rows_of_an_archive_are_charged_to_its_quota() {
    let one = region_object(&PartXml::cube("root"), &vec![PartXml::cube("part"); 3000]);
    let objects = vec![object_asset(&PartXml::cube("one"), &[]); 1500];
    let folder = lodger()
        .with("parts.oar", ArchiveFile::new().with("objects/a.xml", one).gzip())
        .with("many_object.xml", coalesced(&objects))
        .with(
            "small.toml",
            "[[object]]\nname = \"a\"\n[[object.prim]]\nposition = [0, 0, 0]\nscale = [1, 1, 1]",
        );
    let run = |file, memory: u32, options: &[&str]| {
        let memory = memory.to_string();
        cost(&folder, &[&[file, "small.toml", "--memory", &memory], options].concat())
    };
    for (file, option) in [
        ("parts.oar", &["--parts"][..]),
        ("many_object.xml", &["--by", "parcel"]),
        ("many_object.xml", &[]),
    ] {
        // A table is short.
        let fits = (4..64).find(|memory| run(file, *memory, option).code == Some(0));
        let fits = fits.expect("64 MiB are enough");
        let named = if option.is_empty() { "--format json".to_owned() } else { option.join(" ") };
        let options = [option, &["--format", "json"]].concat();
        let refused = run(file, fits, &options);
        let said = format!(
            "its report with {named} needs more than {fits} MiB of memory: raise --memory, or leave out {named}"
        );
        assert!(refused.code == Some(1) && refused.stdout.contains(&said), "{}", refused.stdout);
        assert!(refused.stdout.contains("\"object\": \"a\""), "another file loses nothing");
        let memory = format!("--memory={fits}");
        let alone = cost(&folder, &[&[file, &memory], &options[..]].concat());
        assert!(alone.code == Some(2) && alone.stderr.contains(&said), "{}", alone.stderr);
        let more = run(file, fits + 8, &options);
        assert!(more.code == Some(0) && more.stdout.len() > 1 << 20, "{}", more.stdout.len());
    }
}
