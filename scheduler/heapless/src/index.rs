//! The numbers of slots, rows and ladders, as wide as a scene needs them.

use core::fmt::Debug;

use lodger_core::budget::{CandidateUpgrade, CompactUpgrade, IndexColumn, SmallUpgrade};

/// A number of a slot, row or ladder.
pub trait Index: Debug + Copy + Default + Eq + 'static {
    /// The greatest number, which stands for no slot; as many actors have lower ones.
    const NONE: Self;
    const MAX_ACTORS: usize;
    const MAX_LEVELS: usize;
    type Upgrade: CandidateUpgrade + Debug + Default;

    /// Converts a number; no scene has one above [`NONE`](Self::NONE).
    fn new(number: usize) -> Self;

    fn get(self) -> usize;

    fn column(numbers: &[Self]) -> IndexColumn<'_>;
}

impl Index for u8 {
    const NONE: Self = Self::MAX;
    const MAX_ACTORS: usize = Self::MAX as usize;
    const MAX_LEVELS: usize = 1 << Self::BITS;
    type Upgrade = SmallUpgrade;

    fn new(number: usize) -> Self {
        Self::try_from(number).unwrap_or(Self::NONE)
    }

    fn get(self) -> usize {
        self.into()
    }

    fn column(numbers: &[Self]) -> IndexColumn<'_> {
        IndexColumn::Bytes(numbers)
    }
}

impl Index for u16 {
    const NONE: Self = Self::MAX;
    const MAX_ACTORS: usize = Self::MAX as usize;
    const MAX_LEVELS: usize = Self::MAX as usize;
    type Upgrade = CompactUpgrade;

    fn new(number: usize) -> Self {
        Self::try_from(number).unwrap_or(Self::NONE)
    }

    fn get(self) -> usize {
        self.into()
    }

    fn column(numbers: &[Self]) -> IndexColumn<'_> {
        IndexColumn::Shorts(numbers)
    }
}
