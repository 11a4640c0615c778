//! Levels at a price, and their totals.

use crate::budget::ladder::{Ladder, Ladders};
use crate::budget::lod::Lod;
use crate::budget::module_view::ModuleView;
use crate::budget::options::ActorOptions;
use crate::budget::policy::Hysteresis;
use crate::budget::price::Price;
use crate::budget::slope::{Slope, SlopeRange};

#[derive(Debug, Clone, Copy, Default)]
pub(in crate::budget) struct Totals {
    pub(in crate::budget) cost: u64,
    pub(in crate::budget) value: u64,
}

impl Totals {
    pub(in crate::budget) const fn plus(self, other: Self) -> Self {
        Self {
            cost: self.cost.wrapping_add(other.cost),
            value: self.value.wrapping_add(other.value),
        }
    }

    pub(super) fn of<'a>(options: impl Iterator<Item = (ActorOptions<'a>, usize)>) -> Self {
        options.fold(Self::default(), |sum, (actor, level_index)| {
            sum.plus(Self { cost: actor.cost(level_index), value: actor.value(level_index) })
        })
    }
}

impl ModuleView<'_> {
    pub(super) fn make_slopes(&mut self, spare: u32) {
        let Ladders { spans, costs } = self.input.ladders;
        for &span in spans {
            let costs = Ladders::part(span, costs);
            let qualities = Ladders::beside(span, costs.len(), self.qualities);
            let slopes = Ladders::beside_mut(span, costs.len(), self.slopes.of_costs);
            Slope::along(costs, qualities, spare, slopes);
        }
        let ladders = self.input.ladders;
        self.slopes.valid_for = SlopeRange::of_all(ladders.iter().map(Ladder::costs), spare);
    }

    pub(super) fn take_at(&mut self, price: Price, hysteresis: Hysteresis) -> Totals {
        let rows = self.rows();
        let (options, levels, fractions) = self.columns(hysteresis);
        fractions.fill(0);
        options.totals_at::<true>(price, rows, levels)
    }

    pub(super) fn cost_at(&self, price: Price, hysteresis: Hysteresis) -> u64 {
        self.options(hysteresis).totals_at::<false>(price, self.rows(), &mut []).cost
    }

    fn rows(&self) -> usize {
        self.input.benefits.len().min(self.levels.len())
    }

    pub(super) fn rest(&mut self) -> Totals {
        let rows = self.rows();
        let (options, levels, fractions) = self.columns(Hysteresis::OFF);
        fractions.fill(0);
        Totals::of(levels.iter_mut().take(rows).enumerate().map(|(row, level)| {
            let actor = options.of(row);
            *level = actor.level(actor.base);
            (actor, actor.base)
        }))
    }

    pub(super) fn totals_at(&self, price: Price) -> Totals {
        self.options(Hysteresis::OFF).totals_at::<true>(price, self.rows(), &mut [])
    }

    pub(super) fn bases(&self) -> Totals {
        let options = self.all_options(Hysteresis::OFF);
        Totals::of(options.map(|(actor, _)| (actor, actor.base)))
    }

    pub(super) fn totals(&self) -> Totals {
        Totals::of(self.all_options(Hysteresis::OFF))
    }

    pub(super) fn close(&mut self) -> Totals {
        let mut totals = self.totals();
        if self.input.continuous {
            let lods = self.levels.iter().zip(&*self.fractions);
            let lods = lods.map(|(&level, &fraction)| Lod::new(level, fraction));
            totals.cost = self
                .input
                .rows()
                .zip(lods)
                .fold(0, |sum, ((ladder, _), lod)| sum.wrapping_add(ladder.cost(lod).into()));
        }
        self.assigned = totals.cost;
        totals
    }
}
