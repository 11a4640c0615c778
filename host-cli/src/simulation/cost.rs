//! The work and memory of a simulation, which the caller charges to a quota before it begins.

use lodger_scheduler::Policy;

use super::history::{MAX_ACTORS, MAX_LEVELS};
use super::settings::Candidate;
use super::simulated_scene::SimulationScene;

/// Units of work of a module in one frame of one candidate.
const MODULE_WORK: u64 = 70;
/// Additional units of work of a module that has actors: the scheduler makes dozens of passes over
/// these.
const OCCUPIED_WORK: u64 = 750;
/// Units of work of an actor in one frame of one candidate.
const ACTOR_WORK: u64 = 60;
/// Units of work of a level of an actor in one frame of one candidate.
const LEVEL_WORK: u64 = 5;
/// Units of work of a local-search move of the optimal policy, for the maximum number of passes of
/// a frame. Without hysteresis the policy searches.
const SEARCH_WORK: u64 = 3 * 1_024 * 4;
/// The limit of evaluations for tuning a baseline on the first frame.
const TUNING: u64 = 150;
/// Units of work of packing a byte of a log or of a page.
const BYTE_WORK: u64 = 8;

/// Bytes of a module in a copy of the scene, with the memory of its first actor.
const MODULE: u64 = 3_584;
/// Bytes of an actor in a copy of the scene.
const ACTOR: u64 = 224;
/// Bytes of a level of an actor in a copy of the scene.
const LEVEL: u64 = 40;
/// Bytes of a frame of a candidate: its times, and its part of a picture.
const FRAME: u64 = 96;
/// Bytes of a module's unit costs in a frame.
const UNIT_COSTS: u64 = 8;
/// Bytes of the direction of view in a frame.
const DIRECTION: u64 = 12;
/// The maximum bytes of an actor in a frame that a page shows, with the bit of what is outside.
const SHOWN: u64 = 8;
/// Bytes of a module, an actor and a level in a frame of a log.
const LOGGED: [u64; 3] = [24, 4, 2];
/// Copies of a page's numbers while it is made: raw, in Base64, and in copies of its text.
const PAGE_COPIES: u64 = 7;

/// The data that a simulation keeps beside its metrics.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Keeps {
    /// Keeps a [`page`](super::Simulation::page).
    pub page: bool,
    /// Keeps a [`log`](super::Simulation::log).
    pub log: bool,
}

/// The work and memory of a simulation, in units and bytes of a quota.
///
/// # Examples
///
/// ```
/// use lodger_scheduler::{Policy, Hysteresis};
/// use lodger_cli::simulation::{Candidate, Keeps, SimulationCost, SimulationScene};
///
/// let candidates = [Candidate::Scheduler(Policy::Optimal, Hysteresis::TYPICAL)];
/// let simulated = SimulationScene::demo(1)?;
/// let cost = |frames| SimulationCost::new(&simulated, &candidates, frames, Keeps::default());
/// assert_eq!(cost(1_200).work, 2 * cost(600).work);
/// # Ok::<(), lodger_scheduler::SceneError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SimulationCost {
    pub memory: u64,
    pub work: u64,
}

impl SimulationCost {
    /// Estimates the cost of `frames` frames from the size of the scene.
    #[must_use]
    pub fn new(
        simulated: &SimulationScene,
        candidates: &[Candidate],
        frames: usize,
        keeps: Keeps,
    ) -> Self {
        let levels = simulated.actors.iter().filter_map(|(id, _)| simulated.scene.work(*id));
        let levels: u64 = levels.map(|work| work.len() as u64).sum();
        let (modules, actors) = (simulated.modules.len() as u64, simulated.actors.len() as u64);
        let has_actors = |(id, _): &&(_, _)| simulated.scene.module_len(*id) > Some(0);
        let occupied = simulated.modules.iter().filter(has_actors).count() as u64;
        let size = |[module, actor, level]: [u64; 3]| {
            let sizes = [(modules, module), (actors, actor), (levels, level)];
            sizes.iter().fold(0_u64, |sum, (count, each)| sum.saturating_add(count * each))
        };
        let (frames, decided) = (frames as u64, candidates.len() as u64);
        let is_ledger = |candidate: &&Candidate| matches!(candidate, Candidate::Scheduler(..));
        let ledgers = candidates.iter().filter(is_ledger).count() as u64;
        // The scene and the oracle are copies, too, and the oracle decides every frame.
        let mut memory = size([MODULE, ACTOR, LEVEL]).saturating_mul(ledgers + 2);
        memory = memory.saturating_add(frames.saturating_mul(decided).saturating_mul(FRAME));
        let mut runs = frames.saturating_mul(decided + 1);
        if ledgers < decided {
            runs = runs.saturating_add(TUNING * (decided - ledgers));
        }
        let run = size([MODULE_WORK, ACTOR_WORK, LEVEL_WORK]) + OCCUPIED_WORK * occupied;
        let searches = |candidate: &&Candidate| matches!(candidate, Candidate::Scheduler(Policy::Optimal, stability) if !stability.is_on());
        let moves =
            (simulated.scene.search_moves() * candidates.iter().filter(searches).count()) as u64;
        let search = frames.saturating_mul(moves.saturating_mul(SEARCH_WORK));
        let mut work = run.saturating_mul(runs).saturating_add(search);
        let mut keep = |bytes: u64, copies: u64| {
            memory = memory.saturating_add(bytes.saturating_mul(copies));
            work = work.saturating_add(bytes.saturating_mul(BYTE_WORK));
        };
        if keeps.page {
            let shown = actors.min(MAX_ACTORS as u64).saturating_mul(frames);
            let shown = shown.saturating_mul(decided).min(MAX_LEVELS as u64);
            let unit_costs = modules.saturating_mul(frames).saturating_mul(decided);
            keep(frames.saturating_mul(DIRECTION), PAGE_COPIES);
            keep(shown.saturating_mul(SHOWN), PAGE_COPIES);
            keep(unit_costs.saturating_mul(UNIT_COSTS), PAGE_COPIES);
        }
        if keeps.log {
            keep(size(LOGGED).saturating_mul(frames), 1);
        }
        Self { memory, work }
    }
}

