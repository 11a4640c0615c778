//! Views from what a file says of a camera.

use std::ops::RangeInclusive;

use glam::{DMat3, DMat4, DVec3};
use lodger_core::error::ValueError;
use lodger_scheduler::View;

use crate::numbers::place;

/// The properties of a camera that do not move with it: its field of view, zoom and frustum.
///
/// # Examples
/// ```
/// # use lodger_scenes::SceneFile;
/// # let (overrides, limits, quota) = Default::default();
/// let text = "budget_ms = 5\n[[view]]\neye = [0, 2, 0]\nlook = [0, 2, -9]\nfov = 90\naspect = 1\nfrustum = true";
/// let file = SceneFile::from_toml(text, &overrides, limits, &quota)?;
/// let lens = file.lens;
/// assert!((lens.half_width().expect("a frustum") - 1.0).abs() < 1e-12); // tan 45°
///
/// // The same camera looks along x, then in no direction.
/// assert!(lens.view([5.0, 2.0, 0.0], Some([1.0, 0.0, 0.0]))?.has_frustum());
/// assert!(!lens.view([5.0, 2.0, 0.0], None)?.has_frustum());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct CameraLens {
    /// The vertical field of view in degrees, from 0.001 to 179.
    pub fov: Option<f64>,
    /// The width of the picture divided by its height.
    pub aspect: f64,
    /// The direction that is upwards in the picture.
    pub up: [f64; 3],
    /// The zoom, unless it follows from the reference.
    pub zoom: f64,
    /// The vertical field of view in degrees whose zoom is 1.
    pub reference_fov: Option<f64>,
    /// The margin of the frustum in degrees; `None` for no frustum.
    pub margin: Option<f64>,
}

impl Default for CameraLens {
    /// A mere position: zoom 1, no field of view and no frustum.
    fn default() -> Self {
        Self {
            fov: None,
            aspect: Self::ASPECT,
            up: [0.0, 1.0, 0.0],
            zoom: 1.0,
            reference_fov: None,
            margin: None,
        }
    }
}

impl CameraLens {
    /// The aspect of a file without one.
    pub const ASPECT: f64 = 16.0 / 9.0;
    /// The vertical fields of view that a file may have, in degrees.
    pub(crate) const FOVS: RangeInclusive<f64> = 0.001..=179.0;
    /// The aspects that a file may have.
    pub(crate) const ASPECTS: RangeInclusive<f64> = 0.05..=20.0;

    /// Makes the view of a camera at `eye`, in metres. Without a direction, or with one of length 0, it has no frustum.
    ///
    /// # Errors
    /// The errors of [`View::from_matrices`], [`View::zoom`], [`View::reference_fov`] and [`View::frustum_with_margin`].
    pub fn view(
        &self,
        eye: [f64; 3],
        direction: Option<[f64; 3]>,
    ) -> Result<View<f32>, ValueError> {
        let direction = direction.and_then(|along| DVec3::from_array(along).try_normalize());
        let mut view = View::from_position(place(eye)?)?;
        if let Some(fov) = self.fov {
            let along = direction.unwrap_or(DVec3::NEG_Z);
            let columns = look(eye.into(), along, self.up.into());
            view = View::from_matrices(columns, perspective(fov, self.aspect))?;
        }
        let view = match self.reference_fov {
            Some(degrees) => view.reference_fov(degrees)?,
            None => view.zoom(self.zoom)?,
        };
        match self.margin.filter(|_| direction.is_some()) {
            Some(degrees) => view.frustum_with_margin(degrees),
            None => Ok(view),
        }
    }

    /// Returns the tangent of the angle between the direction of view and the left or right side of the frustum; `None`
    /// without a frustum.
    #[must_use]
    pub fn half_width(&self) -> Option<f64> {
        self.margin.and(self.fov).map(|fov| self.aspect * half_height(fov))
    }
}

