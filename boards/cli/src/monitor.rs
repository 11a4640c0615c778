//! `lodger board monitor`: what runs on boards, live.

mod draw;
mod keys;
mod lines;
mod screen;
mod state;
mod watch;

use std::io::{IsTerminal as _, stdin, stdout};

use lodger_probe::RunOptions;
use lodger_terminal::Diagnostic;

use crate::args::MonitorArgs;
use crate::follow::{Following, block_on};
use crate::out::Out;
use crate::target::{note_emulation, note_log, program, refused, targets};
use crate::tell::Teller;
use watch::Watch;

/// Runs the command.
pub(crate) fn run(args: &MonitorArgs) -> Result<u8, Diagnostic> {
    let format = args.logged.format(&args.shown)?;
    let program = args.program.as_deref().map(program).transpose()?;
    let targets = targets(&args.which, program.as_deref())?;
    let options = RunOptions { flash: false, reset: args.reset };
    let out = Out::new(&args.shown);
    let on_screen = !out.json && !args.plain && stdin().is_terminal() && stdout().is_terminal();
    if !on_screen {
        note_emulation(&targets, &args.shown);
    }
    if let Some(program) = &program {
        note_log(program, true);
    }
    let mut teller = Teller::new(&targets, args.program.as_deref(), out);
    teller.log_format = format;
    block_on(async {
        let works = targets
            .iter()
            .map(|target| lodger_probe::run(target.choice.clone(), program.clone(), options));
        let works = works.collect::<Result<Vec<_>, _>>().map_err(|error| refused(&error))?;
        let mut watch = Watch::new(Following::new(works)?, args, targets.len());
        if program.is_none() {
            teller.note("without the program there is no log, only telemetry");
        }
        let code = if on_screen {
            screen::watch(&mut watch, teller, &targets).await?
        } else {
            lines::watch(&mut watch, teller).await?
        };
        Ok(code)
    })
}
