//! The clock of a board.

/// Measures the time of work.
///
/// Only the difference of two readings is meaningful, and it may be 0 although time passed. Read the clock more often
/// than its counter wraps, which a board documents; once a frame is always enough.
///
/// # For implementors
/// A reading is never below an earlier one. The clock may stand still while the processor sleeps. Reading it is short,
/// because its own time is part of the measured time, and does not block, fail or panic. A clock may count instructions
/// instead of time, as in an emulator, but must say so where readings are shown.
pub trait Clock {
    /// Returns nanoseconds since a fixed moment.
    fn now(&mut self) -> u64;
}

impl<C: Clock> Clock for &mut C {
    fn now(&mut self) -> u64 {
        (**self).now()
    }
}

/// A clock from a counter that counts up, wraps, and is read at least once per period.
///
/// Invert a counter that counts down, as `SysTick` does: `|| !SYST::get_current()`.
///
/// # Examples
/// ```
/// use lodger_firmware::clock::{Clock, TickRate, Ticks};
///
/// // A counter of 24 bits at 64 MHz, just before it wraps.
/// let mut counter = [0xff_ffff, 0x00_001f].into_iter();
/// let mut clock = Ticks::new(move || counter.next().unwrap(), 24, TickRate::from_hz(64_000_000));
/// assert_eq!(clock.now(), 500);
/// ```
#[derive(Debug)]
pub struct Ticks<F> {
    read: F,
    mask: u32,
    rate: TickRate,
    last: u32,
    now: u64,
    /// The fraction of a nanosecond, in 2⁻³² ns.
    fraction: u64,
}

/// The duration of a tick of a counter, in 2⁻³² ns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TickRate(u64);

impl TickRate {
    /// Converts ticks per second; 0 is treated as 1.
    #[must_use]
    pub const fn from_hz(hertz: u32) -> Self {
        const SECOND: u64 = 1_000_000_000 << 32;
        match SECOND.checked_div(hertz as u64) {
            Some(tick) => Self(tick),
            None => Self(SECOND),
        }
    }
}

impl<F: FnMut() -> u32> Ticks<F> {
    /// Makes a clock that starts at 0 now. The counter has `bits` bits, at most 32.
    pub fn new(mut read: F, bits: u32, rate: TickRate) -> Self {
        let mask = u32::MAX >> 32_u32.saturating_sub(bits).min(31);
        let last = read();
        Self { read, mask, rate, last, now: 0, fraction: 0 }
    }
}

impl<F: FnMut() -> u32> Clock for Ticks<F> {
    fn now(&mut self) -> u64 {
        let count = (self.read)();
        let ticks = u64::from(count.wrapping_sub(self.last) & self.mask);
        self.last = count;
        let whole = (self.rate.0 >> 32).wrapping_mul(ticks);
        // Below 2^64: less than 2^32 fractions of 32 bits each, plus one.
        self.fraction = self.fraction.wrapping_add((self.rate.0 & 0xffff_ffff).wrapping_mul(ticks));
        self.now = self.now.wrapping_add(whole).wrapping_add(self.fraction >> 32);
        self.fraction &= 0xffff_ffff;
        self.now
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn readings<const N: usize>(counts: [u32; N], bits: u32, hertz: u32) -> std::vec::Vec<u64> {
        let mut counter = counts.into_iter();
        let rate = TickRate::from_hz(hertz);
        let mut clock = Ticks::new(move || counter.next().unwrap(), bits, rate);
        (1..N).map(|_| clock.now()).collect()
    }

    #[test]
    fn a_counter_may_wrap_at_any_width() {
        assert_eq!(readings([0xff_fff0, 0x0f, 0x0f], 24, 1_000_000_000), [31, 31]);
        assert_eq!(readings([u32::MAX, 9], 32, 1_000_000_000), [10]);
        // Bits above the width of the counter are ignored: an inverted 24-bit counter.
        assert_eq!(readings([!5, !0, !0xff_ffff], 24, 1_000_000_000), [5, 6]);
    }

    #[test]
    fn fractions_of_nanoseconds_add_up() {
        // 62.5 ns a tick, and a third of a microsecond.
        assert_eq!(readings([0, 1, 2, 3], 32, 16_000_000), [62, 125, 187]);
        let thirds = readings([0, 1, 2, 3, 3_000_000], 32, 3_000_000);
        assert_eq!(thirds, [333, 666, 999, 999_999_999]);
    }

    #[test]
    fn any_width_and_rate_is_taken() {
        assert_eq!(readings([0, 3], 0, 1_000_000_000), [1]);
        assert_eq!(readings([0, 7], 99, 1_000_000_000), [7]);
        assert_eq!(readings([0, 2], 32, 0), [2_000_000_000]);
        assert_eq!(readings([0, u32::MAX], 32, 1), [4_294_967_295_000_000_000]);
    }
}
