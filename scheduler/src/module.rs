//! A module: actors of one kind, and the constants that they share.

use lodger_core::Real;
use lodger_core::benefit::{BenefitRule, BenefitTerms};
use lodger_core::budget::{Account, Book};
use lodger_core::error::Error;
use lodger_core::units::{BenefitValue, UnitCost};

use crate::columns::Columns;
use crate::ladders::LadderTable;

/// The handle of a module in its scene.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ModuleId(pub(crate) u32);

/// What the actors of one kind share.
///
/// # Examples
/// ```
/// use lodger_core::units::{BenefitValue, UnitCost};
/// use lodger_scheduler::Module;
///
/// // Half a microsecond a cloth vertex; a cape in the face of the viewer may cost 2 ms.
/// let cloth = Module::<f32>::new("cloth", UnitCost::from_ns(500.0)?, BenefitValue::from_ms(2.0)?);
/// # Ok::<(), lodger_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Module<N: Real> {
    pub(crate) name: String,
    pub(crate) unit_cost: UnitCost,
    pub(crate) benefit_value: BenefitValue,
    pub(crate) rule: Option<BenefitRule<N>>,
    pub(crate) enabled: bool,
    pub(crate) continuous: bool,
}

impl<N: Real> Module<N> {
    /// An enabled module with integer LODs, whose benefit is the unbounded solid angle.
    #[must_use]
    pub fn new(name: impl Into<String>, unit_cost: UnitCost, benefit_value: BenefitValue) -> Self {
        Self {
            name: name.into(),
            unit_cost,
            benefit_value,
            rule: None,
            enabled: true,
            continuous: false,
        }
    }

    /// How the benefit of its actors is computed.
    #[must_use]
    pub fn rule(mut self, rule: BenefitRule<N>) -> Self {
        self.rule = Some(rule);
        self
    }

    /// Whether LODs are chosen; else every actor has its highest.
    #[must_use]
    pub fn enabled(mut self, enabled: bool) -> Self {
        self.enabled = enabled;
        self
    }

    /// Whether LODs between two levels are valid.
    #[must_use]
    pub fn continuous(mut self, continuous: bool) -> Self {
        self.continuous = continuous;
        self
    }
}

/// A module in a scene, with its actors.
#[derive(Debug, Clone)]
pub(crate) struct ModuleState<N: Real> {
    pub(crate) name: String,
    pub(crate) unit_cost: UnitCost,
    pub(crate) benefit_value: BenefitValue,
    pub(crate) rule: BenefitRule<N>,
    pub(crate) enabled: bool,
    pub(crate) continuous: bool,
    pub(crate) ladders: LadderTable,
    pub(crate) rows: Columns<N>,
    /// How many actors have a benefit that is given.
    pub(crate) given: usize,
    /// What the automatic actors cost after the last tick, in nanoseconds.
    pub(crate) assigned: u64,
    /// What the other actors cost after the last tick, in nanoseconds.
    pub(crate) charged: u64,
}

impl<N: Real> ModuleState<N> {
    pub(crate) fn new(module: Module<N>) -> Result<Self, Error> {
        let rule = match module.rule {
            Some(rule) => rule,
            None => BenefitRule::new(BenefitTerms::default())?,
        };
        Ok(Self {
            name: module.name,
            unit_cost: module.unit_cost,
            benefit_value: module.benefit_value,
            rule,
            enabled: module.enabled,
            continuous: module.continuous,
            ladders: LadderTable::default(),
            rows: Columns::default(),
            given: 0,
            assigned: 0,
            charged: 0,
        })
    }

    /// How many rows, from the first, the ledger decides for.
    pub(crate) fn decided(&self) -> usize {
        if self.enabled { self.rows.automatic } else { 0 }
    }

    /// The module as the ledger sees it: the actors that it decides for.
    pub(crate) fn account(&self) -> Account<'_> {
        let decided = self.decided();
        Account {
            benefit_value: self.benefit_value,
            continuous: self.continuous,
            ladders: self.ladders.as_slices(),
            ladder: &self.rows.ladder[..decided],
            benefits: &self.rows.benefit[..decided],
        }
    }

    /// The same, with the columns of levels.
    pub(crate) fn book(&mut self) -> Book<'_> {
        let decided = self.decided();
        let Columns { ladder, benefit, slot, level, fraction, .. } = &mut self.rows;
        Book {
            account: Account {
                benefit_value: self.benefit_value,
                continuous: self.continuous,
                ladders: self.ladders.as_slices(),
                ladder: &ladder[..decided],
                benefits: &benefit[..decided],
            },
            ids: &slot[..decided],
            levels: &mut level[..decided],
            fractions: &mut fraction[..decided],
        }
    }

    /// Benefits of all actors; returns how many are quarantined.
    pub(crate) fn observe(&mut self, eyes: &[[N; 3]]) -> usize {
        let mut benefits = std::mem::take(&mut self.rows.benefit);
        let quarantined = self.rule.benefits(eyes, self.rows.observed(), &mut benefits);
        self.rows.benefit = benefits;
        if self.given == 0 {
            return quarantined;
        }
        let mut excused = 0;
        for row in 0..self.rows.len() {
            if let Some(given) = self.rows.given[row] {
                self.rows.benefit[row] = given;
                excused += usize::from(!self.rows.state(row).is_sound());
            }
        }
        quarantined - excused
    }

    /// Gives all actors that the ledger does not decide for their LOD, and adds up what they cost.
    pub(crate) fn charge(&mut self) {
        let ladders = self.ladders.as_slices();
        self.charged = 0;
        for row in self.decided()..self.rows.len() {
            let ladder = ladders.ladder(self.rows.ladder[row]);
            let lod = ladder.fixed(self.rows.control[row], self.continuous);
            (self.rows.level[row], self.rows.fraction[row]) = (lod.level(), lod.fraction());
            self.charged += u64::from(ladder.cost(lod));
        }
    }
}
