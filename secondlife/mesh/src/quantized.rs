//! Quantized points: 16-bit coordinates in a domain.

use std::borrow::Cow;

use crate::error::AssetErrorKind;
use crate::fields;
use crate::llsd::{LlsdValue, Map};

const STEPS: f32 = 65_535.0;

/// The box of 16-bit coordinates, finite and within the range of `f32`.
///
/// # Examples
/// ```
/// use lodger_mesh_asset::Domain;
///
/// let domain = Domain::new([-1.0, 2.0], [1.0, 3.0])?;
/// assert_eq!(domain.decode([65_535, 0]), [1.0, 2.0]);
/// assert_eq!(domain.encode([0.0, 9.0]), [32_768, 65_535]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Domain<const N: usize> {
    min: [f32; N],
    max: [f32; N],
}

impl<const N: usize> Domain<N> {
    /// From −½ to ½ on every axis: unit space, and the default of viewers.
    pub const UNIT: Self = Self { min: [-0.5; N], max: [0.5; N] };

    /// From −1 to 1 on every axis: the domain of normals.
    pub const NORMAL: Self = Self { min: [-1.0; N], max: [1.0; N] };

    /// From 0 to 1 on every axis: the default of viewers for texture coordinates.
    pub const TEXTURE: Self = Self { min: [0.0; N], max: [1.0; N] };

    /// Creates the domain between two corners. `min` may exceed `max`, which mirrors.
    ///
    /// # Errors
    /// [`AssetErrorKind::NotFinite`] unless the corners and their difference are finite.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// assert_eq!(Domain::new([1.0], [-1.0])?.decode([65_535]), [-1.0]);
    /// assert_eq!(Domain::new([f32::MIN], [f32::MAX]), Err(AssetErrorKind::NotFinite("domain")));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(min: [f32; N], max: [f32; N]) -> Result<Self, AssetErrorKind> {
        let domain = Self { min, max };
        if domain.extent().iter().all(|extent| extent.is_finite()) {
            Ok(domain)
        } else {
            Err(AssetErrorKind::NotFinite("domain"))
        }
    }

    /// The smallest domain of points; [`UNIT`](Self::UNIT) without points.
    ///
    /// # Errors
    /// [`AssetErrorKind::NotFinite`] unless the points and the size of the domain are finite.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::Domain;
    /// let domain = Domain::from_points(&[[1.0, 5.0], [-1.0, 7.0]])?;
    /// assert_eq!((domain.min(), domain.max()), ([-1.0, 5.0], [1.0, 7.0]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_points(points: &[[f32; N]]) -> Result<Self, AssetErrorKind> {
        let Some(&first) = points.first() else {
            return Ok(Self::UNIT);
        };
        let (mut min, mut max) = (first, first);
        for point in points {
            for axis in 0..N {
                if !point[axis].is_finite() {
                    return Err(AssetErrorKind::NotFinite("points"));
                }
                min[axis] = min[axis].min(point[axis]);
                max[axis] = max[axis].max(point[axis]);
            }
        }
        Self::new(min, max)
    }

    /// The lower corner.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::Domain;
    /// assert_eq!(Domain::<3>::UNIT.min(), [-0.5; 3]);
    /// ```
    #[must_use]
    pub const fn min(&self) -> [f32; N] {
        self.min
    }

    /// The upper corner.
    #[must_use]
    pub const fn max(&self) -> [f32; N] {
        self.max
    }

    /// The size on every axis.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::Domain;
    /// assert_eq!(Domain::<3>::NORMAL.extent(), [2.0; 3]);
    /// ```
    #[must_use]
    pub fn extent(&self) -> [f32; N] {
        std::array::from_fn(|axis| self.max[axis] - self.min[axis])
    }

    /// The step of a coordinate on every axis.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::Domain;
    /// assert_eq!(Domain::new([0.0], [65_535.0])?.quantum(), [1.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn quantum(&self) -> [f32; N] {
        self.extent().map(|extent| (extent / STEPS).abs())
    }

    /// Decodes steps: min + q/65535·(max − min).
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::Domain;
    /// assert_eq!(Domain::<3>::UNIT.decode([0, 13_107, 65_535]), [-0.5, -0.3, 0.5]);
    /// ```
    #[must_use]
    pub fn decode(&self, steps: [u16; N]) -> [f32; N] {
        std::array::from_fn(|axis| {
            let extent = self.max[axis] - self.min[axis];
            self.min[axis] + f32::from(steps[axis]) / STEPS * extent
        })
    }

    /// Rounds a point to the nearest steps, clamped to the domain.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::Domain;
    /// assert_eq!(Domain::new([0.0, 0.0], [65_535.0; 2])?.encode([1.999, -7.0]), [2, 0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn encode(&self, point: [f32; N]) -> [u16; N] {
        std::array::from_fn(|axis| {
            let (min, max) = (f64::from(self.min[axis]), f64::from(self.max[axis]));
            let part = (f64::from(point[axis]) - min) / (max - min);
            nearest(part * f64::from(STEPS))
        })
    }

    /// Rounds a point down to steps, as viewers do; values outside of the domain are clamped, and a flat axis is 0.
    ///
    /// # Formula
    /// ⌊(x − min)/(max − min)·65535⌋, in `f32` with the rounding of viewers, which may reach the next step.
    ///
    /// # Source
    /// `LLModel::writeModel` of the viewer (`indra/llprimitive/llmodel.cpp`), which casts to `U16`.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::Domain;
    /// assert_eq!(Domain::new([0.0, 0.0], [65_535.0; 2])?.floor([1.999, 7.0]), [1, 7]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn floor(&self, point: [f32; N]) -> [u16; N] {
        std::array::from_fn(|axis| {
            let extent = self.max[axis] - self.min[axis];
            floor((point[axis] - self.min[axis]) / extent * STEPS)
        })
    }

    /// Returns the domain, or `otherwise`, and whether `Min` and `Max` were present.
    pub(crate) fn read(map: &Map, otherwise: Self) -> Result<(Self, bool), AssetErrorKind> {
        let expected = "an array of as many reals as there are axes";
        let min = fields::reals::<N>(map, "Min", expected)?;
        let max = fields::reals::<N>(map, "Max", expected)?;
        match (min, max) {
            (Some(min), Some(max)) => Ok((Self::new(narrow(min), narrow(max))?, true)),
            _ => Ok((otherwise, false)),
        }
    }

    pub(crate) fn entries(&self) -> [(&'static str, LlsdValue<'static>); 2] {
        let list = |corner: [f32; N]| corner.map(|x| LlsdValue::Real(f64::from(x)));
        let list = |corner| list(corner).into_iter().collect();
        [("Max", list(self.max)), ("Min", list(self.min))]
    }
}

