//! Handles, spans and limits of TOML scenes; tests of the command line have the messages of all errors.

use std::error::Error as _;

use lodger_core::budget::Lod;
use lodger_core::error::{Quantity, ValueProblem};
use lodger_core::units::Budget;
use lodger_quota::{Quota, QuotaLimits};
use lodger_scheduler::View;

use crate::{
    EXAMPLE, SceneFile, SceneFileError, SceneFileErrorKind, SceneLimits, SceneOverrides, Subject,
};

fn read(text: &str) -> Result<SceneFile, SceneFileError> {
    SceneFile::from_toml(
        text,
        &SceneOverrides::default(),
        SceneLimits::default(),
        &Quota::default(),
    )
}

#[track_caller]
fn rejected(from: &str, to: &str) -> (String, SceneFileError) {
    assert!(EXAMPLE.contains(from), "no {from:?}");
    let text = EXAMPLE.replacen(from, to, 1);
    let error = read(&text).expect_err("a mistake");
    let marked = text[error.span().expect("a place")].to_owned();
    (marked, error)
}

#[test]
fn names_have_handles() {
    let mut file = read(EXAMPLE).expect("a scene");
    let wind = file.actors.last().expect("an actor").clone();
    assert_eq!(&*wind.name, "courtyard wind");
    let module = file.modules.iter().find(|module| module.id == wind.module);
    assert_eq!(module.map(|module| &*module.name), Some("turbulence"));
    let first = file.actors[0].id;
    file.scene.despawn(first).expect("present");
    let plan = file.scene.tick();
    assert!(plan.actor(first).is_none());
    assert_eq!(plan.lod(wind.id).map(Lod::level), Some(2));
}

#[test]
fn an_error_has_its_subject_span_and_source() {
    let (marked, error) = rejected("radius = 2.5", "radius = -2.5");
    assert_eq!(
        (marked.as_str(), error.key(), error.subject()),
        ("-2.5", "radius", Subject::Actor(3))
    );
    assert_eq!(error.to_string(), "`radius` is -2.5, but must be a finite number of at least 0");
    let source = error.source().and_then(|source| source.downcast_ref::<lodger_core::ValueError>());
    assert_eq!(
        source,
        Some(&lodger_core::ValueError::new(Quantity::Radius, ValueProblem::Negative))
    );

    let (marked, error) = rejected("unit_cost_ms = 0.02", "unit_cost_ms = 1e9");
    assert_eq!((marked.as_str(), error.subject()), ("1e9", Subject::Module(2)));
    assert_eq!(error.to_string(), "module `destruction`: unit_cost_ms is too large");
    assert_eq!(error.help(), Some("it must be below 4294.97 ms"));
}

#[test]
fn numbers_beyond_a_float_are_rejected() {
    let (_, error) = rejected("radius = 2.5", "radius = 1e-60");
    assert_eq!(error.to_string(), "actor `gate banner`: radius is too small");
    let (marked, error) = rejected("[0.0, 5.0, -18.0]", "[0.0, 1e300, -18.0]");
    assert_eq!((marked.as_str(), error.key()), ("[0.0, 1e300, -18.0]", "position"));
    let (marked, error) = rejected("eye = [0.0, 1.7, 0.0]", "eye = [0.0, -1e300, 0.0]");
    assert_eq!((marked.as_str(), error.subject()), ("[0.0, -1e300, 0.0]", Subject::View(0)));
    let (marked, error) = rejected("lod_range = [1, 2]", "lod_range = [1, 300]");
    assert_eq!(marked, "[1, 300]");
    assert_eq!(error.to_string(), "`lod_range` ends at 300, but `work` has LODs 0 to 3 only");
}

#[test]
fn overrides_replace_values_of_the_file() {
    let text = EXAMPLE.replacen("budget_ms = 8.0", "", 1);
    assert!(matches!(read(&text).expect_err("no budget").kind(), SceneFileErrorKind::NoBudget));
    let overrides = SceneOverrides {
        budget: Some(Budget::UNLIMITED),
        view: View::from_position([9.0, 1.0, 0.0]).ok(),
        ..SceneOverrides::default()
    };
    let mut file =
        SceneFile::from_toml(&text, &overrides, SceneLimits::default(), &Quota::default())
            .expect("a budget is given");
    assert_eq!(file.scene.tick().budget(), Budget::UNLIMITED);
    // The file's budget must still be valid.
    let broken = EXAMPLE.replacen("budget_ms = 8.0", "budget_ms = -8.0", 1);
    assert!(
        SceneFile::from_toml(&broken, &overrides, SceneLimits::default(), &Quota::default())
            .is_err()
    );
}

