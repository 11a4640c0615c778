//! The app on an emulated board: unlimited, then under budgets that halve, then under one that
//! nothing fits, with an actor that goes bad and one too many.
//!
//! Its time is counted in instructions, an instruction being a nanosecond. It logs what is the same
//! on every board, and exits with 1 when the work did not follow the budget; with `DEFMT_LOG=debug`
//! it logs every frame. It means something under `-icount shift=6` only.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
mod device {
    use core::convert::Infallible;

    use cortex_m::peripheral::SYST;
    use cortex_m::peripheral::syst::SystClkSource;
    use defmt_semihosting as _;
    use embedded_hal::digital::{ErrorType, OutputPin};
    use lodger_core::benefit::State;
    use lodger_core::units::{BenefitValue, Budget, UnitCost};
    use lodger_core::{Error, Real};
    use lodger_firmware::app::{Actor, ActorId, App, Module, Parts, Viewer};
    use lodger_firmware::board::{Number, TICKS_PER_1000_INSTRUCTIONS, exit, finish};
    use lodger_firmware::clock::{TickRate, Ticks};
    use lodger_firmware::cloth::{self, Cloth};
    use lodger_firmware::display::FrameBuffer;
    use lodger_firmware::particles::{self, Swarm};
    use lodger_firmware::report::{FrameReport, Report};

    const CLOTHS: usize = 4;
    const SWARMS: usize = 4;
    type Body = Cloth<Number, 5>;
    type Particles = Swarm<16>;
    type Instructions = Ticks<fn() -> u32>;
    type BoardParts = Parts<Number, Body, Particles, Instructions, Lamp, CLOTHS, SWARMS>;
    type BoardApp = App<Number, Body, Particles, Instructions, Lamp, CLOTHS, SWARMS>;

    /// Frames until a budget has to be followed, and frames under it.
    const PATIENCE: u32 = 10;
    const FRAMES: u32 = 40;

    #[cortex_m_rt::entry]
    fn main() -> ! {
        let Some(clock) = clock() else { exit(1) };
        let mut app = match empty(clock) {
            Ok(parts) => App::new(parts),
            Err(error) => {
                defmt::error!("{}", error);
                exit(1)
            }
        };
        let first = populate(&mut app);
        finish(&run(&mut app, first).then_some(()).ok_or(()))
    }

    /// `SysTick`, whose ticks are taken for instructions.
    fn clock() -> Option<Instructions> {
        let mut timer = cortex_m::Peripherals::take()?.SYST;
        timer.set_clock_source(SystClkSource::Core);
        timer.set_reload(0xff_ffff);
        timer.clear_current();
        timer.enable_counter();
        // So many ticks in a thousand instructions are so many in a microsecond.
        let rate = TickRate::from_hz(TICKS_PER_1000_INSTRUCTIONS * 1_000_000);
        Some(Ticks::new(|| !SYST::get_current(), 24, rate))
    }

    fn number(value: f64) -> Number {
        Number::from_f64(value).unwrap_or(Number::ZERO)
    }

    fn place(x: f64, z: f64) -> State<Number> {
        let [x, z] = [x, z].map(number);
        State { position: [x, Number::ZERO, z], age: Number::ZERO, speed: Number::ZERO }
    }

    fn cloth(x: f64) -> Actor<Number, Body> {
        Actor { state: place(x, -3.0), radius: number(1.0), body: Cloth::new(number(1.5)) }
    }

    /// A scene without actors.
    fn empty(clock: Instructions) -> Result<BoardParts, Error> {
        // Guesses; what they really are is found out.
        let unit_cost = UnitCost::from_ns(1_000.0)?;
        let value = BenefitValue::from_ms(50.0)?;
        Ok(Parts {
            cloth: Module::new(cloth::rule()?, unit_cost, value),
            particles: Module::new(particles::rule()?, unit_cost, value),
            clock,
            pin: Lamp::default(),
            viewer: Viewer::new([number(-1.0); 3], [number(1.0); 3], number(0.02)),
            budget: Budget::UNLIMITED,
            time: number(1.0 / 32.0),
        })
    }

