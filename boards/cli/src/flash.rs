//! `lodger board flash`: a program onto boards.

use lodger_probe::{End, Event, Flashed, Progress, Step};
use lodger_terminal::Diagnostic;

use crate::args::OnBoard;
use crate::follow::{Following, News, block_on};
use crate::out::Out;
use crate::target::{note_log, open};
use crate::tell::Teller;

/// Runs the command.
pub(crate) fn run(on: &OnBoard) -> Result<u8, Diagnostic> {
    let (program, targets) = open(on)?;
    note_log(&program, false);
    let mut teller = Teller::new(&targets, Some(&on.program), Out::new(&on.shown));
    block_on(async {
        let works = targets
            .iter()
            .map(|target| lodger_probe::flash(target.choice.clone(), program.clone()));
        let mut following = Following::new(works)?;
        let told = follow(&mut following, &mut teller).await;
        following.settle(told).await?;
        Ok(teller.code(following.is_interrupted()))
    })
}

async fn follow(
    following: &mut Following<Progress, Option<Flashed>>,
    teller: &mut Teller<'_>,
) -> Result<(), Diagnostic> {
    while let Some(news) = following.next().await {
        match news {
            News::Step(board, Step::Event(progress)) => {
                teller.event(board, &Event::Flashing(progress), false)?;
            }
            News::Step(board, Step::Done(Ok(Some(flashed)))) => {
                teller.event(board, &Event::Flashed(flashed), false)?;
            }
            News::Step(board, Step::Done(Ok(None))) => {
                teller.note("stopped before anything was written");
                teller.end(board, Ok(End::Stopped))?;
            }
            News::Step(board, Step::Done(Err(error))) => teller.end(board, Err(error))?,
            News::Interrupted => teller.note(following.on_stopping()),
            News::Impatient => following.abandon(|note| teller.note(note)),
        }
    }
    Ok(())
}
