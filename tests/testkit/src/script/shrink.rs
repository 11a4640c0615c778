//! Scripts for proptest, which draws a seed and, when a test fails, leaves out calls for as long as it still does.

use std::ops::Range;

use proptest::prelude::Rng as _;
use proptest::strategy::{NewTree, Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use super::{Call, Profile, calls, steps};

/// Any script of a profile.
#[must_use]
pub const fn any_script(profile: Profile) -> Scripts {
    Scripts::Whole(profile)
}

/// Fewer calls than `most`, without ticks, of a scene that [`start`](super::start) has begun.
#[must_use]
pub const fn any_steps(most: u64) -> Scripts {
    Scripts::Steps(most)
}

/// A strategy for scripts.
#[derive(Debug, Clone, Copy)]
pub enum Scripts {
    /// [`calls`] of a profile.
    Whole(Profile),
    /// [`steps`], and how many at most.
    Steps(u64),
}

impl Strategy for Scripts {
    type Tree = Shrinking;
    type Value = Vec<Call>;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        let seed = runner.rng().next_u64();
        let calls = match self {
            Self::Whole(profile) => calls(seed, profile),
            Self::Steps(most) => steps(seed, *most),
        };
        let (kept, chunk) = (vec![true; calls.len()], calls.len().div_ceil(2).max(1));
        Ok(Shrinking { calls, kept, chunk, next: 0, left_out: None })
    }
}

/// A script of which ever smaller chunks are left out.
#[derive(Debug)]
pub struct Shrinking {
    calls: Vec<Call>,
    kept: Vec<bool>,
    chunk: usize,
    next: usize,
    /// The chunk that was left out last, and which of its calls were there before.
    left_out: Option<(Range<usize>, Vec<bool>)>,
}

impl ValueTree for Shrinking {
    type Value = Vec<Call>;

    fn current(&self) -> Vec<Call> {
        let kept = self.calls.iter().zip(&self.kept).filter(|(_, kept)| **kept);
        kept.map(|(call, _)| call.clone()).collect()
    }

    fn simplify(&mut self) -> bool {
        loop {
            if self.next >= self.calls.len() {
                if self.chunk == 1 {
                    return false;
                }
                (self.next, self.chunk) = (0, self.chunk / 2);
            }
            let chunk = self.next..self.calls.len().min(self.next + self.chunk);
            self.next = chunk.end;
            let kept = &mut self.kept[chunk.clone()];
            if kept.contains(&true) {
                self.left_out = Some((chunk, kept.to_vec()));
                kept.fill(false);
                return true;
            }
        }
    }

    fn complicate(&mut self) -> bool {
        let Some((chunk, kept)) = self.left_out.take() else { return false };
        self.kept[chunk].copy_from_slice(&kept);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failing_script_shrinks_to_the_calls_that_matter() {
        let mut runner = TestRunner::deterministic();
        let fails = |calls: &[Call]| {
            let ticks = calls.iter().filter(|call| **call == Call::Tick).count();
            ticks >= 2 && calls.iter().any(|call| matches!(call, Call::SetPolicy(_)))
        };
        let mut tree = any_script(Profile::ABI).new_tree(&mut runner).unwrap();
        assert!(fails(&tree.current()));
        while tree.simplify() {
            if !fails(&tree.current()) {
                assert!(tree.complicate());
            }
        }
        assert_eq!(tree.current().len(), 3, "{:?}", tree.current());
    }
}
