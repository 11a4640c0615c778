//! The actors that the rest of the budget may upgrade.

use crate::benefit::Benefit;
use crate::budget::kernels::block::{BlockRows, BlockVisitor, Reached, each_block};
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
        let rate = BenefitRate::new(part.input.benefit_value, self.terms.scale);
        let pays = |money: u64| {
            StepTable::by_cost(part.input.ladders, |step, _| u32::from(u64::from(step) <= money))
        };
        let mut block = PayableBlock {
            tables,
            thresholds: StepTable::by_share(part.input.ladders, rate),
            left_pays: pays(self.budget.left),
            free_pays: pays(self.budget.free()),
            kernel: *self,
            next: 0,
        };
        each_block::<L>(part, 1, &mut block);
        Greatest(block.next)
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

struct PayableBlock<'a, const L: usize, const K: usize> {
    tables: &'a LadderTables<L, K>,
    thresholds: StepTable<L, K>,
    left_pays: StepTable<L, K>,
    free_pays: StepTable<L, K>,
    kernel: PayableKernel,
    next: u32,
}

impl<const L: usize, const K: usize> BlockVisitor for PayableBlock<'_, L, K> {
    #[inline(always)]
    fn see(&mut self, mut rows: BlockRows<'_>) {
        let PayableKernel { terms: ShareTerms { hysteresis, .. }, from, below, .. } = self.kernel;
        let reached = Reached::of(&rows, self.tables, &self.thresholds, hysteresis);
        let now = rows.indices(self.tables);
        let mut flags = [0_u8; ROWS_PER_BLOCK];
        let inputs = now.iter().zip(&reached.full).zip(&reached.previous);
        let keys = reached.keys(&rows, hysteresis);
        let inputs = inputs.zip(keys).zip(rows.ladder_bytes);
        for (flag, ((((&now, &full), &previous), key), &kind)) in flags.iter_mut().zip(inputs) {
            let next = now.wrapping_add(1);
            // An actor that has returned had its turn.
            let pays = if now < previous {
                self.left_pays.to(next, kind)
            } else if full < previous {
                0
            } else {
                self.free_pays.to(next, kind)
            };
            let may_rise = pays > 0 && now < self.tables.top(kind);
            self.next = self.next.max(if may_rise && key < from { key } else { 0 });
            *flag = u8::from(may_rise && key >= from && key < below);
        }
        rows.mark(BlockRows::bits(&flags));
    }
}
