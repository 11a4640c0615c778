//! Instances that are hard to decide, by chance but the same for the same seed.

use std::fmt;

use lodger_testkit::SplitMix64;

use super::{Actor, Instance};

/// How costs and benefits hang together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Class {
    /// Levels of a game: each costs a multiple of the one before.
    Spread,
    /// All levels cost about the same more.
    Flat,
    /// Pisinger's first: costs say nothing about benefits.
    Uncorrelated,
    /// Pisinger's second: benefits are about as high as costs.
    Weakly,
    /// Pisinger's third: benefits are costs and a constant.
    Strongly,
    /// Pisinger's fourth: costs are benefits and a constant.
    Inverse,
    /// Pisinger's fifth: benefits are costs.
    SubsetSum,
    /// On or off, the best costs the same more than it is worth.
    OnOff,
    /// Nobody differs from anybody.
    Equal,
    /// Few ladders and few benefits for many actors.
    Ties,
    /// Own qualities, plateaus of cost and of quality, any bits.
    Odd,
    /// One or a few want nearly everything.
    Giants,
}

impl Class {
    /// All of them.
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

/// Random choices for an instance.
#[derive(Debug, Clone)]
pub struct Chance(SplitMix64);

impl Chance {
    /// The same choices for the same seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(SplitMix64::new(seed))
    }

    /// 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number from `least` to `most`.
    ///
    /// # Panics
    /// If there is none.
    #[allow(clippy::cast_possible_truncation)] // at most 32 bits are left
    pub fn within(&mut self, least: u32, most: u32) -> u32 {
        let width = u64::from(most - least) + 1;
        least + (self.bits() % width) as u32
    }

    /// A number of levels or actors.
    pub fn count(&mut self, least: usize, most: usize) -> usize {
        least + usize::try_from(self.bits()).unwrap_or(0) % (most - least + 1)
    }

    /// Whether something happens that does so in so many of a hundred cases.
    pub fn percent(&mut self, share: u32) -> bool {
        self.within(0, 99) < share
    }
}

/// An instance of a class with that many actors.
#[must_use]
pub fn instance(class: Class, actors: usize, chance: &mut Chance) -> Instance {
    let modules = chance.count(1, 4);
    let sketch = Sketch::new(class, chance);
    let actors: Vec<Actor> = (0..actors).map(|_| sketch.actor(modules, chance)).collect();
    let least: u64 = actors.iter().map(|actor| u64::from(actor.costs[0])).sum();
    let most: u64 = actors.iter().map(|a| u64::from(a.costs.last().copied().unwrap_or(0))).sum();
    let percent = u64::from(chance.within(10, 90));
    // What is forced or not managed is paid already.
    let fixed = if chance.percent(30) { u64::from(chance.within(0, 1 << 20)) } else { 0 };
    let budget = fixed + least + (most - least) * percent / 100;
    Instance { class, budget, fixed, modules, actors }
}

/// What the actors of an instance have in common.
struct Sketch {
    class: Class,
    levels: usize,
    scale: u32,
    pool: Vec<Actor>,
}

impl Sketch {
    fn new(class: Class, chance: &mut Chance) -> Self {
        let levels = if class == Class::OnOff { 2 } else { chance.count(2, 16) };
        let scale = 10 * 10_u32.pow(chance.within(1, 5));
        let mut sketch = Self { class, levels, scale, pool: Vec::new() };
        let kinds = match class {
            Class::Equal => 1,
            Class::Ties => chance.count(2, 5),
            _ => 0,
        };
        sketch.pool = (0..kinds).map(|_| sketch.made(1, chance)).collect();
        sketch
    }

    fn actor(&self, modules: usize, chance: &mut Chance) -> Actor {
        if self.pool.is_empty() {
            return self.made(modules, chance);
        }
        let kind = &self.pool[chance.count(0, self.pool.len() - 1)];
        let module = chance.count(0, modules - 1);
        // A ladder of equal costs may belong to any module.
        Actor { module, ..kind.clone() }
    }

    fn made(&self, modules: usize, chance: &mut Chance) -> Actor {
        let levels = match self.class {
            Class::Odd => chance.count(1, 16),
            Class::Spread | Class::Giants if chance.percent(20) => 2,
            _ => self.levels,
        };
        let (costs, benefit) = self.costs(levels, chance);
        let qualities = self.qualities(levels, chance);
        let actor = Actor {
            module: chance.count(0, modules - 1),
            benefit,
            lowest: u8::try_from(chance.count(0, 3)).expect("few"),
            costs,
            qualities,
        };
        if chance.percent(15) { ranged(&actor, chance) } else { actor }
    }

