//! Runs the scene endlessly: on the display, with an LED for frames over budget, and with a message of every frame for
//! `lodger board monitor`. The budget halves or doubles every few seconds.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
mod device {
    use embedded_hal::digital::OutputPin;
    use lodger_core::units::Budget;
    use lodger_firmware::app::FrameError;
    use lodger_firmware::clock::Clock;
    use lodger_firmware::display::Display;
    use lodger_firmware::report::FrameReport;
    use lodger_firmware::scene::{DemoScene, FRAMES_PER_SECOND};
    use lodger_programs::board::{
        self, Board, BoardNumber, DEMO_SCENE_SIZE, HostLink, demo_parts, exit,
    };
    use lodger_programs::static_buffer::StaticBuffer;
    use lodger_wire::telemetry::{SIZE, TelemetryFrame};
    use static_cell::ConstStaticCell;

    const FRAMES: u32 = 3 * FRAMES_PER_SECOND;
    /// Budgets: the full time of a frame, halved this many times.
    const HALVINGS: [u32; 6] = [1, 2, 3, 4, 3, 2];
    const FRAME: u64 = 1_000_000_000 / FRAMES_PER_SECOND as u64;

    #[board::entry]
    fn main() -> ! {
        let Some(host) = HostLink::open() else { exit(1) };
        defmt::info!(
            "{=str}: all actors at the highest level, to see what that takes",
            board::NAME
        );
        let buffer = BUFFER.try_take();
        let Some((buffer, (setup, Board { clock, led, mut display }))) = buffer.zip(demo_parts())
        else {
            exit(1)
        };
        let scene = buffer.keep(|| DemoScene::new(clock, led));
        scene.populate(setup);
        run(scene, &mut display, TelemetrySink { host, full: u64::MAX })
    }

    static BUFFER: ConstStaticCell<StaticBuffer<DEMO_SCENE_SIZE>> =
        ConstStaticCell::new(StaticBuffer::EMPTY);

    fn run<C: Clock, L: OutputPin>(
        scene: &mut DemoScene<BoardNumber, C, L>,
        display: &mut impl Display,
        mut telemetry: TelemetrySink,
    ) -> ! {
        let app = &mut scene.app;
        let mut next = app.clock.now();
        let mut halvings = HALVINGS.into_iter().cycle();
        loop {
            for _ in 0..FRAMES {
                match app.frame(display, |report| telemetry.send(report)) {
                    Ok(()) => {}
                    Err(FrameError::Display(_)) => defmt::warn!("no display answers"),
                    Err(FrameError::Pin(_)) => defmt::warn!("the lamp does not answer"),
                }
                next = next.saturating_add(FRAME).max(app.clock.now());
                while app.clock.now() < next {}
            }
            let budget = telemetry.full >> halvings.next().unwrap_or(0);
            app.budget = Budget::from_ns(budget);
            defmt::info!("the budget is {=u64} us now", budget / 1_000);
        }
    }

    /// Sends frames, and keeps the shortest time of the work without a budget.
    struct TelemetrySink {
        host: HostLink,
        full: u64,
    }

    impl TelemetrySink {
        fn send(&mut self, report: &FrameReport) {
            if report.budget.ns().is_none() {
                self.full = self.full.min(report.measured());
            }
            if let Some(bytes) = TelemetryFrame::from(report).encode(&mut [0; SIZE]) {
                // Without a reader the frame is lost.
                let _ = self.host.try_send(bytes);
            }
        }
    }
}

#[cfg(not(target_os = "none"))]
fn main() {}
