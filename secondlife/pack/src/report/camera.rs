use glam::DVec3;

/// The vertical field of view of a viewer.
///
/// Source: the default of the setting `CameraAngle` of today's viewers, 1.047 rad.
pub(super) const FIELD_OF_VIEW_DEGREES: f64 = 60.0;
/// The height of the viewer's window in pixels.
pub(super) const WINDOW_HEIGHT: f64 = 1080.0;

/// Pixels for a length of 1 at a distance of 1, in the middle of the window.
pub(super) fn pixels_per_tangent() -> f64 {
    WINDOW_HEIGHT / 2.0 / libm::tan(FIELD_OF_VIEW_DEGREES.to_radians() / 2.0)
}

/// A camera that looks at a point, Z up, from the front right, slightly from above.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReportCamera {
    centre: DVec3,
    pub(super) right: DVec3,
    pub(super) up: DVec3,
    pub(super) back: DVec3,
    /// Metres to the point in the middle.
    pub(super) distance: f64,
}

impl ReportCamera {
    /// Creates a camera at a distance in metres from a point.
    pub(super) fn new(centre: [f64; 3], distance: f64) -> Self {
        let back = DVec3::new(0.62, -1.0, 0.5).normalize();
        let right = DVec3::Z.cross(back).normalize();
        let up = back.cross(right);
        Self { centre: centre.into(), right, up, back, distance }
    }

    /// The direction to the lamp, which is behind the eye, to the left and above.
    pub(super) fn lamp(&self) -> DVec3 {
        (self.back * 0.62 + self.up * 0.72 - self.right * 0.6).normalize()
    }

    /// The projection of a point; `None` beside or behind the eye.
    pub(super) fn project(&self, point: DVec3) -> Option<Projection> {
        let from_centre = point - self.centre;
        let depth = self.distance - from_centre.dot(self.back);
        let at = [from_centre.dot(self.right) / depth, from_centre.dot(self.up) / depth];
        (depth > self.distance * 1e-3).then_some(Projection { at, depth })
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Projection {
    /// Tangents to the right and up.
    pub(super) at: [f64; 2],
    /// Metres, above 0.
    pub(super) depth: f64,
}

/// A rectangle of the view, in tangents.
#[derive(Clone, Copy, Debug)]
pub(super) struct PictureWindow {
    min: [f64; 2],
    max: [f64; 2],
}

const MARGIN: f64 = 0.04;

impl PictureWindow {
    /// The window of some points, with a margin; one tangent around the middle without any.
    pub(super) fn around(camera: &ReportCamera, points: impl Iterator<Item = [f32; 3]>) -> Self {
        let (mut min, mut max) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for projected in
            points.filter_map(|point| camera.project(DVec3::from(point.map(f64::from))))
        {
            for axis in 0..2 {
                min[axis] = min[axis].min(projected.at[axis]);
                max[axis] = max[axis].max(projected.at[axis]);
            }
        }
        let longest = (max[0] - min[0]).max(max[1] - min[1]);
        if !(longest.is_finite() && longest > 0.0) {
            return Self { min: [-0.5; 2], max: [0.5; 2] };
        }
        let margin = longest * MARGIN;
        // A plane projected from its edge still gets a pixel.
        let (min, max) = (min.map(|at| at - margin), max.map(|at| at + margin));
        Self { min, max }
    }

    /// The size in pixels, at least 4 by 4, at a resolution in pixels for each tangent; and the
    /// window of exactly these pixels.
    pub(super) fn pixels(self, per_tangent: f64) -> ([usize; 2], Self) {
        let extent = |axis: usize| self.max[axis] - self.min[axis];
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "4 to 2048")]
        let pixels =
            [0, 1].map(|axis| (extent(axis) * per_tangent).ceil().clamp(4.0, 2048.0) as u16);
        let middle = [0, 1].map(|axis| f64::midpoint(self.min[axis], self.max[axis]));
        let half = pixels.map(|pixels| f64::from(pixels) / per_tangent / 2.0);
        let window = Self {
            min: [middle[0] - half[0], middle[1] - half[1]],
            max: [middle[0] + half[0], middle[1] + half[1]],
        };
        (pixels.map(usize::from), window)
    }

    /// Tangents of the longer side.
    pub(super) fn longer(self) -> f64 {
        (self.max[0] - self.min[0]).max(self.max[1] - self.min[1])
    }

    /// A point in the window, from −1 to 1, to the right and up.
    pub(super) fn within(&self, at: [f64; 2]) -> [f64; 2] {
        [0, 1].map(|axis| {
            let (min, max) = (self.min[axis], self.max[axis]);
            (at[axis] - min) / (max - min) * 2.0 - 1.0
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn projection_keeps_up_and_right() {
        let camera = ReportCamera::new([1.0, 2.0, 3.0], 10.0);
        let see = |offset: [f64; 3]| {
            camera.project(DVec3::from(offset) + DVec3::new(1.0, 2.0, 3.0)).expect("projected")
        };
        let middle = see([0.0; 3]);
        assert!(middle.at.iter().all(|at| at.abs() < 1e-12) && (middle.depth - 10.0).abs() < 1e-12);
        assert!(see([0.0, 0.0, 1.0]).at[1] > 0.05 && see([0.0, 0.0, 1.0]).at[0].abs() < 1e-12);
        assert!(see([1.0, 0.0, 0.0]).at[0] > 0.05, "east is to the right");
        assert!(see([0.0, -1.0, 0.0]).depth < 10.0, "the front is nearer");
        assert!(camera.project(DVec3::new(1.0, 2.0, 3.0) + camera.back * 10.0).is_none());
    }

    #[test]
    fn a_sphere_at_its_distance_is_as_many_pixels_high_as_stated() {
        // A radius of 1 m, projected at 1 m / 0.06.
        let half = 0.06 * pixels_per_tangent();
        assert!((2.0 * half - 112.2).abs() < 0.1, "{half}");
    }

    #[test]
    fn a_window_holds_its_points() {
        let camera = ReportCamera::new([0.0; 3], 5.0);
        let points = [[-0.5, 0.2, 0.7], [0.4, 0.0, -0.9_f32]];
        let (pixels, window) = PictureWindow::around(&camera, points.into_iter()).pixels(300.0);
        for point in points {
            let projected = camera.project(DVec3::from(point.map(f64::from))).expect("projected");
            assert!(window.within(projected.at).iter().all(|at| at.abs() < 1.0));
        }
        assert!(pixels[1] > pixels[0] && pixels[1] > 60, "{pixels:?}");
        let (min, _) = PictureWindow::around(&camera, [[0.0; 3]].into_iter()).pixels(1e-9);
        assert_eq!(min, [4, 4]);
    }
}
