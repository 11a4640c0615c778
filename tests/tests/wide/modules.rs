//! Random modules of many actors.

use lodger_core::Benefit;
use lodger_core::budget::{
    BenefitRate, IndexColumn, LadderSpan, Ladders, ModuleInput, PreviousLevel, Quality, Scale,
};
use lodger_core::units::BenefitValue;

use lodger_testkit::SplitMix64;

#[derive(Clone, Default)]
pub struct Module {
    pub value: BenefitValue,
    pub continuous: bool,
    pub is_cautious: bool,
    pub spans: Vec<LadderSpan>,
    pub costs: Vec<u32>,
    pub qualities: Vec<Quality>,
    /// A column that may be shorter than the others; the other rows have the first ladder.
    pub ladder: Vec<u32>,
    pub ladder_bytes: Vec<u8>,
    pub benefits: Vec<Benefit>,
    pub ids: Vec<u32>,
    pub previous: Vec<PreviousLevel>,
}

impl Module {
    pub fn input(&self) -> ModuleInput<'_> {
        ModuleInput {
            benefit_value: self.value,
            continuous: self.continuous,
            ladders: Ladders { spans: &self.spans, costs: &self.costs },
            ladder: IndexColumn::Words(&self.ladder),
            benefits: &self.benefits,
        }
    }

    pub fn rows(&self) -> usize {
        self.benefits.len()
    }

    pub fn maximum(&self) -> u64 {
        let input = self.input();
        (0..self.rows()).map(|row| u64::from(input.ladder_of(row).maximum())).sum()
    }

    pub fn add_ladder(&mut self, lowest: u8, costs: &[u32], qualities: &[Quality]) {
        let start = self.costs.len() as u32;
        self.spans.push(LadderSpan::new(start, costs.len() as u16, lowest));
        self.costs.extend_from_slice(costs);
        self.qualities.extend_from_slice(qualities);
    }

    /// Adds an actor, and its ladder unless there is an equal one.
    pub fn add_actor(
        &mut self,
        id: u32,
        benefit: Benefit,
        (lowest, costs, qualities): (u8, &[u32], &[Quality]),
    ) {
        let mut start = 0;
        let is_equal = |&index: &usize| {
            let len = self.input().ladders.ladder(index as u32).costs().len();
            let here = start..start + len;
            start += len;
            self.spans[index] == LadderSpan::new(here.start as u32, costs.len() as u16, lowest)
                && self.costs[here.clone()] == *costs
                && self.qualities.get(here).unwrap_or_default() == qualities
        };
        let ladder = (0..self.spans.len()).find(is_equal).unwrap_or_else(|| {
            self.add_ladder(lowest, costs, qualities);
            self.spans.len() - 1
        });
        self.ladder.push(ladder as u32);
        self.benefits.push(benefit);
        self.ids.push(id);
    }

    pub fn set_random_ladders(&mut self, random: &mut SplitMix64) {
        let ladders = match random.index(8) {
            0..3 => 1,
            3 | 4 => 2 + random.index(7),
            5 => 9 + random.index(40),
            6 => 60 + random.index(8),
            _ => 250 + random.index(10),
        };
        let levels = [1, 2, 2, 4, 5, 6, 16, 17, 18, 30][random.index(10)];
        let (is_costly, bits) = (random.one_in(3), 1 + random.index(24));
        (self.spans, self.costs, self.qualities) = Default::default();
        for _ in 0..ladders {
            let len = if random.one_in(3) { levels } else { 1 + random.index(levels) };
            let (lowest, costs) = (random.index(4) as u8, costs(len, is_costly, bits, random));
            self.add_ladder(lowest, &costs, &qualities(len, random));
        }
        let rows = self.rows();
        self.ladder = (0..rows).map(|_| random.index(ladders) as u32).collect();
        if random.one_in(3) {
            // Neighbours mostly share a ladder.
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
        self.ladder_bytes = match ladders {
            1 if random.one_in(2) => Vec::new(),
            257.. => Vec::new(),
            _ => (0..rows).map(|row| kind(row) as u8).collect(),
        };
    }

    /// Sets a benefit value at which levels are neither all lowest nor all highest.
    pub fn set_random_value(&mut self, random: &mut SplitMix64) {
        let benefit = self.input().benefit().max(1);
        let factor = random.magnitude(12).max(1);
        let wanted = (u128::from(self.maximum().max(1)) * u128::from(factor)) << 16;
        let value = wanted / u128::from(benefit) / 64;
        let value = if random.one_in(20) {
            random.next_u64() as u32
        } else {
            value.min(u128::from(u32::MAX)) as u32
        };
        self.value = BenefitValue::from_ns(value);
    }

    pub fn set_random_benefits(
        &mut self,
        scale: Option<Scale>,
        random: &mut SplitMix64,
    ) -> Vec<usize> {
        let count = self.rows();
        if count == 0 {
            return Vec::new();
        }
        let rows: Vec<usize> = match random.index(6) {
            0 => Vec::new(),
            1 => vec![random.index(count)],
            2 => (0..=count / 50).map(|_| random.index(count)).collect(),
            3 => {
                let first = random.index(count);
                (first..count.min(first + 100)).collect()
            }
            _ => (0..count).collect(),
        };
        let style = random.index(9);
        let few: Vec<u32> = (0..=random.index(6)).map(|_| random.magnitude(24) as u32).collect();
        let (center, spread) = (random.magnitude(24) as u32, random.magnitude(12) as u32);
        let rate = scale.map(|scale| BenefitRate::new(self.value, scale));
        let threshold = |cost| rate.and_then(|rate| rate.threshold(cost)).map(Benefit::bits);
        for &row in &rows {
            let before = self.benefits[row].bits();
            let near = before
                .saturating_add(random.magnitude(8) as u32)
                .saturating_sub(random.magnitude(8) as u32);
            let bits = match style {
                0 => random.index(1 << 24) as u32,
                1 => random.magnitude(24) as u32,
                2 => few[random.index(few.len())],
                3 => center,
                4 => center.saturating_add(random.index(spread as usize + 1) as u32),
                5 => random.index(3) as u32,
                6 => match threshold(self.costs[random.index(self.costs.len())]) {
                    Some(bits) => (bits + random.index(3) as u32).saturating_sub(1),
                    None => random.magnitude(24) as u32,
                },
                _ => near,
            };
            let bits = if random.one_in(30) { 0 } else { bits.min(Benefit::MAX.bits()) };
            self.benefits[row] = Benefit::from_bits(bits);
        }
        rows
    }
}

