//! Whether the budget holds: 2, 1 and half a millisecond of every four, one after the other.

/// The time from one frame to the next, in milliseconds.
pub const FRAME_MS: u32 = 4;
/// What the work of a frame may take, in nanoseconds.
const BUDGETS_NS: [u64; 3] = [2_000_000, 1_000_000, 500_000];
/// Frames under each budget, and how many of them it need not be kept to yet.
const FRAMES: u32 = 300;
const SETTLING: u32 = 15;
/// How many of the others may take longer, and by how much of the budget; and how much of it is to be
/// used on the mean. Percent.
const MOST_OVER: u64 = 3;
const MOST_EXCESS: u64 = 5;
const LEAST_USED: u64 = 85;

/// The frames under a budget, as far as they have come.
#[derive(Debug, Clone, Default)]
pub struct BudgetTest {
    step: usize,
    frame: u32,
    over: u32,
    worst: u64,
    used: u64,
    failed: bool,
}

/// What came of a budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BudgetResult {
    /// The budget in microseconds.
    pub budget_us: u64,
    /// How many frames counted.
    pub frames: u32,
    /// How many of them took longer.
    pub over: u32,
    /// The longest, in thousandths of the budget.
    pub longest: u64,
    /// All of them on the mean, in thousandths of the budget.
    pub used: u64,
    /// Whether that is what is asked for.
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
    /// What the work of the next frame may take, in nanoseconds; `None` when the test is over.
    #[must_use]
    pub fn budget_ns(&self) -> Option<u64> {
        BUDGETS_NS.get(self.step).copied()
    }

    /// Whether every budget held.
    #[must_use]
    pub fn succeeded(&self) -> bool {
        self.step == BUDGETS_NS.len() && !self.failed
    }

    /// Takes in what the work of a frame took, and tells what came of a budget after its last.
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
        let held = u64::from(self.over) * 100 <= MOST_OVER * u64::from(frames)
            && self.worst * 100 <= budget * (100 + MOST_EXCESS)
            && used >= 10 * LEAST_USED;
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

    /// A test whose frames take so many thousandths of the budget, and sometimes others.
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
