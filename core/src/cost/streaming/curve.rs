//! Cost as a function of the radius: its break points, and sizes within a limit.
//!
//! Between break points each area is linear in r², so the cost is a quotient of linear functions and monotone; searches
//! rely on this.

use super::{MeshLod, PerLod, StreamingModel};
use crate::real::{Real, Square};

/// Radii in metres at which a clamp of the areas begins or ends, from the lowest LOD up.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct BreakPoints<N> {
    /// From these radii on, the circle inside the lowest, low and medium ring has its greatest area.
    pub full: [N; 3],
    /// From these radii on, the lowest, low and medium ring has its least area, 1 m².
    pub closed: [N; 3],
    /// Up to these radii the low, medium and high LOD has its least area, 1 m².
    pub floor: [N; 3],
}

impl<N: Real> BreakPoints<N> {
    fn below(&self, radius: N) -> N {
        let all = self.full.into_iter().chain(self.closed).chain(self.floor);
        let below = all.filter(|&point| point < radius);
        below.fold(N::ZERO, |greatest, point| if point > greatest { point } else { greatest })
    }
}

/// The largest size of an object within a cost.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Reach<N> {
    /// No size is within the cost.
    Never,
    /// The greatest radius, in metres.
    UpTo(N),
    /// Every size is within the cost.
    Always,
}

impl<N: Real> StreamingModel<N> {
    /// Returns the radii at which the slope of cost against radius changes.
    ///
    /// # Formula
    /// full = ratio · min(√(A/π), D), A the maximum area and D the maximum distance; closed = ratio · √((full circle −
    /// 1 m²)/π); floor = 1/√(π·(1/ratio² − 1/next ratio²)), of the high LOD 0.24/√π.
    ///
    /// # Range and accuracy
    /// `f32`: relative 10⁻⁶; [`Fixed`](crate::Fixed): 2⁻¹⁶.
    ///
    /// # Examples
    /// ```
    /// use lodger_core::cost::streaming::{StreamingRules, StreamingModel};
    ///
    /// let points = StreamingModel::<f64>::new(StreamingRules::VIEWER)?.break_points();
    /// let near = |a: [f64; 3], b: [f64; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 0.005);
    /// assert!(near(points.full, [5.43, 10.86, 43.44]));
    /// assert!(near(points.floor, [0.0195, 0.035, 0.135]));
    /// # Ok::<(), lodger_core::ValueError>(())
    /// ```
    pub fn break_points(&self) -> BreakPoints<N> {
        let [lowest, low, medium] = self.circles;
        let one = N::ONE.widen();
        // The radius at which a circle or ring has an area.
        let radius = |circle: N::Square, area: N::Square| N::narrow((area / circle).root());
        let nearly_full = self.full - one;
        BreakPoints {
            full: self.circles.map(|circle| radius(circle, self.full)),
            closed: [
                radius(lowest, self.full.at_most(self.max_area - one)),
                radius(low, nearly_full),
                radius(medium, nearly_full),
            ],
            floor: [lowest - low, low - medium, medium].map(|ring| radius(ring, one)),
        }
    }

    /// Whether no LOD has more triangles than the next higher: a larger object then costs no less than a smaller one,
    /// apart from rounding.
    pub fn grows_with_size(&self, bytes: PerLod<i32>) -> bool {
        let PerLod { lowest, low, medium, high } = self.charged_bytes(bytes);
        lowest <= low && low <= medium && medium <= high
    }

    /// Returns the greatest radius at which these bytes cost at most `limit`.
    ///
    /// Larger objects exceed the limit, apart from rounding beside a break point. Smaller ones may also exceed it
    /// unless the cost [grows with size](Self::grows_with_size).
    ///
    /// # Range and accuracy
    /// The cost at that radius, in the same number type, is at most the limit.
    ///
    /// # Examples
    /// ```
    /// use lodger_core::cost::streaming::{PerLod, Reach, StreamingRules, StreamingModel};
    ///
    /// let viewer = StreamingModel::<f32>::new(StreamingRules::VIEWER)?;
    /// let bytes = PerLod { lowest: 600, low: 1500, medium: 5000, high: 20_000 };
    /// let Reach::UpTo(radius) = viewer.largest_radius(bytes, 2.0) else { panic!() };
    /// assert!(viewer.cost(radius, bytes) <= 2.0 && viewer.cost(radius * 1.001, bytes) > 2.0);
    /// // Only the high LOD counts beyond 43.44 m, and 20 000 bytes never cost 100.
    /// assert_eq!(viewer.largest_radius(bytes, 100.0), Reach::Always);
    /// assert_eq!(viewer.largest_radius(bytes, 0.01), Reach::Never);
    /// # Ok::<(), lodger_core::ValueError>(())
    /// ```
    pub fn largest_radius(&self, bytes: PerLod<i32>, limit: N) -> Reach<N> {
        let within = |radius: N| self.cost(radius, bytes) <= limit;
        if within(N::MAX) {
            return Reach::Always;
        }
        let points = self.break_points();
        let mut beyond = points.below(N::MAX);
        if within(beyond) {
            return Reach::UpTo(beyond);
        }
        while beyond > N::ZERO {
            let start = points.below(beyond);
            if within(start) {
                return Reach::UpTo(last_within(start, beyond, within));
            }
            beyond = start;
        }
        Reach::Never
    }
}

