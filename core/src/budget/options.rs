use super::demand::ModuleInput;
use super::ladder::{LadderSpan, Ladders};
use super::last::PreviousLevel;
use super::module_view::ModuleView;
use super::policy::Hysteresis;
use super::price::Price;
use super::slope::{Slope, base, quality};
use super::work::Quality;
use crate::benefit::Benefit;

/// The options of a module's actors: the cost and value of each level.
#[derive(Clone, Copy)]
pub(super) struct ModuleOptions<'a> {
    pub(super) input: ModuleInput<'a>,
    pub(super) qualities: &'a [Quality],
    pub(super) slopes: &'a [Slope],
    /// The previous levels, if hysteresis is on.
    previous: Option<PreviousLevels<'a>>,
    pub(super) hysteresis: Hysteresis,
}

/// The previous levels of a module's actors.
#[derive(Clone, Copy)]
pub(super) enum PreviousLevels<'a> {
    /// A column of them; missing rows have none.
    Column(&'a [PreviousLevel]),
    /// The levels before the frame, 255 for none.
    Before(&'a [u8]),
}

impl PreviousLevels<'_> {
    pub(super) const NONE: Self = Self::Column(&[]);

    #[inline]
    pub(super) fn level(self, row: usize) -> Option<u8> {
        match self {
            Self::Column(column) => column.get(row)?.level(),
            Self::Before(levels) => levels.get(row).copied().filter(|&level| level != u8::MAX),
        }
    }
}

/// The options of one actor. Level indices count from its lowest level.
#[derive(Clone, Copy)]
pub(super) struct ActorOptions<'a> {
    pub(super) costs: &'a [u32],
    pub(super) qualities: &'a [Quality],
    slopes: &'a [Slope],
    span: LadderSpan,
    /// The highest level index with the cost of the lowest.
    pub(super) base: usize,
    pub(super) benefit: Benefit,
    /// The previous level index, if hysteresis is on.
    pub(super) previous: Option<usize>,
    hysteresis: Hysteresis,
}

impl ModuleView<'_> {
    /// Separates the options from the levels and fractions, which are written.
    pub(super) fn columns(
        &mut self,
        hysteresis: Hysteresis,
    ) -> (ModuleOptions<'_>, &mut [u8], &mut [u16]) {
        let Self { input, qualities, slopes, previous, levels, fractions, wide, .. } = self;
        let previous = if wide.groups.is_empty() {
            PreviousLevels::Column(previous)
        } else {
            PreviousLevels::Before(wide.before)
        };
        (
            ModuleOptions::new(*input, qualities, slopes.of_costs, previous, hysteresis),
            levels,
            fractions,
        )
    }

    pub(super) fn set_level_index(&mut self, row: usize, level_index: usize) {
        let level = self.options(Hysteresis::OFF).of(row).level(level_index);
        if let Some(place) = self.levels.get_mut(row) {
            *place = level;
        }
    }

    pub(super) fn options(&self, hysteresis: Hysteresis) -> ModuleOptions<'_> {
        let previous = self.previous_levels();
        ModuleOptions::new(self.input, self.qualities, self.slopes.of_costs, previous, hysteresis)
    }

    /// Returns the previous levels, of a wide scene only after they are kept.
    pub(super) fn previous_levels(&self) -> PreviousLevels<'_> {
        if self.wide.groups.is_empty() {
            PreviousLevels::Column(self.previous)
        } else {
            PreviousLevels::Before(self.wide.before)
        }
    }

    pub(super) fn options_of(
        &self,
        row: usize,
        hysteresis: Hysteresis,
    ) -> Option<(ActorOptions<'_>, usize)> {
        let level = *self.levels.get(row)?;
        let actor = self.options(hysteresis).of(row);
        Some((actor, actor.level_index(level)))
    }

    pub(super) fn all_options(
        &self,
        hysteresis: Hysteresis,
    ) -> impl Iterator<Item = (ActorOptions<'_>, usize)> {
        let options = self.options(hysteresis);
        let rows = self.levels.iter().take(self.input.benefits.len()).enumerate();
        rows.map(move |(row, &level)| {
            let actor = options.of(row);
            (actor, actor.level_index(level))
        })
    }
}

impl<'a> ModuleOptions<'a> {
    pub(super) fn new(
        input: ModuleInput<'a>,
        qualities: &'a [Quality],
        slopes: &'a [Slope],
        previous: PreviousLevels<'a>,
        hysteresis: Hysteresis,
    ) -> Self {
        // A continuous module can be upgraded by any amount, so no margin applies.
        let margin = if input.continuous { 0 } else { hysteresis.margin };
        let previous = hysteresis.is_on().then_some(previous);
        Self { input, qualities, slopes, previous, hysteresis: Hysteresis { margin, ..hysteresis } }
    }

    pub(super) const fn has_margin(&self) -> bool {
        self.hysteresis.margin > 0
    }

