//! A module in a scene, with its actors.

use lodger_core::Real;
use lodger_core::benefit::{BenefitRule, BenefitTerms};
use lodger_core::budget::{
    Account, Book, Crowd, Draft, GROUP, Group, Guess, Last, LodControl, Quality, Scale, Slopes,
};
use lodger_core::calibration::Calibration;
use lodger_core::error::{Error, Problem, Quantity};
use lodger_core::units::{BenefitValue, UnitCost};

use crate::actor::Actor;
use crate::ladders::{LadderTable, Lent, Work};
use crate::module::Module;
use crate::parts::{Means, Seen, split_columns};
use crate::rows::{Row, Rows};
use crate::sums::Sums;

/// What the actors of a module share and a user may change.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Terms {
    pub(crate) unit_cost: UnitCost,
    pub(crate) raw_unit_cost: UnitCost,
    /// The constant part of the work, in units.
    pub(crate) overhead: u32,
    pub(crate) benefit_value: BenefitValue,
    pub(crate) managed: bool,
    pub(crate) lod_cap: Option<u8>,
}

/// What a module's work took between two ticks.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Measured {
    /// Nanoseconds.
    pub(crate) time: u64,
    /// Whether it was any work.
    pub(crate) has_worked: bool,
}

/// A module in a scene, with its actors.
#[derive(Debug, Clone)]
pub(crate) struct Roster<N: Real> {
    pub(crate) name: String,
    pub(crate) terms: Terms,
    pub(crate) rule: BenefitRule<N>,
    pub(crate) continuous: bool,
    /// How good the levels of its actors are, unless they say it themselves.
    pub(crate) qualities: Option<Vec<Quality>>,
    pub(crate) calibration: Calibration,
    pub(crate) ladders: LadderTable,
    pub(crate) rows: Rows<N>,
    /// How many actors have a benefit that is given.
    pub(crate) given: usize,
    /// How many actors are invisible.
    pub(crate) invisible: usize,
    /// Whether the last tick found anybody invisible or quarantined.
    marked: bool,
    /// The terms of the last tick; `None` if none has seen the module.
    pub(crate) decided: Option<Terms>,
    /// What the sums over the rows lack, since the last tick, to be those of that tick.
    drift: Sums,
    /// What the automatic actors cost after the last tick, in nanoseconds.
    pub(crate) assigned: u64,
    /// What the other actors and the overhead cost after the last tick, in nanoseconds.
    pub(crate) charged: u64,
    /// Whether the budget of the last tick paid them.
    pub(crate) counted: bool,
    /// What was said of the work since the last tick.
    pub(crate) measured: Option<Measured>,
    /// What the ledger notes of the automatic actors.
    pub(crate) notes: Notes,
}

/// What the ledger notes of a module's automatic actors, where it asks them in parts.
#[derive(Debug, Clone, Default)]
pub(crate) struct Notes {
    groups: Vec<Group>,
    /// The levels before the tick, of groups that changed.
    before: Vec<u8>,
    total: Option<u64>,
    pub(crate) guess: Guess,
    pub(crate) draft: Draft,
}

impl Notes {
    /// Begins a tick of so many rows.
    fn begin(&mut self, rows: usize) {
        self.before.resize(rows, 0);
        let groups = rows.div_ceil(GROUP);
        if groups != self.groups.len() {
            self.groups.resize(groups, Group::default());
        }
        self.groups.iter_mut().for_each(Group::begin);
    }

    /// The rows that have another level than before the tick.
    pub(crate) fn changed<'a>(&'a self, levels: &'a [u8]) -> impl Iterator<Item = (usize, u8, u8)> {
        let pairs = levels.chunks(GROUP).zip(self.before.chunks(GROUP));
        let groups = self.groups.iter().zip(pairs).zip((0..).step_by(GROUP));
        groups.filter(|((group, _), _)| group.has_changed()).flat_map(
            |((_, (now, before)), first)| {
                let rows = now.iter().zip(before).zip(first..);
                rows.filter(|((now, before), _)| now != before)
                    .map(|((&now, &before), row)| (row, before, now))
            },
        )
    }
}

