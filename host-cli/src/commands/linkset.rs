//! `lodger linkset`: whether objects can be linked, and by how much they cannot.

mod args;
mod look;
mod report;
mod span;
mod sphere;

use std::path::Path;

use lodger_scenes::{Limits, Linkset};
use lodger_terminal::{Diagnostic, Look, Source, Target, output};

use crate::exit::Verdict;
use crate::input;
use crate::mistake::{decode, told};
use crate::rendering::Rendering;
use args::Rule;
use report::Answer;

pub(crate) use args::LinksetArgs;

/// Runs the command.
pub(crate) fn run(args: &LinksetArgs) -> Result<Verdict, Diagnostic> {
    let target = Target::of(args.output.as_deref());
    let (linkset, source) = load(&args.file)?;
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

/// Reads and checks a linkset.
fn load(file: &Path) -> Result<(Linkset, Source), Diagnostic> {
    let name = input::name(file);
    let bytes = input::read(file).map_err(|error| {
        Diagnostic::error(format!("cannot read the linkset `{name}`: {error}"))
            .help("give a .toml file of objects and their prims")
    })?;
    let source = decode(name, bytes, "a linkset is a TOML file in UTF-8")?;
    let text = source.text.as_deref().unwrap_or_default();
    match Linkset::from_toml(text, Limits::default()) {
        Ok(linkset) => Ok((linkset, source)),
        Err(error) => Err(told(&error, &source)),
    }
}
