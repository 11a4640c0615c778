//! Where the scene is seen from.

use lodger_core::Real;
use lodger_core::error::{Error, Problem, Quantity};

/// A place that a scene is seen from.
///
/// Several views are allowed (APEX allowed one); an actor matters as much as it does to the nearest.
/// A projection is not asked for, as no importance depends on one: an actor's is a matter of its
/// distance and its radius alone.
#[doc(alias = "allocProjMatrix")]
#[doc(alias = "setProjMatrix")]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct View<N> {
    eye: [N; 3],
}

impl<N: Real> View<N> {
    /// An eye at a position in metres.
    ///
    /// # Errors
    /// [`Problem::NotFinite`].
    pub fn eye(position: [N; 3]) -> Result<Self, Error> {
        for component in position {
            component.finite(Quantity::Position)?;
        }
        Ok(Self { eye: position })
    }

    /// A camera by its view matrix: four columns, right-handed, in `f32` or `f64`, as glam's
    /// `to_cols_array_2d` and OpenGL have it. With the feature `glam` there is `View::try_from`.
    ///
    /// The eye is `inverse(view) · (0, 0, 0, 1)`, computed in double precision as a view far from
    /// the origin has little to spare.
    ///
    /// # Errors
    /// [`Problem::NotFinite`] or [`Problem::Singular`] for the matrix, [`Problem::TooLarge`] when the
    /// eye does not fit the number type.
    ///
    /// # Examples
    /// ```
    /// use lodger_scheduler::View;
    ///
    /// // Looks along −z from (1, 2, 5), so the world moves the other way.
    /// let mut view = [[0.0_f32; 4]; 4];
    /// for i in 0..4 {
    ///     view[i][i] = 1.0;
    /// }
    /// view[3] = [-1.0, -2.0, -5.0, 1.0];
    /// assert_eq!(View::<f32>::from_matrix(view)?.position(), [1.0, 2.0, 5.0]);
    /// assert!(View::<f32>::from_matrix([[0.0_f32; 4]; 4]).is_err());
    /// # Ok::<(), lodger_core::Error>(())
    /// ```
    #[doc(alias = "allocViewMatrix")]
    #[doc(alias = "setViewMatrix")]
    pub fn from_matrix<M: Into<f64>>(view: [[M; 4]; 4]) -> Result<Self, Error> {
        let columns = view.map(|column| column.map(Into::into));
        let refuse = |problem| Error::new(Quantity::View, problem);
        if !columns.iter().flatten().all(|number| number.is_finite()) {
            return Err(refuse(Problem::NotFinite));
        }
        let cofactors = last_row_cofactors(columns);
        let determinant: f64 = (0..4).map(|k| columns[k][3] * cofactors[k]).sum();
        if determinant == 0.0 {
            return Err(refuse(Problem::Singular));
        }
        let [x, y, z, w] = cofactors;
        let component = |value: f64| N::from_f64(value / w).ok_or(refuse(Problem::TooLarge));
        Ok(Self { eye: [component(x)?, component(y)?, component(z)?] })
    }

    /// The position of the eye, in metres.
    pub fn position(&self) -> [N; 3] {
        self.eye
    }
}

/// The cofactors of the last row of a matrix of columns: the last column of its inverse, times its
/// determinant.
fn last_row_cofactors([a, b, c, d]: [[f64; 4]; 4]) -> [f64; 4] {
    let minor = |p: [f64; 4], q: [f64; 4], r: [f64; 4]| {
        p[0] * (q[1] * r[2] - q[2] * r[1]) - q[0] * (p[1] * r[2] - p[2] * r[1])
            + r[0] * (p[1] * q[2] - p[2] * q[1])
    };
    [-minor(b, c, d), minor(a, c, d), -minor(a, b, d), minor(a, b, c)]
}

#[cfg(feature = "glam")]
impl<N: Real> TryFrom<glam::Mat4> for View<N> {
    type Error = Error;

    /// Does what [`View::from_matrix`] does, with the same errors.
    fn try_from(view: glam::Mat4) -> Result<Self, Error> {
        Self::from_matrix(view.to_cols_array_2d())
    }
}

#[cfg(feature = "glam")]
impl<N: Real> TryFrom<glam::DMat4> for View<N> {
    type Error = Error;

    /// Does what [`View::from_matrix`] does, with the same errors.
    fn try_from(view: glam::DMat4) -> Result<Self, Error> {
        Self::from_matrix(view.to_cols_array_2d())
    }
}
