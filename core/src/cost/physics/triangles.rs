//! Triangles as a physics shape: many thin triangles cost the most.

use crate::cost::{ObjectScale, wide, within_reach};
use crate::error::{Quantity, ValueError};
use crate::real::{Real, Square};

/// Cost of a triangle for 1/m of 1/w. Mesh physics document, formula, triangle mesh overview: 0.1 at 0.5 m.
const PER_DENSITY: f64 = 0.05;

/// A physics mesh at a scale: the number of its triangles, and how thin they are.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct TriangleMesh<N: Real> {
    scale: ObjectScale<N>,
    triangles: u32,
    degenerate: u32,
    /// Σ 1/w in 1/m over triangles with an area.
    density: N::Square,
}

impl<N: Real> TriangleMesh<N> {
    /// Measures triangles, given by corners, each axis stretched by the scale's side; `None` without triangles.
    ///
    /// # Errors
    /// [`ValueProblem::NotFinite`](crate::error::ValueProblem::NotFinite) for a corner, or
    /// [`ValueProblem::TooLarge`](crate::error::ValueProblem::TooLarge) beyond 16 384 m.
    pub fn measure(
        triangles: impl IntoIterator<Item = [[N; 3]; 3]>,
        scale: ObjectScale<N>,
    ) -> Result<Option<Self>, ValueError> {
        Self::measure_repeated(triangles.into_iter().map(|triangle| (triangle, 1)), scale)
    }

    /// Measures triangles with a number of copies each, with the bits of [`measure`](Self::measure) if every number is 1.
    /// The run time depends on the number of different triangles; a number of 0 adds none.
    ///
    /// # Errors
    /// The errors of [`measure`](Self::measure).
    ///
    /// # Examples
    /// ```
    /// use lodger_core::cost::{ObjectScale, physics::TriangleMesh};
    ///
    /// let triangle = [[0.0_f64, 0.0, 0.0], [1.0, 0.0, 0.0], [0.3, 0.5, 0.0]];
    /// let mesh = TriangleMesh::measure_repeated([(triangle, 40)], ObjectScale::ONE)?;
    /// assert_eq!(mesh.map(|mesh| (mesh.triangles(), mesh.cost())), Some((40, 4.0)));
    /// # Ok::<(), lodger_core::ValueError>(())
    /// ```
    pub fn measure_repeated(
        triangles: impl IntoIterator<Item = ([[N; 3]; 3], u32)>,
        scale: ObjectScale<N>,
    ) -> Result<Option<Self>, ValueError> {
        let term = |(triangle, times)| {
            check(triangle)?;
            Ok((reciprocal_width::<N>(triangle, scale), times))
        };
        Self::of_terms(triangles.into_iter().map(term), scale)
    }

    /// Makes a mesh from the widths of its triangles in metres at a scale; `None` without triangles. A triangle of width
    /// 0 has no area.
    ///
    /// # Errors
    /// [`ValueProblem::NotFinite`](crate::error::ValueProblem::NotFinite),
    /// [`ValueProblem::Negative`](crate::error::ValueProblem::Negative), or
    /// [`ValueProblem::TooLarge`](crate::error::ValueProblem::TooLarge) above 16 384 m.
    ///
    /// # Examples
    /// ```
    /// use lodger_core::cost::{ObjectScale, physics::TriangleMesh};
    ///
    /// // "With 0.5m wide triangles, each triangle costs 0.1 units."
    /// let ten = TriangleMesh::of_widths([0.5_f64; 10], ObjectScale::ONE)?;
    /// assert_eq!(ten.map(|mesh| mesh.cost()), Some(1.0));
    /// // Thin triangles count more: the mean of 0.25 m and 1 m is 0.4 m.
    /// let two = TriangleMesh::of_widths([0.25_f64, 1.0], ObjectScale::ONE)?;
    /// assert_eq!(two.map(|mesh| mesh.mean_width()), Some(0.4));
    /// # Ok::<(), lodger_core::ValueError>(())
    /// ```
    pub fn of_widths(
        widths: impl IntoIterator<Item = N>,
        scale: ObjectScale<N>,
    ) -> Result<Option<Self>, ValueError> {
        let term = |width: N| {
            within_reach(width.not_negative(Quantity::Scale)?, Quantity::Scale)?;
            let term = (width > N::ZERO).then(|| N::ONE.widen() / width.widen());
            Ok((term.filter(|term| term.is_finite()), 1))
        };
        Self::of_terms(widths.into_iter().map(term), scale)
    }

