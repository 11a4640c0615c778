//! `lodger schedule`: reads a scene, decides, and shows the plan as a table or CSV.

use std::collections::HashMap;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use clap::builder::TypedValueParser;
use clap::builder::styling::{AnsiColor, Style};
use comfy_table::{Cell, Color, Row};
use csv::{ErrorKind, Writer, WriterBuilder};
use lodger_core::budget::Leftovers;
use lodger_quota::Quota;
use lodger_scenes::{
    ASSUMED_SHARES, ActorReports, CostAmount, EXAMPLE, LadderSource, PlanReport, PlannedActor,
    PlannedModule, PolicyName,
};
use lodger_scheduler::{LodSource, OutsideFactor, Priority};
use lodger_terminal::arguments::named;
use lodger_terminal::layout::{TableColumn, colored, name, number};
use lodger_terminal::{
    CostFormat, DecimalFormat, Diagnostic, OutputFormat, OutputTarget, QuotaArgs, RenderOptions,
    StyledSegment, count, csv_text, greatest, output, percent, write_table,
};

use crate::diagnostics::{CommandStatus, check_outputs};
use crate::inputs::{SceneArgs, SceneRequest};

#[cfg(test)]
mod tests;

pub(crate) fn run(args: &ScheduleArgs) -> Result<CommandStatus, Diagnostic> {
    let outputs = [("--output", args.output.as_deref())];
    check_outputs(&outputs, args.scene.scene.as_slice())?;
    let target = OutputTarget::from_path(args.output.as_deref());
    if args.print_example {
        output::write(target, EXAMPLE.as_bytes())?;
        return Ok(CommandStatus::Fine);
    }
    let quota = Quota::new(args.quota.limits());
    let (policy, leftovers) = (args.policy, args.leftovers);
    let request = SceneRequest { scene: &args.scene, policy, leftovers, outputs: &outputs };
    let (mut file, remarks) = request.load(&quota)?;
    for remark in &remarks {
        remark.print();
    }
    file.scene.tick();
    let report = PlanReport::new(&mut file);
    match args.format {
        OutputFormat::Csv => output::write_with(target, |out| write_csv(&report, out))?,
        format => format.write(target, &report, |style, out| {
            write_table_report(&report, args.all, style, out)
        })?,
    }
    // A plan exceeds its budget only if reserved costs and minimums exceed it.
    Ok(CommandStatus::from_success(report.feasible || !args.strict))
}

/// Options of the command.
#[derive(Args, Debug)]
pub(crate) struct ScheduleArgs {
    #[command(flatten)]
    scene: SceneArgs,

    /// Policy of dividing the budget [default: the scene's]
    #[arg(long, value_name = "NAME", value_parser = policy())]
    policy: Option<PolicyName>,

    /// How the proportional policy spends leftover budgets [default: the scene's, else
    /// across-modules]
    #[arg(long, value_name = "MODE", value_parser = leftovers())]
    leftovers: Option<Leftovers>,

    /// Output format
    #[arg(long, value_enum, default_value = "table")]
    format: OutputFormat,

    /// Output file, written as a whole or not at all
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Show all actors in the table, not only the 20 most expensive
    #[arg(long)]
    all: bool,

    /// Exit with 1 if the budget is infeasible
    #[arg(long)]
    strict: bool,

    /// Write the built-in scene, as a starting point
    #[arg(long, conflicts_with_all = ["scene", "budget_ms", "budget", "eye", "outside", "format", "all", "which", "strict"])]
    print_example: bool,

    #[command(flatten)]
    quota: QuotaArgs,
}

fn leftovers() -> impl TypedValueParser<Value = Leftovers> {
    named([
        ("keep", "Not at all: the share of an actor pays for its level", Leftovers::Keep),
        (
            "within-module",
            "Each module spends the leftovers of its actors",
            Leftovers::WithinModule,
        ),
        (
            "across-modules",
            "The scene spends the leftovers of all actors",
            Leftovers::AcrossModules,
        ),
        ("whole-budget", "The scene spends the rest of the budget", Leftovers::WholeBudget),
    ])
}

