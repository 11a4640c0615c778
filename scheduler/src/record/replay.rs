use std::io::Read;

use lodger_core::budget::{Carryover, MAX_MODULES, ModuleView, Move, Scratch, Upgrade, decide};
use lodger_core::units::{BenefitValue, UnitCost};

use super::frames::LogFrames;
use super::limits::{LogError, Meter, RecordLimits, memory, usable_moves, work};
use super::tick::{
    LoggedDecision, LoggedModule, LoggedTick, ModuleSnapshot, ModuleTerms, RecordedDecision,
};

/// Reads a log and decides each tick again; see [`record`](crate::record).
///
/// # Examples
/// ```
/// # use lodger_scheduler::{*, record::*};
/// # let (mut scene, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
/// let mut recorder = Recorder::new(Vec::new())?;
/// recorder.tick(&mut scene)?;
/// let log = recorder.finish()?;
///
/// let mut actors = Vec::new();
/// let mut replay = Replay::new(&log[..])?;
/// while let Some(tick) = replay.tick()? {
///     assert_eq!(tick.difference, None);
///     actors.push(tick.actors);
/// }
/// assert_eq!(actors, [2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Replay<R: Read> {
    log: LogFrames<R>,
    ended: bool,
    state: ReplayState,
}

/// All but the file, so that decisions are compiled once, not for each kind of file.
#[derive(Debug, Default)]
struct ReplayState {
    meter: Meter,
    ticks: u64,
    carryover: Carryover,
    modules: Vec<ModuleSnapshot>,
    decided: Vec<RecordedDecision>,
    upgrades: Vec<Upgrade>,
    /// Memory for the moves of a tick.
    moves: Vec<Move>,
}

/// A tick that was decided again.
///
/// # Examples
/// ```
/// # use lodger_scheduler::{*, record::*};
/// # let (mut scene, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
/// let mut recorder = Recorder::new(Vec::new())?;
/// recorder.tick(&mut scene)?;
/// let log = recorder.finish()?;
///
/// let tick = Replay::new(&log[..])?.tick()?.ok_or(LogError::NotALog)?;
/// assert_eq!((tick.tick, tick.actors, tick.difference), (0, 2, None));
/// assert_eq!(tick.unit_costs[0].0.ns(), 500.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ReplayedTick {
    /// The number of the tick; the first is 0.
    pub tick: u64,
    /// The number of automatic actors.
    pub actors: usize,
    /// The unit costs of the modules: as planned, and by the measurements alone.
    pub unit_costs: Vec<(UnitCost, UnitCost)>,
    /// The first difference to the log.
    pub difference: Option<ReplayDifference>,
}

/// A difference between a log and a replay.
///
/// # Examples
/// ```
/// # use lodger_scheduler::{*, record::*};
/// # let (mut scene, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
/// let mut recorder = Recorder::new(Vec::new())?;
/// recorder.tick(&mut scene)?;
/// let log = recorder.finish()?;
///
/// let mut ticks = 0;
/// let mut replay = Replay::new(&log[..])?;
/// while let Some(tick) = replay.tick()? {
///     if let Some(ReplayDifference { part, logged, decided, .. }) = tick.difference {
///         panic!("tick {}: {part} is {logged} in the log, and {decided} here", tick.tick);
///     }
///     ticks += 1;
/// }
/// assert_eq!(ticks, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReplayDifference {
    /// The part of the decision.
    pub part: ReplayPart,
    /// The value in the log.
    pub logged: u64,
    /// The value of the replay.
    pub decided: u64,
}

/// A part of a decision.
///
/// # Examples
/// ```
/// use lodger_scheduler::record::ReplayPart;
///
/// let part = ReplayPart::Lod { module: 0, slot: 7 };
/// assert_eq!(part.to_string(), "the LOD of actor 7 in module 0");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReplayPart {
    /// The budget less the reserved costs.
    Available,
    /// The amount by which reserved costs and minimums exceed the budget.
    Overcommit,
    /// The sum of all minimums.
    Minimum,
    /// The scale, in 2⁻³².
    Scale,
    /// The bits of the price.
    Price,
    /// The cost of all actors.
    Assigned,
    /// The value of the plan, in 2⁻³¹.
    Value,
    /// The upper bound of every plan, in 2⁻³¹.
    UpperBound,
    /// The number of actors whose level changed.
    Switches,
    /// The LOD of an actor, in 2⁻¹⁶.
    Lod {
        /// The number of the actor's module, in the order in which modules were added.
        module: usize,
        /// The actor's slot; see [`ActorId::slot`](crate::ActorId::slot).
        slot: u32,
    },
}

