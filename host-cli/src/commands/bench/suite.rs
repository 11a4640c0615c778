//! The cases of a benchmark, measured in turn so that a disturbance affects all of them.

use std::hint::black_box;
use std::time::{Duration, Instant};

use lodger_scheduler::{Hysteresis, SceneError, SimdLevel};
use serde::{Serialize, Serializer};

use super::baseline::{BoxedBaseline, ColumnBaseline};
use super::workload::{
    BenchPolicy, CirclePath, MovingViewScene, StaticViewScene, WorkloadChange, WorkloadKind,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BenchCase {
    MemoryPass,
    Textbook,
    /// Boxed actors after many spawns and despawns.
    TextbookChurned,
    TextbookColumns,
    Scheduler(BenchPolicy),
    /// With hysteresis, as all cases below.
    Steady(BenchPolicy),
    /// A budget that jitters.
    Jitter(BenchPolicy),
    /// A frame with half of the budget of the frame before.
    Halved(BenchPolicy),
    /// Actors on a plane, and listed changes.
    Plane(BenchPolicy),
    Varied(BenchPolicy, WorkloadKind),
    Incremental(BenchPolicy, WorkloadChange),
}

pub(super) struct BenchSuite {
    actors: u32,
    cases: Vec<BenchCase>,
    workloads: Vec<(BenchCase, Workload)>,
}

type Workload = Box<dyn FnMut(BenchCase, u32) -> FrameTime>;

/// The time of several frames.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FrameTime {
    pub(super) deciding: Duration,
    pub(super) worst: Duration,
    pub(super) setting: Duration,
}

impl FrameTime {
    fn decide<T>(&mut self, frame: impl FnOnce() -> T) {
        let start = Instant::now();
        black_box(frame());
        let elapsed = start.elapsed();
        self.deciding += elapsed;
        self.worst = self.worst.max(elapsed);
    }
}

impl BenchCase {
    /// Cases of some policies: all, or only the cases of a sweep.
    pub(super) fn for_policies(policies: &[BenchPolicy], all: bool) -> Vec<Self> {
        let each = || policies.iter().copied();
        let mut cases =
            vec![Self::MemoryPass, Self::Textbook, Self::TextbookChurned, Self::TextbookColumns];
        cases.extend(each().filter(|policy| all || policy.is_drawn()).map(Self::Scheduler));
        if all {
            cases.extend(each().map(Self::Steady));
            let few = || each().filter(|policy| policy.is_drawn());
            cases.extend(few().map(Self::Jitter));
            cases.extend(few().map(Self::Halved));
            cases.extend(few().map(Self::Plane));
            if policies.contains(&BenchPolicy::Keep) {
                use WorkloadKind::{Angular, EightLadders, Priority, Zoom};
                let kinds = [Angular, EightLadders, Priority, Zoom];
                cases.extend(kinds.map(|kind| Self::Varied(BenchPolicy::Keep, kind)));
            }
            cases.extend(few().map(|policy| Self::Varied(policy, WorkloadKind::Frustum)));
            cases.extend(few().flat_map(|policy| {
                WorkloadChange::ALL.map(|change| Self::Incremental(policy, change))
            }));
        }
        cases
    }

    pub(super) fn name(self) -> String {
        match self {
            Self::MemoryPass => "memory_pass".to_owned(),
            Self::Textbook => "textbook".to_owned(),
            Self::TextbookChurned => "textbook_churned".to_owned(),
            Self::TextbookColumns => "textbook_columns".to_owned(),
            Self::Scheduler(policy) => policy.key().to_owned(),
            Self::Steady(policy) => format!("{}_steady", policy.key()),
            Self::Jitter(policy) => format!("{}_jitter", policy.key()),
            Self::Halved(policy) => format!("{}_halved", policy.key()),
            Self::Plane(policy) => format!("{}_plane", policy.key()),
            Self::Varied(policy, kind) => format!("{}_{}", policy.key(), kind.key()),
            Self::Incremental(policy, change) => format!("{}_{}", policy.key(), change.key()),
        }
    }

