//! Animated mesh: the cost depends on triangles, not on size.

use super::{PerLod, StreamingModel};
use crate::real::{Real, Square};

/// A prim's role in a linkset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum LinksetPart {
    /// The prim that the others are linked to.
    Root,
    /// Any other prim.
    Child,
}

/// Returns the extra cost of an animated linkset's root, 15 for the skeleton.
///
/// # Source
/// Today's viewers.
#[must_use]
pub fn animated_root<N: Real>() -> N {
    N::narrow(N::Square::from_i32(15))
}

impl<N: Real> StreamingModel<N> {
    /// Returns an animated mesh's charged triangles: the high LOD's, and each lower LOD's excess over half of the next
    /// higher.
    ///
    /// # Formula
    /// charged = allowed = tris(high); for medium, low and lowest in turn, allowed = clamp(allowed/2, 64, tris), where
    /// 64 wins over fewer triangles, and charged += max(0, tris − allowed). 0 without a high LOD.
    ///
    /// # Source
    /// Today's viewers; no document.
    ///
    /// # Range and accuracy
    /// `f32`: relative 10⁻⁶; [`Fixed`](crate::Fixed): 2⁻¹⁶, saturating at 32 768.
    ///
    /// # Examples
    /// ```
    /// use lodger_core::cost::streaming::{PerLod, StreamingRules, StreamingModel};
    ///
    /// let viewer = StreamingModel::<f32>::new(StreamingRules::VIEWER)?;
    /// // 1000, 500, 250 and 125 triangles: every LOD has half of the next.
    /// let halved = PerLod { lowest: 2384, low: 4384, medium: 8384, high: 16_384 };
    /// assert_eq!(viewer.animated_triangles(halved), 1000.0);
    /// // Four times 1000: 500 are free for the next LOD, then 250, then 125.
    /// let equal = PerLod { high: 16_384, ..PerLod::default() };
    /// assert_eq!(viewer.animated_triangles(equal), 1000.0 + 500.0 + 750.0 + 875.0);
    /// # Ok::<(), lodger_core::ValueError>(())
    /// ```
    pub fn animated_triangles(&self, bytes: PerLod<i32>) -> N {
        N::narrow(self.charged_when_animated(bytes))
    }

    /// Computes the streaming cost of an animated mesh.
    ///
    /// # Formula
    /// 1.5 × 0.001 × [charged triangles](Self::animated_triangles), plus [15](animated_root) for the linkset's root.
    ///
    /// # Source
    /// Today's viewers; no document.
    ///
    /// # Range and accuracy
    /// `f32`: relative 10⁻⁶; [`Fixed`](crate::Fixed): 2⁻¹⁶, saturating at 32 768.
    ///
    /// # Examples
    /// ```
    /// use lodger_core::cost::streaming::{LinksetPart, PerLod, StreamingRules, StreamingModel};
    ///
    /// let viewer = StreamingModel::<f32>::new(StreamingRules::VIEWER)?;
    /// let halved = PerLod { lowest: 2384, low: 4384, medium: 8384, high: 16_384 };
    /// assert_eq!(viewer.animated_cost(halved, LinksetPart::Root), 16.5);
    /// # Ok::<(), lodger_core::ValueError>(())
    /// ```
    pub fn animated_cost(&self, bytes: PerLod<i32>, part: LinksetPart) -> N {
        const PER_TRIANGLE: f64 = 1.5 * 0.001;
        let cost = self.charged_when_animated(bytes) * N::Square::from_f64(PER_TRIANGLE);
        match part {
            LinksetPart::Root => N::narrow(cost) + animated_root(),
            LinksetPart::Child => N::narrow(cost),
        }
    }

    fn charged_when_animated(&self, bytes: PerLod<i32>) -> N::Square {
        /// Free triangles of every LOD.
        const FLOOR: i32 = 64;
        let PerLod { lowest, low, medium, high } = self.charged_triangles(bytes);
        let (mut charged, mut allowed) = (high, high);
        for triangles in [medium, low, lowest] {
            let half = allowed * N::Square::from_f64(0.5);
            allowed = half.at_most(triangles).at_least(N::Square::from_i32(FLOOR));
            if triangles > allowed {
                charged = charged + (triangles - allowed);
            }
        }
        charged
    }
}
