//! Views: an eye, its zoom, and what it sees.
//!
//! Matrices are read in `f64` with the functions of `libm` when a view is set, so that the same matrix gives the same bits
//! on every target. A tick computes with the number type of the scene.

use crate::error::{Quantity, ValueError, ValueProblem};
use crate::real::{Real, Square};

/// A position from which a scene is seen, with its zoom and its frustum.
///
/// # Examples
/// ```
/// use lodger_core::view::View;
///
/// // A camera at (1, 2, 5) that looks along −z, with a vertical field of view of 90°.
/// let view = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [-1.0, -2.0, -5.0, 1.0]];
/// let projection = [[0.5, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, -1.0, -1.0], [0.0, 0.0, -0.2, 0.0]];
/// let view = View::<f32>::from_matrices(view, projection)?.reference_fov(60.0)?.frustum()?;
/// assert_eq!(view.position(), [1.0, 2.0, 5.0]);
/// assert!((view.zoom_factor() - 0.577).abs() < 0.001); // 90° show less of an actor than 60°
/// # Ok::<(), lodger_core::ValueError>(())
/// ```
#[doc(alias = "allocProjMatrix")]
#[doc(alias = "setProjMatrix")]
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct View<N: Real> {
    eye: [N; 3],
    zoom: f64,
    perspective: Option<Perspective>,
    frustum: Option<Frustum<N>>,
}

/// The parts of both matrices that zoom and frustum need.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
struct Perspective {
    /// The direction of view.
    forward: [f64; 3],
    /// The side planes through the eye, which point inwards: left, right, bottom and top, if y is up.
    sides: [[f64; 3]; 4],
    /// The element \[1\]\[1\] of the projection.
    scale: f64,
}

/// The angle in degrees by which the planes of a frustum are turned outwards for actors that were inside.
pub const DEFAULT_MARGIN: f64 = 2.0;

impl<N: Real> View<N> {
    /// Makes a view from a position in metres, with zoom 1 and without a frustum.
    ///
    /// # Errors
    /// [`ValueProblem::NotFinite`].
    ///
    /// # Examples
    /// ```
    /// use lodger_core::view::View;
    ///
    /// assert_eq!(View::from_position([2.0_f32, 0.0, 1.5])?.position(), [2.0, 0.0, 1.5]);
    /// assert!(View::from_position([f32::NAN, 0.0, 0.0]).is_err());
    /// # Ok::<(), lodger_core::ValueError>(())
    /// ```
    pub fn from_position(position: [N; 3]) -> Result<Self, ValueError> {
        for component in position {
            component.finite(Quantity::Position)?;
        }
        Ok(Self { eye: position, zoom: 1.0, perspective: None, frustum: None })
    }

    /// Makes a view from a view matrix: four columns, right-handed, in `f32` or `f64`, as glam's
    /// `to_cols_array_2d` and OpenGL have it. With the feature `glam` there is `View::try_from`.
    ///
    /// The position is `inverse(view) · (0, 0, 0, 1)`, in double precision for views far from the origin.
    ///
    /// # Errors
    /// [`ValueProblem::NotFinite`] or [`ValueProblem::Singular`] for the matrix, [`ValueProblem::TooLarge`] if
    /// the position does not fit the number type.
    ///
    /// # Examples
    /// ```
    /// use lodger_core::view::View;
    ///
    /// // Looks along −z from (1, 2, 5), so the world moves the other way.
    /// let view = [
    ///     [1.0_f32, 0.0, 0.0, 0.0],
    ///     [0.0, 1.0, 0.0, 0.0],
    ///     [0.0, 0.0, 1.0, 0.0],
    ///     [-1.0, -2.0, -5.0, 1.0],
    /// ];
    /// assert_eq!(View::<f32>::from_matrix(view)?.position(), [1.0, 2.0, 5.0]);
    /// # Ok::<(), lodger_core::ValueError>(())
    /// ```
    #[doc(alias = "allocViewMatrix")]
    #[doc(alias = "setViewMatrix")]
    pub fn from_matrix<M: Into<f64>>(view: [[M; 4]; 4]) -> Result<Self, ValueError> {
        let columns = finite(view, Quantity::View)?;
        let refuse = |problem| ValueError::new(Quantity::View, problem);
        let cofactors = last_row_cofactors(columns);
        let last_row = columns.map(|[_, _, _, last]| last);
        let determinant = dot(&last_row, &cofactors);
        if determinant == 0.0 {
            return Err(refuse(ValueProblem::Singular));
        }
        let [x, y, z, w] = cofactors;
        let component = |value: f64| N::from_f64(value / w).ok_or(refuse(ValueProblem::TooLarge));
        Self::from_position([component(x)?, component(y)?, component(z)?])
    }

