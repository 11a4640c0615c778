//! The scene of instruction counts: a tick by the proportional or the optimal policy, and the importance functions.
//!
//! Two modules of at most 32 actors have five levels each, the lowest without cost. Benefits are half a bounded distance
//! importance and half age, and the budget is half of the sum of all targets.

use lodger_core::benefit::{BenefitRule, BenefitTerms, StateColumns, Weights};
use lodger_core::budget::{
    Carryover, CompactUpgrade, Decision, Hysteresis, IndexColumn, LadderSpan, Ladders, Leftovers,
    ModuleInput, ModuleView, Policy, PreviousLevel, Quality, Request, Scratch, Slope, SlopeRange,
    Slopes, decide,
};
use lodger_core::importance::{DistanceImportance, ImportanceCurve};
use lodger_core::units::{BenefitValue, Budget};
use lodger_core::{Benefit, Real, ValueError};

/// The maximum number of actors of a module.
pub const ROWS: usize = 32;
pub const ACTORS: usize = 2 * ROWS;
/// A small number of actors per module, so that costs per module weigh more.
pub const FEW: usize = 8;
/// The distance at which importance reaches 0, in metres.
const MAX_DISTANCE: f64 = 60.0;
/// The age at which importance reaches 0, in seconds.
const MAX_AGE: f64 = 20.0;
/// The cost that a benefit of 1 is worth, in nanoseconds.
const BENEFIT_VALUE: u32 = 100_000;
const LEVELS: u16 = 5;
const COSTS: usize = LEVELS as usize;
const SPANS: [LadderSpan; 1] = [LadderSpan::new(0, LEVELS, 0)];
const LADDER: [u32; ROWS] = [0; ROWS];
const EVEN: [Quality; COSTS] = [
    Quality::ZERO,
    Quality::even(1, LEVELS),
    Quality::even(2, LEVELS),
    Quality::even(3, LEVELS),
    Quality::ONE,
];

#[derive(Debug, Clone)]
struct BenchModule<N: Real> {
    rows: usize,
    rule: BenefitRule<N>,
    x: [N; ROWS],
    y: [N; ROWS],
    z: [N; ROWS],
    age: [N; ROWS],
    speed: [N; ROWS],
    curve: [ImportanceCurve<N>; ROWS],
    costs: [u32; COSTS],
    qualities: [Quality; COSTS],
    slopes: [Slope; COSTS],
    valid_for: SlopeRange,
    ids: [u32; ROWS],
    previous: [PreviousLevel; ROWS],
    /// Empty if all actors of a module have the same ladder.
    ladder: &'static [u32],
    benefits: [Benefit; ROWS],
    levels: [u8; ROWS],
}

impl<N: Real> BenchModule<N> {
    fn new(
        costs: [u32; COSTS],
        first: u16,
        rows: usize,
        distance_importance: DistanceImportance,
    ) -> Result<Self, ValueError> {
        let half = number(0.5);
        let rule = BenefitRule::new(BenefitTerms {
            distance_importance,
            max_distance: Some(number(MAX_DISTANCE)),
            weights: Weights::new(half, half, N::ZERO)?,
            max_age: Some(number(MAX_AGE)),
            ..BenefitTerms::default()
        })?;
        let column = |step, end| spread::<N>(first, step, end);
        let mut curve = [ImportanceCurve::default(); ROWS];
        for (curve, radius) in curve.iter_mut().zip(column(7, 3)) {
            *curve = rule.curve(radius + half)?;
        }
        Ok(Self {
            rows: rows.min(ROWS),
            rule,
            x: column(13, 30),
            y: column(29, 30),
            z: column(41, 30),
            age: column(17, 24),
            speed: column(5, 10),
            curve,
            costs,
            qualities: EVEN,
            slopes: [Slope::default(); COSTS],
            valid_for: SlopeRange::default(),
            ids: core::array::from_fn(|row| {
                u32::try_from(row).unwrap_or(0).wrapping_add(first.into())
            }),
            previous: [PreviousLevel::NONE; ROWS],
            ladder: &[],
            benefits: [Benefit::ZERO; ROWS],
            levels: [0; ROWS],
        })
    }