impl<N: Real> Roster<N> {
    pub(crate) fn new(module: Module<N>) -> Result<Self, Error> {
        let too_large = Error::new(Quantity::Overhead, Problem::TooLarge);
        module.unit_cost.of(module.overhead).ok_or(too_large)?;
        let rule = match module.rule {
            Some(rule) => rule,
            None => BenefitRule::new(BenefitTerms::default())?,
        };
        Ok(Self {
            name: module.name,
            terms: Terms {
                unit_cost: module.unit_cost,
                raw_unit_cost: module.unit_cost,
                overhead: module.overhead,
                benefit_value: module.benefit_value,
                managed: module.managed,
                lod_cap: module.lod_cap,
            },
            rule,
            continuous: module.continuous,
            qualities: module.qualities,
            calibration: Calibration::new(module.unit_cost),
            ladders: LadderTable::new(module.unit_cost),
            rows: Rows::default(),
            given: 0,
            invisible: 0,
            marked: false,
            decided: None,
            drift: Sums::default(),
            assigned: 0,
            charged: 0,
            counted: false,
            measured: None,
            notes: Notes::default(),
        })
    }

    /// Adds an actor at the end, among the forced ones.
    pub(crate) fn add(&mut self, slot: u32, actor: &Actor<'_, N>) -> Result<(), Error> {
        let qualities = actor.qualities.or(self.qualities.as_deref());
        let work = Work::new(actor.work, actor.lod_range, qualities)?;
        let curve = self.rule.curve(actor.radius)?;
        let ladder = self.ladders.acquire(work, self.terms.unit_cost)?;
        let &Actor { state, radius, given, control, visible, key, .. } = actor;
        self.given += usize::from(given.is_some());
        self.invisible += usize::from(!visible);
        self.rows.push(Row { slot, state, radius, curve, given, ladder, control, visible, key });
        Ok(())
    }

    /// Removes the last actor, a forced one.
    pub(crate) fn remove_last(&mut self) {
        let last = self.rows.len() - 1;
        self.drift = self.drift.plus(self.part(last));
        self.ladders.release(self.rows.ladder[last]);
        self.given -= usize::from(self.rows.given[last].is_some());
        self.invisible -= usize::from(!self.rows.marks[last].is_visible());
        self.rows.pop();
    }

    /// What a row adds to the sums.
    pub(crate) fn part(&self, row: usize) -> Sums {
        if !self.rows.marks[row].is_seen() {
            return Sums::default();
        }
        let benefit = u64::from(self.rows.benefit[row].bits());
        let ladder = self.ladders.in_units().ladder(self.rows.ladder[row]);
        Sums {
            actors: 1,
            benefit,
            claim: if row < self.rows.automatic { benefit } else { 0 },
            units: ladder.cost(self.rows.lod(row)).into(),
        }
    }

    /// Notes that a row added `before` to the sums and now adds `now`.
    pub(crate) fn note(&mut self, before: Sums, now: Sums) {
        self.drift = self.drift.plus(before).minus(now);
    }

    /// The sums as the last tick left them.
    pub(crate) fn sums(&self) -> Sums {
        (0..self.rows.len()).fold(self.drift, |sums, row| sums.plus(self.part(row)))
    }

    /// Takes over what was changed since the last tick.
    pub(crate) fn begin_tick(&mut self) {
        self.ladders.prepare(self.terms.unit_cost, self.terms.lod_cap);
        self.decided = Some(self.terms);
        self.drift = Sums::default();
    }

    /// How many rows, from the first, the ledger decides for.
    pub(crate) fn automatic(&self) -> usize {
        if self.terms.managed { self.rows.automatic } else { 0 }
    }

