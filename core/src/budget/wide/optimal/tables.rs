use crate::benefit::Benefit;
use crate::budget::ladder::{LadderSpan, Ladders};
use crate::budget::module_view::{Kernel, ModuleView, Modules, PartialResult};
use crate::budget::options::ModuleOptions;
use crate::budget::policy::Hysteresis;
use crate::budget::price::Price;
use crate::budget::rate::UNREACHABLE;
use crate::budget::slope::{Slope, base, quality};

impl ModuleView<'_> {
    pub(super) fn shared_slopes(&self) -> &[Slope] {
        if self.slopes.of_costs.is_empty() { self.wide.slopes } else { self.slopes.of_costs }
    }

    pub(super) fn shared_options(&self) -> ModuleOptions<'_> {
        let slopes = self.shared_slopes();
        ModuleOptions::new(self.input, self.qualities, slopes, &[], Hysteresis::OFF)
    }

    pub(super) fn quality(&self, span: LadderSpan, level_index: usize) -> u32 {
        let len = Ladders::part(span, self.input.ladders.costs).len();
        quality(Ladders::beside(span, len, self.qualities), level_index)
    }
}

/// A number for each step above the base of `L` ladders of at most `K` steps; one ladder's numbers are adjacent, to be
/// compared together.
pub(super) struct StepTable<const L: usize, const K: usize>(pub(super) [[u32; K]; L]);

impl<const L: usize, const K: usize> StepTable<L, K> {
    #[inline(never)]
    pub(super) fn new(
        ladders: Ladders<'_>,
        beyond: u32,
        of: impl Fn(LadderSpan, usize) -> u32,
    ) -> Self {
        let mut table = [[beyond; K]; L];
        for (row, &span) in table.iter_mut().zip(ladders.spans) {
            let costs = Ladders::part(span, ladders.costs);
            let level_indices = base(costs).wrapping_add(1)..costs.len();
            row.iter_mut()
                .zip(level_indices)
                .for_each(|(place, level_index)| *place = of(span, level_index));
        }
        Self(table)
    }

    pub(super) fn thresholds(ladders: Ladders<'_>, slopes: &[Slope], price: Price) -> Self {
        Self::new(ladders, UNREACHABLE, |span, level_index| {
            let place = (span.parts().0 as usize).wrapping_add(level_index);
            slopes.get(place).map_or(UNREACHABLE, |slope| slope.threshold(price))
        })
    }

    pub(super) fn costs(ladders: Ladders<'_>) -> Self {
        Self::new(ladders, 0, |span, level_index| {
            let costs = Ladders::part(span, ladders.costs);
            let cost = |level_index| costs.get(level_index).copied().unwrap_or(0);
            cost(level_index).wrapping_sub(cost(level_index.wrapping_sub(1)))
        })
    }

    #[inline(always)]
    pub(super) fn of(&self, kind: u8) -> [u32; K] {
        self.0.get(usize::from(kind) & L.wrapping_sub(1)).copied().unwrap_or([0; K])
    }

    #[inline(always)]
    pub(super) fn reached(&self, benefit: Benefit, kind: u8) -> u32 {
        self.of(kind).into_iter().fold(0, |level_index, threshold| {
            level_index.wrapping_add(u32::from(benefit.bits() >= threshold))
        })
    }

    #[inline(always)]
    pub(super) fn to(&self, level_index: u32, kind: u8) -> u32 {
        let step = (level_index as usize).wrapping_sub(1) & K.wrapping_sub(1);
        let kind = usize::from(kind) & L.wrapping_sub(1);
        let place = kind.wrapping_mul(K).wrapping_add(step);
        self.0.as_flattened().get(place).copied().unwrap_or(0)
    }
}

pub(super) fn bases<const L: usize>(
    ladders: Ladders<'_>,
    of: impl Fn(LadderSpan, usize) -> u32,
) -> [u32; L] {
    let mut bases = [0; L];
    for (place, &span) in bases.iter_mut().zip(ladders.spans) {
        *place = of(span, base(Ladders::part(span, ladders.costs)));
    }
    bases
}

pub(super) fn can_be_alone<W: Modules + ?Sized>(modules: &mut W, value: u64, least: u64) -> bool {
    (0..modules.count()).any(|index| {
        let gain = modules.visit(index, |module| module.greatest_gain()).unwrap_or(0);
        let beats = |benefit: u32| {
            least.saturating_add(u64::from(benefit).wrapping_mul(gain.into())) > value
        };
        beats(Benefit::MAX.bits()) && beats(modules.map_reduce(index, &Greatest).0)
    })
}

struct Greatest;

#[derive(Default)]
pub(super) struct Most(pub(super) u32);

impl PartialResult for Most {
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Self(self.0.max(other.0))
    }
}

impl Kernel for Greatest {
    type Partial = Most;

    #[inline(always)]
    fn run(&self, part: &mut ModuleView<'_>) -> Most {
        Most(part.input.benefits.iter().fold(0, |most, benefit| most.max(benefit.bits())))
    }
}

impl ModuleView<'_> {
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
