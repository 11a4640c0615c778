//! What stands behind an error: what somebody else said.

use std::error::Error;

/// An error of somebody else, as that of probe-rs.
pub type Cause = Box<dyn Error + Send + Sync>;

/// An error with all of its causes, in a line.
pub(crate) fn chain(error: &dyn Error) -> String {
    let mut text = String::new();
    let mut next = Some(error);
    while let Some(error) = next {
        let line = error.to_string();
        let line = line.lines().next().unwrap_or_default().trim_end_matches('.');
        if !text.contains(line) {
            let colon = if text.is_empty() { "" } else { ": " };
            text = text + colon + line;
        }
        next = error.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn causes_are_told_once_and_in_order() {
        let inner = std::io::Error::other("the pipe is broken.");
        let outer = probe_rs::probe::DebugProbeError::Usb(inner);
        assert_eq!(chain(&outer), "USB Communication Error: the pipe is broken");
    }
}
