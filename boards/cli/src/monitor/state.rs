//! What is known of a board that is watched.

use std::collections::VecDeque;

use lodger_probe::{End, Error, Event, LogLine, Selector};
use lodger_terminal::plain;
use lodger_wire::telemetry::Frame;

use crate::target::Target;

/// How many frames are remembered; no terminal is wider.
const HISTORY: usize = 512;
/// How many lines of the log are remembered; no terminal is higher.
const LOG: usize = 256;

/// A board.
#[derive(Debug)]
pub(super) struct Board {
    /// What it is.
    pub(super) name: String,
    /// Its chip.
    pub(super) chip: String,
    /// Its probe.
    pub(super) probe: String,
    /// Whether the probe is on the network, and so may be an emulated one.
    pub(super) is_remote: bool,
    /// Its last frame.
    pub(super) frame: Option<Frame>,
    /// What its frames took and what they might take, in nanoseconds; the last one last.
    pub(super) history: VecDeque<(u64, Option<u64>)>,
    /// Its log, the last line last.
    pub(super) log: VecDeque<LogLine>,
    /// How much could not be read.
    pub(super) lost: u64,
    /// How often it began anew.
    pub(super) restarts: u64,
    /// How it ended, if it did.
    pub(super) end: Option<String>,
    /// What went wrong with it.
    pub(super) failure: Option<String>,
}

impl Board {
    /// A board that has said nothing yet.
    pub(super) fn new(target: &Target) -> Self {
        Self {
            name: target.choice.to_string(),
            chip: target.choice.chip.clone(),
            probe: plain(&target.probe).into_owned(),
            is_remote: target.choice.probe.as_ref().is_some_and(Selector::is_remote),
            frame: None,
            history: VecDeque::new(),
            log: VecDeque::new(),
            lost: 0,
            restarts: 0,
            end: None,
            failure: None,
        }
    }

    /// Takes in what happened.
    pub(super) fn hear(&mut self, event: Event) {
        match event {
            Event::Telemetry(frame) => {
                remember(&mut self.history, (frame.measured(), frame.budget), HISTORY);
                self.frame = Some(*frame);
            }
            Event::Log(line) => remember(&mut self.log, line, LOG),
            Event::LostLine => self.lost += 1,
            Event::LostFrames(count) => self.lost += u64::from(count),
            Event::Restarted => self.restarts += 1,
            Event::Flashing(_) | Event::Flashed(_) => {}
        }
    }

    /// Takes in how it ended.
    pub(super) fn finish(&mut self, outcome: &Result<End, Error>) {
        self.end = Some(match outcome {
            Ok(End::Exit(code)) => format!("exited with {code}"),
            Ok(End::Crash(crash)) => format!("crashed: {}", crash.what),
            Ok(End::Stopped) => "left alone".to_owned(),
            Err(_) => "failed".to_owned(),
        });
        self.failure = outcome.as_ref().err().map(Error::to_string);
    }
}

fn remember<T>(memory: &mut VecDeque<T>, item: T, most: usize) {
    if memory.len() == most {
        memory.pop_front();
    }
    memory.push_back(item);
}