    /// Makes a view from a view matrix and a projection matrix, each of four columns. The projection is a perspective
    /// from the eye: its last row is (0, 0, −1, 0), and its first two rows end with 0. Its depth range is not used.
    ///
    /// Alone it changes nothing but the position: [`reference_fov`](Self::reference_fov) takes the zoom from the
    /// projection, and [`frustum`](Self::frustum) its sides.
    ///
    /// # Errors
    /// As for [`from_matrix`](Self::from_matrix); for the projection [`ValueProblem::NotFinite`] or
    /// [`ValueProblem::NotPerspective`], as for an orthographic one.
    pub fn from_matrices<M: Into<f64>, P: Into<f64>>(
        view: [[M; 4]; 4],
        projection: [[P; 4]; 4],
    ) -> Result<Self, ValueError> {
        let view = view.map(|column| column.map(Into::into));
        let without_projection = Self::from_matrix(view)?;
        let projection = finite(projection, Quantity::Projection)?;
        let [px, py, _, pw] = transposed(projection);
        let ([_, scale, _, _], [_, _, _, x_of_eye], [_, _, _, y_of_eye]) = (py, px, py);
        #[allow(clippy::float_cmp)] // exact by definition
        if pw != [0.0, 0.0, -1.0, 0.0] || [x_of_eye, y_of_eye] != [0.0; 2] {
            return Err(ValueError::new(Quantity::Projection, ValueProblem::NotPerspective));
        }
        // Rows of P·V without the last column, because the sides contain the eye.
        let row = |row_of_projection: [f64; 4]| {
            view.map(|column| dot(&row_of_projection, &column))
                .first_chunk()
                .copied()
                .unwrap_or_default()
        };
        let (x, y, forward) = (row(px), row(py), row(pw));
        let [left, bottom] = [x, y].map(|row| combined(forward, 1.0, row, 1.0));
        let [right, top] = [x, y].map(|row| combined(forward, 1.0, row, -1.0));
        let perspective = Some(Perspective { forward, sides: [left, right, bottom, top], scale });
        Ok(Self { perspective, ..without_projection })
    }

    /// Sets the magnification: at zoom z, an actor at z times a distance has the importance that it has at this distance
    /// without a zoom. A maximum distance D ends at z · D.
    ///
    /// # Formula
    /// r² is multiplied by 1/z², rounded once to the square of the number type, before every distance importance.
    ///
    /// # Errors
    /// [`ValueProblem::NotFinite`]; [`ValueProblem::TooSmall`] below 1/64, [`ValueProblem::TooLarge`] above 64.
    ///
    /// # Examples
    /// ```
    /// use lodger_core::view::View;
    ///
    /// let scope = View::from_position([0.0_f32; 3])?.zoom(8.0)?;
    /// assert_eq!(scope.zoom_factor(), 8.0);
    /// assert!(scope.zoom(64.0).is_ok() && scope.zoom(64.1).is_err());
    /// assert!(scope.zoom(1.0 / 64.0).is_ok() && scope.zoom(1.0 / 64.1).is_err());
    /// # Ok::<(), lodger_core::ValueError>(())
    /// ```
    pub fn zoom(self, zoom: f64) -> Result<Self, ValueError> {
        let error = |problem| Err(ValueError::new(Quantity::Zoom, problem));
        if zoom.finite(Quantity::Zoom)? < 1.0 / 64.0 {
            error(ValueProblem::TooSmall)
        } else if zoom > 64.0 {
            error(ValueProblem::TooLarge)
        } else {
            Ok(Self { zoom, ..self })
        }
    }

    /// Takes the zoom from the projection: 1 if its vertical field of view is `degrees`, more if it is narrower.
    ///
    /// # Formula
    /// z = |P\[1\]\[1\]| · tan(reference/2); some engines flip y.
    ///
    /// # Errors
    /// For the reference [`ValueProblem::NotFinite`], [`ValueProblem::NotPositive`] or, from 180° on,
    /// [`ValueProblem::TooLarge`]; [`ValueProblem::Missing`] for a view without a projection; as for
    /// [`zoom`](Self::zoom).
    pub fn reference_fov(self, degrees: f64) -> Result<Self, ValueError> {
        let refuse = |problem| ValueError::new(Quantity::ReferenceFov, problem);
        if degrees.finite(Quantity::ReferenceFov)? <= 0.0 {
            return Err(refuse(ValueProblem::NotPositive));
        } else if degrees >= 180.0 {
            return Err(refuse(ValueProblem::TooLarge));
        }
        let scale = libm::fabs(self.perspective()?.scale);
        self.zoom(scale * libm::tan((degrees / 2.0).to_radians()))
    }

