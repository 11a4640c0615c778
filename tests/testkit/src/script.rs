//! Scripts of calls for every scheduler, drawn from a seed, and players that make the calls: the scheduler, the C
//! ABI, the scene of a board or a game engine. Two players of a script must give the same outcomes, bit for bit.

use std::error::Error;
use std::fmt;
use std::ops::Range;

use proptest::prelude::Rng as _;
use proptest::strategy::{NewTree, Strategy, ValueTree};
use proptest::test_runner::TestRunner;

mod draw;
mod log;
mod scene_player;

pub use draw::{Profile, calls, numbered_spawn, start, steps};
pub use log::{log, words};
pub use scene_player::{
    ScenePlayer, ScriptNumber, camera_view, given, last_level, number, policy, rule, value,
};

/// A call of a scene. Modules, views and actors are numbered in the order of their addition; a number beyond is an
/// unknown handle.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "the names are those of the scheduler's setters")]
pub enum Call {
    SetBudget(Option<u64>),
    SetPolicy(u8),
    SetHysteresis {
        margin: u8,
        dead_band: u8,
    },
    SetMaxUpgrades(Option<u32>),
    SetSearchMoves(u16),
    SetHeadroomTarget(f64),
    FrameDone,
    ScaleCosts {
        numerator: u32,
        denominator: u32,
    },
    /// Nanoseconds.
    SetOwnCost(u64),
    /// Nanoseconds.
    ObserveOwnTime(u64),
    SetCautiousStart(bool),
    SetUnmanagedInBudget(bool),
    TrackChanges(bool),
    AdvanceAges(f32),
    SetOrigin([f64; 3]),
    AddView([f64; 3]),
    SetView {
        view: usize,
        eye: [f64; 3],
    },
    SetZoom {
        view: usize,
        zoom: f64,
    },
    SetMatrices {
        view: usize,
        camera: CameraSpec,
    },
    RemoveView(usize),
    AddModule(ModuleSpec),
    SetRule {
        module: usize,
        rule: RuleSpec,
    },
    SetUnitCost {
        module: usize,
        ns: f64,
    },
    SetBenefitValue {
        module: usize,
        ns: u32,
    },
    SetModulePriority {
        module: usize,
        priority: f64,
    },
    SetOutside {
        module: usize,
        factor: f64,
    },
    /// A bit for each row, from the lowest bit of the first word on.
    SetInView {
        module: usize,
        bits: Vec<u64>,
    },
    TestViews(usize),
    SetManaged {
        module: usize,
        managed: bool,
    },
    SetLodCap {
        module: usize,
        cap: Option<u8>,
    },
    SetOverhead {
        module: usize,
        units: u32,
    },
    /// A measured time; `None` for the units of the last plan.
    ObserveTime {
        module: usize,
        units: Option<u64>,
        ns: u64,
    },
    /// The planned units took this percentage of the planned time.
    ObserveShare {
        module: usize,
        percent: u64,
    },
    /// All actors spawn or none.
    Spawn {
        module: usize,
        actors: Vec<ActorSpec>,
    },
    Despawn(Vec<usize>),
    /// A value for each actor, or one for all of them.
    Set {
        actors: Vec<usize>,
        column: Column,
    },
    /// Levels from `lowest` to `highest`; 255 is the last.
    SetRange {
        actor: usize,
        lowest: u8,
        highest: u8,
    },
    SetWork {
        actor: usize,
        work: Vec<u32>,
    },
    SetQualities {
        actor: usize,
        qualities: Option<Vec<f32>>,
    },
    /// Writes rows of a column in bulk, limited to existing rows.
    SetRows {
        module: usize,
        first: usize,
        count: usize,
        column: RowColumn,
        value: f32,
    },
    Tick,
    Certify,
}

#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "the names are those of the scheduler")]
pub struct ModuleSpec {
    pub unit_cost_ns: f64,
    pub benefit_value_ns: Option<u32>,
    pub qualities: Option<Vec<f32>>,
    pub overhead: u32,
    pub cap: Option<u8>,
    pub continuous: bool,
    pub managed: bool,
    pub rule: RuleSpec,
}

