//! The ladders of a module: equal ones are kept once.

use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::sync::Arc;

use lodger_core::budget::{LadderSpan, Ladders, LevelRange, MadeFor, Quality, Slope, WorkLevels};
use lodger_core::error::{Error, Problem, Quantity};
use lodger_core::units::UnitCost;

/// The work of an actor at each level, which levels are valid, and how good they are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LadderInput<'a> {
    work: WorkLevels<'a>,
    /// Of all levels; `None` for even steps.
    qualities: Option<&'a [Quality]>,
}

impl<'a> LadderInput<'a> {
    pub(crate) fn new(
        units: &'a [u32],
        range: Option<(u8, u8)>,
        qualities: Option<&'a [Quality]>,
    ) -> Result<Self, Error> {
        let work = WorkLevels::new(units, range)?;
        let refuse = |problem| Err(Error::new(Quantity::Quality, problem));
        match qualities {
            Some(qualities) if qualities.len() < units.len() => refuse(Problem::Missing),
            Some(qualities) if qualities.len() > units.len() => refuse(Problem::TooLarge),
            Some(qualities) if !qualities.is_sorted() => refuse(Problem::Decreasing),
            _ => Ok(Self { work, qualities }),
        }
    }

    fn levels(self) -> RangeInclusive<u8> {
        self.work.range().lowest()..=self.work.range().highest()
    }

    /// The units of the valid levels.
    fn valid_units(self) -> &'a [u32] {
        let (lowest, highest) = self.levels().into_inner();
        &self.work.units()[usize::from(lowest)..=usize::from(highest)]
    }

    /// The qualities of the valid levels.
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

/// One ladder, and how many actors use it.
#[derive(Debug, Clone)]
struct LadderEntry {
    units: Arc<[u32]>,
    qualities: Option<Arc<[Quality]>>,
    range: LevelRange,
    actors: u32,
}

impl LadderEntry {
    /// Whether all levels are valid.
    fn has_all(&self) -> bool {
        self.range.lowest() == 0 && usize::from(self.range.highest()) + 1 == self.units.len()
    }

    fn levels(&self) -> (u8, u8) {
        (self.range.lowest(), self.range.highest())
    }

    /// The number of valid levels.
    fn len(&self) -> usize {
        usize::from(self.range.highest() - self.range.lowest()) + 1
    }
}

/// So many ladders that were asked for last are found without a look into a map.
const RECENT: usize = 64;

