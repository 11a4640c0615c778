//! What each class of cases may take.

/// What a run may take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Limits {
    /// Bytes of resident memory.
    pub(super) memory: u64,
    /// Seconds on the clock, without those in which others had all processors.
    pub(super) seconds: f64,
}

const MIB: u64 = 1 << 20;
/// No run takes more memory than this, 1.2 GiB.
const MOST: u64 = 1229 * MIB;
/// Inputs up to this size count as nothing.
const SMALL: u64 = MIB;
/// No run over a small input takes longer.
const SECONDS: f64 = 10.0;
/// What each MiB of an input may take besides.
const SECONDS_FOR_A_MIB: f64 = 0.25;

/// Memory by class: MiB to begin with, and bytes for each byte of an input of more than 1 MiB.
/// What is not in the table is as the last row. A log is packed, and a tick of it may take all that
/// `--memory` allows.
const TABLE: [(&str, u64, u64); 5] = [
    ("toml", 64, 10),
    ("pack", 256, 20),
    ("resources", 1229, 0),
    ("replay", 1229, 0),
    ("", 256, 10),
];

/// The limits of a class for so many bytes of input.
pub(super) fn limits(class: &str, input_bytes: u64) -> Limits {
    let row = TABLE.iter().find(|(name, ..)| *name == class).unwrap_or(&TABLE[TABLE.len() - 1]);
    let (_, mebibytes, times) = *row;
    let counted = if input_bytes <= SMALL { 0 } else { input_bytes };
    let memory = (mebibytes * MIB).saturating_add(counted.saturating_mul(times)).min(MOST);
    Limits { memory, seconds: SECONDS + SECONDS_FOR_A_MIB * in_mib(counted) }
}

#[expect(clippy::cast_precision_loss, reason = "fewer than 2^53 bytes")]
fn in_mib(bytes: u64) -> f64 {
    bytes as f64 / MIB as f64
}

/// The address space that holds data, in bytes: where it is refused, the watch has failed to see the
/// memory in time.
pub(super) const fn data_limit(limits: &Limits) -> u64 {
    limits.memory * 2 + 512 * MIB
}

#[cfg(test)]
mod tests {
    use super::{MIB, MOST, limits};

    #[test]
    fn a_small_input_may_take_little_and_no_input_everything() {
        assert_eq!(limits("tar", 3000).memory, 256 * MIB);
        assert_eq!(limits("tar", 2 * MIB).memory, 276 * MIB);
        assert_eq!(limits("tar", 1 << 40).memory, MOST);
        assert_eq!(limits("toml", 82_000_000).memory, 64 * MIB + 820_000_000);
        assert!((limits("toml", 40 * MIB).seconds - 20.0).abs() < 1e-9);
    }
}
