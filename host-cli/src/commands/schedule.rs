//! `lodger schedule`: read a scene, decide, show the plan.

mod args;
mod csv;
mod look;
mod report;
mod scene;

use lodger_scenes::EXAMPLE;
use lodger_terminal::{Diagnostic, Look, Target, output};

use crate::exit::Verdict;
use crate::files::check_outputs;
use args::Format;
use report::Report;

pub(crate) use args::ScheduleArgs;

/// Runs the command.
pub(crate) fn run(args: &ScheduleArgs) -> Result<Verdict, Diagnostic> {
    check_outputs(&[("--output", args.output.as_deref())], args.scene.as_slice())?;
    let target = Target::of(args.output.as_deref());
    if args.print_example {
        output::write(target, EXAMPLE.as_bytes())?;
        return Ok(Verdict::Fine);
    }
    let (mut file, remarks) = scene::load(args)?;
    for remark in &remarks {
        remark.print();
    }
    file.scene.set_leftovers(args.leftovers);
    file.scene.tick();
    let report = Report::new(&file, args.leftovers);
    let rendered = match args.format {
        Format::Json => output::json(&report)?,
        Format::Csv => csv::csv(&report)?,
        Format::Table => look::table(&report, args.all, Look::of(target)).into_bytes(),
    };
    output::write(target, &rendered)?;
    Ok(Verdict::Fine)
}
