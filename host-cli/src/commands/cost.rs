//! `lodger cost`: costs of meshes and objects, and their limiting weights.

use lodger_opensim::files::{FileFilter, InputSource};
use lodger_opensim::pricing::{MeshInputs, PricingError, SizeRange};
use lodger_terminal::{Diagnostic, OutputFormat, OutputTarget, RenderOptions, output};

use crate::diagnostics::{CommandStatus, check_outputs, status};
use args::Conditions;
use batch::OutputOptions;
use report::CostReport;
use sweep::Sweep;
use target::TargetReport;

mod args;
mod batch;
mod csv;
mod listing;
mod render;
mod report;
mod sweep;
mod target;
mod weights;

pub(crate) use args::CostArgs;

/// The name of the row of `--lod-bytes`.
const WHAT_IF: &str = "what-if";

pub(crate) fn run(args: &CostArgs) -> Result<CommandStatus, Diagnostic> {
    let outputs = [("--plot", args.plot.as_deref()), ("--output", args.output.as_deref())];
    check_outputs(&outputs, &args.files)?;
    let conditions = Conditions::new(args).map_err(|e| Diagnostic::error(e.to_string()))?;
    if let Some(range) = args.sweep {
        return sweep(args, &conditions, range);
    }
    if let Some(land_impact) = args.target {
        return target(args, &conditions, land_impact);
    }
    let mut report = match imagined(args, &conditions)? {
        Some(mesh) => {
            batch::mesh(WHAT_IF, &mesh, &conditions).into_report(None, conditions.basis())
        }
        None => price(args, &conditions)?,
    };
    let has_read = report.rows.has_read();
    report.rows.notes.splice(0..0, conditions.notes());
    let (target, has_resource) =
        (OutputTarget::from_path(args.output.as_deref()), args.simulator.is_some());
    match args.format.unwrap_or(OutputFormat::Table) {
        OutputFormat::Csv => output::write_with(target, |out| {
            csv::report(report.view(), (args.parts, has_resource), out)
        })?,
        OutputFormat::Table if !has_read => {}
        format => format.write(target, &report, |style, out| {
            out.write_all(table(&report, args.all, style).as_bytes())
        })?,
    }
    Ok(status(has_read, &report.rows.errors))
}

fn table(report: &CostReport, all: bool, style: RenderOptions) -> String {
    let rows = &report.rows;
    match (&rows.files[..], rows.objects.len() + rows.errors.len()) {
        ([file], 0) => render::detail(file, &rows.notes, style),
        _ => listing::listing(report, all, style),
    }
}

fn price(args: &CostArgs, conditions: &Conditions) -> Result<CostReport, Diagnostic> {
    let found = lodger_opensim::files::expand_paths(&args.files, FileFilter::All);
    let named = found.iter().flatten().find(|source| source.is_archive());
    let named = named.map(|source| source.name().to_owned());
    check_options(args, named.as_deref())?;
    let rows = batch::price(found, conditions, OutputOptions::from_args(args), args.quota.limits());
    // Some archives do not look like one by their names.
    let archive = named.as_deref().or(rows.archive.as_deref());
    check_options(args, archive)?;
    if let (Some(linkset), Some(_)) = (&rows.linkset, args.scale) {
        let message =
            format!("--scale is for mesh assets alone: the prims of `{linkset}` have their own");
        return Err(Diagnostic::error(message).help("price mesh assets and linksets in a run each"));
    }
    if archive.is_none() && rows.linkset.is_none() && rows.has_read() {
        check_for_objects(args)?;
    }
    Ok(rows.into_report(args.by, conditions.basis()))
}

/// Rejects options that do not apply to objects of an archive.
fn check_options(args: &CostArgs, archive: Option<&str>) -> Result<(), Diagnostic> {
    let (options, Some(archive)) = (args.of_meshes(), archive) else { return Ok(()) };
    if options.is_empty() {
        return Ok(());
    }
    let are = if options.len() == 1 { "is" } else { "are" };
    let options = options.join(" and ");
    let what =
        format!("{options} {are} for mesh assets alone: the objects of `{archive}` have their own");
    Err(Diagnostic::error(what).help("price mesh assets and archives in a run each"))
}

