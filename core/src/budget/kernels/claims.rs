//! Kernels for minimum cost, demand and changed levels.

use super::group::ROWS_PER_BLOCK;
use super::tables::{FLUSH_ROWS, LadderTables, TableKernel};
use crate::budget::demand::Demand;
use crate::budget::module_view::{Kernel, ModuleView, PartialResult};
use crate::budget::rate::BenefitRate;
use crate::budget::scale::Scale;
use crate::target::cold_path;

impl PartialResult for Demand {
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Demand::plus(self, other)
    }
}

pub(crate) struct BenefitSumKernel;

impl Kernel for BenefitSumKernel {
    type Partial = u64;

    #[inline(always)]
    fn run(&self, part: &mut ModuleView<'_>) -> u64 {
        part.input.benefits.chunks(FLUSH_ROWS).fold(0, |sum, block| {
            let few = block.iter().fold(0_u32, |few, benefit| few.wrapping_add(benefit.bits()));
            sum.wrapping_add(few.into())
        })
    }

    fn run_rows(&self, part: &mut ModuleView<'_>) -> u64 {
        part.input.benefit()
    }
}

pub(crate) struct MinimumKernel;

impl TableKernel for MinimumKernel {
    type Partial = u64;
    const ASSIGNS: bool = false;

    #[inline(always)]
    fn run_tables<const L: usize, const K: usize>(
        &self,
        part: &mut ModuleView<'_>,
        tables: &LadderTables<L, K>,
    ) -> u64 {
        let rows = part.input.benefits.len();
        if LadderTables::<L, K>::HAS_ONE {
            tables.cost_of(rows, [0; K])
        } else {
            let ladder_bytes = part.wide.ladder_bytes.iter().take(rows);
            ladder_bytes.fold(0, |sum, &kind| sum.wrapping_add(tables.minimum(kind).into()))
        }
    }

    fn run_rows(&self, part: &mut ModuleView<'_>) -> u64 {
        part.input.minimum()
    }
}

pub(crate) struct DemandKernel(pub(crate) Scale);

impl TableKernel for DemandKernel {
    type Partial = Demand;
    const ASSIGNS: bool = false;

    #[inline(always)]
    fn run_tables<const L: usize, const K: usize>(
        &self,
        part: &mut ModuleView<'_>,
        tables: &LadderTables<L, K>,
    ) -> Demand {
        let rate = BenefitRate::new(part.input.benefit_value, self.0);
        let benefits = part.input.benefits;
        let mut demand = Demand::default();
        if LadderTables::<L, K>::HAS_ONE {
            let minimum = tables.minimum(0);
            let free = rate.threshold_of_cost()(minimum);
            for block in benefits.chunks(FLUSH_ROWS) {
                let (mut sum, mut pinned) = (0_u32, 0_u32);
                for benefit in block {
                    let is_free = benefit.bits() >= free;
                    sum = sum.wrapping_add(if is_free { benefit.bits() } else { 0 });
                    pinned = pinned.wrapping_add(u32::from(!is_free));
                }
                let cost = u64::from(pinned).wrapping_mul(minimum.into());
                demand = demand.plus(Demand { pinned, minimum: cost, benefit: sum.into() });
            }
        } else {
            for (&benefit, &kind) in benefits.iter().zip(part.wide.ladder_bytes) {
                demand = demand.plus(Demand::of(rate, benefit, tables.minimum(kind)));
            }
        }
        demand
    }

    fn run_rows(&self, part: &mut ModuleView<'_>) -> Demand {
        part.input.demand(self.0)
    }
}

pub(crate) struct SwitchKernel;

impl Kernel for SwitchKernel {
    type Partial = u64;

    #[inline(always)]
    fn run(&self, part: &mut ModuleView<'_>) -> u64 {
        let rows = part.input.benefits.len();
        let levels = part.levels.get(..rows).unwrap_or(part.levels).chunks(ROWS_PER_BLOCK);
        let pairs = levels.zip(part.wide.before.chunks(ROWS_PER_BLOCK));
        let changed = part.wide.groups.iter().zip(pairs).filter(|(group, _)| group.changed);
        changed.fold(0, |sum, (_, (levels, before))| {
            let count = |few: u8, (a, b): (&u8, &u8)| few.wrapping_add(u8::from(a != b));
            sum.wrapping_add(levels.iter().zip(before).fold(0, count).into())
        })
    }

    fn run_rows(&self, part: &mut ModuleView<'_>) -> u64 {
        // In 32 bits and with a branch: registers are few.
        let mut switches = 0_u32;
        for ((&level, previous), _) in
            part.levels.iter().zip(part.previous).zip(part.input.benefits)
        {
            if !previous.is_at(level) {
                cold_path();
                switches = switches.wrapping_add(previous.is_automatic().into());
            }
        }
        switches.into()
    }
}
