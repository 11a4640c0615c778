//! A timer that counts down.

use super::register::Register;

const ENABLE: u32 = 1;
const INTERRUPT: u32 = 1 << 3;

/// A timer of 32 bits: it counts down at [`CLOCK`](super::CLOCK), and from 0 starts again.
#[derive(Debug, Clone, Copy)]
pub struct Timer {
    control: Register,
    value: Register,
    reload: Register,
    interrupt: Register,
}

impl Timer {
    pub(super) const fn at(base: usize) -> Self {
        Self {
            control: Register::at(base),
            value: Register::at(base + 4),
            reload: Register::at(base + 8),
            interrupt: Register::at(base + 12),
        }
    }

    /// Counts down from so many ticks to 0 again and again, which takes one more than that, and asks for an
    /// interrupt each time.
    pub fn start(self, ticks: u32) {
        self.control.write(0);
        self.acknowledge();
        self.reload.write(ticks);
        self.value.write(ticks);
        self.control.write(ENABLE | INTERRUPT);
    }

    /// Stands still.
    pub fn stop(self) {
        self.control.write(0);
        self.acknowledge();
    }

    /// The ticks that are left.
    #[must_use]
    pub fn left(self) -> u32 {
        self.value.read()
    }

    /// Whether it started again since that was last acknowledged.
    #[must_use]
    pub fn has_started_again(self) -> bool {
        self.interrupt.read() != 0
    }

    /// Takes the interrupt back.
    pub fn acknowledge(self) {
        self.interrupt.write(1);
    }
}
