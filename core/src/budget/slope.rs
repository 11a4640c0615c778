use super::price::Price;
use super::rate::UNREACHABLE;
use super::scale::{Scale, fraction_by_halves, quotient_by_bits};
use super::work::Quality;
use crate::benefit::Benefit;
use crate::fixed::leading_zeros;
use crate::product::{product_of_24, short_product};
use crate::target::IS_SMALLEST;

/// The quality for a unit of cost along a ladder's upper hull, at one level; rounded down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Slope {
    /// Its highest bit is set, except for a step without quality.
    mantissa: u32,
    exponent: i16,
}

/// The greatest shift: prices have 18 bits and products 56.
const MAX_SHIFT: u32 = 38;

impl Slope {
    /// The slope of a step without quality, or beyond the whole budget: no price takes it.
    pub const NEVER: Self = Self { mantissa: 0, exponent: 0 };

    fn of(gain: u32, cost: u32) -> Self {
        if gain == 0 || cost == 0 {
            return Self::NEVER;
        }
        let (up, down) = (gain.leading_zeros(), cost.leading_zeros());
        let (gain, cost) = (gain.wrapping_shl(up), u64::from(cost.wrapping_shl(down)));
        // Both have their highest bits set; a quotient of 1 or more is halved.
        let halved = u64::from(gain) >= cost;
        let cost = if halved { cost << 1 } else { cost };
        let quotient = Scale::fitting(gain.into(), cost).bits();
        let exponent = down.cast_signed().wrapping_sub(up.cast_signed()).wrapping_sub(32);
        Self {
            mantissa: u32::try_from(quotient).unwrap_or(u32::MAX),
            exponent: i16::try_from(exponent.wrapping_add(halved.into())).unwrap_or(0),
        }
    }

    pub(super) fn between(costs: &[u32], qualities: &[Quality], from: usize, to: usize) -> Self {
        let rise = |a: u32, b: u32| b.saturating_sub(a);
        let cost = |level_index| costs.get(level_index).copied().unwrap_or(0);
        Self::of(rise(quality(qualities, from), quality(qualities, to)), rise(cost(from), cost(to)))
    }

    /// Returns the price at which a step breaks even for an actor's benefit, rounded down.
    #[cfg_attr(not(all(target_arch = "arm", not(target_has_atomic = "32"))), inline)]
    #[cfg_attr(all(target_arch = "arm", not(target_has_atomic = "32")), inline(never))]
    pub(super) fn worth(self, benefit: Benefit) -> Price {
        let zeros = leading_zeros(benefit.bits()).wrapping_sub(8);
        // From 1 to 4, in 2⁻³⁰. The low half of the product is less than the last bit of the price.
        let product_q30 = product_of_24(benefit.bits().wrapping_shl(zeros), self.mantissa);
        if product_q30 == 0 {
            return Price::BELOW_MIN;
        }
        let carry = product_q30 >> 31;
        let exponent = i32::from(self.exponent).wrapping_add(54).wrapping_sub(zeros.cast_signed());
        Price::of_mantissa(
            product_q30.wrapping_shl(1_u32.wrapping_sub(carry)),
            exponent.wrapping_add(carry.cast_signed()),
        )
    }

    /// Returns the least benefit at which the step is worth the price, or [`UNREACHABLE`].
    #[inline(never)]
    pub(super) fn threshold(self, price: Price) -> u32 {
        let (mantissa, exponent) = price.parts();
        let up = u32::try_from(exponent.wrapping_sub(self.exponent.into()));
        match up {
            _ if self.mantissa == 0 => UNREACHABLE,
            Ok(up) if up > MAX_SHIFT => UNREACHABLE,
            // A mantissa of 18 bits and 13 more is still less than the divisor.
            Ok(up) => quotient(mantissa << 13, self.mantissa, up.saturating_sub(13)),
            // Any product above 0 has at least 32 bits.
            Err(_) => 1,
        }
    }

    /// Computes a slope for each cost: of the upper hull's step that leads to the level or passes over it. Slopes do not
    /// increase. `spare` is the budget beyond the lowest level, in nanoseconds: more expensive levels are on no hull.
    pub(super) fn along(costs: &[u32], qualities: &[Quality], spare: u32, slopes: &mut [Self]) {
        slopes.fill(Self::NEVER);
        let lowest = costs.first().copied().unwrap_or(0);
        let end = costs.iter().take_while(|&&cost| cost.saturating_sub(lowest) <= spare).count();
        let costs = costs.get(..end).unwrap_or(costs);
        let mut from = base(costs);
        while let Some(to) = next_of_hull(costs, qualities, from) {
            let slope = Self::between(costs, qualities, from, to);
            let steps = slopes.get_mut(from.wrapping_add(1)..=to).unwrap_or_default();
            steps.fill(slope);
            from = to;
        }
    }
}

