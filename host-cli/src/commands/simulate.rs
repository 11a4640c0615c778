//! `lodger simulate`: a camera moves through a scene, and the scheduler decides its frames; table
//! and picture.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::TypedValueParser;
use clap::builder::styling::Style;
use comfy_table::{Cell, Row as Line};
use lodger_cli::simulation::{
    Baseline, CameraMotion, Candidate, CandidateMetrics, CostKnowledge, Keeps, SettingsReport,
    Simulation, SimulationCost, SimulationReport, SimulationScene, SimulationSettings,
};
use lodger_core::error::Quantity;
use lodger_quota::{Quota, QuotaExceeded};
use lodger_scenes::PolicyName;
use lodger_scheduler::{Hysteresis, Leftovers, Policy, SceneError};
use lodger_terminal::arguments::named;
use lodger_terminal::layout::{TableColumn, number};
use lodger_terminal::plot::{ComparedItem, ComparisonPlot, comparison};
use lodger_terminal::{
    Diagnostic, OutputFormat, OutputTarget, ProgressReport, QuotaArgs, RenderOptions, ReportArgs,
    count, length, output, percent, quota_exceeded, sanitize, tail, wrapped, write_table,
};

use crate::diagnostics::{CommandStatus, check_outputs};
use crate::inputs::{SceneArgs, SceneRequest, camera_path};

/// Options of the command.
#[derive(Args, Debug)]
pub(crate) struct SimulateArgs {
    #[command(flatten)]
    scene: SceneArgs,

    #[command(flatten)]
    options: SimulateOptions,

    #[command(flatten)]
    quota: QuotaArgs,
}

pub(crate) fn run(args: &SimulateArgs) -> Result<CommandStatus, Diagnostic> {
    let SimulateArgs { scene, options, quota } = args;
    let outputs = [
        ("--output", options.table.output.as_deref()),
        ("--report", options.report.as_deref()),
        ("--plot", options.plot.as_deref()),
        ("--record", options.record.as_deref()),
    ];
    let motion = camera_motion(&options.path);
    let waypoints = Path::new(&options.path);
    let inputs = scene.scene.iter().cloned();
    let inputs: Vec<_> = inputs.chain(motion.is_none().then(|| waypoints.to_owned())).collect();
    check_outputs(&outputs, &inputs)?;
    let quota = Quota::new(quota.limits());
    let motion = match motion {
        Some(motion) => motion,
        None => CameraMotion::File(camera_path(waypoints, &quota)?),
    };
    if let Some(file) = &scene.scene {
        let simulated = read(scene, &outputs, &quota)?;
        let name = file.display().to_string();
        simulate(options, &name, &motion, &quota, |_| Ok(simulated.clone()))?;
    } else {
        let built_in = |seed| built_in(scene, seed);
        simulate(options, "the built-in scene", &motion, &quota, built_in)?;
    }
    Ok(CommandStatus::Fine)
}

fn read(
    scene: &SceneArgs,
    outputs: &[(&str, Option<&Path>)],
    quota: &Quota,
) -> Result<SimulationScene, Diagnostic> {
    let (file, remarks) =
        SceneRequest { scene, policy: None, leftovers: None, outputs }.load(quota)?;
    remarks.iter().for_each(Diagnostic::print);
    match file.unit.name() {
        None => Ok(file.into()),
        Some(unit) => {
            Err(Diagnostic::error(format!("the money of this scene is `{unit}`, and not time"))
                .help("only what takes time can be measured: give a scene with `budget_ms`"))
        }
    }
}

fn built_in(scene: &SceneArgs, seed: u64) -> Result<SimulationScene, Diagnostic> {
    let given = [
        ("--budget", scene.budget.is_some(), "give --budget-ms: its money is time"),
        ("--eye", scene.eye.is_some(), "give --path: the camera moves"),
        ("--unit-cost-ns", scene.unit_cost_ns.is_some(), "leave it out, or give a glTF scene"),
        ("--benefit-value", scene.benefit_value.is_some(), "leave it out, or give a glTF scene"),
        ("--outside", scene.outside.is_some(), "leave it out, or give a glTF scene"),
        ("--scene", scene.which.is_some(), "leave it out, or give a glTF scene"),
    ];
    if let Some((option, _, help)) = given.into_iter().find(|(_, is_given, _)| *is_given) {
        let message = format!("{option} is not for the built-in scene");
        return Err(Diagnostic::error(message).help(help));
    }
    let rejected = |error| Diagnostic::error(format!("the built-in scene: {error}"));
    let mut simulated = SimulationScene::demo(seed).map_err(rejected)?;
    simulated.scene_mut().set_policy(Policy::Optimal).map_err(rejected)?;
    if let Some(budget) = scene.budget_ms {
        simulated.scene_mut().set_budget(budget);
    }
    Ok(simulated)
}

