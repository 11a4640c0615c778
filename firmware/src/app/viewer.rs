//! The viewer, who walks.

use lodger_core::Real;

/// An eye on its way from one place to another and back, without end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Viewer<N> {
    from: [N; 3],
    to: [N; 3],
    /// The part of the way in a frame, and the part that is behind.
    pace: N,
    way: N,
    returns: bool,
}

impl<N: Real> Viewer<N> {
    /// A viewer at `from`, who is at `to` after one over `pace` frames; in metres. A pace that is
    /// not from 0 to 1 is taken for the nearest that is, and NaN for 0.
    #[must_use]
    pub fn new(from: [N; 3], to: [N; 3], pace: N) -> Self {
        Self { from, to, pace: pace.clamp_unit(), way: N::ZERO, returns: false }
    }

    /// A viewer who stays at `place`, in metres.
    #[must_use]
    pub fn at(place: [N; 3]) -> Self {
        Self::new(place, place, N::ZERO)
    }

    /// Where the eye is, in metres.
    #[must_use]
    pub fn eye(&self) -> [N; 3] {
        let [[a, b, c], [x, y, z]] = [self.from, self.to];
        let part = |from: N, to: N| from + (to - from) * self.way;
        [part(a, x), part(b, y), part(c, z)]
    }

    /// Walks on by one frame.
    pub fn walk(&mut self) {
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

    #[test]
    fn a_viewer_goes_there_and_back_and_never_beyond() {
        let mut viewer = Viewer::new([0.0_f32, 1.0, 4.0], [0.0, 1.0, 8.0], 0.25);
        let mut distance = || {
            viewer.walk();
            viewer.eye()[2]
        };
        let way: [f32; 10] = core::array::from_fn(|_| distance());
        assert_eq!(way, [5.0, 6.0, 7.0, 8.0, 7.0, 6.0, 5.0, 4.0, 5.0, 6.0]);
        let place = [Fixed::ONE; 3];
        let mut still = Viewer::at(place);
        still.walk();
        assert_eq!(still.eye(), place);
        let mut wild = Viewer::new([0.0_f32; 3], [1.0; 3], f32::NAN);
        wild.walk();
        assert_eq!(wild.eye(), [0.0; 3]);
    }
}
