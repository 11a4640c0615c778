//! Random instances that are hard to solve, the same for the same seed.

use std::fmt;

use lodger_testkit::SplitMix64;

use super::{Actor, Instance};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Class {
    /// Levels as in games: each costs a multiple of the one before.
    Spread,
    Flat,
    /// Pisinger's first: costs and benefits are independent.
    Uncorrelated,
    /// Pisinger's second: benefits are about as high as costs.
    Weakly,
    /// Pisinger's third: benefits are costs and a constant.
    Strongly,
    /// Pisinger's fourth: costs are benefits and a constant.
    Inverse,
    /// Pisinger's fifth: benefits are costs.
    SubsetSum,
    /// Two levels; cost and benefit differ by a constant.
    OnOff,
    Equal,
    /// Few ladders and few benefits for many actors.
    Ties,
    /// Different qualities, plateaus of cost and of quality, any numbers of bits.
    Odd,
    /// One or a few actors cost nearly all of the budget.
    Giants,
}

impl Class {
    pub const ALL: [Self; 12] = [
        Self::Spread,
        Self::Flat,
        Self::Uncorrelated,
        Self::Weakly,
        Self::Strongly,
        Self::Inverse,
        Self::SubsetSum,
        Self::OnOff,
        Self::Equal,
        Self::Ties,
        Self::Odd,
        Self::Giants,
    ];
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Spread => "spread",
            Self::Flat => "flat",
            Self::Uncorrelated => "uncorrelated",
            Self::Weakly => "weakly correlated",
            Self::Strongly => "strongly correlated",
            Self::Inverse => "inverse strongly",
            Self::SubsetSum => "subset sum",
            Self::OnOff => "on/off",
            Self::Equal => "equal",
            Self::Ties => "ties",
            Self::Odd => "odd",
            Self::Giants => "giants",
        })
    }
}

#[must_use]
pub fn instance(class: Class, actors: usize, random: &mut SplitMix64) -> Instance {
    let modules = random.within(1, 4);
    let sketch = Sketch::new(class, random);
    let actors: Vec<Actor> = (0..actors).map(|_| sketch.actor(modules, random)).collect();
    let min: u64 = actors.iter().map(|actor| u64::from(actor.costs[0])).sum();
    let max: u64 = actors.iter().map(|a| u64::from(a.costs.last().copied().unwrap_or(0))).sum();
    let percent = random.within(10_u64, 90);
    let reserved = if random.percent(30) { random.within(0, 1 << 20) } else { 0 };
    let budget = reserved + min + (max - min) * percent / 100;
    Instance { class, budget, reserved, modules, actors }
}

struct Sketch {
    class: Class,
    levels: usize,
    scale: u32,
    pool: Vec<Actor>,
}

impl Sketch {
    fn new(class: Class, random: &mut SplitMix64) -> Self {
        let levels = if class == Class::OnOff { 2 } else { random.within(2, 16) };
        let scale = 10 * 10_u32.pow(random.within(1, 5));
        let mut sketch = Self { class, levels, scale, pool: Vec::new() };
        let kinds = match class {
            Class::Equal => 1,
            Class::Ties => random.within(2, 5),
            _ => 0,
        };
        sketch.pool = (0..kinds).map(|_| sketch.new_actor(1, random)).collect();
        sketch
    }

    fn actor(&self, modules: usize, random: &mut SplitMix64) -> Actor {
        if self.pool.is_empty() {
            return self.new_actor(modules, random);
        }
        let kind = &self.pool[random.within(0, self.pool.len() - 1)];
        let module = random.within(0, modules - 1);
        Actor { module, ..kind.clone() }
    }

    fn new_actor(&self, modules: usize, random: &mut SplitMix64) -> Actor {
        let levels = match self.class {
            Class::Odd => random.within(1, 16),
            Class::Spread | Class::Giants if random.percent(20) => 2,
            _ => self.levels,
        };
        let (costs, benefit) = self.costs(levels, random);
        let qualities = self.qualities(levels, random);
        let actor = Actor {
            module: random.within(0, modules - 1),
            benefit,
            lowest: random.within(0, 3),
            costs,
            qualities,
        };
        if random.percent(15) { ranged(&actor, random) } else { actor }
    }

