//! What runs on boards, as lines.

use lodger_probe::Step;
use lodger_terminal::Diagnostic;

use super::watch::{Watch, wait};
use crate::follow::News;
use crate::tell::Teller;

/// Tells until it is over: the exit code.
pub(super) async fn watch(watch: &mut Watch, mut teller: Teller<'_>) -> Result<u8, Diagnostic> {
    let over = wait(watch.duration);
    tokio::pin!(over);
    let mut in_time = true;
    loop {
        let news = tokio::select! {
            news = watch.following.next() => news,
            () = &mut over, if in_time => {
                in_time = false;
                watch.following.stop();
                continue;
            }
        };
        match news {
            None => return Ok(teller.code(watch.following.is_interrupted())),
            Some(News::Step(board, Step::Event(event))) => {
                if watch.wants(board, &event) {
                    teller.event(board, &event, true)?;
                }
            }
            Some(News::Step(board, Step::Done(outcome))) => teller.end(board, outcome)?,
            Some(News::Interrupted) => teller.note(watch.following.on_stopping()),
            Some(News::Impatient) => watch.following.abandon(|note| teller.note(note)),
        }
        if teller.is_closed() {
            watch.following.stop();
        }
    }
}
