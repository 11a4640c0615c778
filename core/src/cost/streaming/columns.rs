//! Costs of many assets at once.

use super::{Lods, Streaming};
use crate::real::Real;

/// Assets as columns of equal length; excess rows are ignored.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct AssetColumns<'a, N, T> {
    /// Radii in metres.
    pub radius: &'a [N],
    /// For each LOD, sizes in bytes or [charged bytes](Streaming::charged_bytes).
    pub bytes: Lods<&'a [T]>,
}

impl<N: Copy, T: Copy> AssetColumns<'_, N, T> {
    #[inline(always)]
    #[allow(clippy::inline_always)] // compiled for the caller's vectors
    fn for_each(self, out: &mut [N], cost: impl Fn(N, Lods<T>) -> N) {
        let Lods { lowest, low, medium, high } = self.bytes;
        let lower = lowest.iter().zip(low);
        let higher = medium.iter().zip(high);
        let rows = self.radius.iter().zip(lower).zip(higher).zip(out);
        for (((&radius, (&lowest, &low)), (&medium, &high)), out) in rows {
            *out = cost(radius, Lods { lowest, low, medium, high });
        }
    }
}

impl<N: Real> Streaming<N> {
    /// Computes the [`cost`](Self::cost) of each asset, bit for bit.
    ///
    /// In `f32` the loop has no branch and one division for each asset, so compilers vectorize it.
    ///
    /// # Examples
    /// ```
    /// use lodger_core::cost::streaming::{AssetColumns, Lods, Rules, Streaming};
    ///
    /// let viewer = Streaming::<f32>::new(Rules::VIEWER)?;
    /// let bytes = Lods { lowest: &[500, 0][..], low: &[900, 0], medium: &[2000, 0], high: &[8000, 0] };
    /// let mut costs = [f32::NAN; 2];
    /// viewer.costs(AssetColumns { radius: &[1.5, 1.5], bytes }, &mut costs);
    /// let first = Lods { lowest: 500, low: 900, medium: 2000, high: 8000 };
    /// assert_eq!(costs, [viewer.cost(1.5, first), 0.0]);
    /// # Ok::<(), lodger_core::Error>(())
    /// ```
    #[inline(always)]
    #[allow(clippy::inline_always)] // compiled for the caller's vectors
    pub fn costs(&self, assets: AssetColumns<'_, N, i32>, out: &mut [N]) {
        // A copy: a write to `out` cannot change it.
        let streaming = *self;
        assets.for_each(out, |radius, bytes| streaming.cost(radius, bytes));
    }

    /// Computes [`costs`](Self::costs) from [charged bytes](Self::charged_bytes) that were computed
    /// when the assets were added: half of the work.
    #[inline(always)]
    #[allow(clippy::inline_always)] // compiled for the caller's vectors
    pub fn costs_of_charged(&self, assets: AssetColumns<'_, N, N::Square>, out: &mut [N]) {
        let streaming = *self;
        assets.for_each(out, |radius, charged| streaming.cost_of_charged(radius, charged));
    }
}