#[allow(clippy::cast_possible_truncation)] // rounds; infinite results are rejected later
fn narrow<const N: usize>(corner: [f64; N]) -> [f32; N] {
    corner.map(|x| x as f32)
}

/// Rounds to a step; NaN, from a domain without extent, becomes 0.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // saturates
fn nearest(steps: f64) -> u16 {
    steps.round() as u16
}

/// Rounds down to a step, like [`nearest`].
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // rounds down and saturates
fn floor(steps: f32) -> u16 {
    steps as u16
}

/// Points of `N` little-endian 16-bit coordinates in a domain.
///
/// # Formula
/// x = min + q/65535·(max − min), in `f32`; encoding and decoding differ by at most half a quantum.
///
/// # Source
/// Second Life wiki, Mesh/Mesh physics ("floating point domain to decode binary U16 data to").
///
/// # Examples
/// ```
/// use lodger_mesh_asset::Quantized;
///
/// let points = Quantized::from_points(&[[0.0, 1.0], [2.0, 3.0], [0.5, 1.5]])?;
/// assert_eq!(points.steps_at(2), Some([16_384, 16_384]));
/// let [x, _] = points.get(2).ok_or("two points")?;
/// assert!((x - 0.5).abs() <= points.domain().quantum()[0] / 2.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Quantized<'a, const N: usize> {
    bytes: Cow<'a, [u8]>,
    domain: Domain<N>,
}

