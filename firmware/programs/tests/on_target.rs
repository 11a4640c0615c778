//! Tests on a board, each after a reset: through a debug probe with `cargo test`, in QEMU with `cargo xtask test`. They
//! cover clock, LED and the square root instruction, which depend on the hardware, and memory, which is scarce on boards.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
#[embedded_test::tests]
mod tests {
    #[cfg(target_arch = "arm")]
    use core::hint::black_box;

    use embedded_hal::digital::{OutputPin, StatefulOutputPin};
    use lodger_core::budget::Leftovers;
    use lodger_core::importance::DistanceImportance::SolidAngle;
    use lodger_core::units::Budget;
    use lodger_core::{Fixed, Real};
    use lodger_firmware::clock::Clock;
    use lodger_firmware::scene::{DemoScene, Setup};
    use lodger_programs::bench_scene::{BenchScene, ROWS};
    #[cfg(target_arch = "arm")]
    use lodger_programs::board::StackUse;
    use lodger_programs::board::{self, Board, BoardNumber, HostLink};

    #[init]
    fn init() {
        // Panics need the host.
        let _ = HostLink::open();
    }

    /// The numbers of src/bin/decide.out.
    #[test]
    fn decisions_equal_the_log_of_decide() {
        let mut scene = BenchScene::<Fixed>::new(SolidAngle, ROWS).unwrap();
        let budget = scene.scarce();
        assert_eq!(budget, 727_307);
        let decided = [0, 1, 2, 3].map(|shift| {
            let decision = scene.tick(budget >> shift, Leftovers::Keep);
            (decision.scale.bits(), decision.assigned)
        });
        let expected = [
            (0x8000_0000, 435_000),
            (0x3fff_fa3b, 140_000),
            (0x1fff_f759, 40_000),
            (0x0fff_fbac, 0),
        ];
        assert_eq!(decided, expected);
    }

    /// Both parities of the exponent, the smallest and the greatest numbers, and subnormal ones.
    #[test]
    fn square_roots_are_the_nearest_numbers() {
        const MANTISSA: u32 = (1 << 23) - 1;
        let starts = [0, 1, 126, 127, 128, 253, 254].map(|exponent: u32| exponent << 23);
        let ends = starts.iter().flat_map(|start| [start + 1, start + MANTISSA]);
        // 20 011 is prime.
        let between = starts
            .iter()
            .flat_map(|start| (0..MANTISSA).step_by(20_011).map(move |bits| start + bits));
        for value in ends.chain(between).map(f32::from_bits) {
            // The root of 53 bits, rounded once more, is the nearest of 24 bits.
            #[allow(clippy::cast_possible_truncation)] // to the nearest
            let nearest = f64::from(value).sqrt() as f32;
            assert_eq!(Real::sqrt(value).to_bits(), nearest.to_bits(), "{value}");
        }
        assert_eq!(Real::sqrt(f32::INFINITY).to_bits(), f32::INFINITY.to_bits());
    }

    #[test]
    fn the_clock_advances_and_never_goes_back() {
        let mut clock = board::take().unwrap().clock;
        let start = clock.now();
        let mut last = start;
        for _ in 0..10_000 {
            let now = clock.now();
            assert!(now >= last);
            last = now;
        }
        // Ten thousand readings take more than ten microseconds and less than ten seconds.
        assert!((10_000..10_000_000_000).contains(&(last - start)), "{}", last - start);
    }

    #[test]
    fn the_board_is_taken_once() {
        assert!(board::take().is_some());
        assert!(board::take().is_none());
    }

    #[test]
    fn the_host_is_opened_once() {
        // `init` has opened it.
        assert!(HostLink::open().is_none());
    }

    #[cfg(target_arch = "arm")]
    #[test]
    fn used_stack_is_measured_and_never_shrinks() {
        let before = StackUse::measure();
        assert!(before.used > 0 && before.left > 0);
        let deep = use_stack();
        let after = StackUse::measure();
        assert!(after.used >= before.used.max(deep), "{} bytes", after.used);
        assert_eq!(after.used + after.left, before.used + before.left);
    }

    #[cfg(target_arch = "arm")]
    #[inline(never)]
    fn use_stack() -> usize {
        size_of_val(black_box(&[1_u32; 500]))
    }

    #[test]
    fn the_led_is_off_first_and_follows_its_pin() {
        let mut led = board::take().unwrap().led;
        assert!(led.is_set_low().unwrap());
        led.set_high().unwrap();
        assert!(led.is_set_high().unwrap());
        led.set_low().unwrap();
        assert!(led.is_set_low().unwrap());
    }

    #[test]
    fn unit_costs_become_what_the_clock_measures() {
        let Board { clock, led, mut display } = board::take().unwrap();
        let mut scene = DemoScene::<BoardNumber, _, _>::new(clock, led);
        scene.populate(Setup::new().unwrap());
        let mut near = 0;
        for frame in 0..60 {
            let _ = scene.app.frame(&mut display, |report| {
                let [planned, measured] = [report.planned(), report.measured()];
                let is_near = planned.abs_diff(measured) * 5 < measured;
                near += u32::from(frame >= 40 && is_near);
            });
        }
        // Other work may take time in some frames.
        assert!(near >= 15, "{near} of 20 frames");
    }

    #[test]
    fn the_led_is_on_after_a_frame_over_budget() {
        let Board { clock, led, mut display } = board::take().unwrap();
        let mut scene = DemoScene::<BoardNumber, _, _>::new(clock, led);
        scene.populate(Setup::new().unwrap());
        let mut is_on = |budget| {
            scene.app.budget = budget;
            let _ = scene.app.frame(&mut display, |_| {});
            scene.app.pin.is_set_high().unwrap()
        };
        assert!(is_on(Budget::from_ns(1)));
        assert!(!is_on(Budget::UNLIMITED));
    }
}

#[cfg(not(target_os = "none"))]
fn main() {}
