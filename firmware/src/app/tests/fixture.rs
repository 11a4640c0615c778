//! An app whose clock advances with its work, and pins that always succeed or always fail.

use std::cell::Cell;
use std::rc::Rc;
use std::vec::Vec;

use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::pixelcolor::BinaryColor;
use lodger_core::benefit::ActorState;
use lodger_core::units::{BenefitValue, UnitCost};

use crate::app::*;
use crate::cloth::{self, Cloth};
use crate::display::FrameBuffer;
use crate::particles::{self, Swarm};

/// A clock that only work advances, in nanoseconds, and the time of an interrupt during the next work.
#[derive(Debug, Clone, Default)]
pub(crate) struct WorkTime {
    pub(super) now: Rc<Cell<u64>>,
    pub(super) interrupt: Rc<Cell<u64>>,
    /// The resolution of the clock, in nanoseconds; 0 for exact.
    pub(super) coarse: Rc<Cell<u64>>,
}

impl WorkTime {
    fn pass(&self, time: u64) {
        self.now.set(self.now.get() + time + self.interrupt.take());
    }
}

impl Clock for WorkTime {
    fn now(&mut self) -> u64 {
        let now = self.now.get();
        now - now % self.coarse.get().max(1)
    }
}

/// A body whose work takes a time per unit, with noise.
#[derive(Debug)]
pub(super) struct Timed<B> {
    body: B,
    time: WorkTime,
    unit: u32,
    frame: u64,
}

impl<N: Real, B: Body<N>> Body<N> for Timed<B> {
    fn units(level: u8) -> Option<u32> {
        B::units(level)
    }

    fn step(&mut self, level: u8, step: BodyStep<N>) {
        self.body.step(level, step);
        self.frame += 1;
        // From 97 % to 103 %.
        let noise = 97 + self.frame * 5 % 7;
        self.time.pass(u64::from(B::units(level).unwrap()) * u64::from(self.unit) * noise / 100);
    }

    fn draw<D>(&self, at: [N; 3], camera: &Camera<N>, display: &mut D) -> Result<(), D::Error>
    where
        D: DrawTarget<Color = BinaryColor>,
    {
        self.body.draw(at, camera, display)
    }
}

/// The real time of a vertex, in nanoseconds.
pub(super) const VERTEX: u32 = 900;
/// The real time of a particle, in nanoseconds.
pub(super) const PARTICLE: u32 = 2_500;

pub(super) type TestApp<N, P, const CLOTHS: usize, const SWARMS: usize> =
    App<N, Timed<Cloth<N, 9>>, Timed<Swarm<32>>, WorkTime, P, CLOTHS, SWARMS, 10>;

pub(super) fn number<N: Real>(value: f64) -> N {
    N::from_f64(value).unwrap()
}

pub(super) fn place<N: Real>(x: f64, z: f64) -> ActorState<N> {
    ActorState { position: [number(x), N::ZERO, number(z)], age: N::ZERO, speed: N::ZERO }
}

pub(super) fn cloth<N: Real>(
    state: ActorState<N>,
    time: &WorkTime,
) -> BodyActor<N, Timed<Cloth<N, 9>>> {
    let body = Timed { body: Cloth::new(number(2.0)), time: time.clone(), unit: VERTEX, frame: 0 };
    BodyActor { state, radius: N::ONE, body }
}

pub(super) fn swarm<N: Real>(
    state: ActorState<N>,
    time: &WorkTime,
) -> BodyActor<N, Timed<Swarm<32>>> {
    let body = Timed { body: Swarm::new(2.0, 9), time: time.clone(), unit: PARTICLE, frame: 3 };
    BodyActor { state, radius: N::ONE, body }
}

