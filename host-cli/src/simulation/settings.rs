//! Settings of a simulation, and the true costs that follow from them.

use lodger_scheduler::{Hysteresis, Policy, UnitCost};

use super::motion::CameraMotion;
use super::random::{RandomStream, StreamKind};
use super::simulated_scene::SimulationScene;

pub const FRAMES_PER_SECOND: u16 = 60;
/// The first frame of the metrics; candidates learn costs before it.
pub const WARMUP_FRAMES: usize = 60;

#[derive(Debug, Clone, PartialEq)]
pub struct SimulationSettings {
    pub path: CameraMotion,
    /// Whether some of the actors walk.
    pub walking: bool,
    pub frames: usize,
    /// The number of frames from one decision to the next; 1 decides in every frame.
    pub decide_every: usize,
    pub prices: CostKnowledge,
    /// The seed; results are the same on every machine.
    pub seed: u64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum CostKnowledge {
    /// The unit costs of the scene are the true ones, and the initial ones are wrong. Measured
    /// times are noisy, and the scheduler learns from them.
    Measured {
        /// The initial factor of error: the first module is too expensive, the second too cheap,
        /// and so on.
        wrong: f64,
        /// The relative deviation of a module's time, log-normal.
        noise: f64,
        /// The share of frames that take ten times as long.
        spike: f64,
    },
    /// Costs are known, and nothing is measured. In each frame the unit cost of each module varies
    /// by a random factor.
    Known {
        /// The largest difference of a factor from 1; factors are uniformly distributed.
        jitter: f64,
    },
}

/// A method of choosing levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Candidate {
    Scheduler(Policy, Hysteresis),
    Baseline(Baseline),
}

/// A method of today's engines, tuned once at the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Baseline {
    /// Fixed bands of distance, by apparent size.
    Bands,
    /// The most significant actors always, the others in turn.
    RoundRobin,
    /// An error threshold that follows measured times.
    Threshold,
    /// Upgrades by value per cost, until the first that does not fit.
    Greedy,
}

impl Baseline {
    pub const ALL: [Self; 4] = [Self::Bands, Self::RoundRobin, Self::Threshold, Self::Greedy];
}

impl Candidate {
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Scheduler(Policy::Optimal, _) => "optimal",
            Self::Scheduler(Policy::Proportional(_), _) => "proportional",
            Self::Baseline(Baseline::Bands) => "distance bands",
            Self::Baseline(Baseline::RoundRobin) => "round robin",
            Self::Baseline(Baseline::Threshold) => "feedback",
            Self::Baseline(Baseline::Greedy) => "greedy",
        }
    }

    /// Whether the hysteresis is on; `None` for a baseline.
    #[must_use]
    pub const fn stability(self) -> Option<bool> {
        match self {
            Self::Scheduler(_, stability) => Some(stability.is_on()),
            Self::Baseline(_) => None,
        }
    }
}

const SPIKE: f64 = 10.0;

/// The true cost of a unit of work in each module, and its variation from frame to frame.
#[derive(Debug, Clone)]
pub(crate) struct CostModel {
    /// Nanoseconds per unit.
    pub(crate) unit_ns: Vec<f64>,
    overheads: Vec<u64>,
    prices: CostKnowledge,
    random: RandomStream,
}

#[derive(Debug, Clone)]
pub(crate) struct FrameConditions {
    /// Nanoseconds per unit of each module, without noise.
    pub(crate) unit_ns: Vec<f64>,
    overheads: Vec<u64>,
    pub(crate) is_known: bool,
    factors: Vec<f64>,
    pub(crate) has_spike: bool,
}

impl CostModel {
    pub(crate) fn new(simulated: &SimulationScene, prices: CostKnowledge, seed: u64) -> Self {
        let modules = simulated.modules.iter().map(|(id, _)| *id);
        let unit_cost = |id| simulated.scene.unit_cost(id).map(UnitCost::ns);
        let unit_ns = modules.clone().filter_map(unit_cost).collect();
        let overheads =
            modules.filter_map(|id| simulated.scene.overhead(id).map(u64::from)).collect();
        Self { unit_ns, overheads, prices, random: RandomStream::new(seed, StreamKind::Costs) }
    }

    /// Initial estimates: the first module is too expensive, the second too cheap, and so on.
    pub(crate) fn initial_ns(&self) -> Vec<f64> {
        let wrong = match self.prices {
            CostKnowledge::Measured { wrong, .. } => wrong,
            CostKnowledge::Known { .. } => 1.0,
        };
        let factors = [wrong, 1.0 / wrong].into_iter().cycle();
        self.unit_ns.iter().zip(factors).map(|(ns, factor)| ns * factor).collect()
    }

    pub(crate) fn next(&mut self) -> FrameConditions {
        let random = &mut self.random;
        let (mut unit_ns, mut has_spike) = (self.unit_ns.clone(), false);
        let factors = match self.prices {
            CostKnowledge::Known { jitter } => {
                for ns in &mut unit_ns {
                    *ns *= random.between(1.0 - jitter, 1.0 + jitter);
                }
                vec![1.0; unit_ns.len()]
            }
            CostKnowledge::Measured { noise, spike, .. } => {
                has_spike = random.unit() < spike;
                let longer = if has_spike { SPIKE } else { 1.0 };
                unit_ns.iter().map(|_| random.factor(noise) * longer).collect()
            }
        };
        let is_known = matches!(self.prices, CostKnowledge::Known { .. });
        let overheads = self.overheads.clone();
        FrameConditions { unit_ns, overheads, is_known, factors, has_spike }
    }

    /// The time of the units of work of each module without noise, in nanoseconds.
    pub(crate) fn takes(&self, units: &[u64]) -> Vec<f64> {
        let work = units.iter().zip(&self.overheads).map(|(units, overhead)| units + overhead);
        self.unit_ns.iter().zip(work).map(|(ns, work)| ns * real(work)).collect()
    }
}

impl FrameConditions {
    /// The measured time of the units of work of each module, in nanoseconds.
    pub(crate) fn took(&self, units: &[u64]) -> Vec<f64> {
        let work = units.iter().zip(&self.overheads).map(|(units, overhead)| units + overhead);
        let costs = self.unit_ns.iter().zip(&self.factors);
        costs.zip(work).map(|((ns, factor), work)| ns * real(work) * factor).collect()
    }
}

#[expect(clippy::cast_precision_loss, reason = "53 bits are enough for a time")]
fn real(units: u64) -> f64 {
    units as f64
}
