//! Streaming cost: the bytes of a mesh asset's LODs, weighted by the area in which each is shown.
//!
//! Four rings surround an object, one for each LOD; the larger the object, the wider the finer LODs' rings. [`StreamingRules`]
//! are the constants of [`StreamingModel`].
//!
//! Source: streaming cost document. Its listing counts where its prose differs: 512 m in place of 256 m as the end of the
//! rings, and 0.06 in place of the example's 0.24 for the medium LOD.

mod animated;
mod curve;
mod lods;
mod rules;

pub use animated::{LinksetPart, animated_root};
pub use curve::{BreakPoints, Reach};
pub use lods::{MeshLod, PerLod};
pub use rules::StreamingRules;

use super::PrimKind;
use crate::error::ValueError;
use crate::real::{Real, Square};

/// Ratios of radius to distance at which the lowest, low and medium LOD begin. Streaming cost document, LOD transition
/// distances.
const RATIOS: [f64; 3] = [0.03, 0.06, 0.24];

/// The cost of a region's triangle budget. Streaming cost document, implementation: the last factor.
const COST_OF_A_FULL_BUDGET: f64 = 15_000.0;

/// [`StreamingRules`], prepared for a number type.
///
/// A radius is half the length of the object's scale in metres ([`ObjectScale::radius`](super::ObjectScale::radius));
/// the cost is 0 if it is negative or NaN.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct StreamingModel<N: Real> {
    rules: StreamingRules,
    discount: i32,
    minimum_size: N::Square,
    /// π/ratio² of the [`RATIOS`].
    circles: [N::Square; 3],
    /// The largest circle, in square metres.
    full: N::Square,
    max_area: N::Square,
    /// The cost of a byte shown in the whole region.
    per_byte: N::Square,
}

impl<N: Real> StreamingModel<N> {
    /// Checks and prepares the rules.
    ///
    /// # Errors
    /// The errors of [`StreamingRules::check`].
    pub fn new(rules: StreamingRules) -> Result<Self, ValueError> {
        rules.check()?;
        let circle = |ratio: f64| N::Square::from_f64(core::f64::consts::PI / (ratio * ratio));
        let horizon = core::f64::consts::PI * rules.max_distance * rules.max_distance;
        let budget = f64::from(rules.triangle_budget) * f64::from(rules.bytes_per_triangle);
        Ok(Self {
            rules,
            discount: i32::try_from(rules.discount).unwrap_or(i32::MAX),
            minimum_size: super::wide::<N>(rules.minimum_size),
            circles: RATIOS.map(circle),
            full: N::Square::from_f64(horizon.lesser(rules.max_area)),
            max_area: N::Square::from_f64(rules.max_area),
            per_byte: N::Square::from_f64(
                COST_OF_A_FULL_BUDGET * rules.static_mesh_factor / budget,
            ),
        })
    }

    /// Returns the rules.
    pub fn rules(&self) -> &StreamingRules {
        &self.rules
    }

    /// Computes the streaming cost of a mesh asset that is not animated.
    ///
    /// # Formula
    /// Σ tris·area / triangle budget × 15 000 × the rules' factor for static mesh, with the
    /// [`triangles`](Self::triangles) and [`area_shares`](Self::area_shares) of each LOD; 0 without a high LOD.
    ///
    /// # Source
    /// Streaming cost document, implementation.
    ///
    /// # Range and accuracy
    /// With T the greatest `tris`, `f32`: 10⁻⁶ · T · 15 000/triangle budget; [`Fixed`](crate::Fixed): 10⁻³ in place of
    /// 10⁻⁶, at best 2⁻¹⁷, saturating at 32 768. Areas cancel near the [break points](Self::break_points), hence no
    /// relative promise.
    ///
    /// # Examples
    /// ```
    /// use lodger_core::cost::streaming::{PerLod, StreamingRules, StreamingModel};
    ///
    /// let viewer = StreamingModel::<f64>::new(StreamingRules::VIEWER)?;
    /// // Only a high LOD: its 1000 triangles are shown everywhere.
    /// let high_only = PerLod { high: 16_384, ..PerLod::default() };
    /// assert!((viewer.cost(10.0, high_only) - 60.0).abs() < 1e-9);
    /// // The same bytes for every LOD cost the same, with four times the bandwidth (§Issues).
    /// let all = PerLod { lowest: 16_384, low: 16_384, medium: 16_384, high: 16_384 };
    /// assert_eq!(viewer.cost(10.0, all), viewer.cost(10.0, high_only));
    /// assert_eq!(all.bytes_total(), 4 * high_only.bytes_total());
    /// # Ok::<(), lodger_core::ValueError>(())
    /// ```
    #[inline]
    pub fn cost(&self, radius: N, bytes: PerLod<i32>) -> N {
        let cost = self.cost_of_charged(radius, self.charged(bytes));
        if bytes.high > 0 { cost } else { N::ZERO }
    }

