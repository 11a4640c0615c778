//! Logarithmic axes.

/// A logarithmic axis: from values to pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    values: (f64, f64),
    pixels: (i32, i32),
}

impl Axis {
    /// An axis between two values above 0, and the pixels where they are.
    pub(super) fn new(values: (f64, f64), pixels: (i32, i32)) -> Self {
        Self { values, pixels }
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
    pub(super) fn ticks(&self) -> Vec<f64> {
        let (least, most) = self.values;
        let decades = (most / least).log10();
        let steps: &[f64] = if decades > 4.0 { &[1.0] } else { &[1.0, 2.0, 5.0] };
        let mut ticks = Vec::new();
        let mut power = 10_f64.powf(least.log10().floor());
        while power <= most {
            ticks.extend(steps.iter().map(|step| step * power));
            power *= 10.0;
        }
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
}
