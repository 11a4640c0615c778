//! Where something is, and from where its positions are counted if that is far from the origin.

/// So many times its side from the origin a float moves by 2⁻²⁰ of the side at most: a sixteenth of the least that an
/// asset holds.
const FAR: f64 = 16.0;
/// What is farther than so many metres is put nowhere else: in floats it may have no place there.
const FARTHEST: f64 = 1e30;

/// A box, in metres.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    min: [f64; 3],
    max: [f64; 3],
}

impl Extent {
    pub(super) const NOTHING: Self = Self { min: [f64::INFINITY; 3], max: [f64::NEG_INFINITY; 3] };

    pub(super) fn add(&mut self, point: [f64; 3]) {
        for (axis, x) in point.into_iter().enumerate() {
            self.min[axis] = self.min[axis].min(x);
            self.max[axis] = self.max[axis].max(x);
        }
    }

    /// The middle along each axis on which it is far from 0, 0 on others.
    pub(super) fn origin(&self) -> [f64; 3] {
        std::array::from_fn(|axis| {
            let (min, max) = (self.min[axis], self.max[axis]);
            let middle = f64::midpoint(min, max);
            let is_far = max > min && middle.abs() > FAR * (max - min);
            if is_far && middle.abs() < FARTHEST { middle } else { 0.0 }
        })
    }
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "these middles are exact")]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_far_for_its_size_is_moved() {
        let mut extent = Extent::NOTHING;
        assert_eq!(extent.origin(), [0.0; 3]);
        extent.add([1e6, 15.0, 1e38]);
        extent.add([1e6 + 1.0, 16.0, 1.1e38]);
        assert_eq!(extent.origin(), [1e6 + 0.5, 0.0, 0.0]);
    }
}
