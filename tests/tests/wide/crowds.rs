//! Modules of many actors as nobody would write them by hand.

use lodger_core::Benefit;
use lodger_core::budget::{Account, LadderSpan, Ladders, Last, Quality, Rate, Scale};
use lodger_core::units::BenefitValue;

use super::random::Random;

/// One module's columns.
#[derive(Clone, Default)]
pub struct Module {
    pub value: BenefitValue,
    pub continuous: bool,
    pub spans: Vec<LadderSpan>,
    pub costs: Vec<u32>,
    pub qualities: Vec<Quality>,
    /// May be shorter than the others: who is beyond has the first ladder.
    pub ladder: Vec<u32>,
    pub kinds: Vec<u8>,
    pub benefits: Vec<Benefit>,
    pub ids: Vec<u32>,
    pub last: Vec<Last>,
}

impl Module {
    /// What the ledger sees.
    pub fn account(&self) -> Account<'_> {
        Account {
            benefit_value: self.value,
            continuous: self.continuous,
            ladders: Ladders { spans: &self.spans, costs: &self.costs },
            ladder: &self.ladder,
            benefits: &self.benefits,
        }
    }

    /// How many actors there are.
    pub fn rows(&self) -> usize {
        self.benefits.len()
    }

    /// What all cost at their highest levels.
    pub fn maximum(&self) -> u64 {
        let account = self.account();
        (0..self.rows()).map(|row| u64::from(account.ladder_of(row).maximum())).sum()
    }

    /// One ladder more.
    pub fn add_ladder(
        &mut self,
        lowest: u8,
        costs: &[u32],
        qualities: impl IntoIterator<Item = Quality>,
    ) {
        let start = self.costs.len() as u32;
        self.spans.push(LadderSpan::new(start, costs.len() as u16, lowest));
        self.costs.extend_from_slice(costs);
        self.qualities.extend(qualities);
    }

    /// Other ladders.
    pub fn climb(&mut self, random: &mut Random) {
        let ladders = match random.below(8) {
            0..3 => 1,
            3 | 4 => 2 + random.index(7),
            5 => 9 + random.index(40),
            6 => 60 + random.index(8),
            _ => 250 + random.index(10),
        };
        let levels = [1, 4, 5, 6, 16, 17, 18, 30][random.index(8)];
        let (is_costly, bits) = (random.one_in(3), 1 + random.below(24));
        (self.spans, self.costs, self.qualities) = Default::default();
        for _ in 0..ladders {
            let len = if random.one_in(3) { levels } else { 1 + random.index(levels) };
            let (lowest, costs) = (random.below(4) as u8, costs(len, is_costly, bits, random));
            let qualities = qualities(len, random);
            self.add_ladder(lowest, &costs, qualities);
        }
        let rows = self.rows();
        self.ladder = (0..rows).map(|_| random.index(ladders) as u32).collect();
        if random.one_in(3) {
            // Neighbours mostly share one.
            let mut now = 0;
            for ladder in &mut self.ladder {
                now = if random.one_in(20) { *ladder } else { now };
                *ladder = now;
            }
        }
        if ladders == 1 && random.one_in(2) {
            self.ladder.clear();
        } else if random.one_in(6) {
            self.ladder.truncate(random.index(rows + 1));
        }
        let kind = |row| self.ladder.get(row).copied().unwrap_or(0);
        self.kinds = match ladders {
            1 if random.one_in(2) => Vec::new(),
            257.. => Vec::new(),
            _ => (0..rows).map(|row| kind(row) as u8).collect(),
        };
    }

    /// A benefit value for which there is something to decide.
    pub fn price(&mut self, random: &mut Random) {
        let benefit = self.account().benefit().max(1);
        let factor = random.magnitude(12).max(1);
        let wanted = (u128::from(self.maximum().max(1)) * u128::from(factor)) << 16;
        let value = wanted / u128::from(benefit) / 64;
        let value = if random.one_in(20) {
            random.bits() as u32
        } else {
            value.min(u128::from(u32::MAX)) as u32
        };
        self.value = BenefitValue::from_ns(value);
    }

    /// Other benefits for some, and which rows have them.
    pub fn wake(&mut self, scale: Option<Scale>, random: &mut Random) -> Vec<usize> {
        let rows = self.rows();
        if rows == 0 {
            return Vec::new();
        }
        let some: Vec<usize> = match random.below(6) {
            0 => Vec::new(),
            1 => vec![random.index(rows)],
            2 => (0..=rows / 50).map(|_| random.index(rows)).collect(),
            3 => {
                let first = random.index(rows);
                (first..rows.min(first + 100)).collect()
            }
            _ => (0..rows).collect(),
        };
        let style = random.below(9);
        let few: Vec<u32> = (0..=random.below(6)).map(|_| random.magnitude_32(24)).collect();
        let (center, spread) = (random.magnitude_32(24), random.magnitude_32(12));
        let rate = scale.map(|scale| Rate::new(self.value, scale));
        let least = |cost| rate.and_then(|rate| rate.threshold(cost)).map(Benefit::bits);
        for &row in &some {
            let before = self.benefits[row].bits();
            let near = before
                .saturating_add(random.magnitude_32(8))
                .saturating_sub(random.magnitude_32(8));
            let bits = match style {
                0 => random.below(1 << 24) as u32,
                1 => random.magnitude_32(24),
                2 => few[random.index(few.len())],
                3 => center,
                4 => center.saturating_add(random.below(u64::from(spread) + 1) as u32),
                5 => random.below(3) as u32,
                6 => match least(self.costs[random.index(self.costs.len())]) {
                    Some(least) => (least + random.below(3) as u32).saturating_sub(1),
                    None => random.magnitude_32(24),
                },
                _ => near,
            };
            let bits = if random.one_in(30) { 0 } else { bits.min(Benefit::MAX.bits()) };
            self.benefits[row] = Benefit::from_bits(bits);
        }
        some
    }
}