    /// As many actors as there is room for; returns the first cloth.
    fn populate(app: &mut BoardApp) -> Option<ActorId> {
        let mut first = None;
        for x in [-2.0, -0.7, 0.7, 2.0] {
            first = first.or(app.parts().cloth.spawn(cloth(x)).ok());
        }
        for (x, seed) in [-1.5, -0.5, 0.5, 1.5].into_iter().zip(1..) {
            let (state, radius) = (place(x, -2.0 - x), number(0.7));
            let swarm = Actor { state, radius, body: Swarm::new(1.4, seed) };
            let _ = app.parts().particles.spawn(swarm);
        }
        first
    }

    fn run(app: &mut BoardApp, first: Option<ActorId>) -> bool {
        let mut log = Log::default();
        frames(app, &mut log);
        defmt::info!("no budget: all at the highest level {=bool}", log.all_highest());
        let mut followed = log.all_highest();
        let full = log.measured;
        for part in [2, 4] {
            app.parts().budget = Budget::from_ns(full / part);
            let highest = frames(app, &mut log);
            let within = highest <= full / part / 10 * 11;
            let used = log.measured >= full / part / 2;
            defmt::info!(
                "budget 1/{=u64}: within 110 % after 10 frames {=bool}, more than half used {=bool}",
                part,
                within,
                used
            );
            defmt::debug!(
                "of {=u64}, at most {=u64}, last {=u64}",
                full / part,
                highest,
                log.measured
            );
            followed &= within && used;
        }
        app.parts().budget = Budget::from_ns(1);
        frames(app, &mut log);
        followed &= app.parts().pin.is_on;
        defmt::info!("a budget of nothing: the lamp is on {=bool}", app.parts().pin.is_on);
        followed & misfortunes(app, &mut log, first)
    }

    /// An actor goes bad, and another one finds no room.
    fn misfortunes(app: &mut BoardApp, log: &mut Log, first: Option<ActorId>) -> bool {
        app.parts().budget = Budget::UNLIMITED;
        let backwards = State { speed: number(-1.0), ..place(0.0, -3.0) };
        let found = first.is_some_and(|id| app.parts().cloth.set_state(id, backwards));
        frames(app, log);
        let refused = app.parts().cloth.spawn(cloth(0.0)).err().map(|refused| refused.why);
        defmt::info!("a fifth cloth: {}", refused);
        found && log.quarantined == 1 && refused.is_some()
    }

    /// Runs some frames, and returns the most that one took after the first few.
    fn frames(app: &mut BoardApp, log: &mut Log) -> u64 {
        let mut display = FrameBuffer::<128, 8>::new();
        let mut most = 0;
        for frame in 0..FRAMES {
            // A lamp and memory: neither ever says no.
            let _ = app.frame(&mut display, log);
            if frame >= PATIENCE {
                most = most.max(log.measured);
            }
        }
        most
    }

    /// What turned for the worse, and the last frame.
    #[derive(Default)]
    struct Log {
        overcommitted: bool,
        quarantined: u16,
        measured: u64,
        highest: [u16; 2],
    }

    impl Log {
        fn all_highest(&self) -> bool {
            self.highest.map(usize::from) == [CLOTHS, SWARMS]
        }
    }

    impl Report for Log {
        fn frame(&mut self, report: &FrameReport) {
            defmt::debug!("{}", report);
            let overcommitted = report.settlement.overcommit > 0;
            if overcommitted != self.overcommitted {
                defmt::warn!("even the lowest levels exceed the budget: {=bool}", overcommitted);
            }
            if report.quarantined() != self.quarantined {
                defmt::warn!("quarantined actors: {=u16}", report.quarantined());
            }
            (self.overcommitted, self.quarantined) = (overcommitted, report.quarantined());
            self.measured = report.measured();
            self.highest = [report.cloth.levels[4], report.particles.levels[4]];
        }
    }

    /// The lamp that an emulated board does not have.
    #[derive(Default)]
    struct Lamp {
        is_on: bool,
    }

    impl ErrorType for Lamp {
        type Error = Infallible;
    }

    impl OutputPin for Lamp {
        fn set_low(&mut self) -> Result<(), Infallible> {
            self.is_on = false;
            Ok(())
        }

        fn set_high(&mut self) -> Result<(), Infallible> {
            self.is_on = true;
            Ok(())
        }
    }
}

#[cfg(not(target_os = "none"))]
fn main() {}
