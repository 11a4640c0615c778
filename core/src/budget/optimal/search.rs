//! The least price at which everything fits.

use crate::budget::price::Price;

const STRIDE: u32 = 3;

/// Returns the least price, from [`Price::MIN`] on, at which the cost is at most `limit`. It is unique, as costs do not
/// rise with the price and fit at [`Price::MAX`]. From the previous price it takes two passes if nothing changed; without
/// one, some 24.
pub(super) fn least_price(
    start: Option<Price>,
    limit: u64,
    mut cost: impl FnMut(Price) -> u64,
) -> Price {
    let mut fits = |bits: u32| cost(Price::from_bits(bits)) <= limit;
    let (least, most) = (Price::MIN.bits(), Price::MAX.bits());
    // The price lies above `low` and is at most `high`.
    let (mut low, mut high) = (least.wrapping_sub(1), most);
    if let Some(start) = start {
        let (start, mut step) = (start.bits().max(least), 1_u32);
        if fits(start) {
            high = start;
            loop {
                let next = start.saturating_sub(step);
                if next == low || !fits(next) {
                    low = next;
                    break;
                }
                high = next;
                step <<= STRIDE;
            }
        } else {
            low = start;
            loop {
                let next = start.saturating_add(step);
                if next >= high {
                    break;
                }
                if fits(next) {
                    high = next;
                    break;
                }
                low = next;
                step <<= STRIDE;
            }
        }
    } else if fits(least) {
        return Price::MIN;
    } else {
        low = least;
    }
    while high.wrapping_sub(low) > 1 {
        let middle = low.wrapping_add(high.wrapping_sub(low) >> 1);
        if fits(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    Price::from_bits(high)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn warm_and_cold_find_the_same_price(least in 1_u32..1 << 24, start in 0_u32..1 << 24, far in -200_i32..200) {
            let mut passes = 0;
            let mut search = |start| {
                least_price(start, 7, |price| {
                    passes += 1;
                    if price.bits() >= least { 7 } else { 8 }
                })
            };
            let near = least.saturating_add_signed(far).min(Price::MAX.bits());
            for start in [None, Some(least), Some(near), Some(start)] {
                prop_assert_eq!(search(start.map(Price::from_bits)).bits(), least);
            }
        }
    }

    #[test]
    fn closer_previous_prices_take_fewer_passes() {
        let passes = |start: Option<u32>, least: u32| {
            let mut passes = 0;
            least_price(start.map(Price::from_bits), 7, |price| {
                passes += 1;
                if price.bits() >= least { 7 } else { 8 }
            });
            passes
        };
        let price = 1 << 23;
        assert!(passes(None, price) <= 25);
        assert_eq!(passes(Some(price), price), 2);
        assert_eq!(passes(Some(1), 1), 1);
        assert!((-8..8).all(|by| passes(Some(price.saturating_add_signed(by)), price) <= 6));
        assert!((-500..500).all(|by| passes(Some(price.saturating_add_signed(by)), price) <= 14));
    }
}
