//! Questions about policies.

use heapless::Vec;

use super::super::backend::Number;
use super::super::policy::{COSTS, PLAYERS, PolicyQuestion, TeamQuestion};
use super::Source;

impl<N: Number> Source<'_, N> {
    pub(super) fn policy(&mut self) -> PolicyQuestion {
        let modules = [(); 2].map(|()| self.team());
        let random = &mut *self.random;
        // Somewhere between nothing and the best for everybody.
        let most: u64 = modules.iter().map(TeamQuestion::most).sum();
        let part = |percent: u32| most / 100 * u64::from(percent);
        PolicyQuestion {
            budget: match random.below(12) {
                0 => u64::MAX,
                1 => random.wide(),
                _ => part(random.below(110)),
            },
            fixed: if random.percent(70) { 0 } else { part(random.below(20)) },
            headroom: if random.percent(60) { 0 } else { random.word() >> 8 },
            policy: if random.percent(75) { 4 } else { random.byte(4) },
            stability: match random.below(3) {
                0 => [0, 0],
                1 => [26, 8],
                _ => [random.byte(256), random.byte(256)],
            },
            max_raises: random.percent(15).then(|| random.byte(6)),
            modules,
        }
    }

    fn team(&mut self) -> TeamQuestion {
        let random = &mut *self.random;
        let (levels, actors) = (random.up_to(COSTS), random.up_to(PLAYERS + 1) - 1);
        let second = random.byte(levels + 1);
        let steps = [1, 100, 100_000, u32::MAX / 8][usize::from(random.byte(4))];
        let even = random.percent(20);
        let mut costs = Vec::new();
        let mut qualities = Vec::new();
        let (mut cost, mut quality) = (0_u32, 0_u16);
        for place in 0..levels {
            if place == usize::from(second) {
                (cost, quality) = (0, 0);
            }
            cost = cost.saturating_add(if random.percent(15) { 0 } else { random.below(steps) });
            let rise = if even { 2_700 } else { random.below(6_000) };
            quality = quality.saturating_add(u16::try_from(rise).unwrap_or(0)).min(1 << 15);
            let _ = costs.push(cost);
            let _ = qualities.push(quality);
        }
        // A crowd of equal actors is where ties are broken.
        let same = random.percent(20).then(|| random.below(1 << 17));
        let benefit = |_| {
            same.unwrap_or_else(|| {
                if random.percent(95) { random.below(1 << 16) } else { random.word() >> 8 }
            })
        };
        let first: Vec<u32, PLAYERS> = (0..actors).map(benefit).collect();
        let random = &mut *self.random;
        let near = |&benefit: &u32| {
            let change = random.below(benefit / 4 + 1);
            if random.percent(50) { benefit + change } else { benefit - change }
        };
        let later = first.iter().map(near).collect();
        TeamQuestion {
            benefit_value: random.below(400_000),
            continuous: random.percent(20),
            costs,
            qualities,
            second,
            benefits: [first, later],
        }
    }
}

impl TeamQuestion {
    /// What all actors cost at about the best.
    fn most(&self) -> u64 {
        let [first, _] = &self.benefits;
        let most = self.costs.iter().max().copied().unwrap_or(0);
        u64::from(most) * first.len() as u64
    }
}
