use super::general::keep_all;
use super::group::{CachedAssignment, ROWS_PER_BLOCK};
use super::place::{BenefitSource, BlockRows, BlockVisitor, each_group, each_new_group};
use super::steps::{StepTables, TableKernel, TableShape};
use crate::benefit::Benefit;
use crate::budget::module_view::{Kernel, ModuleView, Modules};
use crate::budget::rate::BenefitRate;
use crate::budget::scale::Scale;

pub(super) fn assign<W: Modules + ?Sized>(modules: &mut W, index: usize, scale: Scale) -> u64 {
    modules.visit(index, |module| module.wide.cached = module.moved_assignment(scale));
    let cost = modules.map_reduce(index, &Assign { scale });
    let note = |module: &mut ModuleView<'_>| {
        let cached = module.wide.cached;
        let cost = if cached.scale.is_some() { cached.cost.wrapping_add(cost) } else { cost };
        let is_cached = TableShape::of(module).is_some();
        let cached = CachedAssignment { scale: Some(scale), cost, ..cached };
        module.wide.cached = if is_cached { cached } else { CachedAssignment::default() };
        module.assigned = cost;
        cost
    };
    modules.visit(index, note).unwrap_or(0)
}

impl ModuleView<'_> {
    /// Writes the benefits of a module view without benefits, and assigns each actor the highest level that its share
    /// pays while the benefit is cached; returns the total cost in nanoseconds.
    ///
    /// A decision near that scale has little left to do if the view contains [`CachedAssignment::at`]. If ladders [do
    /// not fit tables](Self::can_fill_and_assign), only benefits are written.
    #[inline(always)]
    pub fn fill_and_assign(
        &mut self,
        scale: Scale,
        benefits: &mut [Benefit],
        source: &mut impl BenefitSource,
    ) -> u64 {
        let rate = BenefitRate::new(self.input.benefit_value, scale);
        let threshold = rate.threshold_of_cost();
        let Some(shape) = TableShape::with(self, benefits.len()) else {
            source.fill(0, benefits);
            return 0;
        };
        shape.run(|_, cost| threshold(cost), Drafting { part: self, benefits, source })
    }

    /// Whether that many rows can be [assigned](Self::fill_and_assign): few, short ladders, and state for their blocks.
    #[must_use]
    pub fn can_fill_and_assign(&self, rows: usize) -> bool {
        TableShape::with(self, rows).is_some()
    }

    fn moved_assignment(&self, scale: Scale) -> CachedAssignment {
        let cached = self.wide.cached;
        let (Some(shape), Some(from)) = (TableShape::of(self), cached.scale) else {
            return CachedAssignment::default();
        };
        let rate = |scale| BenefitRate::new(self.input.benefit_value, scale);
        let moved = cached.moved.saturating_add(shape.movement(rate(from), rate(scale)));
        // A movement that cannot be counted starts anew.
        if moved > u32::MAX >> 1 {
            CachedAssignment::default()
        } else {
            CachedAssignment { moved, ..cached }
        }
    }
}

struct Assign {
    scale: Scale,
}

impl Kernel for Assign {
    type Partial = u64;

    #[inline(always)]
    fn run(&self, part: &mut ModuleView<'_>) -> u64 {
        let Some(shape) = TableShape::of(part) else {
            keep_all(part);
            return part.assign(self.scale);
        };
        let rate = BenefitRate::new(part.input.benefit_value, self.scale);
        let CachedAssignment { scale, moved, .. } = part.wide.cached;
        let (threshold, only_far) = (rate.threshold_of_cost(), scale.is_some());
        shape.run(|_, cost| threshold(cost), Place { part, moved, only_far })
    }
}

struct Drafting<'a, 'b, S> {
    part: &'a mut ModuleView<'b>,
    benefits: &'a mut [Benefit],
    source: &'a mut S,
}

impl<S: BenefitSource> TableKernel for Drafting<'_, '_, S> {
    type Output = u64;

    #[inline(always)]
    fn run<const L: usize, const K: usize>(self, steps: &StepTables<L, K>) -> u64 {
        let Self { part, benefits, source } = self;
        let mut group = PlaceGroup { steps, moved: 0, only_far: false, cost: 0 };
        each_new_group::<L>(part, benefits, source, &mut group);
        group.cost
    }
}

struct Place<'a, 'b> {
    part: &'a mut ModuleView<'b>,
    moved: u32,
    only_far: bool,
}

impl TableKernel for Place<'_, '_> {
    type Output = u64;

    #[inline(always)]
    fn run<const L: usize, const K: usize>(self, steps: &StepTables<L, K>) -> u64 {
        let Self { part, moved, only_far } = self;
        let mut group = PlaceGroup { steps, moved, only_far, cost: 0 };
        each_group::<L>(part, &mut group);
        group.cost
    }
}

struct PlaceGroup<'a, const L: usize, const K: usize> {
    steps: &'a StepTables<L, K>,
    moved: u32,
    only_far: bool,
    cost: u64,
}

impl<const L: usize, const K: usize> BlockVisitor for PlaceGroup<'_, L, K> {
    #[inline(always)]
    fn see(&mut self, mut rows: BlockRows<'_>) {
        let Self { steps, moved, only_far, .. } = *self;
        if only_far {
            if rows.group.limit >= moved && !rows.group.stale {
                return;
            }
            let drafted = rows.level_indices(steps);
            self.cost = self.cost.wrapping_sub(rows.cost(steps, &drafted));
        }
        let (mut level_indices, mut slack) = ([0_u8; ROWS_PER_BLOCK], u32::MAX);
        for ((place, &benefit), &kind) in
            level_indices.iter_mut().zip(rows.benefits).zip(rows.ladder_bytes)
        {
            let (level_index, far) = steps.index_and_slack(benefit, kind);
            *place = (level_index & 0xff) as u8;
            slack = slack.min(far);
        }
        self.cost = self.cost.wrapping_add(rows.cost(steps, &level_indices));
        let levels = rows.levels(steps, &level_indices);
        rows.set(&levels);
        rows.group.limit = moved.saturating_add(slack);
        rows.group.stale = false;
    }
}
