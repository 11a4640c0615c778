//! Scenes by chance: what a program might ask of one, sound and not, frame by frame.

use super::log::{ActorSays, Column, Log, ModuleSays, RuleSays};
use super::random::Random;

/// How far from its origin a scene can be, in metres: here, in the next town, on another continent.
const ORIGINS: [f64; 4] = [0.0, 0.0, 12_345.678_9, 4_000_000.125];
/// Budgets, in nanoseconds: nothing, too little, about right, plenty, no end.
const BUDGETS: [u64; 6] = [0, 5_000, 100_000, 600_000, 5_000_000, u64::MAX];

/// A scene and what is asked of it.
pub(super) struct Case {
    random: Random,
    log: Log,
}

impl Case {
    /// The log of a scene of so many frames: always the same for the same seed.
    pub(super) fn play(seed: u64, frames: u32) -> Log {
        let mut random = Random::new(seed);
        let budget = random.pick(&BUDGETS);
        let far = random.pick(&ORIGINS);
        let origin = [far, 0.0, -far / 2.0];
        let mut case = Self { log: Log::new(budget, origin), random };
        case.settings();
        for _ in 0..frames {
            for _ in 0..case.random.below(7) {
                case.call();
            }
            case.log.tick();
            if case.random.one_in(10) {
                case.log.certify();
            }
        }
        case.log
    }

    fn settings(&mut self) {
        self.log.track_changes(true);
        let policy = self.random.below(5) as usize;
        self.log.set_policy(policy);
        if self.random.one_in(3) {
            self.log.set_stability(26, 8);
        }
        let modules = self.random.between(1, 4) as usize;
        while self.log.modules.len() < modules {
            let says = self.module();
            self.log.add_module(&says);
        }
        for _ in 0..self.random.between(0, 2) {
            let eye = self.place();
            self.log.add_view(eye);
        }
        for _ in 0..self.random.between(1, 4) {
            self.spawn();
        }
    }

    /// One call, of any kind.
    fn call(&mut self) {
        match self.random.below(8) {
            0 => self.scene_call(),
            1 => self.view_call(),
            2 => self.module_call(),
            3 => self.spawn(),
            4 => {
                let actors = self.some_actors();
                if self.random.one_in(3) {
                    self.log.despawn(&actors);
                }
            }
            5 => self.actor_call(),
            _ => self.column(),
        }
    }

    fn scene_call(&mut self) {
        let random = &mut self.random;
        match random.below(9) {
            0 => self.log.set_budget(random.pick(&BUDGETS)),
            1 => self.log.set_policy(random.below(5) as usize),
            2 => {
                let margin = random.pick(&[0, 26, 255]);
                self.log.set_stability(margin, random.pick(&[0, 8, 200]));
            }
            3 => {
                let most = random.pick(&[None, Some(0), Some(3), Some(1_000)]);
                self.log.set_max_raises(most);
            }
            4 => self.log.set_trials(random.pick(&[0, 1, 64, 512])),
            5 => self.log.set_headroom_target(random.pick(&[0.0, 0.01, 0.3, 0.7, f64::NAN])),
            6 => self.log.set_count_unmanaged(random.one_in(2)),
            7 => {
                let seconds = if random.one_in(8) { f32::NAN } else { random.float(0.0, 2.0) };
                self.log.advance_ages(seconds);
            }
            _ => {
                let track = !random.one_in(4);
                self.log.track_changes(track);
            }
        }
    }

    fn view_call(&mut self) {
        let views = self.log.views();
        let eye = if self.random.one_in(12) { [f64::NAN; 3] } else { self.place() };
        if views == 0 || self.random.one_in(5) {
            self.log.add_view(eye);
        } else if self.random.one_in(8) {
            self.log.remove_view(self.random.below(views));
        } else {
            self.log.set_view(self.random.below(views), eye);
        }
    }

