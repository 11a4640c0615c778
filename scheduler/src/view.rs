//! Where the scene is seen from.

use glam::{DMat4, Mat4};
use lodger_core::Real;
use lodger_core::error::{Error, Problem, Quantity};

/// A place that a scene is seen from.
///
/// Several views are allowed (APEX allowed one); an actor matters as much as it does to the nearest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct View<N> {
    eye: [N; 3],
    projection: Option<Mat4>,
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
        Ok(Self { eye: position, projection: None })
    }

    /// A camera: column-major and right-handed matrices, as glam and OpenGL have them.
    ///
    /// The eye is `inverse(view) · (0, 0, 0, 1)`.
    ///
    /// # Errors
    /// [`Problem::NotFinite`] or [`Problem::Singular`] for either matrix, [`Problem::TooLarge`] when
    /// the eye does not fit the number type.
    ///
    /// # Examples
    /// ```
    /// use glam::camera::rh::{proj::opengl::perspective, view::look_at_mat4};
    /// use glam::{Mat4, Vec3};
    /// use lodger_scheduler::View;
    ///
    /// let view = look_at_mat4(Vec3::new(0.0, 2.0, 5.0), Vec3::ZERO, Vec3::Y);
    /// let projection = perspective(1.0, 16.0 / 9.0, 0.1, 1000.0);
    /// let [x, y, z] = View::<f64>::from_matrices(view, projection)?.position();
    /// assert!(x.abs() < 1e-6 && (y - 2.0).abs() < 1e-6 && (z - 5.0).abs() < 1e-6);
    /// assert!(View::<f64>::from_matrices(Mat4::ZERO, projection).is_err());
    /// # Ok::<(), lodger_core::Error>(())
    /// ```
    #[doc(alias = "allocViewMatrix")]
    #[doc(alias = "allocProjMatrix")]
    pub fn from_matrices(view: Mat4, projection: Mat4) -> Result<Self, Error> {
        inverse(projection, Quantity::Projection)?;
        let eye = inverse(view, Quantity::View)?.w_axis;
        let too_large = Error::new(Quantity::View, Problem::TooLarge);
        let component = |value: f64| N::from_f64(value / eye.w).ok_or(too_large);
        let eye = [component(eye.x)?, component(eye.y)?, component(eye.z)?];
        Ok(Self { eye, projection: Some(projection) })
    }

    /// The position of the eye, in metres.
    pub fn position(&self) -> [N; 3] {
        self.eye
    }

    /// The projection, if the view was made from matrices.
    pub fn projection(&self) -> Option<Mat4> {
        self.projection
    }
}

/// The inverse, in double precision as a view far from the origin has little to spare.
fn inverse(matrix: Mat4, quantity: Quantity) -> Result<DMat4, Error> {
    if !matrix.is_finite() {
        return Err(Error::new(quantity, Problem::NotFinite));
    }
    matrix.as_dmat4().try_inverse().ok_or(Error::new(quantity, Problem::Singular))
}
