use super::fill::fill;
use super::totals;
use crate::budget::frame_budget::FrameBudget;
use crate::budget::module_view::{ModuleView, Modules};
use crate::budget::policy::Hysteresis;
use crate::budget::upgrade_queue::Upgrade;

/// The actor that gains most from the whole budget, by one hull step or several.
#[derive(Clone, Copy)]
struct SingleUpgrade {
    gain: u64,
    id: u32,
    index: usize,
    row: usize,
    level_index: usize,
}

/// Gives one actor the whole budget if that has more value than the plan, and others the rest; returns the amount spent. So
/// a plan has at least half of the best value: the best is at most the levels at the price and the one next step.
pub(super) fn alone<W: Modules + ?Sized>(
    modules: &mut W,
    frame: FrameBudget,
    spent: u64,
    scratch: &mut [Upgrade],
) -> u64 {
    let FrameBudget { available, minimum, .. } = frame;
    let spare = available.saturating_sub(minimum);
    let (mut bases, mut best) = (0_u64, None);
    for index in 0..modules.count() {
        let found =
            modules.visit(index, |module| (module.bases().value, module.single(index, spare)));
        let (value, single) = found.unwrap_or_default();
        bases = bases.saturating_add(value);
        best = SingleUpgrade::better(best, single);
    }
    let value = totals(modules, |module| module.totals()).value;
    let Some(single) = best.filter(|single| bases.saturating_add(single.gain) > value) else {
        return spent;
    };
    let minimum = totals(modules, |module| module.rest()).cost;
    let price = modules.visit(single.index, |module| module.set_single(single)).unwrap_or(0);
    fill(modules, available, minimum.saturating_add(price), Hysteresis::OFF, scratch)
}

impl SingleUpgrade {
    fn better(one: Option<Self>, other: Option<Self>) -> Option<Self> {
        match (one, other) {
            (Some(a), Some(b)) if (b.gain, a.id) > (a.gain, b.id) => Some(b),
            (Some(a), _) => Some(a),
            (None, b) => b,
        }
    }
}

impl ModuleView<'_> {
    fn single(&self, index: usize, spare: u64) -> Option<SingleUpgrade> {
        let rows = self.all_options(Hysteresis::OFF).zip(self.ids).enumerate();
        rows.fold(None, |best, (row, ((actor, _), &id))| {
            let level_index = actor.best_above(actor.base, actor.highest(), spare);
            let gain = actor.value(level_index).saturating_sub(actor.value(actor.base));
            SingleUpgrade::better(
                best,
                (gain > 0).then_some(SingleUpgrade { gain, id, index, row, level_index }),
            )
        })
    }

    fn set_single(&mut self, single: SingleUpgrade) -> u64 {
        let Some((actor, level_index)) = self.options_of(single.row, Hysteresis::OFF) else {
            return 0;
        };
        let price = actor.cost(single.level_index).saturating_sub(actor.cost(level_index));
        self.set_level_index(single.row, single.level_index);
        price
    }
}
