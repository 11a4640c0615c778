use crate::keyword::keywords;
use crate::units::Budget;

/// How well a budget pays for reserved costs and minimums.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Load {
    /// Reserved costs and minimums take at most nine tenths of the budget.
    #[default]
    Normal,
    /// Reserved costs and minimums take more than nine tenths of the budget.
    Tight,
    /// Reserved costs and minimums exceeded the budget in three frames in a row.
    Infeasible,
}

keywords!(Load {
    Normal => "normal",
    Tight => "tight",
    Infeasible => "infeasible",
});

/// The load of a scene over frames: tight at once, infeasible after three frames in a row, left after thirty clear ones
/// in a row.
///
/// # Examples
/// ```
/// use lodger_core::budget::{Load, LoadTracker};
/// use lodger_core::units::Budget;
///
/// let mut tracker = LoadTracker::default();
/// let budget = Budget::from_ns(1_000);
/// assert_eq!(tracker.observe(budget, 900), Load::Normal);
/// assert_eq!(tracker.observe(budget, 901), Load::Tight);
/// assert_eq!([(); 3].map(|()| tracker.observe(budget, 1_001))[2], Load::Infeasible);
/// assert_eq!([(); 30].map(|()| tracker.observe(budget, 500))[29], Load::Normal);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct LoadTracker {
    /// Frames in a row in which the minimums exceeded the budget.
    exceeded: u8,
    infeasible: u8,
    tight: u8,
}

/// Frames in a row until a budget is infeasible.
const PATIENCE: u8 = 3;
/// Clear frames in a row until a load is left.
const CLEAR: u8 = 30;

impl LoadTracker {
    /// The state before the first frame.
    pub const NONE: Self = Self { exceeded: 0, infeasible: 0, tight: 0 };

    /// Returns the load after the last frame.
    #[must_use]
    pub const fn load(&self) -> Load {
        match self {
            Self { infeasible: 1.., .. } => Load::Infeasible,
            Self { tight: 1.., .. } => Load::Tight,
            _ => Load::Normal,
        }
    }

    /// Records a frame whose reserved costs and minimums are `needed` nanoseconds; returns the load from now on.
    pub fn observe(&mut self, budget: Budget, needed: u64) -> Load {
        let exceeds = budget.excess(needed) > 0;
        let spare = budget.minus(needed);
        self.exceeded = if exceeds { self.exceeded.saturating_add(1) } else { 0 };
        self.infeasible = if self.exceeded >= PATIENCE || (exceeds && self.infeasible > 0) {
            CLEAR
        } else {
            self.infeasible.saturating_sub(1)
        };
        // Ten times the rest, without a product of 64 bits: five times is compared with a half, rounded up.
        let is_few = |budget: u64| {
            spare >> 61 == 0 && (spare << 2).wrapping_add(spare) < budget.wrapping_sub(budget >> 1)
        };
        let tight = exceeds || budget.ns().is_some_and(is_few);
        self.tight = if tight { CLEAR } else { self.tight.saturating_sub(1) };
        self.load()
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use proptest::prelude::*;

    use super::*;

    const BUDGET: Budget = Budget::from_ns(100);

    fn loads(needed: impl IntoIterator<Item = u64>) -> Vec<Load> {
        let mut tracker = LoadTracker::default();
        needed.into_iter().map(|needed| tracker.observe(BUDGET, needed)).collect()
    }

    #[test]
    fn tight_is_more_than_nine_tenths_and_exceeding_takes_three_frames() {
        assert_eq!(loads([0, 90, 91]), [Load::Normal, Load::Normal, Load::Tight]);
        assert_eq!(loads([101; 3]), [Load::Tight, Load::Tight, Load::Infeasible]);
        let interrupted = loads([101, 101, 100, 101, 101]);
        assert!(interrupted.iter().all(|&load| load == Load::Tight));
    }

    #[test]
    fn a_load_is_left_one_by_one_after_thirty_clear_frames() {
        // Tight for another while, as the frames that clear the one are not clear of the other.
        let frames = [101; 3].into_iter().chain([95; 30]).chain([0; 30]);
        let loads = loads(frames);
        assert!(loads[2..32].iter().all(|&load| load == Load::Infeasible), "{loads:?}");
        assert!(loads[32..62].iter().all(|&load| load == Load::Tight), "{loads:?}");
        assert_eq!(loads[62], Load::Normal);
        // A single frame in between starts the count again.
        let frames = [101; 3].into_iter().chain([0; 29]).chain([101]).chain([0; 30]);
        let loads = self::loads(frames);
        assert!(loads[2..62].iter().all(|&load| load == Load::Infeasible), "{loads:?}");
        assert_eq!(loads[62], Load::Normal);
    }

    #[test]
    fn unlimited_budgets_are_never_tight_and_zero_budgets_only_if_needed() {
        let mut tracker = LoadTracker::default();
        assert_eq!([0, u64::MAX].map(|n| tracker.observe(Budget::UNLIMITED, n)), [Load::Normal; 2]);
        let nothing = Budget::from_ns(0);
        let loads = [0, 1, 1, 1].map(|needed| tracker.observe(nothing, needed));
        assert_eq!(loads, [Load::Normal, Load::Tight, Load::Tight, Load::Infeasible]);
    }

    proptest! {
        #[test]
        fn load_equals_a_count_over_all_frames(
            budget in 0..u64::MAX,
            parts in prop::collection::vec((0_u64..4, 0_u64..130), 0..200),
        ) {
            let of = |part: u64| u64::try_from(u128::from(budget) * u128::from(part) / 100);
            let calm = |&(kind, part): &(u64, u64)| if kind == 0 { part } else { part % 70 };
            let needed: Vec<_> = parts.iter().map(|p| of(calm(p)).unwrap_or(u64::MAX)).collect();
            let mut tracker = LoadTracker::default();
            let tight = |n: u64| u128::from(n) * 10 > u128::from(budget) * 9;
            let (mut since_tight, mut since_infeasible, mut row) = (30, 30, 0);
            for needed in needed {
                let exceeds = needed > budget;
                row = if exceeds { row + 1 } else { 0 };
                since_tight = if tight(needed) { 0 } else { since_tight + 1 };
                let enters = row >= 3 || exceeds && since_infeasible < 30;
                since_infeasible = if enters { 0 } else { since_infeasible + 1 };
                let expected = match (since_infeasible < 30, since_tight < 30) {
                    (true, _) => Load::Infeasible,
                    (false, true) => Load::Tight,
                    (false, false) => Load::Normal,
                };
                prop_assert_eq!(tracker.observe(Budget::from_ns(budget), needed), expected);
            }
        }
    }
}
