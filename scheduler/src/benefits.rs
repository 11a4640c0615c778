//! The benefits of a module's actors, and overrides of the computed benefits.
//!
//! A rule finds invalid numbers that have a weight. Setters check the others, or the next tick if they were
//! borrowed.

use std::ops::Range;

use lodger_core::benefit::{
    BenefitRule, BenefitTotals, LensTask, OutsideFactor, Priority, Sight, StateColumns, Viewpoints,
    prioritise,
};
use lodger_core::budget::{BenefitSource, CachedAssignment, Hysteresis, ModuleView, Scale};
use lodger_core::{Benefit, Real};

use crate::bits::{Dirty, ROWS_PER_BLOCK, rows_of};
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
        let are_all = module.rows.dirty.are_all(rows);
        // With several views the benefit of a row takes longer than a read from memory.
        let are_many = !are_all && eyes.lenses.len() <= 1 && module.rows.dirty.are_many(rows);
        if are_many {
            module.rows.dirty.mark_all();
        }
        let invalid = if are_all || are_many {
            self.compute_all(module, exec, eyes, assign_at)
        } else {
            self.compute_dirty(module, exec, eyes)
        };
        // If fewer blocks change in the next tick, it uses the totals of the others.
        module.wide.keeps_benefits |= are_many;
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
        let (inputs, inputs_of_others) = inputs.split_at(automatic, benefits.len());
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
        let factors = RowFactors { settings, priority, out_of_view };
        let mut inputs = self.inputs(benefit.len(), eyes, factors);
        let changes = Some(ChangedRows { dirty, wide, automatic });
        let kernel = BenefitKernel { inputs: &mut inputs, first: 0, benefits: benefit, changes };
        exec.simd_level.run(kernel).quarantined
    }

    fn inputs<'a>(
        &'a mut self,
        rows: usize,
        eyes: &'a SceneViews<N>,
        factors: RowFactors<'a>,
    ) -> BenefitInputs<'a, N> {
        let RowFactors { settings, priority, out_of_view } = factors;
        let Self { rule, x, y, z, age, speed, radius, curve, sight } = self;
        let task = LensTask { lenses: &eyes.lenses, outside: settings.outside, radius };
        let viewpoints = match Looking::of(settings, eyes) {
            Looking::Nearest => Viewpoints::Eyes(&eyes.positions),
            Looking::Zoomed => Viewpoints::Lenses(task, Sight::All),
            Looking::Tested => Viewpoints::Lenses(task, sight.test(rows, eyes.lenses.len())),
            Looking::Given => Viewpoints::Lenses(task, Sight::Given(out_of_view.rows(0..rows))),
        };
        let priorities = priority.rows(0..rows);
        let has_priorities = !priorities.is_empty() || settings.priority != Priority::ONE;
        BenefitInputs {
            rule,
            viewpoints,
            columns: StateColumns { x, y, z, age, speed, curve },
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
    viewpoints: Viewpoints<'a, N>,
    columns: StateColumns<'a, N>,
    /// The priorities of actors, if any has one, and of the module.
    priorities: Option<(&'a [Priority], Priority)>,
}

impl<N: Real> BenefitInputs<'_, N> {
    /// Splits the inputs of `len` rows before row `rows`.
    fn split_at(self, rows: usize, len: usize) -> (Self, Self) {
        let Self { rule, viewpoints, columns, priorities } = self;
        let (viewpoints, viewpoints_after) = viewpoints.split_at(rows);
        let columns_after = columns.rows(rows, len - rows);
        let split = priorities.map(|(actors, module)| {
            let (actors, after) = actors.split_at(rows.min(actors.len()));
            ((actors, module), (after, module))
        });
        let (priorities, priorities_after) = split.unzip();
        (
            Self { rule, viewpoints, columns: columns.rows(0, rows), priorities },
            Self {
                rule,
                viewpoints: viewpoints_after,
                columns: columns_after,
                priorities: priorities_after,
            },
        )
    }

    #[inline(always)]
    #[allow(clippy::inline_always)] // in loops that are compiled for vectors
    fn evaluate(&mut self, first: usize, out: &mut [Benefit]) -> BenefitTotals {
        let mut totals = self.rule.evaluate(&mut self.viewpoints, self.columns, first, out);
        if let Some((actors, module)) = self.priorities {
            let actors = if actors.is_empty() { actors } else { &actors[first..first + out.len()] };
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
        let (inputs, inputs_after) = inputs.split_at(rows, benefits.len());
        let (benefits, benefits_after) = benefits.split_at_mut(rows);
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

/// Computes the benefits of all rows from `first` on, or only of the rows that changed. One kernel does both, as each is
/// compiled for each kind of vectors, and vectors are chosen once for changes in many places.
struct BenefitKernel<'a, 'b, N: Real> {
    inputs: &'b mut BenefitInputs<'a, N>,
    first: usize,
    benefits: &'b mut [Benefit],
    changes: Option<ChangedRows<'b>>,
}

/// The rows that changed, and the total that follows them.
struct ChangedRows<'a> {
    dirty: &'a Dirty,
    wide: &'a mut WideBuffers,
    automatic: usize,
}

impl<N: Real> SimdKernel for BenefitKernel<'_, '_, N> {
    type Output = BenefitTotals;

    #[inline(always)]
    #[allow(clippy::inline_always)] // compiled for the vectors of its caller
    fn run(self) -> BenefitTotals {
        let Self { inputs, first, benefits, mut changes } = self;
        let mut found = BenefitTotals::default();
        let (mut rows, mut from, mut before) = (0..benefits.len(), 0, 0);
        loop {
            if let Some(changes) = &mut changes {
                let Some(next) = changes.dirty.next_lines(from, benefits.len()) else { break };
                (rows, from) = (next.clone(), next.end);
                changes.wide.touch(rows.start / ROWS_PER_BLOCK);
                before = changes.automatic_sum(&rows, benefits);
            }
            let observed = inputs.evaluate(first + rows.start, &mut benefits[rows.clone()]);
            found = found.plus(observed);
            let Some(changes) = &mut changes else { break };
            let is_automatic = rows.end <= changes.automatic;
            let after =
                if is_automatic { observed.total } else { changes.automatic_sum(&rows, benefits) };
            let more = after.wrapping_sub(before);
            changes.wide.total = changes.wide.total.map(|total| total.wrapping_add(more));
        }
        found
    }
}

impl ChangedRows<'_> {
    /// Returns the sum of the benefits of rows that get their level automatically.
    #[inline(always)]
    #[allow(clippy::inline_always)] // in a loop that is compiled for vectors
    fn automatic_sum(&self, rows: &Range<usize>, benefits: &[Benefit]) -> u64 {
        let end = self.automatic.clamp(rows.start, rows.end);
        // The sum of 64 benefits of 24 bits fits 32.
        let sum = |sum: u32, benefit: &Benefit| sum.wrapping_add(benefit.bits());
        benefits[rows.start..end].iter().fold(0, sum).into()
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
        let kernel = BenefitKernel { inputs: &mut self.inputs, first, benefits, changes: None };
        self.observed = self.observed.plus(self.simd_level.run(kernel));
    }
}
