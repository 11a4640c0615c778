//! What names a debug probe.

use std::error::Error;
use std::fmt;
use std::net::SocketAddr;
use std::str::FromStr;

use probe_rs::probe::DebugProbeSelector;

/// Names a probe: `VID:PID` in hexadecimal, with `-INTERFACE` and `:SERIAL` where that is not enough.
///
/// # Examples
/// ```
/// use lodger_probe::Selector;
///
/// let selector: Selector = "0d28:0204:9900".parse()?;
/// assert_eq!(selector.to_string(), "0d28:0204:9900");
/// assert!("micro:bit".parse::<Selector>().is_err());
/// # Ok::<(), lodger_probe::BadSelector>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selector(pub(crate) DebugProbeSelector);

impl Selector {
    /// Whether it names a probe at an address of the network, as the emulated one is.
    #[must_use]
    pub fn is_remote(&self) -> bool {
        let serial = self.0.serial_number.as_deref();
        serial.is_some_and(|serial| serial.parse::<SocketAddr>().is_ok() || has_port(serial))
    }
}

/// Whether it is the name of a computer with a port. A serial number may have colons, but several.
fn has_port(serial: &str) -> bool {
    serial
        .split_once(':')
        .is_some_and(|(host, port)| !host.is_empty() && port.parse::<u16>().is_ok())
}

impl FromStr for Selector {
    type Err = BadSelector;

    fn from_str(text: &str) -> Result<Self, BadSelector> {
        text.parse().map(Self).map_err(|_| BadSelector(text.to_owned()))
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A text that names no probe.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadSelector(String);

impl fmt::Display for BadSelector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` names no debug probe", self.0)
    }
}

impl Error for BadSelector {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_of_the_network_is_a_selector() {
        let emulated: Selector = "1d50:6018:127.0.0.1:4000".parse().expect("a selector");
        assert_eq!(emulated.to_string(), "1d50:6018:127.0.0.1:4000");
        assert!(emulated.is_remote());
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
