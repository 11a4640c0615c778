//! The benefits of a module's actors, and overrides of the computed benefits.
//!
//! A rule finds invalid numbers that have a weight. Setters check the others, or the next tick if they were
//! borrowed.

use std::ops::Range;

use lodger_core::benefit::{
    BenefitRule, BenefitTotals, LensTask, OutsideFactor, Priority, Sight, StateColumns, prioritise,
};
use lodger_core::budget::{BenefitSource, CachedAssignment, Hysteresis, ModuleView, Scale};
use lodger_core::{Benefit, Real};

use crate::bits::{Dirty, ROWS_PER_BLOCK, rows_of, runs_of};
use crate::module_data::{ModuleData, ModuleSettings, RowFactors};
use crate::parallel::{ExecutionSettings, SimdKernel, SimdLevel, join};
use crate::rows::{ActorRows, WideBuffers};
use crate::scene_views::SceneViews;
use crate::states::{ModuleStates, UsedFields};

impl<N: Real> ModuleStates<N> {
    /// Computes the benefits that may have changed. If all may have, also assigns levels on the
    /// terms. Returns the number of quarantined actors.
    pub(crate) fn compute_benefits(
        &mut self,
        module: &mut ModuleData,
        exec: ExecutionSettings,
        eyes: &SceneViews<N>,
        assign_at: Option<AssignTerms>,
    ) -> usize {
        let rows = module.rows.len();
        if rows == 0 {
            return 0;
        }
        let looking = Looking::of(&module.settings, eyes);
        if looking != Looking::Tested {
            self.sight.forget();
        }
        let mut read = UsedFields::from(self.rule.used_fields(&eyes.positions));
        read.position |= looking != Looking::Nearest && !eyes.positions.is_empty();
        self.check_borrowed(module, read);
        if !module.rows.dirty.any() {
            return module.quarantined;
        }
        let invalid = if module.rows.dirty.are_all(rows) {
            self.compute_all(module, exec, eyes, assign_at)
        } else {
            self.compute_dirty(module, exec, eyes)
        };
        self.override_benefits(module, read, invalid);
        module.quarantined
    }

    fn compute_all(
        &mut self,
        module: &mut ModuleData,
        exec: ExecutionSettings,
        eyes: &SceneViews<N>,
        assign_at: Option<AssignTerms>,
    ) -> usize {
        let automatic = module.automatic();
        let (module_view, benefits, factors) = module.module_view_without_benefits();
        let assign_at = assign_at.filter(|_| module_view.can_fill_and_assign(automatic));
        let assignment = assign_at.map(|terms| (terms, module_view));
        let inputs = self.inputs(benefits.len(), eyes, factors);
        let (inputs, inputs_of_others) = inputs.split_at(automatic);
        let (benefits, others) = benefits.split_at_mut(automatic);
        let result = exec.compute_benefits(BenefitTask { inputs, benefits, assignment });
        let task = BenefitTask { inputs: inputs_of_others, benefits: others, assignment: None };
        let forced = exec.compute_benefits(task);
        module.wide.renew(result.total);
        if let Some(AssignTerms { scale, hysteresis }) = assign_at {
            module.wide.cached = CachedAssignment::at(scale, hysteresis, result.cost);
        }
        result.quarantined + forced.quarantined
    }

    fn compute_dirty(
        &mut self,
        module: &mut ModuleData,
        exec: ExecutionSettings,
        eyes: &SceneViews<N>,
    ) -> usize {
        let automatic = module.automatic();
        let ModuleData { rows, wide, settings, .. } = module;
        let ActorRows { benefit, dirty, priority, out_of_view, .. } = rows;
        let inputs =
            self.inputs(benefit.len(), eyes, RowFactors { settings, priority, out_of_view });
        exec.simd_level.run(DirtyKernel { inputs, benefits: benefit, automatic, dirty, wide })
    }

