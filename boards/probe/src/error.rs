//! What can go wrong.

mod words;

use std::error::Error as StdError;
use std::io;
use std::path::PathBuf;

use lodger_board_table::NoSuchBoard;

use crate::bad_program::BadProgram;
use crate::cause::{Cause, chain};
use crate::probe_info::ProbeInfo;
use crate::selector::{BadSelector, Selector};

/// Why work on a board failed. What it says is where and what; [`Error::help`] is what to do.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// No probe is plugged in.
    NoProbe,
    /// Several probes are plugged in, and none was named.
    SeveralProbes(Vec<ProbeInfo>),
    /// This names no probe.
    BadSelector(BadSelector),
    /// The named probe is not there.
    ProbeNotFound(Selector),
    /// The probe is there, and cannot be used.
    ProbeNotOpened {
        /// The probe.
        probe: Selector,
        /// What it said.
        why: Cause,
    },
    /// Neither a board nor a chip was named, and there is no program that names one.
    NothingChosen,
    /// The board is in no row of `boards/table/boards.toml`.
    UnknownBoard(NoSuchBoard),
    /// The board exists only in QEMU, which no probe reaches.
    NoChip(String),
    /// probe-rs does not know the chip.
    UnknownChip {
        /// As it was named.
        chip: String,
        /// Some that begin the same way.
        alike: Vec<String>,
    },
    /// The description of a chip cannot be used.
    ChipDescription {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: Cause,
    },
    /// The program was built for another board than the one that was named.
    AnotherBoard {
        /// The program.
        program: PathBuf,
        /// The board that it names.
        built_for: String,
        /// The board that was asked for.
        asked: String,
    },
    /// The probe finds no such chip at its end.
    NotAttached {
        /// The probe.
        probe: Selector,
        /// The chip.
        chip: String,
        /// What probe-rs said.
        why: Cause,
    },
    /// The chip was held in reset, and did not stop at its first instruction.
    NotHeld {
        /// The probe.
        probe: Selector,
        /// The chip.
        chip: String,
        /// What probe-rs said.
        why: Cause,
    },
    /// The chip is locked; only erasing all of it opens it, and that was not allowed.
    Locked {
        /// The probe.
        probe: Selector,
        /// The chip.
        chip: String,
        /// What probe-rs said.
        why: Cause,
    },
    /// The chip has another processor than the one that was chosen.
    AnotherCore {
        /// The probe.
        probe: Selector,
        /// The chip that was chosen.
        chip: String,
        /// The processor that answered.
        found: &'static str,
    },
    /// The chip has no memory where the program belongs.
    DoesNotFit {
        /// The program.
        program: PathBuf,
        /// The chip.
        chip: String,
        /// The first address that is not there.
        address: u64,
    },
    /// The chip holds another program.
    AnotherProgram {
        /// The program that was to be there.
        program: PathBuf,
        /// The probe.
        probe: Selector,
    },
    /// The file cannot be read.
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        why: io::Error,
    },
    /// The file is no program for a Cortex-M.
    NoProgram {
        /// The file.
        path: PathBuf,
        /// Why.
        why: BadProgram,
    },
    /// The program logs through a defmt that cannot be decoded.
    StrangeDefmt {
        /// The program.
        path: PathBuf,
        /// Why.
        why: Cause,
    },
    /// The program has no RTT.
    NoRtt(PathBuf),
    /// The program runs, and has not set up RTT.
    SilentRtt {
        /// The probe.
        probe: Selector,
        /// Where its control block should be, if a program said so.
        address: Option<u64>,
    },
    /// The program has no channel for messages, or does not answer on it.
    NoAnswer {
        /// The probe.
        probe: Selector,
        /// What was missing.
        why: &'static str,
    },
    /// The program ended in the middle of a conversation.
    EndedEarly {
        /// The probe.
        probe: Selector,
        /// How.
        how: String,
    },
    /// The program was not written; the flash holds a part of it at best.
    NotFlashed {
        /// The probe.
        probe: Selector,
        /// What probe-rs said.
        why: Cause,
    },
    /// The probe does not answer any more.
    Gone {
        /// The probe.
        probe: Selector,
        /// Whether the flash was being written.
        flashing: bool,
        /// What probe-rs said.
        why: Cause,
    },
    /// Something else that probe-rs could not do.
    Probe {
        /// What was to be done.
        what: &'static str,
        /// What it said.
        why: Cause,
    },
    /// The thread that did the work panicked.
    Panicked,
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match self {
            Self::BadSelector(why) => Some(why),
            Self::UnknownBoard(why) => Some(why),
            Self::Unreadable { why, .. } => Some(why),
            Self::NoProgram { why, .. } => Some(why),
            Self::ProbeNotOpened { why, .. }
            | Self::ChipDescription { why, .. }
            | Self::NotAttached { why, .. }
            | Self::NotHeld { why, .. }
            | Self::Locked { why, .. }
            | Self::StrangeDefmt { why, .. }
            | Self::NotFlashed { why, .. }
            | Self::Gone { why, .. }
            | Self::Probe { why, .. } => Some(&**why),
            _ => None,
        }
    }
}

