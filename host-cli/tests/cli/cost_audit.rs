//! `lodger cost` on archives: objects, the most expensive first.

use lodger_testkit::build::archive::{
    ArchiveFile, PartXml, coalesced, id, object_asset, region_object,
};
use lodger_testkit::build::mesh::bytes;

use crate::cost_fixtures::{SIZES, cost, json, number, rows, sized};
use crate::run::lodger;

/// A region: a statue of one mesh, a fence of one mesh twice and a box, a stack of two boxes; a mesh
/// that nobody uses, one that is broken, and an object that wants one that is not there.
fn region() -> Vec<u8> {
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
    let folder = lodger().with("region.oar", region());
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
    let table = cost(&folder, &["land.oar"]).succeeds().stdout;
    assert!(table.contains(note), "{table}");
    let report = json(&folder, &["other.tar"]);
    let error = "there are no objects and no meshes in this archive";
    assert_eq!(report["errors"][0]["error"], error);
    cost(&folder, &["other.tar"]).fails_with(&["other.tar", error]);
    assert_eq!(cost(&folder, &["land.oar", "other.tar"]).code, Some(1));
}

#[test]
fn a_mesh_in_an_object_costs_what_it_costs_alone() {
    let folder = lodger().with("region.oar", region()).with("a.llmesh", bytes(&sized(SIZES)));
    let objects = json(&folder, &["region.oar"]);
    let files = json(&folder, &["a.llmesh", "--scale", "20,20,20", "--scripts", "3"]);
    let (object, file) = (&objects["objects"][0], &files["files"][0]);
    assert_eq!(file["file"], "a.llmesh");
    assert_eq!(object["streaming"]["cost"], file["streaming"]["cost"]);
    assert_eq!(object["physics"]["cost"], file["physics"]["cost"]);
    assert_eq!(object["land_impact"], file["land_impact"]);
}

#[test]
fn meshes_without_an_object_are_listed_and_bad_ones_are_rows() {
    let folder = lodger().with("region.oar", region());
    let report = json(&folder, &["region.oar"]);
    let files = report["files"].as_array().expect("a list");
    assert_eq!(files.len(), 1);
    assert!(files[0]["file"].as_str().is_some_and(|file| file.contains(&id(2))));
    assert_eq!(files[0]["scale"], serde_json::json!([1.0, 1.0, 1.0]));
    let errors: Vec<_> = report["errors"].as_array().expect("a list").iter().collect();
    assert_eq!(errors.len(), 2, "{errors:?}");
    let says = |part: &str| errors.iter().any(|row| row.to_string().contains(part));
    assert!(says("(bad)") && says("(lost)") && says("is missing"), "{errors:?}");
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
    let folder = lodger().with("region.oar", region());
    let outcome = cost(&folder, &["region.oar"]);
    assert_eq!((outcome.code, &*outcome.stderr), (Some(1), ""));
    for part in ["of 3 objects", "statue", "total", "2 rows could not be priced", "Not priced"] {
        assert!(outcome.stdout.contains(part), "no {part:?} in\n{}", outcome.stdout);
    }
    let many = (0..30).fold(ArchiveFile::new(), |archive, i| {
        archive.with(&format!("objects/{i}.xml"), region_object(&PartXml::cube("a box"), &[]))
    });
    let folder = lodger().with("many.oar", many.gzip());
    let shown = |arguments: &[&str]| {
        let outcome = cost(&folder, &[&["many.oar"], arguments].concat()).succeeds();
        outcome.stdout.matches("a box").count()
    };
    assert_eq!((shown(&[]), shown(&["--all"])), (20, 30));
}

#[test]
fn an_archive_that_is_none_is_a_row() {
    let folder = lodger().with("noise.oar", "noise").with("empty.iar", "");
    let report = json(&folder, &["noise.oar", "empty.iar"]);
    assert_eq!(report["errors"].as_array().map(Vec::len), Some(2), "{report}");
    cost(&folder, &["noise.oar", "--target", "1"]).fails_with(&["archive"]);
}

#[test]
fn an_inventory_has_objects_too() {
    let object = |name| object_asset(&PartXml::mesh(name, &id(1)), &[PartXml::cube("foot")]);
    let asset = |number, xml: String| (format!("assets/{}_object.xml", id(number)), xml);
    let archive =
        [asset(8, object("chair")), asset(9, coalesced(&[object("bed"), object("lamp")]))]
            .into_iter()
            .fold(ArchiveFile::new(), |archive, (path, xml)| archive.with(&path, xml));
    let archive = archive.with_mesh(&id(1), bytes(&sized(SIZES)));
    let folder = lodger().with("mine.iar", archive.gzip());
    let report = json(&folder, &["mine.iar"]);
    let objects = report["objects"].as_array().expect("a list");
    let mut names: Vec<_> = objects.iter().filter_map(|row| row["object"].as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["bed", "chair", "lamp"]);
    assert!(objects.iter().all(|row| row["prims"] == 2 && row["meshes"] == 1));
    // A box is all but free to stream: 0.06 beside the mesh.
    let (of_object, alone) =
        (&objects[0]["streaming"]["cost"], &json(&folder, &["mine.iar"])["files"]);
    assert_eq!(alone, &serde_json::json!([]));
    assert!(number(of_object) > 0.06 && number(of_object) < 1.06);
}

#[test]
fn what_is_reported_of_an_archive_counts_as_memory_of_it() {
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