    fn inputs<'a>(
        &'a mut self,
        rows: usize,
        eyes: &'a SceneViews<N>,
        factors: RowFactors<'a>,
    ) -> BenefitInputs<'a, N> {
        let RowFactors { settings, priority, out_of_view } = factors;
        let Self { rule, x, y, z, age, speed, radius, curve, sight } = self;
        let sight = match Looking::of(settings, eyes) {
            Looking::Nearest => None,
            Looking::Zoomed => Some(Sight::All),
            Looking::Tested => Some(sight.test(rows, eyes.lenses.len())),
            Looking::Given => Some(Sight::Given(out_of_view.rows(0..rows))),
        };
        let task = LensTask { lenses: &eyes.lenses, outside: settings.outside, radius };
        let priorities = priority.rows(0..rows);
        let has_priorities = !priorities.is_empty() || settings.priority != Priority::ONE;
        BenefitInputs {
            rule,
            eyes: &eyes.positions,
            columns: StateColumns { x, y, z, age, speed, curve },
            through: sight.map(|sight| (task, sight)),
            priorities: has_priorities.then_some((priorities, settings.priority)),
        }
    }

    /// Finds invalid rows in borrowed columns that no loop reads.
    fn check_borrowed(&self, module: &mut ModuleData, read: UsedFields) {
        let numbers = std::mem::take(&mut module.borrowed_fields).without(read);
        let rows = &mut module.rows;
        if numbers.any() {
            for group in 0..rows.unchecked.groups() {
                let borrowed = rows.unchecked.group(group);
                let invalid = borrowed != 0 && self.any_invalid(group, numbers);
                let overridden = rows.overridden.group(group);
                for row in rows_of(group, if invalid { borrowed } else { borrowed & overridden }) {
                    rows.note_set(row, self.state(row).is_valid(), false);
                }
            }
        }
        rows.unchecked.unset_all();
    }

    fn any_invalid(&self, group: usize, numbers: UsedFields) -> bool {
        let rows = group * ROWS_PER_BLOCK..self.age.len().min((group + 1) * ROWS_PER_BLOCK);
        let finite = |column: &[N]| column[rows.clone()].iter().all(|number| number.is_finite());
        let amounts = |column: &[N]| column[rows.clone()].iter().all(|number| number.is_amount());
        numbers.position && !(finite(&self.x) && finite(&self.y) && finite(&self.z))
            || numbers.age && !finite(&self.age)
            || numbers.speed && !amounts(&self.speed)
    }

    /// Overrides the benefit of dirty rows whose benefit is not computed, and flags invisible and quarantined
    /// rows. `invalid` is the number of states that the loops found invalid.
    fn override_benefits(&self, module: &mut ModuleData, read: UsedFields, invalid: usize) {
        let mut known = 0;
        if module.rows.overridden.any() {
            for group in 0..module.rows.overridden.groups() {
                let overridden = module.rows.overridden.group(group);
                if overridden != 0 && module.rows.dirty.group(group) != 0 {
                    for row in rows_of(group, overridden & module.rows.dirty.lines(group)) {
                        known += usize::from(!read.are_valid(self.state(row)));
                        module.override_benefit(row, self.state(row).is_valid());
                    }
                }
            }
        }
        if invalid > known {
            self.find_invalid(module);
        }
        if module.rows.overridden.any() {
            for group in 0..module.rows.overridden.groups() {
                let is_dirty = module.rows.dirty.group(group) != 0;
                if is_dirty && module.rows.overridden.group(group) != 0 {
                    module.wide.touch(group);
                }
            }
        }
    }

    /// Finds the dirty rows that became invalid in numbers that are read.
    fn find_invalid(&self, module: &mut ModuleData) {
        let mut from = 0;
        while let Some(run) = module.rows.dirty.next_run(from, module.rows.len()) {
            from = run.end;
            for row in run {
                let rows = &mut module.rows;
                let may_be = rows.benefit[row] == Benefit::ZERO && !rows.overridden.get(row);
                if may_be && !self.state(row).is_valid() {
                    rows.overridden.set(row);
                    module.override_benefit(row, false);
                }
            }
        }
    }

    pub(crate) fn advance_ages(&mut self, module: &mut ModuleData, seconds: N) {
        if module.used_fields.age {
            module.rows.dirty.mark_all();
        }
        for group in 0..self.age.len().div_ceil(ROWS_PER_BLOCK) {
            let rows = group * ROWS_PER_BLOCK..self.age.len().min((group + 1) * ROWS_PER_BLOCK);
            let mut are_valid = true;
            for age in &mut self.age[rows.clone()] {
                *age = *age + seconds;
                are_valid &= age.is_finite();
            }
            if !are_valid {
                rows.for_each(|row| {
                    module.rows.note_set(row, self.state(row).is_valid(), false);
                });
            }
        }
    }
}

