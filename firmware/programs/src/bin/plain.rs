//! A plain loop: decide, work, measure, sleep until the next frame.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
mod device {
    use core::sync::atomic::{AtomicBool, Ordering};

    use cortex_m::asm::wfe;
    use cortex_m::peripheral::NVIC;
    use cortex_m_rt::{entry, interrupt};
    use lodger_firmware::clock::{Clock, TickRate, Ticks};
    use lodger_heapless::{Budget, SceneError};
    use lodger_programs::examples::Stall;
    use lodger_programs::examples::budget_test::{BudgetTest, FRAME_MS};
    use lodger_programs::examples::modules::{Sound, Sparks};
    use lodger_programs::examples::mps2::{
        ALARM_TIMER, CLOCK, CLOCK_TIMER, Interrupt, WATCHDOG, interrupt,
    };
    use lodger_programs::examples::scene::{ExampleScene, SceneHandles};
    use semihosting::process::exit;
    use static_cell::{ConstStaticCell, StaticCell};

    static SCENE: ConstStaticCell<ExampleScene> = ConstStaticCell::new(ExampleScene::new());
    static SPARKS: StaticCell<Sparks> = StaticCell::new();

    #[entry]
    fn main() -> ! {
        exit(run().is_err().into())
    }

    fn run() -> Result<(), SceneError> {
        let mut stall = Stall::prepare();
        let (mut sound, sparks) = (Sound::default(), SPARKS.init_with(Sparks::default));
        let scene = SCENE.take();
        let mut handles = SceneHandles::new(scene)?;
        let mut test = BudgetTest::default();
        CLOCK_TIMER.start(u32::MAX);
        let mut clock = Ticks::new(|| !CLOCK_TIMER.left(), 32, TickRate::from_hz(CLOCK));
        wake_every_frame();
        while let Some(budget) = test.budget_ns() {
            WATCHDOG.feed(4 * FRAME_MS * (CLOCK / 1_000));
            // An interrupt before the sleep is an event, too, and ends it.
            while !IS_DUE.swap(false, Ordering::Relaxed) {
                wfe();
            }
            handles.next_frame(scene)?;
            let plan = handles.decide(scene, Budget::from_ns(budget));

            let start = clock.now();
            sound.work(&plan.voices);
            let middle = clock.now();
            sparks.work(&plan.emitters);
            let end = clock.now();
            stall.frame();

            handles.measured(scene, [middle - start, end - middle])?;
            if let Some(result) = test.frame(end - start) {
                defmt::info!("{}", result);
            }
        }
        if test.succeeded() { Ok(()) } else { exit(1) }
    }

    static IS_DUE: AtomicBool = AtomicBool::new(false);

    /// Starts the alarm, whose interrupt ends the sleep.
    fn wake_every_frame() {
        ALARM_TIMER.start(FRAME_MS * (CLOCK / 1_000) - 1);
        // SAFETY: no critical section is active at the start of the program.
        #[allow(unsafe_code)]
        unsafe {
            NVIC::unmask(Interrupt::TIMER1);
        }
    }

    #[interrupt]
    fn TIMER1() {
        ALARM_TIMER.acknowledge();
        IS_DUE.store(true, Ordering::Relaxed);
    }
}

#[cfg(not(target_os = "none"))]
fn main() {}