    fn module_call(&mut self) {
        let module = self.random_module();
        let random = &mut self.random;
        match random.below(8) {
            0 => {
                let ns = random.pick(&[0.0, 0.5, 37.25, 1_000.0, -1.0, f64::NAN]);
                self.log.set_unit_cost(module, ns);
            }
            1 => {
                let ns = random.pick(&[0, 1_000, 50_000, 2_000_000]);
                self.log.set_benefit_value(module, ns);
            }
            2 => {
                let says = self.rule();
                self.log.set_rule(module, &says);
            }
            3 => self.log.set_managed(module, random.one_in(2)),
            4 => {
                let cap = random.pick(&[None, None, Some(0), Some(1), Some(2)]);
                self.log.set_lod_cap(module, cap);
            }
            5 => self.log.set_overhead(module, random.pick(&[0, 5, 300])),
            _ => {
                let ns = u64::from(random.below(400_000));
                let units = if random.one_in(2) { None } else { Some(random.below(5_000).into()) };
                self.log.measured(module, ns, units);
            }
        }
    }

    fn actor_call(&mut self) {
        let Some(actor) = self.random_actor() else { return };
        let random = &mut self.random;
        match random.below(3) {
            0 => {
                let (lowest, highest) = random.pick(&[(0, 255), (1, 255), (1, 2), (2, 1), (0, 9)]);
                self.log.set_range(actor, lowest, highest);
            }
            1 => {
                let work = self.work();
                self.log.set_work(actor, &work);
            }
            _ => {
                let levels = random.between(1, 5);
                let table = (!random.one_in(3)).then(|| self.qualities(levels));
                self.log.set_qualities(actor, table.as_deref());
            }
        }
    }

    fn column(&mut self) {
        let actors = self.some_actors();
        let random = &mut self.random;
        let odd = random.one_in(12);
        let column = match random.below(9) {
            0 => Column::Position(actors.iter().map(|_| relative(random, odd)).collect()),
            1 => {
                let places = actors.iter().map(|&actor| self.known_place(actor)).collect();
                Column::WorldPosition(places)
            }
            2 => Column::Radius(floats(&actors, random, 0.0, 4.0, odd, -1.0)),
            3 => Column::Age(floats(&actors, random, -1.0, 30.0, odd, f32::NAN)),
            4 => Column::Speed(floats(&actors, random, 0.0, 20.0, odd, f32::INFINITY)),
            5 => Column::Benefit(floats(&actors, random, -0.5, 3.0, odd, f32::NAN)),
            6 => Column::Forced(floats(&actors, random, -3.0, 4.0, odd, f32::NAN)),
            7 => Column::Visible(actors.iter().map(|_| u8::from(!random.one_in(3))).collect()),
            _ => Column::Key(actors.iter().map(|_| random.next()).collect()),
        };
        self.log.set(&actors, &column);
    }

    fn spawn(&mut self) {
        let module = self.random_module();
        let count = self.random.between(1, 24);
        let mut all: Vec<ActorSays> = (0..count).map(|_| self.actor()).collect();
        if self.random.one_in(10) {
            let bad = self.random.below(count) as usize;
            for says in &mut all {
                says.position = self.log.origin;
            }
            all[bad].work = vec![5, 3];
            all[bad].qualities = None;
        }
        self.log.spawn(module, &all);
    }

    fn actor(&mut self) -> ActorSays {
        let work = self.work();
        let levels = u32::try_from(work.len()).unwrap_or(1);
        let qualities = self.random.one_in(5).then(|| self.qualities(levels));
        let position = self.place();
        let random = &mut self.random;
        ActorSays {
            qualities,
            key: random.next(),
            position,
            radius: random.float(0.0, 3.0),
            age: random.float(-1.0, 20.0),
            speed: random.float(0.0, 12.0),
            benefit: random.one_in(6).then(|| random.float(0.0, 2.0)),
            forced: random.one_in(8).then(|| random.float(0.0, 6.0)),
            range: (random.one_in(6) && levels > 1).then_some((1, 255)),
            visible: !random.one_in(10),
            work,
        }
    }