    fn input(&self) -> ModuleInput<'_> {
        input(self.ladder, &self.costs, &self.benefits[..self.rows])
    }

    fn module_view(&mut self) -> ModuleView<'_> {
        ModuleView {
            input: input(self.ladder, &self.costs, &self.benefits[..self.rows]),
            ids: IndexColumn::Words(&self.ids),
            levels: &mut self.levels,
            ..ModuleView::default()
        }
    }

    fn full_module_view(&mut self) -> ModuleView<'_> {
        ModuleView {
            input: input(self.ladder, &self.costs, &self.benefits[..self.rows]),
            ids: IndexColumn::Words(&self.ids),
            levels: &mut self.levels,
            fractions: &mut [],
            qualities: &self.qualities,
            slopes: Slopes { of_costs: &mut self.slopes, valid_for: self.valid_for },
            previous: &self.previous,
            ..ModuleView::default()
        }
    }

    fn remember(&mut self, valid_for: SlopeRange) {
        self.valid_for = valid_for;
        for (previous, &level) in self.previous.iter_mut().zip(&self.levels) {
            *previous = PreviousLevel::automatic(level);
        }
    }

    fn weigh(&mut self, eye: [N; 3]) -> usize {
        let Self { x, y, z, age, speed, curve, .. } = self;
        let columns = StateColumns { x, y, z, age, speed, curve };
        self.rule.benefits(&[eye], columns, &mut self.benefits[..self.rows])
    }
}

fn input<'a>(ladder: &'a [u32], costs: &'a [u32], benefits: &'a [Benefit]) -> ModuleInput<'a> {
    ModuleInput {
        benefit_value: BenefitValue::from_ns(BENEFIT_VALUE),
        continuous: false,
        ladders: Ladders { spans: &SPANS, costs },
        ladder: IndexColumn::Words(ladder),
        benefits,
    }
}

fn spread<N: Real>(first: u16, step: u16, end: u16) -> [N; ROWS] {
    core::array::from_fn(|row| {
        let row = u16::try_from(row).unwrap_or(0);
        let place = first.wrapping_add(row).wrapping_mul(step) % 97;
        number(f64::from(place) * f64::from(end) / 97.0)
    })
}

pub(crate) fn number<N: Real>(value: f64) -> N {
    N::from_f64(value).unwrap_or(N::ZERO)
}

#[derive(Debug, Clone)]
pub struct BenchScene<N: Real> {
    modules: [BenchModule<N>; 2],
    eye: [N; 3],
    carryover: Carryover,
    upgrades: [CompactUpgrade; ACTORS],
}

impl<N: Real> BenchScene<N> {
    /// Makes a scene of `rows` actors per module, at most [`ROWS`].
    ///
    /// # Errors
    /// None, because all numbers are valid.
    pub fn new(importance: DistanceImportance, rows: usize) -> Result<Self, ValueError> {
        let modules = [
            BenchModule::new([0, 10_000, 20_000, 40_000, 80_000], 1, rows, importance)?,
            BenchModule::new([0, 5_000, 15_000, 25_000, 60_000], 50, rows, importance)?,
        ];
        let eye = [number(3.0), number(2.0), number(1.0)];
        Ok(Self {
            modules,
            eye,
            carryover: Carryover::default(),
            upgrades: [CompactUpgrade::default(); ACTORS],
        })
    }

    /// Gives both modules a column of ladders, as modules with different ladders have. Decisions stay the same.
    pub fn keep_ladders(&mut self) {
        self.modules.iter_mut().for_each(|module| module.ladder = &LADDER);
    }

    /// Returns half of the sum of all targets, in nanoseconds.
    pub fn scarce(&mut self) -> u64 {
        self.weigh();
        self.modules.iter().map(|module| module.input().target()).sum::<u64>() / 2
    }

    /// Computes the benefits of all actors; returns the number of quarantined ones.
    pub fn weigh(&mut self) -> usize {
        let Self { modules: [a, b], eye, .. } = self;
        a.weigh(*eye).wrapping_add(b.weigh(*eye))
    }

    pub fn tick(&mut self, budget: u64, leftovers: Leftovers) -> Decision {
        self.weigh();
        let budget = Budget::from_ns(budget);
        let request = Request {
            budget,
            reserved: 0,
            policy: Policy::Proportional(leftovers),
            ..Request::default()
        };
        let [a, b] = &mut self.modules;
        let mut module_views = [a.module_view(), b.module_view()];
        let scratch = Scratch { upgrades: &mut self.upgrades, moves: &mut [] };
        decide(&request, &mut Carryover::default(), &mut module_views[..], scratch)
    }