    fn of_terms(
        terms_of_triangles: impl Iterator<Item = Result<(Option<N::Square>, u32), ValueError>>,
        scale: ObjectScale<N>,
    ) -> Result<Option<Self>, ValueError> {
        /// Terms in a partial sum; one long sum would lose small terms.
        const PART: u32 = 256;
        let mut mesh = Self { scale, triangles: 0, degenerate: 0, density: N::Square::default() };
        let mut part = N::Square::default();
        let mut terms = 0_u32;
        for term in terms_of_triangles {
            let (term, times) = term?;
            match term {
                Some(term) if times == 1 => part = part + term,
                Some(term) => part = part + term * wide::<N>(times),
                None => mesh.degenerate = mesh.degenerate.saturating_add(times),
            }
            mesh.triangles = mesh.triangles.saturating_add(times);
            terms = terms.wrapping_add(1);
            if terms.is_multiple_of(PART) {
                mesh.density = mesh.density + part;
                part = N::Square::default();
            }
        }
        mesh.density = mesh.density + part;
        Ok((mesh.triangles > 0).then_some(mesh))
    }

    /// Returns the same triangles at another scale of equal proportions, which the caller ensures: only its longest side is
    /// used. If a scale has no side above 0, no triangle has an area.
    ///
    /// # Formula
    /// Σ 1/w · s / s′, s the longest side when measured and s′ the other one.
    ///
    /// # Range and accuracy
    /// As [measured](Self::measure) at that scale, with two more roundings in `f64` and `f32`; the same bits if s′/s is a
    /// power of two. In [`Fixed`](crate::Fixed) sides have steps of 2⁻¹⁶ m, by which proportions differ.
    ///
    /// # Examples
    /// ```
    /// use lodger_core::cost::{ObjectScale, physics::TriangleMesh};
    ///
    /// let triangle = [[0.0_f64, 0.0, 0.0], [1.0, 0.0, 0.0], [0.3, 0.5, 0.0]];
    /// let mesh = TriangleMesh::measure([triangle; 40], ObjectScale::ONE)?;
    /// let twice = ObjectScale::new([2.0; 3])?;
    /// assert_eq!(mesh.map(|mesh| mesh.resized(twice).cost()), Some(2.0));
    /// # Ok::<(), lodger_core::ValueError>(())
    /// ```
    #[must_use]
    pub fn resized(&self, scale: ObjectScale<N>) -> Self {
        let (from, to) = (self.scale.longest(), scale.longest());
        if to > N::ZERO && self.degenerate < self.triangles {
            let density = self.density * (from.widen() / to.widen());
            Self { scale, density, ..*self }
        } else {
            let (degenerate, density) = (self.triangles, N::Square::default());
            Self { scale, degenerate, density, ..*self }
        }
    }

    /// Returns the measured scale.
    pub fn scale(&self) -> ObjectScale<N> {
        self.scale
    }

    /// Returns the number of triangles.
    pub fn triangles(&self) -> u32 {
        self.triangles
    }

    /// Returns the number of triangles without an area; with one of them every triangle costs 50.
    pub fn degenerate(&self) -> u32 {
        self.degenerate
    }

    /// Returns the harmonic mean of the widths in metres, clamped.
    ///
    /// # Formula
    /// n / Σ 1/w, from 0.001 to 20 m; 0.001 if any width is 0.
    ///
    /// # Source
    /// Mesh physics document, formula, triangle mesh overview. It prints 1/avg = 1/a + 1/b + …; its calibration shows
    /// that this is a mean.
    pub fn mean_width(&self) -> N {
        N::narrow(wide::<N>(self.triangles) / self.clamped_density())
    }

    /// Returns the cost of the triangles.
    ///
    /// # Formula
    /// max(0.05·n / w̄, 0.5), w̄ the [mean width](Self::mean_width).
    ///
    /// # Source
    /// Mesh physics document, formula, triangle mesh overview: "for a flat mesh with 0.5 m wide triangles, each
    /// triangle costs 0.1 units with a minimum total mesh cost of 0.5 units".
    ///
    /// # Range and accuracy
    /// With q the greatest (longest edge / width), `f32`: relative 10⁻⁵ + 2·10⁻⁷·q, up to 100 000 triangles;
    /// [`Fixed`](crate::Fixed): 10⁻⁶ and half a 2⁻¹⁶, for the corners as given, saturating at 32 768.
    ///
    /// # Examples
    /// ```
    /// use lodger_core::cost::{ObjectScale, physics::TriangleMesh};
    ///
    /// // 1 m long, 0.5 m wide.
    /// let triangle = [[0.0_f64, 0.0, 0.0], [1.0, 0.0, 0.0], [0.3, 0.5, 0.0]];
    /// let mesh = |n| TriangleMesh::measure(core::iter::repeat_n(triangle, n), ObjectScale::ONE);
    /// let cost = |n| mesh(n).ok().flatten().map(|mesh| mesh.cost());
    /// assert!(cost(40).is_some_and(|cost| (cost - 40.0 * 0.1).abs() < 1e-12));
    /// assert_eq!(cost(1), Some(0.5));
    /// assert_eq!(cost(0), None);
    /// ```
    pub fn cost(&self) -> N {
        const LEAST: f64 = 0.5;
        let cost = self.clamped_density() * N::Square::from_f64(PER_DENSITY);
        N::narrow(cost.at_least(N::Square::from_f64(LEAST)))
    }

