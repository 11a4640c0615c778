//! A tick in a log, and the columns of the tick before, to which it is written as a difference.

use lodger_core::Benefit;
use lodger_core::budget::{
    Carryover, Decision, Hysteresis, IndexColumn, LadderSpan, Ladders, Leftovers, MAX_ACTORS,
    ModuleInput, ModuleView, OptimalityCertificate, Policy, PreviousLevel, Price, Quality, Request,
    Scale, Slope, SlopeRange, Slopes,
};
use lodger_core::calibration::Headroom;
use lodger_core::units::{BenefitValue, Budget, UnitCost};
use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct LoggedTick {
    pub(super) request: LoggedRequest,
    /// The state carried over from the tick before, if it differs from the previous tick in this log.
    pub(super) carryover: Option<LoggedCarryover>,
    pub(super) modules: Vec<LoggedModule>,
    pub(super) decision: LoggedDecision,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct LoggedRequest {
    /// The budget; `None` is unlimited.
    budget: Option<u64>,
    reserved: u64,
    headroom: u32,
    /// The policy: 0 to 3 for the variants of [`Leftovers`], 4 for the optimal policy.
    policy: u8,
    margin: u8,
    dead_band: u8,
    max_upgrades: Option<u32>,
    pub(super) moves: u32,
}

impl LoggedRequest {
    pub(super) fn new(request: &Request, moves: usize) -> Self {
        // Cautious modules follow the tick, because older logs have none.
        let &Request {
            budget,
            reserved,
            headroom,
            policy,
            hysteresis,
            max_upgrades,
            is_cautious: _,
            max_passes: _,
        } = request;
        Self {
            budget: budget.ns(),
            reserved,
            headroom: headroom.bits(),
            policy: match policy {
                Policy::Proportional(Leftovers::Keep) => 0,
                Policy::Proportional(Leftovers::WithinModule) => 1,
                Policy::Proportional(Leftovers::AcrossModules) => 2,
                Policy::Proportional(Leftovers::WholeBudget) => 3,
                Policy::Optimal => 4,
            },
            margin: hysteresis.margin,
            dead_band: hysteresis.dead_band,
            max_upgrades,
            moves: u32::try_from(moves).unwrap_or(u32::MAX),
        }
    }

    /// Returns the request; `None` for an unknown policy.
    pub(super) fn request(self, is_cautious: bool) -> Option<Request> {
        Some(Request {
            budget: self.budget.map_or(Budget::UNLIMITED, Budget::from_ns),
            reserved: self.reserved,
            headroom: Headroom::from_bits(self.headroom),
            policy: match self.policy {
                0 => Policy::Proportional(Leftovers::Keep),
                1 => Policy::Proportional(Leftovers::WithinModule),
                2 => Policy::Proportional(Leftovers::AcrossModules),
                3 => Policy::Proportional(Leftovers::WholeBudget),
                4 => Policy::Optimal,
                _ => return None,
            },
            hysteresis: Hysteresis { margin: self.margin, dead_band: self.dead_band },
            max_upgrades: self.max_upgrades,
            max_passes: None,
            is_cautious,
        })
    }
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct LoggedCarryover {
    price: Option<u32>,
    scale: Option<u64>,
}

impl From<Carryover> for LoggedCarryover {
    fn from(Carryover { price, scale }: Carryover) -> Self {
        Self { price: price.map(Price::bits), scale: scale.map(Scale::bits) }
    }
}

impl From<LoggedCarryover> for Carryover {
    fn from(LoggedCarryover { price, scale }: LoggedCarryover) -> Self {
        let (price, scale) = (price.map(Price::from_bits), scale.map(Scale::from_bits));
        Self { price, scale }
    }
}

/// A module: its rows are the automatic actors.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct LoggedModule {
    pub(super) benefit_value: u32,
    pub(super) continuous: bool,
    /// The unit cost in 2⁻³² ns, like `raw_unit_cost`.
    pub(super) unit_cost: u64,
    pub(super) raw_unit_cost: u64,
    pub(super) rows: u32,
    /// The ladders, if they differ from the tick before.
    pub(super) ladders: Option<LoggedLadders>,
    /// The differences to the columns of the tick before; `None` for the same column.
    pub(super) costs: Option<Vec<i32>>,
    pub(super) ids: Option<Vec<i32>>,
    pub(super) ladder: Option<Vec<i32>>,
    pub(super) benefits: Option<Vec<i32>>,
    /// Rows whose previous level differs from the level of the row in the tick before, and that level.
    pub(super) previous: Vec<(u32, u16)>,
    /// The differences to the previous levels, or to 0.
    pub(super) levels: Vec<u8>,
    /// The fractions of the levels; empty unless the module is continuous.
    pub(super) fractions: Vec<u16>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct LoggedLadders {
    pub(super) spans: Vec<(u32, u16, u8)>,
    /// The qualities in 2⁻¹⁵, parallel to the costs.
    pub(super) qualities: Vec<u16>,
}

impl LoggedLadders {
    pub(super) fn spans(&self) -> impl Iterator<Item = LadderSpan> {
        self.spans.iter().map(|&(start, len, lowest)| LadderSpan::new(start, len, lowest))
    }
}

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
    pub(super) switches: u32,
}

impl From<&Decision> for LoggedDecision {
    fn from(decision: &Decision) -> Self {
        let pair = |OptimalityCertificate { value, upper_bound }| (value, upper_bound);
        Self {
            available: decision.available,
            overcommit: decision.overcommit,
            minimum: decision.minimum,
            scale: decision.scale.bits(),
            price: decision.price.bits(),
            assigned: decision.assigned,
            certificate: decision.certificate.map(pair),
            switches: decision.switches,
        }
    }
}

/// Returns the previous level of a row that the tick before implies.
pub(super) fn expected_previous(levels: &[u8], row: usize) -> PreviousLevel {
    levels.get(row).map_or(PreviousLevel::NONE, |&level| PreviousLevel::automatic(level))
}

/// The columns of a module after the last tick of a log.
#[derive(Debug, Default)]
pub(super) struct ModuleSnapshot {
    ladders: LoggedLadders,
    spans: Vec<LadderSpan>,
    qualities: Vec<Quality>,
    costs: Vec<u32>,
    pub(super) ids: Vec<u32>,
    ladder: Vec<u32>,
    benefits: Vec<u32>,
    previous: Vec<PreviousLevel>,
    pub(super) levels: Vec<u8>,
    pub(super) fractions: Vec<u16>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Sizes {
    pub(super) rows: u64,
    pub(super) costs: u64,
    pub(super) spans: u64,
    /// The number of levels of the longest ladder.
    pub(super) longest: u64,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct UnitCosts {
    pub(super) applied: UnitCost,
    pub(super) raw: UnitCost,
}

impl ModuleSnapshot {
    /// Returns the differences to the last tick, and stores the columns. `previous` has the levels before the tick.
    pub(super) fn log(
        &mut self,
        module_view: &ModuleView<'_>,
        previous: &[PreviousLevel],
        costs: UnitCosts,
    ) -> LoggedModule {
        let ModuleInput { benefit_value, continuous, ladders, ladder, benefits } =
            module_view.input;
        let shown = &self.levels;
        let exceptions = (0_u32..).zip(previous);
        let exceptions =
            exceptions.filter(|&(row, &last)| expected_previous(shown, row as usize) != last);
        let exceptions = exceptions.map(|(row, last)| (row, last.bits())).collect();
        let last_levels = previous.iter().map(|last| last.level().unwrap_or(0));
        let levels =
            module_view.levels.iter().zip(last_levels).map(|(&now, last)| now.wrapping_sub(last));
        let logged = LoggedModule {
            benefit_value: benefit_value.ns(),
            continuous,
            unit_cost: costs.applied.bits(),
            raw_unit_cost: costs.raw.bits(),
            rows: u32::try_from(benefits.len()).unwrap_or(MAX_ACTORS),
            ladders: self.other_ladders(ladders, module_view.qualities),
            costs: differences(&mut self.costs, ladders.costs.iter().copied()),
            ids: differences(&mut self.ids, module_view.ids.iter()),
            ladder: differences(&mut self.ladder, ladder.iter()),
            benefits: differences(&mut self.benefits, benefits.iter().map(|b| b.bits())),
            previous: exceptions,
            levels: levels.collect(),
            fractions: if continuous { module_view.fractions.to_vec() } else { Vec::new() },
        };
        self.levels.clear();
        self.levels.extend_from_slice(module_view.levels);
        logged
    }

    fn other_ladders(
        &mut self,
        ladders: Ladders<'_>,
        qualities: &[Quality],
    ) -> Option<LoggedLadders> {
        let now = LoggedLadders {
            spans: ladders.spans.iter().map(|span| span.parts()).collect(),
            qualities: qualities.iter().map(|quality| quality.bits()).collect(),
        };
        if now == self.ladders {
            return None;
        }
        self.ladders = now.clone();
        Some(now)
    }

    /// Applies the differences of a tick. Its levels are the decided ones.
    ///
    /// # Errors
    /// The problem of the tick.
    pub(super) fn take(&mut self, logged: LoggedModule) -> Result<(), &'static str> {
        let rows = logged.rows as usize;
        if let Some(ladders) = logged.ladders {
            self.spans = ladders.spans().collect();
            self.qualities = ladders.qualities.iter().copied().map(Quality::from_bits).collect();
        }
        take_column(&mut self.costs, logged.costs);
        take_column(&mut self.ids, logged.ids);
        take_column(&mut self.ladder, logged.ladder);
        take_column(&mut self.benefits, logged.benefits);
        let whole = [self.ids.len(), self.benefits.len(), logged.levels.len()];
        if whole != [rows; 3] || self.ladder.len() > rows || self.qualities.len() > self.costs.len()
        {
            return Err("its columns are not equally long");
        }
        let levels = self.spans.iter().map(|span| span.parts());
        if levels.clone().any(|(_, len, lowest)| u32::from(len) + u32::from(lowest) > 256) {
            return Err("a ladder has more levels than there are");
        }
        if levels.map(|(_, len, _)| usize::from(len)).sum::<usize>() > self.costs.len() {
            return Err("its ladders have more levels than costs");
        }
        if self.ids.iter().any(|&id| id > MAX_ACTORS) {
            return Err("an id is greater than any");
        }
        let levels = &self.levels;
        self.previous.clear();
        self.previous.extend((0..rows).map(|row| expected_previous(levels, row)));
        for (row, last) in logged.previous {
            let place = self.previous.get_mut(row as usize).ok_or("a last level is of no row")?;
            *place = PreviousLevel::from_bits(last);
        }
        let levels = self.previous.iter().zip(&logged.levels);
        let levels = levels.map(|(last, &more)| last.level().unwrap_or(0).wrapping_add(more));
        self.levels.clear();
        self.levels.extend(levels);
        if logged.continuous && logged.fractions.len() != rows {
            return Err("its columns are not equally long");
        }
        self.fractions = logged.fractions;
        Ok(())
    }

    pub(super) fn sizes(&self) -> Sizes {
        let longest = self.spans.iter().map(|span| span.parts().1).max();
        Sizes {
            rows: self.ids.capacity().max(self.levels.capacity()) as u64,
            costs: self.costs.capacity() as u64,
            spans: self.spans.capacity() as u64,
            longest: longest.unwrap_or(0).into(),
        }
    }

    pub(super) fn module_view<'a>(
        &'a self,
        terms: ModuleTerms,
        out: &'a mut RecordedDecision,
    ) -> ModuleView<'a> {
        let rows = self.ids.len();
        out.benefits.clear();
        out.benefits.extend(self.benefits.iter().copied().map(Benefit::from_bits));
        out.levels.clear();
        out.levels.resize(rows, 0);
        out.fractions.clear();
        out.fractions.resize(rows, 0);
        out.slopes.clear();
        out.slopes.resize(self.costs.len(), Slope::default());
        ModuleView {
            input: ModuleInput {
                benefit_value: terms.benefit_value,
                continuous: terms.continuous,
                ladders: Ladders { spans: &self.spans, costs: &self.costs },
                ladder: IndexColumn::Words(&self.ladder),
                benefits: &out.benefits,
            },
            ids: IndexColumn::Words(&self.ids),
            levels: &mut out.levels,
            fractions: &mut out.fractions,
            qualities: &self.qualities,
            slopes: Slopes { of_costs: &mut out.slopes, valid_for: SlopeRange::default() },
            previous: &self.previous,
            is_cautious: terms.is_cautious,
            ..ModuleView::default()
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub(super) struct ModuleTerms {
    pub(super) benefit_value: BenefitValue,
    pub(super) continuous: bool,
    pub(super) is_cautious: bool,
    /// The unit costs as planned and as measured.
    pub(super) unit_costs: (UnitCost, UnitCost),
}

#[derive(Debug, Default)]
pub(super) struct RecordedDecision {
    benefits: Vec<Benefit>,
    slopes: Vec<Slope>,
    pub(super) levels: Vec<u8>,
    pub(super) fractions: Vec<u16>,
}

/// Replaces a column, and returns the differences; `None` if it is the same.
fn differences(
    before: &mut Vec<u32>,
    now: impl ExactSizeIterator<Item = u32> + Clone,
) -> Option<Vec<i32>> {
    if now.len() == before.len() && now.clone().eq(before.iter().copied()) {
        return None;
    }
    let old = before.iter().copied().chain(std::iter::repeat(0));
    let differences = now.clone().zip(old).map(|(now, old)| now.wrapping_sub(old).cast_signed());
    let differences = differences.collect();
    before.clear();
    before.extend(now);
    Some(differences)
}

fn take_column(column: &mut Vec<u32>, differences: Option<Vec<i32>>) {
    let Some(differences) = differences else { return };
    column.resize(differences.len(), 0);
    for (value, difference) in column.iter_mut().zip(differences) {
        *value = value.wrapping_add_signed(difference);
    }
}
