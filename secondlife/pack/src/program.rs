//! The program `lodger-pack`: arguments, inputs, outputs, progress and errors.

mod args;
mod inputs;
mod output_paths;
mod render;
mod summary;

use std::collections::HashMap;
use std::env;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

use lodger_core::cost::land_impact::ObjectWeight;
use lodger_pack::{ChildDecomposer, PackError, PackProgress, pack, render_report};
use lodger_quota::Quota;
use lodger_terminal::{
    Diagnostic, OutputTarget, ProgressReport, quota_exceeded, sanitize, with_default_threads,
};

use crate::program::args::PackCli;
use crate::program::inputs::Inputs;
use crate::program::output_paths::{OutputFolder, OutputPaths};
use crate::program::summary::PackSummary;

/// The exit code of invalid arguments and inputs, as in clap.
pub(crate) const USAGE_OR_INPUT: u8 = 2;
/// The exit code for warnings of lint about the written assets.
const FINDINGS: u8 = 1;

pub(crate) fn run(args: &PackCli) -> Result<ExitCode, Diagnostic> {
    with_default_threads(|| pack_model(args))?
}

fn pack_model(args: &PackCli) -> Result<ExitCode, Diagnostic> {
    let folder = OutputFolder::check(&args.output)?;
    if let Some(report) = &args.report {
        folder.check_report(report, &args.named())?;
    }
    let watch = PackProgressBar::new();
    let quota = Quota::new(args.quota.limits());
    let Inputs { mut model, files } = Inputs::read(args, &quota)?;
    let places = OutputPaths::new(folder, &model, args.report.as_deref(), args.force)?;
    places.check(&files, &model)?;
    let options = args::pack_options(args, &mut model);
    let program = env::current_exe().map_err(|error| {
        Diagnostic::error(format!("cannot tell where this program is: {error}"))
    })?;
    let child = ChildDecomposer::new(program);
    let diagnostic = |error: PackError| match (error, &args.models[..]) {
        (PackError::QuotaExceeded(why), [model, ..]) => {
            quota_exceeded(&format_args!("`{}`", model.display()), why)
        }
        (error, _) => to_diagnostic(&error, None),
    };
    let see = |step: PackProgress<'_>| watch.update(step);
    let packed = pack(&mut model, &options, &child, &quota, &see).map_err(diagnostic)?;
    let summary = PackSummary::new(&model, &packed, &options, &places)?;
    let page = args.report.as_ref().map(|_| render_report(&model, &packed, &quota, &see));
    let page = page.transpose().map_err(|why| diagnostic(why.into()))?;
    places.write(&model, &packed, page.as_deref())?;
    drop(watch);
    args.format.write(OutputTarget::Stdout, &summary, |style, out| {
        out.write_all(render::text(&summary, style).as_bytes())
    })?;
    Ok(if summary.has_warnings() { ExitCode::from(FINDINGS) } else { ExitCode::SUCCESS })
}

/// Converts an error to a diagnostic with help. `path` maps the name of a file to the user's path.
fn to_diagnostic(error: &PackError, path: Option<&dyn Fn(&str) -> String>) -> Diagnostic {
    if let PackError::Model { file, problem, help, is_of_skin } = error {
        let file = path.map_or_else(|| file.clone(), |path| path(file));
        let diagnostic = Diagnostic::error(format!("`{file}`: {problem}"));
        let option =
            is_of_skin.then_some("--skin rest packs the mesh in its rest pose, without its skin");
        let lines = help.as_deref().into_iter().chain(option);
        return lines.fold(diagnostic, Diagnostic::help);
    }
    let diagnostic = Diagnostic::error(error.to_string());
    match help(error) {
        Some(line) => diagnostic.help(line),
        None => diagnostic,
    }
}

fn help(error: &PackError) -> Option<&'static str> {
    Some(match error {
        PackError::TooLarge { .. } => {
            "give the whole model a smaller size with --scale X,Y,Z, in metres"
        }
        PackError::TargetInfeasible(what) => match what.limiting {
            ObjectWeight::Streaming => {
                "raise --land-impact, give a smaller --scale, or leave out --keep-high and levels of \
                 your own"
            }
            ObjectWeight::Physics if what.physics_cost.is_some() => {
                "raise --physics-cost, or take another --physics: hull is the cheapest that collides, \
                 none counts nothing"
            }
            ObjectWeight::Physics => {
                "raise --land-impact, or take another --physics: hull is the cheapest that collides, \
                 none counts nothing"
            }
            ObjectWeight::Server => {
                "raise --land-impact, or join meshes: each object counts half, and has at most 8 \
                 materials"
            }
        },
        PackError::Physics { .. } => "take another --physics: hull and box always can be made",
        _ => return None,
    })
}

/// Steps other than the candidates of objects: selection, shapes, writing.
const OTHERS: usize = 3;

pub(super) struct PackProgressBar {
    progress: ProgressReport,
    measured: Mutex<HashMap<String, (usize, usize)>>,
}

impl PackProgressBar {
    pub(super) fn new() -> Self {
        let progress = ProgressReport::new(OTHERS, true);
        progress.say("reading".to_owned());
        Self { progress, measured: Mutex::default() }
    }

    pub(super) fn update(&self, step: PackProgress<'_>) {
        let what = match step {
            PackProgress::Simplify(object, done, all) => return self.simplified(object, done, all),
            PackProgress::Choose => "choosing levels",
            PackProgress::Physics => "making physics shapes",
            PackProgress::Shape(object) => {
                return self.count_step(format!("making physics shapes of {}", sanitize(object)));
            }
            PackProgress::Encode => "writing assets",
            PackProgress::Draw(pictures, all) => {
                return self.count_step(format!("drawing the report, picture {pictures} of {all}"));
            }
        };
        self.progress.done();
        self.progress.say(what.to_owned());
    }

    fn simplified(&self, object: &str, done: usize, all: usize) {
        let mut measured = self.measured.lock().unwrap_or_else(PoisonError::into_inner);
        let (before, made) = measured.entry(object.to_owned()).or_default();
        self.progress.more(all.saturating_sub(*made));
        *made = all.max(*made);
        (*before..done).for_each(|_| self.progress.done());
        *before = done.max(*before);
        if *before == all {
            // Some meshes turned out flat.
            (all..*made).for_each(|_| self.progress.done());
            *made = all;
        }
        let forms = format!("simplifying {}, form {before} of {all}", sanitize(object));
        self.progress.say(forms);
    }

    fn count_step(&self, what: String) {
        self.progress.more(1);
        self.progress.done();
        self.progress.say(what);
    }
}
