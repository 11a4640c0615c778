//! `lodger board flash`: a program onto boards.

use lodger_board::{Event, Step};

use super::args::FlashArgs;
use super::follow::{Following, INTERRUPTED, News, block_on};
use super::out::Out;
use super::tell::Teller;
use super::{program, targets};
use crate::Verdict;
use crate::diagnostic::Diagnostic;

/// Runs the command.
pub(super) fn run(args: &FlashArgs) -> Result<Verdict, Diagnostic> {
    let program = program(&args.program)?;
    let targets = targets(&args.which, Some(&program))?;
    let mut teller = Teller::new(&targets, Some(&args.program), Out::new(&args.shown));
    block_on(async {
        let works = targets
            .iter()
            .map(|target| lodger_board::flash(target.choice.clone(), program.clone()));
        let mut following = Following::new(works)?;
        while let Some(news) = following.next().await {
            match news {
                News::Step(board, Step::Event(progress)) => {
                    teller.event(board, &Event::Flashing(progress), false)?;
                }
                News::Step(board, Step::Done(Ok(flashed))) => {
                    teller.event(board, &Event::Flashed(flashed), false)?;
                }
                News::Step(board, Step::Done(Err(error))) => teller.fail(board, &error),
                News::Interrupted => teller.note(
                    "finishing, so that nothing is half written; Ctrl-C again leaves the flash incomplete",
                ),
                News::Impatient => {
                    teller.note("the flash is incomplete: flash again");
                    std::process::exit(INTERRUPTED.into())
                }
            }
        }
        Ok(Verdict::Code(teller.code(following.is_interrupted())))
    })
}