/// Returns `part` · 2^`bits` / `whole`, rounded up, for `part` < `whole`, of which the highest bit is set, and at most 25
/// bits.
fn quotient(part: u32, whole: u32, bits: u32) -> u32 {
    if IS_SMALLEST {
        let (quotient, rest) = quotient_by_bits(part, whole, bits);
        quotient.wrapping_add(u32::from(rest > 0))
    } else {
        quotient_by_halves(part, whole, bits)
    }
}

fn quotient_by_halves(part: u32, whole: u32, bits: u32) -> u32 {
    let quotient = u64::from(fraction_by_halves(part, whole)) >> 32_u32.wrapping_sub(bits);
    let exact = u64::from(part) << bits;
    let rounds_up = quotient.wrapping_mul(whole.into()) < exact;
    u32::try_from(quotient).unwrap_or(u32::MAX).wrapping_add(rounds_up.into())
}

#[inline]
pub(super) fn base(costs: &[u32]) -> usize {
    let Some((lowest, others)) = costs.split_first() else { return 0 };
    others.iter().take_while(|&cost| cost == lowest).count()
}

/// Returns a level's quality, in 2⁻¹⁵.
#[inline]
pub(super) fn quality(qualities: &[Quality], level_index: usize) -> u32 {
    qualities.get(level_index).map_or(0, |quality| quality.bits().into())
}

/// Returns the hull's next vertex: the greatest quality for its cost, of equal ones the last.
fn next_of_hull(costs: &[u32], qualities: &[Quality], from: usize) -> Option<usize> {
    let (paid, had) = (costs.get(from).copied()?, quality(qualities, from));
    let mut best: Option<(usize, u32, u32)> = None;
    for (to, &cost) in costs.iter().enumerate().skip(from.wrapping_add(1)) {
        let (gain, price) = (quality(qualities, to).saturating_sub(had), cost.saturating_sub(paid));
        let is_better = best.is_none_or(|(_, best_gain, best_price)| {
            short_product(best_price, gain) >= short_product(price, best_gain)
        });
        if gain > 0 && price > 0 && is_better {
            best = Some((to, gain, price));
        }
    }
    best.map(|(to, ..)| to)
}

/// The slopes of a module's ladders, parallel to their costs, in the caller's memory.
///
/// A level beyond the budget is on no hull, so slopes are recomputed when the budget leaves the range that they are
/// valid for.
#[derive(Debug, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Slopes<'a> {
    /// A place for each cost; may be empty unless the policy is optimal.
    pub of_costs: &'a mut [Slope],
    /// The budgets for which they are valid; kept from frame to frame.
    pub valid_for: SlopeRange,
}

/// The range of budgets for which slopes are valid. Set the default, which is empty, after a change of a ladder, cost
/// or quality.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct SlopeRange {
    least: u32,
    greatest: u32,
}

impl Default for SlopeRange {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl SlopeRange {
    /// No budget.
    pub const EMPTY: Self = Self { least: u32::MAX, greatest: 0 };
    pub(super) const ANY: Self = Self { least: 0, greatest: u32::MAX };

    pub(super) fn holds(self, spare: u32) -> bool {
        (self.least..=self.greatest).contains(&spare)
    }

    pub(super) fn and(self, other: Self) -> Self {
        Self { least: self.least.max(other.least), greatest: self.greatest.min(other.greatest) }
    }