fn last_within<N: Real>(mut start: N, mut beyond: N, within: impl Fn(N) -> bool) -> N {
    const HALVINGS: u32 = 64;
    let half = N::narrow(N::Square::from_f64(0.5));
    for _ in 0..HALVINGS {
        let middle = start + (beyond - start) * half;
        if !(start < middle && middle < beyond) {
            break;
        }
        if within(middle) {
            start = middle;
        } else {
            beyond = middle;
        }
    }
    start
}

/// Returns the greatest whole number from 1 on that is `within`, which must hold for all smaller numbers.
fn greatest_within(within: impl Fn(i32) -> bool) -> Option<i32> {
    let (mut start, mut beyond) = (0_i32, i32::MAX);
    if within(beyond) {
        return Some(beyond);
    }
    while let middle @ 1.. = beyond.wrapping_sub(start) / 2 {
        let middle = start.wrapping_add(middle);
        if within(middle) {
            start = middle;
        } else {
            beyond = middle;
        }
    }
    (start > 0).then_some(start)
}

impl<N: Real> StreamingModel<N> {
    /// Returns the bytes that each LOD may have, with the others unchanged, for a cost of at most `limit`; `None` if
    /// one byte exceeds it.
    ///
    /// A missing LOD follows the next higher. Without a high LOD the cost is 0, and lower LODs may have any size.
    ///
    /// # Range and accuracy
    /// Exact in the same number type: one byte more exceeds the limit. Sizes below discount and minimum together cost
    /// the same.
    ///
    /// # Examples
    /// ```
    /// use lodger_core::cost::streaming::{PerLod, StreamingRules, StreamingModel};
    ///
    /// let viewer = StreamingModel::<f32>::new(StreamingRules::VIEWER)?;
    /// let bytes = PerLod { lowest: 600, low: 1500, medium: 5000, high: 20_000 };
    /// let room = viewer.room(1.0, bytes, 2.0);
    /// let Some(high) = room.high else { panic!() };
    /// assert!(viewer.cost(1.0, PerLod { high, ..bytes }) <= 2.0);
    /// assert!(viewer.cost(1.0, PerLod { high: high + 1, ..bytes }) > 2.0);
    /// # Ok::<(), lodger_core::ValueError>(())
    /// ```
    pub fn room(&self, radius: N, bytes: PerLod<i32>, limit: N) -> PerLod<Option<i32>> {
        let [lowest, low, medium, high] = MeshLod::ALL
            .map(|lod| greatest_within(|size| self.cost(radius, bytes.with(lod, size)) <= limit));
        PerLod { lowest, low, medium, high }
    }

    /// Scales all LODs' sizes by one factor to the greatest cost of at most `limit`; `None` if no size is small enough.
    ///
    /// # Range and accuracy
    /// Factors are multiples of 2⁻¹⁶ below 32 768; sizes round down, and a present LOD keeps at least one byte. The
    /// cost, in the same number type, is within the limit.
    ///
    /// # Examples
    /// ```
    /// use lodger_core::cost::streaming::{PerLod, StreamingRules, StreamingModel};
    ///
    /// let viewer = StreamingModel::<f32>::new(StreamingRules::VIEWER)?;
    /// let bytes = PerLod { lowest: 1000, low: 2000, medium: 4000, high: 8000 };
    /// let Some(half) = viewer.resized(3.0, bytes, viewer.cost(3.0, bytes) / 2.0) else { panic!() };
    /// assert!(half.high < 8000 && half.high > 4000, "the discount does not shrink");
    /// # Ok::<(), lodger_core::ValueError>(())
    /// ```
    pub fn resized(&self, radius: N, bytes: PerLod<i32>, limit: N) -> Option<PerLod<i32>> {
        let by = |factor| bytes.map(|size| times_q16(size, factor));
        greatest_within(|factor| self.cost(radius, by(factor)) <= limit).map(by)
    }
}

/// Rounds down, from 1 to the greatest size; 0 for a missing LOD.
fn times_q16(size: i32, factor: i32) -> i32 {
    if size <= 0 {
        return 0;
    }
    let product = i64::from(size).wrapping_mul(factor.into()) >> 16;
    i32::try_from(product).unwrap_or(i32::MAX).max(1)
}
