//! `lodger schedule`: read a scene, decide, show the plan.

mod args;
mod csv;
mod look;

use lodger_allowance::Allowance;
use lodger_input::Asked;
use lodger_scenes::{EXAMPLE, PlanReport};
use lodger_terminal::{Diagnostic, Look, Target, output};

use crate::exit::Verdict;
use crate::files::check_outputs;
use args::Format;

pub(crate) use args::ScheduleArgs;

/// Runs the command.
pub(crate) fn run(args: &ScheduleArgs) -> Result<Verdict, Diagnostic> {
    let outputs = [("--output", args.output.as_deref())];
    check_outputs(&outputs, args.scene.scene.as_slice())?;
    let target = Target::of(args.output.as_deref());
    if args.print_example {
        output::write(target, EXAMPLE.as_bytes())?;
        return Ok(Verdict::Fine);
    }
    let allowance = Allowance::new(args.allowance.limits());
    let (policy, leftovers) = (args.policy, args.leftovers);
    let asked = Asked { scene: &args.scene, policy, leftovers, outputs: &outputs };
    let (mut file, remarks) = asked.load(&allowance)?;
    for remark in &remarks {
        remark.print();
    }
    file.scene.tick();
    let report = PlanReport::new(&mut file);
    match args.format {
        Format::Json => output::write_json(target, &report)?,
        Format::Csv => output::write_with(target, |out| csv::write(&report, out))?,
        Format::Table => {
            output::write_with(target, |out| {
                look::write(&report, args.all, Look::of(target), out)
            })?;
        }
    }
    // A plan exceeds its budget only if the budget does not pay reserved costs and minimums.
    Ok(Verdict::of(report.feasible || !args.strict))
}