    fn owner(self) -> Self {
        match self {
            Self::Incremental(policy, _) => Self::Incremental(policy, WorkloadChange::Nothing),
            other => other,
        }
    }
}

/// The frames before each frame with half of the budget.
const CALM_FRAMES: u32 = 3;

fn workload(
    owner: BenchCase,
    scene: &MovingViewScene,
    actors: u32,
    simd_level: SimdLevel,
) -> Result<Workload, SceneError> {
    let scheduler = |scene: MovingViewScene, policy: BenchPolicy, stability| -> Workload {
        let mut scene = scene.set(policy.into(), stability);
        Box::new(move |_, frames| each_timed(frames, || scene.frame()))
    };
    let mut path = CirclePath::default();
    Ok(match owner {
        BenchCase::MemoryPass => {
            let scene = scene.clone().set(BenchPolicy::Keep.into(), Hysteresis::OFF);
            let (mut words, mut bytes) = (vec![0; actors as usize], vec![0; actors as usize]);
            Box::new(move |_, frames| {
                timed(frames, || {
                    black_box(&scene.scene).memory_pass(&mut words, &mut bytes);
                    (words.as_ptr(), bytes.as_ptr())
                })
            })
        }
        BenchCase::Textbook | BenchCase::TextbookChurned => {
            let mut boxed = BoxedBaseline::new(actors, owner == BenchCase::TextbookChurned);
            Box::new(move |_, frames| timed(frames, || boxed.decide(path.step())))
        }
        BenchCase::TextbookColumns => {
            let mut columns = ColumnBaseline::new(actors);
            Box::new(move |_, frames| timed(frames, || columns.decide(path.step())))
        }
        BenchCase::Scheduler(policy) => scheduler(scene.clone(), policy, Hysteresis::OFF),
        BenchCase::Steady(policy) => scheduler(scene.clone(), policy, Hysteresis::TYPICAL),
        BenchCase::Jitter(policy) => {
            let mut scene = scene.clone().set(policy.into(), Hysteresis::TYPICAL);
            Box::new(move |_, frames| each_timed(frames, || scene.frame_with_jitter()))
        }
        BenchCase::Halved(policy) => {
            let mut scene = scene.clone().set(policy.into(), Hysteresis::TYPICAL);
            Box::new(move |_, frames| {
                let mut time = FrameTime::default();
                for _ in 0..frames {
                    (0..CALM_FRAMES).for_each(|_| _ = black_box(scene.frame()));
                    scene.halve_budget(true);
                    time.decide(|| scene.frame());
                    scene.halve_budget(false);
                }
                time
            })
        }
        BenchCase::Plane(policy) => {
            let mut plane = MovingViewScene::new(actors, WorkloadKind::Plane)?;
            plane.scene.set_simd_level(simd_level);
            plane.scene.track_changes(true);
            scheduler(plane, policy, Hysteresis::TYPICAL)
        }
        BenchCase::Varied(policy, kind) => {
            let mut varied = MovingViewScene::new(actors, kind)?;
            varied.scene.set_simd_level(simd_level);
            scheduler(varied, policy, Hysteresis::TYPICAL)
        }
        BenchCase::Incremental(policy, _) => {
            let mut scene = StaticViewScene::new(scene.clone(), policy.into())?;
            Box::new(move |case, frames| {
                let mut time = FrameTime::default();
                let BenchCase::Incremental(_, change) = case else { return time };
                for _ in 0..frames {
                    let start = Instant::now();
                    scene.change(change);
                    time.setting += start.elapsed();
                    time.decide(|| scene.decide());
                }
                time
            })
        }
    })
}

impl BenchSuite {
    pub(super) fn new(
        actors: u32,
        cases: Vec<BenchCase>,
        simd_level: SimdLevel,
    ) -> Result<Self, SceneError> {
        let mut scene = MovingViewScene::new(actors, WorkloadKind::Usual)?;
        scene.scene.set_simd_level(simd_level);
        let mut workloads: Vec<(BenchCase, Workload)> = Vec::new();
        for case in &cases {
            let owner = case.owner();
            if workloads.iter().all(|(other, _)| *other != owner) {
                workloads.push((owner, workload(owner, &scene, actors, simd_level)?));
            }
        }
        Ok(Self { actors, cases, workloads })
    }