    /// Units of 1 to 5 levels; often a table that others have too.
    fn work(&mut self) -> Vec<u32> {
        if self.random.one_in(2) {
            let shared: [&[u32]; 3] = [&[0, 40, 400], &[10, 50, 250, 1_250], &[7]];
            return self.random.pick(&shared).to_vec();
        }
        let mut units = 0;
        let levels = self.random.between(1, 5);
        (0..levels)
            .map(|_| {
                units += self.random.below(600);
                units
            })
            .collect()
    }

    fn qualities(&mut self, levels: u32) -> Vec<f32> {
        let mut all: Vec<f32> = (0..levels).map(|_| self.random.float(0.0, 1.0)).collect();
        all.sort_by(f32::total_cmp);
        all
    }

    fn module(&mut self) -> ModuleSays {
        let rule = self.rule();
        let levels = self.random.between(2, 5);
        let qualities = self.random.one_in(4).then(|| self.qualities(levels));
        let random = &mut self.random;
        ModuleSays {
            unit_cost: random.pick(&[0.75, 12.5, 100.0, 333.3]),
            benefit_value: random.pick(&[1_000, 20_000, 300_000]),
            qualities,
            overhead: random.pick(&[0, 0, 20]),
            cap: random.pick(&[None, None, Some(1)]),
            continuous: random.one_in(3),
            managed: !random.one_in(6),
            rule,
        }
    }

    fn rule(&mut self) -> RuleSays {
        let random = &mut self.random;
        let weights = random.pick(&[
            [1.0, 0.0, 0.0],
            [0.5, 0.5, 0.0],
            [0.25, 0.25, 0.5],
            [0.0, 0.0, 1.0],
            [2.0; 3],
        ]);
        RuleSays {
            angular: random.one_in(2),
            max_distance: random.pick(&[None, Some(60.0), Some(400.0)]),
            weights,
            bias: random.pick(&[0.0, 0.0, 0.125, -0.25]),
            max_age: Some(12.5),
            max_speed: Some(9.0),
        }
    }

    /// Within 200 m of the origin, with more digits than a float has.
    fn place(&mut self) -> [f64; 3] {
        self.log.origin.map(|axis| axis + self.random.real(-200.0, 200.0))
    }

    /// The same; the origin for one who is gone, so that nothing is moved where nobody is.
    fn known_place(&mut self, actor: u32) -> [f64; 3] {
        let is_here = self.log.scene.contains(self.log.actors[actor as usize]);
        if is_here { self.place() } else { self.log.origin }
    }

    fn random_module(&mut self) -> u32 {
        self.random.below(u32::try_from(self.log.modules.len()).unwrap_or(1))
    }

    /// Anybody who ever came, so that some are gone.
    fn random_actor(&mut self) -> Option<u32> {
        let all = u32::try_from(self.log.actors.len()).ok().filter(|&all| all > 0)?;
        Some(self.random.below(all))
    }

    fn some_actors(&mut self) -> Vec<u32> {
        let most = self.random.between(0, 12);
        (0..most).filter_map(|_| self.random_actor()).collect()
    }
}

fn relative(random: &mut Random, odd: bool) -> [f32; 3] {
    let number = random.pick(&[f32::NAN, f32::INFINITY, -0.0]);
    [
        random.float(-90.0, 90.0),
        random.float(-9.0, 9.0),
        if odd { number } else { random.float(-90.0, 90.0) },
    ]
}

/// A number for each; where things are odd, one is `bad`.
fn floats(
    actors: &[u32],
    random: &mut Random,
    low: f64,
    high: f64,
    odd: bool,
    bad: f32,
) -> Vec<f32> {
    let mut all: Vec<f32> = actors.iter().map(|_| random.float(low, high)).collect();
    if let Some(last) = all.last_mut().filter(|_| odd) {
        *last = bad;
    }
    all
}