/// The matrices of a camera in the world, in columns.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(missing_docs, reason = "the names are those of the core")]
pub struct CameraSpec {
    pub view: [[f64; 4]; 4],
    pub projection: [[f64; 4]; 4],
    /// The vertical field of view of zoom 1 in degrees; `None` for zoom 1.
    pub reference_fov: Option<f64>,
    /// The margin of the frustum in degrees; `None` for no frustum.
    pub margin: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(missing_docs, reason = "the names are those of the scheduler")]
pub struct RuleSpec {
    pub angular: bool,
    pub max_distance: Option<f32>,
    /// The weights of distance, age and speed.
    pub weights: [f32; 3],
    pub bias: f32,
    pub max_age: Option<f32>,
    pub max_speed: Option<f32>,
}

#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "the names are those of the scheduler")]
pub struct ActorSpec {
    pub work: Vec<u32>,
    pub qualities: Option<Vec<f32>>,
    pub key: u64,
    pub position: [f64; 3],
    pub radius: f32,
    pub age: f32,
    pub speed: f32,
    pub benefit: Option<f32>,
    pub forced: Option<f32>,
    /// The lowest and the highest level; 255 is the last.
    pub range: Option<(u8, u8)>,
    pub visible: bool,
}

impl ActorSpec {
    /// Whether the actor has neither a position nor a size, as its benefit is given.
    #[must_use]
    pub fn is_bare(&self) -> bool {
        let numbers = [self.radius, self.age, self.speed].into_iter().map(f64::from);
        self.position.into_iter().chain(numbers).all(|number| number == 0.0)
    }
}

