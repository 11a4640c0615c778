//! Points whose coordinates have 16 bits.

use std::borrow::Cow;

use crate::domain::Domain;
use crate::error::Problem;
use crate::llsd::Value;

/// Points of `N` coordinates, each of them 16 bits, little-endian, in a domain.
///
/// # Formula
/// x = min + q/65535·(max − min), in `f32`; a point that was encoded comes back to half a quantum.
///
/// # Source
/// Second Life wiki, Mesh/Mesh physics ("floating point domain to decode binary U16 data to").
#[derive(Debug, Clone, PartialEq)]
pub struct Quantized<'a, const N: usize> {
    bytes: Cow<'a, [u8]>,
    domain: Domain<N>,
}

impl<'a, const N: usize> Quantized<'a, N> {
    /// Points from their bytes.
    ///
    /// # Errors
    /// [`Problem::Length`] if there is a part of a point.
    pub fn from_bytes(
        field: &'static str,
        bytes: impl Into<Cow<'a, [u8]>>,
        domain: Domain<N>,
    ) -> Result<Self, Problem> {
        let bytes = bytes.into();
        let element = 2 * N;
        if bytes.len().is_multiple_of(element) {
            return Ok(Self { bytes, domain });
        }
        Err(Problem::Length { field, bytes: bytes.len(), element })
    }

    /// Points in the smallest domain.
    ///
    /// # Errors
    /// Those of [`Domain::of`].
    pub fn from_points(points: &[[f32; N]]) -> Result<Quantized<'static, N>, Problem> {
        Ok(Quantized::in_domain(points, Domain::of(points)?))
    }

    /// Points in a given domain; what is outside goes to its border, and NaN to its lower corner.
    #[must_use]
    pub fn in_domain(points: &[[f32; N]], domain: Domain<N>) -> Quantized<'static, N> {
        let steps = points.iter().flat_map(|&point| domain.encode(point));
        Quantized { bytes: steps.flat_map(u16::to_le_bytes).collect(), domain }
    }

    /// Points in a given domain, each at the step below, as viewers write them: [`Domain::truncate`].
    #[must_use]
    pub fn truncated(points: &[[f32; N]], domain: Domain<N>) -> Quantized<'static, N> {
        let steps = points.iter().flat_map(|&point| domain.truncate(point));
        Quantized { bytes: steps.flat_map(u16::to_le_bytes).collect(), domain }
    }

    /// The number of points.
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
    #[must_use]
    pub const fn domain(&self) -> &Domain<N> {
        &self.domain
    }

    /// The bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The points.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = [f32; N]> + Clone {
        self.steps().map(|steps| self.domain.decode(steps))
    }

    /// The points as they are stored.
    pub fn steps(&self) -> impl ExactSizeIterator<Item = [u16; N]> + Clone {
        self.bytes.chunks_exact(2 * N).map(steps)
    }

    /// One point.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<[f32; N]> {
        self.steps_at(index).map(|steps| self.domain.decode(steps))
    }

    /// One point as it is stored.
    #[must_use]
    pub fn steps_at(&self, index: usize) -> Option<[u16; N]> {
        self.bytes.chunks_exact(2 * N).nth(index).map(steps)
    }

    pub(crate) fn value(&self) -> Value<'_> {
        Value::from(self.bytes())
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
    fn a_part_of_a_point_is_refused() {
        let odd = Quantized::<3>::from_bytes("Position", &[0; 7][..], Domain::UNIT);
        let expected = Problem::Length { field: "Position", bytes: 7, element: 6 };
        assert_eq!(odd, Err(expected));
    }

    proptest! {
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
                    // f32 rounds thrice on the way back, at 64 at the most.
                    prop_assert!(error <= 0.5 * quantum[axis] + 3.0 * 64.0 * f32::EPSILON);
                }
            }
        }
    }
}
