//! The scene of the programs: four cloths, four swarms, and a viewer that moves among them.

use embedded_hal::digital::OutputPin;
use heapless::{String, Vec};
use lodger_core::benefit::{ActorState, BenefitRule};
use lodger_core::units::{BenefitValue, Budget, UnitCost};
use lodger_core::{Real, ValueError};
use lodger_wire::telemetry::{ModuleFrame, TelemetryFrame};

use crate::app::{ActorId, App, BodyActor, BodyModule, CLOTH, PARTICLES, SpawnProblem};
use crate::clock::Clock;
use crate::cloth::{self, Cloth};
use crate::display::Viewer;
use crate::particles::{self, Swarm};
use crate::report::{FrameReport, MAX_LEVELS, ModuleFrameReport};

/// The number of cloths, for which there is exactly enough space.
pub const CLOTHS: usize = 4;
/// The number of swarms, for which there is exactly enough space.
pub const SWARMS: usize = 4;
/// The number of actors.
pub const ACTORS: usize = CLOTHS + SWARMS;
/// The number of levels of cloths and swarms.
pub const LEVELS: usize = 5;
const _: () = assert!(LEVELS <= MAX_LEVELS && MAX_LEVELS <= lodger_wire::telemetry::LEVELS);
/// The frame rate for which the speeds of viewer and wind are chosen.
pub const FRAMES_PER_SECOND: u32 = 32;

/// A cloth of the scene.
pub type SceneCloth<N> = Cloth<N, 5>;
/// A swarm of the scene.
pub type SceneSwarm = Swarm<16>;
/// The app of the scene.
pub type SceneApp<N, C, L> = App<N, SceneCloth<N>, SceneSwarm, C, L, CLOTHS, SWARMS, ACTORS>;

/// The app with a scene, and one actor of each module.
#[derive(Debug)]
pub struct DemoScene<N: Real, C, L> {
    /// The app, initially with an unlimited budget.
    pub app: SceneApp<N, C, L>,
    /// One of the cloths.
    pub cloth: Option<ActorId>,
    /// One of the swarms.
    pub swarm: Option<ActorId>,
}

/// The constants of the scene.
#[derive(Debug, Clone, Copy)]
pub struct Setup<N: Real> {
    cloth: BenefitRule<N>,
    swarm: BenefitRule<N>,
    unit_cost: UnitCost,
    benefit_value: BenefitValue,
}

impl<N: Real> Setup<N> {
    /// Makes the constants in a number type.
    ///
    /// # Errors
    /// If the number type cannot represent one.
    pub fn new() -> Result<Self, ValueError> {
        Ok(Self {
            cloth: cloth::rule()?,
            swarm: particles::rule()?,
            // An estimate, which measurements correct.
            unit_cost: UnitCost::from_ns(1_000.0)?,
            benefit_value: BenefitValue::from_ms(50.0)?,
        })
    }
}

impl<N: Real, C: Clock, L: OutputPin> DemoScene<N, C, L> {
    /// Makes a scene without modules and actors. A move of this large value needs memory for two, which small boards do not
    /// have: keep it in place, and then [`populate`](Self::populate) it.
    #[inline]
    pub fn new(clock: C, led: L) -> Self {
        let app = App {
            scene: lodger_heapless::Scene::new(),
            cloth: BodyModule::new(CLOTH),
            particles: BodyModule::new(PARTICLES),
            clock,
            pin: led,
            viewer: Viewer::new([number(-1.0); 3], [number(1.0); 3], number(0.02)),
            budget: Budget::UNLIMITED,
            time: number(1.0 / f64::from(FRAMES_PER_SECOND)),
            next_frame: 0,
        };
        Self { app, cloth: None, swarm: None }
    }

    /// Fills the scene with modules and actors.
    pub fn populate(&mut self, setup: Setup<N>) {
        let Setup { cloth, swarm, unit_cost, benefit_value } = setup;
        let module = lodger_heapless::Module::new(unit_cost).benefit_value(benefit_value);
        // They are valid: there is space, and no overhead.
        let _ = self.app.add_modules((module, cloth), (module, swarm));
        let App { scene, cloth, particles, .. } = &mut self.app;
        for x in [-2.0, -0.7, 0.7, 2.0] {
            self.cloth = self.cloth.or(cloth.spawn(scene, a_cloth(x)).ok());
        }
        for (x, seed) in [-1.5, -0.5, 0.5, 1.5].into_iter().zip(1..) {
            let state = state_at(x, -2.0 - x);
            let body = Swarm::new(1.4, seed);
            let spawned = particles.spawn(scene, BodyActor { state, radius: number(0.7), body });
            self.swarm = self.swarm.or(spawned.ok());
        }
    }

    /// Tries to spawn a cloth in the full scene.
    pub fn one_too_many(&mut self) -> Option<SpawnProblem> {
        let App { scene, cloth, .. } = &mut self.app;
        cloth.spawn(scene, a_cloth(0.0)).err().map(|error| error.problem)
    }

    /// Sets an invalid, negative speed of the cloth, or a valid one; returns whether the cloth exists.
    pub fn set_backwards(&mut self, backwards: bool) -> bool {
        let speed = if backwards { number(-1.0) } else { N::ZERO };
        let state = ActorState { speed, ..state_at(0.0, -3.0) };
        self.cloth.is_some_and(|id| self.app.scene.set_state(id, state).is_ok())
    }
}