fn policy() -> impl TypedValueParser<Value = PolicyName> {
    named([
        (
            "proportional",
            "Shares by benefit and benefit value; leftovers are spent as --leftovers says",
            PolicyName::Proportional,
        ),
        (
            "apex",
            "The APEX LOD document to the letter: proportional, leftovers are kept",
            PolicyName::Apex,
        ),
        ("optimal", "The most benefit times quality within the budget", PolicyName::Optimal),
    ])
}

fn write_csv(report: &PlanReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut writer = WriterBuilder::new().has_headers(false).from_writer(out);
    let columns = OptionalColumns {
        file_lod: !report.levels.is_empty(),
        priority: report.actors.iter().any(|actor| actor.priority != Priority::ONE),
        in_view: report.modules.iter().any(|module| module.outside < OutsideFactor::ONE),
    };
    writer.write_record(keys(report, columns)).map_err(as_io)?;
    let mut rows = report.actors.iter();
    rows.try_for_each(|actor| row(&mut writer, &actor, columns)).map_err(as_io)?;
    writer.flush()
}

/// The columns of scenes with numbered levels, with priorities, and with a factor outside of views.
#[derive(Clone, Copy)]
struct OptionalColumns {
    file_lod: bool,
    priority: bool,
    in_view: bool,
}

/// Column names, which are written without actors, too.
fn keys(report: &PlanReport<'_>, columns: OptionalColumns) -> Vec<&'static str> {
    let [share, cost] =
        if report.unit.name().is_some() { ["share", "cost"] } else { ["share_ms", "cost_ms"] };
    let mut keys = vec!["name", "module", "benefit", share, "lod", cost, "control"];
    keys.extend(["position_x", "position_y", "position_z", "radius", "work", "ladder", "quality"]);
    keys.extend(columns.file_lod.then_some("file_lod"));
    keys.extend(columns.priority.then_some("priority"));
    keys.extend(columns.in_view.then_some("in_view"));
    keys.push("reason");
    keys
}

fn row(
    writer: &mut Writer<&mut dyn Write>,
    actor: &PlannedActor<'_>,
    columns: OptionalColumns,
) -> Result<(), csv::Error> {
    let along = |axis: usize| actor.position.map(|position| position[axis]);
    let work: Vec<_> = actor.work.iter().map(u32::to_string).collect();
    let cells = (
        (csv_text(actor.name), csv_text(actor.module), actor.benefit, actor.share),
        (actor.lod.to_string(), actor.cost, actor.control),
        (along(0), along(1), along(2), actor.radius),
        (work.join(" "), actor.ladder.to_string(), actor.quality),
    );
    // A list has a cell for each of its elements.
    let file_lod = Vec::from_iter(columns.file_lod.then_some(actor.file_lod));
    let priority = Vec::from_iter(columns.priority.then_some(actor.priority.to_f64()));
    let in_view = Vec::from_iter(columns.in_view.then_some(actor.in_view));
    writer.serialize((cells, file_lod, priority, in_view, actor.reason))
}

fn as_io(error: csv::Error) -> io::Error {
    match error.into_kind() {
        ErrorKind::Io(error) => error,
        kind => io::Error::other(format!("{kind:?}")),
    }
}

const MAX_SHOWN: usize = 20;
const COLUMNS: [(ActorColumn, usize); 9] = [
    (ActorColumn::Name, 0),
    (ActorColumn::Module, 70),
    (ActorColumn::Lod, 0),
    (ActorColumn::Cost, 0),
    (ActorColumn::Share, 70),
    (ActorColumn::Quality, 70),
    (ActorColumn::Benefit, 90),
    (ActorColumn::Control, 110),
    (ActorColumn::Why, 0),
];
/// The minimum decimals of a benefit or a quality.
const OF_BENEFIT: i32 = 3;
const MAX_ROW_LINES: usize = 2;

#[derive(Clone, Copy, PartialEq, Eq)]
enum ActorColumn {
    Name,
    Module,
    Lod,
    Cost,
    Share,
    Quality,
    Benefit,
    Control,
    Why,
}

/// Number formats of the columns of actors.
#[derive(Clone, Copy)]
struct ColumnFormats<'u> {
    cost: CostFormat<'u>,
    share: CostFormat<'u>,
    quality: DecimalFormat,
    benefit: DecimalFormat,
}

