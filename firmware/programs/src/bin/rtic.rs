//! RTIC: a task for each module at the lower priority, and one above them that decides.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
#[rtic::app(device = lodger_programs::examples::mps2, peripherals = false, dispatchers = [PORT0_ALL, PORT1_ALL])]
mod app {
    use lodger_firmware::clock::{Clock, TickRate, Ticks};
    use lodger_heapless::{Budget, SceneError};
    use lodger_programs::examples::Stall;
    use lodger_programs::examples::budget_test::{BudgetTest, FRAME_MS};
    use lodger_programs::examples::modules::{EMITTERS, Sound, Sparks, VOICES};
    use lodger_programs::examples::mps2::{CLOCK, CLOCK_TIMER, WATCHDOG};
    use lodger_programs::examples::scene::{ExampleScene, SceneHandles};
    use rtic_monotonics::systick::prelude::*;
    use rtic_sync::make_signal;
    use rtic_sync::signal::{SignalReader, SignalWriter};
    use semihosting::process::exit;
    use static_cell::{ConstStaticCell, StaticCell};

    systick_monotonic!(Mono, 1_000);

    static SCENE: ConstStaticCell<ExampleScene> = ConstStaticCell::new(ExampleScene::new());
    static SPARKS: StaticCell<Sparks> = StaticCell::new();

    fn took(work: impl FnOnce()) -> u64 {
        let mut clock = Ticks::new(|| !CLOCK_TIMER.left(), 32, TickRate::from_hz(CLOCK));
        work();
        clock.now()
    }

    #[shared]
    struct Shared {}

    #[local]
    struct Local {}

    #[init]
    fn init(context: init::Context) -> (Shared, Local) {
        let stall = Stall::prepare();
        CLOCK_TIMER.start(u32::MAX);
        Mono::start(context.core.SYST, CLOCK);
        let (to_sound, sound_levels) = make_signal!([u8; VOICES]);
        let (to_sparks, sparks_levels) = make_signal!([u8; EMITTERS]);
        let (sound_took, from_sound) = make_signal!(u64);
        let (sparks_took, from_sparks) = make_signal!(u64);
        let posts =
            (Post { to: to_sound, from: from_sound }, Post { to: to_sparks, from: from_sparks });
        let spawned = sound::spawn(sound_levels, sound_took, stall).is_ok()
            && sparks::spawn(sparks_levels, sparks_took).is_ok()
            && direct::spawn(posts.0, posts.1).is_ok();
        if !spawned {
            exit(1)
        }
        (Shared {}, Local {})
    }

    /// The channels to a module and back.
    pub struct Post<T: Copy + 'static> {
        to: SignalWriter<'static, T>,
        from: SignalReader<'static, u64>,
    }

    impl<T: Copy> Post<T> {
        /// Sends levels to the module; returns the time of its work, in nanoseconds.
        async fn work(&mut self, levels: T) -> u64 {
            self.to.write(levels);
            self.from.wait().await
        }
    }

    #[task(priority = 1)]
    async fn sound(
        _: sound::Context,
        mut levels: SignalReader<'static, [u8; VOICES]>,
        mut done: SignalWriter<'static, u64>,
        mut stall: Stall,
    ) {
        let mut sound = Sound::default();
        loop {
            let levels = levels.wait().await;
            stall.frame();
            done.write(took(|| sound.work(&levels)));
        }
    }

    #[task(priority = 1)]
    async fn sparks(
        _: sparks::Context,
        mut levels: SignalReader<'static, [u8; EMITTERS]>,
        mut done: SignalWriter<'static, u64>,
    ) {
        let sparks = SPARKS.init_with(Sparks::default);
        loop {
            let levels = levels.wait().await;
            done.write(took(|| sparks.work(&levels)));
        }
    }

    #[task(priority = 2)]
    async fn direct(
        _: direct::Context,
        mut sound: Post<[u8; VOICES]>,
        mut sparks: Post<[u8; EMITTERS]>,
    ) {
        exit(frames(&mut sound, &mut sparks).await.is_err().into())
    }

    /// Decides every frame, and feeds the watchdog while both modules respond.
    async fn frames(
        sound: &mut Post<[u8; VOICES]>,
        sparks: &mut Post<[u8; EMITTERS]>,
    ) -> Result<(), SceneError> {
        let scene = SCENE.take();
        let mut handles = SceneHandles::new(scene)?;
        let mut test = BudgetTest::default();
        let mut next = Mono::now();
        while let Some(budget) = test.budget_ns() {
            WATCHDOG.feed(4 * FRAME_MS * (CLOCK / 1_000));
            next += FRAME_MS.millis();
            Mono::delay_until(next).await;
            handles.next_frame(scene)?;
            let levels = handles.decide(scene, Budget::from_ns(budget));
            let took = [sound.work(levels.voices).await, sparks.work(levels.emitters).await];
            handles.measured(scene, took)?;
            if let Some(result) = test.frame(took[0] + took[1]) {
                defmt::info!("{}", result);
            }
        }
        if test.succeeded() { Ok(()) } else { exit(1) }
    }
}

#[cfg(not(target_os = "none"))]
fn main() {}
