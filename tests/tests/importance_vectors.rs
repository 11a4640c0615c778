//! The oracle gives the importances of `vectors/importance.toml`.

use lodger_tests::oracle::importance::{Refused, age, angular, solid_angle, speed};
use lodger_tests::tolerance::{Backend, Case, Function, check_all};
use lodger_tests::vectors::{Distance, Expected, IMPORTANCE, ImportanceVectors};

/// An answer as it came, under the name of its row.
type Answer<'a> = (&'a str, Result<f64, Refused>, &'a Expected);

fn vectors() -> ImportanceVectors {
    ImportanceVectors::parse(IMPORTANCE).unwrap()
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
    let misspelt = IMPORTANCE.replacen("\nmax_distance", "\nmax_distanc", 1);
    assert!(ImportanceVectors::parse(&misspelt).is_err());
}
