//! `lodger schedule`: read a scene, decide, show the plan.

use crate::args::{Format, ScheduleArgs};
use crate::decide::decide;
use crate::input::{self, GltfConstants, Request};
use crate::scene::Overrides;
use crate::show;
use lodger_terminal::Look;
use lodger_terminal::{Diagnostic, Severity};
use lodger_terminal::{Target, output};

/// Runs the command.
pub(crate) fn run(args: &ScheduleArgs) -> Result<(), Diagnostic> {
    let target = Target::of(args.output.as_deref());
    if args.print_example {
        return output::write(target, input::EXAMPLE.as_bytes());
    }
    let (scene, remarks) = input::load(&Request {
        file: args.scene.as_deref(),
        overrides: Overrides { budget_ms: args.budget_ms, eye: args.eye },
        constants: GltfConstants {
            unit_cost_ns: args.unit_cost_ns,
            benefit_value: args.benefit_value,
        },
    })?;
    for remark in &remarks {
        remark.print();
    }
    let report = decide(&scene, args.leftovers)
        .map_err(|mistake| scene.diagnose(Severity::Error, mistake))?;
    let rendered = match args.format {
        Format::Json => lodger_terminal::output::json(&report)?,
        Format::Csv => show::csv(&report)?,
        Format::Table => show::table(&report, args.all, Look::of(target)).into_bytes(),
    };
    output::write(target, &rendered)
}
