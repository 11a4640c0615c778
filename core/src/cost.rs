//! Costs and limits of an object under Second Life's accounting.
//!
//! Each prim of a linkset has three weights: [`streaming`] (bytes that viewers download), [`physics`] and [`simulator`].
//! [`land_impact`] sums each over the linkset, takes the greatest and rounds it.
//!
//! Areas and bytes that do not fit Q16.16 are [`Real::Square`]; only results become plain numbers, saturating. Costs in
//! `Micro` equal those in `f32`, bit for bit.
//!
//! # Important terms
//!
//! - **prim**: a part of an object: a primitive shape, a sculpted one, or a mesh asset
//! - **linkset**: the prims that are linked into one object
//! - **asset**: a mesh as uploaded, with up to four LODs and its physics shapes; it has no scale
//! - **radius**: half the length of a prim's scale, in metres
//! - **land impact**: the whole number that counts against a parcel's capacity
//!
//! Sources: the documents on streaming cost and mesh physics, by section at each item.

pub mod land_impact;
pub mod physics;
pub mod prims;
pub mod simulator;
pub mod streaming;

use core::hint::select_unpredictable;

use crate::error::{Quantity, ValueError, ValueProblem};
use crate::keyword::keywords;
use crate::real::{Real, Square};

/// A number's reliability; later variants are less certain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Provenance {
    /// Computed by the grid and stored with the asset.
    Exact,
    /// Computed from documented formulas and constants.
    Documented,
    /// From an undocumented formula, constant or rule.
    Estimated,
    /// A placeholder: no source states a value.
    Unknown,
}

keywords!(Provenance {
    Exact => "exact",
    Documented => "documented",
    Estimated => "estimated",
    Unknown => "unknown",
});

/// The longest side and furthest coordinate in metres: a product of six such lengths fits `f32`.
pub const REACH: u16 = 16_384;

/// The kind of a linkset's part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum PrimKind {
    /// A primitive shape.
    Plain,
    /// Shaped by a sculpt map.
    Sculpted,
    /// A mesh asset.
    Mesh,
}

/// The size of a prim or of a linkset's box along its three axes, in metres.
///
/// # Examples
/// ```
/// use lodger_core::cost::ObjectScale;
///
/// let scale = ObjectScale::new([2.0_f32, 3.0, 6.0])?;
/// assert_eq!(scale.radius(), 3.5);
/// assert!(ObjectScale::new([1.0_f32, -1.0, 1.0]).is_err());
/// # Ok::<(), lodger_core::ValueError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ObjectScale<N>([N; 3]);

impl<N: Real> ObjectScale<N> {
    /// 1 m along each axis, the scale of stored assets.
    pub const ONE: Self = Self([N::ONE; 3]);

    /// Makes a scale from sizes in metres; 0 is allowed.
    ///
    /// # Errors
    /// [`ValueProblem::NotFinite`], [`ValueProblem::Negative`], or [`ValueProblem::TooLarge`] above 16 384 m, the [`REACH`].
    pub fn new(sides: [N; 3]) -> Result<Self, ValueError> {
        for side in sides {
            within_reach(side.not_negative(Quantity::Scale)?, Quantity::Scale)?;
        }
        Ok(Self(sides))
    }

    /// Returns the sides, in metres.
    pub fn sides(self) -> [N; 3] {
        self.0
    }

    /// Returns half the box's diagonal in metres, the radius of streaming cost. Relative accuracy 10⁻⁶ or 2⁻¹⁶.
    #[inline]
    pub fn radius(self) -> N {
        N::narrow(N::norm_sq(self.0).root() * N::Square::from_f64(0.5))
    }

    /// Computes the [`radius`](Self::radius) of many sizes, bit for bit; −1, for which a cost is 0, if
    /// [`new`](Self::new) rejects a side. Excess rows are ignored.
    ///
    /// # Examples
    /// ```
    /// use lodger_core::cost::ObjectScale;
    ///
    /// let mut radii = [0.0_f32; 2];
    /// ObjectScale::radii([&[2.0, 1.0], &[3.0, -1.0], &[6.0, 1.0]], &mut radii);
    /// assert_eq!(radii, [3.5, -1.0]);
    /// ```
    #[inline(always)]
    #[allow(clippy::inline_always)] // compiled for the caller's vectors
    pub fn radii([x, y, z]: [&[N]; 3], out: &mut [N]) {
        let reach = N::Square::from_i32(REACH.into());
        let stands = |side: N| side >= N::ZERO && side.widen() <= reach;
        for (((&x, &y), &z), out) in x.iter().zip(y).zip(z).zip(out) {
            let stand = stands(x) & stands(y) & stands(z);
            // A branch would skip the root, and prevent vectors.
            *out = select_unpredictable(stand, Self([x, y, z]).radius(), -N::ONE);
        }
    }

    /// Returns the shortest side, in metres.
    pub fn shortest(self) -> N {
        let [x, y, z] = self.0;
        x.lesser(y).lesser(z)
    }

    /// Returns the longest side, in metres.
    pub fn longest(self) -> N {
        let [x, y, z] = self.0;
        let greater = |a: N, b: N| if b > a { b } else { a };
        greater(greater(x, y), z)
    }

    /// Returns the mean area of the box's faces in square metres, (xy + yz + zx) / 3.
    pub fn mean_face_area(self) -> N::Square {
        let [x, y, z] = self.0.map(Real::widen);
        (x * y + y * z + z * x) / N::Square::from_i32(3)
    }
}

fn within_reach<N: Real>(length: N, quantity: Quantity) -> Result<(), ValueError> {
    let reach = N::Square::from_i32(REACH.into());
    if length.widen() > reach || (-length).widen() > reach {
        Err(ValueError::new(quantity, ValueProblem::TooLarge))
    } else {
        Ok(())
    }
}

fn wide<N: Real>(count: u32) -> N::Square {
    N::Square::from_i32(i32::try_from(count).unwrap_or(i32::MAX))
}