    /// The module as the ledger sees it: the actors that it decides for, and where their levels go.
    pub(crate) fn book(&mut self) -> Book<'_> {
        let automatic = self.automatic();
        let Rows { ladder, benefit, slot, level, fraction, last, .. } = &mut self.rows;
        let Lent { ladders, qualities, slopes, made_for } = self.ladders.lent();
        Book {
            account: Account {
                benefit_value: self.terms.benefit_value,
                continuous: self.continuous,
                ladders,
                ladder: &ladder[..automatic],
                benefits: &benefit[..automatic],
            },
            ids: &slot[..automatic],
            levels: &mut level[..automatic],
            fractions: &mut fraction[..automatic],
            qualities,
            slopes: Slopes { of_costs: slopes, made_for },
            last: &last[..automatic],
            assigned: self.assigned,
            crowd: Crowd {
                kinds: &[],
                groups: &mut self.notes.groups,
                before: &mut self.notes.before,
                total: self.notes.total,
                guess: self.notes.guess,
                draft: self.notes.draft,
                ..Crowd::default()
            },
        }
    }

    /// Benefits of all actors, and levels for a scale if that is asked for; returns how many are
    /// quarantined.
    pub(crate) fn observe(&mut self, means: Means, eyes: &[[N; 3]], draft: Option<Scale>) -> usize {
        let automatic = self.automatic();
        self.notes.begin(automatic);
        let mut benefits = std::mem::take(&mut self.rows.benefit);
        let mut levels = std::mem::take(&mut self.rows.level);
        let mut notes = std::mem::take(&mut self.notes);
        let columns = self.rows.observed();
        let (rule, ladders) = (&self.rule, self.ladders.capped());
        let is_marked = self.given > 0 || self.invisible > 0 || self.marked;
        let has_draft = draft.filter(|_| !is_marked);
        let draft = has_draft.map(|scale| {
            let account = Account {
                benefit_value: self.terms.benefit_value,
                continuous: self.continuous,
                ladders,
                ladder: &self.rows.ladder[..automatic],
                benefits: &[],
            };
            let (groups, before) = (&mut notes.groups[..], &mut notes.before[..]);
            let crowd = Crowd { groups, before, ..Crowd::default() };
            (scale, Book { account, levels: &mut levels[..automatic], crowd, ..Book::default() })
        });
        let (ours, others) = benefits.split_at_mut(automatic);
        let (columns, columns_after) = split_columns(columns, automatic);
        let watched = means.watch(Seen { rule, eyes, columns, benefits: ours, draft });
        let seen = Seen { rule, eyes, columns: columns_after, benefits: others, draft: None };
        let unsound = watched.quarantined + means.watch(seen).quarantined;
        (self.rows.benefit, self.rows.level, self.notes) = (benefits, levels, notes);
        self.notes.total = Some(watched.total);
        self.notes.draft =
            has_draft.map_or(Draft::default(), |scale| Draft::at(scale, watched.cost));
        if !is_marked && unsound == 0 {
            return 0;
        }
        self.notes.total = None;
        self.notes.draft = Draft::default();
        self.find_exceptions(unsound > 0)
    }

    /// Sets the benefits that are not computed, and marks who is invisible or quarantined; returns
    /// how many are quarantined.
    fn find_exceptions(&mut self, any_unsound: bool) -> usize {
        let mut quarantined = 0;
        for row in 0..self.rows.len() {
            let given = match (self.rows.marks[row].is_visible(), self.rows.given[row]) {
                (false, _) => Some(lodger_core::Benefit::ZERO),
                (true, given) => given,
            };
            let unsound = given.is_none() && any_unsound && !self.rows.state(row).is_sound();
            if let Some(given) = given {
                self.rows.benefit[row] = given;
            }
            quarantined += usize::from(unsound);
            self.rows.marks[row].find(unsound);
        }
        self.marked = quarantined > 0 || self.invisible > 0;
        quarantined
    }

    /// How many actors have another level than before the tick, of those that the ledger decided for
    /// then, too.
    pub(crate) fn flips(&self) -> usize {
        let changed = self.notes.changed(&self.rows.level);
        changed.filter(|&(row, ..)| self.rows.last[row].is_automatic()).count()
    }

    /// Notes what is shown, for the next tick.
    pub(crate) fn remember(&mut self) {
        let automatic = self.automatic();
        let (chosen, fixed) = self.rows.last.split_at_mut(automatic);
        let (chosen_levels, fixed_levels) = self.rows.level.split_at(automatic);
        for (last, &level) in chosen.iter_mut().zip(chosen_levels) {
            *last = Last::automatic(level);
        }
        for (last, &level) in fixed.iter_mut().zip(fixed_levels) {
            *last = Last::fixed(level);
        }
    }

    /// What the overhead costs, in nanoseconds.
    pub(crate) fn overhead(&self) -> u64 {
        if self.rows.len() == 0 {
            return 0;
        }
        self.terms.unit_cost.of(self.terms.overhead).unwrap_or(u32::MAX).into()
    }

    /// The unit cost, or the greatest at which every level and the overhead have a price if that is
    /// less.
    pub(crate) fn bearable(&self, unit_cost: UnitCost) -> UnitCost {
        let most = self.ladders.most_units().max(self.terms.overhead);
        if unit_cost.of(most).is_some() {
            return unit_cost;
        }
        let greatest = (u64::from(u32::MAX) << 32).checked_div(most.into());
        greatest.and_then(UnitCost::from_bits).unwrap_or(unit_cost)
    }

    /// Gives all actors that the ledger does not decide for their LOD, and adds up what they and the
    /// overhead cost.
    pub(crate) fn charge(&mut self) {
        let (capped, whole) = (self.ladders.capped(), self.ladders.whole());
        self.charged = self.overhead();
        for row in self.automatic()..self.rows.len() {
            let control = self.rows.control[row];
            let ladders = if control == LodControl::Automatic { capped } else { whole };
            let ladder = ladders.ladder(self.rows.ladder[row]);
            let lod = ladder.fixed(control, self.continuous);
            (self.rows.level[row], self.rows.fraction[row]) = (lod.level(), lod.fraction());
            self.charged += u64::from(ladder.cost(lod));
        }
    }
}
