//! A frame loop whose work follows a budget: voices and emitters of sparks, each with five levels.
#![no_std]
#![no_main]

use core::convert::Infallible;
use core::hint::black_box;
use core::num::NonZeroU32;
use core::panic::PanicInfo;

#[cfg(not(feature = "qemu"))]
use defmt_rtt as _;
#[cfg(feature = "qemu")]
use defmt_semihosting as _;
use lodger_firmware::clock::Clock;
use lodger_heapless::{
    Actor, Benefit, BenefitRule, BenefitTerms, BenefitValue, Budget, Fixed, Hysteresis, Module,
    Scene, SceneError, SelfTimed, UnitCost,
};
use static_cell::StaticCell;

mod board;

/// The time of a frame, and the part of it for the tick and the work, in nanoseconds.
const FRAME: u64 = 10_000_000;
const BUDGET: u64 = 5_000_000;

const VOICES: usize = 12;
const EMITTERS: usize = 6;
/// The units of work of an actor at each level.
const SAMPLES: [u32; 5] = [24, 48, 96, 192, 384];
const SPARKS: [u32; 5] = [6, 12, 24, 48, 96];

/// The modules, which the compiler checks. Unit costs are estimates, which measurements correct; a benefit of 1 is worth 1 ms
/// of a frame.
const SOUND_MODULE: Module<Fixed> = module(1_000);
const SPARK_MODULE: Module<Fixed> = module(4_000).rule(&NEARBY);
/// Sparks count up to a distance of 20 m.
static NEARBY: BenefitRule<Fixed> = match BenefitRule::new_fixed(BenefitTerms {
    max_distance: Some(Fixed::from_int(20)),
    ..BenefitTerms::DISTANCE
}) {
    Ok(rule) => rule,
    Err(_) => panic!("invalid terms"),
};

const fn module(unit_ns: u32) -> Module<Fixed> {
    let unit_cost = UnitCost::from_units(NonZeroU32::new(unit_ns).unwrap());
    Module::new(unit_cost).benefit_value(BenefitValue::from_units(1_000_000))
}

/// Two modules, and as many levels as both arrays have. `f32` in place of `Fixed` suits a floating-point unit.
type AppScene = Scene<Fixed, 2, { VOICES + EMITTERS }, 10, SelfTimed>;

/// `init_with` makes the scene at the start of the program. A `ConstStaticCell` would keep a copy of it in flash.
static SCENE: StaticCell<AppScene> = StaticCell::new();

#[board::entry]
fn main() -> ! {
    let clock = board::start();
    let Err(error) = run(clock, SCENE.init_with(Scene::new));
    defmt::panic!("{}", error)
}

fn run(mut clock: impl Clock, scene: &mut AppScene) -> Result<Infallible, SceneError> {
    let [sound, sparks] = [scene.add_module(SOUND_MODULE)?, scene.add_module(SPARK_MODULE)?];
    let loud = Benefit::new(1.0)?;
    for _ in 0..VOICES {
        scene.spawn(sound, Actor::from_benefit(loud, &SAMPLES))?;
    }
    for x in (0..).take(EMITTERS) {
        let place = [x, 1, 2].map(Fixed::from_int);
        scene.spawn(sparks, Actor::at(place, Fixed::from_int(1), &SPARKS))?;
    }
    scene.set_hysteresis(Hysteresis::TYPICAL);

    let (mut frame, mut over) = (0_u32, 0);
    let mut due = clock.now();
    loop {
        // A product sleeps here until the interrupt of a timer.
        while clock.now() < due {}
        due += FRAME;

        // Changes since the last frame, then the levels of all actors.
        scene.set_eyes(&[[(frame / 100 % 6) as i16, 0, 0].map(Fixed::from_int)])?;
        let decide = clock.now();
        let plan = scene.tick(Budget::from_ns(BUDGET));

        // The work, one module at a time.
        let start = clock.now();
        plan.levels(sound).for_each(|(_, level)| work(&SAMPLES, level, 4));
        let middle = clock.now();
        plan.levels(sparks).for_each(|(_, level)| work(&SPARKS, level, 16));
        let end = clock.now();

        // The times of the tick and of the work, for the plan of the next frame.
        scene.observe_own_time(start - decide);
        scene.observe_time(sound, middle - start)?;
        scene.observe_time(sparks, end - middle)?;
        // In the first frames, costs are learned.
        over += u32::from(frame >= 100 && end - decide > BUDGET);
        frame = frame.wrapping_add(1);
        if frame % 250 == 0 {
            let [decided, worked] = [start - decide, end - start].map(|time| time / 1_000);
            defmt::info!("frame {}: decided in {} us, worked {} us", frame, decided, worked);
            defmt::info!("{} frames over budget", over);
        }
        #[cfg(feature = "qemu")]
        if frame == 1_000 {
            defmt::info!("{} bytes of stack used", used_stack());
            semihosting::process::exit((over > 30).into())
        }
    }
}

/// Stands for the work of an actor.
fn work(units: &[u32], level: u8, rounds: u32) {
    for round in 0..rounds * units.get(usize::from(level)).unwrap_or(&0) {
        black_box(round);
    }
}

/// Measures the bytes of the stack that were ever written: cortex-m-rt paints it before `main`.
#[cfg(feature = "qemu")]
fn used_stack() -> usize {
    unsafe extern "C" {
        static _stack_end: u32;
        static _stack_start: u32;
    }
    let (mut word, top) = (&raw const _stack_end, &raw const _stack_start);
    // SAFETY: these are aligned words of the stack, which are only read.
    while word < top && unsafe { word.read_volatile() } == cortex_m_rt::STACK_PAINT_VALUE {
        word = unsafe { word.add(1) };
    }
    top.addr() - word.addr()
}

#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    if let Some(place) = info.location() {
        defmt::error!("panic at {}:{}", place.file(), place.line());
    }
    #[cfg(feature = "qemu")]
    semihosting::process::exit(1);
    #[cfg(not(feature = "qemu"))]
    loop {
        core::hint::spin_loop();
    }
}
