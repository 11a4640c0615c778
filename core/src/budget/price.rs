//! What money is worth.

/// The price of a unit of money, in benefit times quality: a float of 24 bits that orders as its bits,
/// 7 of exponent and 17 of fraction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Price(u32);

const FRACTION: u32 = 17;
const BIAS: i32 = 40;

impl Price {
    /// Everything is worth it.
    pub const FREE: Self = Self(1);
    /// Nothing is.
    pub const MAX: Self = Self((1 << 24) - 1);

    /// From [`bits`](Self::bits); what is more than 24 bits is the greatest price.
    #[must_use]
    pub const fn from_bits(bits: u32) -> Self {
        if bits > Self::MAX.0 { Self::MAX } else { Self(bits) }
    }

    /// The bits, which order as prices do.
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// Benefit times quality for a nanosecond (or whatever the unit of money is); 0 where money is
    /// worth nothing, as everybody has the best level.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        if self <= Self::FREE {
            return 0.0;
        }
        let mantissa = 1 << FRACTION | self.0 & ((1 << FRACTION) - 1);
        let exponent = i64::from(self.0 >> FRACTION) - i64::from(BIAS) - i64::from(FRACTION) - 31;
        // A power of two within the normal range of f64, from its bits.
        let power = f64::from_bits(u64::try_from(exponent + 1_023).unwrap_or(0) << 52);
        f64::from(mantissa) * power
    }
}
