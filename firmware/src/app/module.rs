//! Actors of one kind in memory of a fixed size.

use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::pixelcolor::BinaryColor;
use heapless::Vec;
use lodger_core::benefit::{self, BenefitRule, State};
use lodger_core::budget::{Account, Bid, LadderSpan, Ladders, Lod, Scale};
use lodger_core::calibration::Calibration;
use lodger_core::importance::Curve;
use lodger_core::units::{BenefitValue, UnitCost};
use lodger_core::{Benefit, Error, Real};

use crate::app::{Body, Step};
use crate::display::Camera;
use crate::report::{MAX_LEVELS, ModuleReport};

/// The handle of an actor in its module. It is not used again when the actor is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ActorId(u32);

/// What a module takes in: where something is, how large it is and what it does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Actor<N, B> {
    /// Position, age and speed.
    pub state: State<N>,
    /// In metres.
    pub radius: N,
    /// What it does.
    pub body: B,
}

/// An actor that was not taken, and why.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Refused<N, B> {
    /// The actor, as it was given.
    pub actor: Actor<N, B>,
    /// Why it was not taken.
    pub why: Refusal,
}

/// Why an actor was not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Refusal {
    /// There is no memory for another one.
    Full,
    /// Its radius makes no sense.
    Invalid(Error),
}

/// Up to `ACTORS` actors of one kind, a column for each number, and what they share.
///
/// All have the levels of their body's type, so there is one ladder, and its costs are made anew
/// from the calibrated unit cost in every frame.
#[derive(Debug, Clone)]
pub struct Module<N: Real, B, const ACTORS: usize> {
    rule: BenefitRule<N>,
    benefit_value: BenefitValue,
    calibration: Calibration,
    costs: Vec<u32, MAX_LEVELS>,
    span: [LadderSpan; 1],
    x: Vec<N, ACTORS>,
    y: Vec<N, ACTORS>,
    z: Vec<N, ACTORS>,
    age: Vec<N, ACTORS>,
    speed: Vec<N, ACTORS>,
    curve: Vec<Curve<N>, ACTORS>,
    id: Vec<u32, ACTORS>,
    body: Vec<B, ACTORS>,
    ladder: [u32; ACTORS],
    benefit: [Benefit; ACTORS],
    level: [u8; ACTORS],
    quarantined: usize,
    /// What the levels are to cost, in nanoseconds.
    planned: u64,
    next_id: u32,
}

impl<N: Real, B: Body<N>, const ACTORS: usize> Module<N, B, ACTORS> {
    /// A module without actors, whose work is assumed to cost `unit_cost` until it was measured.
    #[must_use]
    pub fn new(rule: BenefitRule<N>, unit_cost: UnitCost, benefit_value: BenefitValue) -> Self {
        Self {
            rule,
            benefit_value,
            calibration: Calibration::new(unit_cost),
            costs: Vec::new(),
            span: [LadderSpan::default()],
            x: Vec::new(),
            y: Vec::new(),
            z: Vec::new(),
            age: Vec::new(),
            speed: Vec::new(),
            curve: Vec::new(),
            id: Vec::new(),
            body: Vec::new(),
            ladder: [0; ACTORS],
            benefit: [Benefit::ZERO; ACTORS],
            level: [0; ACTORS],
            quarantined: 0,
            planned: 0,
            next_id: 0,
        }
    }

