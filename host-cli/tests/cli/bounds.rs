//! Options and folders that must not cost all time or memory, and numbers of threads.

use std::fmt::Write as _;

use lodger_testkit::build::archive::{ArchiveFile, PartXml, coalesced, id, region_object};
use lodger_testkit::build::llsd::Node;
use lodger_testkit::build::mesh::{LyingAsset, bytes, flat_face};
use serde_json::{Value, json};

use crate::run::{
    BASE, CAPE, Case, RunOutput, SIZES, TestFolder, assert_rejected, cost, lodger, mesh_folder,
    sized,
};

#[test]
fn sizes_have_a_least_and_a_greatest() {
    let folder = mesh_folder();
    for sizes in ["5e-324..1e-300", "1e-7..1", "0..1", "1e-300..16384", "0.1..16385", "1e-6..1e-6"]
    {
        let sweep = ["a.llmesh", &format!("--sweep={sizes}"), "--plot", "p.svg"];
        cost(&folder, &sweep).fails_with(&["--sweep", "at least 0.000001 m", "at most 16384 m"]);
    }
    assert_eq!(folder.files(), ["a.llmesh"]);
    let all = ["a.llmesh", "--sweep", "1e-6..16384", "--plot", "p.svg"];
    for scale in ["1,1,1", "1,1e-300,1", "5e-324,5e-324,5e-324", "16384,5e-324,0", "1e-300,1,1e-5"]
    {
        let outcome = cost(&folder, &[&all[..], &["--scale", scale]].concat());
        assert_eq!(outcome.code, Some(0), "{scale}: {}", outcome.stderr);
        assert!(outcome.stdout.lines().count() < 2_000, "{scale}");
        let picture = std::fs::metadata(folder.path("p.svg")).expect("a picture");
        assert!(picture.len() < 1_000_000, "{scale}");
    }
    cost(&folder, &["--help"]).succeeds().shows(&["from 0.000001 to 16384"]);
}

#[test]
fn a_mark_far_into_a_line_of_8_mb_is_shown_with_its_place() {
    let text = format!("budget_ms = 5; x = \"{}\"", "ä".repeat(4 << 20));
    assert_rejected(&text, &["scene.toml:1:"]);
    let text =
        format!("view = [ # {}\n{} {{ eye = 1 }} ]", "x".repeat(4 << 20), " ".repeat(4 << 20));
    let folder = lodger().with("scene.toml", text);
    let outcome = folder.run(&["schedule", "scene.toml"]).fails_with(&["scene.toml:2:41943"]);
    assert!(outcome.stderr.len() < 4_000, "{}", outcome.stderr.len());
}

