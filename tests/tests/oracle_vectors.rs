//! The oracle gives the importances, benefits and plans of `vectors/*.toml`.

use std::collections::HashSet;

use lodger_tests::oracle::importance::{
    Refused, age, angular, benefit, benefit_q16, solid_angle, speed,
};
use lodger_tests::oracle::ledger::scale::Rounding;
use lodger_tests::oracle::ledger::{plan, plan_with};
use lodger_tests::tolerance::{Backend, Case, Function, check_all};
use lodger_tests::vectors::{
    BenefitVectors, Distance, Expected, ImportanceVectors, LedgerVectors, Vectors as _,
};

/// An answer as it came, under the name of its row.
type Answer<'a> = (&'a str, Result<f64, Refused>, &'a Expected);

fn vectors() -> ImportanceVectors {
    ImportanceVectors::load()
}

/// Holds values against their tolerance and refusals against the quantity they name.
pub(crate) fn compare<'a>(function: Function, answers: impl Iterator<Item = Answer<'a>>) {
    let mut cases = Vec::new();
    for (name, answer, expected) in answers {
        match (answer, expected) {
            (Ok(got), &Expected::Value(expected)) => {
                let name = name.to_owned();
                cases.push(Case { name, condition: 1.0, got, expected });
            }
            (Err(Refused(quantity)), Expected::Refusal { refused }) => {
                assert_eq!(quantity, refused, "{name}");
            }
            (answer, expected) => panic!("{name}: {answer:?} instead of {expected:?}"),
        }
    }
    check_all(function, Backend::F64, &cases).unwrap();
}

fn distances(
    functions: [Function; 2],
    rows: &[Distance],
    oracle: impl Fn(f64, f64, Option<f64>) -> Result<f64, Refused>,
) {
    let answer = |row: &Distance| oracle(row.distance, row.radius, row.max_distance);
    for (function, bounded) in functions.into_iter().zip([false, true]) {
        let rows = rows.iter().filter(|row| row.max_distance.is_some() == bounded);
        compare(function, rows.map(|row| (&*row.name, answer(row), &row.expected)));
    }
}

#[test]
fn solid_angles() {
    let functions = [Function::SolidAngle, Function::SolidAngleBounded];
    distances(functions, &vectors().solid_angle, solid_angle);
}

#[test]
fn angles() {
    let functions = [Function::Angular, Function::AngularBounded];
    distances(functions, &vectors().angular, angular);
}

#[test]
fn ages() {
    let rows = vectors().age;
    let answers = rows.iter().map(|row| (&*row.name, age(row.age, row.max_age), &row.expected));
    compare(Function::Age, answers);
}

#[test]
fn speeds() {
    let rows = vectors().speed;
    let answers =
        rows.iter().map(|row| (&*row.name, speed(row.speed, row.max_speed), &row.expected));
    compare(Function::Speed, answers);
}

#[test]
fn the_printed_denominator_would_break_the_documents_own_condition() {
    // I'(R√π) = 1 for R = 1, D = 10: with D² − R² below the line it would be 1 − (π − 1)/99.
    let (edge, d2) = (std::f64::consts::PI, 100.0);
    let printed = (d2 - edge) / (d2 - 1.0);
    let got = solid_angle(edge.sqrt() * 1.000_000_1, 1.0, Some(10.0)).unwrap();
    assert!((got - 1.0).abs() < 1e-6, "{got}");
    assert!((printed - 1.0).abs() > 1e-2, "{printed}");
}

#[test]
fn a_misspelt_key_is_an_error() {
    let misspelt = ImportanceVectors::TEXT.replacen("\nmax_distance", "\nmax_distanc", 1);
    assert!(ImportanceVectors::parse(&misspelt).is_err());
}

#[test]
fn weighted_sums() {
    let rows = BenefitVectors::load().weighted;
    let answers = rows.iter().map(|row| (&*row.name, benefit(&row.sight()), &row.expected));
    compare(Function::Benefit, answers);
}

#[test]
fn what_the_ledger_counts() {
    let rows = BenefitVectors::load().direct;
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

#[test]
fn whole_ledgers() {
    let cases = LedgerVectors::load().case;
    assert!(cases.len() >= 25, "{} cases", cases.len());
    for case in cases {
        let scene = case.scene();
        assert_eq!(plan(&scene), case.plan(), "{}", case.name);
    }
}

#[test]
fn names_are_unique() {
    let cases = LedgerVectors::load().case;
    let names: HashSet<&str> = cases.iter().map(|case| &*case.name).collect();
    assert_eq!(names.len(), cases.len());
}

/// Only where a target ends in a fraction of a nanosecond can the finer scale differ.
#[test]
fn finer_rounding_changes_one_vector() {
    let cases = LedgerVectors::load().case;
    let differs = cases.iter().filter(|case| {
        let scene = case.scene();
        plan(&scene) != plan_with(&scene, Rounding::Exact)
    });
    let names: Vec<&str> = differs.map(|case| &*case.name).collect();
    assert_eq!(names, ["a target rounds up"]);
}