/// The costs of one ladder.
pub fn costs(len: usize, is_costly: bool, bits: u64, random: &mut Random) -> Vec<u32> {
    let style = random.below(6);
    let mut cost = if is_costly { random.magnitude_32(bits) } else { 0 };
    let mut costs = vec![cost];
    while costs.len() < len {
        let step = match style {
            0 => random.below(1 << bits) as u32,
            1 => random.below(3) as u32,
            // A nanosecond beside seconds.
            2 => [1, 0, 7, 1 << 31, u32::MAX][random.index(5)],
            3 if random.one_in(2) => 0,
            3 | 4 => random.magnitude_32(bits),
            _ => 1 + cost / 2,
        };
        cost = cost.saturating_add(step);
        costs.push(cost);
    }
    costs
}

/// The qualities of one ladder.
fn qualities(len: usize, random: &mut Random) -> Vec<Quality> {
    if random.one_in(2) {
        return (0..len).map(|level| Quality::even(level as u8, len as u16)).collect();
    }
    let mut bits: Vec<u16> = (0..len).map(|_| random.below((1 << 15) + 1) as u16).collect();
    bits.sort_unstable();
    bits.into_iter().map(Quality::from_bits).collect()
}

/// Modules of at most so many actors altogether, whose ids are all different.
pub fn modules(most: usize, random: &mut Random) -> Vec<Module> {
    let accounts = 1 + random.index(5);
    let rows = |random: &mut Random| match random.below(8) {
        0 => random.index(4),
        1 => 62 + random.index(5),
        2 | 3 => random.index(200),
        _ => random.index(2_000),
    };
    let mut modules: Vec<Module> = (0..accounts)
        .map(|_| {
            let rows = rows(random).min(most / accounts + usize::from(accounts > most));
            let mut module = Module {
                value: BenefitValue::from_ns(1),
                continuous: random.one_in(5),
                benefits: vec![Benefit::ZERO; rows],
                last: vec![Last::NONE; rows],
                ..Module::default()
            };
            module.climb(random);
            // Each benefit by chance, and some of them by other chances.
            (0..rows)
                .for_each(|row| module.benefits[row] = Benefit::from_bits(random.magnitude_32(22)));
            (0..2).for_each(|_| drop(module.wake(None, random)));
            module.price(random);
            module
        })
        .collect();
    let all: usize = modules.iter().map(Module::rows).sum();
    let mut ids: Vec<u32> = (0..all as u32).collect();
    if random.one_in(2) {
        random.shuffle(&mut ids);
    }
    let mut ids = ids.into_iter();
    for module in &mut modules {
        module.ids = ids.by_ref().take(module.rows()).collect();
    }
    modules
}