/// Options of the simulation and its results.
#[derive(Args, Debug)]
struct SimulateOptions {
    /// Camera path: orbit, line, still, or a .toml file of waypoints
    #[arg(long, value_name = "PATH", default_value = "orbit")]
    path: String,

    /// Number of frames, 60 per second; metrics begin with frame 60
    #[arg(long, value_name = "N", default_value_t = 600, value_parser = clap::value_parser!(u64).range(61..=100_000))]
    frames: u64,

    /// Decide in every N-th frame only; the headroom follows all frames
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1_000))]
    decide_every: u64,

    /// Policy of dividing the budget [default: the scene's; optimal for the built-in scene]
    #[arg(long, value_name = "NAME", value_parser = policy(), conflicts_with = "compare")]
    policy: Option<PolicyName>,

    /// Hysteresis of levels
    #[arg(long, value_name = "SWITCH", default_value = "on", value_parser = stability())]
    stability: Hysteresis,

    /// Relative deviation of measured times
    #[arg(long, value_name = "X", default_value_t = 0.05, value_parser = parse_ratio, allow_hyphen_values = true)]
    noise: f64,

    /// Share of the frames that take ten times as long
    #[arg(long, value_name = "X", default_value_t = 0.01, value_parser = parse_ratio, allow_hyphen_values = true)]
    spike: f64,

    /// Factor by which unit costs are wrong at first, up and down in turn; the scene's are true
    #[arg(long, value_name = "X", default_value_t = 3.0, value_parser = factor, allow_hyphen_values = true)]
    wrong: f64,

    /// Seed of all random numbers; equal seeds give equal results
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Run N seeds, from --seed on, and show the median of each number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000))]
    #[arg(conflicts_with_all = ["report", "record", "plot"])]
    seeds: Option<u64>,

    /// Run both policies and four methods of today's engines, on the same frames
    #[arg(long)]
    compare: bool,

    #[command(flatten)]
    table: ReportArgs,

    /// Page that shows every frame: one HTML file that needs no network
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,

    /// Log of inputs and decisions, for lodger replay
    #[arg(long, value_name = "FILE", conflicts_with = "compare")]
    record: Option<PathBuf>,

    /// Picture of the time of every frame
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
}

/// The motion of a `--path`; `None` for a file of waypoints.
fn camera_motion(path: &str) -> Option<CameraMotion> {
    match path {
        "orbit" => Some(CameraMotion::Orbit),
        "line" => Some(CameraMotion::Line),
        "still" => Some(CameraMotion::Still),
        _ => None,
    }
}

fn policy() -> impl TypedValueParser<Value = PolicyName> {
    named([
        (
            "proportional",
            "Shares by benefit and benefit value; leftovers are spent as the scene says",
            PolicyName::Proportional,
        ),
        (
            "apex",
            "Proportional, leftovers are kept; with `--stability off`, the APEX LOD document to the letter",
            PolicyName::Apex,
        ),
        ("optimal", "The most benefit times quality within the budget", PolicyName::Optimal),
    ])
}

fn stability() -> impl TypedValueParser<Value = Hysteresis> {
    named([
        ("on", "A level changes only if the gain exceeds the margin", Hysteresis::TYPICAL),
        ("off", "Every frame is decided independently", Hysteresis::OFF),
    ])
}

fn parse_ratio(text: &str) -> Result<f64, &'static str> {
    within(text, 0.0, 1.0).ok_or("a part is expected, from 0 to 1")
}

fn factor(text: &str) -> Result<f64, &'static str> {
    within(text, 0.001, 1000.0).ok_or("a factor is expected, from 0.001 to 1000")
}

fn within(text: &str, min: f64, max: f64) -> Option<f64> {
    text.trim().parse().ok().filter(|number| (min..=max).contains(number))
}

