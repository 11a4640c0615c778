//! One script of calls for every scheduler: what a program may ask of a scene, drawn from a seed, and players that
//! make the calls of the scheduler, the C ABI, a board's scene or a game engine. Two players of one script must
//! give the same outcomes, bit for bit.

use std::error::Error;
use std::fmt;

mod draw;
mod log;
mod scene_player;
mod shrink;

pub use draw::{Profile, calls, numbered_spawn, start, steps};
pub use log::{log, words};
pub use scene_player::{ScenePlayer, ScriptNumber, given, last_level, number, policy, rule, value};
pub use shrink::{Scripts, any_script, any_steps};

/// A call of a scene. Modules, views and actors are numbered in the order in which calls succeeded to add them; a
/// number beyond is a handle that no scene has given out.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)] // the names are those of the scheduler's setters
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
    SetUnmanagedInBudget(bool),
    TrackChanges(bool),
    AdvanceAges(f32),
    SetOrigin([f64; 3]),
    AddView([f64; 3]),
    SetView {
        view: usize,
        eye: [f64; 3],
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
    /// `None` for the units of the last plan.
    ObserveTime {
        module: usize,
        units: Option<u64>,
        ns: u64,
    },
    /// The planned units took so many hundredths of what was planned.
    ObserveShare {
        module: usize,
        percent: u64,
    },
    /// All come or none.
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
    /// Writes rows of a column of a module in bulk; the rows are cut to those that there are.
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

/// The numbers of a new module.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)] // the names are those of the scheduler
pub struct ModuleSpec {
    pub unit_cost_ns: f64,
    pub benefit_value_ns: u32,
    pub qualities: Option<Vec<f32>>,
    pub overhead: u32,
    pub cap: Option<u8>,
    pub continuous: bool,
    pub managed: bool,
    pub rule: RuleSpec,
}

/// The terms of a benefit rule.
#[derive(Debug, Clone, Copy, PartialEq)]
#[allow(missing_docs)] // the names are those of the scheduler
pub struct RuleSpec {
    pub angular: bool,
    pub max_distance: Option<f32>,
    /// Of distance, age and speed.
    pub weights: [f32; 3],
    pub bias: f32,
    pub max_age: Option<f32>,
    pub max_speed: Option<f32>,
}

/// The numbers of a new actor.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)] // the names are those of the scheduler
pub struct ActorSpec {
    pub work: Vec<u32>,
    pub qualities: Option<Vec<f32>>,
    pub key: u64,
    /// In the world, so the scene's origin is subtracted.
    pub position: [f64; 3],
    pub radius: f32,
    pub age: f32,
    pub speed: f32,
    pub benefit: Option<f32>,
    pub forced: Option<f32>,
    /// The lowest and the highest level, of which 255 is the last.
    pub range: Option<(u8, u8)>,
    pub visible: bool,
}

impl ActorSpec {
    /// Whether the actor has neither a place nor a size, as its benefit is all that counts.
    #[must_use]
    pub fn is_bare(&self) -> bool {
        let numbers = [self.radius, self.age, self.speed].into_iter().map(f64::from);
        self.position.into_iter().chain(numbers).all(|number| number == 0.0)
    }
}

/// Values of a column of actors, one for each or one for all. Below 0, `Benefit` is computed and `Forced` is chosen.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)] // the names are those of the scheduler
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
    /// Position, age and speed.
    State(Vec<[f32; 5]>),
}

/// A column whose rows are written in bulk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)] // the names are those of the scheduler
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
#[allow(missing_docs)] // the names are those of the scheduler
pub enum Status {
    Done = 0,
    NoSuchView = 2,
    NoSuchModule = 3,
    NoSuchActor = 4,
    Invalid = 5,
    /// A scene of fixed size has no space left. The other player does not make the call.
    Full = 6,
}

/// What a player says of one thing after a call: a name and numbers, floating-point numbers as their bits.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)] // the names are those of the scheduler
pub struct Line {
    pub name: &'static str,
    pub words: Vec<u64>,
}

/// What came of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)] // the names are those of the scheduler
pub struct Outcome {
    pub status: Status,
    pub lines: Vec<Line>,
}

impl Outcome {
    /// The outcome of a call that says no more than whether it succeeded.
    #[must_use]
    pub const fn of(status: Status) -> Self {
        Self { status, lines: Vec::new() }
    }

    /// Adds a line.
    pub fn push(&mut self, name: &'static str, words: impl IntoIterator<Item = u64>) {
        self.lines.push(Line { name, words: words.into_iter().collect() });
    }
}

/// A scene that a script is played on.
pub trait Player {
    /// The player's name in reports.
    fn name(&self) -> &'static str;

    /// Makes a call.
    fn call(&mut self, call: &Call) -> Outcome;

    /// Whether the player has lines of this name. Lines that one of two players does not have are not compared.
    fn tells(&self, _line: &str) -> bool {
        true
    }
}

/// The first difference between two players.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference(String);

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for Difference {}

/// How many calls ended in each status, by its number.
pub type Statuses = [usize; 7];

/// Has both players make the calls and compares the outcomes. A call for which the first player is
/// [full](Status::Full) is not made by the second.
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
    let most = first.lines.len().max(second.lines.len());
    let lines = (0..most).map(|line| [first.lines.get(line), second.lines.get(line)]);
    let [first, second] = lines
        .filter(|[first, second]| first != second)
        .map(|lines| lines.map(|line| line.map_or_else(|| "no line".to_owned(), text)))
        .next()
        .unwrap_or_default();
    Difference(format!("{place}:\n  {one}: {first}\n  {other}: {second}"))
}

/// A line as text: its name and its words in hexadecimal.
#[must_use]
pub fn text(line: &Line) -> String {
    use fmt::Write as _;

    let mut text = line.name.to_owned();
    for word in &line.words {
        let _ = write!(text, " {word:x}");
    }
    text
}
