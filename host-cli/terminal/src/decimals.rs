//! Decimals that follow a column.

/// Numbers of a column with the same number of decimals.
#[derive(Clone, Copy, Debug)]
pub struct Decimals {
    decimals: i32,
}

impl Decimals {
    /// More is noise.
    const MOST: i32 = 12;

    /// So many decimals.
    #[must_use]
    pub const fn exactly(decimals: i32) -> Self {
        Self { decimals }
    }

    /// So many decimals, or more where none of the values would be seen with these.
    #[must_use]
    pub fn at_least(decimals: i32, column: impl IntoIterator<Item = f64>) -> Self {
        let greatest = column.into_iter().fold(0.0, f64::max);
        let mut more = Self { decimals };
        while more.hides(greatest) && more.decimals < Self::MOST {
            more.decimals += 1;
        }
        // One more digit than is just seen.
        more.decimals += i32::from(more.decimals > decimals);
        more
    }

    fn hides(self, value: f64) -> bool {
        value > 0.0 && value < 0.5 * 0.1_f64.powi(self.decimals)
    }

    /// One value of the column: at least 0.
    #[must_use]
    pub fn show(self, value: f64) -> String {
        let decimals = usize::try_from(self.decimals).unwrap_or_default();
        if self.hides(value) {
            format!("<{:.decimals$}", 0.1_f64.powi(self.decimals))
        } else {
            format!("{value:.decimals$}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Decimals;

    #[test]
    fn a_column_has_the_decimals_that_it_needs() {
        let shown = |column: [f64; 3]| column.map(|it| Decimals::at_least(3, column).show(it));
        assert_eq!(shown([12.0, 0.000_1, 0.0]), ["12.000", "<0.001", "0.000"]);
        assert_eq!(shown([0.000_23, 0.000_004, 0.0]), ["0.00023", "<0.00001", "0.00000"]);
        assert_eq!(shown([0.0; 3]), ["0.000"; 3]);
        assert_eq!(shown([f64::MIN_POSITIVE; 3]), ["<0.0000000000001"; 3]);
    }
}
