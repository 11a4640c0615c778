//! One frame: benefits, then the decision.

use core::ops::Range;

use heapless::Vec;
use lodger_core::budget::{
    Carryover, Decision, LadderSpan, Lod, LodControl, ModuleView, PreviousLevel, Quality, Request,
    Scale, Scratch, Slope,
};
use lodger_core::calibration::Headroom;
use lodger_core::units::Budget;
use lodger_core::{Benefit, Real};

use crate::column::{at, set, short};
use crate::columns::{
    Columns, OptimalColumns, OverrideColumn as _, PriorityColumn as _, ViewColumns as _,
};
use crate::index::{RowNumber, SlotIndex};
use crate::ladder_shapes::LadderColumns as _;
use crate::module_data::{ModuleData, ModuleFlags};
use crate::plan::Plan;
use crate::qualities::QualityRule as _;
use crate::rows::Rows;
use crate::scene::{NO_SCALE, Scene, TickOutcome};
use crate::scene_modules::SceneModules;

impl<N: Real, const MODULES: usize, const ACTORS: usize, const COSTS: usize, C: Columns>
    Scene<N, MODULES, ACTORS, COSTS, C>
{
    /// Decides the LOD of every actor within a budget. Call it once a frame.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// // The highest level costs 0.8 ms, the middle one 0.2 ms.
    /// assert_eq!(scene.tick(Budget::from_ms(1.0)?).level(cape), Some(2));
    /// assert_eq!(scene.tick(Budget::from_ms(0.5)?).level(cape), Some(1));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[doc(alias = "simulate")]
    #[doc(alias = "setLODResourceBudget")]
    pub fn tick(&mut self, budget: Budget) -> Plan<'_, N, MODULES, ACTORS, COSTS, C> {
        if !self.calls_end_frames {
            self.end_frame();
        }
        let mut fixed = self.own_cost_ns();
        let mut start = 0_usize;
        for index in 0..self.modules.len() {
            self.begin_tick(index);
            let Some(module) = self.modules.get_mut(index) else { continue };
            let rows = module.rows.get();
            self.rows.remember(module, start);
            let quarantined = self.rows.observe(module, start);
            module.quarantined = RowNumber::new(quarantined);
            self.rows.prioritise(module, start);
            let is_counted = module.is_managed() || self.unmanaged_in_budget;
            module.flags.set(ModuleFlags::COUNTED, is_counted);
            let charged = self.assign_reserved(index, start);
            if let Some(module) = self.modules.get_mut(index) {
                module.planned = charged;
                fixed = fixed.saturating_add(if is_counted { charged } else { 0 });
            }
            start = start.wrapping_add(rows);
        }
        let request = Request {
            budget,
            reserved: fixed,
            headroom: budget.ns().map_or(Headroom::NONE, |_| self.headroom.headroom()),
            policy: self.policy(),
            hysteresis: self.hysteresis,
            max_upgrades: self.max_upgrades(),
            max_passes: self.max_passes(),
            is_cautious: self.cautious_start && self.modules.iter().any(ModuleData::is_unmeasured),
        };
        let decision = self.decide(&request);
        self.sum_units();
        self.load_tracker.observe(budget, fixed.saturating_add(decision.minimum));
        let headroom = request.headroom;
        let Decision { minimum, assigned, switches, .. } = decision;
        self.outcome = TickOutcome { budget, fixed, minimum, assigned, headroom, switches };
        self.has_plan = true;
        Plan::new(self)
    }

    /// Applies the settings of a module since the last tick.
    fn begin_tick(&mut self, index: usize) {
        let Some(module) = self.modules.get_mut(index) else { return };
        module.begin_units();
        module.flags.set(ModuleFlags::IDLE, module.rows.get() == 0);
        let unit_cost = module.unit_cost;
        if module.priced_at != unit_cost {
            module.priced_at = unit_cost;
            module.qualities.invalidate_slopes();
            self.ladders.set_unit_cost(self.section(index), unit_cost);
        }
    }

    /// Assigns the LODs of a module's actors that are not automatic, and returns the cost of these
    /// actors and of the overhead, in nanoseconds.
    fn assign_reserved(&mut self, index: usize, start: usize) -> u64 {
        let Some(module) = self.modules.get(index) else { return 0 };
        let mut charged = module.overhead_cost();
        if module.automatic_rows() == module.rows.get() {
            return charged;
        }
        let section = self.section(index);
        for row in module.automatic_rows()..module.rows.get() {
            let is_forced = row >= module.automatic.get();
            let row = start.wrapping_add(row);
            let control = if is_forced {
                LodControl::Forced(Lod::new(at(&self.rows.forced, row), 0))
            } else {
                LodControl::Automatic
            };
            let (level, cost) = self.ladders.fixed(section, self.rows.ladder(row), control);
            set(&mut self.rows.level, row, level);
            charged = charged.saturating_add(cost.into());
        }
        charged
    }

    fn decide(&mut self, request: &Request) -> Decision {
        let mut carryover = Carryover { scale: self.scale(), ..Carryover::FIRST };
        let Self { modules, slots, rows, ladders, .. } = self;
        ladders.values.add_to(&mut carryover);
        let (qualities, slopes) = ladders.values.columns();
        let mut rest = RemainingColumns {
            start: 0,
            ids: &rows.slot,
            ladder: &rows.ladder,
            benefits: &rows.benefit,
            previous: &rows.previous,
            levels: Writable(&mut rows.level),
            spans: ladders.shapes.spans(),
            costs: &ladders.costs,
            qualities,
            slopes: Writable(slopes),
        };
        let mut views = Vec::<ModuleView<'_>, MODULES, u16>::new();
        let mut ends = Vec::<u16, MODULES, u16>::new();
        for module in &*modules {
            // There are space and columns for each module. A view is not moved: it has 30 words.
            let _ = views.push(ModuleView::default());
            let _ = views.last_mut().and_then(|view| rest.fill(view, module));
            let _ = ends.push(short(rest.start));
        }
        let scratch = Scratch { upgrades: &mut self.upgrades, moves: &mut [] };
        let mut all = SceneModules { views: &mut views, ends: &ends, row_of_slot: &slots.row };
        let decision = (self.policy_fn)(request, &mut carryover, &mut all, scratch);
        for (module, view) in modules.iter_mut().zip(&views) {
            module.planned = module.planned.saturating_add(view.assigned);
            module.qualities.set_valid_for(view.slopes.valid_for);
        }
        drop(views);
        ladders.values.keep(&carryover, decision.certificate);
        self.scale_bits = carryover.scale.map_or(NO_SCALE, Scale::bits);
        decision
    }
}

