//! How a scene is simulated.

use lodger_scheduler::{Policy, Stability};

use crate::motion::Path;

/// Frames in a second.
pub const FRAMES_PER_SECOND: u16 = 60;
/// The first frame that is reported: before it everybody still learns.
pub const REPORTED_FROM: usize = 60;

/// How a scene is simulated.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Where the camera goes.
    pub path: Path,
    /// Whether a part of the actors walk.
    pub walking: bool,
    /// How many frames.
    pub frames: usize,
    /// What is known of costs.
    pub prices: Prices,
    /// The same seed gives the same, on every machine.
    pub seed: u64,
}

/// What is known of costs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Prices {
    /// The unit costs of the scene are the truth, and those of the first frame are wrong. Measured times
    /// are noisy, and the scheduler learns from them.
    Measured {
        /// By which factor: the first module is too expensive, the second too cheap, and so on.
        wrong: f64,
        /// The relative deviation of a module's time, log-normal.
        noise: f64,
        /// The part of the frames that take ten times as long.
        spike: f64,
    },
    /// They are told, and nothing is measured: in each frame those of the scene, each with a factor of its
    /// own.
    Told {
        /// By which part a factor differs from 1 at most; all are as likely.
        jitter: f64,
    },
}

/// Who decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Candidate {
    /// The scheduler.
    Ledger(Policy, Stability),
    /// What engines do today.
    Baseline(Baseline),
}

/// What engines do today, each tuned once at the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Baseline {
    /// Fixed bands of distance, by apparent size.
    Bands,
    /// The most significant always, the others in turns.
    RoundRobin,
    /// A threshold for what may be missed, moved by measured times.
    Threshold,
    /// Upgrades by value for cost, until the first that does not fit.
    Greedy,
}

impl Baseline {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Bands, Self::RoundRobin, Self::Threshold, Self::Greedy];
}

impl Candidate {
    /// What it is called.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ledger(Policy::Optimal, _) => "optimal",
            Self::Ledger(Policy::Proportional(_), _) => "proportional",
            Self::Baseline(Baseline::Bands) => "distance bands",
            Self::Baseline(Baseline::RoundRobin) => "round robin",
            Self::Baseline(Baseline::Threshold) => "feedback",
            Self::Baseline(Baseline::Greedy) => "greedy",
        }
    }

    /// Whether its stability is on; the baselines have none.
    #[must_use]
    pub const fn stability(self) -> Option<bool> {
        match self {
            Self::Ledger(_, stability) => Some(stability.is_on()),
            Self::Baseline(_) => None,
        }
    }
}