impl ModuleData {
    fn override_benefit(&mut self, row: usize, is_valid: bool) {
        let Self { rows, settings, .. } = self;
        let replacement = if rows.flags[row].is_visible() {
            rows.benefit_override[row].map(|benefit| {
                let is_out_of_view = settings.is_view_given && rows.out_of_view.get(row);
                let benefit =
                    if is_out_of_view { benefit.outside(settings.outside) } else { benefit };
                benefit.with_priority(rows.priority.get(row).times(settings.priority))
            })
        } else {
            Some(Benefit::ZERO)
        };
        let quarantined = replacement.is_none() && !is_valid;
        let computed = rows.benefit[row];
        let benefit = if quarantined { Benefit::ZERO } else { replacement.unwrap_or(computed) };
        rows.benefit[row] = benefit;
        if !quarantined && replacement.is_none() {
            rows.overridden.unset(row);
        }
        let flags = &mut rows.flags[row];
        self.quarantined -= usize::from(flags.was_quarantined());
        self.quarantined += usize::from(quarantined);
        flags.find(quarantined);
        if row < self.automatic() {
            self.wide.replace(computed, benefit);
        }
    }
}

/// The terms on which levels are assigned at once.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AssignTerms {
    pub(crate) scale: Scale,
    pub(crate) hysteresis: Hysteresis,
}

/// How a module's actors are seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Looking {
    /// Only the nearest eye matters.
    Nearest,
    /// A view has a zoom.
    Zoomed,
    /// Frusta are tested.
    Tested,
    /// The user says which rows are in view.
    Given,
}

impl Looking {
    fn of<N: Real>(settings: &ModuleSettings, eyes: &SceneViews<N>) -> Self {
        if settings.outside == OutsideFactor::ONE || !(settings.is_view_given || eyes.have_frustum)
        {
            if eyes.have_zoom { Self::Zoomed } else { Self::Nearest }
        } else if settings.is_view_given {
            Self::Given
        } else {
            Self::Tested
        }
    }
}

/// The inputs of the benefits of some rows.
struct BenefitInputs<'a, N: Real> {
    rule: &'a BenefitRule<N>,
    eyes: &'a [[N; 3]],
    columns: StateColumns<'a, N>,
    /// For views that are more than eyes.
    through: Option<(LensTask<'a, N>, Sight<'a>)>,
    /// The priorities of actors, if any has one, and of the module.
    priorities: Option<(&'a [Priority], Priority)>,
}

impl<N: Real> BenefitInputs<'_, N> {
    fn split_at(self, rows: usize) -> (Self, Self) {
        let Self { rule, eyes, columns, through, priorities } = self;
        let (columns, columns_after) = split_columns(columns, rows);
        let (through, through_after) = match through {
            Some((task, sight)) => {
                let (radius, radius_after) = task.radius.split_at(rows);
                let (sight, sight_after) = sight.split_at(rows);
                let after = LensTask { radius: radius_after, ..task };
                (Some((LensTask { radius, ..task }, sight)), Some((after, sight_after)))
            }
            None => (None, None),
        };
        let split = priorities.map(|(actors, module)| {
            let (actors, after) = actors.split_at(rows.min(actors.len()));
            ((actors, module), (after, module))
        });
        let (priorities, priorities_after) = split.unzip();
        (
            Self { rule, eyes, columns, through, priorities },
            Self {
                rule,
                eyes,
                columns: columns_after,
                through: through_after,
                priorities: priorities_after,
            },
        )
    }

    #[inline(always)]
    #[allow(clippy::inline_always)] // in loops that are compiled for vectors
    fn evaluate(&mut self, first: usize, out: &mut [Benefit]) -> BenefitTotals {
        let rows = first..first + out.len();
        let columns = part_of(self.columns, rows.clone());
        let mut totals = match &mut self.through {
            None => self.rule.evaluate(self.eyes, columns, out),
            Some((task, sight)) => {
                let task = LensTask { radius: &task.radius[rows.clone()], ..*task };
                self.rule.evaluate_through(task, sight.rows(first, out.len()), columns, out)
            }
        };
        if let Some((actors, module)) = self.priorities {
            let actors = if actors.is_empty() { actors } else { &actors[rows] };
            totals.total = prioritise(out, actors, module);
        }
        totals
    }
}

