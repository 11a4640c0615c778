//! Kernels that find the next actor, and actors with an affordable step.

use core::ops::Range;
use core::slice::Chunks;

use super::tables::{Most, StepTable};
use crate::benefit::Benefit;
use crate::budget::ladder::{LadderSpan, Ladders};
use crate::budget::last::PreviousLevel;
use crate::budget::module_view::{Kernel, ModuleView};
use crate::budget::price::Price;
use crate::budget::wide::group::ROWS_PER_BLOCK;
use crate::budget::wide::place::{BlockRows, BlockVisitor, each_group};
use crate::budget::wide::steps::{StepTables, TableKernel, TableShape};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Paid {
    /// The next hull step as a whole, for actors still at their level at the price.
    Whole { price: Price },
    /// Any better level.
    Any,
}

#[derive(Clone, Copy)]
pub(super) struct UpgradeFilter {
    pub(super) below: Price,
    pub(super) paid: Paid,
    pub(super) money: u64,
}

pub(super) struct BestUnmarkedKernel(pub(super) UpgradeFilter);

pub(super) struct MarkKernel {
    pub(super) wanted: UpgradeFilter,
    pub(super) low: Price,
    pub(super) ids: Range<u32>,
}

impl Kernel for BestUnmarkedKernel {
    type Partial = Most;

    #[inline(always)]
    fn run(&self, part: &mut ModuleView<'_>) -> Most {
        let Some(shape) = TableShape::of(part) else { return Most(0) };
        let ladders = shape.ladders();
        shape.run(|_, _| 0, Look { part, ladders, wanted: self.0 })
    }
}

impl Kernel for MarkKernel {
    type Partial = u64;

    #[inline(always)]
    fn run(&self, part: &mut ModuleView<'_>) -> u64 {
        let Some(shape) = TableShape::of(part) else { return 0 };
        let ladders = shape.ladders();
        shape.run(|_, _| 0, Mark { part, ladders, kernel: self })
    }
}

struct Filter<const L: usize, const K: usize> {
    below: StepTable<L, K>,
    at_price: StepTable<L, K>,
    is_whole: bool,
    pays: StepTable<L, K>,
}

impl<const L: usize, const K: usize> Filter<L, K> {
    fn new(ladders: Ladders<'_>, part: &ModuleView<'_>, wanted: UpgradeFilter) -> Self {
        let UpgradeFilter { below, paid, money } = wanted;
        let (price, is_whole) = match paid {
            Paid::Whole { price } => (price, true),
            Paid::Any => (below, false),
        };
        let slopes = part.shared_slopes();
        Self {
            below: StepTable::thresholds(ladders, slopes, below),
            at_price: StepTable::thresholds(ladders, slopes, price),
            is_whole,
            pays: StepTable::new(ladders, 0, |span, level_index| {
                part.pays(span, level_index.wrapping_sub(1), is_whole, money).into()
            }),
        }
    }

    #[inline(always)]
    fn has(&self, benefit: Benefit, kind: u8, level_index: u32) -> bool {
        (self.below.reached(benefit, kind) <= level_index)
            & (!self.is_whole | (self.at_price.reached(benefit, kind) == level_index))
    }
}

struct Look<'a, 'b> {
    part: &'a mut ModuleView<'b>,
    ladders: Ladders<'b>,
    wanted: UpgradeFilter,
}

impl TableKernel for Look<'_, '_> {
    type Output = Most;

    #[inline(always)]
    fn run<const L: usize, const K: usize>(self, steps: &StepTables<L, K>) -> Most {
        let Self { part, ladders, wanted } = self;
        let filter = Filter::<L, K>::new(ladders, part, wanted);
        let mut group = LookGroup { steps, filter, most: [[0; K]; L] };
        each_group::<L>(part, &mut group);
        let slopes = part.shared_slopes();
        let places = StepTable::<L, K>::new(ladders, u32::MAX, |span, level_index| {
            u32::try_from(level_index).unwrap_or(u32::MAX).saturating_add(span.parts().0)
        });
        let all = group.most.as_flattened().iter().zip(places.0.as_flattened());
        let paid = all.zip(group.filter.pays.0.as_flattened()).filter(|(_, pays)| **pays > 0);
        Most(paid.fold(0, |best, ((&benefit, &place), _)| {
            let slope = slopes.get(place as usize).copied().unwrap_or_default();
            best.max(slope.worth(Benefit::from_bits(benefit)).bits())
        }))
    }
}

struct LookGroup<'a, const L: usize, const K: usize> {
    steps: &'a StepTables<L, K>,
    filter: Filter<L, K>,
    most: [[u32; K]; L],
}

