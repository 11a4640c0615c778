//! Scenes and linksets in TOML.

use lodger_allowance::Allowance;
use lodger_core::budget::{Leftovers, Policy};

use super::{check, many};
use crate::{Error, Limits, Linkset, SceneFile, Settings};

const HEAD: &str = "budget_ms = 5\n[[view]]\neye = [0, 0, 0]\n[[module]]\nname = \"m\"\n\
                    unit_cost_ms = 0.001\nbenefit_value = 1\n";

fn actor(name: &str, work: &str) -> String {
    format!("[[actor]]\nname = \"{name}\"\nmodule = \"m\"\nbenefit = 0.5\nwork = [{work}]\n")
}

/// Reads a scene and decides it.
fn scene(text: &str) -> impl Fn(&Allowance) -> Result<SceneFile, Error> {
    move |allowance| {
        let mut file =
            SceneFile::from_toml(text, &Settings::default(), Limits::default(), allowance)?;
        for policy in [Policy::Proportional(Leftovers::AcrossModules), Policy::Optimal] {
            file.scene.set_policy(policy);
            file.scene.tick();
        }
        Ok(file)
    }
}

#[test]
fn actors_take_what_they_say() {
    for count in [10, 1_030] {
        let seen = |i| {
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
            many(count, seen),
            many(count, |i| actor(&i.to_string(), "1")) + &actor("wrong", "-1"),
            many(count, |i| actor(&i.to_string(), "1")) + "[[actor]]\n\n]]",
        ];
        for text in texts {
            let text = format!("{HEAD}{text}");
            check(&text[HEAD.len()..HEAD.len() + 80], scene(&text));
        }
    }
}

#[test]
fn a_million_actors_fit() {
    // A fiftieth of them, in a fiftieth of the memory.
    let text = format!("{HEAD}{}", many(20_000, |i| actor(&format!("actor {i}"), "0, 1, 2")));
    let needed = check("many actors", scene(&text));
    assert!(needed + (text.len() as u64) < 20 << 20, "{needed}");
    assert!(needed < 9 * text.len() as u64, "{needed}");
}

#[test]
fn what_is_no_actor_takes_what_it_says() {
    let module = |i| format!("[[module]]\nname = \"m {i}\"\nunit_cost_ms = 1\nbenefit_value = 1\n");
    let inline = "{name=\"\",module=\"\",work=[0]},";
    for text in [
        many(2_000, module),
        many(5_000, |i| format!("[[view]]\neye = [{i}, 0, 0]\n")),
        format!("view = [{}]", "{eye=[0,0,0]},".repeat(5_000)),
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
        check(&text[..text.len().min(60)], scene(&text));
        let text = format!("budget_ms = 5\n{text}");
        check(&text[..text.len().min(60)], scene(&text));
    }
}

#[test]
fn a_linkset_takes_what_it_says() {
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
        check(name, |allowance| Linkset::from_toml(&text, allowance));
    }
}
