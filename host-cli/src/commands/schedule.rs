//! `lodger schedule`: reads a scene, decides, and shows the plan.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use clap::builder::TypedValueParser;
use csv::{ErrorKind, Writer, WriterBuilder};
use lodger_core::budget::Leftovers;
use lodger_quota::Quota;
use lodger_scenes::{ActorReport, EXAMPLE, PlanReport, PolicyName};
use lodger_terminal::arguments::named;
use lodger_terminal::{Diagnostic, OutputFormat, QuotaArgs, Target, csv_text, output};

use crate::diagnostics::{CommandStatus, check_outputs};
use crate::scene_input::{SceneArgs, SceneRequest};

mod render;

/// Runs the command.
pub(crate) fn run(args: &ScheduleArgs) -> Result<CommandStatus, Diagnostic> {
    let outputs = [("--output", args.output.as_deref())];
    check_outputs(&outputs, args.scene.scene.as_slice())?;
    let target = Target::of(args.output.as_deref());
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
        format => format
            .write(target, &report, |look, out| render::write(&report, args.all, look, out))?,
    }
    // A plan exceeds its budget only if the budget does not pay reserved costs and minimums.
    Ok(CommandStatus::of(report.feasible || !args.strict))
}

/// What to schedule, and how to show it.
#[derive(Args, Debug)]
pub(crate) struct ScheduleArgs {
    #[command(flatten)]
    scene: SceneArgs,

    /// How to divide the budget [default: what the scene says]
    #[arg(long, value_name = "NAME", value_parser = policy())]
    policy: Option<PolicyName>,

    /// How the proportional policy spends what shares leave over [default: what the scene says, else
    /// across-modules]
    #[arg(long, value_name = "MODE", value_parser = leftovers())]
    leftovers: Option<Leftovers>,

    /// How to show the plan
    #[arg(long, value_enum, default_value = "table")]
    format: OutputFormat,

    /// Write to a file, as a whole or not at all
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Show every actor in the table, not only the 20 most expensive
    #[arg(long)]
    all: bool,

    /// End with 1 if the budget is infeasible, and so exceeded
    #[arg(long)]
    strict: bool,

    /// Write out the built-in scene, to start one's own from
    #[arg(long, conflicts_with_all = ["scene", "budget_ms", "budget", "eye", "format", "all", "which", "strict"])]
    print_example: bool,

    #[command(flatten)]
    quota: QuotaArgs,
}

/// Parser of the ways to spend leftovers.
fn leftovers() -> impl TypedValueParser<Value = Leftovers> {
    named([
        ("keep", "Nothing: every actor gets what its share pays", Leftovers::Keep),
        (
            "within-module",
            "Each module spends what its own actors left over",
            Leftovers::WithinModule,
        ),
        ("across-modules", "The scene spends what any actor left over", Leftovers::AcrossModules),
        ("whole-budget", "The scene spends all that is left of the budget", Leftovers::WholeBudget),
    ])
}

/// Parser of the policies.
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
        ("optimal", "The most benefit times quality that the budget buys", PolicyName::Optimal),
    ])
}

/// Writes the actors as CSV, one row each, as they are made.
fn write_csv(report: &PlanReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut writer = WriterBuilder::new().has_headers(false).from_writer(out);
    let has_file_lods = !report.levels.is_empty();
    writer.write_record(keys(report, has_file_lods)).map_err(as_io)?;
    let mut rows = report.actors.iter();
    rows.try_for_each(|actor| row(&mut writer, &actor, has_file_lods)).map_err(as_io)?;
    writer.flush()
}

/// The keys of an actor, which are there even when no actor is.
fn keys(report: &PlanReport<'_>, has_file_lods: bool) -> Vec<&'static str> {
    let [share, cost] =
        if report.unit.name().is_some() { ["share", "cost"] } else { ["share_ms", "cost_ms"] };
    let mut keys = vec!["name", "module", "benefit", share, "lod", cost, "control"];
    keys.extend(["position_x", "position_y", "position_z", "radius", "work", "ladder", "quality"]);
    keys.extend(has_file_lods.then_some("file_lod"));
    keys.push("reason");
    keys
}

/// One row; the units of the levels have spaces between them.
fn row(
    writer: &mut Writer<&mut dyn Write>,
    actor: &ActorReport<'_>,
    has_file_lods: bool,
) -> Result<(), csv::Error> {
    let along = |axis: usize| actor.position.map(|position| position[axis]);
    let work: Vec<_> = actor.work.iter().map(u32::to_string).collect();
    let told = (
        (csv_text(actor.name), csv_text(actor.module), actor.benefit, actor.share),
        (actor.lod.to_string(), actor.cost, actor.control),
        (along(0), along(1), along(2), actor.radius),
        (work.join(" "), actor.ladder.to_string(), actor.quality),
    );
    if has_file_lods {
        writer.serialize((told, actor.file_lod, actor.reason))
    } else {
        writer.serialize((told, actor.reason))
    }
}

fn as_io(error: csv::Error) -> io::Error {
    match error.into_kind() {
        ErrorKind::Io(error) => error,
        kind => io::Error::other(format!("{kind:?}")),
    }
}
