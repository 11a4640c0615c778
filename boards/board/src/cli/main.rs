//! `lodger-board`: boards behind debug probes. `lodger board` finds this program and executes it.
#![forbid(unsafe_code)]

mod args;
mod conform;
#[cfg(test)]
#[path = "../fixture.rs"]
#[expect(dead_code, reason = "the tests of the library use all of it")]
mod fixture;
mod json;
mod list;
mod log_format;
mod monitor;
mod output;
mod tasks;
mod text;

use std::process::ExitCode;

use lodger_board::RunOptions;
use lodger_terminal::{Diagnostic, command_line};

use args::{BoardCommand, Cli, ProgramArgs, RunArgs, note_log, open};
use output::EventPrinter;
use tasks::{BoardTasks, block_on};

fn main() -> ExitCode {
    let code = execute(&command_line::<Cli>().command).unwrap_or_else(|diagnostic| {
        diagnostic.print();
        output::USAGE_OR_INPUT
    });
    ExitCode::from(code)
}

fn execute(command: &BoardCommand) -> Result<u8, Diagnostic> {
    match command {
        BoardCommand::List(args) => list::run(args),
        BoardCommand::Flash(args) => flash(args),
        BoardCommand::Run(args) => run(args),
        BoardCommand::Monitor(args) => monitor::run(args),
        BoardCommand::Conform(args) => conform::run(args),
    }
}

fn run(args: &RunArgs) -> Result<u8, Diagnostic> {
    let format = args.log.format(&args.on.output)?;
    let (program, targets) = open(&args.on)?;
    note_log(&program, true);
    let options = RunOptions { flash: !args.no_flash, reset: true };
    let mut printer = EventPrinter::new(&targets, Some(&args.on.program), &args.on.output);
    printer.log_format = format;
    block_on(async {
        let mut tasks = BoardTasks::start(&targets, |board| {
            lodger_board::run(board, Some(program.clone()), options)
        })?;
        tasks.follow(&mut printer, None).await?;
        Ok(printer.code(tasks.is_interrupted()))
    })
}

fn flash(args: &ProgramArgs) -> Result<u8, Diagnostic> {
    let (program, targets) = open(args)?;
    note_log(&program, false);
    let mut printer = EventPrinter::new(&targets, Some(&args.program), &args.output);
    printer.only_flashes = true;
    block_on(async {
        let mut tasks =
            BoardTasks::start(&targets, |board| Ok(lodger_board::flash(board, program.clone())))?;
        tasks.follow(&mut printer, None).await?;
        Ok(printer.code(tasks.is_interrupted()))
    })
}
