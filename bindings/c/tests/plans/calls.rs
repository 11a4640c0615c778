//! The calls of a seed, drawn in the order of `tests/c/plans.c`.

const FRAMES: u32 = 20;
const ACTORS: u32 = 64;
const SPAWN: u32 = 6;
const LIST: u32 = 8;
const MODULES: u32 = 3;
const VIEWS: u32 = 8;
const LEVELS: u32 = 5;

/// A call. Modules, views and actors are numbered in the order in which somebody asked for them.
#[derive(Debug)]
pub(crate) enum Call {
    Create(Option<u64>),
    Budget(Option<u64>),
    Policy(u32),
    Stability(u8, u8),
    MaxRaises(Option<u32>),
    Trials(u32),
    Headroom(f64),
    CountUnmanaged(bool),
    AdvanceAges(f32),
    Track(bool),
    Origin([f64; 3]),
    AddView([f64; 3]),
    SetView(usize, [f64; 3]),
    RemoveView(usize),
    AddModule(Module),
    Spawn(usize, Vec<Actor>),
    Despawn(Vec<usize>),
    Set(Vec<usize>, Column, Vec<Row>, bool),
    Range(usize, u8, u8),
    Work(usize, Vec<u32>),
    Qualities(usize, Option<Vec<f32>>),
    UnitCost(usize, f64),
    BenefitValue(usize, u32),
    Rule(usize, Rule),
    Managed(usize, bool),
    Cap(usize, Option<u8>),
    Overhead(usize, u32),
    Measured(usize, Option<u64>, u64),
    /// A tick, two actors to be looked at after it, and whether it is certified.
    Tick([usize; 2], bool),
    Destroy,
}

#[derive(Debug)]
pub(crate) struct Module {
    pub(crate) continuous: bool,
    pub(crate) unmanaged: bool,
    pub(crate) qualities: Option<Vec<f32>>,
    pub(crate) unit_cost: f64,
    pub(crate) benefit_value: u32,
    pub(crate) rule: Rule,
    pub(crate) cap: Option<u8>,
    pub(crate) overhead: u32,
}

#[derive(Debug)]
pub(crate) struct Rule {
    pub(crate) importance: u32,
    pub(crate) max_distance: Option<f32>,
    pub(crate) weights: [f32; 3],
    pub(crate) bias: f32,
    pub(crate) max_age: f32,
    pub(crate) max_speed: f32,
}

#[derive(Debug)]
pub(crate) struct Actor {
    pub(crate) work: Vec<u32>,
    pub(crate) qualities: Option<Vec<f32>>,
    pub(crate) key: u64,
    pub(crate) position: [f64; 3],
    pub(crate) radius: f32,
    pub(crate) age: f32,
    pub(crate) speed: f32,
    pub(crate) benefit: Option<f32>,
    pub(crate) forced: Option<f32>,
    pub(crate) range: Option<(u8, u8)>,
    pub(crate) invisible: bool,
}

/// What a call sets, in the order of the header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Column {
    Position,
    PositionF64,
    Radius,
    Age,
    Speed,
    Benefit,
    Forced,
    Visible,
    Key,
}

impl Column {
    const ALL: [Self; 9] = [
        Self::Position,
        Self::PositionF64,
        Self::Radius,
        Self::Age,
        Self::Speed,
        Self::Benefit,
        Self::Forced,
        Self::Visible,
        Self::Key,
    ];
}

/// The value for an actor, of whatever column; the strides of C run over it.
#[derive(Debug, Clone, Copy, Default)]
#[repr(C)]
pub(crate) struct Row {
    pub(crate) world: [f64; 3],
    pub(crate) place: [f32; 3],
    pub(crate) number: f32,
    pub(crate) key: u64,
    pub(crate) visible: u8,
}

/// All calls of a seed.
pub(crate) fn of(seed: u64) -> Vec<Call> {
    let mut draw = Draw { state: seed, modules: 0, views: 0, actors: 0 };
    let mut calls = vec![Call::Create(draw.budget())];
    calls.push(Call::Policy(draw.below(5)));
    calls.push(Call::Track(draw.flag()));
    let modules = 1 + draw.below(MODULES);
    calls.extend((0..modules).map(|_| Call::AddModule(draw.module())));
    let views = draw.below(3);
    calls.extend((0..views).filter_map(|_| draw.add_view()));
    calls.extend((0..modules).filter_map(|module| draw.spawn(module)));
    for _ in 0..FRAMES {
        let some = draw.below(8);
        calls.extend((0..some).filter_map(|_| draw.call()));
        let whom = [draw.below(draw.actors), draw.below(draw.actors)].map(|actor| actor as usize);
        calls.push(Call::Tick(whom, draw.one_in(4)));
    }
    calls.push(Call::Destroy);
    calls
}

