//! Which boards are watched, and how long.

use std::time::Duration;

use lodger_probe::{End, Event};

use crate::args::MonitorArgs;
use crate::follow::Following;

/// Boards that are watched, and for how long.
pub(super) struct Watch {
    pub(super) following: Following<Event, End>,
    most: Option<u64>,
    pub(super) duration: Option<Duration>,
    frames: Vec<u64>,
}

impl Watch {
    /// Follows boards for as long as the arguments say.
    pub(super) fn new(following: Following<Event, End>, args: &MonitorArgs, boards: usize) -> Self {
        let (most, duration) = (args.frames, args.duration);
        Self { following, most, duration, frames: vec![0; boards] }
    }

    /// Whether an event is still wanted. The last frame that is asks the board's work to end.
    pub(super) fn wants(&mut self, board: usize, event: &Event) -> bool {
        let (Event::Telemetry(_), Some(most), Some(frames)) =
            (event, self.most, self.frames.get_mut(board))
        else {
            return true;
        };
        *frames += 1;
        if *frames == most {
            self.following.stop_one(board);
        }
        *frames <= most
    }

    /// Whether the user set an end.
    pub(super) fn ends_by_itself(&self) -> bool {
        self.most.is_some() || self.duration.is_some()
    }
}

/// Waits for so long; for ever where there is no duration.
pub(super) async fn wait(duration: Option<Duration>) {
    match duration {
        Some(duration) => tokio::time::sleep(duration).await,
        None => std::future::pending().await,
    }
}
