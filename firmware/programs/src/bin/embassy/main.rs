//! embassy: a task for each module, and one that decides.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
mod time_driver;

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
    use lodger_programs::examples::scene::{Scene, SceneHandles};
    use semihosting::process::exit;
    use static_cell::{ConstStaticCell, StaticCell};

    use crate::time_driver;

    /// What goes from one task to another: all of them run in one executor.
    type Channel<T> = Signal<NoopRawMutex, T>;

    /// The way to a module and back.
    struct Post<const ACTORS: usize> {
        levels: Channel<[u8; ACTORS]>,
        took: Channel<Duration>,
    }

    impl<const ACTORS: usize> Post<ACTORS> {
        const fn new() -> Self {
            Self { levels: Signal::new(), took: Signal::new() }
        }

        /// Has the module work at those levels, and tells what that took.
        async fn work(&self, levels: [u8; ACTORS]) -> u64 {
            self.levels.signal(levels);
            self.took.wait().await.as_micros() * 1_000
        }

        /// Works whenever somebody wants it.
        async fn serve(&self, mut work: impl FnMut(&[u8; ACTORS])) -> ! {
            loop {
                let levels = self.levels.wait().await;
                let start = Instant::now();
                work(&levels);
                self.took.signal(start.elapsed());
            }
        }
    }

    static SCENE: ConstStaticCell<Scene> = ConstStaticCell::new(Scene::new());
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

    /// Decides for every frame, and feeds the watchdog while both modules answer.
    async fn direct(to_sound: &Post<VOICES>, to_sparks: &Post<EMITTERS>) -> Result<(), SceneError> {
        let scene = SCENE.take();
        let mut handles = SceneHandles::new(scene)?;
        let mut test = BudgetTest::default();
        let mut frames = Ticker::every(Duration::from_millis(FRAME_MS.into()));
        while let Some(budget) = test.budget_ns() {
            WATCHDOG.feed(4 * FRAME_MS * (CLOCK / 1_000));
            frames.next().await;
            handles.move_on(scene)?;
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

#[cfg(not(target_os = "none"))]
fn main() {}
