//! Scenes in glTF.

use lodger_allowance::Allowance;
use lodger_core::budget::{Leftovers, Policy};
use lodger_scheduler::View;

use super::{check, many};
use crate::{Error, Limits, SceneFile, Settings};

fn scene(json: &str) -> impl Fn(&Allowance) -> Result<SceneFile, Error> {
    move |allowance| {
        let settings = Settings { view: View::eye([0.0; 3]).ok(), ..Settings::default() };
        let read = SceneFile::from_gltf(json.as_bytes(), &settings, Limits::default(), allowance);
        let mut file = read?;
        file.scene.set_policy(Policy::Proportional(Leftovers::AcrossModules));
        file.scene.tick();
        Ok(file)
    }
}

/// A file of these lists, all of whose `count` nodes are in its scene.
fn file(count: usize, nodes: impl Fn(usize) -> String, lists: &str) -> String {
    let list = |one: &dyn Fn(usize) -> String| (0..count).map(one).collect::<Vec<_>>().join(",");
    format!(
        "{{\"asset\":{{\"version\":\"2.0\"}},\"scenes\":[{{\"nodes\":[{}]}}],\"nodes\":[{}],{lists},\
         \"accessors\":[{{\"componentType\":5126,\"type\":\"VEC3\",\"count\":3,\"min\":[0,0,0],\
         \"max\":[1,1,1]}}]}}",
        list(&|index| index.to_string()),
        list(&nodes)
    )
}

const MESH: &str = "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}]";

#[test]
fn nodes_take_what_they_say() {
    let named = MESH.replacen('{', &format!("{{\"name\":\"{}\",", "n".repeat(100_000)), 1);
    for count in [1, 400, 2_100] {
        check("empty", scene(&file(count, |_| "{}".to_owned(), MESH)));
        check("meshes", scene(&file(count, |_| "{\"mesh\":0}".to_owned(), MESH)));
        check("one name", scene(&file(count, |_| "{\"mesh\":0}".to_owned(), &named)));
        let one = |i| format!("{{\"mesh\":0,\"name\":\"{}{i}\"}}", "x".repeat(i % 300));
        check("names", scene(&file(count, one, MESH)));
        let one = |_| format!("{{\"name\":\"{}\"}}", "\\u0041".repeat(50));
        check("escapes", scene(&file(count, one, MESH)));
        let one = |i: usize| format!("{{\"children\":[{}]}}", vec![i.to_string(); 9].join(","));
        check("children", scene(&file(count, one, MESH)));
        let one = |_| "{\"mesh\":0,\"translation\":[1,2,3],\"scale\":[1,2,3]}".to_owned();
        check("places", scene(&file(count, one, MESH)));
        let one = |_| "[\"a\",[0,0,0,0,0,0,0,0],0,null,null,null,null,null,null,null]".to_owned();
        let first = |index| match index {
            0 => "{\"translation\":[1,2,3]}".to_owned(),
            index => one(index),
        };
        check("nodes as lists", scene(&file(count, first, MESH)));
        let one = |_| "{\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1],\"mesh\":0}".to_owned();
        check("matrices", scene(&file(count, one, MESH)));
        for ids in ["0", "\"a\",\"b\"", "[[1,2],[3]]", "-1", "0,0,0,0"] {
            let one =
                |_| format!("{{\"mesh\":0,\"extensions\":{{\"MSFT_lod\":{{\"ids\":[{ids}]}}}}}}");
            check(ids, scene(&file(count, one, MESH)));
        }
    }
    let ids = format!("\"{}\"", "x".repeat(100_000));
    let one = |_| format!("{{\"mesh\":0,\"extensions\":{{\"MSFT_lod\":{{\"ids\":[{ids}]}}}}}}");
    check("a long id", scene(&file(1, one, MESH)));
}

#[test]
fn lists_take_what_they_say() {
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
        ("other", "{}"),
        ("nod\\u0065s", "{}"),
    ] {
        for count in [5, 4_100] {
            let all = vec![element; count].join(",");
            let json = format!("{{\"asset\":{{\"version\":\"2.0\"}},\"{list}\":[{all}]}}");
            check(&format!("{list} of {element}"), scene(&json));
            let is_wrong = json.replace("]}", ",7]}");
            check(&format!("{list} of {element}, wrong"), scene(&is_wrong));
            check(
                "a list",
                scene(&format!("[{{\"version\":\"2.0\"}},0,[],[{all}],[{all}],[{all}]]")),
            );
        }
    }
}

#[test]
fn attributes_take_what_they_say() {
    let all = many(256, |i| format!("\"JOINTS_{i}\":0,\"WEIGHTS_{i}\":0,"));
    let mesh =
        format!("{{\"primitives\":[{{\"attributes\":{{{all}\"POSITION\":0}}}}]}},").repeat(50);
    check("attributes", scene(&file(1, |_| "{}".to_owned(), &format!("\"meshes\":[{mesh}{{}}]"))));
    let long = "k".repeat(300_000);
    check("a long key", scene(&format!("{{\"nodes\":[{{\"mesh\":\"{long}\"}}]}}")));
    let json = format!("{{\"asset\":{{\"version\":\"2.0\"}},\"nodes\":[{{\"mesh\":\"{long}\"}}]}}");
    check("a long text", scene(&json));
    let uri = format!("\"buffers\":[{{\"byteLength\":9,\"uri\":\"data:;base64,{long}\"}}]");
    let views = "\"bufferViews\":[{\"buffer\":0,\"byteLength\":9}],\"accessors\":[{\"bufferView\":0,\
                 \"componentType\":5121,\"type\":\"VEC3\",\"count\":3}]";
    let json = file(1, |_| "{\"mesh\":0}".to_owned(), &format!("{MESH},{uri}"));
    let json = json.replace(&json[json.find("\"accessors\"").expect("it is there")..], views) + "}";
    check("a buffer", scene(&json));
}