fn simulate(
    options: &SimulateOptions,
    scene: &str,
    motion: &CameraMotion,
    quota: &Quota,
    simulated: impl Fn(u64) -> Result<SimulationScene, Diagnostic>,
) -> Result<(), Diagnostic> {
    let frames = usize::try_from(options.frames).unwrap_or(usize::MAX);
    let decide_every = usize::try_from(options.decide_every).unwrap_or(usize::MAX);
    let seeds = options.seeds.unwrap_or(1);
    let (wrong, noise, spike) = (options.wrong, options.noise, options.spike);
    let prices = CostKnowledge::Measured { wrong, noise, spike };
    let keeps = Keeps { page: options.report.is_some(), log: options.record.is_some() };
    let progress = ProgressReport::of_many(Some(options.frames.saturating_mul(seeds)));
    let (mut reports, mut results) = (Vec::new(), Vec::new());
    for number in 0..seeds {
        let seed = options.seed.wrapping_add(number);
        let simulated = simulated(seed)?;
        let candidates = candidates(options, simulated.scene().policy());
        if number == 0 {
            let cost = SimulationCost::new(&simulated, &candidates, frames, keeps);
            let kept = quota.charge_memory(cost.memory);
            let paid = kept.and_then(|()| quota.charge_work(cost.work.saturating_mul(seeds)));
            paid.map_err(|exceeded| too_long(scene, exceeded))?;
        }
        let path = motion.clone();
        let settings =
            SimulationSettings { path, walking: true, frames, decide_every, prices, seed };
        let mut simulation = Simulation::new(simulated, &candidates, settings, keeps.page)
            .map_err(|error| rejected(scene, &error))?;
        if keeps.log {
            simulation.record().map_err(|error| unwritten(&error))?;
        }
        while simulation.frames() < frames {
            simulation.step().map_err(|error| rejected(scene, &error))?;
            progress.done();
        }
        let report = simulation.report(scene);
        results.extend(files(options, scene, &mut simulation, &report)?);
        reports.push(report);
    }
    drop(progress);
    let medians = options.seeds.and_then(|_| SimulationReport::medians(&reports));
    if let Some(report) = medians.as_ref().or(reports.first()) {
        results.push((options.table.target(), render(report, &options.table)?));
    }
    output::write_all(&results)
}

fn files<'a>(
    options: &'a SimulateOptions,
    scene: &str,
    simulation: &mut Simulation,
    report: &SimulationReport,
) -> Result<Vec<(OutputTarget<'a>, Vec<u8>)>, Diagnostic> {
    let mut files = Vec::new();
    let log = simulation.log().map_err(|error| unwritten(&error))?;
    if let (Some(file), Some(log)) = (&options.record, log) {
        files.push((OutputTarget::File(file), log));
    }
    if let (Some(file), Some(page)) = (&options.report, simulation.page(scene)) {
        files.push((OutputTarget::File(file), page.into_bytes()));
    }
    if let Some(file) = &options.plot {
        files.push((OutputTarget::File(file), picture(simulation, report)?.into_bytes()));
    }
    Ok(files)
}

fn render(report: &SimulationReport, args: &ReportArgs) -> Result<Vec<u8>, Diagnostic> {
    match args.format {
        OutputFormat::Json => output::json(report),
        OutputFormat::Table | OutputFormat::Csv => {
            let mut text = Vec::new();
            table(report, RenderOptions::for_target(args.target()), &mut text)
                .map_err(|error| Diagnostic::error(format!("cannot show the table: {error}")))?;
            Ok(text)
        }
    }
}

fn candidates(options: &SimulateOptions, of_scene: Policy) -> Vec<Candidate> {
    let leftovers = match of_scene {
        Policy::Proportional(leftovers) => leftovers,
        Policy::Optimal => Leftovers::default(),
    };
    let proportional = Policy::Proportional(leftovers);
    let policies = match (options.compare, options.policy) {
        (true, _) => vec![Policy::Optimal, proportional],
        (false, Some(PolicyName::Apex)) => vec![Policy::APEX],
        (false, Some(PolicyName::Optimal)) => vec![Policy::Optimal],
        (false, Some(_)) => vec![proportional],
        (false, None) => vec![of_scene],
    };
    let baselines = Baseline::ALL.into_iter().filter(|_| options.compare).map(Candidate::Baseline);
    policies
        .into_iter()
        .map(|policy| Candidate::Scheduler(policy, options.stability))
        .chain(baselines)
        .collect()
}

fn rejected(scene: &str, error: &SceneError) -> Diagnostic {
    let rejected = Diagnostic::error(format!("{scene} cannot be simulated: {error}"));
    match error.value_error().map(lodger_core::ValueError::quantity) {
        Some(Quantity::UnitCost | Quantity::Cost | Quantity::Overhead) => {
            rejected.help("unit costs that are --wrong by less may do")
        }
        _ => rejected,
    }
}

