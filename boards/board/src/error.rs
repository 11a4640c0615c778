//! Errors of boards, probes and programs, with help for the user.

use std::error::Error as StdError;
use std::fmt;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use probe_rs::architecture::arm::ArmError;
use probe_rs::probe::DebugProbeError;

/// An error of another crate, such as probe-rs.
pub type Cause = Box<dyn StdError + Send + Sync>;

/// An error of a board, a probe or a program. The message names the probe, chip or file; [`BoardError::help`]
/// suggests a remedy.
#[derive(Debug)]
pub struct BoardError {
    message: String,
    help: String,
    source: Option<Cause>,
}

impl BoardError {
    /// Makes an error of a message and a help.
    #[must_use]
    pub fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { message: message.into(), help: help.into(), source: None }
    }

    /// Sets the source of this error.
    #[must_use]
    pub fn with_source(self, source: impl Into<Cause>) -> Self {
        Self { source: Some(source.into()), ..self }
    }

    /// Sets the source, and appends it to the message.
    #[must_use]
    pub fn caused_by(mut self, source: impl Into<Cause>) -> Self {
        let source = source.into();
        self.message = format!("{}: {}", self.message, chain(&*source));
        self.with_source(source)
    }

    /// A remedy for the error.
    #[must_use]
    pub fn help(&self) -> &str {
        &self.help
    }

    pub(crate) fn during(
        action: &str,
        probe: &impl fmt::Display,
        source: impl Into<Cause>,
    ) -> Self {
        let source = source.into();
        if is_of_the_probe(&*source) {
            return Self::gone(probe, false, source);
        }
        Self::new(action, "check the power of the board and its wires; a lower --speed may help")
            .caused_by(source)
    }

    pub(crate) fn attaching(
        probe: &impl fmt::Display,
        chip: &str,
        source: probe_rs::Error,
    ) -> Self {
        if is_of_the_probe(&source) {
            return Self::gone(probe, false, source);
        }
        // In these two cases the messages of probe-rs name options of other programs.
        if wants_permission(&source) {
            let message = format!(
                "the {chip} at the probe {probe} is locked against debuggers, or it is another chip"
            );
            return Self::new(message, HELP_LOCKED).with_source(source);
        }
        if lacks_adiv6(&source) {
            let message = format!(
                "the probe {probe} cannot reach a {chip}: its firmware has no commands for version 6 of Arm's debug \
                 interface (ADIv6)"
            );
            return Self::new(message, HELP_ADIV6).with_source(source);
        }
        if matches!(&source, probe_rs::Error::Other(text) if text.contains(UNDER_RESET)) {
            let message =
                format!("the {chip} at the probe {probe} did not stop at the end of its reset");
            let help = "check that the probe is wired to the reset pin of the board, or leave \
                        --connect-under-reset out";
            return Self::new(message, help).with_source(source);
        }
        let help = "check the chip's name, that the board has power, and that SWDIO, SWCLK and GND are \
                    connected";
        Self::new(format!("the probe {probe} finds no {chip} at its end"), help).caused_by(source)
    }

    /// A probe that does not respond any more, perhaps while `flashing`.
    pub(crate) fn gone(
        probe: &impl fmt::Display,
        flashing: bool,
        source: impl Into<Cause>,
    ) -> Self {
        let source = source.into();
        let (state, help) = if flashing {
            ("is gone; the flash is incomplete", "plug it in and flash again")
        } else {
            ("does not respond any more", "check the cable, plug it in and start again")
        };
        let message = format!("the probe {probe} {state} ({})", chain(&*source));
        Self::new(message, help).with_source(source)
    }
}

impl fmt::Display for BoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl StdError for BoardError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}

const HELP_LOCKED: &str = "check the name of the chip first: another chip, for example an nRF51 in place of an nRF52, \
     looks locked too; if the name is right, --allow-erase-all erases all of it, flash and settings (UICR), and so opens it until its \
     next reset; a program that opens it at its start, as the programs of lodger-programs do, \
     keeps it open, so that this is needed once";

const HELP_ADIV6: &str = "an RP2350 needs it: update the firmware of the probe, or use another one, for example a Raspberry \
     Pi Debug Probe; if the chip is not an RP2350, check its name";

/// A Black Magic Probe's messages about the board; their type is private in probe-rs.
const BOARD_MESSAGES: [&str; 3] =
    ["Remote error", "Remote parameter error", "Remote command unsupported"];

/// Part of probe-rs's message if a chip does not stop at the end of its reset; the error has no type.
const UNDER_RESET: &str = "attaching to target under reset";

fn chain(error: &(dyn StdError + 'static)) -> String {
    let mut text = String::new();
    for error in causes(error) {
        let line = error.to_string();
        let line = line.lines().next().unwrap_or_default().trim_end_matches('.');
        if !text.contains(line) {
            let colon = if text.is_empty() { "" } else { ": " };
            text = text + colon + line;
        }
    }
    text
}

/// The error and its sources, outermost first.
fn causes<'e>(
    error: &'e (dyn StdError + 'static),
) -> impl Iterator<Item = &'e (dyn StdError + 'static)> {
    std::iter::successors(Some(error), |&error| error.source())
}

