//! Readers never exceed the memory of their quota, whatever the file contains.

use std::ops::Range;

use allocation_counter::measure;
use lodger_core::budget::{Leftovers, Policy};
use lodger_core::units::Budget;
use lodger_quota::{Quota, QuotaLimits};
use lodger_scheduler::View;
use lodger_testkit::least;

use crate::{
    CameraPath, Linkset, SceneFile, SceneFileError, SceneFileErrorKind, SceneLimits, SceneOverrides,
};

/// Uncharged bytes, for example of errors and caches of the standard library.
const SLACK: u64 = 64 << 10;
/// Bytes that the first tick of a scene allocates beside these, whatever the scene's size.
const FIRST_TICK: u64 = 16 << 10;
const MIN_MEMORY: u64 = 16 << 10;

/// Reads a scene as [`check`] does, with its ticks.
#[track_caller]
fn check_scene(name: &str, read: impl Fn(&Quota) -> Result<SceneFile, SceneFileError>) -> u64 {
    check(name, SLACK + FIRST_TICK, read)
}

/// Reads a file with growing quotas until one suffices, and returns that quota in bytes. Asserts that the peak is
/// within the quota, and the result within the charge.
#[track_caller]
fn check<T>(name: &str, slack: u64, read: impl Fn(&Quota) -> Result<T, SceneFileError>) -> u64 {
    let is_read = |memory: u64| {
        let quota = Quota::new(QuotaLimits { memory, ..QuotaLimits::default() });
        let mut result = None;
        let info = measure(|| result = Some(read(&quota)));
        let (peak, kept) = (info.bytes_max, u64::try_from(info.bytes_current).unwrap_or(0));
        assert!(peak <= memory + slack, "{name}: {peak} bytes where {memory} are allowed");
        let is_quota_exceeded =
            |error: &SceneFileError| matches!(error.kind(), SceneFileErrorKind::QuotaExceeded(_));
        let is_read = !result.is_some_and(|it| it.as_ref().is_err_and(is_quota_exceeded));
        let paid = memory - quota.remaining() + MIN_MEMORY + slack;
        assert!(!is_read || kept <= paid, "{name}: {kept} bytes are kept, and {paid} may be");
        is_read
    };
    let mut memory = MIN_MEMORY;
    while !is_read(memory) {
        memory += memory / 2;
        assert!(memory < 4 << 30, "{name}: it is never enough");
    }
    // The quota that suffices can be half too large; this one is nearer to what the file needs.
    is_read(memory - memory / 6);
    memory
}

fn many(count: usize, one: impl Fn(usize) -> String) -> String {
    (0..count).map(one).collect()
}

const HEAD: &str = "budget_ms = 5\n[[view]]\neye = [0, 0, 0]\n[[module]]\nname = \"m\"\n\
                    unit_cost_ms = 0.001\nbenefit_value = 1\n";

fn actor(name: &str, work: &str) -> String {
    format!("[[actor]]\nname = \"{name}\"\nmodule = \"m\"\nbenefit = 0.5\nwork = [{work}]\n")
}

fn toml_scene(text: &str) -> impl Fn(&Quota) -> Result<SceneFile, SceneFileError> {
    move |quota| {
        let mut file =
            SceneFile::from_toml(text, &SceneOverrides::default(), SceneLimits::default(), quota)?;
        for policy in [Policy::Proportional(Leftovers::AcrossModules), Policy::Optimal] {
            file.scene.set_policy(policy).expect("the module has a benefit value");
            file.scene.tick();
        }
        Ok(file)
    }
}

