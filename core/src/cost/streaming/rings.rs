//! The rings around an object: the distances and the area at which each LOD is shown.

use super::{Lods, RATIOS, Streaming, shares};
use crate::real::{Real, Square};

impl<N: Real> Streaming<N> {
    /// Returns the distance in metres at which each LOD begins to be shown.
    ///
    /// # Formula
    /// min(radius / {0.03, 0.06, 0.24}, maximum distance) for lowest, low and medium; 0 for high.
    ///
    /// # Source
    /// Streaming cost document, LOD transition distances.
    ///
    /// # Range and accuracy
    /// `f32`: relative 10⁻⁶; [`Fixed`](crate::Fixed): 2⁻¹⁶.
    ///
    /// # Examples
    /// ```
    /// use lodger_core::cost::streaming::{Rules, Streaming};
    ///
    /// // The document prints these as 42, 166.67 and 333.3 m.
    /// let begin = Streaming::<f64>::new(Rules::VIEWER)?.transition_distances(10.0);
    /// assert!((begin.medium - 41.67).abs() < 0.005);
    /// assert!((begin.low - 166.67).abs() < 0.005);
    /// assert!((begin.lowest - 333.33).abs() < 0.005);
    /// assert_eq!(begin.high, 0.0);
    /// # Ok::<(), lodger_core::Error>(())
    /// ```
    pub fn transition_distances(&self, radius: N) -> Lods<N> {
        let horizon = N::Square::from_f64(self.rules.max_distance);
        let [lowest, low, medium] = RATIOS.map(|ratio| {
            let distance = radius.widen() / N::Square::from_f64(ratio);
            if radius > N::ZERO { N::narrow(distance.at_most(horizon)) } else { N::ZERO }
        });
        Lods { lowest, low, medium, high: N::ZERO }
    }

    /// Returns the area in which each LOD is relevant, in square metres, before normalisation.
    ///
    /// # Formula
    /// high = min(π·d₃², A), mid = min(π·d₂², A), low = min(π·d₁², A), lowest = A; from each the
    /// next higher is subtracted, and none is below 1 m². (That none exceeds A follows.) A is the
    /// rules' maximum area; d₁, d₂ and d₃ are the
    /// [`transition_distances`](Self::transition_distances) of lowest, low and medium.
    ///
    /// # Source
    /// Streaming cost document, implementation.
    ///
    /// # Range and accuracy
    /// `f32`: 5·10⁻⁷ of the greatest circle.
    ///
    /// # Examples
    /// ```
    /// use lodger_core::cost::streaming::{Rules, Streaming};
    ///
    /// let viewer = Streaming::<f64>::new(Rules::VIEWER)?;
    /// // π·(0.24 m / 0.24)² for the high LOD; the ring around it reaches to 4 m.
    /// let areas = viewer.areas(0.24);
    /// assert!((areas.high - core::f64::consts::PI).abs() < 1e-9);
    /// assert!((areas.medium - 15.0 * core::f64::consts::PI).abs() < 1e-9);
    /// # Ok::<(), lodger_core::Error>(())
    /// ```
    #[inline]
    pub fn areas(&self, radius: N) -> Lods<N::Square> {
        let radius_sq = radius.square();
        // π·d² with d = r/ratio is a multiple of r²; both limits have become one.
        let [lowest, low, medium] =
            self.circles.map(|circle| (circle * radius_sq).at_most(self.full));
        let rings = Lods {
            lowest: self.max_area - lowest,
            low: lowest - low,
            medium: low - medium,
            high: medium,
        };
        rings.map(|area| area.at_least(N::ONE.widen()))
    }

    /// Returns the [`areas`](Self::areas) divided by their sum.
    pub fn area_shares(&self, radius: N) -> Lods<N> {
        shares(self.areas(radius))
    }
}
