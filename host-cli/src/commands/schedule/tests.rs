use std::sync::LazyLock;

use lodger_core::budget::{Leftovers, OptimalityCertificate, Policy};
use lodger_scenes::{
    ActorReports, CostAmount, CostUnit, LadderSource, LevelReport, PlanReport, PlannedActor,
    PlannedModule,
};
use lodger_scheduler::{LodSource, OutsideFactor, Priority, Reason};

use super::RenderOptions;

const fn ms(ms: f64) -> CostAmount {
    CostAmount::Milliseconds(ms)
}

const PLAIN: RenderOptions = RenderOptions { width: 100, colour: false };

fn actor<'a>(
    name: &'a str,
    module: &'a str,
    lod: f64,
    cost_ms: f64,
    control: LodSource,
) -> PlannedActor<'a> {
    PlannedActor {
        unit: &CostUnit::Time,
        name,
        module,
        priority: Priority::ONE,
        in_view: true,
        benefit: 0.3,
        share: (control == LodSource::Automatic).then_some(ms(cost_ms * 1.2)),
        lod,
        file_lod: None,
        quality: 0.25,
        cost: ms(cost_ms),
        control,
        position: Some([1.0, 2.0, 3.0]),
        radius: Some(0.5),
        work: &[0, 40, 100, 200],
        ladder: LadderSource::File,
        reason: match control {
            LodSource::Automatic => Reason::Share,
            LodSource::Forced => Reason::ForcedIntoRange,
            _ => Reason::Unmanaged,
        },
    }
}

static SPARKS: LazyLock<Vec<String>> =
    LazyLock::new(|| (0..20).map(|i| format!("torch sparks {i}")).collect());

fn table(report: &PlanReport<'_>, all: bool, style: RenderOptions) -> String {
    let mut written = Vec::new();
    super::write_table_report(report, all, style, &mut written).expect("memory");
    String::from_utf8(written).expect("text")
}

fn report() -> PlanReport<'static> {
    report_of(actors())
}

fn actors() -> Vec<PlannedActor<'static>> {
    let mut actors = vec![
        actor("hero cape", "clothing", 3.0, 0.75, LodSource::Automatic),
        actor("gate banner", "clothing", 1.0, 0.2, LodSource::Forced),
        actor("plaza fountain", "fountains", 2.37, 1.284, LodSource::Automatic),
        actor("courtyard wind", "turbulence", 2.0, 0.9216, LodSource::Unmanaged),
    ];
    let small = |name: &'static String| actor(name, "fountains", 1.0, 0.02, LodSource::Automatic);
    actors.extend(SPARKS.iter().map(small));
    actors
}

fn report_of(actors: Vec<PlannedActor<'_>>) -> PlanReport<'_> {
    let module = |name, enabled, target, assigned| PlannedModule {
        unit: &CostUnit::Time,
        name,
        enabled,
        priority: Priority::ONE,
        outside: OutsideFactor::ONE,
        benefit: 1.25,
        target: Some(ms(target)),
        assigned: ms(assigned),
    };
    PlanReport {
        unit: &CostUnit::Time,
        policy: Policy::Proportional(Leftovers::AcrossModules),
        budget: ms(8.0),
        scale: Some(0.613),
        feasible: true,
        overcommit: ms(0.0),
        reserved: ms(1.1216),
        assigned: ms(7.5556),
        certificate: OptimalityCertificate { value: 3 << 31, upper_bound: 4 << 31 },
        price: None,
        quarantined: 0,
        out_of_view: 0,
        modules: vec![
            module("clothing", true, 4.2, 0.95),
            module("fountains", true, 5.75, 1.684),
            module("turbulence", false, 0.0, 0.9216),
        ],
        levels: Vec::new(),
        actors: ActorReports::new(actors.len(), move |index| actors.get(index).cloned()),
    }
}

#[test]
fn all_shows_more_than_the_twenty_most_expensive_actors() {
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
        let style = RenderOptions { width, colour: false };
        // The verdict and its worth are sentences, which the terminal wraps.
        for line in table(&report(), true, style).lines().skip(2) {
            assert!(line.chars().count() <= width, "{width}: {line}");
        }
    }
}

#[test]
fn colours_change_nothing_but_colours() {
    let colourful = table(&report(), false, RenderOptions { colour: true, ..PLAIN });
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
    let unlimited = PlanReport { budget: CostAmount::Unlimited, scale: Some(1.0), ..report() };
    assert!(table(&unlimited, false, PLAIN).starts_with("Unlimited: 7.556 ms assigned"));
    let over = PlanReport {
        budget: ms(7.0),
        overcommit: ms(0.5556),
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
fn assumed_levels_are_reported() {
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
        (actor.cost, actor.share, actor.benefit) = (ms(0.000_968), Some(ms(25.0)), 0.000_21);
    }
    let text = table(&report_of(actors), false, PLAIN);
    for shown in ["0.000968", " 25.00", " 0.000210"] {
        assert!(text.contains(shown), "no {shown}: {text}");
    }
}

#[test]
fn the_headline_says_small_beside_great() {
    let small =
        PlanReport { budget: ms(16.6), assigned: ms(0.004_12), reserved: ms(0.0), ..report() };
    let text = table(&small, false, PLAIN);
    assert!(text.starts_with("Within budget: 0.00412 ms assigned of 16.6 ms,"), "{text}");
    assert!(text.contains("automatic 0.00412 ms"), "{text}");
}

#[test]
fn the_plan_states_its_value() {
    let text = table(&report(), false, PLAIN);
    let worth = "\nWorth 3.00 of at most 4.00: within 25.0 % of the best.\n";
    assert!(text.contains(worth), "{text}");
    let certificate = OptimalityCertificate { value: 4 << 31, upper_bound: 4 << 31 };
    let text = table(&PlanReport { certificate, ..report() }, false, PLAIN);
    assert!(text.contains("Worth 4.00 of at most 4.00: no plan is"), "{text}");
    let certificate = OptimalityCertificate::default();
    assert!(!table(&PlanReport { certificate, ..report() }, false, PLAIN).contains("Worth"));
}

#[test]
fn without_shares_qualities_are_shown_and_units_are_named() {
    let splat = CostUnit::named("splat").expect("a word");
    let mut leaves = actors();
    for leaf in &mut leaves {
        (leaf.unit, leaf.cost, leaf.share) = (&splat, CostAmount::Whole(1_500), None);
        leaf.reason = Reason::BelowPrice;
    }
    let mut report = PlanReport {
        unit: &splat,
        policy: Policy::Optimal,
        budget: CostAmount::Whole(2_000_000),
        assigned: CostAmount::Whole(1_999_999),
        reserved: CostAmount::Whole(0),
        scale: None,
        levels: vec![LevelReport {
            unit: &splat,
            file_lod: 3,
            actors: 24,
            assigned: CostAmount::Whole(36_000),
        }],
        ..report_of(leaves)
    };
    for module in &mut report.modules {
        (module.target, module.assigned) = (None, CostAmount::Whole(12_000));
    }
    let text = table(&report, false, PLAIN);
    let start = "Within budget: 1999999 splats assigned of 2000000 splats.\n";
    assert!(text.starts_with(start), "{text}");
    for shown in ["Cost splat", "Quality", "0.250", "Assigned splat", "36000", "free 1 splat"] {
        assert!(text.contains(shown), "no {shown}: {text}");
    }
    for hidden in [" ms", "Share", "Target", "targets"] {
        assert!(!text.contains(hidden), "{hidden}: {text}");
    }
}
