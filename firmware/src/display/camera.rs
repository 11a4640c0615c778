//! The moving viewer, and the projection of points onto the display.

use embedded_graphics::geometry::{Point, Size};
use lodger_core::Real;

/// The distance in pixels outside the display at which points, and lines to them, are not drawn.
const MARGIN: f64 = 256.0;
/// The distance in metres below which points are not drawn.
const NEAR: f64 = 0.25;

/// An eye that looks along −z, with x to the right and y up.
#[derive(Debug, Clone, Copy)]
pub struct Camera<N> {
    eye: [N; 3],
    /// Half the width and half the height, in pixels.
    center: [f64; 2],
    focal: N,
    near: N,
}

impl<N: Real> Camera<N> {
    /// Makes a camera at `eye`, in metres, for a display of this size in pixels. The horizontal field of view is 90°.
    #[must_use]
    pub fn new(eye: [N; 3], display: Size) -> Self {
        let [x, y] = [display.width, display.height].map(|pixels| f64::from(pixels) / 2.0);
        let number = |value| N::from_f64(value).unwrap_or(N::ONE);
        Self { eye, center: [x, y], focal: number(x), near: number(NEAR) }
    }

    /// Projects a point; `None` if it is behind the eye, far outside the display or not finite.
    #[must_use]
    #[allow(clippy::cast_possible_truncation)] // within the margin
    pub fn project(&self, [x, y, z]: [N; 3]) -> Option<Point> {
        let [eye_x, eye_y, eye_z] = self.eye;
        let depth = eye_z - z;
        if depth.partial_cmp(&self.near).is_none_or(core::cmp::Ordering::is_lt) {
            return None;
        }
        let scale = self.focal / depth;
        let [center_x, center_y] = self.center;
        let across = center_x + ((x - eye_x) * scale).to_f64();
        let down = center_y - ((y - eye_y) * scale).to_f64();
        let visible = -MARGIN..2.0 * MARGIN;
        (visible.contains(&across) && visible.contains(&down))
            .then(|| Point::new(across as i32, down as i32))
    }
}

/// A viewer that moves endlessly from one place to another and back.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Viewer<N> {
    from: [N; 3],
    to: [N; 3],
    /// The part of the way in a frame.
    pace: N,
    /// The part of the way already covered.
    way: N,
    returns: bool,
}

impl<N: Real> Viewer<N> {
    /// Makes a viewer at `from` that reaches `to` after 1 / `pace` frames; positions are in metres. The pace is clamped from 0
    /// to 1, and NaN is treated as 0.
    #[must_use]
    pub fn new(from: [N; 3], to: [N; 3], pace: N) -> Self {
        Self { from, to, pace: pace.clamp_unit(), way: N::ZERO, returns: false }
    }

    /// Makes a viewer that stays at `place`, in metres.
    #[must_use]
    pub fn at(place: [N; 3]) -> Self {
        Self::new(place, place, N::ZERO)
    }

    /// Returns the position of the eye, in metres.
    #[must_use]
    pub fn eye(&self) -> [N; 3] {
        let [[a, b, c], [x, y, z]] = [self.from, self.to];
        let part = |from: N, to: N| from + (to - from) * self.way;
        [part(a, x), part(b, y), part(c, z)]
    }

    /// Moves by one frame.
    pub fn step(&mut self) {
        let next = if self.returns { self.way - self.pace } else { self.way + self.pace };
        self.way = next.clamp_unit();
        if next >= N::ONE {
            self.returns = true;
        } else if next <= N::ZERO {
            self.returns = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use lodger_core::Fixed;

    use super::*;

    const SIZE: Size = Size::new(128, 64);

    #[test]
    fn a_point_ahead_is_in_the_middle_and_up_is_up() {
        let camera = Camera::new([1.0_f32, 2.0, 3.0], SIZE);
        assert_eq!(camera.project([1.0, 2.0, -7.0]), Some(Point::new(64, 32)));
        assert_eq!(camera.project([2.0, 2.5, 1.0]), Some(Point::new(96, 16)));
        // The left edge, at a right angle across.
        assert_eq!(camera.project([-9.0, 2.0, -7.0]), Some(Point::new(0, 32)));
    }

    #[test]
    fn points_behind_far_outside_or_not_finite_are_not_projected() {
        let camera = Camera::new([0.0_f32; 3], SIZE);
        for point in [
            [0.0, 0.0, 1.0],
            [0.0, 0.0, 0.0],
            [1e30, 0.0, -1.0],
            [0.0, -1e30, -1.0],
            [f32::NAN, 0.0, -1.0],
            [0.0, f32::INFINITY, -1.0],
            [0.0, 0.0, f32::NAN],
        ] {
            assert_eq!(camera.project(point), None, "{point:?}");
        }
    }

    #[test]
    fn fixed_and_f32_project_within_a_pixel() {
        let points = [[0.5, 0.25, -2.0], [-3.0, 1.0, -9.0], [12.0, -4.0, -30.0]];
        let fixed = |v: [f64; 3]| v.map(|value| Fixed::from_f64(value).unwrap());
        #[allow(clippy::cast_possible_truncation)] // test points
        let float = |v: [f64; 3]| v.map(|value| value as f32);
        for point in points {
            let a = Camera::new(fixed([0.0; 3]), SIZE).project(fixed(point)).unwrap();
            let b = Camera::new(float([0.0; 3]), SIZE).project(float(point)).unwrap();
            assert!((a - b).abs().x <= 1 && (a - b).abs().y <= 1);
        }
    }

    #[test]
    fn a_viewer_stays_between_its_two_places() {
        let mut viewer = Viewer::new([0.0_f32, 1.0, 4.0], [0.0, 1.0, 8.0], 0.25);
        let mut distance = || {
            viewer.step();
            viewer.eye()[2]
        };
        let way: [f32; 10] = core::array::from_fn(|_| distance());
        assert_eq!(way, [5.0, 6.0, 7.0, 8.0, 7.0, 6.0, 5.0, 4.0, 5.0, 6.0]);
        let place = [Fixed::ONE; 3];
        let mut still = Viewer::at(place);
        still.step();
        assert_eq!(still.eye(), place);
        let mut wild = Viewer::new([0.0_f32; 3], [1.0; 3], f32::NAN);
        wild.step();
        assert_eq!(wild.eye(), [0.0; 3]);
    }
}