    fn costs(&self, levels: usize, random: &mut SplitMix64) -> (Vec<u32>, u32) {
        let steps = u32::try_from(levels - 1).expect("few").max(1);
        let scale = self.scale;
        let base = if random.percent(40) { random.within(0, scale) } else { 0 };
        let any_benefit = random.within(1, 2 << 16);
        let top = random.within(scale / 10, scale);
        let in_parts = |top: u32, random: &mut SplitMix64| -> Vec<u32> {
            let mut costs: Vec<u32> = (0..levels).map(|_| random.within(0, top)).collect();
            costs.sort_unstable();
            costs[0] = 0;
            costs[levels - 1] = if levels > 1 { top } else { 0 };
            costs
        };
        let even = |top: u32| -> Vec<u32> {
            (0..levels).map(|l| top / steps * u32::try_from(l).expect("few")).collect()
        };
        let (costs, benefit) = match self.class {
            Class::Spread => {
                let mut cost = f64::from(top);
                let mut costs: Vec<u32> = Vec::new();
                for _ in 1..levels {
                    costs.push(whole(cost));
                    cost /= f64::from(random.within(15, 40)) / 10.0;
                }
                costs.push(0);
                costs.reverse();
                (costs, any_benefit)
            }
            Class::Flat => (even(scale + random.within(0, scale / 10)), any_benefit),
            Class::Weakly => {
                let near =
                    i64::from(top) + i64::from(random.within(0, scale / 5)) - i64::from(scale / 10);
                (in_parts(top, random), benefit_of(near, scale))
            }
            Class::Strongly => {
                (in_parts(top, random), benefit_of(i64::from(top + scale / 10), scale))
            }
            Class::Inverse => {
                (in_parts(top + scale / 10, random), benefit_of(i64::from(top), scale))
            }
            Class::SubsetSum | Class::OnOff
                if self.class == Class::SubsetSum || random.percent(30) =>
            {
                (even(top), benefit_of(i64::from(top), scale))
            }
            Class::OnOff => (vec![0, top], benefit_of(i64::from(top + scale / 10), scale)),
            Class::Odd => {
                let zeros = random.within(2, 30);
                let odd = in_parts(u32::MAX >> zeros, random);
                (plateaus(odd, random), any_benefit >> random.within(0, 16))
            }
            Class::Giants => {
                let giant = random.percent(10);
                let factor = if giant { random.within(50, 400) } else { 1 };
                (in_parts(top * factor, random), if giant { any_benefit } else { any_benefit / 40 })
            }
            _ => (in_parts(top, random), any_benefit),
        };
        (costs.into_iter().map(|cost| cost + base).collect(), benefit)
    }

    fn qualities(&self, levels: usize, random: &mut SplitMix64) -> Vec<u16> {
        let steps = (levels - 1).max(1);
        let even = |level: usize| whole_quality((level * (2 << 15) + steps) / (2 * steps));
        let even: Vec<u16> = (0..levels).map(|l| if levels > 1 { even(l) } else { 0 }).collect();
        let own = matches!(self.class, Class::Odd | Class::Uncorrelated) && random.percent(60);
        if !own {
            return even;
        }
        let top = random.within(1, 1 << 15);
        let mut own: Vec<u16> = (0..levels).map(|_| random.within(0, top)).collect();
        own.sort_unstable();
        own
    }
}

fn benefit_of(cost: i64, scale: u32) -> u32 {
    let part = cost.max(1) * (1 << 16) / i64::from(scale);
    u32::try_from(part.clamp(1, (1 << 24) - 1)).expect("24 bits")
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "from 0 to the top, which fits"
)]
fn whole(cost: f64) -> u32 {
    cost as u32
}

fn whole_quality(quality: usize) -> u16 {
    u16::try_from(quality).expect("at most 2^15")
}

fn plateaus(mut costs: Vec<u32>, random: &mut SplitMix64) -> Vec<u32> {
    for level in 1..costs.len() {
        if random.percent(20) {
            costs[level] = costs[level - 1];
        }
    }
    costs.sort_unstable();
    costs
}

fn ranged(actor: &Actor, random: &mut SplitMix64) -> Actor {
    let from = random.within(0, actor.costs.len() - 1);
    let to = random.within(from, actor.costs.len() - 1);
    Actor {
        lowest: actor.lowest + u8::try_from(from).expect("few"),
        costs: actor.costs[from..=to].to_vec(),
        qualities: actor.qualities[from..=to].to_vec(),
        ..*actor
    }
}