#[cfg(test)]
mod tests {
    use lodger_scheduler::{
        Actor, Benefit, BenefitValue, Budget, Hysteresis, Module, Policy, Scene, UnitCost,
    };

    use super::super::settings::{Baseline, Candidate};
    use super::super::simulated_scene::SimulationScene;
    use super::{Keeps, SimulationCost};

    const OPTIMAL: Candidate = Candidate::Scheduler(Policy::Optimal, Hysteresis::TYPICAL);

    /// A scene of `modules` modules, with all actors in the first one.
    fn many_modules(modules: u16, actors: u16) -> SimulationScene {
        let mut scene = Scene::new(Budget::from_ns(1_000));
        let value = BenefitValue::from_ns(900);
        let mut simulated = SimulationScene::demo(1).expect("a scene");
        (simulated.modules, simulated.actors) = (Vec::new(), Vec::new());
        for _ in 0..modules {
            let module =
                Module::new("m", UnitCost::from_ns(1.0).expect("a cost")).benefit_value(value);
            simulated.modules.push((scene.add_module(module).expect("space"), "m".into()));
        }
        let first = simulated.modules[0].0;
        for _ in 0..actors {
            let actor = Actor::from_benefit(Benefit::MAX, &[0, 9]);
            simulated.actors.push((scene.spawn(first, actor).expect("space"), "a".into()));
        }
        simulated.scene = scene;
        simulated
    }

    fn cost(
        simulated: &SimulationScene,
        candidates: &[Candidate],
        frames: usize,
        keeps: Keeps,
    ) -> SimulationCost {
        SimulationCost::new(simulated, candidates, frames, keeps)
    }

    #[test]
    fn work_counts_frames_modules_actors_and_candidates() {
        let (nothing, frames) = (Keeps::default(), 100_000);
        let work = |simulated: &SimulationScene, candidates: &[Candidate]| {
            cost(simulated, candidates, frames, nothing).work
        };
        let one = work(&many_modules(1_000, 1), &[OPTIMAL]);
        assert!(one > 2 * 1_000 * 70 * 100_000);
        assert!(work(&many_modules(2_000, 1), &[OPTIMAL]) > one * 19 / 10);
        assert!(work(&many_modules(1_000, 10_000), &[OPTIMAL]) > 4 * one);
        // One candidate needs two scenes that decide, and two candidates need three.
        assert_eq!(work(&many_modules(1_000, 1), &[OPTIMAL; 2]), one / 2 * 3);
        let baseline = Candidate::Baseline(Baseline::Bands);
        assert!(work(&many_modules(1_000, 1), &[OPTIMAL, baseline]) > one / 2 * 3);
        // Local search runs only without hysteresis.
        let restless = Candidate::Scheduler(Policy::Optimal, Hysteresis::OFF);
        let search = 512 * 12_288 * 100_000;
        assert_eq!(work(&many_modules(1_000, 1), &[restless]), one + search);
    }

    #[test]
    fn each_part_is_charged_exact_memory_and_work() {
        let restless = Candidate::Scheduler(Policy::Optimal, Hysteresis::OFF);
        let candidates = [OPTIMAL, restless, Candidate::Baseline(Baseline::Bands)];
        let of = |page, log| cost(&many_modules(2, 3), &candidates, 10, Keeps { page, log });
        // 4 copies of 2 modules, 3 actors and 6 levels, and 30 frames. 40 decisions and 150 evaluations of 1 100 units
        // each, and 512 moves in 10 frames.
        let (memory, work) = (4 * 8_080 + 30 * 96, 190 * 1_100 + 5_120 * 12_288);
        assert_eq!(of(false, false), SimulationCost { memory, work });
        // 90 rows and 60 unit costs of 8 bytes, and 10 directions of 12, each kept 7 times.
        let page = SimulationCost { memory: memory + 1_320 * 7, work: work + 1_320 * 8 };
        assert_eq!(of(true, false), page);
        // 10 frames of 72 bytes.
        let log = SimulationCost { memory: memory + 720, work: work + 720 * 8 };
        assert_eq!(of(false, true), log);
    }

    #[test]
    fn memory_counts_each_frame_of_a_page_and_a_log() {
        let memory = |keeps| cost(&many_modules(60_000, 0), &[OPTIMAL], 100_000, keeps).memory;
        let nothing = memory(Keeps::default());
        assert!(nothing < 1 << 30, "only the last frame is kept: {nothing}");
        let page = memory(Keeps { page: true, log: false });
        assert!(page >= 8 * 60_000 * 100_000, "48 GB of unit costs");
        assert!(memory(Keeps { page: false, log: true }) > nothing + 60_000 * 100_000);
        // Sums saturate.
        let max =
            cost(&many_modules(60_000, 0), &[OPTIMAL], usize::MAX, Keeps { page: true, log: true });
        assert_eq!((max.memory, max.work), (u64::MAX, u64::MAX));
    }
}
