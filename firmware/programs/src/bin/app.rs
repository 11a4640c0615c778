//! Tests the scene: without a budget, under budgets that halve, with forced levels, with an unmanaged module, under a budget
//! of 1 ns, with an invalid actor, and with one actor too many.
//!
//! The log is the same on every board, and with `DEFMT_LOG=debug` has every frame. The exit code is 1 if the work did not
//! follow the budget.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
mod device {
    use core::ops::RangeInclusive;

    use embedded_hal::digital::StatefulOutputPin;
    use lodger_core::budget::Lod;
    use lodger_core::units::Budget;
    use lodger_firmware::app::{FrameError, PARTICLES};
    use lodger_firmware::clock::Clock;
    use lodger_firmware::display::Display;
    use lodger_firmware::report::{FrameReport, ModuleFrameReport};
    use lodger_firmware::scene::{CLOTHS, DemoScene, LEVELS, SWARMS};
    use lodger_programs::board::{
        self, Board, BoardNumber, COUNTS_INSTRUCTIONS, DEMO_SCENE_SIZE, HostLink, demo_parts,
        finish,
    };
    use lodger_programs::static_buffer::StaticBuffer;
    use static_cell::ConstStaticCell;

    const FRAMES: u32 = 40;
    /// The number of first frames that do not count.
    const PATIENCE: u32 = 10;
    /// The accepted numbers of frames over budget; interrupts and probes may take time.
    const STOLEN: RangeInclusive<u32> = if COUNTS_INSTRUCTIONS { 0..=0 } else { 0..=6 };

    #[board::entry]
    fn main() -> ! {
        let _host = HostLink::open();
        let outcome = test().ok_or(());
        board::report_stack();
        finish(&outcome)
    }

    fn test() -> Option<()> {
        let (setup, Board { clock, led, mut display }) = demo_parts()?;
        let buffer = BUFFER.try_take()?;
        let scene = buffer.keep(|| DemoScene::new(clock, led));
        scene.populate(setup);
        AppTest { scene, display: &mut display, log: AppLog::default() }.run()
    }

    static BUFFER: ConstStaticCell<StaticBuffer<DEMO_SCENE_SIZE>> =
        ConstStaticCell::new(StaticBuffer::EMPTY);

    fn holds(condition: bool) -> Option<()> {
        condition.then_some(())
    }

