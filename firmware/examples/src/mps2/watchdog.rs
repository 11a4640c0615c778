//! The watchdog.

use super::register::Register;

const UNLOCK: u32 = 0x1acc_e551;
const INTERRUPT: u32 = 1;
const RESET: u32 = 1 << 1;

/// Resets the machine when nobody has fed it for too long.
#[derive(Debug, Clone, Copy)]
pub struct Watchdog {
    load: Register,
    control: Register,
    lock: Register,
}

impl Watchdog {
    pub(super) const fn at(base: usize) -> Self {
        Self {
            load: Register::at(base),
            control: Register::at(base + 0x8),
            lock: Register::at(base + 0xc00),
        }
    }

    /// Wants to be fed within so many ticks of [`CLOCK`](super::CLOCK), from now on or from the last time.
    /// Who misses that is reset after as many again.
    pub fn feed(self, ticks: u32) {
        self.lock.write(UNLOCK);
        self.load.write(ticks);
        self.control.write(INTERRUPT | RESET);
        self.lock.write(0);
    }
}
