//! What a board measures time with.

/// Tells how long work took.
///
/// # For users
/// Only differences of two readings mean something. They may be coarse: two readings may be equal
/// although something happened in between. Ask often enough for the counter behind the clock; a board says
/// how often that is, and once a frame always is enough.
///
/// # For implementors
/// A reading is never below an earlier one, and the clock runs on while the processor works; it may
/// stand still while the processor sleeps. Reading it does not block, fail or panic, and it is
/// short: its own time is part of what it measures. What counts instructions instead of time, as an
/// emulator does, is a clock too, but says so where its readings are shown.
pub trait Clock {
    /// Nanoseconds since a moment that stays the same.
    fn now(&mut self) -> u64;
}

impl<C: Clock> Clock for &mut C {
    fn now(&mut self) -> u64 {
        (**self).now()
    }
}

/// A clock from a counter that counts up and wraps.
///
/// It has to be read at least once while the counter goes round. What counts down, as `SysTick`
/// does, counts up when every bit is turned over: `|| !SYST::get_current()`.
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
    /// What is beyond whole nanoseconds, in 2⁻³² ns.
    fraction: u64,
}

/// How long a tick of a counter is, in 2⁻³² ns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TickRate(u64);

impl TickRate {
    /// So many ticks a second; 0 is taken for 1.
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
    /// A clock that starts at 0 now. The counter has `bits` bits, at most 32.
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
        // Below 2^64: a fraction of 32 bits, of which there are less than 2^32, and one more.
        self.fraction = self.fraction.wrapping_add((self.rate.0 & 0xffff_ffff).wrapping_mul(ticks));
        self.now = self.now.wrapping_add(whole).wrapping_add(self.fraction >> 32);
        self.fraction &= 0xffff_ffff;
        self.now
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The clock after each of these counts.
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
        // What is above the counter's bits is not looked at: a 24-bit counter, turned over.
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