    /// Measures all cases for about `time`, but at least five rounds. `tell` gets the elapsed time
    /// after each turn.
    pub(super) fn measure(
        &mut self,
        time: Duration,
        on_turn: &mut dyn FnMut(Duration),
    ) -> Measurement {
        let cases = self.cases.clone();
        let mut samples = vec![(Vec::new(), Vec::new(), Duration::ZERO); cases.len()];
        let frames = ACTORS_OF_SAMPLE.div_ceil(self.actors);
        let decided = f64::from(frames) * f64::from(self.actors);
        for &case in &cases {
            self.run(case, 3);
        }
        let start = Instant::now();
        let mut rounds = 0;
        loop {
            let round = Instant::now();
            for turn in order(cases.len(), rounds) {
                let FrameTime { deciding, worst, setting } = self.run(cases[turn], frames);
                samples[turn].0.push(deciding.as_secs_f64() * 1e9 / decided);
                samples[turn].1.push(setting.as_secs_f64() * 1e9 / decided);
                samples[turn].2 = samples[turn].2.max(worst);
                on_turn(start.elapsed());
            }
            rounds += 1;
            let is_over = start.elapsed() + round.elapsed() / 2 > time;
            if rounds >= MIN_ROUNDS && (is_over || rounds >= MAX_ROUNDS) {
                break;
            }
        }
        let actors = f64::from(self.actors);
        let stats = cases.into_iter().zip(samples).map(|(case, (deciding, setting, worst))| {
            let setting = SampleStats::from_samples(setting).median;
            let worst = worst.as_secs_f64() * 1e9 / actors;
            let mut deciding = SampleStats::from_samples(deciding);
            deciding.greatest = deciding.greatest.max(worst);
            (case, CaseStats { deciding, setting })
        });
        Measurement {
            actors: self.actors,
            rounds,
            seconds: start.elapsed().as_secs_f64(),
            stats: stats.collect(),
        }
    }

    pub(super) fn run(&mut self, case: BenchCase, frames: u32) -> FrameTime {
        let workload = self.workloads.iter_mut().find(|(owner, _)| *owner == case.owner());
        workload.map_or_else(FrameTime::default, |(_, decide)| decide(case, frames))
    }
}

/// Times each frame of the scheduler: the clock takes some 0.03 ns an actor of 1 000.
fn each_timed<T>(frames: u32, mut frame: impl FnMut() -> T) -> FrameTime {
    let mut time = FrameTime::default();
    (0..frames).for_each(|_| time.decide(&mut frame));
    time
}

/// Times all frames at once: a memory pass over few actors takes not much longer than the clock.
fn timed<T>(frames: u32, mut frame: impl FnMut() -> T) -> FrameTime {
    let mut time = FrameTime::default();
    time.decide(|| (0..frames).for_each(|_| _ = black_box(frame())));
    FrameTime { worst: Duration::ZERO, ..time }
}

const MIN_ROUNDS: u32 = 5;
const MAX_ROUNDS: u32 = 400;
/// The minimum number of decided actors in a sample, so that the clock's share is negligible. A
/// sample of more actors is a single frame: before its next frame all other cases use the caches,
/// as in a game.
const ACTORS_OF_SAMPLE: u32 = 1 << 15;

#[derive(Clone, Debug)]
pub(super) struct Measurement {
    pub(super) actors: u32,
    pub(super) rounds: u32,
    pub(super) seconds: f64,
    pub(super) stats: Vec<(BenchCase, CaseStats)>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct CaseStats {
    pub(super) deciding: SampleStats,
    /// The median of setting changes, in nanoseconds per actor.
    pub(super) setting: f64,
}

/// Median, mean and spread of samples in nanoseconds per actor. JSON has the median elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct SampleStats {
    #[serde(serialize_with = "rounded")]
    pub(super) least: f64,
    #[serde(serialize_with = "rounded")]
    pub(super) lower_quartile: f64,
    #[serde(skip)]
    pub(super) median: f64,
    #[serde(serialize_with = "rounded")]
    pub(super) upper_quartile: f64,
    /// Of the scheduler the slowest frame, also if a sample has several frames.
    #[serde(serialize_with = "rounded")]
    pub(super) greatest: f64,
    #[serde(serialize_with = "rounded")]
    pub(super) mean: f64,
    pub(super) samples: usize,
}