fn too_long(scene: &str, exceeded: QuotaExceeded) -> Diagnostic {
    quota_exceeded(&format_args!("the simulation of {scene}"), exceeded)
        .help("or simulate fewer --frames")
}

fn unwritten(error: &io::Error) -> Diagnostic {
    Diagnostic::error(format!("the log cannot be written: {error}"))
}

const COLUMNS: [(TableColumn<'_>, usize); 8] = [
    (TableColumn::Name("Policy", 40), 0),
    (TableColumn::Name("Hysteresis", 28), 90),
    (TableColumn::Number("Over budget"), 0),
    (TableColumn::Number("No spikes"), 100),
    (TableColumn::Number("Shown"), 0),
    (TableColumn::Number("Changes/s"), 0),
    (TableColumn::Number("Back/s"), 0),
    (TableColumn::Number("Cost error"), 70),
];

fn table(report: &SimulationReport, style: RenderOptions, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}\n", conditions(&report.settings))?;
    let columns: Vec<_> = COLUMNS
        .into_iter()
        .filter(|(_, narrowest)| *narrowest <= style.width)
        .map(|(column, _)| column)
        .collect();
    let row = |row: &CandidateMetrics| {
        Line::from(columns.iter().map(|column| cell(row, column.heading())))
    };
    write_table(style, &columns, || report.rows.iter().map(row), out)?;
    let what = "Over budget: share of frames. Shown: share of the upper bound. Changes: of level; back: to the \
                previous level, within half a second.";
    writeln!(out, "{}", style.paint(Style::new().dimmed(), &wrapped(what, style)))
}

fn conditions(settings: &SettingsReport) -> String {
    let SettingsReport { scene, actors, budget_ms, path, frames, reported_from, .. } = settings;
    let SettingsReport { noise, spike, wrong, seed, .. } = settings;
    let (seed, medians) = match settings.seeds {
        Some(seeds) => {
            (format!("seeds {seed} to {}", seed.wrapping_add(seeds as u64 - 1)), "medians ")
        }
        None => (format!("seed {seed}"), ""),
    };
    let decisions = match settings.decide_every {
        1 => String::new(),
        every => format!(", a decision in every {every} frames"),
    };
    format!(
        "{}: {}, {} ms a frame, camera: {path}, {frames} frames{decisions}.\nUnit costs {} times wrong at first, noise \
         {}, spikes {}, {seed}; {medians}from frame {reported_from} on:",
        sanitize(scene),
        count(*actors, "actor"),
        if budget_ms.is_finite() { length(*budget_ms) } else { "∞".to_owned() },
        length(*wrong),
        percent(*noise),
        percent(*spike),
    )
}

fn cell(row: &CandidateMetrics, heading: &str) -> Cell {
    let one = |number: f64| format!("{number:.1}");
    match heading {
        "Policy" => Cell::new(row.policy),
        "Hysteresis" => Cell::new(row.stability.unwrap_or("–")),
        "Over budget" => number(percent(row.over_budget)),
        "No spikes" => number(percent(row.over_budget_without_spikes)),
        "Shown" => number(percent(row.worth())),
        "Changes/s" => number(one(row.flips_per_s)),
        "Back/s" => number(one(row.returns_per_s)),
        _ => number(row.unit_cost_error.map_or("–".to_owned(), percent)),
    }
}

const MAX_NAME: usize = 44;

fn picture(simulation: &Simulation, report: &SimulationReport) -> Result<String, Diagnostic> {
    let entries: Vec<_> = simulation
        .times()
        .zip(simulation.changes())
        .zip(&report.rows)
        .map(|(((name, times), changes), row)| ComparedItem {
            name: name.to_owned(),
            times,
            changes: changes.to_vec(),
            figures: [
                percent(row.over_budget_without_spikes),
                percent(row.worth()),
                format!("{:.0}", row.flips_per_s),
                format!("{:.0}", row.returns_per_s),
            ],
        })
        .collect();
    let conditions = conditions(&report.settings);
    let (_, conditions) = conditions.split_once(": ").unwrap_or_default();
    let drawn = ComparisonPlot {
        heading: &format!(
            "Ways to spend a frame: {}",
            tail(&sanitize(&report.settings.scene), MAX_NAME)
        ),
        conditions: &conditions.trim_end_matches(':').replace('\n', " "),
        frames_per_s: report.settings.frames_per_s,
        columns: [
            "frames over,\nno spike",
            "shown of\npossible",
            "level\nchanges/s",
            "there and\nback/s",
        ],
        entries: &entries,
    };
    comparison(&drawn)
}