    pub(super) fn of(costs: &[u32], spare: u32) -> Self {
        let lowest = costs.first().copied().unwrap_or(0);
        costs.iter().fold(Self::ANY, |range, cost| {
            let more = cost.saturating_sub(lowest);
            range.and(if more <= spare {
                Self { least: more, ..Self::ANY }
            } else {
                Self { greatest: more.wrapping_sub(1), ..Self::ANY }
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use proptest::prelude::*;

    use super::*;

    fn ladder() -> impl Strategy<Value = (Vec<u32>, Vec<Quality>)> {
        let costs = prop_oneof![
            prop::collection::vec(0_u32..40, 1..12),
            prop::collection::vec(any::<u32>(), 1..12),
        ];
        costs.prop_flat_map(|mut costs| {
            costs.sort_unstable();
            let qualities = prop::collection::vec(0_u16..=1 << 15, costs.len());
            (Just(costs), qualities).prop_map(|(costs, mut qualities)| {
                qualities.sort_unstable();
                (costs, qualities.into_iter().map(Quality::from_bits).collect())
            })
        })
    }

    proptest! {
        #[test]
        fn a_slope_is_a_quotient_rounded_down(gain in 1_u32..=1 << 15, cost: u32, zeros in 0_u32..32) {
            let cost = (cost >> zeros).max(1);
            let slope = Slope::of(gain, cost);
            prop_assert!(slope.mantissa >> 31 == 1);
            let got = f64::from(slope.mantissa) * 2_f64.powi(slope.exponent.into());
            let exact = f64::from(gain) / f64::from(cost);
            prop_assert!(got <= exact * (1.0 + 1e-15) && got > exact * (1.0 - 1.0 / f64::from(1 << 30)));
        }

        #[test]
        fn quotients_are_equal(part: u32, whole: u32, zeros in 0..32, bits in 0_u32..=25) {
            let whole = whole | 1 << 31;
            for part in [part >> 1, part >> 1 >> zeros, whole - 1, 0] {
                let (product, divisor) = (u64::from(part) << bits, u64::from(whole));
                let (quotient, rest) = quotient_by_bits(part, whole, bits);
                prop_assert_eq!(u64::from(quotient), product / divisor);
                prop_assert_eq!(u64::from(rest), product % divisor);
                let rounded_up = u64::from(quotient_by_halves(part, whole, bits));
                prop_assert_eq!(rounded_up, product.div_ceil(divisor));
            }
        }

        #[test]
        fn worth_and_threshold_agree(
            gain in 0_u32..=1 << 15, cost: u32, zeros in 0_u32..32, benefit in 0_u32..1 << 24, shift in 0_u32..24, near in -2_i32..3, any in 1_u32..1 << 24,
        ) {
            let slope = Slope::of(gain, (cost >> zeros).max(1));
            let (benefit, of) = (benefit >> shift, Benefit::from_bits);
            let close = slope.worth(of(benefit)).bits().saturating_add_signed(near).clamp(1, (1 << 24) - 1);
            for price in [Price::from_bits(close), Price::from_bits(any), Price::MIN, Price::MAX] {
                let threshold = slope.threshold(price);
                for benefit in [benefit, threshold.min(1 << 24) - 1, threshold.min((1 << 24) - 1)] {
                    let is_worth = slope.worth(of(benefit)) >= price;
                    let product = u64::from(benefit) * u64::from(slope.mantissa);
                    prop_assert_eq!(Price::rounded_down(product, slope.exponent.into()) >= price, is_worth);
                    prop_assert_eq!(benefit >= threshold, is_worth);
                }
            }
        }

        #[test]
        fn slopes_equal_the_upper_hull((costs, qualities) in ladder(), spare: u32, zeros in 0_u32..32) {
            let spare = spare >> zeros;
            let mut slopes = std::vec![Slope::default(); costs.len()];
            Slope::along(&costs, &qualities, spare, &mut slopes);
            let number = |slope: Slope| f64::from(slope.mantissa) * 2_f64.powi(slope.exponent.into());
            let end = costs.iter().filter(|&&cost| cost - costs[0] <= spare).count();
            let base = base(&costs);
            let level_indices = base..end;
            prop_assert!(slopes[base + 1..].is_sorted_by(|a, b| number(*a) >= number(*b)));
            prop_assert!(slopes[end..].iter().all(|&slope| slope == Slope::NEVER));
            // The hull is never below a point, and ends at the best.
            let mut height = f64::from(qualities[base].bits());
            for level_index in level_indices.skip(1) {
                height += number(slopes[level_index]) * f64::from(costs[level_index] - costs[level_index - 1]);
                prop_assert!(height >= f64::from(qualities[level_index].bits()) * (1.0 - 1e-6));
            }
            prop_assert!(height <= f64::from(qualities[end - 1].bits()) * (1.0 + 1e-6));
        }

        #[test]
        fn slopes_are_valid_while_the_same_levels_are_affordable(
            (costs, _) in ladder(), spare: u32, other: u32, zeros in 0_u32..32,
        ) {
            let (spare, other) = (spare >> zeros, other >> zeros);
            let made = SlopeRange::of(&costs, spare);
            let within = |spare| costs.iter().filter(|&&cost| cost - costs[0] <= spare).count();
            prop_assert!(made.holds(spare));
            prop_assert_eq!(made.holds(other), within(other) == within(spare));
            prop_assert!(!SlopeRange::default().holds(other));
        }
    }
}
