//! What an error says: where, what, and what to do.

use std::{fmt, iter};

use super::Error;
use crate::cause::chain;

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoProbe => write!(f, "no debug probe is plugged in"),
            Self::SeveralProbes(found) => {
                write!(f, "{} debug probes are plugged in", found.len())?;
                found.iter().zip([": "].into_iter().chain(iter::repeat("; "))).try_for_each(
                    |(probe, before)| write!(f, "{before}{} ({})", probe.selector, probe.kind),
                )
            }
            Self::BadSelector(error) => error.fmt(f),
            Self::ProbeNotFound(probe) => write!(f, "there is no debug probe {probe}"),
            Self::ProbeNotOpened { probe, why } => {
                write!(f, "the debug probe {probe} cannot be opened: {}", chain(&**why))
            }
            Self::NothingChosen => write!(f, "which board? The program does not name one"),
            Self::UnknownBoard(error) => error.fmt(f),
            Self::NoChip(board) => write!(f, "{board} exists only in QEMU; no probe reaches it"),
            Self::UnknownChip { chip, .. } => write!(f, "no chip is called `{chip}`"),
            Self::ChipDescription { path, why } => {
                write!(f, "`{}` describes no chip: {}", path.display(), chain(&**why))
            }
            Self::AnotherBoard { program, built_for, asked } => write!(
                f,
                "`{}` was built for the board {built_for}, not for {asked}",
                program.display()
            ),
            Self::NotAttached { probe, chip, why } => {
                write!(f, "the probe {probe} finds no {chip} at its end: {}", chain(&**why))
            }
            Self::NotHeld { probe, chip, .. } => {
                write!(f, "the {chip} at the probe {probe} did not stop at the end of its reset")
            }
            Self::Locked { probe, chip, .. } => {
                write!(f, "the {chip} at the probe {probe} is locked against debuggers")
            }
            Self::AnotherCore { probe, chip, found } => {
                write!(f, "the chip at the probe {probe} is no {chip}: its processor is a {found}")
            }
            Self::DoesNotFit { program, chip, address } => write!(
                f,
                "`{}` does not fit: {chip} has no memory at {address:#010x}",
                program.display()
            ),
            Self::AnotherProgram { program, probe } => {
                write!(f, "the board at {probe} holds another program than `{}`", program.display())
            }
            Self::Unreadable { path, why } => write!(f, "cannot read `{}`: {why}", path.display()),
            Self::NoProgram { path, why } => {
                write!(f, "`{}` is no program for a board: {why}", path.display())
            }
            Self::StrangeDefmt { path, why } => {
                write!(f, "the log of `{}` cannot be decoded: {why}", path.display())
            }
            Self::NoRtt(path) => {
                write!(f, "`{}` has no RTT, and so no way to talk through a probe", path.display())
            }
            Self::SilentRtt { probe, address: Some(address) } => {
                write!(f, "no RTT control block at {address:#010x} on the board at {probe}")
            }
            Self::SilentRtt { probe, address: None } => {
                write!(f, "no RTT control block in the memory of the board at {probe}")
            }
            Self::NoAnswer { probe, why } => write!(f, "the program at {probe} {why}"),
            Self::EndedEarly { probe, how } => {
                write!(f, "the program at {probe} ended in the middle of the conversation: {how}")
            }
            Self::NotFlashed { probe, why } => {
                write!(f, "the program was not written through {probe}: {}", chain(&**why))
            }
            Self::Gone { probe, flashing: true, why } => {
                write!(f, "the probe {probe} is gone; the flash is incomplete ({})", chain(&**why))
            }
            Self::Gone { probe, flashing: false, why } => {
                write!(f, "the probe {probe} does not answer any more ({})", chain(&**why))
            }
            Self::Probe { what, why } => write!(f, "{what}: {}", chain(&**why)),
            Self::Panicked => {
                write!(f, "the work on the board broke down; that is a mistake of ours")
            }
        }
    }
}

