//! Questions about whole ledgers.

use heapless::Vec;

use super::super::backend::Number;
use super::super::scene::{ActorQuestion, LedgerQuestion, MODULES, ModuleQuestion, ROWS, TICKS};
use super::Source;

impl<N: Number> Source<'_, N> {
    pub(super) fn ledger(&mut self) -> LedgerQuestion {
        let modules: usize = self.random.up_to(MODULES);
        let modules: Vec<_, MODULES> = (0..modules).map(|_| self.module()).collect();
        // Somewhere between nothing and the best for everybody.
        let most: u64 = modules.iter().map(ModuleQuestion::most).fold(0, u64::saturating_add);
        let random = &mut *self.random;
        let budget = |()| match random.below(20) {
            0 => 0,
            1 => u64::MAX,
            2 => random.wide(),
            _ => most / 100 * u64::from(10 + random.below(80)),
        };
        let budgets = [(); TICKS].map(budget);
        let eye = [(); 3].map(|()| random.signed::<N>(50.0));
        let next = eye.map(|bits| {
            let step = N::from_f64(random.unit()).unwrap_or(N::ZERO);
            (N::from_word(bits) + step).word()
        });
        LedgerQuestion {
            budgets,
            policy: random.byte(6),
            stability: match random.below(4) {
                0 | 1 => [0, 0],
                2 => [26, 8],
                _ => [random.byte(256), random.byte(256)],
            },
            max_raises: random.percent(15).then(|| random.byte(6)),
            counts_unmanaged: random.percent(70),
            eyes: [eye, next],
            modules,
        }
    }

    fn module(&mut self) -> ModuleQuestion {
        let random = &mut *self.random;
        let (levels, actors) = (random.up_to(ROWS), random.up_to(ROWS + 1) - 1);
        let (a, b) = (random.byte(levels), random.byte(levels));
        let step = [2, 40, 1_000][usize::from(random.byte(3))];
        let mut units = if random.percent(70) { 0 } else { random.below(step) };
        let rise = |_| {
            let now = units;
            units += if random.percent(15) { 0 } else { random.below(step) };
            now
        };
        let work: Vec<u32, ROWS> = (0..levels).map(rise).collect();
        let highest = work.last().copied().unwrap_or(0);
        // Up to 1, 256 or 262 144 ns a unit.
        let unit_cost = u64::from(random.word()) << [0, 8, 8, 18][usize::from(random.byte(4))];
        // Benefits are small.
        let worth = cost(highest, unit_cost).saturating_mul(random.below(60).into());
        let bounded = random.percent(70).then(|| random.sound::<N>(200.0));
        let ageing = random.percent(60).then(|| random.sound::<N>(30.0));
        let actors = (0..actors).map(|_| self.actor(levels)).collect();
        let random = &mut *self.random;
        ModuleQuestion {
            unit_cost,
            benefit_value: if random.percent(5) {
                random.word()
            } else {
                u32::try_from(worth).unwrap_or(u32::MAX)
            },
            managed: random.percent(85),
            cap: random.percent(20).then(|| random.byte(ROWS)),
            overhead: if random.percent(70) { 0 } else { random.below(highest + 1) },
            max_distance: bounded,
            max_age: ageing,
            work,
            range: [a.min(b), a.max(b)],
            actors,
            measured: random.percent(60).then(|| (random.below(4_000), random.below(400_000))),
            leaves: random.percent(30).then(|| random.byte(ROWS)),
        }
    }

    fn actor(&mut self, levels: usize) -> ActorQuestion {
        let row = self.row();
        let random = &mut *self.random;
        ActorQuestion {
            row,
            given: random
                .percent(20)
                .then(|| if random.percent(90) { random.below(1 << 16) } else { random.word() }),
            confined: random.percent(30),
            forced: random.percent(12).then(|| random.byte(levels)),
        }
    }
}

impl ModuleQuestion {
    /// What all actors cost at about the best, in nanoseconds.
    fn most(&self) -> u64 {
        let units = self.work.last().copied().unwrap_or(0);
        cost(units, self.unit_cost) * self.actors.len() as u64
    }
}

/// What work costs, in nanoseconds and one more.
fn cost(units: u32, unit_cost: u64) -> u64 {
    ((u64::from(units) * (unit_cost >> 16)) >> 16) + 1
}