#[cfg(unix)]
#[test]
fn only_regular_files_are_taken_from_folders() {
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;
    use std::process::Command;

    let folder = lodger();
    let fifo = |name: &str| {
        assert!(Command::new("mkfifo").arg(folder.path(name)).status().expect("mkfifo").success());
    };
    for name in ["a.llmesh", "b.oar", "c_object.xml", "d.xml", "e.llmesh.gz"] {
        fifo(name);
    }
    let socket = UnixListener::bind(folder.path("socket.llmesh")).expect("a socket");
    symlink("a.llmesh", folder.path("link.slm")).expect("a link");
    symlink("/dev/zero", folder.path("zero.llmesh")).expect("a link");
    let run = |arguments: &[&str]| folder.run(arguments);
    for command in ["cost", "lint"] {
        run(&[command, "."]).fails_with(&["`.`: this folder has no file of the kinds"]);
    }
    drop(socket);
    let elsewhere = crate::run::mesh_folder();
    symlink(elsewhere.path("a.llmesh"), folder.path("real.llmesh")).expect("a link");
    for command in ["cost", "lint"] {
        let outcome = run(&[command, ".", "--format", "json"]);
        assert!(outcome.stdout.contains("./real.llmesh"), "{}", outcome.stdout);
        assert!(outcome.stdout.contains("\"errors\": []"), "{}", outcome.stdout);
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_in_place_of_a_mesh_does_not_block() {
    use lodger_testkit::build::archive::{PartXml, id, object_asset};

    let table = object_asset(&PartXml::mesh("table", &id(1)), &[]);
    let folder = lodger().with("table_object.xml", table);
    let pipe = folder.path(format!("{}_mesh.llmesh", id(1)));
    let made = std::process::Command::new("mkfifo").arg(pipe).status();
    assert!(made.expect("mkfifo").success());
    let outcome = cost(&folder, &["table_object.xml"]);
    assert_eq!(outcome.code, Some(1), "{}", outcome.stderr);
    assert!(outcome.stdout.contains("is missing"), "{}", outcome.stdout);
}

fn capes(count: usize) -> String {
    (0..count).fold(BASE.to_owned(), |mut text, index| {
        let _ = writeln!(text, "{}", CAPE.replace("cape", &format!("cape {index}")));
        text
    })
}

#[test]
fn a_scene_that_needs_more_says_so() {
    let folder = lodger()
        .with("scene.toml", capes(4_000))
        .with("brackets.toml", "[".repeat(3_000_000))
        .with("modules.toml", "[[module]]\nname = \"a\"\n".repeat(400_000));
    let refused = |arguments: &[&str], said: &str, help: &str| {
        folder.run(&[&["schedule"], arguments].concat()).fails_with(&[said, help]);
    };
    let said = "`scene.toml` needs more than 1 MiB of memory";
    refused(&["scene.toml", "--memory", "1"], said, "raise --memory");
    folder.run(&["schedule", "scene.toml", "--memory", "8"]).succeeds();
    let said = "`scene.toml` needs more than 1 million units of work";
    refused(&["scene.toml", "--work", "1"], said, "raise --work");
    // Only the beginning is parsed.
    folder.run(&["schedule", "brackets.toml"]).fails_with(&["brackets.toml:1:"]);
    let said = "`modules.toml` needs more than 1024 MiB of memory";
    refused(&["modules.toml"], said, "raise --memory");
}

#[test]
fn binary_files_are_not_read_completely() {
    let folder = lodger()
        .with("zeros.toml", vec![0; 3 << 20])
        .with("noise.toml", [&b"# \xff"[..], &vec![b'x'; 3 << 20]].concat());
    for (name, said) in [("zeros.toml", "zeros.toml:1:"), ("noise.toml", "not UTF-8")] {
        folder.run(&["schedule", name, "--memory", "1"]).fails_with(&[name, said]);
    }
}

#[test]
fn a_mistake_is_placed_in_a_text_that_is_too_long_to_be_parsed_at_once() {
    let text = capes(3_000);
    let line = text.matches('\n').count() + 6;
    for (from, to, parts) in [
        ("radius = 1", "radius = \"x\"", &["`actor.radius`", "expected a number"][..]),
        ("radius", "raduis", &["unknown key `raduis`", "did you mean `radius`?"]),
        ("radius = 1", "radius = -1", &["`radius` is -1"]),
        ("radius = 1", "radius = ]", &["scene.toml"]),
        ("radius = 1", "radius = [1, =", &["scene.toml"]),
        ("radius = 1", "module = 1", &["duplicate key"]),
    ] {
        let scene =
            format!("{text}\n{}{}", CAPE.replacen(from, to, 1), CAPE.replace("cape", "last"));
        let folder = lodger().with("scene.toml", scene);
        let place = format!("scene.toml:{line}:");
        folder
            .run(&["schedule", "scene.toml", "--memory", "12"])
            .fails_with(&[parts, &[&place]].concat());
        folder.run(&["schedule", "scene.toml"]).fails_with(&[parts, &[&place]].concat());
    }
}

#[test]
fn every_row_is_there_however_many_they_are() {
    const COUNT: usize = 3_000;
    let folder = lodger().with("scene.toml", capes(COUNT));
    let shown = |arguments: &[&str]| {
        folder.run(&[&["schedule", "scene.toml"], arguments].concat()).succeeds().stdout
    };
    let plan: Value = serde_json::from_str(&shown(&["--format", "json"])).expect("it is JSON");
    let names = plan["actors"].as_array().expect("actors").iter().map(|actor| &actor["name"]);
    assert!(names.eq((0..COUNT).map(|i| json!(format!("cape {i}"))).collect::<Vec<_>>().iter()));
    assert_eq!(shown(&["--format", "csv"]).lines().count(), 1 + COUNT);
    let table = shown(&["--all"]);
    let rows: Vec<_> = table.lines().filter(|line| line.contains("cape ")).collect();
    assert_eq!(rows.len(), COUNT);
    let columns = rows[0].find("cloth");
    assert!(rows.iter().all(|row| row.find("cloth") == columns));
    assert_eq!(table.matches("Actor ").count(), 1);
    folder.run(&["schedule", "scene.toml", "--format", "json", "--output", "plan.json"]).succeeds();
    let written = folder.read("plan.json");
    assert_eq!(written, shown(&["--format", "json"]));
    assert_eq!(folder.files(), ["plan.json", "scene.toml"]);
}

#[test]
fn a_name_that_many_nodes_share_is_no_burden() {
    let name = "n".repeat(1 << 20);
    let nodes: Vec<_> = (0..400).map(|_| json!({ "mesh": 0 })).collect();
    let scene = json!({ "asset": { "version": "2.0" },
        "scenes": [{ "nodes": (0..400).collect::<Vec<_>>() }], "nodes": nodes,
        "meshes": [{ "name": name, "primitives": [{ "attributes": { "POSITION": 0 } }] }],
        "accessors": [{ "componentType": 5126, "type": "VEC3", "count": 3,
            "min": [0, 0, 0], "max": [1, 1, 1] }] });
    let folder = lodger().with("scene.gltf", scene.to_string());
    let arguments = ["scene.gltf", "--eye", "0,0,9", "--format", "json", "--memory", "8"];
    let plan = folder.run(&[&["schedule"], &arguments[..]].concat()).succeeds().json();
    let expected = format!("{}…#399", "n".repeat(160));
    assert_eq!(plan["actors"][399]["name"], json!(expected));
}

#[test]
fn names_of_a_linkset_are_not_copied_for_each_two() {
    let object = |index: usize| {
        format!(
            "[[object]]\nname = \"{}{index}\"\n[[object.prim]]\nposition = [{}, 0, 0]\n\
             scale = [1, 1, 1]\n",
            "n".repeat(1_000),
            index * 900
        )
    };
    let text: String = (0..300).map(object).collect();
    let folder = lodger().with("set.toml", text);
    let arguments = ["linkset", "set.toml", "--rule", "span", "--memory", "24"];
    let outcome = folder.run(&arguments);
    assert_eq!(outcome.code, Some(1), "{}", outcome.stderr);
    assert!(outcome.stdout.len() < 10_000);
    let outcome = folder.run(&[&arguments[..], &["--format", "json"]].concat());
    let answer = outcome.json();
    assert_eq!(answer["misses"].as_array().map(Vec::len), Some(300 * 299 / 2));
    assert_eq!(answer["misses"][0]["a"].as_str().map(str::len), Some(1_001));
    let little = ["linkset", "set.toml", "--rule", "span", "--memory", "1"];
    folder.run(&little).fails_with(&["`set.toml` needs more than 1 MiB", "raise --memory"]);
}

#[test]
fn rows_and_meshes_are_charged_exact_memory_and_work() {
    let flat = |triangles| {
        let block = Node::Array(vec![flat_face(triangles)]);
        ["lowest_lod", "low_lod", "medium_lod", "high_lod"]
            .iter()
            .fold(LyingAsset::default(), |asset, name| asset.block(name, &block))
            .bytes()
    };
    let mut meshes = ArchiveFile::new();
    for number in 0..1_000 {
        meshes = meshes.with_mesh(&id(number), "broken");
    }
    let objects = coalesced(&vec!["<SceneObjectGroup />".to_owned(); 1_000]);
    let prim = "[[object.prim]]\nposition = [0, 0, 0]\nscale = [1, 1, 1]\n".repeat(30);
    let object = |number| format!("[[object]]\nname = \"{number}\"\n{prim}");
    let prims: String = (0..300).map(object).collect();
    let mut folder = lodger()
        .with("flat.llmesh", flat(1_000))
        .with("long.llmesh", flat(300_000))
        .with("meshes.iar", meshes.gzip())
        .with("objects.oar", ArchiveFile::new().with("objects/a.xml", objects).gzip())
        .with("prims.toml", prims);
    let files: Vec<_> = (0..257).map(|number| format!("{number}.llmesh")).collect();
    for file in &files {
        folder = folder.with(file, "broken");
    }
    let many = ["cost", "--format", "json"].into_iter();
    let many: Vec<_> = many.chain(files.iter().map(String::as_str)).collect();
    for (arguments, option, least) in [
        // A row for each of 256 files takes 1 MiB.
        (&many[..], "--memory", 2),
        (&["cost", "flat.llmesh"], "--memory", 25),
        (&["cost", "long.llmesh"], "--work", 8),
        (&["cost", "objects.oar"], "--memory", 5),
        (&["cost", "prims.toml"], "--memory", 6),
        (&["cost", "prims.toml", "--parts", "--format", "json"], "--work", 20),
        (&["lint", "flat.llmesh"], "--memory", 33),
        (&["lint", "long.llmesh"], "--work", 8),
        (&["lint", "meshes.iar"], "--memory", 7),
        (&["lint", "objects.oar"], "--memory", 3),
    ] {
        let exceeds = |limit: u32| {
            let outcome = folder.run(&[arguments, &[option, &limit.to_string()]].concat());
            [outcome.stdout, outcome.stderr].concat().contains("more than")
        };
        let command = &arguments[..2];
        assert_eq!((exceeds(least), exceeds(least - 1)), (false, true), "{command:?} {option}");
    }
}

fn region_folder() -> TestFolder {
    let object = region_object(&PartXml::mesh("chair", &id(1)), &[PartXml::cube("foot")]);
    let archive = ArchiveFile::new()
        .with_mesh(&id(1), bytes(&sized(SIZES)))
        .with("objects/chair.xml", object);
    lodger().with("a.llmesh", bytes(&sized(SIZES))).with("region.oar", archive.gzip())
}

fn run_with(folder: &TestFolder, variable: (&'static str, &str), arguments: &[&str]) -> RunOutput {
    folder.run_case(&Case::of_args(arguments).env(variable.0, variable.1))
}

#[test]
fn a_number_of_threads_changes_no_answer() {
    let folder = region_folder();
    for command in ["cost", "lint"] {
        let arguments = [command, ".", "--format", "json"];
        let usual = run_with(&folder, ("RAYON_NUM_THREADS", ""), &arguments);
        for threads in ["0", "1", "3", "64"] {
            let outcome = run_with(&folder, ("RAYON_NUM_THREADS", threads), &arguments);
            assert_eq!((outcome.code, &outcome.stdout), (usual.code, &usual.stdout), "{threads}");
            assert_eq!(outcome.stderr, "");
        }
    }
}

#[test]
fn an_absurd_number_of_threads_is_an_error() {
    let folder = region_folder();
    for command in ["cost", "lint"] {
        run_with(&folder, ("RAYON_NUM_THREADS", "1025"), &[command, "a.llmesh"]).fails_with(&[
            "RAYON_NUM_THREADS",
            "1025",
            "1024",
        ]);
    }
}

/// No thread with a stack of a petabyte can start, as at a limit of threads.
#[cfg(target_os = "linux")]
#[test]
fn one_thread_does_the_work_where_no_other_can_start() {
    const NO_ROOM: (&str, &str) = ("RUST_MIN_STACK", "1125899906842624");
    let folder = region_folder();
    for command in ["cost", "lint"] {
        let arguments = [command, ".", "--format", "json"];
        let usual = run_with(&folder, ("RUST_MIN_STACK", "2097152"), &arguments);
        let alone = run_with(&folder, NO_ROOM, &arguments);
        assert_eq!((alone.code, &alone.stdout), (usual.code, &usual.stdout));
        assert_eq!(alone.stderr.matches("warning: no threads can be started").count(), 1);
        let written =
            run_with(&folder, NO_ROOM, &[&arguments[..], &["--output", "out.json"]].concat());
        assert_eq!(written.code, usual.code, "{}", written.stderr);
        let file = folder.read("out.json");
        assert_eq!(file, usual.stdout);
        std::fs::remove_file(folder.path("out.json")).expect("it is there");
    }
    run_with(&folder, NO_ROOM, &["schedule", "--output", "plan"]).succeeds();
}