impl<'a, const N: usize> Quantized<'a, N> {
    /// Reads points from bytes; `field` is the name in an error.
    ///
    /// # Errors
    /// [`AssetErrorKind::Length`] for a partial point.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// let points = Quantized::<3>::from_bytes("Position", vec![0xff; 12], Domain::UNIT)?;
    /// assert_eq!(points.get(1), Some([0.5; 3]));
    /// let error = Quantized::<3>::from_bytes("Position", vec![0; 7], Domain::UNIT);
    /// assert_eq!(error, Err(AssetErrorKind::Length { field: "Position", bytes: 7, element: 6 }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_bytes(
        field: &'static str,
        bytes: impl Into<Cow<'a, [u8]>>,
        domain: Domain<N>,
    ) -> Result<Self, AssetErrorKind> {
        let bytes = bytes.into();
        let element = 2 * N;
        if bytes.len().is_multiple_of(element) {
            return Ok(Self { bytes, domain });
        }
        Err(AssetErrorKind::Length { field, bytes: bytes.len(), element })
    }

    /// Encodes points in their smallest domain.
    ///
    /// # Errors
    /// The errors of [`Domain::from_points`].
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::Quantized;
    /// let points = Quantized::from_points(&[[1.0, 5.0], [-1.0, 7.0]])?;
    /// assert!(points.steps().eq([[65_535, 0], [0, 65_535]]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_points(points: &[[f32; N]]) -> Result<Quantized<'static, N>, AssetErrorKind> {
        Ok(Quantized::in_domain(points, Domain::from_points(points)?))
    }

    /// Encodes points in a domain; points outside are clamped, and NaN becomes the lower corner.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// let points = Quantized::in_domain(&[[0.0, 9.0, f32::NAN]], Domain::NORMAL);
    /// assert_eq!(points.steps_at(0), Some([32_768, 65_535, 0]));
    /// ```
    #[must_use]
    pub fn in_domain(points: &[[f32; N]], domain: Domain<N>) -> Quantized<'static, N> {
        let steps = points.iter().flat_map(|&point| domain.encode(point));
        Quantized { bytes: steps.flat_map(u16::to_le_bytes).collect(), domain }
    }

    /// Encodes points in a domain, rounded down as in viewers: [`Domain::floor`].
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// let points = Quantized::floored(&[[0.0, 1.0, -1.0]], Domain::NORMAL);
    /// assert_eq!(points.steps_at(0), Some([32_767, 65_535, 0]));
    /// ```
    #[must_use]
    pub fn floored(points: &[[f32; N]], domain: Domain<N>) -> Quantized<'static, N> {
        let steps = points.iter().flat_map(|&point| domain.floor(point));
        Quantized { bytes: steps.flat_map(u16::to_le_bytes).collect(), domain }
    }

    /// The number of points.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// assert_eq!(Quantized::<3>::from_bytes("Position", vec![0; 24], Domain::UNIT)?.len(), 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.bytes.len() / (2 * N)
    }

    /// Whether there are no points.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The domain.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::Quantized;
    /// assert_eq!(Quantized::from_points(&[[1.0], [4.0]])?.domain().extent(), [3.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn domain(&self) -> &Domain<N> {
        &self.domain
    }

    /// The bytes, little-endian.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// let points = Quantized::floored(&[[0.0, 1.0]], Domain::NORMAL);
    /// assert_eq!(points.bytes(), [0xff, 0x7f, 0xff, 0xff]);
    /// ```
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The decoded points.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::Quantized;
    /// assert!(Quantized::from_points(&[[4.0], [1.0]])?.iter().eq([[4.0], [1.0]]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = [f32; N]> + Clone {
        self.steps().map(|steps| self.domain.decode(steps))
    }

    /// The stored steps of the points.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::Quantized;
    /// assert!(Quantized::from_points(&[[4.0], [1.0]])?.steps().eq([[65_535], [0]]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn steps(&self) -> impl ExactSizeIterator<Item = [u16; N]> + Clone {
        self.bytes.chunks_exact(2 * N).map(steps)
    }

    /// The decoded point at an index.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::Quantized;
    /// let points = Quantized::from_points(&[[4.0], [1.0]])?;
    /// assert_eq!((points.get(0), points.get(2)), (Some([4.0]), None));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn get(&self, index: usize) -> Option<[f32; N]> {
        self.steps_at(index).map(|steps| self.domain.decode(steps))
    }

    /// The stored steps of the point at an index.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::Quantized;
    /// let points = Quantized::from_points(&[[4.0], [1.0]])?;
    /// assert_eq!((points.steps_at(0), points.steps_at(2)), (Some([65_535]), None));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn steps_at(&self, index: usize) -> Option<[u16; N]> {
        self.bytes.chunks_exact(2 * N).nth(index).map(steps)
    }

    pub(crate) fn value(&self) -> LlsdValue<'_> {
        LlsdValue::from(self.bytes())
    }
}