    struct AppTest<'a, C, L, D> {
        scene: &'a mut DemoScene<BoardNumber, C, L>,
        display: &'a mut D,
        log: AppLog,
    }

    impl<C: Clock, L: StatefulOutputPin, D: Display> AppTest<'_, C, L, D> {
        fn run(&mut self) -> Option<()> {
            let full = self.unlimited()?;
            let outcomes = [
                self.limited(full, 2),
                self.limited(full, 4),
                self.forced(full),
                self.unmanaged(full),
                self.nothing(),
                self.invalid_actors(),
            ];
            outcomes.into_iter().collect()
        }

        /// Returns the time of a frame with all actors at the highest level, in nanoseconds.
        fn unlimited(&mut self) -> Option<u64> {
            self.frames(Budget::UNLIMITED);
            let highest = [self.log.cloth, self.log.particles].map(at_highest);
            let all = highest.map(usize::from) == [CLOTHS, SWARMS];
            defmt::info!("no budget: all at the highest level {=bool}", all);
            all.then_some(self.log.least)
        }

        fn limited(&mut self, full: u64, part: u64) -> Option<()> {
            let within = self.frames(Budget::from_ns(full / part));
            let used = self.log.measured >= full / part / 2;
            defmt::info!(
                "budget 1/{=u64}: within 110 % after 10 frames {=bool}, more than half used {=bool}",
                part,
                within,
                used
            );
            holds(within && used)
        }

        fn forced(&mut self, full: u64) -> Option<()> {
            let (cloth, swarm) = self.scene.cloth.zip(self.scene.swarm)?;
            let scene = &mut self.scene.app.scene;
            scene.force_lod(cloth, Some(Lod::new(u8::MAX, 0))).ok()?;
            scene.force_lod(swarm, Some(Lod::ZERO)).ok()?;
            let within = self.frames(Budget::from_ns(full / 2));
            let scene = &mut self.scene.app.scene;
            let levels = [cloth, swarm].map(|id| scene.plan().level(id).map(usize::from));
            let kept = levels == [Some(LEVELS - 1), Some(0)] && self.log.fixed > 0;
            defmt::info!(
                "a cloth and a swarm forced: as chosen {=bool}, within 110 % {=bool}",
                kept,
                within
            );
            scene.force_lod(cloth, None).ok()?;
            scene.force_lod(swarm, None).ok()?;
            holds(kept && within)
        }

        fn unmanaged(&mut self, full: u64) -> Option<()> {
            self.scene.app.scene.set_managed(PARTICLES, false).ok()?;
            let within = self.frames(Budget::from_ns(full / 4 * 3));
            self.scene.app.scene.set_managed(PARTICLES, true).ok()?;
            let wanted = usize::from(at_highest(self.log.particles)) == SWARMS;
            let rest = usize::from(at_highest(self.log.cloth)) < CLOTHS;
            defmt::info!(
                "swarms not managed: at the highest level {=bool}, cloths below {=bool}, within 110 % {=bool}",
                wanted,
                rest,
                within
            );
            holds(wanted && rest && within)
        }

        fn nothing(&mut self) -> Option<()> {
            self.frames(Budget::from_ns(1));
            let is_on = self.scene.app.pin.is_set_high().unwrap_or(false);
            defmt::info!("a budget of nothing: the lamp is on {=bool}", is_on);
            holds(is_on)
        }

        fn invalid_actors(&mut self) -> Option<()> {
            holds(self.scene.set_backwards(true))?;
            self.frames(Budget::UNLIMITED);
            let problem = self.scene.one_too_many();
            defmt::info!("a fifth cloth: {}", problem);
            holds(self.log.quarantined == 1 && problem.is_some())
        }

        /// Returns whether the work keeps the budget within 110 % after the first frames.
        fn frames(&mut self, budget: Budget) -> bool {
            self.scene.app.budget = budget;
            let limit = budget.ns().map_or(u64::MAX, |budget| budget / 10 * 11);
            let mut over = 0;
            for frame in 0..FRAMES {
                match self.scene.app.frame(self.display, |report| self.log.frame(report)) {
                    Ok(()) => {}
                    Err(FrameError::Display(_)) => defmt::warn!("no display answers"),
                    Err(FrameError::Pin(_)) => defmt::warn!("the lamp does not answer"),
                }
                if frame == PATIENCE {
                    self.log.least = self.log.measured;
                }
                over += u32::from(frame >= PATIENCE && self.log.measured > limit);
            }
            defmt::debug!("over {=u64} ns: {=u32} frames", limit, over);
            STOLEN.contains(&over)
        }
    }

    fn at_highest(module: Option<ModuleFrameReport>) -> u16 {
        module.and_then(|module| module.levels.get(LEVELS - 1).copied()).unwrap_or(0)
    }

    /// The last frame, and conditions that are logged when they change.
    #[derive(Default)]
    struct AppLog {
        overcommitted: bool,
        quarantined: u16,
        measured: u64,
        /// The shortest frame since this was set.
        least: u64,
        fixed: u64,
        cloth: Option<ModuleFrameReport>,
        particles: Option<ModuleFrameReport>,
    }

    impl AppLog {
        fn frame(&mut self, report: &FrameReport) {
            defmt::debug!("{}", report);
            let overcommitted = report.decision.overcommit > 0;
            if overcommitted != self.overcommitted {
                defmt::warn!("even the lowest levels exceed the budget: {=bool}", overcommitted);
            }
            if report.quarantined() != self.quarantined {
                defmt::warn!("quarantined actors: {=u16}", report.quarantined());
            }
            (self.overcommitted, self.quarantined) = (overcommitted, report.quarantined());
            (self.measured, self.fixed) = (report.measured(), report.fixed);
            self.least = self.least.min(self.measured);
            (self.cloth, self.particles) = (Some(report.cloth), Some(report.particles));
        }
    }
}

#[cfg(not(target_os = "none"))]
fn main() {}