    /// Computes the [`cost`](Self::cost) from [`charged_bytes`](Self::charged_bytes).
    #[inline]
    pub fn cost_of_charged(&self, radius: N, charged: PerLod<N::Square>) -> N {
        let cost = N::narrow(self.mean(radius, charged) * self.per_byte);
        if radius >= N::ZERO { cost } else { N::ZERO }
    }

    /// Computes the capped cost of a plain or sculpted prim from its triangles, without the factor for static mesh.
    ///
    /// # Source
    /// Streaming cost document, equation: capped at 1.0 for traditional, 2.0 for sculpted prims.
    ///
    /// # Examples
    /// ```
    /// use lodger_core::cost::{PrimKind, streaming::{PerLod, StreamingRules, StreamingModel}};
    ///
    /// let viewer = StreamingModel::<f32>::new(StreamingRules::VIEWER)?;
    /// let sphere = PerLod { lowest: 200, low: 800, medium: 3200, high: 12_800 };
    /// assert_eq!(viewer.prim_cost(PrimKind::Plain, 10.0, sphere), 1.0);
    /// assert_eq!(viewer.prim_cost(PrimKind::Sculpted, 10.0, sphere), 2.0);
    /// # Ok::<(), lodger_core::ValueError>(())
    /// ```
    pub fn prim_cost(&self, kind: PrimKind, radius: N, triangles: PerLod<i32>) -> N {
        let triangles = triangles.map(|count| N::Square::from_i32(count.max(0)));
        let per_triangle = N::Square::from_f64(COST_OF_A_FULL_BUDGET)
            / super::wide::<N>(self.rules.triangle_budget);
        let cost = N::narrow(self.mean(radius, triangles) * per_triangle);
        if radius >= N::ZERO { capped(kind, cost) } else { N::ZERO }
    }

    /// Computes the document's equation, without the implementation's refinements.
    ///
    /// # Formula
    /// (Σ area/total area · bytes) · `cost_scalar`, with the [`areas`](Self::areas) and the bytes after
    /// [substitution](PerLod::substituted), without discount or least size; 0 without a high LOD.
    ///
    /// # Source
    /// Streaming cost document, equation, computing cost.
    ///
    /// # Range and accuracy
    /// With B the greatest size, `f32`: 10⁻⁶ · B · scalar; [`Fixed`](crate::Fixed): 10⁻⁶ · B · scalar + 2⁻¹⁷. Q16.16
    /// holds a scalar such as 3/800 to 10⁻³ only.
    ///
    /// # Examples
    /// ```
    /// use lodger_core::cost::streaming::{PerLod, StreamingRules, StreamingModel};
    ///
    /// let viewer = StreamingModel::<f32>::new(StreamingRules::VIEWER)?;
    /// let bytes = PerLod { lowest: 0, low: 0, medium: 0, high: 4000 };
    /// assert!((viewer.area_form(10.0, bytes, 0.5) - 2000.0).abs() < 1e-3);
    /// # Ok::<(), lodger_core::ValueError>(())
    /// ```
    pub fn area_form(&self, radius: N, bytes: PerLod<i32>, cost_scalar: N) -> N {
        let counts = radius >= N::ZERO && cost_scalar.is_finite() && cost_scalar > N::ZERO;
        if bytes.high <= 0 || !counts {
            return N::ZERO;
        }
        let sizes = bytes.substituted().map(N::Square::from_i32);
        N::narrow(self.mean(radius, sizes) * cost_scalar.widen())
    }

    /// Returns each LOD's charged triangles; 0 without a high LOD.
    ///
    /// # Formula
    /// max(bytes − discount, minimum size) / bytes per triangle, after [substitution](PerLod::substituted).
    ///
    /// # Source
    /// Streaming cost document, implementation.
    ///
    /// # Range and accuracy
    /// `f32`: relative 10⁻⁶; [`Fixed`](crate::Fixed): 2⁻¹⁶, saturating at 32 768.
    ///
    /// # Examples
    /// ```
    /// use lodger_core::cost::streaming::{PerLod, StreamingRules, StreamingModel};
    ///
    /// let sizes = PerLod { lowest: 100, low: 1000, medium: 0, high: 16_384 };
    /// let triangles = StreamingModel::<f32>::new(StreamingRules::VIEWER)?.triangles(sizes);
    /// assert_eq!(triangles, PerLod { lowest: 1.0, low: 38.5, medium: 1000.0, high: 1000.0 });
    /// # Ok::<(), lodger_core::ValueError>(())
    /// ```
    pub fn triangles(&self, bytes: PerLod<i32>) -> PerLod<N> {
        self.charged_triangles(bytes).map(N::narrow)
    }

