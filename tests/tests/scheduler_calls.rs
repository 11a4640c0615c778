//! Random calls of a scene, for tests that hold whatever was called.

use std::ops::{Range, RangeInclusive};
use std::time::Duration;

use lodger_scheduler::{
    Actor, ActorId, Benefit, BenefitRule, BenefitTerms, BenefitValue, Budget, Leftovers, Lod,
    Module, ModuleId, Policy, Quality, Scene, Stability, State, UnitCost, View, ViewId, Weights,
};
use proptest::prelude::*;

/// Who may spend what is left over.
pub(crate) const LEFTOVERS: [Leftovers; 4] =
    [Leftovers::Keep, Leftovers::WithinModule, Leftovers::AcrossModules, Leftovers::WholeBudget];

const WORKS: [&[u32]; 4] = [&[0, 10, 100, 1_000], &[5, 5, 50], &[7], &[0, 0, 30, 30, 60]];

/// A call: which one, on whom, and with what number.
pub(crate) type Call = (u8, u16, u16);

/// So many calls at most.
pub(crate) fn calls(most: usize) -> impl Strategy<Value = Vec<Call>> {
    prop::collection::vec((0..Game::CALLS, any::<u16>(), any::<u16>()), 0..most)
}

/// A scene with the handles that its user holds.
#[derive(Clone)]
pub(crate) struct Game {
    pub(crate) scene: Scene,
    pub(crate) modules: Vec<ModuleId>,
    pub(crate) actors: Vec<ActorId>,
    view: Option<ViewId>,
}

impl Game {
    const CALLS: u8 = 34;

    /// Two modules, the second continuous, and a few actors of each.
    pub(crate) fn new() -> Self {
        let mut scene = Scene::new(Budget::from_ns(3_000));
        let view = scene.add_view(View::eye([0.0; 3]).unwrap()).unwrap();
        let mut game = Self { scene, modules: Vec::new(), actors: Vec::new(), view: Some(view) };
        for continuous in [false, true] {
            game.add_module(continuous);
        }
        for number in 0..12 {
            game.spawn(number);
        }
        game
    }

    /// The same after these calls.
    pub(crate) fn after(calls: Vec<Call>) -> Self {
        let mut game = Self::new();
        game.play(calls);
        game
    }

    /// Has every tick decided by itself: a scene without this one's past decides the same.
    pub(crate) fn forget(&mut self) {
        self.scene.set_stability(Stability::OFF);
        self.scene.set_max_raises(None);
    }

    /// Makes all of these calls.
    pub(crate) fn play(&mut self, calls: Vec<Call>) {
        for call in calls {
            self.call(call);
        }
    }

    fn add_module(&mut self, continuous: bool) {
        let unit = UnitCost::from_ns(1.0).unwrap();
        let module = Module::new("module", unit, BenefitValue::from_ns(1_000));
        let module = module.rule(rule(50.0)).continuous(continuous);
        self.modules.push(self.scene.add_module(module).unwrap());
    }

    fn spawn(&mut self, number: u16) {
        let [a, b] = [number % 97, number % 31].map(f32::from);
        let state = State { position: [a, b, 0.0], age: b / 4.0, speed: a / 4.0 };
        let work = WORKS[usize::from(number) % WORKS.len()];
        let mut actor = Actor::in_state(state, 1.0 + b / 8.0, work).key(number.into());
        if number.is_multiple_of(5) {
            actor = Actor::given(Benefit::from_bits(u32::from(number) << 3), work);
        }
        if number.is_multiple_of(7) {
            actor = actor.forced(lod(number));
        }
        let module = self.modules[usize::from(number / 4) % self.modules.len()];
        let actor = actor.visible(!number.is_multiple_of(11));
        self.actors.push(self.scene.spawn(module, actor).unwrap());
    }

    fn spawn_many(&mut self, number: u16) {
        let work = WORKS[usize::from(number) % WORKS.len()];
        let actors = (0..number % 40).map(|i| {
            let actor = Actor::seen([i.into(), 0.0, 0.0], 1.0, work).key(i.into());
            match (number % 41 + i) % 41 {
                0 => actor.forced(lod(number)),
                1 => actor.visible(false),
                _ => actor,
            }
        });
        let module = self.modules[usize::from(number) % self.modules.len()];
        self.actors.extend(self.scene.spawn_many(module, actors).unwrap().ids());
    }

