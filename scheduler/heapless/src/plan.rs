//! The plan of the last tick.

use lodger_core::Real;
use lodger_core::budget::{Decision, Load, Scale};
use lodger_core::calibration::Headroom;
use lodger_core::units::{Budget, UnitCost};

use crate::column::{at, part};
use crate::handle::{ActorId, ModuleId};
use crate::scene::{Scene, TickOutcome};

impl<N: Real, const MODULES: usize, const ACTORS: usize, const COSTS: usize>
    Scene<N, MODULES, ACTORS, COSTS>
{
    /// Returns the plan of the last tick. Before the first tick it is the plan of an empty scene. It does not
    /// contain actors that were despawned since, except in [`Plan::quarantined`]; its numbers of modules
    /// follow later spawns and setters.
    #[must_use]
    pub const fn plan(&self) -> Plan<'_, N, MODULES, ACTORS, COSTS> {
        Plan::new(self)
    }
}

/// The plan of the last tick.
#[derive(Debug, Clone, Copy)]
pub struct Plan<'a, N: Real, const MODULES: usize, const ACTORS: usize, const COSTS: usize> {
    scene: &'a Scene<N, MODULES, ACTORS, COSTS>,
}

impl<'a, N: Real, const MODULES: usize, const ACTORS: usize, const COSTS: usize>
    Plan<'a, N, MODULES, ACTORS, COSTS>
{
    pub(crate) const fn new(scene: &'a Scene<N, MODULES, ACTORS, COSTS>) -> Self {
        Self { scene }
    }

    fn of<T>(self, part: impl FnOnce(&TickOutcome) -> T) -> Option<T> {
        self.scene.outcome.as_ref().map(part)
    }

    /// Returns the decision for the scene as a whole.
    #[must_use]
    pub fn decision(&self) -> Decision {
        self.of(|outcome| outcome.decision).unwrap_or_default()
    }

    /// The budget of the tick; none of any before the first one.
    #[must_use]
    pub fn budget(&self) -> Budget {
        self.of(|outcome| outcome.budget).unwrap_or(Budget::from_ns(0))
    }

    /// The factor on every target; 0 if the budget is infeasible.
    #[must_use]
    pub fn scale(&self) -> Scale {
        self.decision().scale
    }

    /// Whether the budget pays all fixed charges and minimums.
    #[must_use]
    pub fn is_feasible(&self) -> bool {
        self.overcommit_ns() == 0
    }

    /// By how many nanoseconds fixed charges and minimums exceed the budget.
    #[must_use]
    pub fn overcommit_ns(&self) -> u64 {
        self.decision().overcommit
    }

    /// What forced actors, overheads and, unless they are off the books, modules that are not managed
    /// cost, in nanoseconds.
    #[must_use]
    pub fn fixed_ns(&self) -> u64 {
        self.of(|outcome| outcome.fixed).unwrap_or(0)
    }

    /// What the plan costs in all, in nanoseconds, fixed charges included. Modules that are not
    /// managed and off the books are not, so it may be less than the sum over the modules.
    #[must_use]
    pub fn assigned_ns(&self) -> u64 {
        self.fixed_ns().saturating_add(self.decision().assigned)
    }

    /// How many actors the ledger decided for in the tick before too and now gave another level.
    #[must_use]
    pub fn flips(&self) -> u32 {
        self.decision().flips
    }

    /// How well the budget pays for what nobody can do without: tight from the first tick in which fixed
    /// charges and minimums take more than nine tenths of the budget, and infeasible from the third in a
    /// row in which they exceed it. Either is left after thirty ticks in a row without.
    #[must_use]
    pub fn load(&self) -> Load {
        self.scene.overload.load()
    }

    /// The part of the budget that was not planned with; see
    /// [`Scene::set_headroom_target`](crate::Scene::set_headroom_target).
    #[must_use]
    pub fn headroom(&self) -> Headroom {
        self.of(|outcome| outcome.headroom).unwrap_or_default()
    }

    /// How many actors the tick found quarantined: their position, age or speed is not a sound number.
    #[must_use]
    pub fn quarantined(&self) -> usize {
        self.scene.modules.iter().map(|module| usize::from(module.quarantined)).sum()
    }

    /// The level of an actor; `None` if its handle is stale, or if no tick has seen it.
    #[doc(alias = "getActivePhysicalLod")]
    #[must_use]
    pub fn level(&self, id: ActorId) -> Option<u8> {
        let row = self.scene.row(id).ok()?;
        self.scene.rows.is_seen(row).then(|| at(&self.scene.rows.level, row))
    }

    /// The actors of a module that the tick has seen and their levels, in no order.
    pub fn levels(
        &self,
        id: ModuleId,
    ) -> impl Iterator<Item = (ActorId, u8)> + use<'a, N, MODULES, ACTORS, COSTS> {
        let scene = self.scene;
        let rows = scene.module(id).map_or(0, |module| module.rows.into());
        let start = scene.start(id.index());
        (start..start.wrapping_add(rows)).filter(|&row| scene.rows.is_seen(row)).filter_map(
            move |row| {
                let slot = usize::try_from(at(&scene.rows.slot, row)).ok()?;
                Some((scene.slots.at(slot)?, at(&scene.rows.level, row)))
            },
        )
    }

    /// The actors that have another level than before the tick, in the order of their slots. Those that
    /// the tick was the first to see are among them, whatever their level.
    pub fn changes(&self) -> impl Iterator<Item = Change> + use<'a, N, MODULES, ACTORS, COSTS> {
        let scene = self.scene;
        scene.places().filter_map(move |(actor, row)| {
            let (from, to) = (at(&scene.rows.last, row).level(), at(&scene.rows.level, row));
            if !scene.rows.is_seen(row) || from == Some(to) {
                return None;
            }
            let module = u8::try_from(scene.module_of_row(row)).ok().map(ModuleId::new)?;
            Some(Change { actor, module, from, to })
        })
    }

    /// What was decided for a module; `None` if there is no such module. This adds up over the module's
    /// actors.
    #[must_use]
    pub fn module(&self, id: ModuleId) -> Option<ModulePlan> {
        let (scene, module) = (self.scene, self.scene.module(id)?);
        let start = scene.start(id.index());
        let benefits = part(&scene.rows.benefit, start, module.chosen());
        let claim = benefits.iter().map(|benefit| u64::from(benefit.bits())).sum();
        Some(ModulePlan {
            module: id,
            actors: module.rows.into(),
            automatic: module.chosen(),
            quarantined: module.quarantined.into(),
            target_ns: module.benefit_value.target(claim),
            assigned_ns: module.planned,
            units: scene.planned_units(id.index()),
            overhead: module.overhead,
            unit_cost: module.priced_at,
        })
    }

    /// All modules, in the order in which they were added.
    pub fn modules(&self) -> impl Iterator<Item = ModulePlan> + use<'a, N, MODULES, ACTORS, COSTS> {
        let plan = *self;
        self.scene.modules().filter_map(move |id| plan.module(id))
    }
}

/// What was decided for one module.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct ModulePlan {
    /// The module.
    pub module: ModuleId,
    /// How many actors it has.
    pub actors: usize,
    /// For how many of them the ledger decides.
    pub automatic: usize,
    /// How many of them are quarantined.
    pub quarantined: usize,
    /// What its automatic actors may cost when there is enough, in nanoseconds.
    pub target_ns: u64,
    /// What all its actors and its overhead cost, in nanoseconds.
    pub assigned_ns: u64,
    /// The units of work that the levels of all its actors add up to.
    pub units: u64,
    /// The constant part of its work, in units, beside those.
    pub overhead: u32,
    /// What a unit of work was planned to cost.
    pub unit_cost: UnitCost,
}

/// An actor that has another level than before the tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct Change {
    /// The actor.
    pub actor: ActorId,
    /// Its module.
    pub module: ModuleId,
    /// The level that it had before; `None` if this was its first tick.
    pub from: Option<u8>,
    /// The level that it has now.
    pub to: u8,
}
