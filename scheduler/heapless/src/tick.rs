//! One frame: benefits, then the decision.

use heapless::Vec;
use lodger_core::benefit::StateColumns;
use lodger_core::budget::{
    Decision, LadderSpan, Ladders, Lod, LodControl, ModuleInput, ModuleView, PreviousLevel,
    Quality, Request, Scratch, Slope, SlopeRange, Slopes,
};
use lodger_core::calibration::Headroom;
use lodger_core::units::Budget;
use lodger_core::{Benefit, Real};

use crate::column::{at, part, part_mut, set, short};
use crate::module_data::ModuleData;
use crate::plan::Plan;
use crate::rows::Rows;
use crate::scene::{Scene, TickOutcome};

impl<N: Real, const MODULES: usize, const ACTORS: usize, const COSTS: usize>
    Scene<N, MODULES, ACTORS, COSTS>
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
    pub fn tick(&mut self, budget: Budget) -> Plan<'_, N, MODULES, ACTORS, COSTS> {
        if !self.calls_end_frames {
            self.end_frame();
        }
        let mut fixed = self.own_cost_ns();
        let mut start = 0_usize;
        for index in 0..self.modules.len() {
            self.begin_tick(index);
            let Some(module) = self.modules.get_mut(index) else { continue };
            let rows = module.rows.into();
            self.rows.remember(start, rows, module.automatic_rows());
            module.quarantined = short(self.rows.observe(module, &self.eyes, start));
            module.counted = module.managed || self.unmanaged_in_budget;
            let charged = self.assign_reserved(index, start);
            if let Some(module) = self.modules.get_mut(index) {
                module.planned = charged;
                fixed = fixed.saturating_add(if module.counted { charged } else { 0 });
            }
            start = start.wrapping_add(rows);
        }
        let request = Request {
            budget,
            reserved: fixed,
            headroom: budget.ns().map_or(Headroom::NONE, |_| self.headroom.headroom()),
            policy: self.policy(),
            hysteresis: self.hysteresis,
            max_upgrades: self.max_upgrades,
            is_cautious: self.cautious_start && self.modules.iter().any(ModuleData::is_unmeasured),
        };
        let decision = self.decide(&request);
        self.sum_units();
        self.load_tracker.observe(budget, fixed.saturating_add(decision.minimum));
        let headroom = request.headroom;
        self.outcome = Some(TickOutcome { budget, fixed, headroom, decision });
        Plan::new(self)
    }

    /// Applies the settings of a module since the last tick.
    fn begin_tick(&mut self, index: usize) {
        let section = self.section(index);
        let Some(module) = self.modules.get_mut(index) else { return };
        module.begin_units();
        module.is_idle = module.rows == 0;
        if module.priced_at != module.unit_cost {
            module.priced_at = module.unit_cost;
            module.valid_for = SlopeRange::default();
            self.ladders.set_unit_cost(section, module.unit_cost);
        }
    }

    /// Assigns the LODs of a module's actors that are not automatic, and returns the cost of these
    /// actors and of the overhead, in nanoseconds.
    fn assign_reserved(&mut self, index: usize, start: usize) -> u64 {
        let section = self.section(index);
        let Some(module) = self.modules.get(index) else { return 0 };
        let mut charged = module.overhead_cost();
        for row in module.automatic_rows()..module.rows.into() {
            let is_forced = row >= module.automatic.into();
            let row = start.wrapping_add(row);
            let control = if is_forced {
                LodControl::Forced(Lod::new(at(&self.rows.forced, row), 0))
            } else {
                LodControl::Automatic
            };
            let (level, cost) = self.ladders.fixed(section, self.ladder_of(row), control);
            set(&mut self.rows.level, row, level);
            charged = charged.saturating_add(cost.into());
        }
        charged
    }

    fn decide(&mut self, request: &Request) -> Decision {
        if request.needs_upgrades() {
            let _ = self.upgrades.resize_default(ACTORS);
        }
        let Self { modules, rows, ladders, .. } = self;
        let mut rest = RemainingColumns {
            ids: &rows.slot,
            ladder: &rows.ladder,
            benefits: &rows.benefit,
            previous: &rows.previous,
            levels: Writable(&mut rows.level),
            spans: &ladders.spans,
            costs: &ladders.costs,
            qualities: &ladders.qualities,
            slopes: Writable(&mut ladders.slopes),
        };
        let mut module_views = Vec::<ModuleView<'_>, MODULES, u16>::new();
        for module in &*modules {
            // There is space for each module.
            let _ = module_views.push(rest.module_view(module));
        }
        let scratch = Scratch { upgrades: &mut self.upgrades, moves: &mut [] };
        let decision = (self.policy_fn)(request, &mut self.carryover, &mut module_views, scratch);
        for (module, module_view) in modules.iter_mut().zip(&module_views) {
            module.planned = module.planned.saturating_add(module_view.assigned);
            module.valid_for = module_view.slopes.valid_for;
        }
        decision
    }
}

