//! The actors that the rest of the budget may upgrade.

use super::super::block::{BlockRows, BlockVisitor, Reached, each_block};
use super::super::general::keep_all;
use super::super::group::ROWS_PER_BLOCK;
use super::super::rows::reaches_previous;
use super::super::tables::{LadderTables, StepTable, TableKernel, TableShape};
use super::super::terms::ShareTerms;
use crate::benefit::Benefit;
use crate::budget::module_view::{Kernel, ModuleView};
use crate::budget::rate::BenefitRate;

/// Marks the actors whose next step a leftover budget pays.
#[derive(Clone, Copy)]
pub(super) struct PayableKernel {
    pub(super) terms: ShareTerms,
    /// The leftover budget of actors that return to their previous level, and that of the others.
    pub(super) left: u64,
    pub(super) free: u64,
}

impl Kernel for PayableKernel {
    type Partial = ();

    #[inline(always)]
    fn run(&self, part: &mut ModuleView<'_>) {
        match TableShape::of(part) {
            Some(shape) => shape.run(Payable { part, kernel: *self }),
            None => self.row_by_row(part),
        }
    }
}

impl PayableKernel {
    fn row_by_row(&self, part: &mut ModuleView<'_>) {
        keep_all(part);
        part.wide.groups.iter_mut().for_each(|group| group.found = 0);
        let hysteresis = self.terms.hysteresis;
        for row in 0..part.input.benefits.len() {
            let upgrade = part.upgrade_of(row, hysteresis);
            let money = if upgrade.returns { self.left } else { self.free };
            let ladder = part.input.ladder_of(row);
            let is_payable = upgrade.key > 0
                && upgrade.lod < upgrade.most
                && ladder.raise(upgrade.lod, money, part.input.continuous).1 > 0;
            // An actor that has returned had its turn.
            let has_turn =
                upgrade.returns || !hysteresis.is_on() || reaches_previous(part, row, self.terms);
            if let Some(group) = part.wide.groups.get_mut(row / ROWS_PER_BLOCK) {
                group.found |= u64::from(is_payable && has_turn) << (row % ROWS_PER_BLOCK);
            }
        }
    }
}

struct Payable<'a, 'b> {
    part: &'a mut ModuleView<'b>,
    kernel: PayableKernel,
}

impl TableKernel for Payable<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<const L: usize, const K: usize>(self, tables: &LadderTables<L, K>) {
        let Self { part, kernel } = self;
        let rate = BenefitRate::new(part.input.benefit_value, kernel.terms.scale);
        let pays = |money: u64| {
            StepTable::by_cost(part.input.ladders, |step, _| u32::from(u64::from(step) <= money))
        };
        let mut block = PayableBlock {
            tables,
            thresholds: StepTable::by_share(part.input.ladders, rate),
            left_pays: pays(kernel.left),
            free_pays: pays(kernel.free),
            kernel,
        };
        each_block::<L>(part, &mut block);
    }
}

struct PayableBlock<'a, const L: usize, const K: usize> {
    tables: &'a LadderTables<L, K>,
    thresholds: StepTable<L, K>,
    left_pays: StepTable<L, K>,
    free_pays: StepTable<L, K>,
    kernel: PayableKernel,
}

impl<const L: usize, const K: usize> BlockVisitor for PayableBlock<'_, L, K> {
    #[inline(always)]
    fn see(&mut self, mut rows: BlockRows<'_>) {
        let hysteresis = self.kernel.terms.hysteresis;
        let reached = Reached::of(&rows, self.tables, &self.thresholds, hysteresis);
        let now = rows.indices(self.tables);
        let mut flags = [0_u8; ROWS_PER_BLOCK];
        let inputs = now.iter().zip(&reached.full).zip(&reached.previous);
        let inputs = inputs.zip(rows.benefits).zip(rows.ladder_bytes);
        for (flag, ((((&now, &full), &previous), &benefit), &kind)) in flags.iter_mut().zip(inputs)
        {
            let next = now.wrapping_add(1);
            // An actor that has returned had its turn.
            let pays = if now < previous {
                self.left_pays.to(next, kind)
            } else if full < previous {
                0
            } else {
                self.free_pays.to(next, kind)
            };
            let may_rise = now < self.tables.top(kind) && benefit > Benefit::ZERO;
            *flag = u8::from(pays > 0 && may_rise);
        }
        rows.mark(BlockRows::bits(&flags));
    }
}