struct ActorCounts<'a> {
    by_module: HashMap<&'a str, usize>,
    assumed: usize,
}

impl<'a> ActorCounts<'a> {
    fn new(actors: &ActorReports<'a>) -> Self {
        let mut counts = Self { by_module: HashMap::new(), assumed: 0 };
        for actor in actors.iter() {
            *counts.by_module.entry(actor.module).or_default() += 1;
            counts.assumed += usize::from(actor.ladder == LadderSource::Assumed);
        }
        counts
    }
}

/// Writes the report as text: verdict, bar, modules, then the most expensive actors.
fn write_table_report(
    report: &PlanReport<'_>,
    all: bool,
    style: RenderOptions,
    out: &mut dyn Write,
) -> io::Result<()> {
    let values = [report.budget, report.assigned].map(CostAmount::to_f64);
    let money = CostFormat::for_all(report.unit.name(), values.into_iter());
    let counts = ActorCounts::new(&report.actors);
    let headline = headline(report, counts.assumed, money, style);
    write!(out, "{headline}{}", lodger_terminal::bar(&segments(report), money, style))?;
    if !report.modules.is_empty() {
        writeln!(out)?;
        modules(report, &counts, style, out)?;
    }
    if !report.levels.is_empty() {
        writeln!(out)?;
        levels(report, style, out)?;
    }
    if !report.actors.is_empty() {
        writeln!(out)?;
        costliest(report, all, style, out)?;
    }
    Ok(())
}

fn costliest(
    report: &PlanReport<'_>,
    all: bool,
    style: RenderOptions,
    out: &mut dyn Write,
) -> io::Result<()> {
    let actors = &report.actors;
    let shown = if all { actors.len() } else { MAX_SHOWN.min(actors.len()) };
    let costs = actors.iter().enumerate().map(|(index, actor)| (actor.cost.to_f64(), index));
    self::actors(report, &greatest(costs, shown), style, out)?;
    let more = actors.len() - shown;
    if more > 0 {
        let line = format!("… and {} more, costing less; --all shows all", count(more, "actor"));
        writeln!(out, "{}", style.paint(Style::new().dimmed(), &line))?;
    }
    Ok(())
}

fn modules(
    report: &PlanReport<'_>,
    counts: &ActorCounts<'_>,
    style: RenderOptions,
    out: &mut dyn Write,
) -> io::Result<()> {
    let (all, unit) = (&report.modules, report.unit.name());
    let targets = || all.iter().filter_map(|module| module.target);
    let target = CostFormat::for_all(unit, targets().map(CostAmount::to_f64));
    let assigned = CostFormat::for_all(unit, all.iter().map(|module| module.assigned.to_f64()));
    let benefit = DecimalFormat::at_least(OF_BENEFIT, all.iter().map(|module| module.benefit));
    let has_targets = report.scale.is_some();
    let headings = ["Target", "Assigned"].map(|what| format!("{what} {}", report.unit));
    let mut columns = vec![TableColumn::Name("Module", 28)];
    columns.extend(["Actors", "Benefit"].map(TableColumn::Number));
    columns
        .extend(headings.iter().skip(usize::from(!has_targets)).map(|it| TableColumn::Number(it)));
    columns.push(TableColumn::Name("", 28));
    let row = |module: &PlannedModule<'_>| {
        let population = counts.by_module.get(module.name).copied().unwrap_or(0);
        let target_text = module.target.filter(|_| module.enabled);
        let target_text = target_text
            .map_or_else(|| "–".to_owned(), |target_text| target.show(target_text.to_f64()));
        let cells = [
            Some(name(module.name)),
            Some(number(population.to_string())),
            Some(number(benefit.show(module.benefit))),
            has_targets.then(|| number(target_text)),
            Some(number(assigned.show(module.assigned.to_f64()))),
            Some(Cell::new(if module.enabled { "" } else { "disabled" })),
        ];
        let colour = (!module.enabled).then_some(Color::Yellow);
        Row::from(cells.into_iter().flatten().map(|cell| colored(cell, colour)))
    };
    write_table(style, &columns, || all.iter().map(row), out)
}

