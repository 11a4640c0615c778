//! Tests whether work keeps budgets of 2, 1 and 0.5 ms in frames of 4 ms.

pub const FRAME_MS: u32 = 4;
const BUDGETS_NS: [u64; 3] = [2_000_000, 1_000_000, 500_000];
const FRAMES: u32 = 300;
/// The number of first frames that do not count.
const SETTLING: u32 = 15;
/// The maximum share of frames over budget, in percent.
const MAX_OVER: u64 = 3;
/// The maximum excess of a frame, in percent of the budget.
const MAX_EXCESS: u64 = 5;
/// The minimum mean of all frames, in percent of the budget.
const MIN_USED: u64 = 85;

#[derive(Debug, Clone, Default)]
pub struct BudgetTest {
    step: usize,
    frame: u32,
    over: u32,
    worst: u64,
    used: u64,
    failed: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BudgetResult {
    pub budget_us: u64,
    pub frames: u32,
    /// The number of frames over budget.
    pub over: u32,
    /// The longest frame, in thousandths of the budget.
    pub longest: u64,
    /// The mean of all frames, in thousandths of the budget.
    pub used: u64,
    pub held: bool,
}

#[cfg(feature = "defmt")]
impl defmt::Format for BudgetResult {
    fn format(&self, f: defmt::Formatter<'_>) {
        let Self { budget_us, frames, over, longest, used, held } = *self;
        defmt::write!(
            f,
            "budget {=u64} us: {=u32} of {=u32} frames over, the longest {=u64}/1000 of it, {=u64}/1000 used: {=bool}",
            budget_us,
            over,
            frames,
            longest,
            used,
            held
        );
    }
}

impl BudgetTest {
    /// Returns the budget of the next frame; `None` after the test.
    #[must_use]
    pub fn budget_ns(&self) -> Option<u64> {
        BUDGETS_NS.get(self.step).copied()
    }

    #[must_use]
    pub fn succeeded(&self) -> bool {
        self.step == BUDGETS_NS.len() && !self.failed
    }

    /// Takes the time of the work of a frame; returns the result of a budget after its last frame.
    pub fn frame(&mut self, measured_ns: u64) -> Option<BudgetResult> {
        let budget = self.budget_ns()?;
        self.frame += 1;
        if self.frame > SETTLING {
            self.over += u32::from(measured_ns > budget);
            self.worst = self.worst.max(measured_ns);
            self.used += measured_ns;
        }
        if self.frame < FRAMES {
            return None;
        }
        let frames = FRAMES - SETTLING;
        let longest = self.worst * 1_000 / budget;
        let used = self.used * 1_000 / (budget * u64::from(frames));
        let held = u64::from(self.over) * 100 <= MAX_OVER * u64::from(frames)
            && self.worst * 100 <= budget * (100 + MAX_EXCESS)
            && used >= 10 * MIN_USED;
        let result = BudgetResult {
            budget_us: budget / 1_000,
            frames,
            over: self.over,
            longest,
            used,
            held,
        };
        *self = Self { step: self.step + 1, failed: self.failed || !held, ..Self::default() };
        Some(result)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs a test whose frames take thousandths of the budget: one of `every` takes `odd`, the others `usual`.
    fn held(usual: u64, odd: u64, every: u32) -> [bool; 3] {
        let mut test = BudgetTest::default();
        let mut results = Vec::new();
        while let Some(budget) = test.budget_ns() {
            let part = if test.frame % every == 20 { odd } else { usual };
            results.extend(test.frame(budget * part / 1_000));
        }
        assert_eq!(test.succeeded(), results.iter().all(|result| result.held));
        [0, 1, 2].map(|step| results[step].held)
    }

    #[test]
    fn a_budget_holds_if_it_is_used_and_seldom_exceeded_by_little() {
        assert_eq!(held(900, 1_050, 40), [true; 3]);
        assert_eq!(held(900, 1_051, 300), [false; 3]);
        assert_eq!(held(900, 1_001, 30), [false; 3]);
        assert_eq!(held(849, 849, 300), [false; 3]);
    }
}