    /// Returns each LOD's share of the cost; they total 1, or are 0 for a cost of 0.
    ///
    /// # Formula
    /// tris·area of the LOD over Σ tris·area.
    ///
    /// # Examples
    /// ```
    /// use lodger_core::cost::streaming::{PerLod, StreamingRules, StreamingModel};
    ///
    /// let viewer = StreamingModel::<f32>::new(StreamingRules::VIEWER)?;
    /// // An object of 100 m shows nothing but its high LOD.
    /// let sizes = PerLod { lowest: 1000, low: 2000, medium: 4000, high: 8000 };
    /// assert!(viewer.cost_shares(50.0, sizes).high > 0.99);
    /// # Ok::<(), lodger_core::ValueError>(())
    /// ```
    pub fn cost_shares(&self, radius: N, bytes: PerLod<i32>) -> PerLod<N> {
        let none = N::Square::default();
        let parts = self.areas(radius).zip(self.charged_bytes(bytes), |area, size| area * size);
        shares(parts.map(|part| if radius >= N::ZERO { part } else { none }))
    }

    /// Returns each LOD's charged bytes; 0 without a high LOD. They depend on the asset alone, so a scene computes them once.
    ///
    /// # Formula
    /// max(bytes − discount, minimum size), after [substitution](PerLod::substituted).
    ///
    /// # Source
    /// Streaming cost document, implementation.
    pub fn charged_bytes(&self, bytes: PerLod<i32>) -> PerLod<N::Square> {
        let none = N::Square::default();
        self.charged(bytes).map(|size| if bytes.high > 0 { size } else { none })
    }

    /// [`charged_bytes`](Self::charged_bytes) of assets with a high LOD.
    #[inline]
    fn charged(&self, bytes: PerLod<i32>) -> PerLod<N::Square> {
        bytes.substituted().map(|size| {
            N::Square::from_i32(size.wrapping_sub(self.discount)).at_least(self.minimum_size)
        })
    }

    fn charged_triangles(&self, bytes: PerLod<i32>) -> PerLod<N::Square> {
        let per_triangle = super::wide::<N>(self.rules.bytes_per_triangle);
        self.charged_bytes(bytes).map(|size| size / per_triangle)
    }

    #[inline]
    fn mean(&self, radius: N, amounts: PerLod<N::Square>) -> N::Square {
        let areas = self.areas(radius);
        areas.zip(amounts, |area, amount| area * amount).sum() / areas.sum()
    }
}

fn shares<S: Square, N: Real<Square = S>>(parts: PerLod<S>) -> PerLod<N> {
    let total = parts.sum();
    parts.map(|part| if total > S::default() { N::narrow(part / total) } else { N::ZERO })
}

/// Caps a prim's streaming cost: 1.0 for a plain, 2.0 for a sculpted prim, under the new accounting.
///
/// # Source
/// Streaming cost document, equation.
///
/// # Examples
/// ```
/// use lodger_core::cost::{PrimKind, streaming::capped};
///
/// assert_eq!(capped(PrimKind::Plain, 7.5_f32), 1.0);
/// assert_eq!(capped(PrimKind::Sculpted, 7.5_f32), 2.0);
/// assert_eq!(capped(PrimKind::Mesh, 7.5_f32), 7.5);
/// ```
pub fn capped<N: Real>(kind: PrimKind, cost: N) -> N {
    let cost = if cost > N::ZERO { cost } else { N::ZERO };
    match kind {
        PrimKind::Plain => cost.lesser(N::ONE),
        PrimKind::Sculpted => cost.lesser(N::ONE + N::ONE),
        PrimKind::Mesh => cost,
    }
}

impl<N: Real> StreamingModel<N> {
    /// Returns the distance in metres at which each LOD begins.
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
    /// use lodger_core::cost::streaming::{StreamingRules, StreamingModel};
    ///
    /// // The document prints these as 42, 166.67 and 333.3 m.
    /// let begin = StreamingModel::<f64>::new(StreamingRules::VIEWER)?.transition_distances(10.0);
    /// assert!((begin.medium - 41.67).abs() < 0.005);
    /// assert!((begin.low - 166.67).abs() < 0.005);
    /// assert!((begin.lowest - 333.33).abs() < 0.005);
    /// assert_eq!(begin.high, 0.0);
    /// # Ok::<(), lodger_core::ValueError>(())
    /// ```
    pub fn transition_distances(&self, radius: N) -> PerLod<N> {
        let horizon = N::Square::from_f64(self.rules.max_distance);
        let [lowest, low, medium] = RATIOS.map(|ratio| {
            let distance = radius.widen() / N::Square::from_f64(ratio);
            if radius > N::ZERO { N::narrow(distance.at_most(horizon)) } else { N::ZERO }
        });
        PerLod { lowest, low, medium, high: N::ZERO }
    }

