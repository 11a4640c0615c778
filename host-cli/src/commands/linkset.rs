//! `lodger linkset`: whether objects can be linked, and by how much they cannot.

mod args;
mod load;
mod look;
mod report;
mod span;
mod sphere;

use lodger_files::{FileError, Problem};
use lodger_terminal::{Diagnostic, Look, Target, output};

use crate::exit::Verdict;
use crate::files::check_outputs;
use crate::rendering::Rendering;
use args::Rule;
use report::Answer;

pub(crate) use args::LinksetArgs;

/// Runs the command.
pub(crate) fn run(args: &LinksetArgs) -> Result<Verdict, Diagnostic> {
    check_outputs(&[("--output", args.output.as_deref())], &args.files)?;
    if args.files.iter().filter(|file| *file == "-").count() > 1 {
        let error = FileError::new("<stdin>", Problem::StdinTwice);
        return Err(Diagnostic::error(error.to_string()));
    }
    let target = Target::of(args.output.as_deref());
    let (linkset, source) = load::load(&args.files)?;
    let answer = match args.rule {
        Rule::Sphere => sphere::answer(&linkset).map(Answer::Sphere),
        Rule::Span => {
            span::check_size(&linkset, &source)?;
            span::answer(&linkset).map(Answer::Span)
        }
    };
    let answer = answer.map_err(|error| Diagnostic::error(error.to_string()).in_source(&source))?;
    let rendered = match args.format {
        Rendering::Json => output::json(&answer)?,
        Rendering::Table => look::text(&answer, Look::of(target)).into_bytes(),
    };
    output::write(target, &rendered)?;
    Ok(Verdict::of(answer.linkable()))
}
