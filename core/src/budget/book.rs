//! One module whose columns are slices: what it asks for, and where its levels go.

use super::bid::Bid;
use super::columns::{split, split_mut};
use super::demand::Account;
use super::last::Last;
use super::lod::Lod;
use super::policy::Stability;
use super::pot::Bids;
use super::quality::Quality;
use super::scale::Scale;
use super::slope::Slopes;
use super::wide::Crowd;
use crate::benefit::Benefit;

/// An [`Account`] with the columns that the ledger writes. A slice of books is a
/// [`Walk`](super::Walk).
///
/// The columns are of equal length; what is longer than the shortest is not looked at.
// In this order: the shortest loads of boards do not reach far, and the last field is not theirs.
#[repr(C)]
#[derive(Debug, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Book<'a> {
    /// The module, and what its actors ask for.
    pub account: Account<'a>,
    /// Each actor's id: all different in a scene, and at most [`MAX_ACTORS`](super::MAX_ACTORS). Among
    /// actors of equal benefit the pot serves the lower one first. May be empty where leftovers are
    /// kept.
    pub ids: &'a [u32],
    /// The level that each actor gets.
    pub levels: &'a mut [u8],
    /// Each actor's way to the next level, in 2⁻¹⁶. Only written for a continuous module, and may be
    /// empty for others.
    pub fractions: &'a mut [u16],
    /// How good each level is, parallel to the costs of the ladders and not decreasing within one: that
    /// of the level among all that the actor has, valid or not ([`Quality::even`] unless somebody says
    /// otherwise). What is beyond the end is 0. Only certificates and the optimal policy look at it.
    pub qualities: &'a [Quality],
    /// Only the optimal policy and certificates make and look at them. The spans of different ladders must
    /// not overlap there.
    pub slopes: Slopes<'a>,
    /// Each actor's level in the last frame, or none beyond the end.
    pub last: &'a [Last],
    /// What all actors of the account cost at the LODs that they were given, in nanoseconds: only
    /// written.
    pub assigned: u64,
    /// Only a [wide](super::Walk::WIDE) walk needs it.
    pub crowd: Crowd<'a>,
}

impl Book<'_> {
    /// The first rows, and the others. They share the slopes, which neither makes anew.
    #[must_use]
    pub fn split_at(self, rows: usize) -> (Self, Self) {
        let Self { account, ids, levels, fractions, qualities, slopes, last, assigned, crowd } =
            self;
        let (ladder, ladder_after) = split(account.ladder, rows);
        let (benefits, benefits_after) = split(account.benefits, rows);
        let (ids, ids_after) = split(ids, rows);
        let (last, last_after) = split(last, rows);
        let (levels, levels_after) = split_mut(levels, rows);
        let (fractions, fractions_after) = split_mut(fractions, rows);
        let shared = if slopes.of_costs.is_empty() { crowd.slopes } else { slopes.of_costs };
        let (crowd, crowd_after) = Crowd { slopes: shared, ..crowd }.split_at(rows);
        let account_after = Account { ladder: ladder_after, benefits: benefits_after, ..account };
        let account = Account { ladder, benefits, ..account };
        let slopes = || Slopes { of_costs: &mut [], made_for: slopes.made_for };
        (
            Self {
                account,
                ids,
                levels,
                fractions,
                qualities,
                slopes: slopes(),
                last,
                assigned,
                crowd,
            },
            Self {
                account: account_after,
                ids: ids_after,
                levels: levels_after,
                fractions: fractions_after,
                qualities,
                slopes: slopes(),
                last: last_after,
                assigned,
                crowd: crowd_after,
            },
        )
    }
}

impl Book<'_> {
    /// Gives every actor the highest LOD that its share pays, and returns what all of them cost, in
    /// nanoseconds.
    #[inline]
    pub fn assign(&mut self, scale: Scale) -> u64 {
        self.assigned = self.account.assign(scale, self.levels, self.fractions);
        self.assigned
    }

    /// Adds the bids of the actors with a benefit that are not at their highest level.
    ///
    /// `number` is that of the account.
    pub fn gather(&self, number: usize, bids: &mut Bids<'_>, stability: Stability) {
        let offers = self.offers(stability);
        let has_margin = offers.has_margin();
        let number = u16::try_from(number).unwrap_or(u16::MAX);
        bids.step(self.account.least_step());
        let fractions = self.fractions.iter().copied().chain(core::iter::repeat(0));
        let lods = self.levels.iter().zip(fractions);
        let lods = lods.map(|(&level, fraction)| Lod::new(level, fraction));
        let rows = self.account.rows().zip(lods).zip(self.ids).zip(0_u32..);
        for ((((ladder, benefit), lod), &id), row) in rows {
            let rest = ladder.maximum().saturating_sub(ladder.cost(lod));
            if rest > 0 && benefit > Benefit::ZERO {
                let benefit = if has_margin {
                    let offer = offers.of(row as usize);
                    offer.benefit_above(offer.rung(lod.level()))
                } else {
                    benefit
                };
                bids.push(Bid::new(benefit, id, number, row, rest));
            }
        }
    }

    /// Raises the LOD of a row as far as a pot pays, and returns the price; both in nanoseconds.
    pub fn raise(&mut self, row: usize, pot: u64) -> u64 {
        if self.account.continuous {
            return self.raise_to(row, pot, Lod::BEYOND);
        }
        let ladder = self.account.ladder_of(row);
        let Some(level) = self.levels.get_mut(row) else { return 0 };
        let (raised, price) = ladder.raise_whole(*level, pot);
        *level = raised;
        self.assigned = self.assigned.wrapping_add(price.into());
        price.into()
    }

    /// The same, and no higher than to a LOD.
    #[inline]
    pub(super) fn raise_to(&mut self, row: usize, pot: u64, most: Lod) -> u64 {
        let Some(level) = self.levels.get_mut(row) else { return 0 };
        let fraction = self.fractions.get_mut(row);
        let lod = Lod::new(*level, fraction.as_deref().copied().unwrap_or(0));
        let ladder = self.account.ladder_of(row);
        let (raised, price) = ladder.raise(lod, pot, self.account.continuous);
        let (raised, price) = if raised > most {
            let paid = u64::from(ladder.cost(lod));
            (most, u64::from(ladder.cost(most)).saturating_sub(paid))
        } else {
            (raised, price)
        };
        *level = raised.level();
        if let Some(fraction) = fraction {
            *fraction = raised.fraction();
        }
        self.assigned = self.assigned.wrapping_add(price);
        price
    }
}