/// The view matrix of a camera that looks along a unit vector, right-handed, in columns. If `up` is along it, the camera is
/// turned around it at will.
fn look(eye: DVec3, along: DVec3, up: DVec3) -> [[f64; 4]; 4] {
    let right = up.try_normalize().map(|up| along.cross(up)).filter(|right| right.length() > 1e-9);
    let right = right.unwrap_or_else(|| along.any_orthogonal_vector()).normalize();
    let axes = DMat3::from_cols(right, right.cross(along), -along).transpose();
    DMat4::from_mat3_translation(axes, -(axes * eye)).to_cols_array_2d()
}

/// A projection in columns, whose depth is that of OpenGL without a far plane.
fn perspective(fov: f64, aspect: f64) -> [[f64; 4]; 4] {
    let scale = 1.0 / half_height(fov);
    [
        [scale / aspect, 0.0, 0.0, 0.0],
        [0.0, scale, 0.0, 0.0],
        [0.0, 0.0, -1.0, -1.0],
        [0.0, 0.0, -1.0, 0.0],
    ]
}

/// The tangent of half of a field of view in degrees, the same on every machine.
fn half_height(fov: f64) -> f64 {
    libm::tan((fov / 2.0).to_radians())
}

#[cfg(test)]
mod tests {
    use lodger_scheduler::{
        Actor, BenefitValue, Budget, Module, OutsideFactor, Scene, UnitCost, View,
    };

    use super::CameraLens;

    /// Whether a view sees a small actor at each place.
    fn sees<const N: usize>(view: View<f32>, places: [[f32; 3]; N]) -> [bool; N] {
        let mut scene = Scene::new(Budget::UNLIMITED);
        let module = Module::new("m", UnitCost::from_ns(1.0).expect("a cost"))
            .benefit_value(BenefitValue::from_ns(1))
            .outside(OutsideFactor::ZERO);
        let module = scene.add_module(module).expect("space");
        scene.add_view(view).expect("space");
        let actors = places.map(|place| Actor::at(place, 0.01, &[0, 1]));
        let actors = actors.map(|actor| scene.spawn(module, actor).expect("space"));
        scene.tick();
        actors.map(|actor| scene.is_in_view(actor).expect("present"))
    }

    #[test]
    #[allow(clippy::float_cmp)] // exact numbers
    fn a_frustum_is_as_wide_and_high_as_the_lens_says() {
        let lens =
            CameraLens { fov: Some(60.0), aspect: 2.0, margin: Some(0.0), ..CameraLens::default() };
        // At 10 m, half of the height is 5.77 m and half of the width 11.55 m. The camera looks along +x.
        let view = lens.view([1.0, 2.0, 3.0], Some([4.0, 0.0, 0.0])).expect("a view");
        let at = |up: f32, aside: f32| [11.0, 2.0 + up, 3.0 + aside];
        let places = [at(5.7, 0.0), at(-5.7, 11.5), at(5.9, 0.0), at(0.0, -11.7), [-9.0, 2.0, 3.0]];
        assert_eq!(sees(view, places), [true, true, false, false, false]);
        assert_eq!(view.position(), [1.0, 2.0, 3.0]);
        // On its side it is high, and not wide.
        let lens = CameraLens { up: [0.0, 0.0, 7.0], ..lens };
        let view = lens.view([1.0, 2.0, 3.0], Some([4.0, 0.0, 0.0])).expect("a view");
        assert_eq!(sees(view, [at(11.5, 0.0), at(0.0, 5.7), at(0.0, 5.9)]), [true, true, false]);
    }

    #[test]
    fn a_camera_may_look_straight_down_or_nowhere() {
        let lens =
            CameraLens { fov: Some(60.0), margin: Some(0.0), aspect: 1.0, ..CameraLens::default() };
        let down = lens.view([0.0, 9.0, 0.0], Some([0.0, -1.0, 0.0])).expect("a view");
        assert_eq!(sees(down, [[0.0; 3], [0.0, 20.0, 0.0], [9.0, 0.0, 9.0]]), [true, false, false]);
        assert!(!lens.view([0.0; 3], Some([0.0; 3])).expect("a view").has_frustum());
        let narrow = CameraLens { reference_fov: Some(90.0), ..lens };
        let view = narrow.view([0.0; 3], None).expect("a view");
        assert!((view.zoom_factor() - 3.0_f64.sqrt()).abs() < 1e-12);
    }
}
