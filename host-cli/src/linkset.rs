//! `lodger linkset`: whether objects can be linked, and by how much they cannot.

mod report;
mod span;
mod sphere;

use lodger_core::linkability::{LinkError, Prim};

use crate::args::{LinksetArgs, Rule};
use crate::exit::Verdict;
use crate::input::linkset::{self, LinkPrim, Linkset};
use crate::mistake::Mistake;
use crate::rendering::Rendering;
use crate::show;
use crate::source::Subject;
use lodger_terminal::Look;
use lodger_terminal::{Diagnostic, Severity};
use lodger_terminal::{Target, output};

pub(crate) use report::{Answer, Better, Held, Miss, Piece, SpanReport, SphereReport, Step};

/// Runs the command.
pub(crate) fn run(args: &LinksetArgs) -> Result<Verdict, Diagnostic> {
    let target = Target::of(args.output.as_deref());
    let linkset = linkset::load(&args.file)?;
    let answer = answer(&linkset, args.rule)?;
    let rendered = match args.format {
        Rendering::Json => lodger_terminal::output::json(&answer)?,
        Rendering::Table => show::linkset(&answer, Look::of(target)).into_bytes(),
    };
    output::write(target, &rendered)?;
    Ok(Verdict::of(answer.linkable()))
}

/// What a rule says of a linkset.
pub(crate) fn answer(linkset: &Linkset, rule: Rule) -> Result<Answer, Diagnostic> {
    let objects: Vec<Vec<_>> =
        linkset.objects.iter().map(|object| object.prims.iter().map(prim).collect()).collect();
    let answer = match rule {
        Rule::Sphere => sphere::answer(linkset, &objects).map(Answer::Sphere),
        Rule::Span => {
            span::check_size(linkset)?;
            span::answer(linkset, &objects).map(Answer::Span)
        }
    };
    answer.map_err(|error| refused(linkset, error))
}

fn prim(prim: &LinkPrim) -> Prim<f64> {
    Prim { position: prim.position, scale: prim.scale }
}

/// Puts what the rules refuse at its place in the file.
fn refused(linkset: &Linkset, error: LinkError) -> Diagnostic {
    let subject = match (error.object, error.prim) {
        (Some(object), Some(prim)) => Subject::Prim { object, prim },
        (Some(object), None) => Subject::Object(object),
        _ => Subject::Scene,
    };
    let message = format!("the {}", error.error);
    Mistake::new(subject, error.error.quantity().name(), message)
        .locate(Severity::Error, &linkset.source)
}
