//! embassy's time on two timers of the machine: microseconds, and an interrupt when the next task is due.

use core::cell::RefCell;
use core::sync::atomic::{AtomicU32, Ordering};
use core::task::Waker;

use cortex_m::peripheral::NVIC;
use cortex_m_rt::interrupt;
use critical_section::{CriticalSection, Mutex};
use embassy_time_driver::{Driver, TICK_HZ};
use embassy_time_queue_utils::Queue;
use lodger_programs::examples::mps2::{ALARM_TIMER, CLOCK, CLOCK_TIMER, Interrupt, interrupt};

/// Ticks of the timers in one of embassy's.
const TICKS: u32 = CLOCK / 1_000_000;
const _: () = assert!(TICK_HZ == 1_000_000);
/// embassy's ticks until the clock's timer starts again: as many as fit it, but a power of two.
const ROUND: u32 = 1 << 27;
/// The latest that the alarm's timer is asked for; who is due later is asked for again.
const LATEST: u64 = 1 << 26;

struct Timers {
    /// How often the clock's timer has started again.
    rounds: AtomicU32,
    queue: Mutex<RefCell<Queue>>,
}

embassy_time_driver::time_driver_impl!(static TIMERS: Timers = Timers {
    rounds: AtomicU32::new(0),
    queue: Mutex::new(RefCell::new(Queue::new())),
});

/// Starts both timers; before anybody asks for the time.
pub(crate) fn start() {
    CLOCK_TIMER.start(ROUND * TICKS - 1);
    // SAFETY: no critical section is open that these could break, as the program begins.
    #[allow(unsafe_code)]
    unsafe {
        NVIC::unmask(Interrupt::TIMER0);
        NVIC::unmask(Interrupt::TIMER1);
    }
}

impl Timers {
    fn serve(&self, section: CriticalSection<'_>) {
        let mut queue = self.queue.borrow(section).borrow_mut();
        let now = self.now();
        let next = queue.next_expiration(now);
        if next == u64::MAX {
            ALARM_TIMER.stop();
        } else {
            let wait = u32::try_from(next.saturating_sub(now).clamp(1, LATEST)).unwrap_or(1);
            ALARM_TIMER.start(wait * TICKS);
        }
    }
}

impl Driver for Timers {
    fn now(&self) -> u64 {
        critical_section::with(|_| {
            let mut rounds = self.rounds.load(Ordering::Relaxed);
            let mut left = CLOCK_TIMER.left();
            // It started again, and its interrupt has to wait for the end of a critical section.
            if CLOCK_TIMER.has_started_again() {
                rounds = rounds.wrapping_add(1);
                left = CLOCK_TIMER.left();
                // It asks for the interrupt at 0, and stands there for a tick.
                if left == 0 {
                    left = ROUND * TICKS - 1;
                }
            }
            let passed = (ROUND * TICKS - 1).saturating_sub(left) / TICKS;
            u64::from(rounds) * u64::from(ROUND) + u64::from(passed)
        })
    }

    fn schedule_wake(&self, at: u64, waker: &Waker) {
        critical_section::with(|section| {
            let is_first = self.queue.borrow(section).borrow_mut().schedule_wake(at, waker);
            if is_first {
                self.serve(section);
            }
        });
    }
}

#[interrupt]
fn TIMER0() {
    critical_section::with(|_| {
        CLOCK_TIMER.acknowledge();
        TIMERS
            .rounds
            .store(TIMERS.rounds.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
    });
}

#[interrupt]
fn TIMER1() {
    critical_section::with(|section| {
        ALARM_TIMER.acknowledge();
        TIMERS.serve(section);
    });
}
