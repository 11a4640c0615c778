//! Scenes and linksets in TOML.

use crate::hostile::case::Case;
use crate::hostile::class::{Class, Known};
use crate::hostile::make::scene;
use crate::hostile::random::Random;
use crate::hostile::{damage, hard};

pub(super) const CLASS: Class = Class { name: "toml", known: &KNOWN, random: Some(random) };

const KNOWN: [Known; 15] = [
    Known::heavy("one million actors", 1_000_000, |n| actors(n).format("csv")),
    Known::new("100 000 actors", 100_000, |n| actors(n).format("json")),
    Known::heavy("one million actors, all in a table", 1_000_000, |n| actors(n).flag("--all")),
    Known::new("a MiB of [", 1 << 20, |n| marks(n, "[")),
    Known::new("a MiB of [[", 1 << 20, |n| marks(n, "[[")),
    Known::new("a MiB of {", 1 << 20, |n| marks(n, "a={")),
    Known::new("a key of a MiB", 1 << 20, |n| schedule(format!("{} = 1\n", hard::long(n)))),
    Known::new("a key of 200 000 parts", 200_000, |n| {
        schedule(format!("a{} = 1\n", ".a".repeat(n)))
    }),
    Known::new("a name of 4 MiB in a table", 4 << 20, |n| named(&hard::long(n))),
    Known::new("two actors of one name of 1 MiB", 1 << 20, same_names),
    Known::new("100 000 mistakes", 100_000, mistakes),
    Known::new("a name with U+061C, in a table", 1, |_| named("\\u061cname")),
    Known::new("a name with a new line, in a table", 1, |_| named("a\\nFORGED")),
    Known::new("two actors of one name with a new line", 1, |_| same_line()),
    Known::new("a name that is a formula, in CSV", 1, |_| named("=1+1").format("csv")),
];

fn schedule(text: String) -> Case {
    Case::of("schedule").file("bad.toml", text)
}

fn actors(count: usize) -> Case {
    schedule(scene::of_actors(count))
}

fn marks(bytes: usize, mark: &str) -> Case {
    let times = bytes / mark.len();
    schedule(format!("a = {}", mark.repeat(times)))
}

fn named(name: &str) -> Case {
    schedule(format!("{}{}", scene::HEAD, scene::actor(&format!("\"{name}\""))))
}

fn same_names(bytes: usize) -> Case {
    let actor = scene::actor(&format!("\"{}\"", hard::long(bytes)));
    schedule(format!("{}{actor}{actor}", scene::HEAD))
}

fn same_line() -> Case {
    let actor = scene::actor("\"a\\nFORGED\\u001b[31m\\u061c\"");
    schedule(format!("{}{actor}{actor}", scene::HEAD))
}

fn mistakes(count: usize) -> Case {
    let actor = scene::actor("\"a\"").replace("radius = 0.9", "radius = -1");
    schedule(format!("{}{}", scene::HEAD, actor.repeat(count)))
}

fn random(random: &mut Random) -> Case {
    let linkset = random.one_in(3);
    let text = match (linkset, random.below(3)) {
        (true, _) => scene::linkset(random.between(1, 8), random.spread(400)),
        (false, 0) => lodger_example(),
        (false, _) => scene::of_actors(random.spread(30)),
    };
    let text = damage::text(random, &text);
    let mut case = if linkset {
        Case::of("linkset").option("--rule", random.pick(&["sphere", "span"]))
    } else {
        Case::of("schedule").option(
            "--leftovers",
            random.pick(&["keep", "within-module", "across-modules", "whole-budget"]),
        )
    };
    "any TOML".clone_into(&mut case.name);
    case.threads = random.one_in(10);
    let formats: &[&str] = if linkset { &["table", "json"] } else { &["table", "json", "csv"] };
    case.file("bad.toml", text).format(random.pick(formats))
}

/// A scene with most of the keys.
fn lodger_example() -> String {
    let odd = "[[module]]\nname = \"odd\"\nenabled = false\ncontinuous = true\nunit_cost_ms = 1e-3\n\
        benefit_value = 2\nbias = 0.1\nmax_age = 3.5\ndistance_importance = \"angular\"\n[[actor]]\n\
        name = \"forced\"\nmodule = \"odd\"\nbenefit = 0.5\nage = 1\nwork = [0, 9]\nforce_lod = 0.5\n\
        [[actor]]\nname = \"kept\"\nmodule = \"odd\"\nbenefit = 0.5\nwork = [0, 9, 99]\nlod_range = [0, 1]\n";
    format!("{}{odd}", scene::of_actors(3))
}