    /// Looks only through the sides of the projection, with the [`DEFAULT_MARGIN`].
    ///
    /// An actor is outside if its bounding sphere is wholly beyond one of the four planes through the eye. Then its benefit
    /// at this view is multiplied by its module's [`OutsideFactor`](crate::benefit::OutsideFactor). Near and far are not
    /// tested, because they depend on the depth convention of the engine.
    ///
    /// # Errors
    /// As for [`frustum_with_margin`](Self::frustum_with_margin).
    pub fn frustum(self) -> Result<Self, ValueError> {
        self.frustum_with_margin(DEFAULT_MARGIN)
    }

    /// As [`frustum`](Self::frustum), with a margin in degrees. An actor that was inside, or is new, leaves over a plane
    /// only if it is also beyond this plane turned outwards by the margin, so that a view that trembles does not drop and
    /// take it in turn.
    ///
    /// # Formula
    /// A plane with the inner normal n, turned by m: n·cos m + d·sin m, where d is the unit vector of f − (f·n)n, and f the
    /// direction of view.
    ///
    /// # Errors
    /// For the margin [`ValueProblem::NotFinite`], [`ValueProblem::Negative`], or [`ValueProblem::TooLarge`] if a side would
    /// be 90° or more from the direction of view. For the projection [`ValueProblem::Missing`] for a view without one,
    /// and [`ValueProblem::Singular`] if a side has no direction.
    pub fn frustum_with_margin(self, degrees: f64) -> Result<Self, ValueError> {
        let margin = degrees.not_negative(Quantity::Margin)?.to_radians();
        Ok(Self { frustum: Some(Frustum::new(self.perspective()?, margin)?), ..self })
    }

    /// Moves the view to a position in metres; zoom, projection and frustum stay.
    ///
    /// # Errors
    /// [`ValueProblem::NotFinite`].
    ///
    /// # Examples
    /// ```
    /// use lodger_core::view::View;
    ///
    /// let view = View::from_position([0.0_f32; 3])?.zoom(2.0)?.moved_to([0.0, 5.0, 0.0])?;
    /// assert_eq!((view.position(), view.zoom_factor()), ([0.0, 5.0, 0.0], 2.0));
    /// # Ok::<(), lodger_core::ValueError>(())
    /// ```
    pub fn moved_to(self, position: [N; 3]) -> Result<Self, ValueError> {
        Ok(Self { eye: Self::from_position(position)?.eye, ..self })
    }

    fn perspective(&self) -> Result<&Perspective, ValueError> {
        self.perspective
            .as_ref()
            .ok_or(ValueError::new(Quantity::Projection, ValueProblem::Missing))
    }

    /// Returns the position of the view, in metres.
    pub fn position(&self) -> [N; 3] {
        self.eye
    }

    /// Returns the magnification, from 1/64 to 64.
    pub fn zoom_factor(&self) -> f64 {
        self.zoom
    }

    /// Whether the view has a frustum.
    pub fn has_frustum(&self) -> bool {
        self.frustum.is_some()
    }

    /// Returns the lens of the view, as ticks use it.
    #[allow(clippy::float_cmp)] // exactly 1 changes nothing
    pub fn lens(&self) -> Lens<N> {
        let shrink = (self.zoom != 1.0).then(|| N::Square::from_f64(1.0 / (self.zoom * self.zoom)));
        Lens { eye: self.eye, shrink, frustum: self.frustum }
    }
}

#[cfg(feature = "glam")]
impl<N: Real> TryFrom<glam::Mat4> for View<N> {
    type Error = ValueError;

    /// Calls [`View::from_matrix`].
    fn try_from(view: glam::Mat4) -> Result<Self, ValueError> {
        Self::from_matrix(view.to_cols_array_2d())
    }
}

#[cfg(feature = "glam")]
impl<N: Real> TryFrom<glam::DMat4> for View<N> {
    type Error = ValueError;

    /// Calls [`View::from_matrix`].
    fn try_from(view: glam::DMat4) -> Result<Self, ValueError> {
        Self::from_matrix(view.to_cols_array_2d())
    }
}

/// A view as ticks use it.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Lens<N: Real> {
    pub(crate) eye: [N; 3],
    /// The factor of squared distances; `None` for 1.
    pub(crate) shrink: Option<N::Square>,
    pub(crate) frustum: Option<Frustum<N>>,
}

impl<N: Real> Lens<N> {
    /// Whether the zoom is not 1.
    pub fn has_zoom(&self) -> bool {
        self.shrink.is_some()
    }

    /// Whether the lens has a frustum.
    pub fn has_frustum(&self) -> bool {
        self.frustum.is_some()
    }
}

