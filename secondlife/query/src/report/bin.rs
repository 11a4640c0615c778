//! A distribution, in parts that a picture has room for.

use serde::Serialize;

/// How much there is of a part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Bin {
    /// Which part.
    pub label: String,
    /// How much.
    pub value: u64,
}

/// Counts of whole numbers from 1, in parts of which each reaches as far as all before it: 1, 2, 3 and 4, 5 to 8 and
/// so on up to the greatest number.
pub(super) fn doubling(counts: impl IntoIterator<Item = (u64, u64)>) -> Vec<Bin> {
    let mut bins: Vec<u64> = Vec::new();
    for (number, count) in counts {
        let part =
            number.max(1).saturating_sub(1).checked_ilog2().map_or(0, |power| power as usize + 1);
        if bins.len() <= part {
            bins.resize(part + 1, 0);
        }
        bins[part] = bins[part].saturating_add(count);
    }
    bins.into_iter().enumerate().map(|(part, value)| Bin { label: label(part), value }).collect()
}

fn label(part: usize) -> String {
    let last = 1_u128 << part.min(64);
    match part {
        0 | 1 => last.to_string(),
        _ => format!("{}–{last}", last / 2 + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::{Bin, doubling};

    #[test]
    fn each_part_reaches_as_far_as_all_before() {
        let counts = [(1, 5), (2, 1), (3, 2), (4, 1), (5, 7), (8, 1), (9, 1), (0, 1)];
        let bins: Vec<_> =
            doubling(counts).into_iter().map(|Bin { label, value }| (label, value)).collect();
        let expected = [("1", 6), ("2", 1), ("3–4", 3), ("5–8", 8), ("9–16", 1)];
        assert_eq!(bins, expected.map(|(label, value)| (label.to_owned(), value)));
        assert_eq!(doubling([]), []);
        let most = doubling([(u64::MAX, 1), (u64::from(u32::MAX), u64::MAX)]);
        assert_eq!(most.len(), 65);
        assert_eq!(most[64].label, "9223372036854775809–18446744073709551616");
    }
}
