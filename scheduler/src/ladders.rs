//! The ladders of a module: equal ones are stored once.

use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::sync::Arc;

use lodger_core::budget::{
    LadderSpan, Ladders, LevelRange, Quality, Slope, SlopeRange, WorkLevels,
};
use lodger_core::error::{Quantity, ValueError, ValueProblem};
use lodger_core::units::UnitCost;

#[derive(Debug, Clone, Copy)]
pub(crate) struct LadderInput<'a> {
    work: WorkLevels<'a>,
    /// The qualities of all levels; `None` for even steps.
    qualities: Option<&'a [Quality]>,
}

impl<'a> LadderInput<'a> {
    pub(crate) fn new(
        units: &'a [u32],
        range: Option<(u8, u8)>,
        qualities: Option<&'a [Quality]>,
    ) -> Result<Self, ValueError> {
        let work = WorkLevels::new(units, range)?;
        let refuse = |problem| Err(ValueError::new(Quantity::Quality, problem));
        match qualities {
            Some(qualities) if qualities.len() < units.len() => refuse(ValueProblem::Missing),
            Some(qualities) if qualities.len() > units.len() => refuse(ValueProblem::TooLarge),
            Some(qualities) if !qualities.is_sorted() => refuse(ValueProblem::Decreasing),
            _ => Ok(Self { work, qualities }),
        }
    }

    fn levels(self) -> RangeInclusive<u8> {
        self.work.range().lowest()..=self.work.range().highest()
    }

    fn valid_units(self) -> &'a [u32] {
        let (lowest, highest) = self.levels().into_inner();
        &self.work.units()[usize::from(lowest)..=usize::from(highest)]
    }

    fn valid_qualities(self) -> impl Iterator<Item = Quality> {
        let (units, qualities) = (self.work.units(), self.qualities);
        self.levels().map(move |level| quality(level, units, qualities))
    }
}

fn quality(level: u8, units: &[u32], qualities: Option<&[Quality]>) -> Quality {
    match qualities {
        Some(qualities) => qualities[usize::from(level)],
        None => Quality::even(level, u16::try_from(units.len()).unwrap_or(u16::MAX)),
    }
}

#[derive(Debug, Clone)]
struct LadderEntry {
    units: Arc<[u32]>,
    qualities: Option<Arc<[Quality]>>,
    range: LevelRange,
    actors: u32,
}

impl LadderEntry {
    fn has_all(&self) -> bool {
        self.range.lowest() == 0 && usize::from(self.range.highest()) + 1 == self.units.len()
    }

    fn levels(&self) -> (u8, u8) {
        (self.range.lowest(), self.range.highest())
    }

    fn len(&self) -> usize {
        usize::from(self.range.highest() - self.range.lowest()) + 1
    }
}

const RECENT: usize = 64;

/// The different ladders of a module, each stored once, with the number of actors that use it.
///
/// Costs and caps are of the last tick until [`prepare`](Self::prepare) updates them.
#[derive(Debug, Clone)]
pub(crate) struct LadderTable {
    /// The ladders of each work, which differ in their range or qualities.
    by_work: HashMap<Arc<[u32]>, Vec<u32>>,
    /// Recently used ladders, by a hash of their work. Some may be unused now.
    recent: [u32; RECENT],
    entries: Vec<Option<LadderEntry>>,
    free: Vec<u32>,
    /// The ladder in use, if there is exactly one.
    only: Option<u32>,
    /// The start of each ladder in the costs.
    starts: Vec<u32>,
    spans: Vec<LadderSpan>,
    /// The spans up to the cap; empty without a cap.
    capped: Vec<LadderSpan>,
    costs: Vec<u32>,
    /// Units of work, parallel to the costs.
    units: Vec<u32>,
    qualities: Vec<Quality>,
    slopes: Vec<Slope>,
    valid_for: SlopeRange,
    used_costs: usize,
    unit_cost: UnitCost,
    cap: Option<u8>,
}

impl LadderTable {
    pub(crate) fn new(unit_cost: UnitCost) -> Self {
        Self {
            by_work: HashMap::new(),
            recent: [0; RECENT],
            entries: Vec::new(),
            free: Vec::new(),
            only: None,
            starts: Vec::new(),
            spans: Vec::new(),
            capped: Vec::new(),
            costs: Vec::new(),
            units: Vec::new(),
            qualities: Vec::new(),
            slopes: Vec::new(),
            valid_for: SlopeRange::default(),
            used_costs: 0,
            unit_cost,
            cap: None,
        }
    }