impl From<BadSelector> for Error {
    fn from(error: BadSelector) -> Self {
        Self::BadSelector(error)
    }
}

impl Error {
    /// What an error of probe-rs means in the middle of a session.
    pub(crate) fn during(what: &'static str, probe: &Selector, why: impl Into<Cause>) -> Self {
        let why = why.into();
        if is_of_the_probe(&*why) {
            return Self::gone(probe, false, why);
        }
        Self::Probe { what, why }
    }

    /// What an error of probe-rs means where a chip was to be attached to.
    pub(crate) fn attaching(probe: &Selector, chip: &str, why: probe_rs::Error) -> Self {
        if is_of_the_probe(&why) {
            return Self::gone(probe, false, why);
        }
        let (probe, chip) = (probe.clone(), chip.to_owned());
        // In its own words it names options that are not ours.
        let was_not_held =
            matches!(&why, probe_rs::Error::Other(said) if said.contains(UNDER_RESET));
        let (locked, why) = (wants_permission(&why), why.into());
        match (locked, was_not_held) {
            (true, _) => Self::Locked { probe, chip, why },
            (false, true) => Self::NotHeld { probe, chip, why },
            (false, false) => Self::NotAttached { probe, chip, why },
        }
    }

    /// The probe does not answer any more, by an error of probe-rs.
    pub(crate) fn gone(probe: &Selector, flashing: bool, why: impl Into<Cause>) -> Self {
        Self::Gone { probe: probe.clone(), flashing, why: why.into() }
    }
}

/// What a Black Magic Probe is told to have said when it could not do something with the board. Its
/// errors have a type that only probe-rs knows.
const ANSWERS: [&str; 3] = ["Remote error", "Remote parameter error", "Remote command unsupported"];

/// What probe-rs says, among other things, where it waited in vain for a chip to stop at the end of its
/// reset. That error has no type of its own.
const UNDER_RESET: &str = "attaching to target under reset";

/// Whether it is the probe that failed, and not the board behind it.
pub(crate) fn is_of_the_probe(error: &(dyn StdError + 'static)) -> bool {
    use probe_rs::probe::DebugProbeError;

    let mut next = Some(error);
    while let Some(error) = next {
        match error.downcast_ref::<DebugProbeError>() {
            Some(DebugProbeError::Usb(_)) => return true,
            Some(DebugProbeError::ProbeSpecific(said)) => {
                let said = chain(said);
                return !ANSWERS.iter().any(|answer| said.contains(answer));
            }
            _ => {}
        }
        next = error.source();
    }
    false
}

/// Whether something was left undone because it was not allowed: the one thing that takes permission
/// is to erase all.
fn wants_permission(error: &(dyn StdError + 'static)) -> bool {
    use probe_rs::architecture::arm::ArmError;

    let mut next = Some(error);
    while let Some(error) = next {
        if matches!(error.downcast_ref(), Some(ArmError::MissingPermissions(_)))
            || matches!(error.downcast_ref(), Some(probe_rs::Error::MissingPermissions(_)))
        {
            return true;
        }
        next = error.source();
    }
    false
}

#[cfg(test)]
mod tests;
