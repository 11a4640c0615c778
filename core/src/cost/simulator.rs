//! The simulator's cost of managing an object: the documented formula, and the server weight that replaced it.
//!
//! Source: mesh physics document, simulator resource cost and region resource cost. The document names four tuning
//! constants without values: [`SimulatorParameters`].

use super::{Provenance, wide};
use crate::error::{Quantity, ValueError, ValueProblem};
use crate::real::{Real, Square};

/// The tuning constants of simulator resource cost.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct SimulatorParameters {
    /// The name in reports.
    pub name: &'static str,
    /// The constants' reliability.
    pub provenance: Provenance,
    /// Factor on every cost.
    pub simulation_factor: f64,
    /// Factor for scripted or physical linksets.
    pub active_cost_high: f64,
    /// Factor for other linksets.
    pub active_cost_low: f64,
    /// The term that makes small linksets more expensive.
    pub linkset_factor: f64,
}

impl SimulatorParameters {
    /// Constants from a forum post of August 2011. **Unofficial.**
    pub const UNOFFICIAL_2011: Self = Self {
        name: "unofficial-2011",
        provenance: Provenance::Estimated,
        simulation_factor: 0.5,
        active_cost_high: 2.0,
        active_cost_low: 1.0,
        linkset_factor: 0.0,
    };
}

/// Simulator resource cost by some [`SimulatorParameters`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct SimulatorModel<N: Real> {
    high: N::Square,
    low: N::Square,
    linkset_factor: N::Square,
}

impl<N: Real> SimulatorModel<N> {
    /// Checks and prepares the parameters.
    ///
    /// # Errors
    /// [`ValueProblem::NotFinite`], [`ValueProblem::Negative`], or [`ValueProblem::TooLarge`] above 10⁹.
    pub fn new(parameters: SimulatorParameters) -> Result<Self, ValueError> {
        const REACH: f64 = 1e9;
        let SimulatorParameters {
            simulation_factor,
            active_cost_high,
            active_cost_low,
            linkset_factor,
            ..
        } = parameters;
        for factor in [simulation_factor, active_cost_high, active_cost_low, linkset_factor] {
            if factor.not_negative(Quantity::Factor)? > REACH {
                return Err(ValueError::new(Quantity::Factor, ValueProblem::TooLarge));
            }
        }
        Ok(Self {
            high: N::Square::from_f64(simulation_factor * active_cost_high),
            low: N::Square::from_f64(simulation_factor * active_cost_low),
            linkset_factor: N::Square::from_f64(linkset_factor),
        })
    }

    /// Returns the cost of managing a linkset of `objects` prims, active if scripted or physical.
    ///
    /// # Formula
    /// simulation factor × active cost × (objects + linkset factor / objects).
    ///
    /// # Source
    /// Mesh physics document, simulator resource cost.
    ///
    /// # Range and accuracy
    /// `f32`: relative 10⁻⁶; [`Fixed`](crate::Fixed): 2⁻¹⁶, saturating at 32 768.
    ///
    /// # Errors
    /// [`ValueProblem::NotPositive`] for 0 objects.
    ///
    /// # Examples
    /// ```
    /// use lodger_core::cost::simulator::{SimulatorParameters, SimulatorModel};
    ///
    /// let simulator = SimulatorModel::<f32>::new(SimulatorParameters::UNOFFICIAL_2011)?;
    /// assert_eq!(simulator.cost(10, false)?, 5.0);
    /// assert_eq!(simulator.cost(10, true)?, 10.0);
    /// assert!(simulator.cost(0, true).is_err());
    /// # Ok::<(), lodger_core::ValueError>(())
    /// ```
    pub fn cost(&self, objects: u32, active: bool) -> Result<N, ValueError> {
        if objects == 0 {
            return Err(ValueError::new(Quantity::Prims, ValueProblem::NotPositive));
        }
        let objects = wide::<N>(objects);
        let factor = if active { self.high } else { self.low };
        Ok(N::narrow(factor * (objects + self.linkset_factor / objects)))
    }
}

/// A linkset's simulator and region resource cost.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ResourceCosts<N> {
    /// The simulator resource cost; see [`SimulatorModel::cost`].
    pub simulator: N,
    /// The region resource cost; see [`region_cost`].
    pub region: N,
}

/// Whether a linkset's first script is free.
///
/// # Examples
/// ```
/// # use lodger_core::cost::simulator::{FreeScripts, server_weight};
/// assert_eq!(server_weight::<f32>(4, 3, FreeScripts::One), 2.5);
/// assert_eq!(server_weight::<f32>(4, 3, FreeScripts::None), 2.75);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum FreeScripts {
    /// One script is free, as in the grid's wiki.
    #[default]
    One,
    /// No script is free, as first announced.
    None,
}

/// Computes a linkset's server weight.
///
/// # Formula
/// min(0.5·prims + 0.25·(scripts − free), prims); free is 1 or 0.
///
/// # Source
/// The grid's wiki on land impact, or the first announcement ([`FreeScripts`]).
///
/// # Range and accuracy
/// Exact in quarters up to 32 768, where [`Fixed`](crate::Fixed) saturates; from 2²⁴ quarters on `f32` rounds to nearest.
///
/// # Examples
/// ```
/// use lodger_core::cost::simulator::{FreeScripts, server_weight};
///
/// assert_eq!(server_weight::<f32>(10, 0, FreeScripts::One), 5.0);
/// assert_eq!(server_weight::<f32>(10, 3, FreeScripts::One), 5.5);
/// assert_eq!(server_weight::<f32>(10, 3, FreeScripts::None), 5.75);
/// assert_eq!(server_weight::<f32>(10, 300, FreeScripts::One), 10.0);
/// ```
#[must_use]
pub fn server_weight<N: Real>(prims: u32, scripts: u32, free: FreeScripts) -> N {
    let charged = match free {
        FreeScripts::One => scripts.saturating_sub(1),
        FreeScripts::None => scripts,
    };
    let quarters = prims.saturating_mul(2).saturating_add(charged).min(prims.saturating_mul(4));
    N::narrow(wide::<N>(quarters) / N::Square::from_i32(4))
}

/// Returns the greater of simulator and streaming cost; NaN counts as 0.
///
/// # Source
/// Mesh physics document, region resource cost.
///
/// # Examples
/// ```
/// use lodger_core::cost::simulator::region_cost;
///
/// assert_eq!(region_cost(5.0_f32, 2.5), 5.0);
/// ```
pub fn region_cost<N: Real>(simulator: N, streaming: N) -> N {
    [simulator, streaming]
        .into_iter()
        .fold(N::ZERO, |greatest, cost| if cost > greatest { cost } else { greatest })
}
