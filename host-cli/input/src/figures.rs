//! Figures in words for people.

use lodger_core::cost::Provenance;
use lodger_terminal::{Decimals, length};

/// Something with how far it can be trusted, unless a document says it.
#[must_use]
pub fn trusted(what: &str, provenance: Provenance) -> String {
    if provenance >= Provenance::Estimated {
        format!("{what} ({provenance})")
    } else {
        what.to_owned()
    }
}

/// The decimals of a weight: so that what rounds up and what rounds down look different.
const OF_A_WEIGHT: i32 = 3;

/// A weight in a sentence.
#[must_use]
pub fn weight(cost: f64) -> String {
    Decimals::exactly(OF_A_WEIGHT).show(cost)
}

/// The decimals of a column of weights.
pub fn weights(column: impl IntoIterator<Item = f64>) -> Decimals {
    Decimals::at_least(OF_A_WEIGHT, column)
}

/// A scale with its unit.
#[must_use]
pub fn scale(sides: [f64; 3]) -> String {
    let [x, y, z] = sides.map(length);
    format!("{x} × {y} × {z} m")
}

#[cfg(test)]
mod tests {
    use super::weight;

    #[test]
    fn a_small_weight_is_told_from_none() {
        assert_eq!([0.0, 0.0001, 2.4996].map(weight), ["0", "<0.001", "2.500"]);
    }
}
