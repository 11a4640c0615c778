//! The debug probes that are plugged in.

use std::fmt;
use std::net::SocketAddr;
use std::str::FromStr;

use probe_rs::probe::list::{Accessibility, Lister, ProbeListItem};
use probe_rs::probe::{DebugProbeSelector, Probe};

use crate::error::Error;

/// Names a probe: `VID:PID` in hexadecimal, with `-INTERFACE` and `:SERIAL` where that is not enough.
///
/// # Examples
/// ```
/// use lodger_probe::Selector;
///
/// let selector: Selector = "0d28:0204:9900".parse()?;
/// assert_eq!(selector.to_string(), "0d28:0204:9900");
/// assert!("micro:bit".parse::<Selector>().is_err());
/// # Ok::<(), lodger_probe::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selector(DebugProbeSelector);

impl Selector {
    /// Whether it names a probe at an address of the network, as the emulated one is.
    #[must_use]
    pub fn is_remote(&self) -> bool {
        let serial = self.0.serial_number.as_deref();
        serial.is_some_and(|serial| serial.parse::<SocketAddr>().is_ok() || has_port(serial))
    }

    /// Whether such a probe is on a bus of this computer.
    fn is_plugged_in(&self) -> bool {
        !self.is_remote() && !Lister::new().list(Some(&self.0)).is_empty()
    }
}

/// Whether it is the name of a computer with a port. A serial number may have colons, but several.
fn has_port(serial: &str) -> bool {
    serial
        .split_once(':')
        .is_some_and(|(host, port)| !host.is_empty() && port.parse::<u16>().is_ok())
}

impl FromStr for Selector {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        text.parse().map(Self).map_err(|_| Error::BadSelector(text.to_owned()))
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A probe.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProbeInfo {
    /// What names it on a command line.
    pub selector: Selector,
    /// What it calls itself, and the protocol that it speaks.
    pub kind: String,
    /// Its serial number, if it has one.
    pub serial: Option<String>,
    /// Whether we may use it; on Linux that takes a udev rule.
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

/// The probes that are plugged in, in the order of the operating system.
///
/// A probe at an address of the network, as the emulated one, is none of them: it has to be named.
#[must_use]
pub fn probes() -> Vec<ProbeInfo> {
    Lister::new().list_all_with_access().iter().map(ProbeInfo::from).collect()
}

/// The probe that is meant where none is named.
///
/// # Errors
/// When there is none, and when there are several.
pub fn only_probe() -> Result<Selector, Error> {
    only(&probes())
}

fn only(found: &[ProbeInfo]) -> Result<Selector, Error> {
    match found {
        [] => Err(Error::NoProbe),
        [only] => Ok(only.selector.clone()),
        several => Err(Error::SeveralProbes(several.to_vec())),
    }
}

/// Opens a probe.
pub(crate) fn open(selector: &Selector) -> Result<Probe, Error> {
    use probe_rs::probe::{DebugProbeError, ProbeCreationError};

    Lister::new().open(selector.0.clone()).map_err(|error| match error {
        DebugProbeError::ProbeCouldNotBeCreated(ProbeCreationError::NotFound) => {
            Error::ProbeNotFound(selector.clone())
        }
        // Without a bus, as in a container, that is all that is said of an absent probe.
        DebugProbeError::ProbeCouldNotBeCreated(ProbeCreationError::Usb(_))
            if !selector.is_plugged_in() =>
        {
            Error::ProbeNotFound(selector.clone())
        }
        other => {
            Error::ProbeNotOpened { probe: selector.clone(), why: crate::error::chain(&other) }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn probe(selector: &str) -> ProbeInfo {
        let selector = selector.parse().expect("a selector");
        ProbeInfo { selector, kind: "CMSIS-DAP".to_owned(), serial: None, accessible: true }
    }

    #[test]
    fn the_only_probe_needs_no_name_and_of_two_one_must_be_named() {
        let (one, other) = (probe("0d28:0204:a"), probe("0d28:0204:b"));
        assert!(matches!(only(&[]), Err(Error::NoProbe)));
        assert_eq!(only(std::slice::from_ref(&one)).expect("one"), one.selector);
        assert!(matches!(only(&[one, other]), Err(Error::SeveralProbes(two)) if two.len() == 2));
    }

    #[test]
    fn an_address_of_the_network_is_a_selector() {
        let emulated: Selector = "1d50:6018:127.0.0.1:4000".parse().expect("a selector");
        assert_eq!(emulated.to_string(), "1d50:6018:127.0.0.1:4000");
        assert!(emulated.is_remote() && !emulated.is_plugged_in());
        for (selector, is_remote) in [
            ("1d50:6018:localhost:4000", true),
            ("1d50:6018:[::1]:4000", true),
            ("1d50:6018:localhost", false),
            ("303a:1001:34:85:18:ab:cd:10", false),
            ("0d28:0204:a", false),
            ("0d28:0204", false),
        ] {
            assert_eq!(probe(selector).selector.is_remote(), is_remote, "{selector}");
        }
    }
}
