//! The random calls of a seed.

use super::{ActorSpec, Call, CameraSpec, Column, ModuleSpec, RowColumn, RuleSpec};
use crate::SplitMix64;

#[derive(Debug, Clone, Copy)]
#[expect(missing_docs, reason = "the names are those of the scheduler")]
#[expect(clippy::struct_excessive_bools, reason = "a script has each part or not")]
pub struct Profile {
    pub frames: u64,
    /// The maximum of calls before a tick.
    pub calls: u64,
    pub modules: u64,
    /// Actors in total, also despawned ones.
    pub actors: u64,
    /// The maximum of actors that one call spawns.
    pub batch: u64,
    /// Whether there is an origin, and positions are in the world.
    pub has_origin: bool,
    /// Whether there are calls of Rust alone: whole states and rows in bulk.
    pub has_rows: bool,
    pub has_few_tables: bool,
    /// Whether there are priorities, zooms and frusta, and modules without a benefit value.
    pub has_lenses: bool,
}

impl Profile {
    pub const ABI: Self = Self {
        frames: 20,
        calls: 8,
        modules: 4,
        actors: 128,
        batch: 16,
        has_origin: true,
        has_rows: false,
        has_few_tables: false,
        has_lenses: false,
    };
    pub const SCHEDULER: Self = Self { has_origin: false, has_rows: true, ..Self::ABI };
    #[must_use]
    pub const fn of_many(actors: u64) -> Self {
        Self { frames: 4, calls: 24, batch: actors, actors: 4 * actors, ..Self::SCHEDULER }
    }

    /// Fills a scene of fixed size, and makes calls beyond its capacity.
    pub const FIXED: Self = Self {
        batch: 1,
        actors: 64,
        frames: 16,
        has_origin: false,
        has_few_tables: true,
        ..Self::ABI
    };

    #[must_use]
    pub const fn with_lenses(self) -> Self {
        Self { has_lenses: true, ..self }
    }
}

const BUDGETS: [u64; 6] = [0, 3_000, 50_000, 100_000, 600_000, 5_000_000];
const ORIGINS: [f64; 5] = [0.0, 0.0, -211.25, 12_345.678_9, 4_000_000.125];
/// As many tables as a scene of fixed size has; at most unit costs, one costs more than the maximum of an actor.
const FEW_TABLES: [&[u32]; 5] =
    [&[0, 40, 160], &[10, 20, 20, 90], &[300], &[0, 5, 1_000_000_000], &[1, 2, 3, 4, 5]];
const TABLES: [&[u32]; 5] =
    [&[0, 10, 100, 1_000], &[0, 0, 30, 30, 60], &[0, 40, 400], &[10, 50, 250, 1_250], &[7]];
const WEIGHTS: [[f32; 3]; 7] = [
    [1.0, 0.0, 0.0],
    [0.5, 0.5, 0.0],
    [0.5, 0.0, 0.5],
    [0.25, 0.25, 0.5],
    [0.5, 0.25, 0.25],
    [0.0, 1.0, 0.0],
    [0.0, 0.0, 1.0],
];
const UNSOUND: [f32; 8] =
    [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN_POSITIVE, 1e-42, -0.0, -1.0];
const SETTLED: u64 = 45;

/// The calls of a seed: settings, modules, views and actors, and then frames.
#[must_use]
pub fn calls(seed: u64, profile: &Profile) -> Vec<Call> {
    let mut draw = Draw::new(seed, *profile);
    draw.begin();
    for _ in 0..profile.frames {
        for _ in 0..draw.below(profile.calls) {
            draw.step();
        }
        draw.frame();
    }
    draw.calls
}

