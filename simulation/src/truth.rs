//! What work really costs.

use lodger_scheduler::UnitCost;

use crate::random::{Random, Stream};
use crate::settings::Prices;
use crate::stage::Stage;

/// How much longer a frame takes that something came between.
const SPIKE: f64 = 10.0;

/// What a unit of work costs in each module, and how that differs from frame to frame.
#[derive(Debug, Clone)]
pub(crate) struct Truth {
    /// Nanoseconds a unit.
    pub(crate) unit_ns: Vec<f64>,
    /// Units of each module that it takes beside those of its actors.
    overheads: Vec<u64>,
    prices: Prices,
    random: Random,
}

/// What became of a frame, the same for whoever decided it.
#[derive(Debug, Clone)]
pub(crate) struct Weather {
    /// Nanoseconds a unit of each module before any noise.
    pub(crate) unit_ns: Vec<f64>,
    overheads: Vec<u64>,
    /// Whether that is known.
    pub(crate) is_told: bool,
    /// The factor on what the work of each module takes.
    factors: Vec<f64>,
    /// Whether it is a spike.
    pub(crate) has_spike: bool,
}

impl Truth {
    pub(crate) fn new(stage: &Stage, prices: Prices, seed: u64) -> Self {
        let modules = stage.modules.iter().map(|(id, _)| *id);
        let unit_cost = |id| stage.scene.unit_cost(id).map(UnitCost::ns);
        let unit_ns = modules.clone().filter_map(unit_cost).collect();
        let overheads = modules.filter_map(|id| stage.scene.overhead(id).map(u64::from)).collect();
        Self { unit_ns, overheads, prices, random: Random::new(seed, Stream::Costs) }
    }

    /// What is believed at the start: the first module is too expensive, the second too cheap, and so on.
    pub(crate) fn believed_ns(&self) -> Vec<f64> {
        let wrong = match self.prices {
            Prices::Measured { wrong, .. } => wrong,
            Prices::Told { .. } => 1.0,
        };
        let factors = [wrong, 1.0 / wrong].into_iter().cycle();
        self.unit_ns.iter().zip(factors).map(|(ns, factor)| ns * factor).collect()
    }

    /// The weather of the next frame.
    pub(crate) fn next(&mut self) -> Weather {
        let random = &mut self.random;
        let (mut unit_ns, mut has_spike) = (self.unit_ns.clone(), false);
        let factors = match self.prices {
            Prices::Told { jitter } => {
                for ns in &mut unit_ns {
                    *ns *= random.between(1.0 - jitter, 1.0 + jitter);
                }
                vec![1.0; unit_ns.len()]
            }
            Prices::Measured { noise, spike, .. } => {
                has_spike = random.part() < spike;
                let longer = if has_spike { SPIKE } else { 1.0 };
                unit_ns.iter().map(|_| random.factor(noise) * longer).collect()
            }
        };
        let is_told = matches!(self.prices, Prices::Told { .. });
        let overheads = self.overheads.clone();
        Weather { unit_ns, overheads, is_told, factors, has_spike }
    }

    /// What units of work of each module take without any weather, in nanoseconds.
    pub(crate) fn takes(&self, units: &[u64]) -> Vec<f64> {
        let work = units.iter().zip(&self.overheads).map(|(units, overhead)| units + overhead);
        self.unit_ns.iter().zip(work).map(|(ns, work)| ns * real(work)).collect()
    }
}

impl Weather {
    /// What units of work of each module took, in nanoseconds.
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