fn a_cloth<N: Real>(x: f64) -> BodyActor<N, SceneCloth<N>> {
    BodyActor { state: state_at(x, -3.0), radius: number(1.0), body: Cloth::new(number(1.5)) }
}

fn state_at<N: Real>(x: f64, z: f64) -> ActorState<N> {
    let [x, z] = [x, z].map(number);
    ActorState { position: [x, N::ZERO, z], age: N::ZERO, speed: N::ZERO }
}

fn number<N: Real>(value: f64) -> N {
    N::from_f64(value).unwrap_or(N::ZERO)
}

impl From<&FrameReport> for TelemetryFrame {
    fn from(report: &FrameReport) -> Self {
        let named = [("cloth", &report.cloth), ("particles", &report.particles)];
        Self {
            number: report.frame,
            budget: report.budget.ns(),
            overcommit: report.decision.overcommit,
            scale: report.decision.scale.bits(),
            headroom: report.headroom.bits(),
            load: report.load,
            decision_time: report.decision_time,
            modules: named.into_iter().map(|(name, module)| message(name, module)).collect(),
        }
    }
}

fn message(name: &str, report: &ModuleFrameReport) -> ModuleFrame {
    // Both names are short, and `LEVELS` is the number of levels of the scene.
    let name = String::try_from(name).unwrap_or_default();
    let levels: Vec<u16, _> = report.levels.into_iter().take(LEVELS).collect();
    let ModuleFrameReport {
        quarantined, units, planned, measured, unit_cost, raw_unit_cost, ..
    } = *report;
    let [unit_cost, raw_unit_cost] = [unit_cost, raw_unit_cost].map(UnitCost::bits);
    ModuleFrame { name, levels, quarantined, units, planned, measured, unit_cost, raw_unit_cost }
}

#[cfg(test)]
mod tests {
    use lodger_core::budget::Load;
    use lodger_core::calibration::Headroom;
    use lodger_core::{Fixed, Micro};

    use super::*;
    use crate::app::tests::fixture::{AnyPin, WorkTime};
    use crate::display::FrameBuffer;

    fn frame<N: Real>(scene: &mut DemoScene<N, WorkTime, AnyPin>) -> FrameReport {
        let mut last = None;
        scene.app.frame(&mut FrameBuffer::<8, 1>::new(), |report| last = Some(*report)).unwrap();
        last.unwrap()
    }

    fn assert_full<N: Real>() {
        let mut scene = DemoScene::<N, _, _>::new(WorkTime::default(), AnyPin);
        scene.populate(Setup::new().unwrap());
        assert_eq!(scene.one_too_many(), Some(SpawnProblem::Full));
        let report = frame(&mut scene);
        let highest = [report.cloth, report.particles].map(|module| module.levels[LEVELS - 1]);
        assert_eq!(highest.map(usize::from), [CLOTHS, SWARMS], "{}", N::NAME);
        assert!(scene.set_backwards(true));
        assert_eq!(frame(&mut scene).quarantined(), 1);
        assert!(scene.set_backwards(false));
        assert_eq!(frame(&mut scene).quarantined(), 0);
    }

    #[test]
    fn without_a_budget_all_actors_have_the_highest_level_in_every_number_type() {
        assert_full::<f32>();
        assert_full::<Fixed>();
        assert_full::<Micro>();
    }

    #[test]
    fn a_message_has_the_numbers_of_the_report() {
        let module = ModuleFrameReport {
            levels: [1, 2, 3, 4, 5, 0, 0, 0],
            forced: 1,
            quarantined: 2,
            units: 300,
            planned: 4_000,
            measured: 5_000,
            unit_cost: UnitCost::from_ns(2.0).unwrap(),
            raw_unit_cost: UnitCost::from_ns(1.0).unwrap(),
        };
        let mut scene = DemoScene::<Fixed, _, _>::new(WorkTime::default(), AnyPin);
        scene.populate(Setup::new().unwrap());
        scene.app.budget = Budget::from_ns(9_000);
        let report = FrameReport {
            frame: 7,
            headroom: Headroom::from_bits(5),
            decision_time: 77,
            cloth: module,
            particles: ModuleFrameReport { measured: 600, ..module },
            ..frame(&mut scene)
        };
        let frame = TelemetryFrame::from(&report);
        assert_eq!((frame.number, frame.budget), (7, Some(9_000)));
        let decision = report.decision;
        assert!(decision.overcommit > 0);
        assert_eq!((frame.overcommit, frame.scale), (decision.overcommit, decision.scale.bits()));
        assert_eq!((frame.decision_time, frame.measured()), (77, 5_600));
        assert_eq!((frame.headroom, frame.load), (5, Load::Tight));
        let [cloth, particles] = frame.modules.as_slice() else { panic!("{frame:?}") };
        assert_eq!((cloth.name.as_str(), particles.name.as_str()), ("cloth", "particles"));
        assert_eq!(cloth.levels.as_slice(), [1, 2, 3, 4, 5]);
        assert_eq!((cloth.quarantined, cloth.units, cloth.planned), (2, 300, 4_000));
        assert_eq!((cloth.unit_cost, cloth.raw_unit_cost), (2 << 32, 1 << 32));
        let unlimited = FrameReport { budget: Budget::UNLIMITED, ..report };
        assert_eq!(TelemetryFrame::from(&unlimited).budget, None);
    }
}