#[test]
fn warnings_have_spans_and_are_counted() {
    let text = EXAMPLE.replace("position = [0.0,", "position = [nan,").replacen(
        "force_lod = 1 ",
        "force_lod = 7.5 ",
        1,
    );
    let limits = SceneLimits { warnings: 3 };
    let file = SceneFile::from_toml(&text, &SceneOverrides::default(), limits, &Quota::default())
        .expect("a scene");
    assert_eq!((file.warnings.len(), file.more_warnings), (3, 2));
    let marked = |index: usize| file.warnings[index].span.clone().map(|span| &text[span]);
    assert_eq!(marked(0), Some("[nan, 1.2, -3.0]"));
    assert_eq!(marked(2), Some("7.5"));
    let clamped = "`force_lod` 7.5 is outside the LODs 0 to 2 and is clamped";
    assert_eq!(file.warnings[2].to_string(), clamped);
}

/// A scene of `count` actors, with `other` in the middle.
fn scene_of(count: usize, other: &str) -> String {
    let mut text = "budget_ms = 5\n[[module]]\nname = \"m\"\nunit_cost_ms = 1\n\
                    benefit_value = 1\n"
        .to_owned();
    for index in 0..count {
        let actor =
            format!("[[actor]]\nname = \"{index}\"\nmodule = \"m\"\nbenefit = 1\nwork = [1]\n");
        text += if index == count / 2 { other } else { &actor };
    }
    text
}

#[test]
fn an_error_in_one_of_many_actors_equals_that_of_the_whole_text() {
    let whole = "[[actor]]\nname = \"x\"\nmodule = \"m\"\nbenefit = 1\nwork = [1]\n";
    for (from, to) in [
        ("benefit", "benefti"),
        ("work = [1]", ""),
        ("work = [1]", "work = [-1]"),
        ("work = [1]", "work = 1"),
        ("work = [1]", "work = [1"),
        ("work = [1]", "work = [1]\nwork = [1]"),
        ("work = [1]", "work = [1]\n[actor.x]\ny = 1"),
        ("work = [1]", "work = [1]\n[actor]\n"),
        ("work = [1]", "work = [1]\n]"),
        ("work = [1]", "position = [1, 2]\nwork = [1]"),
        ("\"x\"", "7"),
        ("\"x\"", "\"x"),
        ("\"x\"", "\"\"\"x\n[[actor]]"),
        ("[[actor]]", "[[actor]"),
        ("[[actor]]", "[[actors]]"),
        ("benefit = 1", "benefit = -7"),
        ("\"m\"", "\"n\""),
        ("\"x\"", "\"0\""),
    ] {
        assert!(whole.contains(from), "no {from:?}");
        let text = scene_of(600, &whole.replacen(from, to, 1));
        let read = |memory| {
            let quota = Quota::new(QuotaLimits { memory, ..QuotaLimits::default() });
            let (overrides, limits) = (SceneOverrides::default(), SceneLimits::default());
            let error = SceneFile::from_toml(&text, &overrides, limits, &quota).expect_err(to);
            (error.to_string(), error.span(), error.first_use())
        };
        let parsed_at_once = toml::from_str::<super::RawScene>(&text).err();
        let found = read(1 << 30);
        if let Some(error) = parsed_at_once {
            assert_eq!(found.1, error.span(), "{to}");
        }
        // With too little memory for the whole text, the error of a part is reported.
        let is_in_one =
            !["[actor]", "[[actor]\n", "\"\"\"", "\"x\n"].iter().any(|all| to.contains(all));
        if is_in_one && to != "[[actors]]" && to != "[[actor]" && to != "\"x" {
            assert_eq!(read(1_500_000), found, "{to}");
        }
    }
}

