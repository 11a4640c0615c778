//! Handles, places and limits of TOML scenes; the words of all mistakes are tested on the command line.

use std::error::Error as _;

use lodger_core::budget::Lod;
use lodger_core::error::{Problem, Quantity};
use lodger_core::units::Budget;
use lodger_scheduler::View;

use crate::limits::plenty;
use crate::{EXAMPLE, Error, ErrorKind, Limits, SceneFile, Settings, Subject, WarningKind};

fn read(text: &str) -> Result<SceneFile, Error> {
    SceneFile::from_toml(text, &Settings::default(), Limits::default(), &plenty())
}

#[track_caller]
fn refuse(from: &str, to: &str) -> (String, Error) {
    assert!(EXAMPLE.contains(from), "no {from:?}");
    let text = EXAMPLE.replacen(from, to, 1);
    let error = read(&text).expect_err("a mistake");
    let marked = text[error.span().expect("a place")].to_owned();
    (marked, error)
}

#[test]
fn who_is_who_goes_by_handles() {
    let mut file = read(EXAMPLE).expect("a scene");
    let wind = file.actors.last().expect("an actor").clone();
    assert_eq!(&*wind.name, "courtyard wind");
    let module = file.modules.iter().find(|module| module.id == wind.module);
    assert_eq!(module.map(|module| &*module.name), Some("turbulence"));
    let first = file.actors[0].id;
    file.scene.despawn(first).expect("it is there");
    let plan = file.scene.tick();
    assert!(plan.actor(first).is_none());
    assert_eq!(plan.lod(wind.id).map(Lod::level), Some(2));
}

#[test]
fn a_refusal_knows_its_subject_its_place_and_its_source() {
    let (marked, error) = refuse("radius = 2.5", "radius = -2.5");
    assert_eq!(
        (marked.as_str(), error.key(), error.subject()),
        ("-2.5", "radius", Subject::Actor(3))
    );
    let ErrorKind::Number { value, error: refusal, .. } = error.kind() else {
        panic!("{error:?}");
    };
    assert!((value + 2.5).abs() < f64::EPSILON);
    assert_eq!((refusal.quantity(), refusal.problem()), (Quantity::Radius, Problem::Negative));
    let source = error.source().and_then(|source| source.downcast_ref::<lodger_core::Error>());
    assert_eq!(source, Some(refusal));

    let (marked, error) = refuse("unit_cost_ms = 0.02", "unit_cost_ms = 1e9");
    assert_eq!((marked.as_str(), error.subject()), ("1e9", Subject::Module(2)));
    assert_eq!(error.to_string(), "module `destruction`: unit_cost_ms is too large");
    assert_eq!(error.help(), Some("it must be below 4294.97 ms"));
}

#[test]
fn numbers_that_do_not_fit_a_float_are_refused() {
    let (_, error) = refuse("radius = 2.5", "radius = 1e-60");
    assert_eq!(error.to_string(), "actor `gate banner`: radius is too small");
    let (marked, error) = refuse("[0.0, 5.0, -18.0]", "[0.0, 1e300, -18.0]");
    assert_eq!((marked.as_str(), error.key()), ("[0.0, 1e300, -18.0]", "position"));
    let (marked, error) = refuse("eye = [0.0, 1.7, 0.0]", "eye = [0.0, -1e300, 0.0]");
    assert_eq!((marked.as_str(), error.subject()), ("[0.0, -1e300, 0.0]", Subject::View(0)));
    let (marked, error) = refuse("lod_range = [1, 2]", "lod_range = [1, 300]");
    assert_eq!(marked, "[1, 300]");
    assert!(matches!(error.kind(), ErrorKind::RangeBeyond { highest: 300, top: 3 }), "{error}");
}

#[test]
fn settings_stand_in_for_what_the_file_says() {
    let text = EXAMPLE.replacen("budget_ms = 8.0", "", 1);
    assert!(matches!(read(&text).expect_err("no budget").kind(), ErrorKind::NoBudget));
    let settings = Settings {
        budget: Some(Budget::UNLIMITED),
        view: View::eye([9.0, 1.0, 0.0]).ok(),
        ..Settings::default()
    };
    let mut file = SceneFile::from_toml(&text, &settings, Limits::default(), &plenty())
        .expect("a budget is given");
    assert_eq!(file.scene.tick().budget(), Budget::UNLIMITED);
    // A budget that stands in for one does not excuse it.
    let broken = EXAMPLE.replacen("budget_ms = 8.0", "budget_ms = -8.0", 1);
    assert!(SceneFile::from_toml(&broken, &settings, Limits::default(), &plenty()).is_err());
}

#[test]
fn warnings_are_placed_and_counted() {
    let text = EXAMPLE.replace("position = [0.0,", "position = [nan,").replacen(
        "force_lod = 1 ",
        "force_lod = 7.5 ",
        1,
    );
    let limits = Limits { warnings: 3 };
    let file =
        SceneFile::from_toml(&text, &Settings::default(), limits, &plenty()).expect("a scene");
    assert_eq!((file.warnings.len(), file.more_warnings), (3, 2));
    let marked = |index: usize| file.warnings[index].span.clone().map(|span| &text[span]);
    assert_eq!(marked(0), Some("[nan, 1.2, -3.0]"));
    assert_eq!(marked(2), Some("7.5"));
    let clamped = WarningKind::Clamped { lod: 7.5, lowest: 0, highest: 2 };
    assert_eq!(file.warnings[2].kind, clamped);
}