    /// Makes a call; what is refused changes nothing.
    pub(crate) fn call(&mut self, (call, who, number): Call) {
        let module = self.modules[usize::from(who) % self.modules.len()];
        let scene = &mut self.scene;
        match call {
            0 | 1 => self.spawn(number),
            2 => scene.set_budget(Budget::from_ns(number.into())),
            3 => scene.set_policy(match LEFTOVERS.get(usize::from(number) % 6) {
                Some(&leftovers) => Policy::Proportional(leftovers),
                None => Policy::Optimal,
            }),
            4 => scene.set_count_unmanaged(number.is_multiple_of(2)),
            5 => {
                let view = View::eye([number.into(), 0.0, 0.0]).unwrap();
                let moved = self.view.map(|id| scene.set_view(id, view));
                moved.unwrap_or(Ok(())).unwrap();
            }
            6 => scene
                .set_unit_cost(module, UnitCost::from_ns(f64::from(number) + 0.5).unwrap())
                .unwrap(),
            7 => scene.set_benefit_value(module, BenefitValue::from_ns(number.into())).unwrap(),
            8 => scene.set_benefit_rule(module, weighing(number, number.into())).unwrap(),
            9 => scene.set_managed(module, number.is_multiple_of(3)).unwrap(),
            10 => scene
                .set_lod_cap(module, (!number.is_multiple_of(4)).then_some(number as u8 % 5))
                .unwrap(),
            11 => {
                let time = Duration::from_nanos(u64::from(number) * 40);
                scene.measured(module, 20, time).unwrap();
            }
            12 => scene.advance_ages(f32::from(number) / 1_000.0).unwrap(),
            13 => {
                let rows = scene.states_mut(module).unwrap();
                rows.x.iter_mut().for_each(|x| *x += f32::from(number % 64) - 30.0);
                let bad = if number.is_multiple_of(7) { f32::NAN } else { 1.0 };
                let [row, column] = [usize::from(who) % 16, usize::from(number) % 3];
                [rows.z, rows.age, rows.speed][column]
                    .iter_mut()
                    .skip(row)
                    .take(1)
                    .for_each(|n| *n = bad);
            }
            26 => scene.set_stability(match number % 3 {
                0 => Stability::OFF,
                1 => Stability::STEADY,
                _ => Stability { margin: number as u8, reserve: (number >> 8) as u8 },
            }),
            27 => scene.set_max_raises((number % 8 < 5).then_some(u32::from(number % 8))),
            28 => scene.set_trials(usize::from(number % 64)),
            14 if self.modules.len() < 4 => self.add_module(number.is_multiple_of(2)),
            31 => {
                self.view = match self.view {
                    Some(view) => scene.remove_view(view).map(|()| None),
                    None => scene.add_view(View::eye([1.0; 3]).unwrap()).map(Some),
                }
                .unwrap();
            }
            32 => {
                let len = scene.module_len(module).unwrap();
                let (from, to) = (usize::from(number) % (len + 1), usize::from(who) % (len + 1));
                set_rows(scene, module, from.min(to)..from.max(to), number);
            }
            33 => self.spawn_many(number),
            30 => scene.set_overhead(module, u32::from(number) / 64).unwrap(),
            _ => self.call_of_actor(call, who, number),
        }
    }

    fn call_of_actor(&mut self, call: u8, who: u16, number: u16) {
        if self.actors.is_empty() {
            return;
        }
        let index = usize::from(who) % self.actors.len();
        let (id, scene) = (self.actors[index], &mut self.scene);
        let small = f32::from(number % 128);
        match call {
            15 => {
                scene.despawn(id).unwrap();
                self.actors.swap_remove(index);
            }
            16 => scene
                .set_position(id, [small, if number > 60_000 { f32::NAN } else { 0.0 }, 1.0])
                .unwrap(),
            17 => scene
                .set_age(id, if number > 50_000 { f32::INFINITY } else { small / 9.0 })
                .unwrap(),
            18 => scene.set_speed(id, small - 2.0).unwrap(),
            19 => scene.set_radius(id, small / 9.0).unwrap(),
            29 => {
                let levels = scene.work(id).map_or(0, <[u32]>::len);
                let mut table = vec![Quality::from_bits(number & 0x7fff); levels];
                table.last_mut().into_iter().for_each(|best| *best = Quality::ONE);
                scene.set_qualities(id, number.is_multiple_of(3).then_some(&table)).unwrap();
            }
            20 => {
                let given = Benefit::from_bits(u32::from(number) * 4);
                scene.set_benefit(id, (!number.is_multiple_of(3)).then_some(given)).unwrap();
            }
            21 => scene.set_visible(id, number.is_multiple_of(2)).unwrap(),
            22 => scene.set_key(id, number.into()).unwrap(),
            23 => {
                let (low, high) = (number as u8 % 3, number as u8 % 4);
                let _ = scene.set_lod_range(id, RangeInclusive::new(low, high));
            }
            24 => scene.set_work(id, WORKS[usize::from(number) % WORKS.len()]).unwrap(),
            _ => scene.force_lod(id, number.is_multiple_of(2).then(|| lod(number))).unwrap(),
        }
    }
}

/// Sets some rows of a column.
fn set_rows(scene: &mut Scene, module: ModuleId, rows: Range<usize>, number: u16) {
    let value = if number.is_multiple_of(9) { f32::NAN } else { f32::from(number % 50) };
    match number % 4 {
        0 => scene.positions_mut(module, rows).unwrap().y.fill(value),
        1 => scene.ages_mut(module, rows).unwrap().values.fill(value),
        2 => scene.speeds_mut(module, rows).unwrap().values.fill(value),
        _ => {
            let given = Benefit::new(value).ok();
            scene.given_benefits_mut(module, rows).unwrap().values.fill(given);
        }
    }
}

fn rule(max_distance: f32) -> BenefitRule<f32> {
    weighing(0, max_distance)
}

/// A rule that weighs what a number says.
fn weighing(what: u16, max_distance: f32) -> BenefitRule<f32> {
    let parts =
        [(0.5, 0.25, 0.25), (1.0, 0.0, 0.0), (0.5, 0.5, 0.0), (0.5, 0.0, 0.5), (0.0, 1.0, 0.0)];
    let (distance, age, speed) = parts[usize::from(what) % parts.len()];
    BenefitRule::new(BenefitTerms {
        max_distance: Some(max_distance),
        weights: Weights::new(distance, age, speed).unwrap(),
        max_age: Some(10.0),
        max_speed: Some(10.0),
        ..BenefitTerms::default()
    })
    .unwrap()
}

fn lod(number: u16) -> Lod {
    Lod::new(number as u8 % 6, number)
}