    /// Decides a frame with the optimal policy, and keeps levels for the next one.
    pub fn optimal(&mut self, budget: u64, hysteresis: Hysteresis) -> Decision {
        self.weigh();
        let request = Request {
            budget: Budget::from_ns(budget),
            policy: Policy::Optimal,
            hysteresis,
            ..Request::default()
        };
        let [a, b] = &mut self.modules;
        let mut module_views = [a.full_module_view(), b.full_module_view()];
        let scratch = Scratch { upgrades: &mut self.upgrades, moves: &mut [] };
        let decision = decide(&request, &mut self.carryover, &mut module_views[..], scratch);
        let valid_for = module_views.map(|module_view| module_view.slopes.valid_for);
        self.modules.iter_mut().zip(valid_for).for_each(|(module, made)| module.remember(made));
        decision
    }

    pub fn move_viewer(&mut self) {
        let [x, ..] = &mut self.eye;
        *x = *x + number(0.05);
    }

    pub fn distances(&self, importance: DistanceImportance, out: &mut [N; ROWS]) {
        let [BenchModule { x, y, z, curve, .. }, _] = &self.modules;
        let rows = x.iter().zip(y).zip(z).zip(curve).zip(out);
        for ((((&x, &y), &z), &curve), out) in rows {
            *out = importance.at(curve, N::norm_sq([x, y, z]));
        }
    }

    pub fn ages(&self, out: &mut [N; ROWS]) {
        let span = number::<N>(MAX_AGE).range_end();
        for (&age, out) in self.modules[0].age.iter().zip(out) {
            *out = N::ONE - age.fraction_of(span);
        }
    }

    pub fn speeds(&self, out: &mut [N; ROWS]) {
        let span = number::<N>(8.0).range_end();
        for (&speed, out) in self.modules[0].speed.iter().zip(out) {
            *out = speed.fraction_of(span);
        }
    }
}

#[cfg(test)]
mod tests {
    use lodger_core::Fixed;

    use super::*;

    fn scene() -> BenchScene<Fixed> {
        BenchScene::new(DistanceImportance::SolidAngle, ROWS).unwrap()
    }

    #[test]
    fn a_column_of_ladders_changes_no_decision() {
        let [mut plain, mut columns] = [(); 2].map(|()| scene());
        columns.keep_ladders();
        let budget = plain.scarce();
        assert_eq!(columns.tick(budget, Leftovers::Keep), plain.tick(budget, Leftovers::Keep));
        let levels = |scene: BenchScene<Fixed>| scene.modules.map(|module| module.levels);
        assert_eq!(levels(columns), levels(plain));
    }

    #[test]
    fn a_steady_frame_follows_another_one() {
        let mut scene = scene();
        let budget = scene.scarce();
        let first = scene.optimal(budget, Hysteresis::TYPICAL);
        scene.move_viewer();
        let second = scene.optimal(budget, Hysteresis::TYPICAL);
        for Decision { assigned, certificate, .. } in [first, second] {
            assert!(assigned <= budget && assigned > budget / 10 * 9, "{assigned} of {budget}");
            assert!(certificate.unwrap().gap() < 0.01, "{certificate:?}");
        }
        assert!(second.switches <= 2, "{second:?}");
    }

    #[test]
    fn targets_are_scaled_and_most_levels_occur() {
        let mut scene = scene();
        let budget = scene.scarce();
        let Decision { scale, assigned, .. } = scene.tick(budget, Leftovers::Keep);
        assert!(scale.to_f64() > 0.49 && scale.to_f64() < 0.51);
        assert!(assigned <= budget && assigned * 2 > budget);
        let levels = scene.modules.iter().flat_map(|module| module.levels);
        let mut counts = [0; 5];
        levels.for_each(|level| counts[usize::from(level)] += 1);
        assert!(counts.iter().filter(|&&count| count > 0).count() >= 3, "{counts:?}");
    }

    #[test]
    fn leftovers_are_spent() {
        let mut scene = scene();
        let budget = scene.scarce();
        let kept = scene.tick(budget, Leftovers::Keep).assigned;
        let spent = scene.tick(budget, Leftovers::AcrossModules).assigned;
        // No step costs less than 5 µs.
        assert!(kept < spent && spent <= budget && budget - spent < 5_000, "{kept} {spent}");
    }
}
