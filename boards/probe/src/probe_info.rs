//! What is known of a debug probe before it is opened.

use probe_rs::probe::list::{Accessibility, ProbeListItem};

use crate::selector::Selector;

/// A probe.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
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

impl ProbeInfo {
    /// A probe that may be used, and whose serial number is not known.
    #[must_use]
    pub const fn new(selector: Selector, kind: String) -> Self {
        Self { selector, kind, serial: None, accessible: true }
    }
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
