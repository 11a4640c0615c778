//! `lodger linkset`: whether objects can be linked, and by how much they cannot.

mod args;
mod look;
mod span;

use lodger_allowance::Allowance;
use lodger_input::{load_linkset, spent};
use lodger_opensim::files::{FileError, Problem};
use lodger_scenes::{LinkReport, SpanError};
use lodger_terminal::{Diagnostic, Look, Target, output};

use crate::exit::Verdict;
use crate::files::check_outputs;
use crate::rendering::Rendering;
use args::Rule;

pub(crate) use args::LinksetArgs;

/// Runs the command.
pub(crate) fn run(args: &LinksetArgs) -> Result<Verdict, Diagnostic> {
    check_outputs(&[("--output", args.output.as_deref())], &args.files)?;
    if args.files.iter().filter(|file| *file == "-").count() > 1 {
        let error = FileError::new("<stdin>", Problem::StdinTwice);
        return Err(Diagnostic::error(error.to_string()));
    }
    let target = Target::of(args.output.as_deref());
    let allowance = Allowance::new(args.allowance.limits());
    let (linkset, source) = load_linkset(&args.files, &allowance)?;
    let answer = match args.rule {
        Rule::Sphere => linkset.by_sphere().map(LinkReport::Sphere).map_err(SpanError::from),
        Rule::Span => {
            span::check_size(&linkset, &source)?;
            linkset.by_span(&allowance).map(LinkReport::Span)
        }
    };
    let answer = answer.map_err(|error| match error {
        SpanError::Spent(why) => spent(&source.name, why),
        error => Diagnostic::error(error.to_string()).in_source(&source),
    })?;
    match args.format {
        Rendering::Json => output::write_json(target, &answer)?,
        Rendering::Table => {
            output::write(target, look::text(&answer, Look::of(target)).as_bytes())?;
        }
    }
    Ok(Verdict::of(answer.linkable()))
}
