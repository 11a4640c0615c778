//! A module in a scene, with its actors.

use lodger_core::Real;
use lodger_core::benefit::{BenefitRule, BenefitTerms};
use lodger_core::budget::{Account, Book, Crowd, Draft, Last, LodControl, Quality, Scale, Slopes};
use lodger_core::calibration::Calibration;
use lodger_core::error::{Error, Problem, Quantity};
use lodger_core::units::{BenefitValue, UnitCost};

use crate::actor::Actor;
use crate::bits::GROUP;
use crate::ladders::{LadderTable, Lent, Work};
use crate::module::Module;
use crate::notes::Notes;
use crate::numbers::Numbers;
use crate::parts::{Means, Seen, Touched};
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
    /// How many actors the last tick found quarantined, but for those that are gone.
    pub(crate) quarantined: usize,
    /// Which numbers were handed out since the last tick.
    pub(crate) handed_out: Numbers,
    /// The terms of the last tick; `None` if none has seen the module.
    pub(crate) decided: Option<Terms>,
    /// Whether the ledger decided for the module in the last tick, or might have.
    pub(crate) was_managed: bool,
    /// What the ledger notes of the rows.
    pub(crate) notes: Notes,
    /// What the ledger is told of the past: a buffer that [`recall`](Self::recall) fills.
    last: Vec<Last>,
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
    /// How many actors the last tick found, if there was one.
    found: Option<usize>,
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
            quarantined: 0,
            handed_out: Numbers::default(),
            decided: None,
            was_managed: true,
            notes: Notes::default(),
            last: Vec::new(),
            drift: Sums::default(),
            assigned: 0,
            charged: 0,
            counted: false,
            measured: None,
            found: None,
        })
    }

    /// Adds an actor at the end, among the forced ones.
    pub(crate) fn add(&mut self, slot: u32, actor: &Actor<'_, N>) -> Result<(), Error> {
        let qualities = actor.qualities.or(self.qualities.as_deref());
        let known = match self.ladders.recent(actor.work, actor.lod_range, qualities) {
            Some(ladder) => Ok(ladder),
            None => Err(Work::new(actor.work, actor.lod_range, qualities)?),
        };
        let curve = self.rule.curve(actor.radius)?;
        let ladder = match known {
            Ok(ladder) => {
                self.ladders.retain(ladder);
                ladder
            }
            Err(work) => self.ladders.acquire(work, self.terms.unit_cost)?,
        };
        let &Actor { state, radius, given, control, visible, key, .. } = actor;
        self.rows.push(Row { slot, state, radius, curve, given, ladder, control, visible, key });
        Ok(())
    }

    /// Removes the last actor, a forced one.
    pub(crate) fn remove_last(&mut self) {
        let last = self.rows.len() - 1;
        self.drift = self.drift.plus(self.part(last));
        self.ladders.release(self.rows.ladder[last]);
        self.quarantined -= usize::from(self.rows.marks[last].was_quarantined());
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
        let are_others = self.ladders.prepare(self.terms.unit_cost, self.terms.lod_cap);
        let value = self.terms.benefit_value;
        let is_worth_other = self.decided.is_none_or(|terms| terms.benefit_value != value);
        self.decided = Some(self.terms);
        self.drift = Sums::default();
        self.last.clear();
        let is_regrouped = std::mem::take(&mut self.rows.is_regrouped);
        self.notes.begin_tick(self.automatic(), &self.rows.level, is_regrouped);
        if are_others || is_worth_other {
            self.notes.draft = Draft::default();
        }
    }

    /// Notes that a tick is made.
    pub(crate) fn end_tick(&mut self) {
        self.was_managed = self.terms.managed;
        self.rows.dirty.clear();
    }

    /// What the actors that the ledger decides for were shown at last.
    pub(crate) fn past(&self) -> impl Iterator<Item = Last> {
        let fixed = |last: Last| last.level().map_or(Last::NONE, Last::fixed);
        let past = (0..self.automatic()).map(|row| self.rows.last(row));
        past.map(move |last| if self.was_managed { last } else { fixed(last) })
    }

    /// Has the ledger know the past. It is not asked to where no decision depends on it.
    pub(crate) fn recall(&mut self) {
        let mut last = std::mem::take(&mut self.last);
        last.clear();
        last.extend(self.past());
        self.last = last;
    }

    /// Whether a row is automatic but was not, or had another number of levels or none: that it changes
    /// is no flip.
    pub(crate) fn is_strange(&self, row: usize) -> bool {
        row < self.automatic() && !self.rows.last(row).is_automatic()
    }

    /// How many rows, from the first, the ledger decides for.
    pub(crate) fn automatic(&self) -> usize {
        if self.terms.managed { self.rows.automatic } else { 0 }
    }

    /// The module as the ledger sees it: the actors that it decides for, and where their levels go.
    pub(crate) fn book(&mut self) -> Book<'_> {
        let automatic = self.automatic();
        let Rows { ladder, narrow, benefit, slot, level, fraction, .. } = &mut self.rows;
        let has_column = self.ladders.only().is_none();
        let are_narrow = self.ladders.are_narrow();
        let Lent { ladders, qualities, slopes, made_for } = self.ladders.lent();
        Book {
            account: Account {
                benefit_value: self.terms.benefit_value,
                continuous: self.continuous,
                ladders,
                ladder: if has_column { &ladder[..automatic] } else { &[] },
                benefits: &benefit[..automatic],
            },
            ids: &slot[..automatic],
            levels: &mut level[..automatic],
            fractions: &mut fraction[..automatic],
            qualities,
            slopes: Slopes { of_costs: slopes, made_for },
            last: &self.last,
            assigned: self.assigned,
            crowd: Crowd {
                kinds: if are_narrow { &narrow[..automatic] } else { &[] },
                ..self.notes.crowd(automatic)
            },
        }
    }

    /// Benefits of all actors that may have others than before, and with a scale the levels that they pay
    /// for at it, if all may have others; returns how many of all are quarantined.
    pub(crate) fn observe(&mut self, means: Means, eyes: &[[N; 3]], draft: Option<Scale>) -> usize {
        let rows = self.rows.len();
        if rows == 0 {
            return 0;
        }
        let read = Numbers::from(self.rule.weighed(eyes));
        self.check_handed_out(read);
        let unsound = if self.rows.dirty.are_all(rows) {
            self.observe_all(means, eyes, draft)
        } else {
            self.observe_dirty(means, eyes)
        };
        self.find_exceptions(read, unsound);
        if self.rows.special.any() {
            for group in 0..self.rows.special.groups() {
                if self.rows.special.group(group) != 0 && self.rows.dirty.group(group) != 0 {
                    self.notes.touch(group);
                }
            }
        }
        self.quarantined
    }

    fn observe_all(&mut self, means: Means, eyes: &[[N; 3]], draft: Option<Scale>) -> usize {
        let automatic = self.automatic();
        let mut benefits = std::mem::take(&mut self.rows.benefit);
        let mut levels = std::mem::take(&mut self.rows.level);
        let mut notes = std::mem::take(&mut self.notes);
        let has_column = self.ladders.only().is_none();
        let account = Account {
            benefit_value: self.terms.benefit_value,
            continuous: self.continuous,
            ladders: self.ladders.lendable(),
            ladder: if has_column { &self.rows.ladder[..automatic] } else { &[] },
            benefits: &[],
        };
        let crowd = Crowd { kinds: self.kinds(), ..notes.crowd(automatic) };
        let levels_of = &mut levels[..automatic];
        let book = Book { account, levels: levels_of, crowd, ..Book::default() };
        let draft = draft.filter(|_| book.can_be_drafted(automatic));
        let book = draft.map(|scale| (scale, book));
        let (rule, rows) = (&self.rule, &self.rows);
        let (ours, others) = benefits.split_at_mut(automatic);
        let columns = rows.observed(0..automatic);
        let watched = means.watch(Seen { rule, eyes, columns, benefits: ours, draft: book });
        let columns = rows.observed(automatic..rows.len());
        let forced = means.watch(Seen { rule, eyes, columns, benefits: others, draft: None });
        (self.rows.benefit, self.rows.level, self.notes) = (benefits, levels, notes);
        self.notes.total = Some(watched.total);
        self.notes.draft = draft.map_or(Draft::default(), |scale| Draft::at(scale, watched.cost));
        watched.quarantined + forced.quarantined
    }

    fn observe_dirty(&mut self, means: Means, eyes: &[[N; 3]]) -> usize {
        let automatic = self.automatic();
        let (mut quarantined, mut from) = (0, 0);
        let mut benefits = std::mem::take(&mut self.rows.benefit);
        while let Some(run) = self.rows.dirty.next_run(from, self.rows.len()) {
            from = run.end;
            for group in run.start / GROUP..run.end.div_ceil(GROUP) {
                self.notes.touch(group);
            }
            let dirty = &self.rows.dirty;
            let columns = self.rows.observed(run.clone());
            let touched = Touched {
                rule: &self.rule,
                eyes,
                columns,
                benefits: &mut benefits[run.clone()],
                automatic: automatic.saturating_sub(run.start),
                dirty: (run.start / GROUP..run.end.div_ceil(GROUP)).map(|group| dirty.group(group)),
            };
            let watched = means.vectors.run(touched);
            quarantined += watched.quarantined;
            let total = &mut self.notes.total;
            *total = total.map(|total| total.wrapping_add(watched.total));
        }
        self.rows.benefit = benefits;
        quarantined
    }

    /// The ladders of the automatic actors, where there are several and their numbers fit a byte.
    fn kinds(&self) -> &[u8] {
        if self.ladders.are_narrow() { &self.rows.narrow[..self.automatic()] } else { &[] }
    }

    /// Whether the last tick found nobody in it: then it does not work.
    pub(crate) fn is_idle(&self) -> bool {
        self.found == Some(0)
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
        self.found = Some(self.rows.len());
        self.charged = self.overhead();
        for row in self.automatic()..self.rows.len() {
            let control = self.rows.control[row];
            let ladders = if control == LodControl::Automatic { capped } else { whole };
            let ladder = ladders.ladder(self.rows.ladder[row]);
            let lod = ladder.fixed(control, self.continuous);
            self.notes.before[row] = self.rows.level[row];
            (self.rows.level[row], self.rows.fraction[row]) = (lod.level(), lod.fraction());
            self.charged += u64::from(ladder.cost(lod));
        }
    }
}
