//! The arithmetic of core over all inputs of a narrowed width.
//!
//! These are no proofs for all inputs. What is enumerated is said at each test: every combination of the
//! values that it lists is tried, and none is drawn by chance. Wide types are narrowed in one of two ways:
//! small whole numbers, or *patterns*, which are short runs of bits shifted through the whole width of the
//! type, mostly with their neighbours, so that every carry and every end of a range is met.
//!
//! | what holds | over |
//! |---|---|
//! | a ledger is the oracle's, keeps all guarantees, and Σ shares <= A | 3 actors of 5 ladders and 3 benefits, all budgets from 0 to beyond what they want, all policies, whole and broken levels |
//! | Σ shares <= A and no sum wraps, in amounts up to 32 bits | 3 actors of 8 ladders and 4 benefits, 13 budgets |
//! | a threshold is the least benefit that pays, and levels by threshold are those by share | patterns of values, scales and costs |
//! | a scale is a quotient rounded down | patterns of 64 bits |
//! | targets and unit costs are products rounded up | patterns of 32 and 64 bits |
//! | what a ladder lets somebody afford | all ladders of 3 small costs, all 2^16 fractions of 9 rises |
//! | `Fixed`: sum, difference, product, quotient, negation | all pairs of bytes, shifted by multiples of 4 |
//! | `Fixed`: root, benefit, conversions, units | all numbers of 16 bits, in the lower and in the upper half |
//! | `Fixed`: quotients of squares, parts of a range | all divisors of 16 bits |

mod fixed;
mod ladders;
mod ledger;
mod rates;

/// Runs of `bits` bits, the first of them set, at every place of a number of `width` bits; their neighbours,
/// 0, and the greatest number.
fn patterns(bits: u32, width: u32) -> Vec<u64> {
    let greatest = u64::MAX >> (64 - width);
    let runs = 1_u64 << (bits - 1)..1 << bits;
    let shifted = runs.flat_map(|run| (0..=width - bits).map(move |shift| run << shift));
    let near = shifted.flat_map(|it| [it - 1, it, it.saturating_add(1).min(greatest)]);
    let mut all: Vec<u64> = near.chain([0, greatest]).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// The same in 32 bits.
fn patterns_32(bits: u32) -> Vec<u32> {
    let narrow = |it: u64| u32::try_from(it).expect("of 32 bits");
    patterns(bits, 32).into_iter().map(narrow).collect()
}