    /// How many actors there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.body.len()
    }

    /// Whether there is no actor.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.body.is_empty()
    }

    /// Takes an actor in.
    ///
    /// # Errors
    /// Gives the actor back when there is no memory for it or its radius is refused.
    pub fn spawn(&mut self, actor: Actor<N, B>) -> Result<ActorId, Refused<N, B>> {
        let curve = match self.rule.curve(actor.radius) {
            _ if self.body.is_full() => return Err(Refused { actor, why: Refusal::Full }),
            Err(error) => return Err(Refused { actor, why: Refusal::Invalid(error) }),
            Ok(curve) => curve,
        };
        let Actor { state, radius, body } = actor;
        // The body tells whether there is room; all columns have the same length.
        if let Err(body) = self.body.push(body) {
            return Err(Refused { actor: Actor { state, radius, body }, why: Refusal::Full });
        }
        let [x, y, z] = state.position;
        let numbers = [&mut self.x, &mut self.y, &mut self.z, &mut self.age, &mut self.speed];
        for (column, number) in numbers.into_iter().zip([x, y, z, state.age, state.speed]) {
            let _ = column.push(number);
        }
        let id = self.next_id;
        let _ = self.curve.push(curve);
        let _ = self.id.push(id);
        self.next_id = id.wrapping_add(1);
        Ok(ActorId(id))
    }

    /// Takes an actor out and gives its body back; `None` if it is gone already.
    pub fn despawn(&mut self, id: ActorId) -> Option<B> {
        let row = self.row(id)?;
        for column in [&mut self.x, &mut self.y, &mut self.z, &mut self.age, &mut self.speed] {
            column.swap_remove(row);
        }
        self.curve.swap_remove(row);
        self.id.swap_remove(row);
        Some(self.body.swap_remove(row))
    }

    /// Moves an actor; `false` if it is gone. A state that is not sound quarantines the actor, at
    /// benefit 0 and its lowest level, until it is sound again.
    pub fn set_state(&mut self, id: ActorId, state: State<N>) -> bool {
        let Some(row) = self.row(id) else { return false };
        let [x, y, z] = state.position;
        let numbers = [&mut self.x, &mut self.y, &mut self.z, &mut self.age, &mut self.speed];
        for (column, number) in numbers.into_iter().zip([x, y, z, state.age, state.speed]) {
            if let Some(place) = column.get_mut(row) {
                *place = number;
            }
        }
        true
    }

    /// The level that an actor had in the last frame.
    #[must_use]
    pub fn level(&self, id: ActorId) -> Option<u8> {
        self.level.get(self.row(id)?).copied()
    }

    /// What a unit of work costs, as far as it was measured.
    #[must_use]
    pub const fn unit_cost(&self) -> UnitCost {
        self.calibration.unit_cost()
    }

    fn row(&self, id: ActorId) -> Option<usize> {
        self.id.iter().position(|&other| other == id.0)
    }

    /// Ages everybody, and makes the costs and the benefits of this frame.
    pub(super) fn observe(&mut self, eye: [N; 3], time: N) {
        for age in &mut self.age {
            *age = *age + time;
        }
        let Self { x, y, z, age, speed, curve, .. } = self;
        let columns = benefit::Columns { x, y, z, age, speed, curve };
        self.quarantined = self.rule.benefits(&[eye], columns, &mut self.benefit);
        let unit_cost = self.calibration.unit_cost();
        self.costs.clear();
        for units in (0..=u8::MAX).map_while(B::units).take(MAX_LEVELS) {
            let _ = self.costs.push(unit_cost.of(units).unwrap_or(u32::MAX));
        }
        let levels = u16::try_from(self.costs.len()).unwrap_or(u16::MAX);
        self.span = [LadderSpan::new(0, levels, 0)];
    }

    /// The module as the ledger sees it.
    pub(super) fn account(&self) -> Account<'_> {
        Account {
            benefit_value: self.benefit_value,
            continuous: false,
            ladders: Ladders { spans: &self.span, costs: &self.costs },
            ladder: self.ladder.get(..self.len()).unwrap_or(&[]),
            benefits: self.benefit.get(..self.len()).unwrap_or(&[]),
        }
    }

    /// Gives everybody the level that its share pays, and returns what the shares leave over, in
    /// nanoseconds.
    pub(super) fn assign(&mut self, scale: Scale) -> u64 {
        let mut levels = self.level;
        let account = self.account();
        let planned = account.assign(scale, &mut levels, &mut []);
        let left = account.shares(scale).saturating_sub(planned);
        (self.level, self.planned) = (levels, planned);
        left
    }

    /// Who could be better, for the pot.
    pub(super) fn bids(&self, account: u16) -> impl Iterator<Item = Bid> {
        self.account().bids(account, &self.id, &self.level, &[])
    }

    /// Raises a level as far as a pot pays, and returns the price; both in nanoseconds.
    pub(super) fn raise(&mut self, row: usize, pot: u64) -> u64 {
        let Some(&level) = self.level.get(row) else { return 0 };
        let ladder = self.account().ladders.ladder(0);
        let (lod, price) = ladder.raise(Lod::new(level, 0), pot, false);
        if let Some(level) = self.level.get_mut(row) {
            *level = lod.level();
        }
        self.planned = self.planned.saturating_add(price);
        price
    }

    /// Does everybody's work, and returns how many units it was.
    pub(super) fn step(&mut self, step: Step<N>) -> u32 {
        self.body.iter_mut().zip(&self.level).fold(0, |units, (body, &level)| {
            body.step(level, step);
            units.saturating_add(B::units(level).unwrap_or(0))
        })
    }

    /// Takes in what the work took, and tells all about it.
    pub(super) fn report(&mut self, units: u32, measured: u64) -> ModuleReport {
        let mut levels = [0_u16; MAX_LEVELS];
        for &level in self.level.iter().take(self.len()) {
            if let Some(count) = levels.get_mut(usize::from(level)) {
                *count = count.saturating_add(1);
            }
        }
        ModuleReport {
            levels,
            quarantined: u16::try_from(self.quarantined).unwrap_or(u16::MAX),
            units,
            planned: self.planned,
            measured,
            unit_cost: self.calibration.observe(units, measured),
        }
    }

    /// Draws everybody.
    pub(super) fn draw<D>(&self, camera: &Camera<N>, display: &mut D) -> Result<(), D::Error>
    where
        D: DrawTarget<Color = BinaryColor>,
    {
        let places = self.x.iter().zip(&self.y).zip(&self.z);
        for (body, ((&x, &y), &z)) in self.body.iter().zip(places) {
            body.draw([x, y, z], camera, display)?;
        }
        Ok(())
    }
}
