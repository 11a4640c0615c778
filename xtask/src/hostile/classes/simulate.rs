//! Simulations: scenes of many modules, camera paths, and outputs that are written as one.

use crate::hostile::case::Case;
use crate::hostile::class::{Class, Known};
use crate::hostile::input::{Content, Kind};
use crate::hostile::make::scene;
use crate::hostile::random::Random;
use crate::hostile::{damage, hard};

pub(super) const CLASS: Class = Class { name: "simulate", known: &KNOWN, random: Some(random) };

const KNOWN: [Known; 11] = [
    Known::new("20 000 modules for 600 frames, of 30 million units", 20_000, |n| {
        modules(n, "600").option("--work", "30").codes(&[2])
    }),
    Known::new("60 000 modules for 100 000 frames", 60_000, |n| modules(n, "100000").codes(&[2])),
    Known::new("a page of 2 000 modules and 100 000 frames", 2_000, |n| {
        modules(n, "100000").option("--report", "page.html").codes(&[2])
    }),
    Known::new("1 000 seeds of 100 000 frames", 1, |_| {
        Case::of("simulate").option("--seeds", "1000").option("--frames", "100000").codes(&[2])
    }),
    Known::new("local search in 100 000 frames", 1, |_| {
        let case = Case::of("simulate").option("--policy", "optimal").option("--stability", "off");
        case.option("--frames", "100000").codes(&[2])
    }),
    Known::new("20 000 modules, compared", 20_000, |n| {
        modules(n, "61").flag("--compare").codes(&[0])
    }),
    Known::new("one ladder of 256 levels among 4 000 of two, compared", 4_000, one_long_ladder),
    Known::new("a speed of 1e308", 1, |_| along("speed = 1e308", "0").codes(&[2])),
    Known::new("a speed of 3e38 from end to end", 1, |_| along("speed = 3e38", "3e38").codes(&[0])),
    Known::new("a page beside a result that has no folder", 1, |_| {
        let case = Case::of("simulate").option("--frames", "61").option("--report", "page.html");
        case.option("--output", "gone/out").codes(&[2])
    }),
    Known::new("a page beside a result to /dev/full", 1, |_| {
        let case = Case::of("simulate").option("--frames", "61").option("--report", "page.html");
        case.option("--output", "/dev/full").codes(&[2])
    }),
];

/// Modules without actors, and the number of frames.
fn modules(count: usize, frames: &str) -> Case {
    let module = |number: usize| {
        format!("[[module]]\nname = \"{number}\"\nunit_cost_ms = 0.001\nbenefit_value = 1\n")
    };
    let modules: String = (0..count).map(module).collect();
    let case = Case::of("simulate").file("bad.toml", format!("budget_ms = 8.0\n{modules}"));
    case.option("--frames", frames).format("json")
}

fn one_long_ladder(count: usize) -> Case {
    let work: Vec<_> = (0..256).map(|level| level.to_string()).collect();
    let long = scene::actor("\"long\"").replace("[0, 200, 600]", &format!("[{}]", work.join(", ")));
    let text = scene::of_actors(count).replace("[0, 200, 600]", "[0, 1]") + &long;
    let case = Case::of("simulate").file("bad.toml", text).option("--budget-ms", "1000");
    case.option("--frames", "61").flag("--compare").format("json").codes(&[0])
}

/// A camera between two points so far from each other.
fn along(speed: &str, metres: &str) -> Case {
    let way =
        format!("{speed}\n[[waypoint]]\neye = [{metres}, 1, 9]\n[[waypoint]]\neye = [0, 1, -9]\n");
    let case = Case::of("simulate").input("way.toml", Kind::File(Content::of(way)));
    case.option("--path", "way.toml").option("--frames", "200")
}

fn random(random: &mut Random) -> Case {
    let scene = scene::of_actors(random.spread(30));
    let text = damage::text(random, &scene);
    let mut case = Case::of("simulate").file("bad.toml", text).option("--frames", "61");
    "any simulation".clone_into(&mut case.name);
    for option in ["--noise", "--spike", "--wrong", "--seed", "--seeds", "--budget-ms"] {
        if random.one_in(6) {
            case = case.option(option, hard::number(random));
        }
    }
    if random.one_in(3) {
        case = case.flag("--compare");
    }
    let outputs = [("--report", "page.html"), ("--plot", "ways.svg"), ("--record", "log")];
    if random.one_in(3) {
        return case.format("json").output("--output", "out");
    }
    for (option, path) in outputs {
        if random.one_in(4) {
            case = case.output(option, path);
        }
    }
    case.option("--path", random.pick(&["orbit", "line", "still", "bad.toml"]))
}