fn levels(report: &PlanReport<'_>, style: RenderOptions, out: &mut dyn Write) -> io::Result<()> {
    let assigned = format!("Assigned {}", report.unit);
    let columns = ["Level of the file", "Actors", &assigned].map(TableColumn::Number);
    let money = CostFormat::for_all(report.unit.name(), std::iter::empty());
    let rows = report.levels.iter().map(|level| {
        let cells = [level.file_lod.to_string(), level.actors.to_string()];
        let cells = cells.into_iter().chain([money.show(level.assigned.to_f64())]);
        Row::from(cells.map(number))
    });
    write_table(style, &columns, || rows.clone(), out)
}

fn actors(
    report: &PlanReport<'_>,
    shown: &[usize],
    style: RenderOptions,
    out: &mut dyn Write,
) -> io::Result<()> {
    let actors = || shown.iter().filter_map(|&index| report.actors.get(index));
    let unit = report.unit.name();
    let digits = ColumnFormats {
        cost: CostFormat::for_all(unit, actors().map(|actor| actor.cost.to_f64())),
        share: CostFormat::for_all(unit, actors().filter_map(|actor| Some(actor.share?.to_f64()))),
        quality: DecimalFormat::at_least(OF_BENEFIT, actors().map(|actor| actor.quality)),
        benefit: DecimalFormat::at_least(OF_BENEFIT, actors().map(|actor| actor.benefit)),
    };
    // Shares are shown if there are any, and otherwise qualities.
    let unused = if report.scale.is_some() { ActorColumn::Quality } else { ActorColumn::Share };
    let is_shown =
        |(kind, narrowest): &(ActorColumn, usize)| *narrowest <= style.width && *kind != unused;
    let kinds: Vec<_> = COLUMNS.into_iter().filter(is_shown).map(|(kind, _)| kind).collect();
    let headings = ["Cost", "Share"].map(|what| format!("{what} {}", report.unit));
    let columns: Vec<_> = kinds.iter().map(|kind| column(*kind, &headings)).collect();
    let row = |actor: PlannedActor<'_>| {
        let colour = (actor.control != LodSource::Automatic).then_some(Color::Yellow);
        let mut row =
            Row::from(kinds.iter().map(|kind| colored(cell(&actor, *kind, digits), colour)));
        row.max_height(MAX_ROW_LINES);
        row
    };
    write_table(style, &columns, || actors().map(row), out)
}

fn column(kind: ActorColumn, [cost, share]: &[String; 2]) -> TableColumn<'_> {
    match kind {
        ActorColumn::Name => TableColumn::Name("Actor", 28),
        ActorColumn::Module => TableColumn::Name("Module", 28),
        ActorColumn::Lod => TableColumn::Number("LOD"),
        ActorColumn::Cost => TableColumn::Number(cost),
        ActorColumn::Share => TableColumn::Number(share),
        ActorColumn::Quality => TableColumn::Number("Quality"),
        ActorColumn::Benefit => TableColumn::Number("Benefit"),
        ActorColumn::Control => TableColumn::Name("Control", 28),
        ActorColumn::Why => TableColumn::Words("Why"),
    }
}

fn cell(actor: &PlannedActor<'_>, kind: ActorColumn, digits: ColumnFormats<'_>) -> Cell {
    let share =
        || actor.share.map_or_else(|| "–".to_owned(), |share| digits.share.show(share.to_f64()));
    match kind {
        ActorColumn::Name => name(actor.name),
        ActorColumn::Module => name(actor.module),
        ActorColumn::Lod => number(lod(actor.lod)),
        ActorColumn::Cost => number(digits.cost.show(actor.cost.to_f64())),
        ActorColumn::Share => number(share()),
        ActorColumn::Quality => number(digits.quality.show(actor.quality)),
        ActorColumn::Benefit => number(digits.benefit.show(actor.benefit)),
        ActorColumn::Control => Cell::new(actor.control),
        ActorColumn::Why => Cell::new(actor.reason),
    }
}

fn lod(lod: f64) -> String {
    if lod.fract() == 0.0 { format!("{lod}") } else { format!("{lod:.2}") }
}