#[test]
fn actors_are_charged() {
    for count in [10, 1_030] {
        let with_position = |i| {
            format!(
                "[[actor]]\nname = \"actor {i}\"\nmodule = \"m\"\nposition = [{i}, nan, 0]\n\
                 radius = 1\nwork = [0, 5]\nforce_lod = 7\n"
            )
        };
        let texts = [
            many(count, |i| actor(&i.to_string(), "0, 1, 2")),
            many(count, |i| actor(&i.to_string(), &i.to_string())),
            many(count, |i| actor(&i.to_string(), &format!("{i}, {}", "9999, ".repeat(60)))),
            many(count, |i| actor(&"n".repeat(i % 700), "1")),
            many(count, |i| actor(&i.to_string(), &format!("{i}, 4, 5")) + "quality = [0, 0, 1]\n"),
            many(count, |_| actor("same", "1")),
            many(count, |_| actor(&"n".repeat(500), "1")),
            many(count, with_position),
            many(count, |i| actor(&i.to_string(), "1")) + &actor("wrong", "-1"),
            many(count, |i| actor(&i.to_string(), "1")) + "[[actor]]\n\n]]",
        ];
        for text in texts {
            let text = format!("{HEAD}{text}");
            check_scene(&text[HEAD.len()..HEAD.len() + 80], toml_scene(&text));
        }
    }
}

#[test]
fn a_million_actors_fit() {
    // A fiftieth of the actors, in a fiftieth of the memory.
    let text = format!("{HEAD}{}", many(20_000, |i| actor(&format!("actor {i}"), "0, 1, 2")));
    let needed = check_scene("many actors", toml_scene(&text));
    assert!(needed + (text.len() as u64) < 20 << 20, "{needed}");
    assert!(needed < 9 * text.len() as u64, "{needed}");
}

#[test]
fn other_tables_are_charged() {
    let module = |i| format!("[[module]]\nname = \"m {i}\"\nunit_cost_ms = 1\nbenefit_value = 1\n");
    let inline = "{name=\"\",module=\"\",work=[0]},";
    for text in [
        many(2_000, module),
        many(5_000, |i| format!("[[view]]\neye = [{i}, 0, 0]\n")),
        format!("view = [{}]", "{eye=[0,0,0]},".repeat(5_000)),
        many(2_000, |i| format!("[[view]]\neye=[0,0,0]\nlook=[{i},0,1]\nfov=9\nfrustum=true\n")),
        format!("actor = [{}]", inline.repeat(3_000)),
        format!("actor = [{}]\n[[actor]]\n", inline.repeat(3_000)),
        format!("[actor]\n{}", many(5_000, |i| actor(&i.to_string(), "1"))),
        many(5_000, |i| format!("key{i} = 1\n")),
        many(2_000, |i| format!("[a{i}.b.c.d.e]\n[[actor]]\n")),
        "[".repeat(50_000),
        format!("x = {}", "[[],".repeat(20_000)),
        format!("x = {}", "\u{e9}".repeat(20_000)),
        format!("\"{}\" = 1", "k".repeat(500_000)),
        format!("[[actor]]\n\"{}\" = 1", "k".repeat(500_000)),
        format!("budget_ms = 1\n{}", actor(&"n".repeat(500_000), "1")),
    ] {
        check_scene(&text[..text.len().min(60)], toml_scene(&text));
        let text = format!("budget_ms = 5\n{text}");
        check_scene(&text[..text.len().min(60)], toml_scene(&text));
    }
}

#[test]
fn linksets_are_charged() {
    let prim = "[[object.prim]]\nposition = [0, 0, 0]\nscale = [1, 1, 1]\n";
    let object =
        |name: &str, prims: usize| format!("[[object]]\nname = \"{name}\"\n{}", prim.repeat(prims));
    for text in [
        many(3_000, |i| object(&i.to_string(), 1)),
        many(300, |i| object(&i.to_string(), 30)),
        object("one", 3_000),
        many(300, |_| object(&"n".repeat(5_000), 1)),
        many(3_000, |i| object(&i.to_string(), 1)) + "[[object]]\nname = \"a\"\nprim = 7",
        format!("object = [{}]", "{name=\"\"},".repeat(5_000)),
    ] {
        let name = &text[..text.len().min(60)];
        check(name, SLACK, |quota| Linkset::from_toml(&text, quota));
    }
    let path = many(10_000, |i| format!("[[waypoint]]\neye = [{i}, 0, 0]\n"));
    check("a camera path", SLACK, |quota| CameraPath::from_toml(&path, quota));
}

/// Tables other than actors are kept while actors are read.
#[test]
fn views_are_kept_while_actors_are_read() {
    let views = many(1_000, |i| format!("[[view]]\neye = [{i}, 0, 0]\n"));
    let (memory, text) = (1 << 30, format!("{HEAD}{views}"));
    let quota = Quota::new(QuotaLimits { memory, ..QuotaLimits::default() });
    drop(toml_scene(&text)(&quota));
    assert!(memory - quota.remaining() >= 16 * text.len() as u64);
}

