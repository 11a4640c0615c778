//! `lodger bench`: what deciding takes on this machine.

use std::num::NonZero;

use lodger_bench::Options;
use lodger_terminal::{Diagnostic, on_so_many_threads};

use crate::exit::Verdict;
use crate::files::check_outputs;

/// Runs the command.
pub(crate) fn run(options: &Options) -> Result<Verdict, Diagnostic> {
    let outputs = [("--output", options.output.as_deref()), ("--sweep", options.sweep.as_deref())];
    check_outputs(&outputs, &[])?;
    let threads = NonZero::new(options.threads.into()).unwrap_or(NonZero::<usize>::MIN);
    on_so_many_threads(threads, || lodger_bench::run(options))??;
    Ok(Verdict::Fine)
}
