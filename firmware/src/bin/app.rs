//! The app tests itself: unlimited, then under budgets that halve, then under one that nothing fits,
//! with an actor that goes bad and one too many.
//!
//! It logs what is the same on every board, and exits with 1 when the work did not follow the budget;
//! with `DEFMT_LOG=debug` it logs every frame.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
mod device {
    use embedded_hal::digital::StatefulOutputPin;
    use lodger_core::benefit::State;
    use lodger_core::units::{BenefitValue, Budget, UnitCost};
    use lodger_core::{Error, Real};
    use lodger_firmware::app::{Actor, ActorId, App, Module, Parts, Viewer};
    use lodger_firmware::board::{self, Board, Host, Number, exit, finish};
    use lodger_firmware::clock::Clock;
    use lodger_firmware::cloth::{self, Cloth};
    use lodger_firmware::display::Display;
    use lodger_firmware::particles::{self, Swarm};
    use lodger_firmware::report::{FrameReport, Report};

    const CLOTHS: usize = 4;
    const SWARMS: usize = 4;
    type Body = Cloth<Number, 5>;
    type Particles = Swarm<16>;
    type BoardParts<C, L> = Parts<Number, Body, Particles, C, L, CLOTHS, SWARMS>;
    type BoardApp<C, L> = App<Number, Body, Particles, C, L, CLOTHS, SWARMS>;

    /// Frames until a budget has to be followed, and frames under it.
    const PATIENCE: u32 = 10;
    const FRAMES: u32 = 40;

    #[cortex_m_rt::entry]
    fn main() -> ! {
        let _host = Host::open();
        let Some(Board { clock, lamp, mut display }) = board::take() else { exit(1) };
        let mut app = match empty(clock, lamp) {
            Ok(parts) => App::new(parts),
            Err(error) => {
                defmt::error!("{}", error);
                exit(1)
            }
        };
        let first = populate(&mut app);
        finish(&run(&mut app, &mut display, first).then_some(()).ok_or(()))
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
    fn empty<C, L>(clock: C, pin: L) -> Result<BoardParts<C, L>, Error> {
        // Guesses; what they really are is found out.
        let unit_cost = UnitCost::from_ns(1_000.0)?;
        let value = BenefitValue::from_ms(50.0)?;
        Ok(Parts {
            cloth: Module::new(cloth::rule()?, unit_cost, value),
            particles: Module::new(particles::rule()?, unit_cost, value),
            clock,
            pin,
            viewer: Viewer::new([number(-1.0); 3], [number(1.0); 3], number(0.02)),
            budget: Budget::UNLIMITED,
            time: number(1.0 / 32.0),
        })
    }

    /// As many actors as there is room for; returns the first cloth.
    fn populate<C: Clock, L: StatefulOutputPin>(app: &mut BoardApp<C, L>) -> Option<ActorId> {
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

    fn run<C: Clock, L: StatefulOutputPin>(
        app: &mut BoardApp<C, L>,
        display: &mut impl Display,
        first: Option<ActorId>,
    ) -> bool {
        let mut log = Log::default();
        frames(app, display, &mut log);
        defmt::info!("no budget: all at the highest level {=bool}", log.all_highest());
        let mut followed = log.all_highest();
        let full = log.measured;
        for part in [2, 4] {
            app.parts().budget = Budget::from_ns(full / part);
            let highest = frames(app, display, &mut log);
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
        frames(app, display, &mut log);
        let is_on = app.parts().pin.is_set_high().unwrap_or(false);
        followed &= is_on;
        defmt::info!("a budget of nothing: the lamp is on {=bool}", is_on);
        followed & misfortunes(app, display, &mut log, first)
    }

    /// An actor goes bad, and another one finds no room.
    fn misfortunes<C: Clock, L: StatefulOutputPin>(
        app: &mut BoardApp<C, L>,
        display: &mut impl Display,
        log: &mut Log,
        first: Option<ActorId>,
    ) -> bool {
        app.parts().budget = Budget::UNLIMITED;
        let backwards = State { speed: number(-1.0), ..place(0.0, -3.0) };
        let found = first.is_some_and(|id| app.parts().cloth.set_state(id, backwards));
        frames(app, display, log);
        let refused = app.parts().cloth.spawn(cloth(0.0)).err().map(|refused| refused.why);
        defmt::info!("a fifth cloth: {}", refused);
        found && log.quarantined == 1 && refused.is_some()
    }

    /// Runs some frames, and returns the most that one took after the first few.
    fn frames<C: Clock, L: StatefulOutputPin>(
        app: &mut BoardApp<C, L>,
        display: &mut impl Display,
        log: &mut Log,
    ) -> u64 {
        let mut most = 0;
        for frame in 0..FRAMES {
            if app.frame(display, log).is_err() {
                defmt::warn!("the display or the lamp does not answer");
            }
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
}

#[cfg(not(target_os = "none"))]
fn main() {}