impl Error {
    /// What to do about it.
    #[must_use]
    pub fn help(&self) -> Option<String> {
        let help = match self {
            Self::NoProbe => {
                "check that it is plugged in and powered, that the cable carries data, and on Linux \
                 that a udev rule lets you use it (https://probe.rs/docs/getting-started/probe-setup); \
                 name an emulated probe with --probe"
            }
            Self::SeveralProbes(_) => "choose with --probe and one of them",
            Self::BadSelector(_) => {
                "write VID:PID or VID:PID:SERIAL, as `lodger board list` shows them"
            }
            Self::ProbeNotFound(_) => {
                "`lodger board list` shows what is plugged in; an emulated probe must be running"
            }
            Self::ProbeNotOpened { .. } => {
                "close what else uses it, plug it out and in, and on Linux check the udev rule"
            }
            Self::NothingChosen => "name it with --board, or its chip with --chip",
            Self::UnknownBoard(_) => "choose one of them, or name the chip with --chip",
            Self::NoChip(_) => "run it with `cargo xtask qemu`, or name a chip with --chip",
            Self::UnknownChip { alike, .. } if !alike.is_empty() => {
                return Some(format!("there are {}", alike.join(", ")));
            }
            Self::UnknownChip { .. } => {
                "use probe-rs's name of it, or describe it with --chip-description"
            }
            Self::ChipDescription { .. } => "it must be a target description of probe-rs, in YAML",
            Self::AnotherBoard { .. } => {
                "build it for the board, leave --board out, or insist with --chip"
            }
            Self::NotAttached { .. } => {
                "check the chip's name, that the board has power, and that SWDIO, SWCLK and GND are \
                 connected"
            }
            Self::NotHeld { .. } => {
                "check that the probe is wired to the reset pin of the board, or leave \
                 --connect-under-reset out"
            }
            Self::Locked { .. } => {
                "--allow-erase-all erases all of it, flash and settings (UICR), and so opens it until its \
                 next reset; a program that opens it as it starts, as those of lodger-programs do, keeps \
                 it open, so that this is needed once"
            }
            Self::AnotherCore { .. } | Self::DoesNotFit { .. } => {
                "choose the board that is connected, and a program that was built for it"
            }
            Self::AnotherProgram { .. } => "flash it first, or name the program that runs there",
            Self::Unreadable { .. } => "name the ELF that cargo built",
            Self::NoProgram { .. } => "name the ELF that cargo built for a thumb target",
            Self::StrangeDefmt { .. } => "build it with defmt 1.x",
            Self::NoRtt(_) => "build it with an RTT logger; `lodger board flash` takes it as it is",
            Self::SilentRtt { .. } => {
                "check that this is the program on the board (`lodger board flash` writes it), and \
                 that it sets up RTT first"
            }
            Self::NoAnswer { .. } => {
                "run the program `conform`, built with RTT; `lodger board run` shows what it logs"
            }
            Self::EndedEarly { .. } => "`lodger board run` shows what it logs",
            Self::NotFlashed { .. } => {
                "flash again; if it stays so, check the power of the board and try a lower --speed"
            }
            Self::Gone { flashing: true, .. } => "plug it in and flash again",
            Self::Gone { flashing: false, .. } => "check the cable, plug it in and start again",
            Self::Probe { .. } => {
                "check the power of the board and its wires; a lower --speed may help"
            }
            Self::Panicked => {
                "plug the probe out and in and start again; tell us what you did, and what was said \
                 above"
            }
        };
        Some(help.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{all, probe};
    use super::*;

    #[test]
    fn every_error_says_what_to_do() {
        for error in all() {
            let (text, help) = (error.to_string(), error.help().unwrap_or_default());
            assert!(text.len() > 10 && !text.ends_with('.'), "{text}");
            assert!(help.len() > 10 && !help.ends_with('.'), "{text}: {help}");
        }
    }

    #[test]
    fn several_probes_are_listed() {
        let text = Error::SeveralProbes(vec![probe("a1"), probe("b2")]).to_string();
        assert!(text.contains("0d28:0204:a1") && text.contains("0d28:0204:b2"), "{text}");
    }

    #[test]
    fn chips_like_the_wanted_one_are_the_help() {
        let alike = vec!["nRF52840_xxAA".to_owned()];
        let error = Error::UnknownChip { chip: "nRF52840".to_owned(), alike };
        assert_eq!(error.help().as_deref(), Some("there are nRF52840_xxAA"));
    }
}
