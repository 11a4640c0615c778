//! Sums of numbers that strangers make.

/// Of how many digits a decimal number has room for all sums.
const WIDE: &str = "DECIMAL(38, 0)";

/// The SQL of a sum of whole numbers, 0 of none.
///
/// An asset may say that it costs more than 64 bits hold. Two of these together would be a negative number, so they are
/// summed with more digits, and a sum beyond 64 bits is the greatest or least number that they hold.
pub(super) fn whole_sum(of: &str) -> String {
    let (least, greatest) = (i64::MIN, i64::MAX);
    format!(
        "CAST(least(greatest(coalesce(sum(CAST({of} AS {WIDE})), 0), CAST('{least}' AS {WIDE})), \
         CAST('{greatest}' AS {WIDE})) AS BIGINT)"
    )
}
