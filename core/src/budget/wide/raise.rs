use super::general::keep_all;
use super::group::ROWS_PER_BLOCK;
use super::place::{BlockRows, BlockVisitor, each_group};
use super::steps::{StepTables, TableKernel, TableShape};
use crate::benefit::Benefit;
use crate::budget::cutoff::MarkDepth;
use crate::budget::lod::Lod;
use crate::budget::module_view::{Kernel, ModuleView};
use crate::budget::rate::BenefitRate;
use crate::budget::scale::Scale;

#[derive(Clone, Copy)]
pub(super) struct UpgradeKernel {
    pub(super) scale: Scale,
    pub(super) high: u32,
    pub(super) low: u32,
    pub(super) reach: MarkDepth,
}

impl Kernel for UpgradeKernel {
    type Partial = u64;

    #[inline(always)]
    fn run(&self, part: &mut ModuleView<'_>) -> u64 {
        let Some(shape) = TableShape::of(part) else { return self.row_by_row(part) };
        let threshold = BenefitRate::new(part.input.benefit_value, self.scale).threshold_of_cost();
        shape.run(|_, cost| threshold(cost), Place { part, kernel: *self })
    }
}

impl UpgradeKernel {
    pub(super) const fn none(scale: Scale) -> Self {
        Self { scale, high: u32::MAX, low: u32::MAX, reach: MarkDepth::NOTHING }
    }

    fn row_by_row(self, part: &mut ModuleView<'_>) -> u64 {
        keep_all(part);
        part.wide.groups.iter_mut().for_each(|group| group.found = 0);
        let mut cost = 0_u64;
        for row in 0..part.input.benefits.len().min(part.levels.len()) {
            let benefit = part.input.benefits.get(row).map_or(0, |benefit| benefit.bits());
            if benefit >= self.high {
                part.raise(row, u64::MAX);
            }
            let ladder = part.input.ladder_of(row);
            let level = part.levels.get(row).copied().unwrap_or(0);
            let fraction = part.fractions.get(row).copied().unwrap_or(0);
            let now = ladder.cost(Lod::new(level, fraction));
            cost = cost.wrapping_add(now.into());
            let is_found = benefit > 0 && now < ladder.maximum();
            if let Some(group) = part.wide.groups.get_mut(row / ROWS_PER_BLOCK) {
                group.found |= u64::from(is_found) << (row % ROWS_PER_BLOCK);
            }
        }
        cost
    }
}

struct Place<'a, 'b> {
    part: &'a mut ModuleView<'b>,
    kernel: UpgradeKernel,
}

impl TableKernel for Place<'_, '_> {
    type Output = u64;

    #[inline(always)]
    fn run<const L: usize, const K: usize>(self, steps: &StepTables<L, K>) -> u64 {
        let Self { part, kernel } = self;
        let near = steps.map(|threshold| kernel.reach.below(threshold));
        let mut group = PlaceGroup { steps, near: &near, kernel, cost: 0 };
        each_group::<L>(part, &mut group);
        group.cost
    }
}

struct PlaceGroup<'a, const L: usize, const K: usize> {
    steps: &'a StepTables<L, K>,
    near: &'a [[u32; L]; K],
    kernel: UpgradeKernel,
    cost: u64,
}

impl<const L: usize, const K: usize> BlockVisitor for PlaceGroup<'_, L, K> {
    #[inline(always)]
    fn see(&mut self, mut rows: BlockRows<'_>) {
        let Self { steps, near, kernel, .. } = *self;
        let (mut level_indices, mut is_any) = ([0_u8; ROWS_PER_BLOCK], false);
        for ((place, &benefit), &kind) in
            level_indices.iter_mut().zip(rows.benefits).zip(rows.ladder_bytes)
        {
            let level_index = steps.level_index(benefit, kind);
            let level_index =
                if benefit.bits() >= kernel.high { steps.top(kind) } else { level_index };
            *place = (level_index & 0xff) as u8;
            is_any |= kernel.looks_at(steps, near, benefit, kind);
        }
        self.cost = self.cost.wrapping_add(rows.cost(steps, &level_indices));
        let levels = rows.levels(steps, &level_indices);
        rows.set(&levels);
        rows.group.found = 0;
        if is_any {
            let rows_now = level_indices.iter().zip(rows.benefits).zip(rows.ladder_bytes);
            let found = rows_now.enumerate().fold(
                0_u64,
                |found, (row, ((&level_index, &benefit), &kind))| {
                    let is_found = kernel.looks_at(steps, near, benefit, kind)
                        && benefit > Benefit::ZERO
                        && u32::from(level_index) < steps.top(kind);
                    found | u64::from(is_found) << row
                },
            );
            rows.group.found = found;
            if found != 0 {
                rows.keep();
            }
        }
    }
}

impl UpgradeKernel {
    #[inline(always)]
    fn looks_at<const L: usize, const K: usize>(
        self,
        steps: &StepTables<L, K>,
        near: &[[u32; L]; K],
        benefit: Benefit,
        kind: u8,
    ) -> bool {
        let is_inside = benefit.bits().wrapping_sub(self.low) < self.high.wrapping_sub(self.low);
        let is_near = steps.is_just_below(benefit, kind, near) & (benefit.bits() < self.high);
        is_inside | is_near
    }
}