    fn costs(&self, levels: usize, chance: &mut Chance) -> (Vec<u32>, u32) {
        let steps = u32::try_from(levels - 1).expect("few").max(1);
        let scale = self.scale;
        let foot = if chance.percent(40) { chance.within(0, scale) } else { 0 };
        let any_benefit = chance.within(1, 2 << 16);
        let top = chance.within(scale / 10, scale);
        let in_parts = |top: u32, chance: &mut Chance| -> Vec<u32> {
            let mut costs: Vec<u32> = (0..levels).map(|_| chance.within(0, top)).collect();
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
                    cost /= f64::from(chance.within(15, 40)) / 10.0;
                }
                costs.push(0);
                costs.reverse();
                (costs, any_benefit)
            }
            Class::Flat => (even(scale + chance.within(0, scale / 10)), any_benefit),
            Class::Weakly => {
                let near =
                    i64::from(top) + i64::from(chance.within(0, scale / 5)) - i64::from(scale / 10);
                (in_parts(top, chance), benefit_of(near, scale))
            }
            Class::Strongly => {
                (in_parts(top, chance), benefit_of(i64::from(top + scale / 10), scale))
            }
            Class::Inverse => {
                (in_parts(top + scale / 10, chance), benefit_of(i64::from(top), scale))
            }
            Class::SubsetSum | Class::OnOff
                if self.class == Class::SubsetSum || chance.percent(30) =>
            {
                (even(top), benefit_of(i64::from(top), scale))
            }
            Class::OnOff => (vec![0, top], benefit_of(i64::from(top + scale / 10), scale)),
            Class::Odd => {
                let zeros = chance.within(2, 30);
                let odd = in_parts(u32::MAX >> zeros, chance);
                (plateaus(odd, chance), any_benefit >> chance.within(0, 16))
            }
            Class::Giants => {
                let giant = chance.percent(10);
                let factor = if giant { chance.within(50, 400) } else { 1 };
                (in_parts(top * factor, chance), if giant { any_benefit } else { any_benefit / 40 })
            }
            _ => (in_parts(top, chance), any_benefit),
        };
        (costs.into_iter().map(|cost| cost + foot).collect(), benefit)
    }

    fn qualities(&self, levels: usize, chance: &mut Chance) -> Vec<u16> {
        let steps = (levels - 1).max(1);
        let even = |level: usize| whole_quality((level * (2 << 15) + steps) / (2 * steps));
        let even: Vec<u16> = (0..levels).map(|l| if levels > 1 { even(l) } else { 0 }).collect();
        let own = matches!(self.class, Class::Odd | Class::Uncorrelated) && chance.percent(60);
        if !own {
            return even;
        }
        let top = chance.within(1, 1 << 15);
        let mut own: Vec<u16> =
            (0..levels).map(|_| u16::try_from(chance.within(0, top)).expect("15 bits")).collect();
        own.sort_unstable();
        own
    }
}

/// A benefit that goes with a cost.
fn benefit_of(cost: i64, scale: u32) -> u32 {
    let part = cost.max(1) * (1 << 16) / i64::from(scale);
    u32::try_from(part.clamp(1, (1 << 24) - 1)).expect("24 bits")
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // below the top
fn whole(cost: f64) -> u32 {
    cost as u32
}

fn whole_quality(quality: usize) -> u16 {
    u16::try_from(quality).expect("at most 2^15")
}

/// Some levels cost no more than the one below.
fn plateaus(mut costs: Vec<u32>, chance: &mut Chance) -> Vec<u32> {
    for level in 1..costs.len() {
        if chance.percent(20) {
            costs[level] = costs[level - 1];
        }
    }
    costs.sort_unstable();
    costs
}

/// Only some of the levels are valid.
fn ranged(actor: &Actor, chance: &mut Chance) -> Actor {
    let from = chance.count(0, actor.costs.len() - 1);
    let to = chance.count(from, actor.costs.len() - 1);
    Actor {
        lowest: actor.lowest + u8::try_from(from).expect("few"),
        costs: actor.costs[from..=to].to_vec(),
        qualities: actor.qualities[from..=to].to_vec(),
        ..*actor
    }
}