struct BenefitTask<'a, N: Real> {
    inputs: BenefitInputs<'a, N>,
    benefits: &'a mut [Benefit],
    assignment: Option<(AssignTerms, ModuleView<'a>)>,
}

#[derive(Debug, Clone, Copy, Default)]
struct BenefitTaskResult {
    quarantined: usize,
    /// The sum of the benefits, in 2⁻¹⁶.
    total: u64,
    /// The cost of the assigned levels, in nanoseconds.
    cost: u64,
}

impl BenefitTaskResult {
    fn plus(self, other: Self) -> Self {
        Self {
            quarantined: self.quarantined + other.quarantined,
            total: self.total + other.total,
            cost: self.cost.wrapping_add(other.cost),
        }
    }
}

impl ExecutionSettings {
    fn compute_benefits<N: Real>(self, task: BenefitTask<'_, N>) -> BenefitTaskResult {
        if let Some(half) = self.half(task.benefits.len()) {
            let (first, others) = task.split_at(half);
            let (first, others) =
                join(|| self.compute_benefits(first), || self.compute_benefits(others));
            return first.plus(others);
        }
        let BenefitTask { inputs, benefits, assignment } = task;
        let observed = BenefitTotals::default();
        let mut source = RuleSource { simd_level: self.simd_level, inputs, observed };
        let mut cost = 0;
        if let Some((terms, module_view)) = assignment {
            cost = self.fill_and_assign(terms, module_view, benefits, &mut source);
        } else {
            source.fill(0, benefits);
        }
        let BenefitTotals { quarantined, total } = source.observed;
        BenefitTaskResult { quarantined, total, cost }
    }

    /// Compiled once, for the sources of all number types.
    fn fill_and_assign(
        self,
        terms: AssignTerms,
        module_view: ModuleView<'_>,
        benefits: &mut [Benefit],
        source: &mut dyn BenefitSource,
    ) -> u64 {
        self.simd_level.run(AssignKernel { terms, module_view, benefits, source })
    }
}

impl<N: Real> BenefitTask<'_, N> {
    fn split_at(self, rows: usize) -> (Self, Self) {
        let Self { inputs, benefits, assignment } = self;
        let (inputs, inputs_after) = inputs.split_at(rows);
        let (benefits, benefits_after) = benefits.split_at_mut(rows.min(benefits.len()));
        let (assignment, assignment_after) = match assignment {
            Some((terms, module_view)) => {
                let (module_view, after) = module_view.split_at(rows);
                (Some((terms, module_view)), Some((terms, after)))
            }
            None => (None, None),
        };
        (
            Self { inputs, benefits, assignment },
            Self { inputs: inputs_after, benefits: benefits_after, assignment: assignment_after },
        )
    }
}

pub(crate) fn split_columns<N: Real>(
    columns: StateColumns<'_, N>,
    rows: usize,
) -> (StateColumns<'_, N>, StateColumns<'_, N>) {
    fn split<T>(column: &[T], rows: usize) -> (&[T], &[T]) {
        column.split_at(rows.min(column.len()))
    }
    let StateColumns { x, y, z, age, speed, curve } = columns;
    let ((x, x_after), (y, y_after), (z, z_after)) =
        (split(x, rows), split(y, rows), split(z, rows));
    let ((age, age_after), (speed, speed_after)) = (split(age, rows), split(speed, rows));
    let (curve, curve_after) = split(curve, rows);
    (
        StateColumns { x, y, z, age, speed, curve },
        StateColumns {
            x: x_after,
            y: y_after,
            z: z_after,
            age: age_after,
            speed: speed_after,
            curve: curve_after,
        },
    )
}