impl<N: Real, const ACTORS: usize> Rows<N, ACTORS> {
    /// Computes the benefits of a module's actors without an override, run by run; returns the number of
    /// quarantined actors.
    fn observe(&mut self, module: &ModuleData<N>, eyes: &[[N; 3]], start: usize) -> usize {
        let end = start.wrapping_add(module.rows.into());
        if module.given == module.rows {
            return 0;
        }
        if module.given == 0 {
            return self.observe_run(module, eyes, start, end);
        }
        let (mut from, mut quarantined) = (start, 0_usize);
        for row in start..end {
            if at(&self.flags, row).is_given() {
                quarantined = quarantined.wrapping_add(self.observe_run(module, eyes, from, row));
                from = row.wrapping_add(1);
            }
        }
        quarantined.wrapping_add(self.observe_run(module, eyes, from, end))
    }

    fn observe_run(
        &mut self,
        module: &ModuleData<N>,
        eyes: &[[N; 3]],
        start: usize,
        end: usize,
    ) -> usize {
        let rows = end.saturating_sub(start);
        let columns = StateColumns {
            x: part(&self.x, start, rows),
            y: part(&self.y, start, rows),
            z: part(&self.z, start, rows),
            age: part(&self.age, start, rows),
            speed: part(&self.speed, start, rows),
            curve: part(&self.curve, start, rows),
        };
        module.rule.benefits(eyes, columns, part_mut(&mut self.benefit, start, rows))
    }
}

/// The columns that no module has taken yet.
struct RemainingColumns<'a> {
    ids: &'a [u32],
    ladder: &'a [u32],
    benefits: &'a [Benefit],
    previous: &'a [PreviousLevel],
    levels: Writable<'a, u8>,
    spans: &'a [LadderSpan],
    costs: &'a [u32],
    qualities: &'a [Quality],
    slopes: Writable<'a, Slope>,
}

impl<'a> RemainingColumns<'a> {
    /// Returns the automatic actors of the next module with the columns for their levels.
    fn module_view<N: Real>(&mut self, module: &ModuleData<N>) -> ModuleView<'a> {
        let (rows, automatic) = (usize::from(module.rows), module.automatic_rows());
        let (ladders, levels) = (usize::from(module.ladders), usize::from(module.levels));
        let ladder = first(take(&mut self.ladder, rows), automatic);
        ModuleView {
            input: ModuleInput {
                benefit_value: module.benefit_value,
                continuous: false,
                ladders: Ladders {
                    spans: take(&mut self.spans, ladders),
                    costs: take(&mut self.costs, levels),
                },
                ladder: if ladders > 1 { ladder } else { &[] },
                benefits: first(take(&mut self.benefits, rows), automatic),
            },
            ids: first(take(&mut self.ids, rows), automatic),
            levels: take_mut(&mut self.levels, rows).get_mut(..automatic).unwrap_or_default(),
            qualities: take(&mut self.qualities, levels),
            slopes: Slopes {
                of_costs: take_mut(&mut self.slopes, levels),
                valid_for: module.valid_for,
            },
            previous: first(take(&mut self.previous, rows), automatic),
            is_cautious: module.is_unmeasured(),
            ..ModuleView::default()
        }
    }
}

fn take<'a, T>(rest: &mut &'a [T], count: usize) -> &'a [T] {
    let (taken, others) = rest.split_at_checked(count).unwrap_or_default();
    *rest = others;
    taken
}

fn take_mut<'a, T>(rest: &mut Writable<'a, T>, count: usize) -> &'a mut [T] {
    let column = core::mem::take(&mut rest.0);
    let (taken, others) = column.split_at_mut_checked(count).unwrap_or_default();
    rest.0 = others;
    taken
}

struct Writable<'a, T>(&'a mut [T]);

fn first<T>(column: &[T], count: usize) -> &[T] {
    column.get(..count).unwrap_or_default()
}
