//! What to emulate.

use std::ops::Range;
use std::path::PathBuf;

/// What to emulate, and where.
///
/// # Examples
/// ```
/// use lodger_qemu_probe::Options;
///
/// let mut options = Options::new("mps2-an386");
/// options.port = 4444;
/// assert_eq!(options.flash, 0..0x40_0000);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// QEMU's name of the machine; `qemu-system-arm -machine help` lists them.
    pub machine: String,
    /// Where programs are: the vector table at reset is at its start, and after a reset it is searched
    /// for BKPT instructions if a flash algorithm may have changed it.
    pub flash: Range<u32>,
    /// The TCP port of the probe on 127.0.0.1; 0 for one that is free.
    pub port: u16,
    /// The program that emulates.
    pub qemu: PathBuf,
}

impl Options {
    /// A machine on any free port. The flash of QEMU's microbit, `mps2-an385`, `-an386` and `-an505` is
    /// known; of other machines it is taken to be the first 256 KiB.
    pub fn new(machine: impl Into<String>) -> Self {
        let machine = machine.into();
        let flash = match machine.as_str() {
            "mps2-an385" | "mps2-an386" => 0..0x40_0000,
            "mps2-an505" => 0x1000_0000..0x1040_0000,
            _ => 0..0x4_0000,
        };
        Self { machine, flash, port: 0, qemu: "qemu-system-arm".into() }
    }
}