struct BenefitKernel<'a, 'b, N: Real> {
    inputs: &'b mut BenefitInputs<'a, N>,
    first: usize,
    benefits: &'b mut [Benefit],
}

impl<N: Real> SimdKernel for BenefitKernel<'_, '_, N> {
    type Output = BenefitTotals;

    #[inline(always)]
    #[allow(clippy::inline_always)] // compiled for the vectors of its caller
    fn run(self) -> BenefitTotals {
        self.inputs.evaluate(self.first, self.benefits)
    }
}

/// The benefits of dirty rows, which may be few in many places: vectors are chosen once.
struct DirtyKernel<'a, N: Real> {
    inputs: BenefitInputs<'a, N>,
    benefits: &'a mut [Benefit],
    automatic: usize,
    dirty: &'a Dirty,
    wide: &'a mut WideBuffers,
}

impl<N: Real> SimdKernel for DirtyKernel<'_, N> {
    /// The number of quarantined rows.
    type Output = usize;

    #[inline(always)]
    #[allow(clippy::inline_always)] // compiled for the vectors of its caller
    fn run(self) -> usize {
        let Self { mut inputs, benefits, automatic, dirty, wide } = self;
        let (mut quarantined, mut from) = (0, 0);
        let len = benefits.len();
        while let Some(run) = dirty.next_run(from, len) {
            from = run.end;
            for group in run.start / ROWS_PER_BLOCK..run.end.div_ceil(ROWS_PER_BLOCK) {
                wide.touch(group);
                for lines in runs_of(dirty.lines(group)) {
                    let first = (group * ROWS_PER_BLOCK + lines.start).min(len);
                    let end = (group * ROWS_PER_BLOCK + lines.end).min(len);
                    let ours = automatic.clamp(first, end);
                    let before = sum(&benefits[first..ours]);
                    let observed = inputs.evaluate(first, &mut benefits[first..end]);
                    quarantined += observed.quarantined;
                    let after =
                        if ours == end { observed.total } else { sum(&benefits[first..ours]) };
                    let more = after.wrapping_sub(before);
                    wide.total = wide.total.map(|total| total.wrapping_add(more));
                }
            }
        }
        quarantined
    }
}

struct AssignKernel<'a, 'b> {
    terms: AssignTerms,
    module_view: ModuleView<'a>,
    benefits: &'b mut [Benefit],
    source: &'b mut dyn BenefitSource,
}

impl SimdKernel for AssignKernel<'_, '_> {
    type Output = u64;

    #[inline(always)]
    #[allow(clippy::inline_always)] // compiled for the vectors of its caller
    fn run(mut self) -> u64 {
        let Self { terms: AssignTerms { scale, hysteresis }, .. } = self;
        self.module_view.fill_and_assign(scale, hysteresis, self.benefits, &mut self.source)
    }
}

struct RuleSource<'a, N: Real> {
    simd_level: SimdLevel,
    inputs: BenefitInputs<'a, N>,
    observed: BenefitTotals,
}

impl<N: Real> BenefitSource for RuleSource<'_, N> {
    fn fill(&mut self, first: usize, benefits: &mut [Benefit]) {
        let kernel = BenefitKernel { inputs: &mut self.inputs, first, benefits };
        self.observed = self.observed.plus(self.simd_level.run(kernel));
    }
}

#[inline(always)]
#[allow(clippy::inline_always)] // in loops that are compiled for vectors
fn part_of<N: Real>(columns: StateColumns<'_, N>, rows: Range<usize>) -> StateColumns<'_, N> {
    StateColumns {
        x: &columns.x[rows.clone()],
        y: &columns.y[rows.clone()],
        z: &columns.z[rows.clone()],
        age: &columns.age[rows.clone()],
        speed: &columns.speed[rows.clone()],
        curve: &columns.curve[rows],
    }
}

fn sum(benefits: &[Benefit]) -> u64 {
    // The sum of 64 benefits of 24 bits fits 32.
    benefits.iter().fold(0_u32, |sum, benefit| sum.wrapping_add(benefit.bits())).into()
}
