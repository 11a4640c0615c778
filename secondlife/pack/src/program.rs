//! What `lodger-pack` is asked, does and says.

mod args;
mod findings;
mod inputs;
mod look;
mod names;
mod options;
mod places;
mod refusal;
mod rows;
mod summary;
mod watch;

use std::env;
use std::process::ExitCode;

use lodger_pack::{ChildProcess, Error, Step, pack, page};
use lodger_quota::Quota;
use lodger_terminal::{Diagnostic, Target, on_threads, quota_exceeded};

use args::Cli;
use inputs::Inputs;
use places::{Folder, Places};
use summary::Summary;
use watch::Watch;

/// The exit code for usage and input that cannot be worked with; clap uses the same.
pub(crate) const USAGE_OR_INPUT: u8 = 2;
/// The exit code where lint warns of something in what was made.
const FINDINGS: u8 = 1;

/// Packs a model as the command line says.
pub(crate) fn run(args: &Cli) -> Result<ExitCode, Diagnostic> {
    on_threads(|| pack_model(args))?
}

fn pack_model(args: &Cli) -> Result<ExitCode, Diagnostic> {
    let folder = Folder::check(&args.output)?;
    if let Some(report) = &args.report {
        folder.check_report(report, &args.named())?;
    }
    let watch = Watch::new();
    let quota = Quota::new(args.quota.limits());
    let Inputs { mut model, files } = Inputs::read(args, &quota)?;
    let places = Places::new(folder, &model, args.report.as_deref(), args.force)?;
    places.check(&files, &model)?;
    let options = options::of(args, &mut model);
    let program = env::current_exe().map_err(|error| {
        Diagnostic::error(format!("cannot tell where this program is: {error}"))
    })?;
    let child = ChildProcess::new(program);
    let told = |error: Error| match (error, &args.models[..]) {
        (Error::QuotaExceeded(why), [model, ..]) => {
            quota_exceeded(&format_args!("`{}`", model.display()), why)
        }
        (error, _) => refusal::told(&error, None),
    };
    let see = |step: Step<'_>| watch.see(step);
    let packed = pack(&mut model, &options, &child, &quota, &see).map_err(told)?;
    let summary = Summary::new(&model, &packed, &options, &places)?;
    let page = args.report.as_ref().map(|_| page(&model, &packed, &quota, &see));
    let page = page.transpose().map_err(|why| told(why.into()))?;
    places.write(&model, &packed, page.as_deref())?;
    drop(watch);
    args.format.write(Target::Stdout, &summary, |look, out| {
        out.write_all(look::text(&summary, look).as_bytes())
    })?;
    Ok(if summary.has_warnings() { ExitCode::from(FINDINGS) } else { ExitCode::SUCCESS })
}