/// Fewer calls than `max`, without ticks, after [`start`]. Odd seeds have the calls of
/// [lenses](Profile::has_lenses); all modules have a benefit value.
#[must_use]
pub fn steps(seed: u64, max: u64) -> Vec<Call> {
    let has_lenses = !seed.is_multiple_of(2);
    let mut draw = Draw::new(seed, Profile { actors: 1_000, has_lenses, ..Profile::SCHEDULER });
    (draw.modules, draw.views, draw.actors) = (2, 1, 12);
    for _ in 0..draw.below(max) {
        draw.step();
    }
    // Tests set any policy afterwards.
    for call in &mut draw.calls {
        if let Call::AddModule(spec) = call {
            spec.benefit_value_ns.get_or_insert(1_000);
        }
    }
    draw.calls
}

/// A view, two modules of which the second is continuous, and twelve actors of each kind.
#[must_use]
pub fn start() -> Vec<Call> {
    let rule = RuleSpec {
        angular: false,
        max_distance: Some(50.0),
        weights: [0.5, 0.25, 0.25],
        bias: 0.0,
        max_age: Some(10.0),
        max_speed: Some(10.0),
    };
    let module = |continuous| {
        Call::AddModule(ModuleSpec {
            unit_cost_ns: 1.0,
            benefit_value_ns: Some(1_000),
            qualities: None,
            overhead: 0,
            cap: None,
            continuous,
            managed: true,
            rule,
        })
    };
    let mut calls = vec![Call::SetBudget(Some(3_000)), Call::AddView([0.0; 3])];
    calls.extend([false, true].map(module));
    calls.extend((0..12).map(numbered_spawn));
    calls
}

/// Spawns an actor of one of the first two modules, with all values from one number.
#[must_use]
pub fn numbered_spawn(number: u16) -> Call {
    let [x, y] = [number % 97, number % 31].map(f32::from);
    let is_given = number.is_multiple_of(5);
    let work = [TABLES[0], &[5, 5, 50], TABLES[4], TABLES[1]][usize::from(number % 4)];
    let forced = f32::from(number % 6) + f32::from(number) / 65_536.0;
    let actor = ActorSpec {
        work: work.to_vec(),
        qualities: None,
        key: number.into(),
        position: if is_given { [0.0; 3] } else { [x.into(), y.into(), 0.0] },
        radius: if is_given { 0.0 } else { 1.0 + y / 8.0 },
        age: if is_given { 0.0 } else { y / 4.0 },
        speed: if is_given { 0.0 } else { x / 4.0 },
        benefit: is_given.then(|| f32::from(number) / 8_192.0),
        forced: number.is_multiple_of(7).then_some(forced),
        range: None,
        visible: !number.is_multiple_of(11),
    };
    Call::Spawn { module: usize::from(number / 4 % 2), actors: vec![actor] }
}

/// A script so far; its counts assume that all calls succeed.
struct Draw {
    random: SplitMix64,
    profile: Profile,
    calls: Vec<Call>,
    origin: [f64; 3],
    tables: Vec<Vec<u32>>,
    levels: Vec<Option<usize>>,
    modules: u64,
    views: u64,
    actors: u64,
}

impl Draw {
    fn new(seed: u64, profile: Profile) -> Self {
        let mut draw = Self {
            random: SplitMix64::new(seed),
            profile,
            calls: Vec::new(),
            origin: [0.0; 3],
            tables: Vec::new(),
            levels: Vec::new(),
            modules: 0,
            views: 0,
            actors: 0,
        };
        for _ in 0..draw.pick(&[0, 1, 1, 2, 3, 8, 70]) {
            let max = if draw.one_in(8) { 24 } else { 6 };
            let levels = 1 + draw.below(max);
            let table = draw.table(levels);
            draw.tables.push(table);
        }
        draw
    }

    fn below(&mut self, end: u64) -> u64 {
        self.random.below(end)
    }

    fn index(&mut self, end: u64) -> usize {
        usize::try_from(self.below(end.max(1))).unwrap_or(0)
    }

    fn small<T: TryFrom<u64> + Default>(&mut self, end: u64) -> T {
        T::try_from(self.below(end)).unwrap_or_default()
    }

    fn one_in(&mut self, chances: u64) -> bool {
        self.below(chances) == 0
    }

    fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.index(list.len() as u64)]
    }

    fn maybe<T>(&mut self, chances: u64, value: impl FnOnce(&mut Self) -> T) -> Option<T> {
        self.one_in(chances).then(|| value(self))
    }

    /// Draws a multiple of 1/16, so that actors tie, or a number with all its digits.
    fn real(&mut self, low: f64, high: f64) -> f64 {
        let number = low + (high - low) * self.random.unit();
        if self.one_in(2) { number } else { (number * 16.0).floor() / 16.0 }
    }

    fn float(&mut self, low: f64, high: f64) -> f32 {
        single(self.real(low, high))
    }

    /// A number like [`float`](Self::float), sometimes an unusual one.
    fn any_float(&mut self, low: f64, high: f64) -> f32 {
        if self.one_in(40) { self.pick(&UNSOUND) } else { self.float(low, high) }
    }

    fn magnitude(&mut self, bits: u64) -> u64 {
        let bits = self.below(bits + 1);
        if bits == 0 { 0 } else { self.random.next_u64() >> (64 - bits) }
    }

    fn relative(&mut self) -> [f64; 3] {
        if self.one_in(3) {
            return [(); 3].map(|()| {
                let far = f64::from(u32::try_from(self.magnitude(30)).unwrap_or(0)) / 65_536.0;
                if self.one_in(2) { far } else { -far }
            });
        }
        let far = self.pick(&[8.0, 40.0, 200.0, 500.0]);
        [self.real(-far, far), self.real(-far / 8.0, far / 8.0), self.real(-far, far)]
    }

    fn world(&mut self) -> [f64; 3] {
        let place = self.relative();
        [0, 1, 2].map(|axis| self.origin[axis] + place[axis])
    }

    fn near(&mut self) -> [f32; 3] {
        let mut place = self.relative().map(single);
        if self.one_in(30) {
            place[2] = self.pick(&UNSOUND);
        }
        place
    }

    fn eye(&mut self) -> [f64; 3] {
        let eye = self.world();
        if self.one_in(20) { [eye[0], f64::NAN, eye[2]] } else { eye }
    }

    fn budget(&mut self) -> Option<u64> {
        match self.below(6) {
            0 => None,
            1 => Some(self.pick(&BUDGETS)),
            2 => Some(self.below(4_000)),
            3 => Some(self.below(40_000)),
            _ => Some(self.below(600_000)),
        }
    }

    fn rule(&mut self) -> RuleSpec {
        RuleSpec {
            angular: self.one_in(2),
            max_distance: self.maybe(2, |draw| draw.float(1.0, 400.0)),
            weights: self.pick(&WEIGHTS),
            bias: self.pick(&[0.0, 0.0, 0.0625, 0.125, 0.1]),
            max_age: Some(self.float(1.0, 20.0)),
            max_speed: Some(self.float(1.0, 11.0)),
        }
    }

    fn bad_rule(&mut self) -> RuleSpec {
        let rule = self.rule();
        match self.below(4) {
            0 => RuleSpec { weights: [2.0; 3], ..rule },
            1 => RuleSpec { bias: -0.25, ..rule },
            2 => RuleSpec { max_age: None, ..rule },
            _ => RuleSpec { max_speed: None, ..rule },
        }
    }

    fn qualities(&mut self, levels: usize) -> Vec<f32> {
        let mut all: Vec<f32> = (0..levels).map(|_| self.float(0.0, 1.0)).collect();
        all.sort_by(f32::total_cmp);
        all
    }

    fn table(&mut self, levels: u64) -> Vec<u32> {
        let style = self.below(6);
        let bits = 1 + self.below(16);
        let mut units = if self.one_in(3) { self.below(8) } else { 0 };
        let level = |_| {
            let here = u32::try_from(units).unwrap_or(u32::MAX);
            units += match style {
                0 => self.below(3),
                1 if self.one_in(2) => 0,
                2 => 1 + units.min(10_000) / 2,
                3 => self.below(200),
                _ => self.magnitude(bits),
            };
            here
        };
        (0..levels).map(level).collect()
    }

    fn work(&mut self) -> Vec<u32> {
        if self.profile.has_few_tables {
            return self.pick(&FEW_TABLES).to_vec();
        }
        match self.below(3) {
            0 => self.pick(&TABLES).to_vec(),
            1 if !self.tables.is_empty() => {
                let table = self.index(self.tables.len() as u64);
                self.tables[table].clone()
            }
            _ => {
                let levels = 1 + self.below(5);
                self.table(levels)
            }
        }
    }

    fn cap(&mut self) -> Option<u8> {
        self.maybe(2, |draw| draw.small(4))
    }

    fn unit_cost(&mut self) -> f64 {
        match self.below(3) {
            0 => self.pick(&[0.75, 1.0, 12.5, 100.0, 333.3]),
            1 => self.real(1.0, 64.0) / 8.0,
            _ => self.real(0.5, 2_000.0),
        }
    }

    fn benefit_value(&mut self) -> u32 {
        let max = self.pick(&[1_000, 20_000, 400_000, 2_000_000]);
        self.small(max)
    }

    fn module(&mut self) -> ModuleSpec {
        let levels = self.maybe(4, |draw| 1 + draw.index(5));
        self.modules += 1;
        self.levels.push(levels);
        ModuleSpec {
            unit_cost_ns: self.unit_cost(),
            benefit_value_ns: if self.profile.has_lenses && self.one_in(8) {
                None
            } else {
                Some(self.benefit_value())
            },
            qualities: levels.map(|levels| self.qualities(levels)),
            overhead: if self.one_in(3) { self.small(100) } else { 0 },
            cap: self.maybe(3, |draw| draw.small(4)),
            continuous: self.one_in(3),
            managed: !self.one_in(6),
            rule: self.rule(),
        }
    }

    fn actor(&mut self, module: usize) -> ActorSpec {
        let work = self.work();
        let levels = work.len();
        // The qualities of the module are for actors of as many levels.
        let of_module = self.levels.get(module).copied().flatten().unwrap_or(levels);
        let has_own = of_module != levels || self.one_in(5);
        let benefit = self.maybe(5, |draw| draw.float(0.0, 4.0));
        // An actor with a given benefit needs neither a position nor a size.
        let is_bare = benefit.is_some() && self.one_in(2);
        let highest = u8::try_from(levels - 1).unwrap_or(u8::MAX);
        ActorSpec {
            qualities: has_own.then(|| self.qualities(levels)),
            work,
            key: self.random.next_u64(),
            position: if is_bare { [0.0; 3] } else { self.world() },
            radius: if is_bare { 0.0 } else { self.float(0.0, 4.0) },
            age: if is_bare { 0.0 } else { self.any_float(-1.0, 20.0) },
            speed: if is_bare { 0.0 } else { self.any_float(0.0, 12.0) },
            benefit,
            forced: self.maybe(8, |draw| draw.float(0.0, 6.0)),
            range: self.maybe(5, |draw| {
                let lowest = draw.small::<u8>(u64::from(highest) + 1);
                let above = draw.small::<u8>(u64::from(highest - lowest) + 1);
                (lowest, if draw.one_in(3) { 255 } else { lowest + above })
            }),
            visible: !self.one_in(10),
        }
    }

    fn spoil(&mut self, actor: &mut ActorSpec) {
        match self.below(5) {
            0 => (actor.work, actor.qualities) = (vec![5, 3], None),
            1 => actor.radius = self.pick(&[f32::NAN, f32::INFINITY, -1.0]),
            2 => actor.benefit = Some(f32::NAN),
            3 => actor.range = Some((2, 1)),
            _ => actor.forced = Some(f32::NAN),
        }
    }

    /// Draws a range, of which few actors have all levels.
    fn range(&mut self) -> (u8, u8) {
        let lowest = self.small(4);
        (lowest, if self.one_in(3) { 255 } else { self.small(6) })
    }

    fn spawn(&mut self, module: usize) {
        let left = self.profile.actors.saturating_sub(self.actors);
        if left == 0 {
            return;
        }
        let count = 1 + self.below(self.profile.batch.min(left));
        let mut actors: Vec<_> = (0..count).map(|_| self.actor(module)).collect();
        if self.one_in(8) {
            let place = self.index(count);
            self.spoil(&mut actors[place]);
        } else {
            self.actors += count;
        }
        self.calls.push(Call::Spawn { module, actors });
    }

    fn any_actor(&mut self) -> usize {
        let beyond = u64::from(self.one_in(10));
        self.index(self.actors + beyond)
    }

    fn any_module(&mut self) -> usize {
        let beyond = u64::from(self.one_in(30));
        self.index(self.modules + beyond)
    }

    fn actors(&mut self, max: u64) -> Vec<usize> {
        let count = self.below(max);
        (0..count).map(|_| self.any_actor()).collect()
    }

    fn values<T>(&mut self, count: usize, mut value: impl FnMut(&mut Self) -> T) -> Vec<T> {
        let count = if self.one_in(8) { 1 } else { count };
        (0..count).map(|_| value(self)).collect()
    }

    fn set(&mut self) -> Call {
        let actors = self.actors(12);
        let count = actors.len();
        let kinds = if self.profile.has_rows { 10 } else { 9 };
        let column = match self.below(kinds) {
            0 => Column::Position(self.values(count, Self::near)),
            1 => Column::WorldPosition(self.values(count, Self::world)),
            2 => Column::Radius(self.values(count, |draw| draw.any_float(-0.1, 4.0))),
            3 => Column::Age(self.values(count, |draw| draw.any_float(-1.5, 30.0))),
            4 => Column::Speed(self.values(count, |draw| draw.any_float(-0.25, 12.0))),
            5 => Column::Benefit(self.values(count, |draw| draw.any_float(-1.0, 4.0))),
            6 => Column::Forced(self.values(count, |draw| draw.any_float(-2.0, 6.0))),
            7 => Column::Visible(self.values(count, |draw| !draw.one_in(3))),
            8 => Column::Key(self.values(count, |draw| draw.random.next_u64())),
            _ => Column::State(self.values(count, |draw| {
                let [x, y, z] = draw.near();
                [x, y, z, draw.any_float(-1.0, 20.0), draw.any_float(-0.25, 12.0)]
            })),
        };
        Call::Set { actors, column }
    }

    fn actor_call(&mut self) -> Call {
        let actor = self.any_actor();
        match self.below(3) {
            0 => {
                let (lowest, highest) = self.range();
                Call::SetRange { actor, lowest, highest }
            }
            1 => {
                let work = if self.one_in(12) { vec![5, 3] } else { self.work() };
                Call::SetWork { actor, work }
            }
            _ => {
                let levels = 1 + self.index(5);
                let mut qualities = (!self.one_in(3)).then(|| self.qualities(levels));
                if let Some(last) = qualities.as_mut().and_then(|all| all.last_mut())
                    && self.one_in(8)
                {
                    *last = self.pick(&[0.0, 1.5, f32::NAN]);
                }
                Call::SetQualities { actor, qualities }
            }
        }
    }

    fn module_call(&mut self) -> Call {
        let module = self.any_module();
        match self.below(8) {
            0 => {
                let is_bad = self.one_in(8);
                let bad = self.pick(&[0.0, -1.0, f64::NAN]);
                Call::SetUnitCost { module, ns: if is_bad { bad } else { self.unit_cost() } }
            }
            1 => Call::SetBenefitValue { module, ns: self.benefit_value() },
            2 => {
                let is_bad = self.one_in(4);
                Call::SetRule { module, rule: if is_bad { self.bad_rule() } else { self.rule() } }
            }
            3 => Call::SetManaged { module, managed: !self.one_in(3) },
            4 => Call::SetLodCap { module, cap: self.cap() },
            5 => Call::SetOverhead { module, units: self.small(400) },
            6 => Call::ObserveShare { module, percent: 50 + self.below(110) },
            _ => {
                let max = self.pick(&[40_000, 400_000]);
                let units = self.maybe(2, |draw| draw.below(5_000));
                Call::ObserveTime { module, units, ns: self.below(max) }
            }
        }
    }

    fn scene_call(&mut self) -> Call {
        match self.below(if self.profile.has_origin { 15 } else { 14 }) {
            0 => Call::SetBudget(self.budget()),
            1 => Call::SetPolicy(self.small(5)),
            2 => self.hysteresis(),
            3 => Call::SetMaxUpgrades(self.maybe(2, |draw| draw.small(5))),
            4 => Call::SetSearchMoves(self.pick(&[0, 1, 16, 64, 512])),
            5 => Call::SetHeadroomTarget(self.pick(&[0.0, 0.001, 0.01, 0.25, 0.4, 0.7, f64::NAN])),
            6 => Call::SetUnmanagedInBudget(self.one_in(2)),
            7 => Call::AdvanceAges(self.any_float(-0.5, 2.0)),
            8 => Call::TrackChanges(!self.one_in(4)),
            9 => Call::FrameDone,
            10 => {
                let fractions = [(1, 2), (2, 1), (3, 4), (4, 3), (1, 0), (u32::MAX, 1)];
                let (numerator, denominator) = self.pick(&fractions);
                Call::ScaleCosts { numerator, denominator }
            }
            11 => Call::SetOwnCost(self.pick(&[0, 1, 700, 9_000, 1 << 32])),
            12 => Call::ObserveOwnTime(self.below(9_000)),
            13 => Call::SetCautiousStart(self.one_in(2)),
            _ => self.origin(),
        }
    }

    fn hysteresis(&mut self) -> Call {
        let margin = self.pick(&[0, 26, 63, 255]);
        Call::SetHysteresis { margin, dead_band: self.pick(&[0, 8, 31, 200]) }
    }

    fn origin(&mut self) -> Call {
        let far = self.pick(&ORIGINS);
        self.origin = [far, 0.0, -far / 2.0];
        Call::SetOrigin(self.origin)
    }

    fn view_call(&mut self) -> Call {
        let (eye, beyond) = (self.eye(), u64::from(self.one_in(20)));
        let view = self.index(self.views + beyond);
        match self.below(8) {
            0 | 1 if self.views < 8 => {
                self.views += 1;
                Call::AddView(eye)
            }
            2 => Call::RemoveView(view),
            _ => Call::SetView { view, eye },
        }
    }

    /// Calls of priorities, zooms, frusta and what is in view.
    fn lens_call(&mut self) -> Call {
        let beyond = u64::from(self.one_in(20));
        let view = self.index(self.views + beyond);
        match self.below(if self.profile.has_rows { 9 } else { 8 }) {
            0 => Call::SetModulePriority { module: self.any_module(), priority: self.priority() },
            1 => {
                let factor = self.pick(&[0.0, 0.0, 0.25, 0.7, 1.0, 1.5, f64::NAN]);
                Call::SetOutside { module: self.any_module(), factor }
            }
            2 => {
                let zoom = self.pick(&[1.0, 2.0, 3.7, 0.3, 64.0, 65.0, f64::NAN]);
                Call::SetZoom { view, zoom }
            }
            3 | 4 => Call::SetMatrices { view, camera: self.camera() },
            5 => {
                let actors = self.actors(12);
                let priorities = self.values(actors.len(), |draw| single(draw.priority()));
                Call::Set { actors, column: Column::Priority(priorities) }
            }
            6 => {
                let actors = self.actors(12);
                let column = Column::InView(self.values(actors.len(), |draw| draw.one_in(2)));
                Call::Set { actors, column }
            }
            7 => Call::TestViews(self.any_module()),
            _ => {
                let words = self.below(4);
                let bits = (0..words).map(|_| self.random.next_u64()).collect();
                Call::SetInView { module: self.any_module(), bits }
            }
        }
    }

    fn priority(&mut self) -> f64 {
        if self.one_in(12) {
            return self.pick(&[-1.0, 16.0, f64::NAN, f64::INFINITY]);
        }
        let max = self.pick(&[2.0, 15.9]);
        self.real(0.0, max)
    }

    /// A camera that looks in any direction, sometimes one that is rejected.
    fn camera(&mut self) -> CameraSpec {
        let eye = self.world();
        let [[yaw_sine, yaw_cosine], [pitch_sine, pitch_cosine]] = [3.0, 0.75].map(|max| {
            // A point of the circle, without functions that differ between machines.
            let tangent = self.real(-max, max);
            let square = tangent * tangent;
            [2.0 * tangent / (1.0 + square), (1.0 - square) / (1.0 + square)]
        });
        let right = [yaw_cosine, 0.0, -yaw_sine];
        let up = [yaw_sine * pitch_sine, pitch_cosine, yaw_cosine * pitch_sine];
        let back = [yaw_sine * pitch_cosine, -pitch_sine, yaw_cosine * pitch_cosine];
        let along = |axis: [f64; 3]| axis[0] * eye[0] + axis[1] * eye[1] + axis[2] * eye[2];
        let [x, y, z] = [0, 1, 2].map(|axis| [right[axis], up[axis], back[axis], 0.0]);
        let scale = self.real(0.25, 4.0);
        let aspect = self.pick(&[1.0, 4.0 / 3.0, 16.0 / 9.0]);
        // Some engines flip y; a shifted lens has sides of different angles.
        let (flip, shift) = (self.pick(&[1.0, -1.0]), self.pick(&[0.0, 0.0, 0.125]));
        let camera = CameraSpec {
            view: [x, y, z, [-along(right), -along(up), -along(back), 1.0]],
            projection: [
                [scale / aspect, 0.0, 0.0, 0.0],
                [0.0, flip * scale, 0.0, 0.0],
                [shift, 0.0, -1.0, -1.0],
                [0.0, 0.0, -0.2, 0.0],
            ],
            reference_fov: self.maybe(2, |draw| draw.real(20.0, 110.0)),
            margin: (!self.one_in(4)).then(|| self.pick(&[0.0, 2.0, 2.0, 10.0])),
        };
        if self.one_in(6) { self.bad_camera(camera) } else { camera }
    }

    fn bad_camera(&mut self, mut camera: CameraSpec) -> CameraSpec {
        match self.below(6) {
            0 => camera.projection[3][3] = 1.0,
            1 => camera.projection[0][0] = f64::NAN,
            2 => camera.view[1] = [0.0; 4],
            3 => camera.reference_fov = Some(self.pick(&[0.0, 180.0, 179.999, f64::NAN])),
            4 => camera.margin = Some(self.pick(&[80.0, f64::NAN, f64::INFINITY])),
            _ => (camera.projection[0], camera.margin) = ([0.0; 4], Some(1.0)),
        }
        camera
    }

    fn rows(&mut self) -> Call {
        let column = self.pick(&[
            RowColumn::X,
            RowColumn::Y,
            RowColumn::Z,
            RowColumn::Age,
            RowColumn::Speed,
            RowColumn::Benefit,
            RowColumn::StateX,
            RowColumn::StateAge,
            RowColumn::StateSpeed,
        ]);
        let (first, count) = (self.index(16), self.index(40));
        let value = self.any_float(0.0, 50.0);
        Call::SetRows { module: self.any_module(), first, count, column, value }
    }

    fn begin(&mut self) {
        let settings = [
            Call::SetBudget(self.budget()),
            Call::SetPolicy(self.small(5)),
            Call::TrackChanges(!self.one_in(4)),
        ];
        self.calls.extend(settings);
        if self.profile.has_origin && self.one_in(2) {
            let origin = self.origin();
            self.calls.push(origin);
        }
        if self.one_in(3) {
            let hysteresis = self.hysteresis();
            self.calls.push(hysteresis);
        }
        for _ in 0..=self.below(self.profile.modules.saturating_sub(1).max(1)) {
            let module = self.module();
            self.calls.push(Call::AddModule(module));
        }
        for _ in 0..self.below(3) {
            self.views += 1;
            let eye = self.world();
            self.calls.push(Call::AddView(eye));
        }
        for module in 0..self.modules {
            self.spawn(usize::try_from(module).unwrap_or(0));
        }
    }

    fn step(&mut self) {
        if self.profile.has_lenses && self.one_in(4) {
            let call = self.lens_call();
            self.calls.push(call);
            return;
        }
        let call = match self.below(16) {
            0..3 => {
                let module = self.any_module();
                return self.spawn(module);
            }
            3 => {
                let max = self.pick(&[2, 3, 12]);
                Call::Despawn(self.actors(max))
            }
            8 => self.actor_call(),
            9..11 => self.module_call(),
            11..13 => self.scene_call(),
            13 => self.view_call(),
            14 if self.profile.has_rows => self.rows(),
            15 if self.one_in(4) => {
                let rule = self.bad_rule();
                let module = ModuleSpec { rule, qualities: Some(vec![0.5, 1.5]), ..self.module() };
                self.modules -= 1;
                self.levels.pop();
                Call::AddModule(module)
            }
            15 if self.modules < self.profile.modules => Call::AddModule(self.module()),
            _ => self.set(),
        };
        self.calls.push(call);
    }

    fn frame(&mut self) {
        self.calls.push(Call::Tick);
        if self.one_in(6) {
            self.calls.push(Call::Certify);
        }
        if self.one_in(4 * self.profile.frames) {
            self.settle();
        }
    }

    /// Observes times until headroom follows them.
    fn settle(&mut self) {
        let wrong = 50 + self.below(110);
        for frame in 0..SETTLED {
            for module in 0..self.modules {
                let module = usize::try_from(module).unwrap_or(0);
                let percent = wrong + 5 * (frame * 7 % 5);
                self.calls.push(Call::ObserveShare { module, percent });
            }
            self.calls.push(Call::Tick);
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "rounds to nearest")]
const fn single(number: f64) -> f32 {
    number as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script::{Player as _, ScenePlayer, Status};

    #[test]
    fn a_seed_is_a_script() {
        let [one, same, other] = [7, 7, 8].map(|seed| calls(seed, &Profile::ABI));
        assert_eq!(format!("{one:?}"), format!("{same:?}"));
        assert_ne!(format!("{one:?}"), format!("{other:?}"));
    }

    #[test]
    fn scripts_have_all_calls_and_statuses() {
        let mut names = std::collections::BTreeMap::<String, usize>::new();
        let mut statuses = [0; 6];
        let mut levels = std::collections::BTreeSet::new();
        let without = [Profile::ABI, Profile::SCHEDULER, Profile::FIXED];
        let profiles = [without, without.map(Profile::with_lenses)].concat();
        for (seed, profile) in (0..300).zip(profiles.iter().cycle()) {
            let mut player = ScenePlayer::<f32>::new();
            for call in calls(seed, profile) {
                let debug = format!("{call:?}");
                let name = debug.split([' ', '(', '{']).next().unwrap_or_default().to_owned();
                *names.entry(name).or_default() += 1;
                let outcome = player.call(&call);
                assert_ne!(outcome.status, Status::Full);
                statuses[outcome.status as usize] += 1;
                let lines = outcome.lines.iter().filter(|line| line.name == "levels");
                levels.extend(lines.flat_map(|line| line.words[1..].iter().copied()));
            }
        }
        assert_eq!(names.len(), 42, "{names:?}");
        assert!(names.values().all(|&count| count >= 10), "{names:?}");
        assert!([0, 2, 3, 4, 5].iter().all(|&status| statuses[status] >= 50), "{statuses:?}");
        assert!(levels.len() >= 5, "{levels:?}");
    }
}
