//! `lodger board run`: a program, its log and its exit code.

use lodger_probe::{End, Event, RunOptions, Step};
use lodger_terminal::Diagnostic;

use crate::args::RunArgs;
use crate::follow::{Following, News, block_on};
use crate::out::Out;
use crate::target::{note_log, open, refused};
use crate::tell::Teller;

/// Runs the command.
pub(crate) fn run(args: &RunArgs) -> Result<u8, Diagnostic> {
    let format = args.logged.format(&args.on.shown)?;
    let (program, targets) = open(&args.on)?;
    note_log(&program, true);
    let options = RunOptions { flash: !args.no_flash, reset: true };
    let mut teller = Teller::new(&targets, Some(&args.on.program), Out::new(&args.on.shown));
    teller.log_format = format;
    block_on(async {
        let works = targets
            .iter()
            .map(|target| lodger_probe::run(target.choice.clone(), Some(program.clone()), options));
        let works = works.collect::<Result<Vec<_>, _>>().map_err(|error| refused(&error))?;
        let mut following = Following::new(works)?;
        let told = follow(&mut following, &mut teller).await;
        following.settle(told).await?;
        Ok(teller.code(following.is_interrupted()))
    })
}

async fn follow(
    following: &mut Following<Event, End>,
    teller: &mut Teller<'_>,
) -> Result<(), Diagnostic> {
    while let Some(news) = following.next().await {
        match news {
            News::Step(board, Step::Event(event)) => teller.event(board, &event, false)?,
            News::Step(board, Step::Done(outcome)) => teller.end(board, outcome)?,
            News::Interrupted => teller.note(following.on_stopping()),
            News::Impatient => following.abandon(|note| teller.note(note)),
        }
        if teller.is_closed() {
            following.stop();
        }
    }
    Ok(())
}
