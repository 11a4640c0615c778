//! A tick as it stands in a log.

use lodger_core::budget::{
    Certificate, Decision, LadderSpan, Last, Leftovers, Policy, Price, Request, Scale, Stability,
    Standing,
};
use lodger_core::calibration::Headroom;
use lodger_core::units::Budget;
use serde::{Deserialize, Serialize};

/// A tick.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct LoggedTick {
    pub(super) request: LoggedRequest,
    /// What the tick before left, if it is not what this log has of it.
    pub(super) standing: Option<LoggedStanding>,
    pub(super) modules: Vec<LoggedModule>,
    pub(super) decision: LoggedDecision,
}

/// What the ledger was asked.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct LoggedRequest {
    /// `None` is unlimited.
    budget: Option<u64>,
    fixed: u64,
    headroom: u32,
    /// 0 to 3 are those of [`Leftovers`], 4 is the optimal one.
    policy: u8,
    margin: u8,
    reserve: u8,
    max_raises: Option<u32>,
    /// How many trials there was room for.
    pub(super) trials: u32,
}

impl LoggedRequest {
    pub(super) fn new(request: &Request, trials: usize) -> Self {
        let &Request { budget, fixed, headroom, policy, stability, max_raises } = request;
        Self {
            budget: budget.ns(),
            fixed,
            headroom: headroom.bits(),
            policy: match policy {
                Policy::Proportional(Leftovers::Keep) => 0,
                Policy::Proportional(Leftovers::WithinModule) => 1,
                Policy::Proportional(Leftovers::AcrossModules) => 2,
                Policy::Proportional(Leftovers::WholeBudget) => 3,
                Policy::Optimal => 4,
            },
            margin: stability.margin,
            reserve: stability.reserve,
            max_raises,
            trials: u32::try_from(trials).unwrap_or(u32::MAX),
        }
    }

    /// `None` for a policy that there is not.
    pub(super) fn request(self) -> Option<Request> {
        Some(Request {
            budget: self.budget.map_or(Budget::UNLIMITED, Budget::from_ns),
            fixed: self.fixed,
            headroom: Headroom::from_bits(self.headroom),
            policy: match self.policy {
                0 => Policy::Proportional(Leftovers::Keep),
                1 => Policy::Proportional(Leftovers::WithinModule),
                2 => Policy::Proportional(Leftovers::AcrossModules),
                3 => Policy::Proportional(Leftovers::WholeBudget),
                4 => Policy::Optimal,
                _ => return None,
            },
            stability: Stability { margin: self.margin, reserve: self.reserve },
            max_raises: self.max_raises,
        })
    }
}

/// What a tick left to the next.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct LoggedStanding {
    price: Option<u32>,
    scale: Option<u64>,
}

impl From<Standing> for LoggedStanding {
    fn from(Standing { price, scale }: Standing) -> Self {
        Self { price: price.map(Price::bits), scale: scale.map(Scale::bits) }
    }
}

impl From<LoggedStanding> for Standing {
    fn from(LoggedStanding { price, scale }: LoggedStanding) -> Self {
        Self { price: price.map(Price::from_bits), scale: scale.map(Scale::from_bits) }
    }
}

/// A module: the rows are the actors that the ledger decides for.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct LoggedModule {
    pub(super) benefit_value: u32,
    pub(super) continuous: bool,
    /// In 2⁻³² ns: what a unit of work was planned to cost, and what it costs by measurements alone.
    pub(super) unit_cost: u64,
    pub(super) raw_unit_cost: u64,
    pub(super) rows: u32,
    /// Where there are others than in the tick before.
    pub(super) ladders: Option<LoggedLadders>,
    /// Differences to the column of the tick before; `None` for the same column.
    pub(super) costs: Option<Vec<i32>>,
    pub(super) ids: Option<Vec<i32>>,
    pub(super) ladder: Option<Vec<i32>>,
    pub(super) benefits: Option<Vec<i32>>,
    /// Rows whose last level is not that of the tick before in the same row, and what it is.
    pub(super) last: Vec<(u32, u16)>,
    /// Differences to the last levels, or to 0.
    pub(super) levels: Vec<u8>,
    /// Of a continuous module.
    pub(super) fractions: Vec<u16>,
}

/// Where the ladders of a module stand, and how good their levels are.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct LoggedLadders {
    pub(super) spans: Vec<(u32, u16, u8)>,
    /// In 2⁻¹⁵, parallel to the costs.
    pub(super) qualities: Vec<u16>,
}

impl LoggedLadders {
    pub(super) fn spans(&self) -> impl Iterator<Item = LadderSpan> {
        self.spans.iter().map(|&(start, len, lowest)| LadderSpan::new(start, len, lowest))
    }
}

/// What was decided for the scene.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct LoggedDecision {
    pub(super) available: u64,
    pub(super) overcommit: u64,
    pub(super) minimum: u64,
    pub(super) scale: u64,
    pub(super) price: u32,
    pub(super) assigned: u64,
    /// The value and the upper bound.
    pub(super) certificate: Option<(u64, u64)>,
    pub(super) flips: u32,
}

impl From<&Decision> for LoggedDecision {
    fn from(decision: &Decision) -> Self {
        let pair = |Certificate { value, upper_bound }| (value, upper_bound);
        Self {
            available: decision.available,
            overcommit: decision.overcommit,
            minimum: decision.minimum,
            scale: decision.scale.bits(),
            price: decision.price.bits(),
            assigned: decision.assigned,
            certificate: decision.certificate.map(pair),
            flips: decision.flips,
        }
    }
}

/// What was shown before a tick, as far as the tick before it tells.
pub(super) fn expected_last(levels: &[u8], row: usize) -> Last {
    levels.get(row).map_or(Last::NONE, |&level| Last::automatic(level))
}