    pub(crate) fn capped(&self) -> Ladders<'_> {
        let spans = if self.cap.is_some() { &self.capped } else { &self.spans };
        Ladders { spans, costs: &self.costs }
    }

    /// Returns the ladders without the cap.
    pub(crate) fn whole(&self) -> Ladders<'_> {
        Ladders { spans: &self.spans, costs: &self.costs }
    }

    /// Returns the whole ladders with units of work instead of costs.
    pub(crate) fn in_units(&self) -> Ladders<'_> {
        Ladders { spans: &self.spans, costs: &self.units }
    }

    /// Returns the ladder of all actors of the module, if they have the same.
    pub(crate) fn only(&self) -> Option<u32> {
        self.only
    }

    /// Whether there are several ladders, and the numbers of all fit a byte.
    pub(crate) fn are_narrow(&self) -> bool {
        self.only.is_none() && self.entries.len() <= 1 << u8::BITS
    }

    /// Returns the ladders up to the cap. If there is [only one](Self::only) it is the first.
    pub(crate) fn view(&mut self) -> LadderView<'_> {
        let spans = if self.cap.is_some() { &self.capped } else { &self.spans };
        let spans = only(spans, self.only);
        LadderView {
            ladders: Ladders { spans, costs: &self.costs },
            qualities: &self.qualities,
            slopes: &mut self.slopes,
            valid_for: self.valid_for,
        }
    }

    pub(crate) fn capped_or_only(&self) -> Ladders<'_> {
        let Ladders { spans, costs } = self.capped();
        Ladders { spans: only(spans, self.only), costs }
    }

    pub(crate) fn slopes_are_for(&mut self, valid_for: SlopeRange) {
        self.valid_for = valid_for;
    }

    /// Returns the qualities of a ladder in use; `None` for even steps.
    pub(crate) fn qualities(&self, ladder: u32) -> Option<&Arc<[Quality]>> {
        self.entries.get(ladder as usize)?.as_ref()?.qualities.as_ref()
    }

    pub(crate) fn quality(&self, ladder: u32, level: u8) -> Quality {
        let entry = self.entries[ladder as usize].as_ref();
        entry.map_or(Quality::ZERO, |it| quality(level, &it.units, it.qualities.as_deref()))
    }

    pub(crate) fn units(&self, ladder: u32) -> Option<&Arc<[u32]>> {
        self.entries.get(ladder as usize)?.as_ref().map(|entry| &entry.units)
    }

    pub(crate) fn range(&self, ladder: u32) -> Option<(u8, u8)> {
        self.entries.get(ladder as usize)?.as_ref().map(LadderEntry::levels)
    }

    /// Returns the ladder of `input`, for one more actor. Does not allocate if another actor has the same work.
    pub(crate) fn acquire(
        &mut self,
        input: LadderInput<'_>,
        unit_cost: UnitCost,
    ) -> Result<u32, ValueError> {
        let ladder = if let Some(ladder) = self.find(input) {
            self.retain(ladder);
            ladder
        } else {
            unit_cost
                .of(input.work.most_units())
                .ok_or(ValueError::new(Quantity::Cost, ValueProblem::TooLarge))?;
            self.add(input)
        };
        self.recent[place_of(input.work.units())] = ladder;
        Ok(ladder)
    }

    /// Returns the ladder of this work, which is valid then, if it was used recently.
    pub(crate) fn recent(
        &self,
        units: &[u32],
        range: Option<(u8, u8)>,
        qualities: Option<&[Quality]>,
    ) -> Option<u32> {
        let ladder = self.recent[place_of(units)];
        let entry = self.entries.get(ladder as usize)?.as_ref()?;
        let is_same = *entry.units == *units
            && range.map_or(entry.has_all(), |range| range == entry.levels())
            && entry.qualities.as_deref() == qualities;
        is_same.then_some(ladder)
    }

    pub(crate) fn retain(&mut self, ladder: u32) {
        if let Some(entry) = &mut self.entries[ladder as usize] {
            entry.actors += 1;
        }
    }

    fn find(&self, input: LadderInput<'_>) -> Option<u32> {
        let range = Some(input.levels().into_inner());
        let mut ladders = self.by_work.get(input.work.units())?.iter().copied();
        ladders.find(|&ladder| {
            let qualities = self.qualities(ladder).map(|qualities| &**qualities);
            self.range(ladder) == range && qualities == input.qualities
        })
    }

    fn add(&mut self, input: LadderInput<'_>) -> u32 {
        let start = u32::try_from(self.costs.len()).unwrap_or(u32::MAX);
        self.used_costs += input.valid_units().len();
        self.units.extend_from_slice(input.valid_units());
        self.qualities.extend(input.valid_qualities());
        self.slopes.resize(self.qualities.len(), Slope::default());
        self.valid_for = SlopeRange::default();
        let unit_cost = self.unit_cost;
        self.costs.extend(input.valid_units().iter().map(|&units| price(unit_cost, units)));
        let ladder = self.free.pop().unwrap_or_else(|| {
            self.entries.push(None);
            self.starts.push(0);
            self.spans.push(LadderSpan::default());
            u32::try_from(self.entries.len() - 1).unwrap_or(u32::MAX)
        });
        let LadderInput { work, qualities } = input;
        let known = self.by_work.get_key_value(work.units()).map(|(units, _)| Arc::clone(units));
        let units = known.unwrap_or_else(|| work.units().into());
        let (range, qualities) = (work.range(), qualities.map(Arc::from));
        self.by_work.entry(Arc::clone(&units)).or_default().push(ladder);
        let entry = LadderEntry { units, qualities, range, actors: 1 };
        self.starts[ladder as usize] = start;
        self.spans[ladder as usize] = entry.range.span(start, None);
        if self.cap.is_some() {
            self.capped.resize(self.entries.len(), LadderSpan::default());
            self.capped[ladder as usize] = entry.range.span(start, self.cap);
        }
        self.entries[ladder as usize] = Some(entry);
        self.only = (self.in_use() == 1).then_some(ladder);
        ladder
    }

    fn in_use(&self) -> usize {
        self.entries.len() - self.free.len()
    }

    /// Counts one actor less for a ladder.
    pub(crate) fn release(&mut self, ladder: u32) {
        let Some(entry) = &mut self.entries[ladder as usize] else { return };
        entry.actors -= 1;
        if entry.actors > 0 {
            return;
        }
        self.used_costs -= entry.len();
        if let Some(ladders) = self.by_work.get_mut(&entry.units) {
            ladders.retain(|&other| other != ladder);
            if ladders.is_empty() {
                self.by_work.remove(&entry.units);
            }
        }
        self.entries[ladder as usize] = None;
        self.spans[ladder as usize] = LadderSpan::default();
        self.free.push(ladder);
        self.only = None;
        if self.in_use() == 1 {
            let used = self.entries.iter().position(Option::is_some);
            self.only = used.and_then(|used| u32::try_from(used).ok());
        }
        self.compact();
    }

    fn compact(&mut self) {
        if self.costs.len() < 64 || self.costs.len() < 2 * self.used_costs {
            return;
        }
        let mut costs = Vec::with_capacity(self.used_costs);
        let mut units = Vec::with_capacity(self.used_costs);
        let mut qualities = Vec::with_capacity(self.used_costs);
        for (entry, (start, span)) in
            self.entries.iter().zip(self.starts.iter_mut().zip(&mut self.spans))
        {
            if let Some(entry) = entry {
                let old = *start as usize..*start as usize + entry.len();
                *start = u32::try_from(costs.len()).unwrap_or(u32::MAX);
                *span = entry.range.span(*start, None);
                costs.extend_from_slice(&self.costs[old.clone()]);
                units.extend_from_slice(&self.units[old.clone()]);
                qualities.extend_from_slice(&self.qualities[old]);
            }
        }
        (self.costs, self.units, self.qualities) = (costs, units, qualities);
        self.slopes.truncate(self.qualities.len());
        self.valid_for = SlopeRange::default();
        self.cap_spans();
    }

    /// Updates costs and caps, and returns whether they changed. Allocates only at the first cap.
    pub(crate) fn prepare(&mut self, unit_cost: UnitCost, cap: Option<u8>) -> bool {
        let are_others = unit_cost != self.unit_cost || cap != self.cap;
        if are_others {
            self.valid_for = SlopeRange::default();
        }
        if unit_cost != self.unit_cost {
            self.unit_cost = unit_cost;
            for (cost, &units) in self.costs.iter_mut().zip(&self.units) {
                *cost = price(unit_cost, units);
            }
        }
        self.cap = cap;
        self.cap_spans();
        are_others
    }

    fn cap_spans(&mut self) {
        self.capped.clear();
        if self.cap.is_some() {
            let spans = self.entries.iter().zip(&self.starts).map(|(entry, &start)| {
                entry
                    .as_ref()
                    .map_or(LadderSpan::default(), |entry| entry.range.span(start, self.cap))
            });
            self.capped.extend(spans);
        }
    }

    pub(crate) fn most_units(&self) -> u32 {
        let most = self.entries.iter().flatten().filter_map(|entry| entry.units.last());
        most.max().copied().unwrap_or(0)
    }
}

fn only(spans: &[LadderSpan], only: Option<u32>) -> &[LadderSpan] {
    only.map_or(spans, |ladder| &spans[ladder as usize..=ladder as usize])
}

pub(crate) struct LadderView<'a> {
    pub(crate) ladders: Ladders<'a>,
    pub(crate) qualities: &'a [Quality],
    pub(crate) slopes: &'a mut [Slope],
    pub(crate) valid_for: SlopeRange,
}

fn place_of(units: &[u32]) -> usize {
    let most = units.last().copied().unwrap_or(0);
    // The golden ratio scatters similar numbers; six bits remain.
    most.wrapping_mul(0x9E37_79B9) as usize >> 26
}

/// Returns a cost in nanoseconds; it fits for ladders in use.
fn price(unit_cost: UnitCost, units: u32) -> u32 {
    unit_cost.of(units).unwrap_or(u32::MAX)
}
