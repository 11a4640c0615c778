//! Vectors of views.

use lodger_core::view::View;
use lodger_core::{Real, ValueError};
use serde::{Deserialize, Serialize};

use super::number::Number;

/// The maximum number of views of a scene.
pub const VIEWS: usize = 2;

/// A view in one tick. Except for the eye, numbers are the bits of `f32`, as matrices are read in `f64`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ViewVector {
    /// The position of the viewer in metres, as bits of the number type.
    pub eye: [u32; 3],
    /// The magnification.
    pub zoom: Option<u32>,
    /// The direction and the frustum; without one the view is an eye.
    pub camera: Option<CameraVector>,
}

/// A direction of view, and a projection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct CameraVector {
    /// The first three columns of the view matrix, without their last elements.
    pub axes: [[u32; 3]; 3],
    /// Elements of the projection matrix: \[0\]\[0\], \[1\]\[1\], \[2\]\[0\], \[2\]\[1\].
    pub projection: [u32; 4],
    /// The margin of the frustum, in degrees.
    pub margin: u32,
    /// The field of view of zoom 1, in degrees.
    pub reference: Option<u32>,
}

impl ViewVector {
    /// The view.
    ///
    /// # Errors
    /// If the numbers are no valid view.
    pub fn view<N: Number>(&self) -> Result<View<N>, ValueError> {
        let eye = self.eye.map(N::from_word);
        let view = match &self.camera {
            Some(camera) => camera.view(eye)?,
            None => View::from_position(eye)?,
        };
        self.zoom.map_or(Ok(view), |zoom| view.zoom(float(zoom)))
    }
}

impl CameraVector {
    fn view<N: Real>(&self, eye: [N; 3]) -> Result<View<N>, ValueError> {
        let axes = self.axes.map(|axis| axis.map(float));
        let mut moved = [0.0; 3];
        for (axis, along) in axes.into_iter().zip(eye.map(Real::to_f64)) {
            moved.iter_mut().zip(axis).for_each(|(moved, axis)| *moved -= axis * along);
        }
        let column = |[x, y, z]: [f64; 3], w| [x, y, z, w];
        let [first, second, third] = axes.map(|axis| column(axis, 0.0));
        let view = [first, second, third, column(moved, 1.0)];
        let [x, y, x_shift, y_shift] = self.projection.map(float);
        let projection = [
            [x, 0.0, 0.0, 0.0],
            [0.0, y, 0.0, 0.0],
            [x_shift, y_shift, -1.0, -1.0],
            [0.0, 0.0, -0.2, 0.0],
        ];
        let view = View::from_matrices(view, projection)?;
        let view = view.frustum_with_margin(float(self.margin))?;
        self.reference.map_or(Ok(view), |degrees| view.reference_fov(float(degrees)))
    }
}

fn float(bits: u32) -> f64 {
    f32::from_bits(bits).into()
}
