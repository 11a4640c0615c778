use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use lodger_scheduler::{Actor, Benefit, BenefitValue, Budget, Leftovers, Module, Policy, Scene};
use lodger_scheduler::{Hysteresis, UnitCost, View};
use serde_json::Value;

use super::{
    Baseline, CameraMotion, Candidate, CostKnowledge, Simulation, SimulationReport,
    SimulationScene, SimulationSettings,
};

const STEADY: Candidate = Candidate::Scheduler(Policy::Optimal, Hysteresis::TYPICAL);

fn settings(frames: usize) -> SimulationSettings {
    let prices = CostKnowledge::Measured { wrong: 3.0, noise: 0.05, spike: 0.01 };
    SimulationSettings {
        path: CameraMotion::Orbit,
        walking: true,
        frames,
        decide_every: 1,
        prices,
        seed: 3,
    }
}

fn all_candidates() -> Vec<Candidate> {
    let proportional = Policy::Proportional(Leftovers::AcrossModules);
    let ledgers = [STEADY, Candidate::Scheduler(proportional, Hysteresis::OFF)];
    ledgers.into_iter().chain(Baseline::ALL.map(Candidate::Baseline)).collect()
}

fn run(
    simulated: SimulationScene,
    candidates: &[Candidate],
    settings: SimulationSettings,
) -> Simulation {
    let frames = settings.frames;
    let mut simulation = Simulation::new(simulated, candidates, settings, true).expect("sound");
    while simulation.frames() < frames {
        simulation.step().expect("a frame");
    }
    simulation
}

fn demo() -> SimulationScene {
    SimulationScene::demo(3).expect("a scene")
}

/// An actor with a position, one with a given benefit, and a forced one; a name ends a script.
fn small_scene() -> SimulationScene {
    let mut scene = Scene::new(Budget::from_ns(1_000));
    scene.add_view(View::from_position([0.0, 1.0, 0.0]).expect("a view")).expect("space");
    let (cost, value) = (UnitCost::from_ns(1.0).expect("a cost"), BenefitValue::from_ns(900));
    let id = scene.add_module(Module::new("m", cost).benefit_value(value)).expect("space");
    let at = Actor::at([3.0, 0.0, 1.0], 1.0, &[0, 400, 900]);
    let given = Actor::from_benefit(Benefit::new(0.4_f32).expect("a benefit"), &[10, 300]);
    let forced = at.forced(lodger_scheduler::Lod::new(1, 0));
    let actors = [("</script><script>alert(1)", at), ("given", given), ("forced", forced)];
    let actors = actors.map(|(name, actor)| (scene.spawn(id, actor).expect("space"), name.into()));
    let mut simulated = demo();
    (simulated.scene, simulated.modules, simulated.actors) =
        (scene, vec![(id, "m".into())], actors.into());
    simulated
}

/// Decisions in every eighth frame keep the budget as well as decisions in every frame.
#[test]
fn frames_between_decisions_keep_levels_and_the_budget() {
    let prices = CostKnowledge::Measured { wrong: 3.0, noise: 0.1, spike: 0.01 };
    let settings = SimulationSettings { decide_every: 8, prices, ..settings(1_800) };
    let frames = settings.frames;
    let mut simulation = Simulation::new(demo(), &[STEADY], settings, false).expect("sound");
    let (mut levels, mut changes) = (Vec::new(), 0);
    while simulation.frames() < frames {
        let decides = simulation.frames().is_multiple_of(8);
        simulation.step().expect("a frame");
        let now = simulation.runs[0].levels();
        assert!(decides || levels == now, "frame {}", simulation.frames());
        changes += usize::from(levels != now);
        levels = now.to_vec();
    }
    assert!(changes > 100, "{changes} changes");
    let over = simulation.rows()[0].over_budget_without_spikes;
    assert!(over <= 0.006, "{over}");
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let page = |seed| {
        let settings = SimulationSettings { seed, ..settings(70) };
        run(demo(), &all_candidates(), settings).page("a scene").expect("it was watched")
    };
    let first = page(3);
    assert!(first == page(3), "the same seed gave another page");
    assert!(first != page(4));
}

#[test]
fn all_candidates_see_the_same_frames_and_none_exceeds_the_bound() {
    let rows = run(demo(), &all_candidates(), settings(90)).rows();
    assert_eq!(rows.len(), 6);
    for row in &rows {
        assert_eq!(row.bound.to_bits(), rows[0].bound.to_bits(), "{row:?}");
        assert!(row.benefit > 0.4 * row.bound, "{row:?}");
        assert!(row.returns_per_s <= row.flips_per_s, "{row:?}");
    }
    // Without hysteresis, and with known constant costs, the optimum is reached.
    let known = SimulationSettings { prices: CostKnowledge::Known { jitter: 0.0 }, ..settings(90) };
    let off = Candidate::Scheduler(Policy::Optimal, Hysteresis::OFF);
    let row = &run(demo(), &[off], known).rows()[0];
    assert!((0.998..=1.0).contains(&row.worth()) && row.over_budget == 0.0, "{row:?}");
    assert_eq!(row.unit_cost_error.map(|error| error < 1e-6), Some(true));
}