/// Planes through the eye, given by their inner unit normals.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub(crate) struct Frustum<N: Real> {
    sides: [Side<N>; 4],
}

#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
struct Side<N: Real> {
    normal: [N::UnitComponent; 3],
    /// The normal of the plane turned outwards by the margin.
    turned: [N::UnitComponent; 3],
}

impl<N: Real> Frustum<N> {
    fn new(perspective: &Perspective, margin: f64) -> Result<Self, ValueError> {
        let forward = unit(perspective.forward)?;
        let (sine, cosine) = (libm::sin(margin), libm::cos(margin));
        let side = |side: [f64; 3]| {
            let normal = unit(side)?;
            let along = dot(&normal, &forward);
            // The sine of the angle between the side and the direction of view.
            if along >= cosine {
                return Err(ValueError::new(Quantity::Margin, ValueProblem::TooLarge));
            }
            let across = unit(combined(forward, 1.0, normal, -along))?;
            let turned = combined(normal, cosine, across, sine);
            Ok(Side {
                normal: normal.map(N::unit_component),
                turned: turned.map(N::unit_component),
            })
        };
        let [left, right, bottom, top] = perspective.sides;
        Ok(Self { sides: [side(left)?, side(right)?, side(bottom)?, side(top)?] })
    }

    /// Whether a sphere is beyond no side, as seen from the eye.
    #[inline(always)]
    #[allow(clippy::inline_always)] // called once for each row
    pub(crate) fn contains(&self, offset: [N; 3], radius: N) -> bool {
        let distances = self.sides.each_ref().map(|side| N::along(offset, side.normal));
        !is_beyond(distances, radius)
    }

    /// Whether a sphere that was inside stays: it is not both beyond a side and beyond this side turned outwards.
    #[inline(always)]
    #[allow(clippy::inline_always)] // called once for each row
    pub(crate) fn keeps(&self, offset: [N; 3], radius: N) -> bool {
        let distances = self.sides.each_ref().map(|side| {
            let (plain, turned) = (N::along(offset, side.normal), N::along(offset, side.turned));
            if turned > plain { turned } else { plain }
        });
        !is_beyond(distances, radius)
    }
}

#[inline(always)]
#[allow(clippy::inline_always)] // called once for each row
fn is_beyond<N: Real>([a, b, c, d]: [N; 4], radius: N) -> bool {
    a.lesser(b).lesser(c.lesser(d)) < -radius
}

fn finite<M: Into<f64>>(
    matrix: [[M; 4]; 4],
    quantity: Quantity,
) -> Result<[[f64; 4]; 4], ValueError> {
    let columns = matrix.map(|column| column.map(Into::into));
    if columns.iter().flatten().all(|number| number.is_finite()) {
        Ok(columns)
    } else {
        Err(ValueError::new(quantity, ValueProblem::NotFinite))
    }
}

fn transposed([a, b, c, d]: [[f64; 4]; 4]) -> [[f64; 4]; 4] {
    let ([a0, a1, a2, a3], [b0, b1, b2, b3]) = (a, b);
    let ([c0, c1, c2, c3], [d0, d1, d2, d3]) = (c, d);
    [[a0, b0, c0, d0], [a1, b1, c1, d1], [a2, b2, c2, d2], [a3, b3, c3, d3]]
}

/// Returns a·p + b·q.
fn combined(a: [f64; 3], p: f64, b: [f64; 3], q: f64) -> [f64; 3] {
    let mut sums = a;
    for (sum, b) in sums.iter_mut().zip(b) {
        *sum = *sum * p + b * q;
    }
    sums
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |sum, (a, b)| sum + a * b)
}

/// Divides a vector by its length.
fn unit(vector: [f64; 3]) -> Result<[f64; 3], ValueError> {
    let length = libm::sqrt(dot(&vector, &vector));
    if length > 0.0 && length.is_finite() {
        Ok(vector.map(|component| component / length))
    } else {
        Err(ValueError::new(Quantity::Projection, ValueProblem::Singular))
    }
}

/// Returns the last column of the inverse of a matrix of columns, times its determinant.
fn last_row_cofactors([a, b, c, d]: [[f64; 4]; 4]) -> [f64; 4] {
    let minor =
        |[p0, p1, p2, _]: [f64; 4], [q0, q1, q2, _]: [f64; 4], [r0, r1, r2, _]: [f64; 4]| {
            p0 * (q1 * r2 - q2 * r1) - q0 * (p1 * r2 - p2 * r1) + r0 * (p1 * q2 - p2 * q1)
        };
    [-minor(b, c, d), minor(a, c, d), -minor(a, b, d), minor(a, b, c)]
}
