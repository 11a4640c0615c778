//! Logarithmic axes.

/// The least value that an axis begins with.
const LEAST: f64 = 1e-9;
/// The greatest value that an axis begins or ends with.
const MOST: f64 = 1e12;

/// A logarithmic axis: from values to pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    values: (f64, f64),
    pixels: (i32, i32),
}

impl Axis {
    /// An axis between two values above 0, and the pixels where they are. Values that no axis can have are
    /// replaced: the first is from 10⁻⁹ to 10¹², and the second is above it.
    pub(super) fn new((least, most): (f64, f64), pixels: (i32, i32)) -> Self {
        let least = if least.is_nan() { LEAST } else { least.clamp(LEAST, MOST) };
        // Of NaN and a number, `min` is the number.
        let most = most.min(MOST);
        let most = if least < most { most } else { least * 10.0 };
        Self { values: (least, most), pixels }
    }

    /// The least value.
    pub(super) fn least(&self) -> f64 {
        self.values.0
    }

    /// Where a value is; those beyond the ends are at the ends.
    #[expect(clippy::cast_possible_truncation, reason = "between the pixels of both ends")]
    pub(super) fn pixel(&self, value: f64) -> i32 {
        let ((least, most), (from, to)) = (self.values, self.pixels);
        let part = (value.clamp(least, most) / least).ln() / (most / least).ln();
        let pixel = f64::from(from) + part * f64::from(to - from);
        pixel.round() as i32
    }

    /// 1, 2 and 5 times the powers of ten within the axis; fewer of them on a long one.
    #[expect(clippy::cast_possible_truncation, reason = "from -9 to 13")]
    pub(super) fn ticks(&self) -> Vec<f64> {
        let (least, most) = self.values;
        let decades = (most / least).log10();
        let steps: &[f64] = if decades > 4.0 { &[1.0] } else { &[1.0, 2.0, 5.0] };
        let exponent = |value: f64| value.log10().floor() as i32;
        let powers = (exponent(least)..=exponent(most)).map(|exponent| 10_f64.powi(exponent));
        let mut ticks: Vec<_> =
            powers.flat_map(|power| steps.iter().map(move |step| step * power)).collect();
        ticks.retain(|tick| (least * 0.999..=most * 1.001).contains(tick));
        ticks
    }
}

#[cfg(test)]
mod tests {
    use super::Axis;

    #[test]
    fn equal_factors_are_equal_ways() {
        let axis = Axis::new((0.1, 1000.0), (0, 400));
        assert_eq!([0.1, 1.0, 10.0, 1000.0].map(|value| axis.pixel(value)), [0, 100, 200, 400]);
        assert_eq!([0.0, 1e9].map(|value| axis.pixel(value)), [0, 400]);
        let short = Axis::new((0.5, 4.0), (0, 100));
        assert_eq!(short.ticks().len(), 3, "0.5, 1 and 2");
    }

    #[test]
    fn an_axis_is_bounded_whatever_it_is_given() {
        let odd = [0.0, -1.0, 5e-324, 1e-300, 1e-12, 1.0, 1e300, f64::INFINITY, f64::NAN];
        for least in odd {
            for most in odd {
                let axis = Axis::new((least, most), (0, 100));
                assert!(axis.ticks().len() <= 24, "{least} to {most}");
                assert!(odd.iter().all(|value| (0..=100).contains(&axis.pixel(*value))));
            }
        }
        assert_eq!(Axis::new((1e-6, 16_384.0), (0, 100)).ticks().len(), 11, "10⁻⁶ to 10⁴");
    }
}