/// Rejects options that apply to objects only.
fn check_for_objects(args: &CostArgs) -> Result<(), Diagnostic> {
    let what = match (args.by, args.parts) {
        (Some(by), _) => format!("--by {by} needs an archive: mesh assets have no owner or parcel"),
        (None, true) => "--parts needs an archive: only objects have parts".to_owned(),
        (None, false) => return Ok(()),
    };
    Err(Diagnostic::error(what).help("give an archive (.iar, .oar)"))
}

fn sweep(
    args: &CostArgs,
    conditions: &Conditions,
    range: SizeRange,
) -> Result<CommandStatus, Diagnostic> {
    check_extent(args, "--sweep")?;
    let (name, mesh) = single(args, conditions, "--sweep")?;
    let points = conditions.pricer.sweep(&mesh, &conditions.usage, range);
    let points = points.map_err(|error| about(&name, &error))?;
    let sweep = Sweep::new(name, &conditions.usage, conditions.basis(), &points);
    let target = OutputTarget::from_path(args.output.as_deref());
    if let Some(path) = &args.plot {
        output::write(OutputTarget::File(path), sweep::plot(&sweep, &points)?.as_bytes())?;
    }
    match args.format.unwrap_or(OutputFormat::Csv) {
        OutputFormat::Csv => {
            output::write_with(target, |out| csv::sweep(&sweep, args.simulator.is_some(), out))?;
        }
        format => format.write(target, &sweep, |style, out| {
            out.write_all(sweep::table(&sweep, style).as_bytes())
        })?,
    }
    Ok(CommandStatus::Fine)
}

fn target(
    args: &CostArgs,
    conditions: &Conditions,
    land_impact: u32,
) -> Result<CommandStatus, Diagnostic> {
    check_extent(args, "--target")?;
    let (name, mesh) = single(args, conditions, "--target")?;
    let allowed = conditions.pricer.limits_for(&mesh, &conditions.usage, land_impact);
    let allowed = allowed.map_err(|error| about(&name, &error))?;
    let mut answer = TargetReport::new(name, allowed, conditions.basis());
    answer.notes.extend(conditions.notes().map(|row| row.note));
    let target = OutputTarget::from_path(args.output.as_deref());
    match args.format.unwrap_or(OutputFormat::Table) {
        OutputFormat::Csv => {
            output::write_with(target, |out| csv::target(&answer, args.simulator.is_some(), out))?;
        }
        format => format.write(target, &answer, |style, out| {
            out.write_all(target::table(&answer, style).as_bytes())
        })?,
    }
    Ok(CommandStatus::Fine)
}

fn about(name: &str, error: &PricingError) -> Diagnostic {
    Diagnostic::error(format!("`{name}`: {error}"))
}

fn check_extent(args: &CostArgs, option: &str) -> Result<(), Diagnostic> {
    if args.scale.is_none_or(|scale| scale.longest() > 0.0) {
        return Ok(());
    }
    Err(Diagnostic::error(format!("{option} needs a --scale with a side above 0")))
}

/// The mesh of `--lod-bytes`, if given.
fn imagined(args: &CostArgs, conditions: &Conditions) -> Result<Option<MeshInputs>, Diagnostic> {
    conditions.imagined(args).map_err(|error| Diagnostic::error(error.to_string()))
}

fn single(
    args: &CostArgs,
    conditions: &Conditions,
    option: &str,
) -> Result<(String, MeshInputs), Diagnostic> {
    if let Some(mesh) = imagined(args, conditions)? {
        return Ok((WHAT_IF.to_owned(), mesh));
    }
    let [file] = &args.files[..] else {
        return Err(Diagnostic::error(format!("{option} takes one mesh asset, not several files")));
    };
    if file != "-" && file.is_dir() {
        return Err(Diagnostic::error(format!("{option} takes one mesh asset, not a folder")));
    }
    let source = InputSource::from_path(file);
    let mesh = batch::read_mesh(&source, args.quota.limits())
        .map_err(|error| Diagnostic::error(format!("`{}`: {error}", source.name())))?;
    Ok((source.name().to_owned(), mesh))
}