impl<N: Real, C: Columns, const ACTORS: usize> Rows<N, C, ACTORS> {
    /// Computes the benefits of a module's actors without an override, run by run; returns the number of
    /// quarantined actors.
    fn observe(&mut self, module: &ModuleData<N, C>, start: usize) -> usize {
        let end = start.wrapping_add(module.rows.get());
        if module.given == module.rows && C::Overrides::<ACTORS>::ARE_BENEFITS {
            return 0;
        }
        if module.given.get() == 0 {
            return self.observe_run(module, start..end).unwrap_or(0);
        }
        let (mut from, mut quarantined) = (start, 0_usize);
        for row in start..=end {
            if row == end || self.is_given(row) {
                let found = self.observe_run(module, from..row).unwrap_or(0);
                quarantined = quarantined.wrapping_add(found);
                if row < end {
                    self.restore(module, row);
                }
                from = row.wrapping_add(1);
            }
        }
        quarantined
    }

    fn prioritise(&mut self, module: &ModuleData<N, C>, start: usize) {
        let rows = start..start.wrapping_add(module.rows.get());
        if let Some(benefits) = self.benefit.get_mut(rows.clone()) {
            self.priorities.prioritise(&module.priority, rows, benefits);
        }
    }

    /// Sets the benefit of a row with an override.
    fn restore(&mut self, module: &ModuleData<N, C>, row: usize) {
        if let Some(given) = self.overrides.at(row) {
            let states = (&mut self.states, &module.rule);
            let benefit = self.views.overridden(&module.sight, states, row, given);
            set(&mut self.benefit, row, benefit);
        }
    }

    /// Returns `None` if there are no such rows.
    fn observe_run(&mut self, module: &ModuleData<N, C>, run: Range<usize>) -> Option<usize> {
        let (states, out) = ((&mut self.states, &module.rule), self.benefit.get_mut(run.clone())?);
        self.views.benefits(&module.sight, states, run, out)
    }
}

/// The columns, of which no module has taken the rows from `start` on, and what no module has taken of the others.
struct RemainingColumns<'a, I> {
    start: usize,
    ids: &'a [I],
    ladder: &'a [I],
    benefits: &'a [Benefit],
    previous: &'a [PreviousLevel],
    levels: Writable<'a, u8>,
    spans: &'a [LadderSpan],
    costs: &'a [u32],
    qualities: &'a [Quality],
    slopes: Writable<'a, Slope>,
}

impl<'a, I: SlotIndex> RemainingColumns<'a, I> {
    /// Sets a view, which is the default, to the automatic actors of the next module with the columns for their levels;
    /// `None` if there are no such columns.
    fn fill<N: Real, C: Columns<SlotIndex = I>>(
        &mut self,
        module_view: &mut ModuleView<'a>,
        module: &ModuleData<N, C>,
    ) -> Option<()> {
        let (rows, automatic) = (module.rows.get(), module.automatic_rows());
        let (ladders, levels) = (module.ladders.get(), usize::from(module.levels));
        let run = self.start..self.start.wrapping_add(automatic);
        self.start = self.start.wrapping_add(rows);
        module_view.input.benefit_value = module.benefit_value;
        module_view.input.ladders.spans = take(&mut self.spans, ladders)?;
        module_view.input.ladders.costs = take(&mut self.costs, levels)?;
        if ladders > 1 {
            module_view.input.ladder = I::column(self.ladder.get(run.clone())?);
        }
        module_view.input.benefits = self.benefits.get(run.clone())?;
        module_view.ids = I::column(self.ids.get(run.clone())?);
        module_view.levels = take_mut(&mut self.levels, rows)?.get_mut(..automatic)?;
        module_view.qualities = take(&mut self.qualities, levels).unwrap_or_default();
        module_view.slopes.of_costs = take_mut(&mut self.slopes, levels).unwrap_or_default();
        module_view.slopes.valid_for = module.qualities.valid_for();
        module_view.previous = self.previous.get(run)?;
        module_view.is_cautious = module.is_unmeasured();
        Some(())
    }
}

fn take<'a, T>(rest: &mut &'a [T], count: usize) -> Option<&'a [T]> {
    let (taken, others) = rest.split_at_checked(count)?;
    *rest = others;
    Some(taken)
}

fn take_mut<'a, T>(rest: &mut Writable<'a, T>, count: usize) -> Option<&'a mut [T]> {
    let (taken, others) = core::mem::take(&mut rest.0).split_at_mut_checked(count)?;
    rest.0 = others;
    Some(taken)
}

struct Writable<'a, T>(&'a mut [T]);