/// The different ladders of a module, counted by the actors that use them.
///
/// Costs and caps are those of the last tick until [`prepare`](Self::prepare) brings them up to date.
#[derive(Debug, Clone)]
pub(crate) struct LadderTable {
    /// The ladders of each work, which differ in their range.
    by_work: HashMap<Arc<[u32]>, Vec<u32>>,
    /// Ladders that were asked for last, by what of their work is quickly looked at. Some may be gone.
    recent: [u32; RECENT],
    entries: Vec<Option<LadderEntry>>,
    free: Vec<u32>,
    /// The ladder in use, where there is exactly one.
    only: Option<u32>,
    /// Where each ladder starts in the costs.
    starts: Vec<u32>,
    spans: Vec<LadderSpan>,
    /// The spans up to the cap; only kept if there is one.
    capped: Vec<LadderSpan>,
    costs: Vec<u32>,
    /// The units of work behind the costs.
    units: Vec<u32>,
    /// How good the levels behind the costs are.
    qualities: Vec<Quality>,
    slopes: Vec<Slope>,
    made_for: MadeFor,
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
            made_for: MadeFor::default(),
            used_costs: 0,
            unit_cost,
            cap: None,
        }
    }

    /// The ladders as far as the cap lets an automatic actor climb.
    pub(crate) fn capped(&self) -> Ladders<'_> {
        let spans = if self.cap.is_some() { &self.capped } else { &self.spans };
        Ladders { spans, costs: &self.costs }
    }

    /// The ladders from the lowest valid level to the highest.
    pub(crate) fn whole(&self) -> Ladders<'_> {
        Ladders { spans: &self.spans, costs: &self.costs }
    }

    /// The same with units of work in place of costs.
    pub(crate) fn in_units(&self) -> Ladders<'_> {
        Ladders { spans: &self.spans, costs: &self.units }
    }

    /// The ladder of all actors of the module, if they have the same.
    pub(crate) fn only(&self) -> Option<u32> {
        self.only
    }

    /// Whether there are several, and the numbers of all fit a byte.
    pub(crate) fn are_narrow(&self) -> bool {
        self.only.is_none() && self.entries.len() <= 1 << u8::BITS
    }

    /// What the ledger needs of the ladders, as far as the cap lets an automatic actor climb. Where there
    /// is [only one](Self::only) it is the first, whatever its number.
    pub(crate) fn view(&mut self) -> LadderView<'_> {
        let spans = if self.cap.is_some() { &self.capped } else { &self.spans };
        let spans = only(spans, self.only);
        LadderView {
            ladders: Ladders { spans, costs: &self.costs },
            qualities: &self.qualities,
            slopes: &mut self.slopes,
            made_for: self.made_for,
        }
    }

    /// The same ladders, to be looked at.
    pub(crate) fn capped_or_only(&self) -> Ladders<'_> {
        let Ladders { spans, costs } = self.capped();
        Ladders { spans: only(spans, self.only), costs }
    }

    /// Notes for what the slopes were made.
    pub(crate) fn slopes_are_for(&mut self, made_for: MadeFor) {
        self.made_for = made_for;
    }

    /// How good all levels of a ladder in use are, if somebody said it.
    pub(crate) fn qualities(&self, ladder: u32) -> Option<&Arc<[Quality]>> {
        self.entries.get(ladder as usize)?.as_ref()?.qualities.as_ref()
    }

    /// How good a level of a ladder in use is.
    pub(crate) fn quality(&self, ladder: u32, level: u8) -> Quality {
        let entry = self.entries[ladder as usize].as_ref();
        entry.map_or(Quality::ZERO, |it| quality(level, &it.units, it.qualities.as_deref()))
    }

    /// The units of a ladder in use, at all levels.
    pub(crate) fn units(&self, ladder: u32) -> Option<&Arc<[u32]>> {
        self.entries.get(ladder as usize)?.as_ref().map(|entry| &entry.units)
    }

    /// The lowest and the highest valid level of a ladder in use.
    pub(crate) fn range(&self, ladder: u32) -> Option<(u8, u8)> {
        self.entries.get(ladder as usize)?.as_ref().map(LadderEntry::levels)
    }

    /// The ladder of that work; one more actor uses it. Its levels must have a price at `unit_cost`.
    /// Work that another actor has is found without an allocation.
    pub(crate) fn acquire(
        &mut self,
        input: LadderInput<'_>,
        unit_cost: UnitCost,
    ) -> Result<u32, Error> {
        let ladder = if let Some(ladder) = self.find(input) {
            self.retain(ladder);
            ladder
        } else {
            unit_cost
                .of(input.work.most_units())
                .ok_or(Error::new(Quantity::Cost, Problem::TooLarge))?;
            self.add(input)
        };
        self.recent[place_of(input.work.units())] = ladder;
        Ok(ladder)
    }

    /// The ladder of that work, if actors with it came lately: what is asked for again is right already.
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

    /// One actor more uses a ladder that is in use.
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
        self.made_for = MadeFor::default();
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

    /// How many ladders are in use.
    fn in_use(&self) -> usize {
        self.entries.len() - self.free.len()
    }

    /// One actor less uses the ladder.
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

    /// Closes the gaps once they are more than half of the costs, and not few.
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
        self.made_for = MadeFor::default();
        self.cap_spans();
    }

    /// Brings costs and caps up to date, without an allocation once there was a cap; returns whether they
    /// are others than before.
    pub(crate) fn prepare(&mut self, unit_cost: UnitCost, cap: Option<u8>) -> bool {
        let are_others = unit_cost != self.unit_cost || cap != self.cap;
        if are_others {
            self.made_for = MadeFor::default();
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

    /// The most units that a level of an actor takes.
    pub(crate) fn most_units(&self) -> u32 {
        let most = self.entries.iter().flatten().filter_map(|entry| entry.units.last());
        most.max().copied().unwrap_or(0)
    }
}

/// The span of the only ladder, if there is only one.
fn only(spans: &[LadderSpan], only: Option<u32>) -> &[LadderSpan] {
    only.map_or(spans, |ladder| &spans[ladder as usize..=ladder as usize])
}

/// The ladders of a module, lent to the ledger.
pub(crate) struct LadderView<'a> {
    pub(crate) ladders: Ladders<'a>,
    pub(crate) qualities: &'a [Quality],
    pub(crate) slopes: &'a mut [Slope],
    pub(crate) made_for: MadeFor,
}

/// Where a ladder of that work is among the recent ones.
fn place_of(units: &[u32]) -> usize {
    let most = units.last().copied().unwrap_or(0);
    // The golden ratio scatters what differs by little; six bits are left.
    most.wrapping_mul(0x9E37_79B9) as usize >> 26
}

/// What so much work costs in nanoseconds; the ladders in use are such that it fits.
fn price(unit_cost: UnitCost, units: u32) -> u32 {
    unit_cost.of(units).unwrap_or(u32::MAX)
}