#[test]
fn each_byte_is_charged_units_of_work() {
    let actors = format!("{HEAD}{}", many(50, |i| actor(&i.to_string(), "1")));
    let inline = format!("actor = []\n{HEAD}");
    let linkset =
        "[[object]]\nname = \"a\"\n[[object.prim]]\nposition = [0, 0, 0]\nscale = [1, 1, 1]\n";
    let path = many(2, |i| format!("[[waypoint]]\neye = [{i}, 0, 0]\n"));
    let sog = "{\"lodLevels\":1,\"tree\":{}}";
    let worked = |read: &dyn Fn(&Quota)| {
        let quota = Quota::default();
        read(&quota);
        quota.worked()
    };
    assert_eq!(worked(&|a| drop(toml_scene(&actors)(a))), 17 * actors.len() as u64);
    assert_eq!(worked(&|a| drop(toml_scene(&inline)(a))), 17 * inline.len() as u64);
    assert_eq!(worked(&|a| drop(Linkset::from_toml(linkset, a))), 17 * linkset.len() as u64);
    let inline = "object = []";
    assert_eq!(worked(&|a| drop(Linkset::from_toml(inline, a))), 17 * inline.len() as u64);
    assert_eq!(worked(&|a| drop(CameraPath::from_toml(&path, a))), 16 * path.len() as u64);
    assert_eq!(worked(&|a| drop(sog_scene(sog)(a))), 12 * sog.len() as u64);
}

fn gltf_scene(json: &str) -> impl Fn(&Quota) -> Result<SceneFile, SceneFileError> {
    move |quota| {
        let overrides = SceneOverrides {
            view: View::from_position([0.0; 3]).ok(),
            ..SceneOverrides::default()
        };
        let read = SceneFile::from_gltf(json.as_bytes(), &overrides, SceneLimits::default(), quota);
        let mut file = read?;
        let policy = Policy::Proportional(Leftovers::AcrossModules);
        file.scene.set_policy(policy).expect("modules have a benefit value");
        file.scene.tick();
        Ok(file)
    }
}

/// A file with lists, and a scene of `count` nodes.
fn gltf(count: usize, nodes: impl Fn(usize) -> String, lists: &str) -> String {
    document(count, count, nodes, lists)
}

/// A file with lists, and a scene with the first nodes as roots.
fn document(roots: usize, count: usize, nodes: impl Fn(usize) -> String, lists: &str) -> String {
    format!(
        "{{\"asset\":{{\"version\":\"2.0\"}},\"scenes\":[{{\"nodes\":[{}]}}],\"nodes\":[{}],{lists},\
         \"accessors\":[{{\"componentType\":5126,\"type\":\"VEC3\",\"count\":3,\"min\":[0,0,0],\
         \"max\":[1,1,1]}},{{\"bufferView\":0,\"componentType\":5126,\"type\":\"VEC3\",\"count\":10000}}]}}",
        indices(0..roots),
        (0..count).map(nodes).collect::<Vec<_>>().join(",")
    )
}

fn indices(range: Range<usize>) -> String {
    range.map(|index| index.to_string()).collect::<Vec<_>>().join(",")
}

const MESH: &str = "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}]";