fn headline(
    report: &PlanReport<'_>,
    assumed: usize,
    money: CostFormat<'_>,
    style: RenderOptions,
) -> String {
    let (verdict, colour, rest) = verdict(report, money);
    let verdict = style.paint(colour.on_default().bold(), &verdict);
    let mut lines = format!("{verdict} {rest}\n");
    if let Some(worth) = worth(report) {
        lines += &worth;
        lines.push('\n');
    }
    if report.quarantined > 0 {
        let text = format!(
            "{} quarantined: position, age or speed is not a number.",
            count(report.quarantined, "actor")
        );
        lines += &style.paint(AnsiColor::Yellow.on_default(), &text);
        lines.push('\n');
    }
    if report.out_of_view > 0 {
        let text = format!("{} out of view.", count(report.out_of_view, "actor"));
        lines += &style.paint(Style::new().dimmed(), &text);
        lines.push('\n');
    }
    if assumed > 0 {
        lines += &style.paint(Style::new().dimmed(), &of_assumed(assumed, report.actors.len()));
        lines.push('\n');
    }
    lines
}

fn of_assumed(assumed: usize, actors: usize) -> String {
    let [lower @ .., highest] = ASSUMED_SHARES.map(|share| f64::from(share) / 10.0);
    let lower: Vec<_> = lower.iter().map(f64::to_string).collect();
    let (have, their) = if assumed == 1 { ("has", "its") } else { ("have", "their") };
    format!(
        "{assumed} of {} {have} assumed levels: {} and {highest} % of {their} triangles.",
        count(actors, "actor"),
        lower.join(", "),
    )
}

/// A sentence about the value of the plan, if the upper bound is positive.
fn worth(report: &PlanReport<'_>) -> Option<String> {
    let certificate = report.certificate;
    let (value, bound) = (certificate.value(), certificate.upper_bound());
    let decimals = DecimalFormat::at_least(1, [value, bound]);
    let proof = if certificate.value == certificate.upper_bound {
        "no plan is worth more".to_owned()
    } else {
        format!("within {} of the best", percent(certificate.gap()))
    };
    let (value, bound) = (decimals.show(value), decimals.show(bound));
    (certificate.upper_bound > 0).then(|| format!("Worth {value} of at most {bound}: {proof}."))
}

fn verdict(report: &PlanReport<'_>, money: CostFormat<'_>) -> (String, AnsiColor, String) {
    let assigned = money.say(report.assigned.to_f64());
    let budget = money.say(report.budget.to_f64());
    if !report.feasible {
        return (
            format!("Over budget by {}:", money.say(report.overcommit.to_f64())),
            AnsiColor::Red,
            format!("{assigned} assigned of {budget}, nothing left to lower."),
        );
    }
    let targets = match report.scale {
        Some(scale) if scale < 1.0 => format!(", targets scaled to {}", percent(scale)),
        Some(_) => ", every target met".to_owned(),
        None => String::new(),
    };
    if report.budget == CostAmount::Unlimited {
        let rest = format!("{assigned} assigned{targets}.");
        return ("Unlimited:".to_owned(), AnsiColor::Green, rest);
    }
    let rest = format!("{assigned} assigned of {budget}{targets}.");
    ("Within budget:".to_owned(), AnsiColor::Green, rest)
}

/// The budget as a bar: reserved, automatic, free, and over budget.
fn segments(report: &PlanReport<'_>) -> [StyledSegment; 4] {
    let [budget, reserved, assigned] =
        [report.budget, report.reserved, report.assigned].map(CostAmount::to_f64);
    let automatic = (assigned - reserved).max(0.0);
    let reserved_within = reserved.min(budget);
    let segment =
        |name, glyph, style, amount, drawn| StyledSegment { name, glyph, style, amount, drawn };
    let free = (budget - assigned).max(0.0);
    let over = (assigned - budget).max(0.0);
    let automatic_within = automatic.min(budget - reserved_within);
    [
        segment("fixed", "█", AnsiColor::Yellow.on_default(), reserved, reserved_within),
        segment("automatic", "▓", AnsiColor::Green.on_default(), automatic, automatic_within),
        segment("free", "░", Style::new().dimmed(), free, free),
        segment("over budget", "▒", AnsiColor::Red.on_default(), over, over),
    ]
}
