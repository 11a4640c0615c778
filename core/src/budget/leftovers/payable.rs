//! The actors that the rest of the budget may upgrade.

use crate::benefit::Benefit;
use crate::budget::kernels::block::{BlockRows, Reached, each_block};
use crate::budget::kernels::group::ROWS_PER_BLOCK;
use crate::budget::kernels::tables::{LadderTables, StepTable, TableKernel};
use crate::budget::kernels::terms::LeftoverBudget;
use crate::budget::kernels::terms::ShareTerms;
use crate::budget::module_view::{Greatest, ModuleView};
use crate::budget::rate::BenefitRate;

/// Marks the actors with some benefits whose next step a leftover budget pays. Returns the greatest benefit below them of an
/// actor that could be upgraded too.
#[derive(Clone, Copy)]
pub(super) struct PayableKernel {
    pub(super) terms: ShareTerms,
    pub(super) budget: LeftoverBudget,
    /// The benefits that count are from the least one to below the other.
    pub(super) from: u32,
    pub(super) below: u32,
}

impl TableKernel for PayableKernel {
    type Partial = Greatest;
    const ASSIGNS: bool = true;

    #[inline(always)]
    fn run_tables<const L: usize, const K: usize>(
        &self,
        part: &mut ModuleView<'_>,
        tables: &LadderTables<L, K>,
    ) -> Greatest {
        let Self { terms: ShareTerms { scale, hysteresis }, budget, from, below } = *self;
        let ladders = part.input.ladders;
        let rate = BenefitRate::new(part.input.benefit_value, scale);
        let thresholds = StepTable::<L, K>::by_share(ladders, rate);
        let pays = |money: u64| {
            StepTable::<L, K>::by_cost(ladders, |step, _| u32::from(u64::from(step) <= money))
        };
        let (left_pays, free_pays) = (pays(budget.left), pays(budget.free()));
        let mut greatest_below = 0;
        each_block::<L>(part, 1, &mut |mut rows| {
            let reached = Reached::of(&rows, tables, &thresholds, hysteresis);
            let now = rows.indices(tables);
            let mut flags = [0_u8; ROWS_PER_BLOCK];
            let inputs = now.iter().zip(&reached.full).zip(&reached.previous);
            let keys = reached.keys(&rows, hysteresis);
            let inputs = inputs.zip(keys).zip(rows.ladder_bytes);
            for (flag, ((((&now, &full), &previous), key), &kind)) in flags.iter_mut().zip(inputs) {
                let next = now.wrapping_add(1);
                // An actor that has returned had its turn.
                let pays = if now < previous {
                    left_pays.to(next, kind)
                } else if full < previous {
                    0
                } else {
                    free_pays.to(next, kind)
                };
                let may_rise = pays > 0 && now < tables.top(kind);
                greatest_below = greatest_below.max(if may_rise && key < from { key } else { 0 });
                *flag = u8::from(may_rise && key >= from && key < below);
            }
            rows.mark(BlockRows::bits(&flags));
        });
        Greatest(greatest_below)
    }

    fn run_rows(&self, part: &mut ModuleView<'_>) -> Greatest {
        let mut next = 0;
        for row in 0..part.input.benefits.len() {
            let key = part.payable(row, self.terms.scale, self.terms.hysteresis, self.budget);
            let key = key.map_or(0, Benefit::bits);
            let is_marked = key >= self.from && key < self.below;
            next = if key < self.from { key.max(next) } else { next };
            part.wide.mark(row, is_marked);
        }
        Greatest(next)
    }
}