#[test]
fn nodes_are_charged() {
    let named = MESH.replacen('{', &format!("{{\"name\":\"{}\",", "n".repeat(100_000)), 1);
    for count in [1, 400, 2_100] {
        check_scene("empty", gltf_scene(&gltf(count, |_| "{}".to_owned(), MESH)));
        check_scene("meshes", gltf_scene(&gltf(count, |_| "{\"mesh\":0}".to_owned(), MESH)));
        check_scene("one name", gltf_scene(&gltf(count, |_| "{\"mesh\":0}".to_owned(), &named)));
        let one = |i| format!("{{\"mesh\":0,\"name\":\"{}{i}\"}}", "x".repeat(i % 300));
        check_scene("names", gltf_scene(&gltf(count, one, MESH)));
        let one = |_| format!("{{\"name\":\"{}\"}}", "\\u0041".repeat(50));
        check_scene("escapes", gltf_scene(&gltf(count, one, MESH)));
        let one = |i: usize| format!("{{\"children\":[{}]}}", vec![i.to_string(); 9].join(","));
        check_scene("children", gltf_scene(&gltf(count, one, MESH)));
        let one = |_| "{\"mesh\":0,\"translation\":[1,2,3],\"scale\":[1,2,3]}".to_owned();
        check_scene("places", gltf_scene(&gltf(count, one, MESH)));
        let one = |_| "[\"a\",[0,0,0,0,0,0,0,0],0,null,null,null,null,null,null,null]".to_owned();
        let first = |index| match index {
            0 => "{\"translation\":[1,2,3]}".to_owned(),
            index => one(index),
        };
        check_scene("nodes as lists", gltf_scene(&gltf(count, first, MESH)));
        let one = |_| "{\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1],\"mesh\":0}".to_owned();
        check_scene("matrices", gltf_scene(&gltf(count, one, MESH)));
        for ids in ["0", "\"a\",\"b\"", "[[1,2],[3]]", "-1", "0,0,0,0"] {
            let one =
                |_| format!("{{\"mesh\":0,\"extensions\":{{\"MSFT_lod\":{{\"ids\":[{ids}]}}}}}}");
            check_scene(ids, gltf_scene(&gltf(count, one, MESH)));
        }
    }
    let ids = format!("\"{}\"", "x".repeat(100_000));
    let one = |_| format!("{{\"mesh\":0,\"extensions\":{{\"MSFT_lod\":{{\"ids\":[{ids}]}}}}}}");
    check_scene("a long id", gltf_scene(&gltf(1, one, MESH)));
}

#[test]
fn meshes_of_nodes_are_charged() {
    const COUNT: usize = 2_048;
    let levels = "\"extensions\":{\"MSFT_lod\":{\"ids\":[1]}}";
    let group = |index| match index {
        0 => format!("{{\"children\":[{}],{levels}}}", indices(1..COUNT)),
        _ => "{\"mesh\":0}".to_owned(),
    };
    check_scene("a group", gltf_scene(&document(1, COUNT, group, MESH)));
    let below = |index| match index {
        0 => format!("{{\"mesh\":0,{levels}}}"),
        1 => format!("{{\"children\":[{}]}}", indices(2..COUNT)),
        _ => "{}".to_owned(),
    };
    check_scene("a level", gltf_scene(&document(1, COUNT, below, MESH)));
    let roots = gltf(1, |_| "{}".to_owned(), MESH);
    let roots = roots.replacen("[0]", &format!("[{}0]", "0,".repeat(50_000)), 1);
    check_scene("roots", gltf_scene(&roots));
    let mesh = "{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]},".repeat(64);
    let skins = format!("\"meshes\":[{mesh}{{}}],\"skins\":[{}{{}}]", "{},".repeat(64));
    let skinned = |index| format!("{{\"mesh\":{},\"skin\":{}}}", index % 64, index / 64);
    check_scene("skins", gltf_scene(&gltf(COUNT, skinned, &skins)));
    let joints = format!("{MESH},\"skins\":[{{\"joints\":[{}0]}}]", "0,".repeat(10_000));
    check_scene("joints", gltf_scene(&gltf(1, |_| "{\"mesh\":0,\"skin\":0}".to_owned(), &joints)));
    // Each place begins a byte after the one before.
    let bytes = format!(
        "{MESH},\"bufferViews\":[{{\"buffer\":0,\"byteLength\":10011,\"byteStride\":1}}],\
         \"buffers\":[{{\"byteLength\":10011,\"uri\":\"data:;base64,{}\"}}]",
        "AAAA".repeat(3_337)
    );
    let instances = "{\"mesh\":0,\"extensions\":{\"EXT_mesh_gpu_instancing\":{\"attributes\":\
                     {\"TRANSLATION\":1}}}}";
    check_scene("instances", gltf_scene(&gltf(1, |_| instances.to_owned(), &bytes)));
}

