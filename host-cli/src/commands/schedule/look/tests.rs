use std::sync::LazyLock;

use lodger_core::budget::Leftovers;
use lodger_scenes::LadderSource;
use lodger_scheduler::{Control, Reason};

use super::super::report::{ActorReport, Actors, ModuleReport, Report};
use super::Look;

const PLAIN: Look = Look { width: 100, colour: false };

fn actor<'a>(
    name: &'a str,
    module: &'a str,
    lod: f64,
    cost_ms: f64,
    control: Control,
) -> ActorReport<'a> {
    ActorReport {
        name,
        module,
        benefit: 0.3,
        share_ms: (control == Control::Automatic).then_some(cost_ms * 1.2),
        lod,
        cost_ms,
        control,
        position: Some([1.0, 2.0, 3.0]),
        radius: Some(0.5),
        work: &[0, 40, 100, 200],
        ladder: LadderSource::File,
        reason: match control {
            Control::Automatic => Reason::Share,
            Control::Forced => Reason::ForcedIntoRange,
            _ => Reason::Unmanaged,
        },
    }
}

/// The names of the many small actors.
static SPARKS: LazyLock<Vec<String>> =
    LazyLock::new(|| (0..20).map(|i| format!("torch sparks {i}")).collect());

fn table(report: &Report<'_>, all: bool, look: Look) -> String {
    let mut written = Vec::new();
    super::write(report, all, look, &mut written).expect("memory");
    String::from_utf8(written).expect("text")
}

fn report() -> Report<'static> {
    report_of(actors())
}

fn actors() -> Vec<ActorReport<'static>> {
    let mut actors = vec![
        actor("hero cape", "clothing", 3.0, 0.75, Control::Automatic),
        actor("gate banner", "clothing", 1.0, 0.2, Control::Forced),
        actor("plaza fountain", "fountains", 2.37, 1.284, Control::Automatic),
        actor("courtyard wind", "turbulence", 2.0, 0.9216, Control::Unmanaged),
    ];
    let small = |name: &'static String| actor(name, "fountains", 1.0, 0.02, Control::Automatic);
    actors.extend(SPARKS.iter().map(small));
    actors
}

fn report_of(actors: Vec<ActorReport<'_>>) -> Report<'_> {
    let module = |name, enabled, target_ms, assigned_ms| ModuleReport {
        name,
        enabled,
        benefit: 1.25,
        target_ms,
        assigned_ms,
    };
    Report {
        schema: 1,
        budget_ms: 8.0,
        policy: "proportional",
        leftovers: Leftovers::AcrossModules,
        scale: 0.613,
        feasible: true,
        overcommit_ms: 0.0,
        fixed_ms: 1.1216,
        assigned_ms: 7.5556,
        quarantined: 0,
        modules: vec![
            module("clothing", true, 4.2, 0.95),
            module("fountains", true, 5.75, 1.684),
            module("turbulence", false, 0.0, 0.9216),
        ],
        actors: Actors::new(actors.len(), move |index| actors.get(index).cloned()),
    }
}

#[test]
fn the_twenty_costliest_are_shown_unless_all_are_asked_for() {
    let some = table(&report(), false, PLAIN);
    assert!(some.contains("torch sparks 15"), "{some}");
    assert!(!some.contains("torch sparks 16"), "ties go by file order: {some}");
    assert!(some.contains("… and 4 actors more"), "{some}");
    let all = table(&report(), true, PLAIN);
    assert!(all.contains("torch sparks 19"), "{all}");
    assert!(!all.contains("more"), "{all}");
}

#[test]
fn the_costliest_comes_first_and_tells_why() {
    let text = table(&report(), false, PLAIN);
    let place = |what: &str| text.find(what).expect("it is shown");
    assert!(place("plaza fountain") < place("courtyard wind"));
    assert!(place("courtyard wind") < place("hero cape"));
    assert!(text.contains("forced, clamped to its range"));
    assert!(text.contains("module disabled: highest"));
}

#[test]
fn no_line_is_wider_than_the_terminal() {
    for width in [60, 72, 80, 100, 120, 160] {
        let look = Look { width, colour: false };
        // The verdict is a sentence, which the terminal wraps.
        for line in table(&report(), true, look).lines().skip(1) {
            assert!(line.chars().count() <= width, "{width}: {line}");
        }
    }
}

#[test]
fn colours_change_nothing_but_colours() {
    let colourful = table(&report(), false, Look { colour: true, ..PLAIN });
    assert!(colourful.contains("\x1b["));
    let stripped = anstream::adapter::strip_str(&colourful).to_string();
    let trimmed = |text: &str| text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
    assert_eq!(trimmed(&stripped), trimmed(&table(&report(), false, PLAIN)));
}

#[test]
fn the_verdict_depends_on_the_budget() {
    let within = table(&report(), false, PLAIN);
    assert!(
        within.starts_with("Within budget: 7.556 ms assigned of 8 ms, targets scaled to 61.3 %."),
        "{within}"
    );
    let unlimited = Report { budget_ms: f64::INFINITY, scale: 1.0, ..report() };
    assert!(table(&unlimited, false, PLAIN).starts_with("Unlimited: 7.556 ms assigned"));
    let over = Report {
        budget_ms: 7.0,
        overcommit_ms: 0.5556,
        feasible: false,
        quarantined: 2,
        ..report()
    };
    let over = table(&over, false, PLAIN);
    assert!(over.starts_with("Over budget by 0.556 ms: 7.556 ms assigned of 7 ms"), "{over}");
    assert!(over.contains("2 actors quarantined"), "{over}");
}

#[test]
fn a_name_cannot_command_the_terminal() {
    let name = "ca\x1b[2Jpe\n".to_owned() + &"x".repeat(5000);
    let mut actors = actors();
    actors[0].name = &name;
    let mut report = report_of(actors);
    report.modules[0].name = "clo\u{9b}thing";
    let text = table(&report, false, PLAIN);
    assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{text}");
    assert!(text.len() < 10_000);
}

#[test]
fn assumed_levels_are_said() {
    let mut actors = actors();
    assert!(!table(&report(), false, PLAIN).contains("assumed"));
    actors[2].ladder = LadderSource::Assumed;
    let text = table(&report_of(actors.clone()), false, PLAIN);
    let one = "1 of 24 actors has assumed levels: 0, 1.5, 6, 25 and 100 % of its triangles.";
    assert!(text.contains(one), "{text}");
    actors[3].ladder = LadderSource::Assumed;
    let text = table(&report_of(actors), false, PLAIN);
    assert!(text.contains("2 of 24 actors have assumed levels: 0, 1.5"), "{text}");
}

#[test]
fn each_column_has_the_digits_of_its_values() {
    let mut actors = actors();
    for actor in &mut actors {
        (actor.cost_ms, actor.share_ms, actor.benefit) = (0.000_968, Some(25.0), 0.000_21);
    }
    let text = table(&report_of(actors), false, PLAIN);
    for shown in ["0.000968", " 25.00", " 0.000210"] {
        assert!(text.contains(shown), "no {shown}: {text}");
    }
}

#[test]
fn the_headline_says_small_beside_great() {
    let small = Report { budget_ms: 16.6, assigned_ms: 0.004_12, fixed_ms: 0.0, ..report() };
    let text = table(&small, false, PLAIN);
    assert!(text.starts_with("Within budget: 0.00412 ms assigned of 16.6 ms,"), "{text}");
    assert!(text.contains("automatic 0.00412 ms"), "{text}");
}
