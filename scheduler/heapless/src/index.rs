//! The numbers of slots, rows and ladders, as wide as a scene needs them.

use core::fmt::Debug;

use lodger_core::budget::{CandidateUpgrade, CompactUpgrade, IndexColumn, SmallUpgrade};

/// A number of a slot, row or ladder.
pub trait RowNumber: Debug + Copy + Default + Eq + 'static {
    /// The number of no slot.
    const NONE: Self;

    /// Converts a number; no scene has one above [`NONE`](Self::NONE).
    fn new(number: usize) -> Self;

    fn get(self) -> usize;

    /// Returns the next number.
    #[must_use]
    fn next(self) -> Self;

    /// Returns the number before this one, which is not 0.
    #[must_use]
    fn previous(self) -> Self;
}

macro_rules! number {
    ($($type:ty),+) => {
        $(impl RowNumber for $type {
            const NONE: Self = Self::MAX;

            fn new(number: usize) -> Self {
                Self::try_from(number).unwrap_or(Self::NONE)
            }

            fn get(self) -> usize {
                usize::try_from(self).unwrap_or(usize::MAX)
            }

            fn next(self) -> Self {
                self.wrapping_add(1)
            }

            fn previous(self) -> Self {
                self.wrapping_sub(1)
            }
        })+
    };
}

number!(u8, u16, u32);

/// A number of a slot or ladder, of the width that core reads.
pub trait SlotIndex: RowNumber {
    const MAX_ACTORS: usize;
    const MAX_LEVELS: usize;
    type Row: RowNumber;
    type Upgrade: CandidateUpgrade + Debug;
    const NO_UPGRADE: Self::Upgrade;

    fn column(numbers: &[Self]) -> IndexColumn<'_>;
}

impl SlotIndex for u8 {
    const MAX_ACTORS: usize = u8::MAX as usize;
    const MAX_LEVELS: usize = 1 << u8::BITS;
    type Row = Self;
    type Upgrade = SmallUpgrade;
    const NO_UPGRADE: SmallUpgrade = SmallUpgrade::NONE;

    fn column(numbers: &[Self]) -> IndexColumn<'_> {
        IndexColumn::Bytes(numbers)
    }
}

impl SlotIndex for u32 {
    const MAX_ACTORS: usize = u16::MAX as usize;
    const MAX_LEVELS: usize = u16::MAX as usize;
    type Row = u16;
    type Upgrade = CompactUpgrade;
    const NO_UPGRADE: CompactUpgrade = CompactUpgrade::NONE;

    fn column(numbers: &[Self]) -> IndexColumn<'_> {
        IndexColumn::Words(numbers)
    }
}
