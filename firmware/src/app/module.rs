//! Actors of one kind in memory of a fixed size.

use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::pixelcolor::BinaryColor;
use heapless::Vec;
use lodger_core::benefit::{BenefitRule, State};
use lodger_core::budget::{Account, Book, LadderSpan, Ladders, Lod, LodControl};
use lodger_core::calibration::Calibration;
use lodger_core::units::{BenefitValue, UnitCost};
use lodger_core::{Benefit, Real};

use super::actor::{Actor, ActorId, Refusal, Refused};
use super::rows::Rows;
use crate::app::{Body, Step};
use crate::display::Camera;
use crate::report::{MAX_LEVELS, ModuleReport};

/// Up to `ACTORS` actors of one kind, a column for each number, and what they share.
///
/// All have the levels of their body's type, so there is one ladder, and its costs are made anew
/// from the calibrated unit cost in every frame.
#[derive(Debug, Clone)]
pub struct Module<N: Real, B, const ACTORS: usize> {
    rule: BenefitRule<N>,
    benefit_value: BenefitValue,
    calibration: Calibration,
    /// The constant part of the work, in units.
    overhead: u32,
    costs: Vec<u32, MAX_LEVELS>,
    span: [LadderSpan; 1],
    rows: Rows<N, B, ACTORS>,
    enabled: bool,
    benefit: [Benefit; ACTORS],
    quarantined: usize,
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
            overhead: 0,
            costs: Vec::new(),
            span: [LadderSpan::default()],
            rows: Rows::new(),
            enabled: true,
            benefit: [Benefit::ZERO; ACTORS],
            quarantined: 0,
            next_id: 0,
        }
    }

    /// Sets the constant part of its work, in units: what it takes however few actors it has. It is
    /// paid first while there is an actor, and counted with every time that is measured.
    pub const fn set_overhead(&mut self, units: u32) {
        self.overhead = units;
    }

    /// How many actors there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is no actor.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.len() == 0
    }

    /// Takes an actor in.
    ///
    /// # Errors
    /// Gives the actor back when there is no memory for it or its radius is refused.
    pub fn spawn(&mut self, actor: Actor<N, B>) -> Result<ActorId, Refused<N, B>> {
        let curve = match self.rule.curve(actor.radius) {
            _ if self.rows.is_full() => return Err(Refused { actor, why: Refusal::Full }),
            Err(error) => return Err(Refused { actor, why: Refusal::Invalid(error) }),
            Ok(curve) => curve,
        };
        let Actor { state, radius, body } = actor;
        let id = self.next_id;
        match self.rows.push(id, state, curve, body) {
            Ok(()) => {
                self.next_id = id.wrapping_add(1);
                Ok(ActorId(id))
            }
            Err(body) => Err(Refused { actor: Actor { state, radius, body }, why: Refusal::Full }),
        }
    }

    /// Takes an actor out and gives its body back; `None` if it is gone already.
    pub fn despawn(&mut self, id: ActorId) -> Option<B> {
        let row = self.rows.find(id.0)?;
        Some(self.rows.remove(row))
    }

    /// Moves an actor; `false` if it is gone. A state that is not sound quarantines the actor, at
    /// benefit 0 and its lowest level, until it is sound again.
    pub fn set_state(&mut self, id: ActorId, state: State<N>) -> bool {
        let row = self.rows.find(id.0);
        if let Some(row) = row {
            self.rows.set_state(row, state);
        }
        row.is_some()
    }

    /// Chooses an actor's level in place of the ledger, and returns which one it will have: halves
    /// count up, and a level beyond the highest is that. `None` if the actor is gone.
    ///
    /// What it costs is paid before anybody else's, whether there is budget for it or not.
    #[doc(alias = "forcePhysicalLod")]
    pub fn force_lod(&mut self, id: ActorId, lod: Lod) -> Option<u8> {
        let row = self.rows.find(id.0)?;
        self.rows.set_control(row, LodControl::Forced(lod));
        Some(Self::level_of(lod))
    }

    /// Leaves an actor's level to the ledger again; `false` if the actor is gone.
    pub fn make_automatic(&mut self, id: ActorId) -> bool {
        let row = self.rows.find(id.0);
        if let Some(row) = row {
            self.rows.set_control(row, LodControl::Automatic);
        }
        row.is_some()
    }

    /// Has the ledger decide for this module, as it does at first, or not: then everybody who is not
    /// forced has the highest level, and all of it is paid first.
    #[doc(alias = "setLODEnabled")]
    pub const fn set_enabled(&mut self, enabled: bool) {
        self.enabled = enabled;
    }

    /// The level that an actor had in the last frame.
    #[must_use]
    pub fn level(&self, id: ActorId) -> Option<u8> {
        self.rows.levels().get(self.rows.find(id.0)?).copied()
    }

    /// What a unit of work is planned with.
    #[must_use]
    pub const fn unit_cost(&self) -> UnitCost {
        self.calibration.unit_cost()
    }

    /// Whether that was measured often enough to be known.
    pub(super) fn is_settled(&self) -> bool {
        self.is_empty() || self.calibration.is_settled()
    }

    /// The level of a forced LOD.
    fn level_of(lod: Lod) -> u8 {
        lod.rounded().level().min(Self::top())
    }

    /// The highest level.
    fn top() -> u8 {
        (0..=u8::MAX)
            .take(MAX_LEVELS)
            .take_while(|&level| B::units(level).is_some())
            .last()
            .unwrap_or(0)
    }

    /// Ages everybody, and makes the costs and the benefits of this frame.
    pub(super) fn observe(&mut self, eye: [N; 3], time: N) {
        self.rows.age_by(time);
        self.quarantined = self.rule.benefits(&[eye], self.rows.columns(), &mut self.benefit);
        let unit_cost = self.calibration.unit_cost();
        self.costs.clear();
        for units in (0..=u8::MAX).map_while(B::units).take(MAX_LEVELS) {
            let _ = self.costs.push(unit_cost.of(units).unwrap_or(u32::MAX));
        }
        let levels = u16::try_from(self.costs.len()).unwrap_or(u16::MAX);
        self.span = [LadderSpan::new(0, levels, 0)];
    }

    /// The units that its work takes whatever everybody does.
    fn overhead(&self) -> u32 {
        if self.is_empty() { 0 } else { self.overhead }
    }

    /// What those are to cost, in nanoseconds.
    fn overhead_cost(&self) -> u64 {
        self.unit_cost().of(self.overhead()).unwrap_or(u32::MAX).into()
    }

    /// Gives everybody who is not the ledger's their level, and returns what those and the overhead
    /// cost, in nanoseconds.
    pub(super) fn fix_levels(&mut self) -> u64 {
        let first = self.decided();
        let mut fixed = self.overhead_cost();
        let ladders = Ladders { spans: &self.span, costs: &self.costs };
        let ladder = ladders.ladder(0);
        for (level, control) in self.rows.levels_and_controls().skip(first) {
            let lod = ladder.fixed(control, false);
            *level = lod.level();
            fixed = fixed.saturating_add(ladder.cost(lod).into());
        }
        fixed
    }

    /// How many rows, from the first, the ledger decides for.
    const fn decided(&self) -> usize {
        if self.enabled { self.rows.automatic() } else { 0 }
    }

    /// Those of the module whom the ledger decides for, and where their levels go.
    pub(super) fn book(&mut self) -> Book<'_> {
        let rows = self.decided();
        let (ids, levels, last) = self.rows.ids_and_levels();
        Book {
            account: Account {
                benefit_value: self.benefit_value,
                continuous: false,
                ladders: Ladders { spans: &self.span, costs: &self.costs },
                ladder: &[],
                benefits: self.benefit.get(..rows).unwrap_or(&[]),
            },
            ids,
            levels,
            last,
            ..Book::default()
        }
    }

    /// Notes what is shown, for the next frame.
    pub(super) fn remember(&mut self) {
        let decided = self.decided();
        self.rows.remember(decided);
    }

    /// Does everybody's work, and returns how many units it was.
    pub(super) fn step(&mut self, step: Step<N>) -> u32 {
        self.rows.bodies().fold(0, |units, (body, level)| {
            body.step(level, step);
            units.saturating_add(B::units(level).unwrap_or(0))
        })
    }

    /// Takes in what the work took, and tells all about it.
    pub(super) fn report(&mut self, units: u32, measured: u64) -> ModuleReport {
        let mut levels = [0_u16; MAX_LEVELS];
        let mut planned = self.overhead_cost();
        for level in self.rows.levels().iter().copied().map(usize::from) {
            if let Some(count) = levels.get_mut(level) {
                *count = count.saturating_add(1);
            }
            let cost = self.costs.get(level).copied().unwrap_or(0);
            planned = planned.saturating_add(cost.into());
        }
        let work = u64::from(units).saturating_add(self.overhead().into());
        ModuleReport {
            levels,
            forced: u16::try_from(self.len().saturating_sub(self.decided())).unwrap_or(u16::MAX),
            quarantined: u16::try_from(self.quarantined).unwrap_or(u16::MAX),
            units,
            planned,
            measured,
            unit_cost: self.calibration.observe(work, measured),
            raw_unit_cost: self.calibration.raw_unit_cost(),
        }
    }

    /// Draws everybody.
    pub(super) fn draw<D>(&self, camera: &Camera<N>, display: &mut D) -> Result<(), D::Error>
    where
        D: DrawTarget<Color = BinaryColor>,
    {
        for (body, place) in self.rows.places() {
            body.draw(place, camera, display)?;
        }
        Ok(())
    }
}
