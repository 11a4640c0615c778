//! The oracle gives the benefits of `vectors/benefit.toml`.

use lodger_tests::oracle::importance::{benefit, benefit_q16};
use lodger_tests::tolerance::Function;
use lodger_tests::vectors::{BENEFIT, BenefitVectors};

use crate::importance_vectors::compare;

#[test]
fn weighted_sums() {
    let rows = BenefitVectors::parse(BENEFIT).unwrap().weighted;
    let answers = rows.iter().map(|row| (&*row.name, benefit(&row.sight()), &row.expected));
    compare(Function::Benefit, answers);
}

#[test]
fn what_the_ledger_counts() {
    let rows = BenefitVectors::parse(BENEFIT).unwrap().direct;
    assert!(!rows.is_empty());
    for row in rows {
        assert_eq!(benefit_q16(row.benefit), row.q16, "{}", row.name);
    }
}

#[test]
fn nothing_sensible_counts_nothing() {
    for bad in [f64::NAN, f64::NEG_INFINITY, -1.0, -0.0] {
        assert_eq!(benefit_q16(bad), 0, "{bad}");
    }
    assert_eq!(benefit_q16(f64::INFINITY), (1 << 24) - 1);
}