impl<const L: usize, const K: usize> BlockVisitor for LookGroup<'_, L, K> {
    #[inline(always)]
    fn see(&mut self, rows: BlockRows<'_>) {
        let now = rows.level_indices(self.steps);
        let mut looked_for = [0_u32; ROWS_PER_BLOCK];
        let places = looked_for.iter_mut().zip(&now);
        for (((place, &now), &benefit), &kind) in places.zip(rows.benefits).zip(rows.ladder_bytes) {
            let is = self.filter.has(benefit, kind, now.into());
            *place = if is { benefit.bits() } else { 0 };
        }
        if StepTables::<L, K>::HAS_ONE {
            let pays = self.filter.pays.of(0);
            let before = self.most.as_flattened_mut().iter_mut().zip(pays).zip(0_u8..);
            for ((most, _), level_index) in before.filter(|((_, pays), _)| *pays > 0) {
                // Compilers make vectors of a choice, and of a maximum, but not of both.
                let mut here = [0_u32; ROWS_PER_BLOCK];
                for ((here, &benefit), &now) in here.iter_mut().zip(&looked_for).zip(&now) {
                    *here = if now == level_index { benefit } else { 0 };
                }
                *most = here.iter().fold(*most, |most, &benefit| most.max(benefit));
            }
            return;
        }
        for ((&benefit, &now), &kind) in looked_for.iter().zip(&now).zip(rows.ladder_bytes) {
            let its = self.most.get_mut(usize::from(kind));
            if let Some(most) = its.and_then(|its| its.get_mut(usize::from(now))) {
                *most = benefit.max(*most);
            }
        }
    }
}

struct Mark<'a, 'b> {
    part: &'a mut ModuleView<'b>,
    ladders: Ladders<'b>,
    kernel: &'a MarkKernel,
}

impl TableKernel for Mark<'_, '_> {
    type Output = u64;

    #[inline(always)]
    fn run<const L: usize, const K: usize>(self, steps: &StepTables<L, K>) -> u64 {
        let Self { part, ladders, kernel: MarkKernel { wanted, low, ids } } = self;
        let mut group = MarkGroup {
            steps,
            filter: Filter::<L, K>::new(ladders, part, *wanted),
            low: StepTable::thresholds(ladders, part.shared_slopes(), *low),
            ids,
            ids_of_all: part.ids.chunks(ROWS_PER_BLOCK),
            all: 0,
        };
        each_group::<L>(part, &mut group);
        group.all
    }
}

struct MarkGroup<'a, const L: usize, const K: usize> {
    steps: &'a StepTables<L, K>,
    filter: Filter<L, K>,
    low: StepTable<L, K>,
    ids: &'a Range<u32>,
    ids_of_all: Chunks<'a, u32>,
    all: u64,
}

impl<const L: usize, const K: usize> BlockVisitor for MarkGroup<'_, L, K> {
    #[inline(always)]
    fn see(&mut self, mut rows: BlockRows<'_>) {
        let its_ids = self.ids_of_all.next().unwrap_or_default();
        let now = rows.level_indices(self.steps);
        let mut is = [0_u8; ROWS_PER_BLOCK];
        let places = is.iter_mut().zip(&now);
        for (((is, &now), &benefit), &kind) in places.zip(rows.benefits).zip(rows.ladder_bytes) {
            let now = u32::from(now);
            let is_near = self.low.reached(benefit, kind) > now;
            *is = (self.filter.has(benefit, kind, now) & is_near).into();
        }
        rows.group.found = 0;
        if is.iter().fold(0, |any, is| any | is) != 0 {
            let rows_now = is.iter().zip(&now).zip(rows.ladder_bytes).zip(its_ids).enumerate();
            let found = rows_now.fold(0_u64, |found, (row, (((&is, &now), &kind), id))| {
                let next = u32::from(now).wrapping_add(1);
                let pays = self.filter.pays.to(next, kind) > 0;
                found | u64::from((is != 0) & pays & self.ids.contains(id)) << row
            });
            rows.group.found = found;
            if found != 0 {
                rows.keep();
                self.all = self.all.wrapping_add(found.count_ones().into());
            }
        }
    }
}

impl ModuleView<'_> {
    fn pays(&self, span: LadderSpan, level_index: usize, is_whole: bool, money: u64) -> bool {
        let actor = self.shared_options().with(span, Benefit::MAX, PreviousLevel::NONE);
        if is_whole {
            actor.cost(actor.step_above(level_index)).saturating_sub(actor.cost(level_index))
                <= money
        } else {
            actor.best_above(level_index, actor.highest(), money) != level_index
        }
    }
}
