//! `lodger cost`: what meshes and objects cost, and what limits them.

mod args;
mod audit;
mod batch;
mod conditions;
mod csv;
mod detail;
mod listing;
mod mesh;
mod object;
mod plot;
mod report;
mod sources;
mod sweep;
mod sweep_show;
mod target;
mod target_show;
mod totals;
mod words;

use conditions::Conditions;
use mesh::{Mesh, longest_side};
use report::{NoteRow, Report};
use sources::Source;
use sweep::{Range, Sweep};

use crate::exit::Verdict;
use lodger_terminal::Diagnostic;
use lodger_terminal::Look;
use lodger_terminal::{Target, output};

pub(crate) use args::{CostArgs, Format};

/// What the costs of imagined sizes are called.
const WHAT_IF: &str = "what-if";

/// Runs the command.
pub(crate) fn run(args: &CostArgs) -> Result<Verdict, Diagnostic> {
    let conditions = Conditions::new(args).map_err(|e| Diagnostic::error(e.to_string()))?;
    if let Some(range) = args.sweep {
        return sweep(args, &conditions, range);
    }
    if let Some(target) = args.target {
        return allow(args, &conditions, target);
    }
    let mut report = match args.lod_bytes {
        Some(sizes) => {
            let mut rows = batch::Rows::default();
            rows.mesh(WHAT_IF, Ok(Mesh::imagined(sizes)), &conditions);
            rows.into_report()
        }
        None => price(args, &conditions)?,
    };
    if let Some(note) = unverified(&conditions) {
        report.notes.push(NoteRow { file: "--rules grid".to_owned(), note });
    }
    let target = Target::of(args.output.as_deref());
    let shown = match args.format.unwrap_or(Format::Table) {
        Format::Json => output::json(&report)?,
        Format::Csv => csv::report(&report)?,
        Format::Table => table(&report, args, Look::of(target)).into_bytes(),
    };
    output::write(target, &shown)?;
    Ok(Verdict::of(report.errors.is_empty()))
}

fn price(args: &CostArgs, conditions: &Conditions) -> Result<Report, Diagnostic> {
    let (sources, errors) = sources::collect(&args.files);
    if let ([], [first, ..]) = (&sources[..], &errors[..]) {
        return Err(Diagnostic::error(format!("`{}`: {}", first.file, first.error))
            .help("give mesh assets (.llmesh, .slm), folders of them, or archives (.iar, .oar)"));
    }
    Ok(batch::price(&sources, conditions, errors))
}

fn table(report: &Report, args: &CostArgs, look: Look) -> String {
    match (&report.files[..], report.objects.len() + report.errors.len()) {
        ([file], 0) => detail::detail(file, &report.notes, args.lod_bytes.is_some(), look),
        _ => listing::listing(report, args.all, look),
    }
}

fn sweep(args: &CostArgs, conditions: &Conditions, range: Range) -> Result<Verdict, Diagnostic> {
    if longest_side(conditions.scale) <= 0.0 {
        return Err(Diagnostic::error("--sweep needs a --scale with a side above 0"));
    }
    if args.plot.is_some() && args.plot == args.output {
        return Err(Diagnostic::error("--plot and --output name the same file")
            .help("the picture goes to --plot FILE, the numbers to --output FILE or stdout"));
    }
    let (name, mesh) = single(args, "--sweep")?;
    let failed = |error: String| Diagnostic::error(format!("`{name}`: {error}"));
    let points = Sweep::new(&mesh, conditions).points(range).map_err(failed)?;
    let shown = sweep_show::Shown { name: &name, conditions, points: &points };
    let target = Target::of(args.output.as_deref());
    let numbers = match args.format.unwrap_or(Format::Csv) {
        Format::Csv => csv::sweep(&points)?,
        Format::Json => output::json(&shown.document())?,
        Format::Table => shown.table(Look::of(target)).into_bytes(),
    };
    if let Some(path) = &args.plot {
        output::write(Target::File(path), plot::svg(&shown)?.as_bytes())?;
    }
    output::write(target, &numbers)?;
    Ok(Verdict::Fine)
}

fn allow(args: &CostArgs, conditions: &Conditions, impact: u32) -> Result<Verdict, Diagnostic> {
    if longest_side(conditions.scale) <= 0.0 {
        return Err(Diagnostic::error("--target needs a --scale with a side above 0"));
    }
    let (name, mesh) = single(args, "--target")?;
    let failed = |error: String| Diagnostic::error(format!("`{name}`: {error}"));
    let mut answer = target::answer(&name, &mesh, conditions, impact).map_err(failed)?;
    answer.notes.extend(unverified(conditions));
    let target = Target::of(args.output.as_deref());
    let shown = match args.format.unwrap_or(Format::Table) {
        Format::Json => output::json(&answer)?,
        Format::Csv => csv::target(&answer)?,
        Format::Table => target_show::table(&answer, Look::of(target)).into_bytes(),
    };
    output::write(target, &shown)?;
    Ok(Verdict::Fine)
}

/// The one mesh that an option asks for.
fn single(args: &CostArgs, option: &str) -> Result<(String, Mesh), Diagnostic> {
    if let Some(sizes) = args.lod_bytes {
        return Ok((WHAT_IF.to_owned(), Mesh::imagined(sizes)));
    }
    let [file] = &args.files[..] else {
        return Err(Diagnostic::error(format!("{option} takes one mesh asset, not several files")));
    };
    if file.is_dir() {
        return Err(Diagnostic::error(format!("{option} takes one mesh asset, not a folder")));
    }
    let source = Source::new(file);
    let mesh = batch::read_mesh(&source)
        .map_err(|error| Diagnostic::error(format!("`{}`: {error}", source.name)))?;
    Ok((source.name, mesh))
}

fn unverified(conditions: &Conditions) -> Option<String> {
    use lodger_core::cost::Provenance::Estimated;
    let is_guess = conditions.streaming.rules().provenance == Estimated;
    is_guess.then(|| "these rules were announced by the live grid, and are unverified".to_owned())
}
