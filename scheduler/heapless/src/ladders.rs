//! The ladders of all modules. Equal ladders of a module are stored once.
//!
//! They are stored module by module without a gap, so that a decision uses plain slices. A ladder has all
//! levels of its work; its valid levels are a span of them.

use core::ops::Range;

use lodger_core::budget::{LadderSpan, Ladders, LevelRange, LodControl, WorkLevels};
use lodger_core::units::UnitCost;

use crate::column::{Column, at, close, open, part, set, short};
use crate::columns::OptimalColumns;
use crate::handle::Capacity;
use crate::index::RowNumber;
use crate::ladder_shapes::{LadderBounds, LadderColumns};
use crate::qualities::QualityRule;

/// A ladder's position in the levels of its module, and its valid levels.
#[derive(Clone, Copy)]
struct LadderShape {
    start: u32,
    top: u8,
    range: LevelRange,
}

impl LadderShape {
    fn new(entry: LadderBounds, span: LadderSpan) -> Self {
        let (start, _, lowest) = span.parts();
        let range = LevelRange::new(lowest, entry.highest, entry.top).unwrap_or_default();
        Self { start: start.wrapping_sub(lowest.into()), top: entry.top, range }
    }

    /// Returns the span of the valid levels up to a cap; it always has the lowest.
    fn span(self, cap: Option<u8>) -> LadderSpan {
        self.range.span(self.start.wrapping_add(self.range.lowest().into()), cap)
    }

