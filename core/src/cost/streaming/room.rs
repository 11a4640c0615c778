//! The bytes that an asset may have for a given cost.

use super::curve::greatest_within;
use super::{Lods, MeshLod, Streaming};
use crate::real::Real;

impl<N: Real> Streaming<N> {
    /// Returns the bytes that each LOD may have, with the others unchanged, for a cost of at most
    /// `limit`; `None` if even one byte exceeds it.
    ///
    /// A missing LOD keeps following the next higher one. Without a high LOD the cost is 0, and the
    /// lower LODs may have any size.
    ///
    /// # Range and accuracy
    /// Exact: the cost with that many bytes, in the same number type, is within the limit, and with
    /// one byte more it is not. Sizes below discount and minimum together cost the same.
    ///
    /// # Examples
    /// ```
    /// use lodger_core::cost::streaming::{Lods, Rules, Streaming};
    ///
    /// let viewer = Streaming::<f32>::new(Rules::VIEWER)?;
    /// let bytes = Lods { lowest: 600, low: 1500, medium: 5000, high: 20_000 };
    /// let room = viewer.room(1.0, bytes, 2.0);
    /// let Some(high) = room.high else { panic!() };
    /// assert!(viewer.cost(1.0, Lods { high, ..bytes }) <= 2.0);
    /// assert!(viewer.cost(1.0, Lods { high: high + 1, ..bytes }) > 2.0);
    /// # Ok::<(), lodger_core::Error>(())
    /// ```
    pub fn room(&self, radius: N, bytes: Lods<i32>, limit: N) -> Lods<Option<i32>> {
        let [lowest, low, medium, high] = MeshLod::ALL
            .map(|lod| greatest_within(|size| self.cost(radius, bytes.with(lod, size)) <= limit));
        Lods { lowest, low, medium, high }
    }

    /// Scales the sizes of all LODs by the same factor, so that the cost is as near to `limit` as
    /// possible without exceeding it; `None` if no size is small enough.
    ///
    /// # Range and accuracy
    /// Factors are multiples of 2⁻¹⁶ below 32 768, sizes are rounded down, and a LOD that is present
    /// keeps at least one byte. The cost, in the same number type, is within the limit.
    ///
    /// # Examples
    /// ```
    /// use lodger_core::cost::streaming::{Lods, Rules, Streaming};
    ///
    /// let viewer = Streaming::<f32>::new(Rules::VIEWER)?;
    /// let bytes = Lods { lowest: 1000, low: 2000, medium: 4000, high: 8000 };
    /// let Some(half) = viewer.resized(3.0, bytes, viewer.cost(3.0, bytes) / 2.0) else { panic!() };
    /// assert!(half.high < 8000 && half.high > 4000, "the discount does not shrink");
    /// # Ok::<(), lodger_core::Error>(())
    /// ```
    pub fn resized(&self, radius: N, bytes: Lods<i32>, limit: N) -> Option<Lods<i32>> {
        let by = |factor| bytes.map(|size| times_q16(size, factor));
        greatest_within(|factor| self.cost(radius, by(factor)) <= limit).map(by)
    }
}

/// Returns `size · factor / 2^16` rounded down, from 1 to the greatest size; 0 for a missing LOD.
fn times_q16(size: i32, factor: i32) -> i32 {
    if size <= 0 {
        return 0;
    }
    let product = i64::from(size).wrapping_mul(factor.into()) >> 16;
    i32::try_from(product).unwrap_or(i32::MAX).max(1)
}
