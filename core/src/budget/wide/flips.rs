//! A kernel that counts changed levels.

use super::group::GROUP;
use super::question::Question;
use crate::budget::book::Book;

/// Counts the actors that have another whole level than before the frame.
pub(super) struct Flips;

impl Question for Flips {
    type Answer = u64;

    #[inline(always)]
    fn ask(&self, part: &mut Book<'_>) -> u64 {
        let rows = part.account.benefits.len();
        let levels = part.levels.get(..rows).unwrap_or(part.levels).chunks(GROUP);
        let pairs = levels.zip(part.crowd.before.chunks(GROUP));
        let changed = part.crowd.groups.iter().zip(pairs).filter(|(group, _)| group.changed);
        changed.fold(0, |sum, (_, (levels, before))| {
            let count = |few: u8, (a, b): (&u8, &u8)| few.wrapping_add(u8::from(a != b));
            sum.wrapping_add(levels.iter().zip(before).fold(0, count).into())
        })
    }
}
