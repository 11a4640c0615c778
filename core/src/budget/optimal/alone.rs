//! One actor with the whole budget, and all others at their lowest levels.

use super::{OptimalPhase, Plan};
use crate::benefit::Benefit;
use crate::budget::kernels::terms::{PriceWindow, Returning};
use crate::budget::ladder::Ladders;
use crate::budget::module_view::{Greatest, Kernel, ModuleView, Modules, PartialResult};
use crate::budget::policy::Hysteresis;
use crate::budget::price::Price;
use crate::budget::slope::{base, quality};
use crate::budget::standing::Standing;
use crate::budget::upgrade_queue::CandidateUpgrade;

#[derive(Clone, Copy, Default)]
struct SingleUpgrade {
    gain: u64,
    id: u32,
    index: usize,
    row: usize,
    level_index: usize,
}

impl<W: Modules + ?Sized, U: CandidateUpgrade> OptimalPhase<'_, W, U> {
    /// Whether a plan of one actor may be better.
    pub(super) fn may_be_alone(&mut self, plan: &Plan) -> bool {
        (0..self.modules.count()).any(|index| {
            let gain = self.modules.visit(index, |module| module.greatest_gain()).unwrap_or(0);
            let beats = |benefit: u32| {
                plan.least.saturating_add(u64::from(benefit).wrapping_mul(gain.into()))
                    > plan.totals.value
            };
            beats(Benefit::MAX.bits()) && beats(self.modules.map_reduce(index, &GreatestBenefit).0)
        })
    }

    /// Takes the plan of the actor that gains most with the whole budget, if it is better.
    pub(super) fn take_alone(&mut self, plan: &mut Plan) {
        let spare = self.frame.available.saturating_sub(self.frame.minimum);
        let mut best = SingleUpgrade::default();
        for index in 0..self.modules.count() {
            self.modules.visit(index, |module| module.find_single(index, spare, &mut best));
        }
        if plan.least.saturating_add(best.gain) <= plan.totals.value {
            return;
        }
        let lowest = self.take(PriceWindow::at(Price::MAX), Returning::Mark).totals;
        let set = |module: &mut ModuleView<'_>| module.move_to(best.row, best.level_index);
        plan.totals = lowest.plus(self.modules.visit(best.index, set).unwrap_or_default());
        self.fill_all(plan);
    }
}

struct GreatestBenefit;

impl Kernel for GreatestBenefit {
    type Partial = Greatest;

    #[inline(always)]
    fn run(&self, part: &mut ModuleView<'_>) -> Greatest {
        self.run_rows(part)
    }

    #[inline(always)]
    fn run_rows(&self, part: &mut ModuleView<'_>) -> Greatest {
        Greatest(part.input.benefits.iter().fold(0, |most, benefit| most.max(benefit.bits())))
    }
}

impl ModuleView<'_> {
    /// Finds the upgrade of one actor with the greatest gain, of equal ones that of the lowest id.
    fn find_single(&mut self, index: usize, spare: u64, best: &mut SingleUpgrade) {
        self.each_actor(Hysteresis::OFF, |part, row, Standing { options: actor, .. }| {
            let level_index = actor.best_above(actor.base, actor.highest(), spare);
            let gain = actor.value(level_index).saturating_sub(actor.value(actor.base));
            let id = part.ids.at(row);
            if (gain, best.id) > (best.gain, id) {
                *best = SingleUpgrade { gain, id, index, row, level_index };
            }
        });
    }

    fn greatest_gain(&self) -> u32 {
        let Ladders { spans, costs } = self.input.ladders;
        spans.iter().fold(0, |most, &span| {
            let costs = Ladders::part(span, costs);
            let qualities = Ladders::beside(span, costs.len(), self.qualities);
            let best =
                qualities.iter().fold(0_u32, |best, quality| best.max(quality.bits().into()));
            most.max(best.saturating_sub(quality(qualities, base(costs))))
        })
    }
}