impl std::fmt::Display for ReplayPart {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Available => "what is available",
            Self::Overcommit => "the overcommit",
            Self::Minimum => "the sum of the minimums",
            Self::Scale => "the scale",
            Self::Price => "the price",
            Self::Assigned => "what was assigned",
            Self::Value => "the value",
            Self::UpperBound => "the upper bound",
            Self::Switches => "the number of flips",
            Self::Lod { module, slot } => {
                return write!(f, "the LOD of actor {slot} in module {module}");
            }
        })
    }
}

impl<R: Read> Replay<R> {
    /// Begins to read a log.
    ///
    /// # Errors
    /// [`LogError::NotALog`], [`LogError::Schema`], or an error of reading.
    ///
    /// # Examples
    /// ```
    /// use lodger_scheduler::record::{LogError, Replay};
    ///
    /// assert!(matches!(Replay::new(&b"another file"[..]), Err(LogError::NotALog)));
    /// ```
    pub fn new(read: R) -> Result<Self, LogError> {
        Ok(Self { log: LogFrames::new(read)?, ended: false, state: ReplayState::default() })
    }

    /// Sets the limits of the log.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::{*, record::*};
    /// # let (mut scene, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// let mut recorder = Recorder::new(Vec::new())?;
    /// recorder.tick(&mut scene)?;
    /// let log = recorder.finish()?;
    ///
    /// let limits = RecordLimits { work: 100, ..RecordLimits::default() };
    /// let result = Replay::new(&log[..])?.with_limits(limits).tick();
    /// assert!(matches!(result, Err(LogError::Work { tick: 0, limit: 100 })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_limits(mut self, limits: RecordLimits) -> Self {
        self.state.meter.limits = limits;
        self
    }

    /// Decides the next tick again; `None` at the end of the log.
    ///
    /// # Errors
    /// The problem of the log. Later ticks cannot be read then.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::{*, record::*};
    /// # let (mut scene, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// let mut recorder = Recorder::new(Vec::new())?;
    /// recorder.tick(&mut scene)?;
    /// let log = recorder.finish()?;
    ///
    /// let mut replay = Replay::new(&log[..])?;
    /// assert_eq!(replay.tick()?.map(|tick| (tick.tick, tick.difference)), Some((0, None)));
    /// assert_eq!(replay.tick()?, None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn tick(&mut self) -> Result<Option<ReplayedTick>, LogError> {
        if self.ended {
            return Ok(None);
        }
        self.ended = true;
        let state = &mut self.state;
        let kept = memory(&state.modules, state.moves.len());
        let Some(bytes) = self.log.next(state.ticks, kept, &mut state.meter)? else {
            return Ok(None);
        };
        let replayed = state.decide(&bytes)?;
        self.ended = false;
        Ok(Some(replayed))
    }
}

impl ReplayState {
    fn decide(&mut self, bytes: &[u8]) -> Result<ReplayedTick, LogError> {
        let number = self.ticks;
        let damaged = |what| LogError::Damaged { tick: number, what };
        let (tick, rest) = postcard::take_from_bytes::<LoggedTick>(bytes)
            .map_err(|_| damaged("it is not what a tick is made of"))?;
        let cautious = cautious_modules(rest, tick.modules.len())
            .ok_or(damaged("it is longer than it should be"))?;
        let request =
            tick.request.request(!cautious.is_empty()).ok_or(damaged("there is no such policy"))?;
        if tick.modules.len() > MAX_MODULES as usize {
            return Err(damaged("it has more modules than a scene may have"));
        }
        if let Some(carryover) = tick.carryover {
            self.carryover = carryover.into();
        }
        let terms = self.take(tick.modules, &cautious).map_err(damaged)?;
        let unit_costs = terms.iter().map(|terms| terms.unit_costs).collect();
        let moves = usable_moves(&request, tick.request.moves);
        self.meter.charge(number, work(&self.modules, moves))?;
        let most_moves = self.moves.len().max(moves as usize);
        self.meter.check_memory(number, memory(&self.modules, most_moves))?;
        self.moves.resize(most_moves, Move::default());
        let actors = self.modules.iter().map(|module| module.ids.len()).sum();
        self.upgrades.resize(if request.needs_upgrades() { actors } else { 0 }, Upgrade::default());
        let rows = self.modules.iter().zip(terms).zip(&mut self.decided);
        let mut module_views: Vec<ModuleView<'_>> =
            rows.map(|((module, terms), decided)| module.module_view(terms, decided)).collect();
        let scratch =
            Scratch { upgrades: &mut self.upgrades, moves: &mut self.moves[..moves as usize] };
        let decision = decide(&request, &mut self.carryover, &mut module_views[..], scratch);
        let difference = first_difference(&tick.decision, &LoggedDecision::from(&decision))
            .or_else(|| self.first_lod());
        self.ticks += 1;
        Ok(ReplayedTick { tick: number, actors, unit_costs, difference })
    }