/// Whether the probe failed, and not the board.
pub(crate) fn is_of_the_probe(error: &(dyn StdError + 'static)) -> bool {
    for error in causes(error) {
        match error.downcast_ref() {
            Some(DebugProbeError::Usb(_)) => return true,
            Some(DebugProbeError::ProbeSpecific(error)) => {
                let text = chain(error);
                return !BOARD_MESSAGES.iter().any(|message| text.contains(message));
            }
            _ => {}
        }
    }
    false
}

/// Whether a permission is missing; only erasing a locked chip needs one.
fn wants_permission(error: &(dyn StdError + 'static)) -> bool {
    causes(error).any(|error| {
        matches!(error.downcast_ref(), Some(ArmError::MissingPermissions(_)))
            || matches!(error.downcast_ref(), Some(probe_rs::Error::MissingPermissions(_)))
    })
}

/// Whether a Black Magic Probe has no commands for `ADIv6`.
fn lacks_adiv6(error: &(dyn StdError + 'static)) -> bool {
    causes(error).any(|error| {
        matches!(
            error.downcast_ref(),
            Some(DebugProbeError::CommandNotSupportedByProbe { command_name })
                if command_name.starts_with("adiv6")
        )
    })
}

const MIB: u64 = 1 << 20;

/// Reads a file of at most `max_mib` mebibytes; the path may be an endless device.
pub(crate) fn read_file(path: &Path, max_mib: u64) -> io::Result<Vec<u8>> {
    read_at_most(File::open(path)?, max_mib)
}

fn read_at_most(input: impl Read, max_mib: u64) -> io::Result<Vec<u8>> {
    let (max, mut bytes) = (max_mib * MIB, Vec::new());
    input.take(max + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max {
        let message = format!("it is larger than {max_mib} MiB");
        return Err(io::Error::new(ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROBE: &str = "0d28:0204:a1";

    #[test]
    fn a_broken_pipe_is_of_the_probe() {
        let pipe = io::Error::other("the pipe is broken.");
        assert!(is_of_the_probe(&DebugProbeError::Usb(pipe)));
        assert!(!is_of_the_probe(&io::Error::other("x")));
    }

    #[test]
    fn sources_are_shown_once_and_in_order() {
        let outer = DebugProbeError::Usb(io::Error::other("the pipe is broken."));
        assert_eq!(chain(&outer), "USB Communication Error: the pipe is broken");
    }

    #[test]
    fn errors_of_attaching_are_distinguished() {
        let attaching = |error| BoardError::attaching(&PROBE, "nRF52840_xxAA", error);
        let missing = || "erase_all".to_owned();
        for error in [
            probe_rs::Error::Arm(ArmError::MissingPermissions(missing())),
            probe_rs::Error::MissingPermissions(missing()),
        ] {
            let error = attaching(error);
            let text = error.to_string();
            assert!(text.ends_with("is locked against debuggers, or it is another chip"), "{text}");
            let places =
                ["name of the chip", "--allow-erase-all"].map(|part| error.help().find(part));
            assert!(places[0].is_some() && places[0] < places[1], "{}", error.help());
        }
        let command_name = "adiv6 raw ap read";
        let missing = DebugProbeError::CommandNotSupportedByProbe { command_name };
        let error = attaching(ArmError::Probe(missing).into());
        assert!(error.to_string().contains("ADIv6"), "{error}");
        assert!(error.help().starts_with("an RP2350 needs it"), "{}", error.help());
        let timeout = "Timeout while attaching to target under reset. This can happen".to_owned();
        let held = attaching(probe_rs::Error::Other(timeout));
        assert!(held.to_string().ends_with("did not stop at the end of its reset"), "{held}");
        let other = attaching(probe_rs::Error::Arm(ArmError::NoArmTarget));
        assert!(other.to_string().contains("finds no nRF52840_xxAA at its end: "), "{other}");
    }

    #[test]
    fn a_source_is_kept() {
        let error = BoardError::during("reset the chip", &PROBE, io::Error::other("x"));
        assert!(error.source().is_some_and(<dyn StdError>::is::<io::Error>));
        assert_eq!(error.to_string(), "reset the chip: x");
    }

    #[derive(Debug)]
    struct ProbeMessage(&'static str);

    impl fmt::Display for ProbeMessage {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(self.0)
        }
    }

    impl StdError for ProbeMessage {}
    impl probe_rs::probe::ProbeError for ProbeMessage {}

    #[test]
    fn a_probe_that_responds_is_not_gone() {
        let during = |text| {
            let message = DebugProbeError::ProbeSpecific(ProbeMessage(text).into());
            BoardError::during("ask", &PROBE, message).to_string()
        };
        for message in [
            "Remote error with result 0000000000000003",
            "Remote parameter error with result 0000000000000001",
            "Remote command unsupported with result 0000000000000000",
        ] {
            let text = during(message);
            assert!(text.starts_with("ask: ") && text.contains(message), "{text}");
        }
        let text = during("Probe error broken pipe");
        assert!(
            text.contains("does not respond any more (") && text.contains("broken pipe"),
            "{text}"
        );
    }

    #[test]
    fn an_endless_file_is_rejected() {
        let error = read_at_most(io::repeat(0), 2).expect_err("it has no end");
        assert_eq!(error.kind(), ErrorKind::FileTooLarge);
        assert_eq!(error.to_string(), "it is larger than 2 MiB");
        let whole = read_at_most(io::repeat(0).take(2 * MIB), 2).expect("just so");
        assert_eq!(whole.len() as u64, 2 * MIB);
        assert!(read_at_most(io::repeat(0).take(2 * MIB + 1), 2).is_err());
    }
}