/// Values of a column of actors, one for each or one for all. Below 0, `Benefit` is computed and `Forced` is chosen.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "the names are those of the scheduler")]
pub enum Column {
    Position(Vec<[f32; 3]>),
    WorldPosition(Vec<[f64; 3]>),
    Radius(Vec<f32>),
    Age(Vec<f32>),
    Speed(Vec<f32>),
    Benefit(Vec<f32>),
    Forced(Vec<f32>),
    Visible(Vec<bool>),
    Key(Vec<u64>),
    Priority(Vec<f32>),
    InView(Vec<bool>),
    /// Position, age and speed.
    State(Vec<[f32; 5]>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of the scheduler")]
pub enum RowColumn {
    X,
    Y,
    Z,
    Age,
    Speed,
    Benefit,
    StateX,
    StateAge,
    StateSpeed,
}

/// How a call ended, as the numbers of `lodger.h`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of the scheduler")]
pub enum Status {
    Done = 0,
    NoSuchView = 2,
    NoSuchModule = 3,
    NoSuchActor = 4,
    Invalid = 5,
    /// A scene of fixed size is full. The other player does not make the call.
    Full = 6,
}

/// A line of an outcome; floating-point numbers are their bits.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of the scheduler")]
pub struct Line {
    pub name: &'static str,
    pub words: Vec<u64>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of the scheduler")]
pub struct Outcome {
    pub status: Status,
    pub lines: Vec<Line>,
}

impl Outcome {
    #[must_use]
    pub const fn of(status: Status) -> Self {
        Self { status, lines: Vec::new() }
    }

    pub fn push(&mut self, name: &'static str, words: impl IntoIterator<Item = u64>) {
        self.lines.push(Line { name, words: words.into_iter().collect() });
    }
}

pub trait Player {
    fn name(&self) -> &'static str;

    fn call(&mut self, call: &Call) -> Outcome;

    /// Whether the player has lines of this name. Lines that only one of two players has are not compared.
    fn tells(&self, _line: &str) -> bool {
        true
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference(String);

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for Difference {}

pub type Statuses = [usize; 7];

/// Makes the calls in both players and compares the outcomes. If the first player is [full](Status::Full), the second
/// does not make the call.
///
/// # Errors
/// The first difference.
pub fn same(
    one: &mut dyn Player,
    other: &mut dyn Player,
    calls: &[Call],
) -> Result<Statuses, Difference> {
    let mut statuses = Statuses::default();
    for (number, call) in calls.iter().enumerate() {
        let mut first = one.call(call);
        statuses[first.status as usize] += 1;
        if first.status == Status::Full {
            continue;
        }
        let mut second = other.call(call);
        first.lines.retain(|line| other.tells(line.name));
        second.lines.retain(|line| one.tells(line.name));
        if first != second {
            let names = [one.name(), other.name()];
            return Err(difference(number, call, names, [&first, &second]));
        }
    }
    Ok(statuses)
}

fn difference(number: usize, call: &Call, names: [&str; 2], outcomes: [&Outcome; 2]) -> Difference {
    let [one, other] = names;
    let place = format!("call {number}, {call:?}");
    let [first, second] = outcomes;
    if first.status != second.status {
        let (first, second) = (first.status, second.status);
        return Difference(format!("{place}:\n  {one}: {first:?}\n  {other}: {second:?}"));
    }
    let count = first.lines.len().max(second.lines.len());
    let lines = (0..count).map(|line| [first.lines.get(line), second.lines.get(line)]);
    let [first, second] = lines
        .filter(|[first, second]| first != second)
        .map(|lines| lines.map(|line| line.map_or_else(|| "no line".to_owned(), text)))
        .next()
        .unwrap_or_default();
    Difference(format!("{place}:\n  {one}: {first}\n  {other}: {second}"))
}

#[must_use]
pub fn text(line: &Line) -> String {
    use fmt::Write as _;

    let mut text = line.name.to_owned();
    for word in &line.words {
        let _ = write!(text, " {word:x}");
    }
    text
}

#[must_use]
pub const fn any_script(profile: Profile) -> Scripts {
    Scripts::Whole(profile)
}

/// Fewer calls than `max`, without ticks, after [`start`].
#[must_use]
pub const fn any_steps(max: u64) -> Scripts {
    Scripts::Steps(max)
}

#[derive(Debug, Clone, Copy)]
pub enum Scripts {
    Whole(Profile),
    Steps(u64),
}

impl Strategy for Scripts {
    type Tree = Shrinking;
    type Value = Vec<Call>;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        let seed = runner.rng().next_u64();
        let calls = match self {
            Self::Whole(profile) => calls(seed, profile),
            Self::Steps(max) => steps(seed, *max),
        };
        let (kept, chunk) = (vec![true; calls.len()], calls.len().div_ceil(2).max(1));
        Ok(Shrinking { calls, kept, chunk, next: 0, left_out: None })
    }
}

/// A script that shrinks by smaller and smaller chunks.
#[derive(Debug)]
pub struct Shrinking {
    calls: Vec<Call>,
    kept: Vec<bool>,
    chunk: usize,
    next: usize,
    /// The last chunk that was left out, and the earlier state of its calls.
    left_out: Option<(Range<usize>, Vec<bool>)>,
}

impl ValueTree for Shrinking {
    type Value = Vec<Call>;

    fn current(&self) -> Vec<Call> {
        let kept = self.calls.iter().zip(&self.kept).filter(|(_, kept)| **kept);
        kept.map(|(call, _)| call.clone()).collect()
    }

    fn simplify(&mut self) -> bool {
        loop {
            if self.next >= self.calls.len() {
                if self.chunk == 1 {
                    return false;
                }
                (self.next, self.chunk) = (0, self.chunk / 2);
            }
            let chunk = self.next..self.calls.len().min(self.next + self.chunk);
            self.next = chunk.end;
            let kept = &mut self.kept[chunk.clone()];
            if kept.contains(&true) {
                self.left_out = Some((chunk, kept.to_vec()));
                kept.fill(false);
                return true;
            }
        }
    }

    fn complicate(&mut self) -> bool {
        let Some((chunk, kept)) = self.left_out.take() else { return false };
        self.kept[chunk].copy_from_slice(&kept);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failing_script_shrinks_to_the_calls_that_matter() {
        let mut runner = TestRunner::deterministic();
        let fails = |calls: &[Call]| {
            let ticks = calls.iter().filter(|call| **call == Call::Tick).count();
            ticks >= 2 && calls.iter().any(|call| matches!(call, Call::SetPolicy(_)))
        };
        let mut tree = any_script(Profile::ABI).new_tree(&mut runner).unwrap();
        assert!(fails(&tree.current()));
        while tree.simplify() {
            if !fails(&tree.current()) {
                assert!(tree.complicate());
            }
        }
        assert_eq!(tree.current().len(), 3, "{:?}", tree.current());
    }
}