    fn take(
        &mut self,
        modules: Vec<LoggedModule>,
        cautious: &[u16],
    ) -> Result<Vec<ModuleTerms>, &'static str> {
        self.modules.resize_with(modules.len(), ModuleSnapshot::default);
        self.decided.resize_with(modules.len(), RecordedDecision::default);
        let modules = self.modules.iter_mut().zip(modules).zip(0..);
        let modules = modules.map(|((snapshot, logged), number)| {
            let cost = |bits| UnitCost::from_bits(bits).ok_or("a unit costs nothing");
            let terms = ModuleTerms {
                benefit_value: BenefitValue::from_ns(logged.benefit_value),
                continuous: logged.continuous,
                is_cautious: cautious.binary_search(&number).is_ok(),
                unit_costs: (cost(logged.unit_cost)?, cost(logged.raw_unit_cost)?),
            };
            snapshot.take(logged).map(|()| terms)
        });
        modules.collect()
    }

    fn first_lod(&self) -> Option<ReplayDifference> {
        let mut modules = self.modules.iter().zip(&self.decided).enumerate();
        modules.find_map(|(module, (log, now))| {
            let logged = lods(&log.levels, &log.fractions);
            let decided = lods(&now.levels, &now.fractions);
            let mut rows = log.ids.iter().zip(logged.zip(decided));
            let (&slot, (logged, decided)) = rows.find(|(_, (logged, now))| logged != now)?;
            Some(ReplayDifference { part: ReplayPart::Lod { module, slot }, logged, decided })
        })
    }
}

/// Reads the numbers of cautious modules, which follow a tick if there are any. `None` if they are damaged.
fn cautious_modules(bytes: &[u8], modules: usize) -> Option<Vec<u16>> {
    if bytes.is_empty() {
        return Some(Vec::new());
    }
    let (cautious, rest) = postcard::take_from_bytes::<Vec<u16>>(bytes).ok()?;
    let rises = cautious.is_sorted_by(|a, b| a < b);
    let last = usize::from(*cautious.last()?);
    (rest.is_empty() && rises && last < modules).then_some(cautious)
}

/// Returns LODs in 2⁻¹⁶; whole levels have no fractions.
fn lods(levels: &[u8], fractions: &[u16]) -> impl Iterator<Item = u64> {
    let fractions = fractions.iter().copied().chain(std::iter::repeat(0));
    levels
        .iter()
        .zip(fractions)
        .map(|(&level, fraction)| u64::from(level) << 16 | u64::from(fraction))
}

fn first_difference(logged: &LoggedDecision, decided: &LoggedDecision) -> Option<ReplayDifference> {
    let numbers = |decision: &LoggedDecision| {
        let (value, upper_bound) = decision.certificate.unwrap_or((u64::MAX, u64::MAX));
        [
            (ReplayPart::Available, decision.available),
            (ReplayPart::Overcommit, decision.overcommit),
            (ReplayPart::Minimum, decision.minimum),
            (ReplayPart::Scale, decision.scale),
            (ReplayPart::Price, decision.price.into()),
            (ReplayPart::Assigned, decision.assigned),
            (ReplayPart::Value, value),
            (ReplayPart::UpperBound, upper_bound),
            (ReplayPart::Switches, decision.switches.into()),
        ]
    };
    let pairs = numbers(logged).into_iter().zip(numbers(decided));
    pairs.into_iter().find_map(|((part, logged), (_, decided))| {
        (logged != decided).then_some(ReplayDifference { part, logged, decided })
    })
}
