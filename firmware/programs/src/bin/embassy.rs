//! embassy: a task for each module, and one that decides.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
mod device {
    use embassy_executor::Spawner;
    use embassy_sync::blocking_mutex::raw::NoopRawMutex;
    use embassy_sync::signal::Signal;
    use embassy_time::{Duration, Instant, Ticker};
    use lodger_heapless::{Budget, SceneError};
    use lodger_programs::examples::Stall;
    use lodger_programs::examples::budget_test::{BudgetTest, FRAME_MS};
    use lodger_programs::examples::modules::{EMITTERS, Sound, Sparks, VOICES};
    use lodger_programs::examples::mps2::{CLOCK, WATCHDOG};
    use lodger_programs::examples::scene::{ExampleScene, SceneHandles};
    use semihosting::process::exit;
    use static_cell::{ConstStaticCell, StaticCell};

    use crate::time_driver;

    type Channel<T> = Signal<NoopRawMutex, T>;

    /// The channels to a module and back.
    struct Post<const ACTORS: usize> {
        levels: Channel<[u8; ACTORS]>,
        took: Channel<Duration>,
    }

    impl<const ACTORS: usize> Post<ACTORS> {
        const fn new() -> Self {
            Self { levels: Signal::new(), took: Signal::new() }
        }

        /// Sends levels to the module; returns the time of its work, in nanoseconds.
        async fn work(&self, levels: [u8; ACTORS]) -> u64 {
            self.levels.signal(levels);
            self.took.wait().await.as_micros() * 1_000
        }

        async fn serve(&self, mut work: impl FnMut(&[u8; ACTORS])) -> ! {
            loop {
                let levels = self.levels.wait().await;
                let start = Instant::now();
                work(&levels);
                self.took.signal(start.elapsed());
            }
        }
    }

    static SCENE: ConstStaticCell<ExampleScene> = ConstStaticCell::new(ExampleScene::new());
    static SPARKS: StaticCell<Sparks> = StaticCell::new();
    static TO_SOUND: StaticCell<Post<VOICES>> = StaticCell::new();
    static TO_SPARKS: StaticCell<Post<EMITTERS>> = StaticCell::new();

    #[embassy_executor::task]
    async fn sound(post: &'static Post<VOICES>, mut stall: Stall) {
        let mut sound = Sound::default();
        post.serve(|levels| {
            stall.frame();
            sound.work(levels);
        })
        .await;
    }

    #[embassy_executor::task]
    async fn sparks(post: &'static Post<EMITTERS>, sparks: &'static mut Sparks) {
        post.serve(|levels| sparks.work(levels)).await;
    }

    #[embassy_executor::main]
    async fn main(spawner: Spawner) {
        let stall = Stall::prepare();
        time_driver::start();
        let to_sound = &*TO_SOUND.init(Post::new());
        let to_sparks = &*TO_SPARKS.init(Post::new());
        let (Ok(sound), Ok(sparks)) =
            (sound(to_sound, stall), sparks(to_sparks, SPARKS.init_with(Sparks::default)))
        else {
            exit(1)
        };
        spawner.spawn(sound);
        spawner.spawn(sparks);
        exit(direct(to_sound, to_sparks).await.is_err().into())
    }

    /// Decides every frame, and feeds the watchdog while both modules respond.
    async fn direct(to_sound: &Post<VOICES>, to_sparks: &Post<EMITTERS>) -> Result<(), SceneError> {
        let scene = SCENE.take();
        let mut handles = SceneHandles::new(scene)?;
        let mut test = BudgetTest::default();
        let mut frames = Ticker::every(Duration::from_millis(FRAME_MS.into()));
        while let Some(budget) = test.budget_ns() {
            WATCHDOG.feed(4 * FRAME_MS * (CLOCK / 1_000));
            frames.next().await;
            handles.next_frame(scene)?;
            let levels = handles.decide(scene, Budget::from_ns(budget));
            let took = [to_sound.work(levels.voices).await, to_sparks.work(levels.emitters).await];
            handles.measured(scene, took)?;
            if let Some(result) = test.frame(took[0] + took[1]) {
                defmt::info!("{}", result);
            }
        }
        if test.succeeded() { Ok(()) } else { exit(1) }
    }
}

/// The time driver of embassy on two timers of the machine: one counts microseconds, the other one interrupts when the next
/// task is due.
#[cfg(target_os = "none")]
mod time_driver {
    use core::cell::RefCell;
    use core::sync::atomic::{AtomicU32, Ordering};
    use core::task::Waker;

    use cortex_m::peripheral::NVIC;
    use cortex_m_rt::interrupt;
    use critical_section::{CriticalSection, Mutex};
    use embassy_time_driver::{Driver, TICK_HZ};
    use embassy_time_queue_utils::Queue;
    use lodger_programs::examples::mps2::{ALARM_TIMER, CLOCK, CLOCK_TIMER, Interrupt, interrupt};

    /// The ticks of the timers in a tick of embassy.
    const TICKS: u32 = CLOCK / 1_000_000;
    const _: () = assert!(TICK_HZ == 1_000_000);
    /// The period of the clock timer in ticks of embassy, a power of two.
    const ROUND: u32 = 1 << 27;
    /// The longest time of the alarm timer; a later task needs several alarms.
    const LATEST: u64 = 1 << 26;

    struct Timers {
        rounds: AtomicU32,
        queue: Mutex<RefCell<Queue>>,
    }

    embassy_time_driver::time_driver_impl!(static TIMERS: Timers = Timers {
        rounds: AtomicU32::new(0),
        queue: Mutex::new(RefCell::new(Queue::new())),
    });

    pub(crate) fn start() {
        CLOCK_TIMER.start(ROUND * TICKS - 1);
        // SAFETY: no critical section is active at the start of the program.
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
                // It restarted, and its interrupt waits for the end of this critical section.
                if CLOCK_TIMER.has_started_again() {
                    rounds = rounds.wrapping_add(1);
                    left = CLOCK_TIMER.left();
                    // It requests the interrupt at 0, where it stays for a tick.
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
}

#[cfg(not(target_os = "none"))]
fn main() {}