#[test]
fn lists_are_charged() {
    for (list, element) in [
        ("nodes", "{}"),
        ("meshes", "{}"),
        ("meshes", "[]"),
        ("meshes", "{\"primitives\":[{}]}"),
        ("meshes", "{\"primitives\":[{},{},{},{},{}]}"),
        ("meshes", "{\"primitives\":[{\"attributes\":{\"JOINTS_0\":0,\"WEIGHTS_0\":0}}]}"),
        ("accessors", "{}"),
        ("accessors", "{\"min\":[0,0,0,0,0,0,0,0],\"max\":[[[[]]]]}"),
        ("bufferViews", "{}"),
        ("bufferViews", "[0]"),
        ("buffers", "{}"),
        ("buffers", "{\"uri\":\"\\u0041\"}"),
        ("skins", "{}"),
        ("skins", "{\"joints\":[0,0,0,0,0]}"),
        ("scenes", "{}"),
        ("scenes", "{\"nodes\":[0,0,0,0,0]}"),
        ("extensionsRequired", "\"\""),
        ("extensionsRequired", "\"\\u0041\""),
        ("cameras", "{}"),
        ("cameras", "{\"perspective\":{}}"),
        ("cameras", "[[]]"),
        ("other", "{}"),
        ("nod\\u0065s", "{}"),
    ] {
        for count in [5, 4_100] {
            let all = vec![element; count].join(",");
            let json = format!("{{\"asset\":{{\"version\":\"2.0\"}},\"{list}\":[{all}]}}");
            check_scene(&format!("{list} of {element}"), gltf_scene(&json));
            let is_wrong = json.replace("]}", ",7]}");
            check_scene(&format!("{list} of {element}, wrong"), gltf_scene(&is_wrong));
            check_scene(
                "a list",
                gltf_scene(&format!("[{{\"version\":\"2.0\"}},0,[],[{all}],[{all}],[{all}]]")),
            );
        }
    }
}

#[test]
fn attributes_are_charged() {
    let all = many(256, |i| format!("\"JOINTS_{i}\":0,\"WEIGHTS_{i}\":0,"));
    let mesh =
        format!("{{\"primitives\":[{{\"attributes\":{{{all}\"POSITION\":0}}}}]}},").repeat(50);
    check_scene(
        "attributes",
        gltf_scene(&gltf(1, |_| "{}".to_owned(), &format!("\"meshes\":[{mesh}{{}}]"))),
    );
    let long = "k".repeat(300_000);
    check_scene("a long key", gltf_scene(&format!("{{\"nodes\":[{{\"mesh\":\"{long}\"}}]}}")));
    let json = format!("{{\"asset\":{{\"version\":\"2.0\"}},\"nodes\":[{{\"mesh\":\"{long}\"}}]}}");
    check_scene("a long text", gltf_scene(&json));
    let uri = format!("\"buffers\":[{{\"byteLength\":9,\"uri\":\"data:;base64,{long}\"}}]");
    let views = "\"bufferViews\":[{\"buffer\":0,\"byteLength\":9}],\"accessors\":[{\"bufferView\":0,\
                 \"componentType\":5121,\"type\":\"VEC3\",\"count\":3}]";
    let json = gltf(1, |_| "{\"mesh\":0}".to_owned(), &format!("{MESH},{uri}"));
    let json = json.replace(&json[json.find("\"accessors\"").expect("present")..], views) + "}";
    check_scene("a buffer", gltf_scene(&json));
}

fn sog_scene(text: &str) -> impl Fn(&Quota) -> Result<SceneFile, SceneFileError> {
    move |quota| {
        let units = Some(Budget::from_ns(10_000));
        let overrides = SceneOverrides {
            units,
            view: View::from_position([0.0; 3]).ok(),
            ..SceneOverrides::default()
        };
        let read = SceneFile::from_streamed_sog(text, &overrides, SceneLimits::default(), quota);
        let mut file = read?;
        file.scene.tick();
        Ok(file)
    }
}

fn leaf(number: usize, levels: impl Iterator<Item = usize>) -> String {
    let lod = |level| format!("\"{level}\":{{\"count\":{}}},", number + 1_000 - 3 * level);
    let lods: String = levels.map(lod).collect();
    format!(
        "{{\"bound\":{{\"min\":[0,0,0],\"max\":[1,1,1]}},\"lods\":{{{}}}}},",
        lods.trim_end_matches(',')
    )
}

