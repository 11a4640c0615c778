//! A camera moves, actors move, costs are noisy and wrong at first, and a scheduler lives through it.
//!
//! A [`Simulation`] has a [`Stage`], which is a scene and what the things in it are called, and
//! [`Candidate`]s who decide it: the scheduler under its policies, and four ways in which engines decide
//! today. All of them see the same frames, and the same work takes the same time with each of them. What
//! they show is compared with what no plan could exceed at the true costs, which is the certificate of the
//! optimal policy.
//!
//! ```
//! use lodger_scheduler::{Policy, Stability};
//! use lodger_simulation::{Candidate, Path, Prices, Settings, Simulation, Stage};
//!
//! let settings = Settings {
//!     path: Path::Orbit,
//!     walking: true,
//!     frames: 90,
//!     prices: Prices::Measured { wrong: 3.0, noise: 0.05, spike: 0.0 },
//!     seed: 1,
//! };
//! let optimal = Candidate::Ledger(Policy::Optimal, Stability::STEADY);
//! let mut simulation = Simulation::new(Stage::crowd(1)?, &[optimal], settings, false)?;
//! while simulation.frames() < 90 {
//!     simulation.step()?;
//! }
//! let row = &simulation.rows()[0];
//! assert!(row.benefit <= row.bound);
//! # Ok::<(), lodger_scheduler::SceneError>(())
//! ```
//!
//! The same seed gives the same, on every machine: chance is integers, and sine, logarithm and exponential
//! are those of the crate libm.
#![forbid(unsafe_code)]

mod baseline;
mod cast;
mod cost;
mod decide;
mod history;
mod metrics;
mod motion;
mod random;
mod report;
mod settings;
mod simulation;
mod stage;
#[cfg(test)]
mod tests;
mod truth;

pub use cost::{Keeps, SimulationCost};
pub use metrics::Row;
pub use motion::Path;
pub use report::{Report, SettingsReport};
pub use settings::{Baseline, Candidate, FRAMES_PER_SECOND, Prices, REPORTED_FROM, Settings};
pub use simulation::{Last, Simulation};
pub use stage::Stage;

/// The examples of the README are compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