    /// Returns the cost of the triangles with an area, without limits of mean width or cost, for comparisons.
    ///
    /// # Formula
    /// 0.05·Σ 1/w
    ///
    /// # Source
    /// Mesh physics document, formula, triangle mesh overview.
    ///
    /// # Examples
    /// ```
    /// use lodger_core::cost::{ObjectScale, physics::TriangleMesh};
    ///
    /// let triangle = [[0.0_f64, 0.0, 0.0], [1.0, 0.0, 0.0], [0.3, 0.5, 0.0]];
    /// let mesh = TriangleMesh::measure([triangle], ObjectScale::ONE)?;
    /// assert_eq!(mesh.map(|mesh| (mesh.cost_without_limits(), mesh.cost())), Some((0.1, 0.5)));
    /// # Ok::<(), lodger_core::ValueError>(())
    /// ```
    pub fn cost_without_limits(&self) -> N {
        N::narrow(self.density * N::Square::from_f64(PER_DENSITY))
    }

    /// Returns n / w̄ in 1/m: Σ 1/w, limited by widths of 20 and 0.001 m.
    fn clamped_density(&self) -> N::Square {
        const WIDEST: i32 = 20;
        const PER_METRE_AT_MOST: i32 = 1000;
        let triangles = wide::<N>(self.triangles);
        let most = triangles * N::Square::from_i32(PER_METRE_AT_MOST);
        if self.degenerate > 0 {
            most
        } else {
            self.density.at_most(most).at_least(triangles / N::Square::from_i32(WIDEST))
        }
    }
}

/// Returns a triangle's width at a scale in metres: the shorter side of the tightest rectangle around it.
///
/// # Formula
/// w = 2·area / longest edge, each axis stretched by the scale first.
///
/// # Source
/// Mesh physics document, formula, triangle mesh overview.
///
/// # Errors
/// The errors of [`TriangleMesh::measure`].
///
/// # Examples
/// ```
/// use lodger_core::cost::{ObjectScale, physics::triangle_width};
///
/// let flat = [[0.0_f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
/// assert_eq!(triangle_width(flat, ObjectScale::new([4.0, 3.0, 1.0])?)?, 2.4);
/// # Ok::<(), lodger_core::ValueError>(())
/// ```
pub fn triangle_width<N: Real>(
    triangle: [[N; 3]; 3],
    scale: ObjectScale<N>,
) -> Result<N, ValueError> {
    check(triangle)?;
    let width = |density| N::narrow(N::ONE.widen() / density);
    Ok(reciprocal_width::<N>(triangle, scale).map_or(N::ZERO, width))
}

fn check<N: Real>(triangle: [[N; 3]; 3]) -> Result<(), ValueError> {
    for coordinate in triangle.as_flattened() {
        within_reach(coordinate.finite(Quantity::Position)?, Quantity::Position)?;
    }
    Ok(())
}

/// Returns longest edge / (2·area) in 1/m; `None` without an area.
fn reciprocal_width<N: Real>([a, b, c]: [[N; 3]; 3], scale: ObjectScale<N>) -> Option<N::Square> {
    let difference = |[x, y, z]: [N; 3], [u, v, w]: [N; 3]| [x - u, y - v, z - w];
    let (ab, ac, bc) = (difference(b, a), difference(c, a), difference(c, b));
    let [sx, sy, sz] = scale.sides().map(Real::widen);

    let length_sq = |[x, y, z]: [N; 3]| {
        let square = |side: N::Square, component: N| side * side * component.square();
        square(sx, x) + square(sy, y) + square(sz, z)
    };
    let longest_sq = length_sq(ab).at_least(length_sq(ac)).at_least(length_sq(bc));

    let [x, y, z] = N::cross(ab, ac);
    let square = |sides: N::Square, component: N::Square| (sides * component) * (sides * component);
    let cross_sq = square(sy * sz, x) + square(sz * sx, y) + square(sx * sy, z);
    (cross_sq > N::Square::default()).then(|| (longest_sq / cross_sq).root())
}