#[test]
fn medians_are_those_of_each_number() {
    let reports: Vec<_> = (1..=4)
        .map(|seed| {
            let simulated = SimulationScene::demo(seed).expect("a scene");
            run(simulated, &all_candidates(), SimulationSettings { seed, ..settings(80) })
                .report("a scene")
        })
        .collect();
    let medians = SimulationReport::medians(&reports).expect("four");
    assert_eq!((medians.settings.seed, medians.settings.seeds), (1, Some(4)));
    for (number, row) in medians.rows.iter().enumerate() {
        let mut shown: Vec<_> = reports.iter().map(|report| report.rows[number].worth()).collect();
        shown.sort_by(f64::total_cmp);
        assert_eq!(row.worth().to_bits(), f64::midpoint(shown[1], shown[2]).to_bits());
        assert_eq!(
            row.unit_cost_error.is_some(),
            reports[0].rows[number].unit_cost_error.is_some()
        );
    }
    let three = SimulationReport::medians(&reports[..3]).expect("three");
    let mut flips: Vec<_> = reports[..3].iter().map(|report| report.rows[0].flips_per_s).collect();
    flips.sort_by(f64::total_cmp);
    assert_eq!(three.rows[0].flips_per_s.to_bits(), flips[1].to_bits());
    assert_eq!(SimulationReport::medians(&[]), None);
}

#[test]
fn an_unwatched_simulation_keeps_the_last_frame_only() {
    let kept = |watched| {
        let mut simulation =
            Simulation::new(demo(), &[STEADY], settings(61), watched).expect("sound");
        while simulation.frames() < 61 {
            simulation.step().expect("a frame");
        }
        let last = simulation.last_frame().collect::<Vec<_>>();
        (simulation.runs[0].history.estimates.len(), last)
    };
    let ((watched, last), (unwatched, same)) = (kept(true), kept(false));
    assert_eq!((watched, unwatched, last), (61 * 3, 3, same));
}

#[test]
fn a_forced_actor_stays_and_is_paid_for() {
    let known = SimulationSettings { prices: CostKnowledge::Known { jitter: 0.0 }, ..settings(90) };
    for row in run(small_scene(), &all_candidates()[..2], known).rows() {
        assert!(row.over_budget == 0.0 && row.benefit <= row.bound * 1.000_001, "{row:?}");
    }
}

fn data(page: &str) -> Value {
    let (_, rest) = page.split_once("id=\"data\">").expect("a place for data");
    let (json, _) = rest.split_once("</script>").expect("an end");
    serde_json::from_str(json).expect("it is JSON")
}

#[test]
fn a_page_stands_alone() {
    let page =
        run(small_scene(), &all_candidates(), settings(61)).page("<b>").expect("it was watched");
    assert_eq!(page.matches("<script").count(), 2);
    for foreign in ["http:", "https:", "src=", "@import", "{{", "fetch(", "innerHTML"] {
        assert!(!page.contains(foreign), "{foreign}");
    }
    assert!(page.contains("default-src 'none'"));
    let data = data(&page);
    assert_eq!(data["actors"]["names"][0], "</script><script>alert(1)");
    assert_eq!(data["report"]["settings"]["scene"], "<b>");
    assert_eq!(data["report"]["rows"].as_array().map(Vec::len), Some(6));
    for id in ["rows", "scene", "frame", "play", "now", "actor", "time", "crowd", "cost"] {
        assert!(page.contains(&format!("id=\"{id}\"")), "{id}");
        assert!(
            page.contains(&format!("$(\"{id}\")")) || page.contains(&format!("\"{id}\"]")),
            "{id}"
        );
    }
}

fn levels(lives: &str, actors: usize, frames: usize) -> Vec<Vec<u8>> {
    let mut rest = STANDARD.decode(lives).expect("Base64");
    let take = |rest: &mut Vec<u8>| {
        let end = rest.iter().position(|byte| *byte < 128).expect("an end");
        let group: Vec<u8> = rest.drain(..=end).collect();
        group.iter().rev().fold(0, |number, byte| number << 7 | usize::from(byte & 127))
    };
    (0..actors)
        .map(|_| {
            let mut levels = Vec::new();
            while levels.len() < frames {
                let length = take(&mut rest);
                let level = rest[0];
                rest.drain(..2);
                take(&mut rest);
                levels.extend(std::iter::repeat_n(level, length));
            }
            levels
        })
        .collect()
}

#[test]
fn a_page_has_every_level_of_every_frame() {
    let mut simulation =
        Simulation::new(small_scene(), &[STEADY], settings(61), true).expect("sound");
    let mut expected: Vec<Vec<u8>> = vec![Vec::new(); 3];
    while simulation.frames() < 61 {
        simulation.step().expect("a frame");
        let levels = simulation.runs[0].levels();
        expected.iter_mut().zip(levels).for_each(|(row, level)| row.push(*level));
    }
    let data = data(&simulation.page("three").expect("it was watched"));
    let lives = data["candidates"][0]["lives"].as_str().expect("lives");
    assert_eq!(levels(lives, 3, 61), expected);
    assert_eq!(expected[2], [1; 61], "it is forced");
}