    /// Returns each LOD's area in square metres, before normalisation.
    ///
    /// # Formula
    /// high = min(π·d₃², A), mid = min(π·d₂², A), low = min(π·d₁², A), lowest = A, each less the next higher and at
    /// least 1 m²; A the rules' maximum area, d₁, d₂ and d₃ the [`transition_distances`](Self::transition_distances) of
    /// lowest, low and medium.
    ///
    /// # Source
    /// Streaming cost document, implementation.
    ///
    /// # Range and accuracy
    /// `f32`: 5·10⁻⁷ of the greatest circle.
    ///
    /// # Examples
    /// ```
    /// use lodger_core::cost::streaming::{StreamingRules, StreamingModel};
    ///
    /// let viewer = StreamingModel::<f64>::new(StreamingRules::VIEWER)?;
    /// // π·(0.24 m / 0.24)² for the high LOD; the ring around it reaches to 4 m.
    /// let areas = viewer.areas(0.24);
    /// assert!((areas.high - core::f64::consts::PI).abs() < 1e-9);
    /// assert!((areas.medium - 15.0 * core::f64::consts::PI).abs() < 1e-9);
    /// # Ok::<(), lodger_core::ValueError>(())
    /// ```
    #[inline]
    pub fn areas(&self, radius: N) -> PerLod<N::Square> {
        let radius_sq = radius.square();
        // π·d² with d = r/ratio is a multiple of r²; both limits have become one.
        let [lowest, low, medium] =
            self.circles.map(|circle| (circle * radius_sq).at_most(self.full));
        let rings = PerLod {
            lowest: self.max_area - lowest,
            low: lowest - low,
            medium: low - medium,
            high: medium,
        };
        rings.map(|area| area.at_least(N::ONE.widen()))
    }

    /// Returns the [`areas`](Self::areas) divided by their sum.
    pub fn area_shares(&self, radius: N) -> PerLod<N> {
        shares(self.areas(radius))
    }
}

/// Assets as columns of equal length; excess rows are ignored.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct AssetColumns<'a, N, T> {
    /// Radii in metres.
    pub radius: &'a [N],
    /// Each LOD's bytes or [charged bytes](StreamingModel::charged_bytes).
    pub bytes: PerLod<&'a [T]>,
}

impl<N: Copy, T: Copy> AssetColumns<'_, N, T> {
    #[inline(always)]
    #[allow(clippy::inline_always)] // compiled for the caller's vectors
    fn for_each(self, out: &mut [N], cost: impl Fn(N, PerLod<T>) -> N) {
        let PerLod { lowest, low, medium, high } = self.bytes;
        let lower = lowest.iter().zip(low);
        let higher = medium.iter().zip(high);
        let rows = self.radius.iter().zip(lower).zip(higher).zip(out);
        for (((&radius, (&lowest, &low)), (&medium, &high)), out) in rows {
            *out = cost(radius, PerLod { lowest, low, medium, high });
        }
    }
}

impl<N: Real> StreamingModel<N> {
    /// Computes each asset's [`cost`](Self::cost), bit for bit, in a loop that compilers vectorize for `f32`.
    ///
    /// # Examples
    /// ```
    /// use lodger_core::cost::streaming::{AssetColumns, PerLod, StreamingRules, StreamingModel};
    ///
    /// let viewer = StreamingModel::<f32>::new(StreamingRules::VIEWER)?;
    /// let bytes = PerLod { lowest: &[500, 0][..], low: &[900, 0], medium: &[2000, 0], high: &[8000, 0] };
    /// let mut costs = [f32::NAN; 2];
    /// viewer.costs(AssetColumns { radius: &[1.5, 1.5], bytes }, &mut costs);
    /// let first = PerLod { lowest: 500, low: 900, medium: 2000, high: 8000 };
    /// assert_eq!(costs, [viewer.cost(1.5, first), 0.0]);
    /// # Ok::<(), lodger_core::ValueError>(())
    /// ```
    #[inline(always)]
    #[allow(clippy::inline_always)] // compiled for the caller's vectors
    pub fn costs(&self, assets: AssetColumns<'_, N, i32>, out: &mut [N]) {
        // A copy: a write to `out` cannot change it.
        let streaming = *self;
        assets.for_each(out, |radius, bytes| streaming.cost(radius, bytes));
    }

    /// Computes [`costs`](Self::costs) from [charged bytes](Self::charged_bytes): half of the work.
    #[inline(always)]
    #[allow(clippy::inline_always)] // compiled for the caller's vectors
    pub fn costs_of_charged(&self, assets: AssetColumns<'_, N, N::Square>, out: &mut [N]) {
        let streaming = *self;
        assets.for_each(out, |radius, charged| streaming.cost_of_charged(radius, charged));
    }
}
