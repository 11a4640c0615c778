//! Where a point of the scene is on the display.

use embedded_graphics::geometry::{Point, Size};
use lodger_core::Real;

/// Points further outside than so many pixels are not drawn, nor are lines to them.
const MARGIN: f64 = 256.0;
/// What is nearer than that, in metres, is not drawn.
const NEAR: f64 = 0.25;

/// An eye that looks along −z, with x to the right and y up.
#[derive(Debug, Clone, Copy)]
pub struct Camera<N> {
    eye: [N; 3],
    /// Half the width, half the height, and pixels a metre at a distance of 1 m.
    center: [f64; 2],
    focal: N,
    near: N,
}

impl<N: Real> Camera<N> {
    /// The view from `eye`, in metres, on the whole of a display of that size, in pixels. It spans a
    /// right angle across.
    #[must_use]
    pub fn new(eye: [N; 3], display: Size) -> Self {
        let [x, y] = [display.width, display.height].map(|pixels| f64::from(pixels) / 2.0);
        let number = |value| N::from_f64(value).unwrap_or(N::ONE);
        Self { eye, center: [x, y], focal: number(x), near: number(NEAR) }
    }

    /// Where a point is seen; `None` for one behind the eye, far outside the display or not finite.
    #[must_use]
    #[allow(clippy::cast_possible_truncation)] // to the nearest is meant // inside the margin
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
        let seen = -MARGIN..2.0 * MARGIN;
        (seen.contains(&across) && seen.contains(&down))
            .then(|| Point::new(across as i32, down as i32))
    }
}

#[cfg(test)]
mod tests {
    use lodger_core::Fixed;

    use super::*;

    const SIZE: Size = Size::new(128, 64);

    #[test]
    fn what_is_ahead_is_in_the_middle_and_up_is_up() {
        let camera = Camera::new([1.0_f32, 2.0, 3.0], SIZE);
        assert_eq!(camera.project([1.0, 2.0, -7.0]), Some(Point::new(64, 32)));
        assert_eq!(camera.project([2.0, 2.5, 1.0]), Some(Point::new(96, 16)));
        // The left edge, at a right angle across.
        assert_eq!(camera.project([-9.0, 2.0, -7.0]), Some(Point::new(0, 32)));
    }

    #[test]
    fn nothing_behind_far_outside_or_not_finite_is_seen() {
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
    fn fixed_sees_what_f32_sees_within_a_pixel() {
        let points = [[0.5, 0.25, -2.0], [-3.0, 1.0, -9.0], [12.0, -4.0, -30.0]];
        let fixed = |v: [f64; 3]| v.map(|value| Fixed::from_f64(value).unwrap());
        #[allow(clippy::cast_possible_truncation)]
        let float = |v: [f64; 3]| v.map(|value| value as f32);
        for point in points {
            let a = Camera::new(fixed([0.0; 3]), SIZE).project(fixed(point)).unwrap();
            let b = Camera::new(float([0.0; 3]), SIZE).project(float(point)).unwrap();
            assert!((a - b).abs().x <= 1 && (a - b).abs().y <= 1);
        }
    }
}
