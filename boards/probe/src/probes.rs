//! The debug probes that are plugged in.

use probe_rs::probe::Probe;
use probe_rs::probe::list::Lister;

use crate::error::Error;
use crate::probe_info::ProbeInfo;
use crate::selector::Selector;

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
            if !is_plugged_in(selector) =>
        {
            Error::ProbeNotFound(selector.clone())
        }
        other => Error::ProbeNotOpened { probe: selector.clone(), why: other.into() },
    })
}

/// Whether such a probe is on a bus of this computer.
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
    fn the_only_probe_needs_no_name_and_of_two_one_must_be_named() {
        let (one, other) = (probe("0d28:0204:a"), probe("0d28:0204:b"));
        assert!(matches!(only(&[]), Err(Error::NoProbe)));
        assert_eq!(only(std::slice::from_ref(&one)).expect("one"), one.selector);
        assert!(matches!(only(&[one, other]), Err(Error::SeveralProbes(two)) if two.len() == 2));
    }

    #[test]
    fn an_address_of_the_network_is_on_no_bus() {
        let emulated: Selector = "1d50:6018:127.0.0.1:4000".parse().expect("a selector");
        assert!(!is_plugged_in(&emulated));
    }
}
