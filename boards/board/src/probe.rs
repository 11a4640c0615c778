//! Debug probes: selectors, the list of plugged-in probes, and opening a probe.

use std::fmt;
use std::net::SocketAddr;
use std::str::FromStr;

use probe_rs::probe::list::{Accessibility, Lister, ProbeListItem};
use probe_rs::probe::{DebugProbeError, DebugProbeSelector, Probe, ProbeCreationError};
use serde::{Serialize, Serializer};

use crate::error::BoardError;

/// A probe's selector: `VID:PID` in hexadecimal, with `-INTERFACE` and `:SERIAL` if that is ambiguous.
///
/// # Examples
/// ```
/// use lodger_board::Selector;
///
/// let selector: Selector = "0d28:0204:9900".parse()?;
/// assert_eq!(selector.to_string(), "0d28:0204:9900");
/// assert!("micro:bit".parse::<Selector>().is_err());
/// # Ok::<(), lodger_board::BoardError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selector(DebugProbeSelector);

impl Selector {
    /// Whether the probe is at a network address, as an emulated one is.
    #[must_use]
    pub fn is_remote(&self) -> bool {
        let serial = self.0.serial_number.as_deref();
        serial.is_some_and(|serial| serial.parse::<SocketAddr>().is_ok() || has_port(serial))
    }
}

/// Whether it is a host with a port. A serial number with colons has several.
fn has_port(serial: &str) -> bool {
    serial
        .split_once(':')
        .is_some_and(|(host, port)| !host.is_empty() && port.parse::<u16>().is_ok())
}

impl FromStr for Selector {
    type Err = BoardError;

    fn from_str(text: &str) -> Result<Self, BoardError> {
        text.parse().map(Self).map_err(|_| {
            let help = "write VID:PID or VID:PID:SERIAL, as `lodger board list` shows it";
            BoardError::new(format!("`{text}` is not a debug probe"), help)
        })
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Serialize for Selector {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A plugged-in probe.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ProbeInfo {
    /// The probe's selector.
    pub selector: Selector,
    /// The name and the protocol.
    pub kind: String,
    /// The serial number, if the probe has one.
    pub serial: Option<String>,
    /// Whether this program may use the probe; Linux needs a udev rule.
    pub accessible: bool,
}

impl From<&ProbeListItem> for ProbeInfo {
    fn from(item: &ProbeListItem) -> Self {
        let info = &item.info;
        let (name, protocol) = (&info.identifier, info.probe_type());
        let kind = if name.is_empty() || *name == protocol {
            protocol
        } else {
            format!("{name} ({protocol})")
        };
        Self {
            selector: Selector(info.into()),
            kind,
            serial: info.serial_number.clone(),
            accessible: item.accessibility == Accessibility::Accessible,
        }
    }
}

/// Lists plugged-in probes in the order of the operating system, without network addresses.
#[must_use]
pub fn probes() -> Vec<ProbeInfo> {
    Lister::new().list_all_with_access().iter().map(ProbeInfo::from).collect()
}

/// Returns the only plugged-in probe.
///
/// # Errors
/// If no probe or several are plugged in.
pub fn only_probe() -> Result<Selector, BoardError> {
    only(&probes())
}

fn only(probes: &[ProbeInfo]) -> Result<Selector, BoardError> {
    match probes {
        [] => Err(BoardError::new(
            "no debug probe is plugged in",
            "check that it is plugged in and powered, that the cable carries data, and on Linux \
             that a udev rule lets you use it (https://probe.rs/docs/getting-started/probe-setup); \
             name an emulated probe with --probe",
        )),
        [only] => Ok(only.selector.clone()),
        several => {
            let names = several.iter().map(|probe| format!("{} ({})", probe.selector, probe.kind));
            let names = names.collect::<Vec<_>>().join("; ");
            let message = format!("{} debug probes are plugged in: {names}", several.len());
            Err(BoardError::new(message, "choose with --probe and one of them"))
        }
    }
}

pub(crate) fn open(selector: &Selector) -> Result<Probe, BoardError> {
    Lister::new().open(selector.0.clone()).map_err(|error| {
        let is_absent = match &error {
            DebugProbeError::ProbeCouldNotBeCreated(ProbeCreationError::NotFound) => true,
            // Without a USB bus, as in a container, probe-rs returns this error for a missing probe.
            DebugProbeError::ProbeCouldNotBeCreated(ProbeCreationError::Usb(_)) => {
                !is_plugged_in(selector)
            }
            _ => false,
        };
        if is_absent {
            let help =
                "`lodger board list` shows plugged-in probes; an emulated probe must be running";
            return BoardError::new(format!("there is no debug probe {selector}"), help);
        }
        not_opened(selector, error)
    })
}

pub(crate) fn not_opened(selector: &Selector, error: DebugProbeError) -> BoardError {
    let message = format!("the debug probe {selector} cannot be opened");
    let help = "close other programs that use it, replug it, and on Linux check the udev rule";
    BoardError::new(message, help).caused_by(error)
}

/// Whether the probe is on a bus of this computer.
fn is_plugged_in(selector: &Selector) -> bool {
    !selector.is_remote() && !Lister::new().list(Some(&selector.0)).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn probe(selector: &str) -> ProbeInfo {
        let selector = selector.parse().expect("a selector");
        ProbeInfo { selector, kind: "CMSIS-DAP".to_owned(), serial: None, accessible: true }
    }

    #[test]
    fn the_only_probe_needs_no_selector() {
        let (one, other) = (probe("0d28:0204:a1"), probe("0d28:0204:b2"));
        let none = only(&[]).expect_err("no probe").to_string();
        assert_eq!(none, "no debug probe is plugged in");
        assert_eq!(only(std::slice::from_ref(&one)).expect("one"), one.selector);
        let two = only(&[one, other]).expect_err("two probes").to_string();
        assert!(two.starts_with("2 debug probes"), "{two}");
        assert!(two.contains("0d28:0204:a1 (CMSIS-DAP); 0d28:0204:b2 (CMSIS-DAP)"), "{two}");
    }

    #[test]
    fn a_network_address_is_a_selector() {
        let emulated: Selector = "1d50:6018:127.0.0.1:4000".parse().expect("a selector");
        assert_eq!(emulated.to_string(), "1d50:6018:127.0.0.1:4000");
        assert!(emulated.is_remote() && !is_plugged_in(&emulated));
        for (selector, is_remote) in [
            ("1d50:6018:localhost:4000", true),
            ("1d50:6018:[::1]:4000", true),
            ("1d50:6018:localhost", false),
            ("303a:1001:34:85:18:ab:cd:10", false),
            ("0d28:0204:a", false),
            ("0d28:0204", false),
        ] {
            let parsed: Selector = selector.parse().expect("a selector");
            assert_eq!(parsed.is_remote(), is_remote, "{selector}");
        }
    }
}