#[test]
fn actors_may_have_any_toml_syntax() {
    let one = |name: &str| format!("name = \"{name}\", module = \"m\", benefit = 1, work = [1]");
    let head = "budget_ms = 5\nmodule = [{ name = \"m\", unit_cost_ms = 1, benefit_value = 1 }]\n";
    let table = |name: &str| one(name).replace(", ", "\n").replace("[1]", "[\n1, # ]\n]\n");
    for text in [
        format!("{head}actor = [{{ {} }}, {{ {} }}]", one("a"), one("b")),
        format!("{head}[[actor]]\n{}\n [[ actor ]] # b\n{}", table("a"), table("b")),
        format!("{head}[[\"actor\"]]\n{}\n[['actor']]\n{}", table("a"), table("b")),
        format!("{head}[[actor]]\n{}\n[[\"actor\"]]\n{}", table("a"), table("b")),
        format!(
            "{head}[[actor]]\r\n{}\r\n[[view]]\neye=[0,0,0]\n[[actor]]\n{}",
            table("a"),
            table("b")
        ),
    ] {
        let file = read(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        let names: Vec<_> = file.actors.iter().map(|actor| &*actor.name).collect();
        assert_eq!(names, ["a", "b"], "{text}");
    }
}

#[test]
fn priorities_multiply_benefits_and_curves_name_qualities() {
    let mut file = read(
        "budget_ms = inf\n[[module]]\nname = \"m\"\nunit_cost_ms = 1\nbenefit_value = 1\npriority = 1.5\n\
         quality = \"diminishing\"\n[[actor]]\nname = \"a\"\nmodule = \"m\"\nbenefit = 0.5\nwork = [0, 1, 2]\n\
         priority = 2\n[[actor]]\nname = \"b\"\nmodule = \"m\"\nbenefit = 0.5\nwork = [0, 1, 2, 3]\n\
         quality = \"all-or-nothing\"\n",
    )
    .expect("a scene");
    file.scene.tick();
    let benefit = |index: usize| file.scene.plan().actor(file.actors[index].id).map(|a| a.benefit);
    // 0.5 · 2 · 1.5 and 0.5 · 1.5, in 2⁻¹⁶.
    let benefits = [0, 1].map(|index| benefit(index).expect("present").bits());
    assert_eq!(benefits, [98_304, 49_152]);
    let qualities = |index: usize| {
        let qualities = file.scene.qualities(file.actors[index].id).expect("present");
        qualities.into_iter().map(lodger_core::budget::Quality::to_f64).collect::<Vec<_>>()
    };
    assert_eq!((qualities(0), qualities(1)), (vec![0.0, 0.75, 1.0], vec![0.0, 0.0, 0.0, 1.0]));
}

#[test]
fn what_is_behind_the_camera_is_outside() {
    let text = |view: &str| {
        let actor = |name: &str, z: i32| {
            format!(
                "[[actor]]\nname = \"{name}\"\nmodule = \"m\"\nposition = [0, 0, {z}]\nradius = 1\nwork = [0, 9]\n"
            )
        };
        format!(
            "budget_ms = 5\npolicy = \"optimal\"\n[[view]]\neye = [0, 0, 0]\n{view}\n[[module]]\nname = \"m\"\n\
             unit_cost_ms = 0.1\noutside = 0.25\n{}{}",
            actor("before", -9),
            actor("behind", 9)
        )
    };
    let benefits = |view: &str| {
        let mut file = read(&text(view)).expect("a scene");
        file.scene.tick();
        [0, 1].map(|index| {
            let id = file.actors[index].id;
            let benefit = file.scene.plan().actor(id).expect("present").benefit.bits();
            (file.scene.is_in_view(id), benefit)
        })
    };
    let [(_, full), same] = benefits("");
    assert_eq!(same, (Some(true), full));
    let frustum = "look = [0, 0, -1]\nfov = 60\nfrustum = true";
    assert_eq!(benefits(frustum), [(Some(true), full), (Some(false), full / 4)]);
    // A field of view of 90° as wide as the reference of 90° is zoom 1, and one of 53.13° is zoom 2.
    assert_eq!(benefits("fov = 90\nreference_fov = 90")[0].1, full);
    assert_eq!(benefits("fov = 53.13010235415598\nreference_fov = 90"), benefits("zoom = 2"));
    assert!(benefits("zoom = 2")[0].1 > 3 * full);
}

#[test]
fn a_disabled_module_needs_no_benefit_value() {
    let text = EXAMPLE.replacen("benefit_value = 2.0\n", "", 1);
    assert!(text.len() < EXAMPLE.len() && read(&text).is_ok());
    let (_, error) = rejected("benefit_value = 8.0\n", "");
    let message = "`benefit_value` is missing in the module `fountains`: the proportional policy divides the \
                   budget by it";
    assert_eq!((error.to_string().as_str(), error.subject()), (message, Subject::Module(1)));
}