impl SampleStats {
    /// Computes statistics; without samples, all numbers are NaN.
    pub(super) fn from_samples(mut samples: Vec<f64>) -> Self {
        samples.sort_unstable_by(f64::total_cmp);
        let at = |quarters: usize| {
            let place = samples.len().saturating_sub(1) * quarters;
            let (low, part) = (place / 4, [0.0, 0.25, 0.5, 0.75][place % 4]);
            let sample = |place: usize| samples.get(place).copied();
            let lower = sample(low).unwrap_or(f64::NAN);
            lower + part * (sample(low + 1).unwrap_or(lower) - lower)
        };
        Self {
            least: at(0),
            lower_quartile: at(1),
            median: at(2),
            upper_quartile: at(3),
            greatest: samples.last().copied().unwrap_or(f64::NAN),
            mean: samples.iter().sum::<f64>()
                / f64::from(u32::try_from(samples.len()).unwrap_or(1)),
            samples: samples.len(),
        }
    }
}

pub(super) fn three_decimals(number: f64) -> f64 {
    (number * 1e3).round() / 1e3
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes fields by reference")]
fn rounded<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(three_decimals(*number))
}

/// The order of the cases in a round: every case begins equally often, and precedes every other as
/// often as it follows it.
fn order(cases: usize, round: u32) -> impl Iterator<Item = usize> {
    let turn = move |turn| (turn + round as usize / 2) % cases;
    (0..cases)
        .map(move |place| turn(if round.is_multiple_of(2) { place } else { cases - 1 - place }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles_are_between_samples() {
        let spread = SampleStats::from_samples(vec![4.0, 1.0, 3.0, 2.0, 10.0]);
        assert_eq!((spread.least, spread.median, spread.samples), (1.0, 3.0, 5));
        assert_eq!((spread.lower_quartile, spread.upper_quartile), (2.0, 4.0));
        assert_eq!((spread.greatest, spread.mean), (10.0, 4.0));
        let two = SampleStats::from_samples(vec![2.0, 1.0]);
        assert_eq!((two.lower_quartile, two.median, two.upper_quartile), (1.25, 1.5, 1.75));
        assert_eq!(
            SampleStats::from_samples(vec![7.0]).upper_quartile.to_bits(),
            7.0_f64.to_bits()
        );
        assert!(SampleStats::from_samples(Vec::new()).median.is_nan());
    }

    #[test]
    fn every_case_begins_and_precedes_every_other() {
        let orders: Vec<Vec<_>> = (0..8).map(|round| order(4, round).collect()).collect();
        assert_eq!(orders[..3], [[0, 1, 2, 3], [3, 2, 1, 0], [1, 2, 3, 0]]);
        assert!((0..4).all(|one| orders.iter().filter(|order| order[0] == one).count() == 2));
    }

    #[test]
    fn every_case_is_measured_in_every_round() {
        let cases = BenchCase::for_policies(&BenchPolicy::ALL, true);
        let mut suite = BenchSuite::new(500, cases.clone(), SimdLevel::default()).unwrap();
        let mut turns = 0;
        let measured = suite.measure(Duration::ZERO, &mut |_| turns += 1);
        assert_eq!((measured.rounds, turns), (5, 5 * cases.len()));
        assert!(measured.stats.iter().map(|(case, _)| *case).eq(cases));
        for (case, stats) in &measured.stats {
            let SampleStats { least, median, greatest, samples, .. } = stats.deciding;
            assert!(least > 0.0 && median >= least && samples >= 5, "{case:?} {stats:?}");
            assert!(greatest >= median, "{case:?} {stats:?}");
            let sets = matches!(case, BenchCase::Incremental(..));
            assert_eq!(stats.setting > 0.0, sets, "{case:?}");
        }
    }
}