fn costs(len: usize, is_costly: bool, bits: usize, random: &mut SplitMix64) -> Vec<u32> {
    let style = random.index(6);
    let mut cost = if is_costly { random.magnitude(bits) as u32 } else { 0 };
    let mut costs = vec![cost];
    while costs.len() < len {
        let step = match style {
            0 => random.index(1 << bits) as u32,
            1 => random.index(3) as u32,
            2 => [1, 0, 7, 1 << 31, u32::MAX][random.index(5)],
            3 if random.one_in(2) => 0,
            3 | 4 => random.magnitude(bits) as u32,
            _ => 1 + cost / 2,
        };
        cost = cost.saturating_add(step);
        costs.push(cost);
    }
    costs
}

fn qualities(len: usize, random: &mut SplitMix64) -> Vec<Quality> {
    if random.one_in(2) {
        return (0..len).map(|level| Quality::even(level as u8, len as u16)).collect();
    }
    // With few steps, levels share a quality.
    let steps = if random.one_in(2) { 1 << 15 } else { 1 << random.index(5) };
    let quality = |random: &mut SplitMix64| (random.index(steps + 1) << 15) / steps;
    let mut bits: Vec<u16> = (0..len).map(|_| quality(random) as u16).collect();
    bits.sort_unstable();
    bits.into_iter().map(Quality::from_bits).collect()
}

/// Makes modules of at most `max` actors together, all with different ids.
pub fn modules(max: usize, random: &mut SplitMix64) -> Vec<Module> {
    let count = 1 + random.index(5);
    let rows = |random: &mut SplitMix64| match random.index(8) {
        0 => random.index(4),
        1 => 62 + random.index(5),
        2 | 3 => random.index(200),
        _ => random.index(2_000),
    };
    let mut modules: Vec<Module> = (0..count)
        .map(|_| {
            let rows = rows(random).min(max / count + usize::from(count > max));
            let mut module = Module {
                value: BenefitValue::from_ns(1),
                continuous: random.one_in(5),
                is_cautious: random.one_in(3),
                benefits: vec![Benefit::ZERO; rows],
                previous: vec![PreviousLevel::NONE; rows],
                ..Module::default()
            };
            module.set_random_ladders(random);
            for benefit in &mut module.benefits {
                *benefit = Benefit::from_bits(random.magnitude(22) as u32);
            }
            (0..2).for_each(|_| drop(module.set_random_benefits(None, random)));
            module.set_random_value(random);
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
