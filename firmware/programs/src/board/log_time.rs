//! The time in the log: what the clock read last, which in a frame loop is the time of the frame.

use core::sync::atomic::{AtomicU32, Ordering};

use lodger_firmware::clock::Clock;

/// In 1.024 µs.
static LAST_READING: AtomicU32 = AtomicU32::new(0);

defmt::timestamp!("{=u64:us}", { u64::from(LAST_READING.load(Ordering::Relaxed)) * 1_024 / 1_000 });

/// A clock whose last reading is the time in the log.
pub(super) struct LogTime<C>(pub(super) C);

impl<C: Clock> Clock for LogTime<C> {
    fn now(&mut self) -> u64 {
        let now = self.0.now();
        // It wraps after 73 minutes.
        #[allow(clippy::cast_possible_truncation)]
        LAST_READING.store((now >> 10) as u32, Ordering::Relaxed);
        now
    }
}