    fn start(self) -> usize {
        usize::try_from(self.start).unwrap_or(usize::MAX)
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct LadderSection {
    pub(crate) first: usize,
    pub(crate) ladders: usize,
    pub(crate) start: usize,
    pub(crate) levels: usize,
}

impl LadderSection {
    /// The empty section before the first module.
    pub(crate) const START: Self = Self { first: 0, ladders: 0, start: 0, levels: 0 };

    /// Returns the section of the next module, with that many ladders and levels.
    pub(crate) fn next(self, ladders: usize, levels: u16) -> Self {
        Self {
            first: self.first.wrapping_add(self.ladders),
            ladders,
            start: self.start.wrapping_add(self.levels),
            levels: levels.into(),
        }
    }

    fn all_ladders(self) -> Range<usize> {
        self.first..self.first.wrapping_add(self.ladders)
    }

    fn all_levels(self) -> Range<usize> {
        self.start..self.start.wrapping_add(self.levels)
    }
}

/// The different ladders of all modules, with up to `COSTS` levels in total.
#[derive(Debug, Clone)]
pub(crate) struct LadderTable<L, V, const COSTS: usize> {
    pub(crate) shapes: L,
    units: Column<u32, COSTS>,
    pub(crate) costs: Column<u32, COSTS>,
    pub(crate) values: V,
}

impl<L: LadderColumns, V: OptimalColumns, const COSTS: usize> LadderTable<L, V, COSTS> {
    pub(crate) const fn new() -> Self {
        Self { shapes: L::NEW, units: [0; COSTS], costs: [0; COSTS], values: V::NEW }
    }

    /// Checks that there is space for one more ladder behind the last module's.
    pub(crate) fn check_space(&self, last: LadderSection, levels: usize) -> Result<(), Capacity> {
        if COSTS.saturating_sub(last.all_levels().end) < levels {
            Err(Capacity::Costs)
        } else if last.all_ladders().end >= self.shapes.spans().len() {
            Err(Capacity::Ladders)
        } else {
            Ok(())
        }
    }

    fn span(&self, place: usize) -> LadderSpan {
        at(self.shapes.spans(), place)
    }

    fn set_span(&mut self, place: usize, span: LadderSpan) {
        let (_, spans) = self.shapes.columns();
        set(spans, place, span);
    }

    fn shape(&self, section: LadderSection, ladder: usize) -> LadderShape {
        self.shape_at(section.first.wrapping_add(ladder))
    }

    fn shape_at(&self, place: usize) -> LadderShape {
        LadderShape::new(at(self.shapes.entries(), place), self.span(place))
    }

    pub(crate) fn units(&self, section: LadderSection, ladder: usize) -> &[u32] {
        let place = section.first.wrapping_add(ladder);
        let (entry, (start, _, lowest)) =
            (at(self.shapes.entries(), place), self.span(place).parts());
        let start = usize::try_from(start.wrapping_sub(lowest.into())).unwrap_or(usize::MAX);
        part(&self.units, section.start.wrapping_add(start), entry.levels().into())
    }

    /// Sums the units of rows with these ladders and levels.
    pub(crate) fn sum_units(
        &self,
        section: LadderSection,
        ladders: &[impl RowNumber],
        levels: &[u8],
    ) -> u64 {
        if section.ladders == 1 {
            let units = part(&self.units, section.start, section.levels);
            return sum_of_levels(units, levels);
        }
        ladders.iter().zip(levels).fold(0, |sum: u64, (&ladder, &level)| {
            let units = self.units(section, ladder.get());
            sum.wrapping_add(at(units, level.into()).into())
        })
    }

    pub(crate) fn range(&self, section: LadderSection, ladder: usize) -> (LevelRange, u8) {
        let LadderShape { range, top, .. } = self.shape(section, ladder);
        (range, top)
    }

    /// Returns the level of an actor that is not automatic, and its cost in nanoseconds. The module's cap
    /// applies unless the level is forced.
    pub(crate) fn fixed(
        &self,
        section: LadderSection,
        ladder: usize,
        control: LodControl,
    ) -> (u8, u32) {
        let place = section.first.wrapping_add(ladder);
        let span = match control {
            LodControl::Automatic => self.span(place),
            LodControl::Forced(_) => self.shape_at(place).span(None),
        };
        let costs = part(&self.costs, section.start, section.levels);
        let ladders = Ladders { spans: &[span], costs };
        let ladder = ladders.ladder(0);
        let lod = ladder.fixed(control, false);
        (lod.level(), ladder.cost(lod))
    }

    pub(crate) fn most_units(&self, section: LadderSection) -> u32 {
        part(&self.units, section.start, section.levels).iter().copied().max().unwrap_or(0)
    }

    pub(crate) fn find(
        &self,
        section: LadderSection,
        units: &[u32],
        range: LevelRange,
    ) -> Option<usize> {
        (0..section.ladders).find(|&ladder| {
            self.shape(section, ladder).range == range && self.units(section, ladder) == units
        })
    }

    /// Adds a ladder behind those of its module; there must be space.
    pub(crate) fn add(
        &mut self,
        section: LadderSection,
        work: WorkLevels<'_>,
        cap: Option<u8>,
        unit_cost: UnitCost,
        qualities: &impl QualityRule,
    ) {
        let units = work.units();
        let top = u8::try_from(units.len().saturating_sub(1)).unwrap_or(u8::MAX);
        self.open(section, top, work.range(), cap);
        for (place, (level, &units)) in (section.all_levels().end..).zip((0..=top).zip(units)) {
            set(&mut self.units, place, units);
            set(&mut self.costs, place, price(unit_cost, units));
            self.values
                .set_quality(place, qualities.quality(level, u16::from(top).wrapping_add(1)));
        }
    }

    /// Adds a ladder with the work of another one of the module; there must be space.
    pub(crate) fn add_like(
        &mut self,
        section: LadderSection,
        ladder: usize,
        range: LevelRange,
        cap: Option<u8>,
        qualities: &impl QualityRule,
    ) {
        let shape = self.shape(section, ladder);
        let top = shape.top;
        self.open(section, top, range, cap);
        let old = section.start.wrapping_add(shape.start());
        for ((place, old), level) in (section.all_levels().end..).zip(old..).zip(0..=top) {
            let (units, costs) = (at(&self.units, old), at(&self.costs, old));
            set(&mut self.units, place, units);
            set(&mut self.costs, place, costs);
            self.values
                .set_quality(place, qualities.quality(level, u16::from(top).wrapping_add(1)));
        }
    }

    fn open(&mut self, section: LadderSection, top: u8, range: LevelRange, cap: Option<u8>) {
        let entry = LadderBounds { top, highest: range.highest() };
        let shape = LadderShape { start: short(section.levels).into(), top, range };
        let (place, end) = (section.all_ladders().end, section.all_levels().end);
        let (entries, spans) = self.shapes.columns();
        open(entries, place, 1);
        open(spans, place, 1);
        set(entries, place, entry);
        set(spans, place, shape.span(cap));
        let levels = entry.levels().into();
        open(&mut self.units, end, levels);
        open(&mut self.costs, end, levels);
        self.values.open(end, levels);
    }

    /// Removes a ladder, and returns the number of its levels. The module's last ladder gets its number.
    pub(crate) fn remove(&mut self, section: LadderSection, ladder: usize) -> u16 {
        let place = section.first.wrapping_add(ladder);
        let gone = at(self.shapes.entries(), place);
        let shape = self.shape_at(place);
        let (start, levels) = (section.start.wrapping_add(shape.start()), gone.levels().into());
        close(&mut self.units, start, levels);
        close(&mut self.costs, start, levels);
        self.values.close(start, levels);
        let last = section.all_ladders().end.wrapping_sub(1);
        let (entries, spans) = self.shapes.columns();
        let (entry, span) = (at(entries, last), at(spans, last));
        set(entries, place, entry);
        set(spans, place, span);
        close(entries, last, 1);
        close(spans, last, 1);
        for span in spans.iter_mut().take(last).skip(section.first) {
            let (start, len, lowest) = span.parts();
            if start > shape.start {
                *span = LadderSpan::new(start.wrapping_sub(gone.levels().into()), len, lowest);
            }
        }
        gone.levels()
    }

    pub(crate) fn set_range(
        &mut self,
        section: LadderSection,
        ladder: usize,
        range: LevelRange,
        cap: Option<u8>,
    ) {
        let place = section.first.wrapping_add(ladder);
        let shape = self.shape_at(place);
        let (entries, _) = self.shapes.columns();
        if let Some(entry) = entries.get_mut(place) {
            entry.highest = range.highest();
            self.set_span(place, LadderShape { range, ..shape }.span(cap));
        }
    }

    pub(crate) fn set_qualities(&mut self, section: LadderSection, qualities: &impl QualityRule) {
        for ladder in 0..section.ladders {
            let shape = self.shape(section, ladder);
            let first = section.start.wrapping_add(shape.start());
            for (place, level) in (first..).zip(0..=shape.top) {
                let levels = u16::from(shape.top).wrapping_add(1);
                self.values.set_quality(place, qualities.quality(level, levels));
            }
        }
    }

    pub(crate) fn set_cap(&mut self, section: LadderSection, cap: Option<u8>) {
        for place in section.all_ladders() {
            let span = self.shape_at(place).span(cap);
            self.set_span(place, span);
        }
    }

    pub(crate) fn set_unit_cost(&mut self, section: LadderSection, unit_cost: UnitCost) {
        let units = self.units.iter().skip(section.start).take(section.levels);
        for (cost, &units) in self.costs.iter_mut().skip(section.start).zip(units) {
            *cost = price(unit_cost, units);
        }
    }
}

fn sum_of_levels(units: &[u32], levels: &[u8]) -> u64 {
    // Few units of so many actors add up in 32 bits.
    let has_few = levels.len() <= 1 << 16 && units.last().is_none_or(|top| top >> 16 == 0);
    if has_few {
        return sum_of_few(units, levels).into();
    }
    let units = levels.iter().map(|&level| u64::from(at(units, level.into())));
    units.fold(0, u64::wrapping_add)
}

#[inline(never)] // alone it needs few registers
fn sum_of_few(units: &[u32], levels: &[u8]) -> u32 {
    let plus = |sum: u32, level: &u8| match units.get(usize::from(*level)) {
        Some(units) => sum.wrapping_add(*units),
        None => sum,
    };
    let (fours, rest) = levels.as_chunks();
    let sum = rest.iter().fold(0, plus);
    // Four levels at a time: in a loop over single levels, a third of the instructions count the loop.
    fours.iter().fold(sum, |sum, [a, b, c, d]| plus(plus(plus(plus(sum, a), b), c), d))
}

/// Returns the cost of `units` in nanoseconds; it fits for ladders in use.
fn price(unit_cost: UnitCost, units: u32) -> u32 {
    unit_cost.of(units).unwrap_or(u32::MAX)
}