/// `SplitMix64`, and how much there is to choose from.
struct Draw {
    state: u64,
    modules: u32,
    views: u32,
    actors: u32,
}

impl Draw {
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = self.state;
        let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    #[allow(clippy::cast_possible_truncation)] // 31 bits are left
    fn below(&mut self, end: u32) -> u32 {
        (self.next() >> 33) as u32 % end
    }

    #[allow(clippy::cast_possible_truncation)] // small numbers are asked for
    fn byte(&mut self, end: u32) -> u8 {
        self.below(end) as u8
    }

    fn one_in(&mut self, many: u32) -> bool {
        self.below(many) == 0
    }

    fn flag(&mut self) -> bool {
        self.below(2) == 1
    }

    #[allow(clippy::cast_precision_loss)] // small numbers are asked for
    fn number(&mut self, end: u32) -> f32 {
        self.below(end) as f32
    }

    fn sixteenths(&mut self, first: i16, count: u32) -> f32 {
        (self.number(count) + f32::from(first)) / 16.0
    }

    fn coordinate(&mut self) -> f64 {
        f64::from(self.below(16_000)) / 16.0 - 500.0
    }

    fn coordinates(&mut self) -> [f64; 3] {
        [self.coordinate(), self.coordinate(), self.coordinate()]
    }

    fn budget(&mut self) -> Option<u64> {
        if self.one_in(4) { None } else { Some(self.below(40_000).into()) }
    }

    fn rule(&mut self) -> Rule {
        Rule {
            importance: self.below(2),
            max_distance: self.one_in(2).then(|| 1.0 + self.number(200)),
            weights: match self.below(3) {
                0 => [1.0, 0.0, 0.0],
                1 => [0.5, 0.5, 0.0],
                _ => [0.5, 0.25, 0.25],
            },
            bias: self.number(4) / 64.0,
            max_age: 1.0 + self.number(20),
            max_speed: 1.0 + self.number(10),
        }
    }

    fn cap(&mut self) -> Option<u8> {
        self.one_in(2).then(|| self.byte(4))
    }

    fn levels(&mut self) -> u32 {
        if self.one_in(12) { 1 + self.below(LEVELS) } else { 4 }
    }

    fn work(&mut self, levels: u32) -> Vec<u32> {
        let mut units = self.below(8);
        let mut level = || {
            let here = units;
            units += self.below(200);
            here
        };
        (0..levels).map(|_| level()).collect()
    }

    fn qualities(&mut self, levels: u32) -> Vec<f32> {
        let mut quality = 0.0;
        let mut level = || {
            let here = quality / 32.0;
            quality += self.number(16);
            here
        };
        (0..levels).map(|_| level()).collect()
    }

    fn module(&mut self) -> Module {
        self.modules += 1;
        Module {
            continuous: self.one_in(3),
            unmanaged: self.one_in(6),
            qualities: self.one_in(4).then(|| self.qualities(4)),
            unit_cost: f64::from(1 + self.below(64)) / 8.0,
            benefit_value: self.below(20_000),
            rule: self.rule(),
            cap: self.cap(),
            overhead: if self.one_in(3) { self.below(100) } else { 0 },
        }
    }

    fn actor(&mut self) -> Actor {
        let levels = self.levels();
        Actor {
            work: self.work(levels),
            qualities: self.one_in(4).then(|| self.qualities(levels)),
            key: self.next(),
            position: self.coordinates(),
            radius: self.sixteenths(0, 64),
            age: self.sixteenths(0, 320),
            speed: self.sixteenths(0, 160),
            benefit: self.one_in(5).then(|| self.sixteenths(0, 64)),
            forced: self.one_in(8).then(|| self.sixteenths(0, 96)),
            range: self.one_in(4).then(|| (self.byte(3), 1 + self.byte(3))),
            invisible: self.one_in(10),
        }
    }

    fn spawn(&mut self, module: u32) -> Option<Call> {
        if self.actors + SPAWN > ACTORS {
            return None;
        }
        let count = 1 + self.below(SPAWN);
        self.actors += count;
        Some(Call::Spawn(module as usize, (0..count).map(|_| self.actor()).collect()))
    }

    fn whom(&mut self) -> usize {
        self.below(self.actors) as usize
    }

    fn list(&mut self, most: u32) -> Vec<usize> {
        let count = 1 + self.below(most);
        (0..count).map(|_| self.whom()).collect()
    }

