use super::block::{BenefitSource, BlockRows, Blocks, clamp};
use super::group::{CachedAssignment, ROWS_PER_BLOCK};
use super::rows::assign_rows;
use super::tables::{LadderTables, StepTable, TableKernel, TableLoop, TableShape};
use super::terms::ShareTerms;
use crate::benefit::Benefit;
use crate::budget::module_view::{ModuleView, Modules};
use crate::budget::policy::Hysteresis;
use crate::budget::rate::BenefitRate;
use crate::budget::scale::Scale;

pub(crate) fn assign<W: Modules + ?Sized>(modules: &mut W, index: usize, terms: ShareTerms) -> u64 {
    if !W::WIDE {
        let ShareTerms { scale, hysteresis } = terms;
        return modules.visit(index, |module| assign_rows(module, scale, hysteresis)).unwrap_or(0);
    }
    modules.visit(index, |module| module.wide.cached = module.moved_assignment(terms));
    let cost = modules.map_reduce(index, &terms);
    let note = |module: &mut ModuleView<'_>| {
        let cached = module.wide.cached;
        let cost = if cached.scale.is_some() { cached.cost.wrapping_add(cost) } else { cost };
        module.wide.forget();
        if TableShape::of(module).is_some() {
            let (scale, margin) = (Some(terms.scale), terms.hysteresis.margin);
            module.wide.cached = CachedAssignment { scale, cost, margin, ..cached };
        }
        module.assigned = cost;
        cost
    };
    modules.visit(index, note).unwrap_or(0)
}

impl ModuleView<'_> {
    /// Writes the benefits of a module view without benefits, and assigns each actor the level that its share pays
    /// while the benefit is cached; returns the total cost in nanoseconds.
    ///
    /// A decision near that scale has little left to do if the view contains [`CachedAssignment::at`]. If ladders [do
    /// not fit tables](Self::can_fill_and_assign), only benefits are written.
    #[inline(always)]
    pub fn fill_and_assign(
        &mut self,
        scale: Scale,
        hysteresis: Hysteresis,
        benefits: &mut [Benefit],
        source: &mut impl BenefitSource,
    ) -> u64 {
        let Some(shape) = TableShape::with(self, benefits.len()) else {
            source.fill(0, benefits);
            return 0;
        };
        let terms = ShareTerms { scale, hysteresis };
        shape.run(AssignNew { part: self, terms, benefits, source })
    }

    /// Whether that many rows can be [assigned](Self::fill_and_assign): few, short ladders, and state for their blocks.
    #[must_use]
    pub fn can_fill_and_assign(&self, rows: usize) -> bool {
        TableShape::with(self, rows).is_some()
    }

    fn moved_assignment(&self, terms: ShareTerms) -> CachedAssignment {
        let cached = self.wide.cached;
        let (Some(shape), Some(from)) = (TableShape::of(self), cached.scale) else {
            return CachedAssignment::default();
        };
        let rate = |scale| BenefitRate::new(self.input.benefit_value, scale);
        let moved = cached.moved.saturating_add(shape.movement(rate(from), rate(terms.scale)));
        // A movement that cannot be counted starts anew.
        if moved > u32::MAX >> 1 || cached.margin != terms.hysteresis.margin {
            CachedAssignment::default()
        } else {
            CachedAssignment { moved, ..cached }
        }
    }
}

impl TableKernel for ShareTerms {
    type Partial = u64;
    const ASSIGNS: bool = true;

    #[inline(always)]
    fn run_tables<const L: usize, const K: usize>(
        &self,
        part: &mut ModuleView<'_>,
        tables: &LadderTables<L, K>,
    ) -> u64 {
        let CachedAssignment { scale, moved, .. } = part.wide.cached;
        let mut block = AssignBlock::new(part, tables, *self);
        (block.moved, block.only_far) = (moved, scale.is_some());
        for rows in Blocks::<L>::of(part, 1) {
            block.see(rows);
        }
        block.cost
    }

    fn run_rows(&self, part: &mut ModuleView<'_>) -> u64 {
        assign_rows(part, self.scale, self.hysteresis)
    }
}

const NEAR: usize = 2 * ROWS_PER_BLOCK;

struct AssignNew<'a, 'b, S> {
    part: &'a mut ModuleView<'b>,
    terms: ShareTerms,
    benefits: &'a mut [Benefit],
    source: &'a mut S,
}

impl<S: BenefitSource> TableLoop for AssignNew<'_, '_, S> {
    type Output = u64;

    #[inline(always)]
    fn run<const L: usize, const K: usize>(self, tables: &LadderTables<L, K>) -> u64 {
        let Self { part, terms, benefits, source } = self;
        let mut block = AssignBlock::new(part, tables, terms);
        // Blocks are visited just after their benefits are computed.
        for (benefits, first) in benefits.chunks_mut(NEAR).zip((0..).step_by(NEAR)) {
            source.fill(first, benefits);
            for rows in Blocks::<L>::from(part, first, benefits) {
                block.see(rows);
            }
        }
        block.cost
    }
}

struct AssignBlock<'a, const L: usize, const K: usize> {
    tables: &'a LadderTables<L, K>,
    thresholds: StepTable<L, K>,
    hysteresis: Hysteresis,
    moved: u32,
    only_far: bool,
    cost: u64,
}

impl<'a, const L: usize, const K: usize> AssignBlock<'a, L, K> {
    /// Makes a visitor that assigns all rows.
    #[inline(always)]
    fn new(part: &ModuleView<'_>, tables: &'a LadderTables<L, K>, terms: ShareTerms) -> Self {
        let ShareTerms { scale, hysteresis } = terms;
        let rate = BenefitRate::new(part.input.benefit_value, scale);
        let thresholds = StepTable::by_share(part.input.ladders, rate);
        Self { tables, thresholds, hysteresis, moved: 0, only_far: false, cost: 0 }
    }

    #[inline(always)]
    fn see(&mut self, mut rows: BlockRows<'_>) {
        let Self { tables, thresholds, hysteresis, moved, only_far, .. } = self;
        if *only_far {
            if rows.group.limit >= *moved && !rows.group.stale {
                return;
            }
            let cached = rows.indices(tables);
            self.cost = self.cost.wrapping_sub(rows.cost(tables, &cached));
        }
        let (mut indices, mut slack) = ([0_u8; ROWS_PER_BLOCK], u32::MAX);
        let benefits = rows.benefits.iter().zip(rows.ladder_bytes);
        for (index, (&benefit, &kind)) in indices.iter_mut().zip(benefits.clone()) {
            let (full, far) = thresholds.reached_and_slack(benefit, kind);
            *index = full;
            slack = slack.min(far);
        }
        if hysteresis.margin > 0 {
            let previous = rows.previous(tables);
            let mut discounted = [0_u8; ROWS_PER_BLOCK];
            for (index, (&benefit, &kind)) in discounted.iter_mut().zip(benefits) {
                let less = hysteresis.discounted(benefit);
                let (reached, far) = thresholds.reached_and_slack(less, kind);
                *index = reached;
                slack = slack.min(far);
            }
            for ((index, &discounted), &previous) in
                indices.iter_mut().zip(&discounted).zip(&previous)
            {
                *index = clamp(previous, discounted, *index);
            }
        }
        self.cost = self.cost.wrapping_add(rows.cost(tables, &indices));
        rows.set(tables, &indices);
        rows.group.limit = moved.saturating_add(slack);
        rows.group.stale = false;
    }
}