    #[inline]
    pub(super) fn of(&self, row: usize) -> ActorOptions<'a> {
        let ModuleInput { ladders, ladder, benefits, .. } = self.input;
        let span = ladders.span(ladder.get(row).copied().unwrap_or(0));
        let benefit = benefits.get(row).copied().unwrap_or_default();
        let costs = Ladders::part(span, self.input.ladders.costs);
        let previous =
            self.previous.map(|previous| previous_index(span, costs, previous.level(row)));
        self.with(span, benefit, previous)
    }

    /// Returns the options of an actor with a ladder and benefit, without hysteresis.
    pub(super) fn of_span(&self, span: LadderSpan, benefit: Benefit) -> ActorOptions<'a> {
        self.with(span, benefit, None)
    }

    /// Returns the previous index of a row; the highest without hysteresis.
    pub(super) fn previous_index(&self, span: LadderSpan, costs: &[u32], row: usize) -> usize {
        let level = self.previous.and_then(|previous| previous.level(row));
        previous_index(span, costs, level)
    }

    #[inline]
    fn with(
        &self,
        span: LadderSpan,
        benefit: Benefit,
        previous: Option<usize>,
    ) -> ActorOptions<'a> {
        let costs = Ladders::part(span, self.input.ladders.costs);
        ActorOptions {
            costs,
            qualities: Ladders::beside(span, costs.len(), self.qualities),
            slopes: Ladders::beside(span, costs.len(), self.slopes),
            span,
            base: base(costs),
            benefit,
            previous,
            hysteresis: self.hysteresis,
        }
    }
}

/// Returns the level index of a previous level: clamped to the valid range, on a plateau its upper end. An actor
/// without one, which is new or has another number of levels, behaves as if it had its highest level.
#[inline]
pub(super) fn previous_index(span: LadderSpan, costs: &[u32], level: Option<u8>) -> usize {
    let highest = costs.len().saturating_sub(1);
    let Some(level) = level else { return highest };
    let mut index = usize::from(level.saturating_sub(span.lowest())).min(highest);
    while index < highest && costs.get(index) == costs.get(index.wrapping_add(1)) {
        index = index.wrapping_add(1);
    }
    index
}

/// Returns benefit times quality, in 2⁻³¹.
#[inline]
pub(super) fn value(benefit: Benefit, qualities: &[Quality], level_index: usize) -> u64 {
    u64::from(benefit.bits()).wrapping_mul(quality(qualities, level_index).into())
}

impl ActorOptions<'_> {
    #[inline]
    pub(super) fn cost(&self, level_index: usize) -> u64 {
        self.costs.get(level_index).copied().unwrap_or(0).into()
    }

    /// Returns benefit times quality, in 2⁻³¹.
    #[inline]
    pub(super) fn value(&self, level_index: usize) -> u64 {
        value(self.benefit, self.qualities, level_index)
    }

    #[inline]
    pub(super) fn level(&self, level_index: usize) -> u8 {
        self.span.level(u8::try_from(level_index).unwrap_or(u8::MAX))
    }

    #[inline]
    pub(super) fn level_index(&self, level: u8) -> usize {
        usize::from(level.saturating_sub(self.span.lowest())).min(self.highest())
    }

    #[inline]
    pub(super) fn highest(&self) -> usize {
        self.costs.len().saturating_sub(1)
    }

    pub(super) fn index_of_previous(&self, level: Option<u8>) -> usize {
        previous_index(self.span, self.costs, level)
    }

    pub(super) fn is_below_previous(&self, level_index: usize) -> bool {
        self.previous.is_some_and(|last| level_index < last)
    }

    /// Returns the highest index to which a leftover budget may upgrade, and the part it may spend: all up to the
    /// previous index, beyond that without the dead band.
    pub(super) fn reach(&self, level_index: usize, leftover: u64, reserved: u64) -> (usize, u64) {
        match self.previous {
            Some(last) if level_index < last => (last, leftover),
            Some(_) => (self.highest(), leftover.saturating_sub(reserved)),
            None => (self.highest(), leftover),
        }
    }

    /// Returns the level index after all hull steps worth the price; above the previous index the benefit is discounted.
    #[inline]
    pub(super) fn index_at(&self, price: Price) -> usize {
        let full = self.climb(self.benefit, price);
        match self.previous {
            Some(last) if self.hysteresis.margin > 0 && full > last => {
                self.climb(self.hysteresis.discounted(self.benefit), price).max(last)
            }
            _ => full,
        }
    }

    #[inline]
    pub(super) fn climb(&self, benefit: Benefit, price: Price) -> usize {
        let steps = self.slopes.iter().skip(self.base.wrapping_add(1));
        let taken = steps.take_while(|slope| slope.is_worth(benefit, price)).count();
        self.base.wrapping_add(taken)
    }

    #[inline]
    pub(super) fn benefit_above(&self, level_index: usize) -> Benefit {
        match self.previous {
            Some(last) if level_index >= last => self.hysteresis.discounted(self.benefit),
            _ => self.benefit,
        }
    }

    #[inline]
    pub(super) fn worth_of(&self, step: Slope, level_index: usize) -> Price {
        step.worth(self.benefit_above(level_index))
    }

    #[inline]
    pub(super) fn slope_above(&self, level_index: usize) -> Slope {
        self.slopes.get(level_index.wrapping_add(1)).copied().unwrap_or(Slope::NEVER)
    }

    pub(super) fn step_above(&self, level_index: usize) -> usize {
        let mut steps = self.slopes.iter().skip(level_index.wrapping_add(1));
        let Some(first) = steps.next() else { return level_index };
        level_index.wrapping_add(1).wrapping_add(steps.take_while(|&slope| slope == first).count())
    }

    /// Returns the best index in `level_index`..=`most` for at most `money` more nanoseconds: of equal quality the
    /// cheapest, of equal cost the highest.
    pub(super) fn best_above(&self, level_index: usize, most: usize, money: u64) -> usize {
        let limit = self.cost(level_index).saturating_add(money);
        let level_indices = level_index.wrapping_add(1)..=most.min(self.highest());
        level_indices.take_while(|&to| self.cost(to) <= limit).fold(level_index, |best, to| {
            let is_better = self.value(to) > self.value(best) || self.cost(to) == self.cost(best);
            if is_better { to } else { best }
        })
    }
}