    fn odd(&mut self, otherwise: f32) -> f32 {
        match self.below(40) {
            0 => f32::NAN,
            1 => f32::INFINITY,
            _ => otherwise,
        }
    }

    fn odd_sixteenths(&mut self, first: i16, count: u32) -> f32 {
        let number = self.sixteenths(first, count);
        self.odd(number)
    }

    #[allow(clippy::cast_possible_truncation)] // coordinates are whole sixteenths
    fn value(&mut self, column: Column) -> Row {
        let mut row = Row::default();
        match column {
            Column::Position => {
                row.place = self.coordinates().map(|place| place as f32);
                row.place[0] = self.odd(row.place[0]);
            }
            Column::PositionF64 => {
                row.world = [0; 3]
                    .map(|_| self.coordinate() + f64::from(self.below(1024)) / 1_099_511_627_776.0);
            }
            Column::Radius => row.number = self.odd_sixteenths(-1, 66),
            Column::Age => row.number = self.odd_sixteenths(-20, 340),
            Column::Speed => row.number = self.odd_sixteenths(-4, 160),
            Column::Benefit => row.number = self.odd_sixteenths(-16, 80),
            Column::Forced => row.number = self.odd_sixteenths(-20, 100),
            Column::Visible => row.visible = self.byte(2),
            Column::Key => row.key = self.next(),
        }
        row
    }

    fn set(&mut self) -> Call {
        let column = Column::ALL[self.below(9) as usize];
        let whom = self.list(LIST);
        let rows = whom.iter().map(|_| self.value(column)).collect();
        Call::Set(whom, column, rows, self.one_in(8))
    }

    fn of_actor(&mut self) -> Call {
        let kind = self.below(3);
        let whom = self.whom();
        match kind {
            0 => Call::Range(whom, self.byte(4), self.byte(6)),
            1 => {
                let levels = self.levels();
                Call::Work(whom, self.work(levels))
            }
            _ => {
                let levels = self.levels();
                Call::Qualities(whom, (!self.one_in(3)).then(|| self.qualities(levels)))
            }
        }
    }

    fn of_module(&mut self) -> Call {
        let kind = self.below(7);
        let module = self.below(self.modules) as usize;
        match kind {
            0 => Call::UnitCost(module, f64::from(self.below(64)) / 8.0),
            1 => Call::BenefitValue(module, self.below(20_000)),
            2 => Call::Rule(module, self.rule()),
            3 => Call::Managed(module, self.flag()),
            4 => Call::Cap(module, self.cap()),
            5 => Call::Overhead(module, self.below(100)),
            _ => {
                let units = self.one_in(2).then(|| self.below(4_000).into());
                Call::Measured(module, units, self.below(40_000).into())
            }
        }
    }

    fn of_scene(&mut self) -> Call {
        match self.below(10) {
            0 => Call::Budget(self.budget()),
            1 => Call::Policy(self.below(5)),
            2 => Call::Stability(self.byte(64), self.byte(32)),
            3 => Call::MaxRaises(if self.one_in(2) { None } else { Some(self.below(4)) }),
            4 => Call::Trials(self.below(64)),
            5 => Call::Headroom([0.0, 0.01, 0.25][self.below(3) as usize]),
            6 => Call::CountUnmanaged(self.flag()),
            7 => Call::AdvanceAges(self.sixteenths(-4, 32)),
            8 => Call::Track(self.flag()),
            _ => Call::Origin([0; 3].map(|_| f64::from(self.below(4_000)) / 4.0 - 500.0)),
        }
    }

    fn add_view(&mut self) -> Option<Call> {
        let eye = self.coordinates();
        let has_room = self.views < VIEWS;
        self.views += u32::from(has_room);
        has_room.then_some(Call::AddView(eye))
    }

    fn of_view(&mut self) -> Option<Call> {
        let kind = self.below(3);
        if kind == 0 || self.views == 0 {
            return self.add_view();
        }
        let which = self.below(self.views) as usize;
        Some(if kind == 1 {
            Call::SetView(which, self.coordinates())
        } else {
            Call::RemoveView(which)
        })
    }

    fn call(&mut self) -> Option<Call> {
        match self.below(8) {
            0 => {
                let module = self.below(self.modules);
                self.spawn(module)
            }
            1 => Some(Call::Despawn(self.list(2))),
            2 | 3 => Some(self.set()),
            4 => Some(self.of_actor()),
            5 => Some(self.of_module()),
            6 => Some(self.of_scene()),
            _ => self.of_view(),
        }
    }
}