/// Makes an app without actors, whose initial unit costs are `wrong` times the real ones.
pub(super) fn empty<N: Real, P: OutputPin, const CLOTHS: usize, const SWARMS: usize>(
    pin: P,
    budget_ms: f64,
    wrong: f64,
) -> TestApp<N, P, CLOTHS, SWARMS> {
    let unit = |truth: u32| UnitCost::from_ns(f64::from(truth) * wrong).unwrap();
    let value = BenefitValue::from_ms(2.0).unwrap();
    let [from, to] = [[-2.0, 1.0, 2.0], [2.0, 1.0, 4.0]].map(|eye| eye.map(number));
    let mut app = App {
        scene: BodyScene::new(),
        cloth: BodyModule::new(CLOTH),
        particles: BodyModule::new(PARTICLES),
        clock: WorkTime::default(),
        pin,
        viewer: Viewer::new(from, to, number(0.01)),
        budget: Budget::from_ms(budget_ms).unwrap(),
        time: number(1.0 / 32.0),
        next_frame: 0,
    };
    let module = |truth| lodger_heapless::Module::new(unit(truth)).benefit_value(value);
    let cloths = (module(VERTEX), cloth::rule().unwrap());
    app.add_modules(cloths, (module(PARTICLE), particles::rule().unwrap())).unwrap();
    app
}

impl<N: Real, P: OutputPin, const CLOTHS: usize, const SWARMS: usize>
    TestApp<N, P, CLOTHS, SWARMS>
{
    pub(super) fn spawn_cloth(
        &mut self,
        actor: BodyActor<N, Timed<Cloth<N, 9>>>,
    ) -> Result<ActorId, BodySpawnError<N, Timed<Cloth<N, 9>>>> {
        self.cloth.spawn(&mut self.scene, actor)
    }

    pub(super) fn spawn_swarm(
        &mut self,
        actor: BodyActor<N, Timed<Swarm<32>>>,
    ) -> Result<ActorId, SpawnProblem> {
        self.particles.spawn(&mut self.scene, actor).map_err(|error| error.problem)
    }

    pub(super) fn despawn_cloth(&mut self, id: ActorId) -> Option<Timed<Cloth<N, 9>>> {
        self.cloth.despawn(&mut self.scene, id)
    }

    pub(super) fn level(&mut self, id: ActorId) -> Option<u8> {
        self.scene.plan().level(id)
    }
}

pub(super) fn app<N: Real, P: OutputPin, const CLOTHS: usize, const SWARMS: usize>(
    pin: P,
    budget_ms: f64,
    wrong: f64,
) -> TestApp<N, P, CLOTHS, SWARMS> {
    let mut app = empty(pin, budget_ms, wrong);
    let time = app.clock.clone();
    for (index, ()) in (0_u32..).zip([(); CLOTHS]) {
        let index = f64::from(index);
        let actor = cloth(place(index * 1.5 - 2.0, -1.0 - index), &time);
        assert!(app.spawn_cloth(actor).is_ok());
    }
    for (index, ()) in (0_u32..).zip([(); SWARMS]) {
        let index = f64::from(index);
        let actor = swarm(place(2.0 - index, -2.0 - index * 0.5), &time);
        assert!(app.spawn_swarm(actor).is_ok());
    }
    app
}

pub(crate) struct AnyPin;

impl embedded_hal::digital::ErrorType for AnyPin {
    type Error = core::convert::Infallible;
}

impl OutputPin for AnyPin {
    fn set_low(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }
    fn set_high(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }
}

pub(super) fn run<N: Real, P: OutputPin, const CLOTHS: usize, const SWARMS: usize>(
    app: &mut TestApp<N, P, CLOTHS, SWARMS>,
    frames: usize,
) -> Vec<FrameReport> {
    let mut reports = Vec::new();
    let mut display = FrameBuffer::<64, 4>::new();
    for _ in 0..frames {
        assert!(app.frame(&mut display, |report| reports.push(*report)).is_ok());
    }
    reports
}

pub(super) struct NoPin;

impl embedded_hal::digital::ErrorType for NoPin {
    type Error = embedded_hal::digital::ErrorKind;
}

impl OutputPin for NoPin {
    fn set_low(&mut self) -> Result<(), Self::Error> {
        Err(embedded_hal::digital::ErrorKind::Other)
    }
    fn set_high(&mut self) -> Result<(), Self::Error> {
        self.set_low()
    }
}
