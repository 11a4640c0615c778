//! Shows the ledger at work, for ever: the scene on the display, the lamp in frames that took too
//! long, and every frame as a message for `lodger board monitor`. The budget halves and doubles
//! every few seconds.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
mod device {
    use embedded_hal::digital::OutputPin;
    use lodger_core::units::Budget;
    use lodger_firmware::app::Fault;
    use lodger_firmware::clock::Clock;
    use lodger_firmware::display::Display;
    use lodger_firmware::report::{FrameReport, Report};
    use lodger_firmware::scene::{FRAMES_PER_SECOND, Scene, Setup};
    use lodger_programs::board::{self, Board, Host, Number, exit};
    use lodger_programs::place::{Place, bytes};
    use lodger_wire::telemetry::{Frame, SIZE};
    use static_cell::ConstStaticCell;

    /// How long a budget stays, and how much of what everybody at the highest level takes each is: so
    /// many times a half of it.
    const FRAMES: u32 = 3 * FRAMES_PER_SECOND;
    const HALVINGS: [u32; 6] = [1, 2, 3, 4, 3, 2];
    /// In nanoseconds.
    const FRAME: u64 = 1_000_000_000 / FRAMES_PER_SECOND as u64;

    #[board::entry]
    fn main() -> ! {
        let Some(host) = Host::open() else { exit(1) };
        defmt::info!("{=str}: everybody at the highest level, to see what that takes", board::NAME);
        let place = PLACE.try_take();
        let Some((place, (setup, Board { clock, lamp, mut display }))) = place.zip(parts()) else {
            exit(1)
        };
        let scene = place.keep(|| Scene::new(clock, lamp));
        scene.populate(setup);
        run(scene, &mut display, Telemetry { host, full: u64::MAX })
    }

    /// Where the scene is.
    static PLACE: ConstStaticCell<Place<SCENE>> = ConstStaticCell::new(Place::EMPTY);

    /// How many bytes it takes.
    const SCENE: usize =
        bytes(parts, |(_, Board { clock, lamp, .. })| Scene::<Number, _, _>::new(clock, lamp));

    type Parts<C, L, D> = (Setup<Number>, Board<C, L, D>);

    fn parts() -> Option<Parts<impl Clock, impl OutputPin, impl Display>> {
        match Setup::new() {
            Ok(setup) => Some((setup, board::take()?)),
            Err(error) => {
                defmt::error!("{}", error);
                None
            }
        }
    }

    fn run<C: Clock, L: OutputPin>(
        scene: &mut Scene<Number, C, L>,
        display: &mut impl Display,
        mut telemetry: Telemetry,
    ) -> ! {
        let app = &mut scene.app;
        let mut next = app.parts().clock.now();
        let mut halvings = HALVINGS.into_iter().cycle();
        loop {
            for _ in 0..FRAMES {
                match app.frame(display, &mut telemetry) {
                    Ok(()) => {}
                    Err(Fault::Display(_)) => defmt::warn!("no display answers"),
                    Err(Fault::Pin(_)) => defmt::warn!("the lamp does not answer"),
                }
                next = next.saturating_add(FRAME).max(app.parts().clock.now());
                while app.parts().clock.now() < next {}
            }
            let budget = telemetry.full >> halvings.next().unwrap_or(0);
            app.parts().budget = Budget::from_ns(budget);
            defmt::info!("the budget is {=u64} us now", budget / 1_000);
        }
    }

    /// Sends the frames, and keeps the least that the work took while the budget had no limit: other
    /// things may take time in any one frame.
    struct Telemetry {
        host: Host,
        full: u64,
    }

    impl Report for Telemetry {
        fn frame(&mut self, report: &FrameReport) {
            if report.budget.ns().is_none() {
                self.full = self.full.min(report.measured());
            }
            if let Some(bytes) = Frame::from(report).encode(&mut [0; SIZE]) {
                // Nobody may be there to read it, and the next frame is as good.
                let _ = self.host.offer(bytes);
            }
        }
    }
}

#[cfg(not(target_os = "none"))]
fn main() {}
