//! The rule of a module, in the scene or outside of it, or none.

use core::fmt::Debug;

use lodger_core::benefit::BenefitRule;
use lodger_core::error::{Quantity, ValueError, ValueProblem};
use lodger_core::importance::ImportanceCurve;
use lodger_core::{Benefit, Real};

/// A rule outside of the scene; `None` for the default one.
pub(crate) type StaticRule<N> = Option<&'static BenefitRule<N>>;

/// A rule that computes benefits.
pub trait ComputedRule<N: Real> {
    /// Returns the rule; `place` may hold it.
    fn or_default<'a>(&'a self, place: &'a mut Option<BenefitRule<N>>) -> &'a BenefitRule<N>;
}

impl<N: Real> ComputedRule<N> for StaticRule<N> {
    fn or_default<'a>(&'a self, place: &'a mut Option<BenefitRule<N>>) -> &'a BenefitRule<N> {
        match self {
            Some(rule) => rule,
            None => place.insert(BenefitRule::default()),
        }
    }
}

impl<N: Real> ComputedRule<N> for BenefitRule<N> {
    fn or_default<'a>(&'a self, _: &'a mut Option<BenefitRule<N>>) -> &'a BenefitRule<N> {
        self
    }
}

/// The rule of a module, or nothing.
pub trait ModuleRule<N: Real>: Debug + Clone {
    fn new(rule: StaticRule<N>) -> Self;

    /// Replaces the rule of a module without actors.
    fn set(&mut self, _rule: BenefitRule<N>) {}

    /// Returns the curve of an actor; an error if its benefit can be neither computed nor is given.
    fn curve(&self, radius: N, given: Option<Benefit>) -> Result<ImportanceCurve<N>, ValueError>;
}

impl<N: Real> ModuleRule<N> for StaticRule<N> {
    fn new(rule: StaticRule<N>) -> Self {
        rule
    }

    fn curve(&self, radius: N, _: Option<Benefit>) -> Result<ImportanceCurve<N>, ValueError> {
        self.or_default(&mut None).curve(radius)
    }
}

impl<N: Real> ModuleRule<N> for BenefitRule<N> {
    fn new(rule: StaticRule<N>) -> Self {
        rule.copied().unwrap_or_default()
    }

    fn curve(&self, radius: N, _: Option<Benefit>) -> Result<ImportanceCurve<N>, ValueError> {
        self.curve(radius)
    }

    fn set(&mut self, rule: BenefitRule<N>) {
        *self = rule;
    }
}

impl<N: Real> ModuleRule<N> for () {
    fn new(_: StaticRule<N>) -> Self {}

    fn curve(&self, _: N, given: Option<Benefit>) -> Result<ImportanceCurve<N>, ValueError> {
        let missing = ValueError::new(Quantity::Benefit, ValueProblem::Missing);
        given.map(|_| ImportanceCurve::default()).ok_or(missing)
    }
}