fn steps<const N: usize>(bytes: &[u8]) -> [u16; N] {
    let mut pairs = bytes.as_chunks::<2>().0.iter();
    std::array::from_fn(|_| pairs.next().map_or(0, |&pair| u16::from_le_bytes(pair)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_corners_decode_to_the_domain() {
        let domain = Domain::new([-1.0, 2.0, 5.0], [1.0, 2.0, 3.0]).unwrap();
        assert_eq!(domain.decode([0; 3]).map(f32::to_bits), domain.min.map(f32::to_bits));
        assert_eq!(domain.decode([65_535; 3]).map(f32::to_bits), domain.max.map(f32::to_bits));
        assert_eq!(domain.encode([1.0, 2.0, 3.0]), [65_535, 0, 65_535]);
        assert_eq!(domain.encode([f32::NAN, 9.0, 9.0]), [0, 65_535, 0]);
    }

    #[test]
    fn a_domain_is_finite() {
        assert!(Domain::new([f32::NAN], [0.0]).is_err());
        assert!(Domain::new([f32::MIN], [f32::MAX]).is_err());
        assert!(Domain::from_points(&[[0.0], [f32::INFINITY]]).is_err());
        assert_eq!(Domain::<3>::from_points(&[]), Ok(Domain::UNIT));
    }

    #[test]
    fn floor_takes_the_step_below() {
        let domain = Domain::new([0.0, 3.0, -1.0], [65_535.0, 3.0, 1.0]).unwrap();
        assert_eq!(domain.floor([1.999, 3.0, 1.0]), [1, 0, 65_535]);
        assert_eq!(domain.encode([1.999, 3.0, 1.0]), [2, 0, 65_535]);
        assert_eq!(domain.floor([-7.0, 9.0, f32::NAN]), [0, 65_535, 0]);
        assert_eq!(Domain::<3>::NORMAL.floor([0.0, 1.0, -1.0]), [32_767, 65_535, 0]);
    }

    proptest! {
        #[test]
        fn floored_points_are_less_than_a_quantum_below(
            corners in prop::array::uniform2(-64.0_f32..64.0), part in 0.0_f32..=1.0
        ) {
            let domain = Domain::from_points(&corners.map(|x| [x])).unwrap();
            let ([min], [max], [quantum]) = (domain.min(), domain.max(), domain.quantum());
            let x = (min + part * (max - min)).clamp(min, max);
            let [again] = domain.decode(domain.floor([x]));
            // f32 rounds twice, at 128 at most.
            let rounding = 6.0 * 128.0 * f32::EPSILON;
            prop_assert!(again <= x + rounding && x - again <= quantum + rounding);
        }

        #[test]
        fn points_come_back_to_half_a_quantum(
            points in prop::collection::vec(prop::array::uniform3(-64.0_f32..64.0), 1..40)
        ) {
            let quantized = Quantized::from_points(&points).unwrap();
            let quantum = quantized.domain().quantum();
            prop_assert_eq!(quantized.len(), points.len());
            for (again, point) in quantized.iter().zip(points) {
                for axis in 0..3 {
                    let error = (again[axis] - point[axis]).abs();
                    // f32 rounds three times when decoding, at 64 at most.
                    prop_assert!(error <= 0.5 * quantum[axis] + 3.0 * 64.0 * f32::EPSILON);
                }
            }
        }
    }
}