#[test]
fn leaves_are_charged() {
    let of = |levels: usize, leaves: &str| {
        let leaves = leaves.trim_end_matches(',');
        format!("{{\"lodLevels\":{levels},\"tree\":{{\"children\":[{leaves}]}}}}")
    };
    for count in [1, 60, 4_096] {
        check_scene("five levels", sog_scene(&of(5, &many(count, |i| leaf(i, 0..5)))));
        check_scene("equal leaves", sog_scene(&of(5, &many(count, |_| leaf(0, 0..5)))));
        check_scene("one level", sog_scene(&of(1, &many(count, |i| leaf(i, 0..1)))));
        // Each has other levels.
        let bits = |i: usize| (0..16).filter(move |level| i >> level & 1 == 1);
        check_scene("some levels", sog_scene(&of(16, &many(count, |i| leaf(i, bits(i))))));
        check_scene("no levels", sog_scene(&of(16, &many(count, |i| leaf(i, 0..0)))));
    }
    check_scene("256 levels", sog_scene(&of(256, &many(200, |i| leaf(i, 0..256)))));
    let deep = format!("{{\"lodLevels\":1,\"tree\":{}", "{\"children\":[".repeat(50_000));
    check_scene("an end too early", sog_scene(&deep));
    check_scene("a deep tree", sog_scene(&format!("{deep}{}}}", "]}".repeat(50_000))));
    check_scene("brackets", sog_scene(&format!("{{\"lodLevels\":1,\"x\":{}", "[".repeat(1 << 20))));
}

/// The least memory and the least work with which a file is read.
pub(crate) fn needed(is_read: impl Fn(&Quota) -> bool) -> (u64, u64) {
    let is_read = |memory, work| is_read(&Quota::new(QuotaLimits { memory, work }));
    (least(|memory| is_read(memory, u64::MAX)), least(|work| is_read(u64::MAX, work)))
}

#[test]
fn each_reader_charges_exact_memory_and_work() {
    let actors = format!("{HEAD}{}{}", actor("a", "1, 2"), actor("b", "1, 2"));
    let prim = "position = [0, 0, 0]\nscale = [1, 1, 1]\n";
    let object = |name| format!("[[object]]\nname = \"{name}\"\n[[object.prim]]\n{prim}");
    let objects = object("a") + &object("b");
    let listed = format!(
        "object = [{{ name = \"a\", prim = [{{ {} }}] }}]",
        prim.trim().replace('\n', ", ")
    );
    let linkset = Linkset::from_toml(&objects, &Quota::default()).expect("valid");
    let path = "[[waypoint]]\neye = [0, 0, 0]\n".repeat(2);
    let sog = format!(
        "{{\"lodLevels\":2,\"tree\":{{\"children\":[{}]}}}}",
        leaf(0, 0..2).trim_end_matches(',')
    );
    let brackets = "[".repeat(10_000);
    let is_refused_as_toml = |quota: &Quota| {
        let error = toml_scene(&brackets)(quota).expect_err("brackets");
        matches!(error.kind(), SceneFileErrorKind::Toml)
    };
    let mut rows = vec![
        ("a TOML scene", needed(|quota| toml_scene(&actors)(quota).is_ok()), (41_544, 3_808)),
        (
            "[[object]]",
            needed(|quota| Linkset::from_toml(&objects, quota).is_ok()),
            (31_066, 2_618),
        ),
        (
            "object = []",
            needed(|quota| Linkset::from_toml(&listed, quota).is_ok()),
            (35_493, 1_343),
        ),
        ("a span report", needed(|quota| linkset.check_span_rule(quota).is_ok()), (2_224, 6)),
        (
            "a camera path",
            needed(|quota| CameraPath::from_toml(&path, quota).is_ok()),
            (25_064, 928),
        ),
        ("Streamed SOG", needed(|quota| sog_scene(&sog)(quota).is_ok()), (5_872, 1_476)),
        ("the beginning of a text", needed(is_refused_as_toml), (153_600, 170_000)),
    ];
    rows.retain(|(_, found, expected)| found != expected);
    assert_eq!(rows, [], "reader, found, expected");
}
