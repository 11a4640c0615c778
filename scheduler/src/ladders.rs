//! The ladders of a module: equal ones are kept once.

use std::collections::HashMap;

use lodger_core::budget::{LadderSpan, Ladders};
use lodger_core::error::{Error, Problem, Quantity};
use lodger_core::units::UnitCost;

/// The work of an actor at each level, and which levels are valid.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Work {
    units: Box<[u32]>,
    lowest: u8,
    highest: u8,
}

impl Work {
    pub(crate) fn new(units: &[u32], range: Option<(u8, u8)>) -> Result<Self, Error> {
        let refuse = |quantity, problem| Err(Error::new(quantity, problem));
        let top = match units.len() {
            0 => return refuse(Quantity::Work, Problem::Missing),
            levels => u8::try_from(levels - 1)
                .map_err(|_| Error::new(Quantity::Work, Problem::TooLarge))?,
        };
        let (lowest, highest) = range.unwrap_or((0, top));
        if !units.is_sorted() {
            refuse(Quantity::Work, Problem::Decreasing)
        } else if highest > top {
            refuse(Quantity::LodRange, Problem::TooLarge)
        } else if lowest > highest {
            refuse(Quantity::LodRange, Problem::Decreasing)
        } else {
            Ok(Self { units: units.into(), lowest, highest })
        }
    }

    /// The same work over another range.
    pub(crate) fn within(&self, range: (u8, u8)) -> Result<Self, Error> {
        Self::new(&self.units, Some(range))
    }

    /// The lowest and the highest valid level.
    pub(crate) fn range(&self) -> (u8, u8) {
        (self.lowest, self.highest)
    }

    /// What each valid level costs.
    fn costs(&self, unit_cost: UnitCost) -> Result<Vec<u32>, Error> {
        let too_large = Error::new(Quantity::Cost, Problem::TooLarge);
        let cost = |&units: &u32| unit_cost.of(units).ok_or(too_large);
        let mut costs = self.units.iter().map(cost).collect::<Result<Vec<_>, _>>()?;
        costs.truncate(usize::from(self.highest) + 1);
        costs.drain(..usize::from(self.lowest));
        Ok(costs)
    }

    fn span(&self, start: usize) -> LadderSpan {
        let len = u16::from(self.highest - self.lowest) + 1;
        LadderSpan::new(u32::try_from(start).unwrap_or(u32::MAX), len, self.lowest)
    }
}

/// The different ladders of a module, counted by the actors that use them.
#[derive(Debug, Clone, Default)]
pub(crate) struct LadderTable {
    by_work: HashMap<Work, u32>,
    entries: Vec<Option<(Work, u32)>>,
    free: Vec<u32>,
    spans: Vec<LadderSpan>,
    costs: Vec<u32>,
    used_costs: usize,
}

impl LadderTable {
    pub(crate) fn as_slices(&self) -> Ladders<'_> {
        Ladders { spans: &self.spans, costs: &self.costs }
    }

    /// The work behind a ladder in use.
    pub(crate) fn work(&self, ladder: u32) -> Option<&Work> {
        self.entries.get(ladder as usize)?.as_ref().map(|(work, _)| work)
    }

    /// The ladder of that work; one more actor uses it.
    pub(crate) fn acquire(&mut self, work: Work, unit_cost: UnitCost) -> Result<u32, Error> {
        if let Some(&ladder) = self.by_work.get(&work) {
            if let Some((_, actors)) = &mut self.entries[ladder as usize] {
                *actors += 1;
            }
            return Ok(ladder);
        }
        let costs = work.costs(unit_cost)?;
        let span = work.span(self.costs.len());
        self.used_costs += costs.len();
        self.costs.extend(costs);
        let ladder = self.free.pop().unwrap_or_else(|| {
            self.entries.push(None);
            self.spans.push(LadderSpan::default());
            u32::try_from(self.entries.len() - 1).unwrap_or(u32::MAX)
        });
        self.spans[ladder as usize] = span;
        self.by_work.insert(work.clone(), ladder);
        self.entries[ladder as usize] = Some((work, 1));
        Ok(ladder)
    }

    /// One actor less uses the ladder.
    pub(crate) fn release(&mut self, ladder: u32) {
        let entry = &mut self.entries[ladder as usize];
        match entry {
            Some((_, actors)) if *actors > 1 => *actors -= 1,
            Some((work, _)) => {
                self.used_costs -= usize::from(work.highest - work.lowest) + 1;
                self.by_work.remove(work);
                *entry = None;
                self.spans[ladder as usize] = LadderSpan::default();
                self.free.push(ladder);
                self.compact();
            }
            None => {}
        }
    }

    /// Closes the gaps once they are more than half of the costs, and not few.
    fn compact(&mut self) {
        if self.costs.len() < 64 || self.costs.len() < 2 * self.used_costs {
            return;
        }
        let mut costs = Vec::with_capacity(self.used_costs);
        for (entry, span) in self.entries.iter().zip(&mut self.spans) {
            if let Some((work, _)) = entry {
                let here = [*span];
                let old = Ladders { spans: &here, costs: &self.costs }.ladder(0);
                *span = work.span(costs.len());
                costs.extend_from_slice(old.costs());
            }
        }
        self.costs = costs;
    }

    /// Prices all ladders anew. On an error nothing has changed.
    pub(crate) fn reprice(&mut self, unit_cost: UnitCost) -> Result<(), Error> {
        let mut costs = Vec::with_capacity(self.used_costs);
        let mut spans = vec![LadderSpan::default(); self.spans.len()];
        for (entry, span) in self.entries.iter().zip(&mut spans) {
            if let Some((work, _)) = entry {
                *span = work.span(costs.len());
                costs.extend(work.costs(unit_cost)?);
            }
        }
        (self.costs, self.spans) = (costs, spans);
        Ok(())
    }
}
