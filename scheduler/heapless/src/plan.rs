//! The plan of the last tick.

use lodger_core::Real;
use lodger_core::budget::{Decision, Load, Request, Scale};
use lodger_core::calibration::Headroom;
use lodger_core::units::{Budget, UnitCost};

use crate::column::{at, part, set};
use crate::columns::{Columns, Everything, OptimalColumns};
use crate::handle::{ActorId, ModuleId};
use crate::index::RowNumber as _;
use crate::scene::{Scene, TickOutcome};

impl<N: Real, const MODULES: usize, const ACTORS: usize, const COSTS: usize, C: Columns>
    Scene<N, MODULES, ACTORS, COSTS, C>
{
    /// Returns the plan of the last tick; before the first one, the plan of an empty scene.
    ///
    /// Actors that were despawned since are only in [`Plan::quarantined`]. Numbers of modules follow later spawns
    /// and setters.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// assert_eq!(scene.plan().level(cape), None);
    /// scene.tick(Budget::UNLIMITED);
    /// assert_eq!(scene.plan().level(cape), Some(2));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub const fn plan(&self) -> Plan<'_, N, MODULES, ACTORS, COSTS, C> {
        Plan::new(self)
    }
}

/// The plan of the last tick: levels of actors, costs, and the state of the budget.
///
/// ```
/// # use lodger_heapless::*;
/// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
/// let plan = scene.tick(Budget::from_ms(0.5)?);
/// assert_eq!((plan.level(cape), plan.assigned_ns()), (Some(1), 400 * 500));
/// # Ok::<(), SceneError>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Plan<
    'a,
    N: Real,
    const MODULES: usize,
    const ACTORS: usize,
    const COSTS: usize,
    C: Columns = Everything,
> {
    scene: &'a Scene<N, MODULES, ACTORS, COSTS, C>,
}

impl<'a, N: Real, const MODULES: usize, const ACTORS: usize, const COSTS: usize, C: Columns>
    Plan<'a, N, MODULES, ACTORS, COSTS, C>
{
    pub(crate) const fn new(scene: &'a Scene<N, MODULES, ACTORS, COSTS, C>) -> Self {
        Self { scene }
    }

    fn of<T>(self, part: impl FnOnce(&TickOutcome) -> T) -> Option<T> {
        self.scene.outcome().map(part)
    }

    /// Returns the decision for the scene as a whole.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// let decision = scene.tick(Budget::from_ms(1.0)?).decision();
    /// assert_eq!(decision.assigned, 1_600 * 500);
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn decision(&self) -> Decision {
        let mut decision = Decision::default();
        if let Some(&TickOutcome { budget, fixed, minimum, assigned, headroom, switches }) =
            self.scene.outcome()
        {
            let request = Request { budget, reserved: fixed, headroom, ..Request::default() };
            [decision.available, decision.overcommit] = request.available(minimum);
            (decision.minimum, decision.assigned) = (minimum, assigned);
            decision.switches = switches;
            if let Some((price, certificate)) = self.scene.ladders.values.certified() {
                (decision.price, decision.certificate) = (price, Some(certificate));
            } else if let Some(scale) = self.scene.scale() {
                decision.scale = scale;
            }
        }
        decision
    }

    /// Returns the budget of the tick; 0 before the first tick.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// assert_eq!(scene.tick(Budget::from_ns(700)).budget().ns(), Some(700));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn budget(&self) -> Budget {
        self.of(|outcome| outcome.budget).unwrap_or(Budget::from_ns(0))
    }

    /// Returns the factor on every target; 0 if the budget is infeasible.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// scene.set_policy(Policy::Proportional(Leftovers::Keep))?;
    /// let plan = scene.tick(Budget::from_ns(1_000));
    /// assert!(plan.scale().to_f64() > 0.0 && plan.scale().to_f64() < 0.1);
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn scale(&self) -> Scale {
        self.decision().scale
    }

    /// Whether the budget pays all reserved costs and minimums.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// scene.force_lod(cape, Some(Lod::new(2, 0)))?;
    /// assert!(!scene.tick(Budget::from_ns(799_999)).is_feasible());
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn is_feasible(&self) -> bool {
        self.overcommit_ns() == 0
    }

    /// Returns the nanoseconds by which reserved costs and minimums exceed the budget.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// scene.force_lod(cape, Some(Lod::new(2, 0)))?;
    /// assert_eq!(scene.tick(Budget::from_ns(799_999)).overcommit_ns(), 1);
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn overcommit_ns(&self) -> u64 {
        self.decision().overcommit
    }

    /// Returns the cost of forced actors, overheads, the tick itself ([`set_own_cost`](Scene::set_own_cost)) and, unless they
    /// are outside the budget, unmanaged modules, in nanoseconds.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// scene.force_lod(cape, Some(Lod::new(1, 0)))?;
    /// assert_eq!(scene.tick(Budget::from_ms(1.0)?).reserved_ns(), 400 * 500);
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn reserved_ns(&self) -> u64 {
        self.of(|outcome| outcome.fixed).unwrap_or(0)
    }

    /// Returns the cost of the plan in nanoseconds, reserved costs included and unmanaged modules outside the budget
    /// excluded.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// assert_eq!(scene.tick(Budget::from_ms(1.0)?).assigned_ns(), 1_600 * 500);
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn assigned_ns(&self) -> u64 {
        self.reserved_ns().saturating_add(self.decision().assigned)
    }

    /// Returns the number of actors with a new level that were automatic in the previous tick too.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// scene.tick(Budget::from_ms(1.0)?);
    /// assert_eq!(scene.tick(Budget::from_ms(0.5)?).switches(), 1);
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn switches(&self) -> u32 {
        self.decision().switches
    }

    /// Returns how well the budget pays for reserved costs and minimums.
    ///
    /// It is tight from the first tick in which they take more than nine tenths of the budget, and infeasible from the
    /// third consecutive tick in which they exceed it. Either state ends after thirty consecutive ticks without.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// scene.force_lod(cape, Some(Lod::new(2, 0)))?;
    /// let loads = [(); 3].map(|()| scene.tick(Budget::from_ns(1)).load());
    /// assert_eq!(loads, [Load::Tight, Load::Tight, Load::Infeasible]);
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn load(&self) -> Load {
        self.scene.load_tracker.load()
    }

    /// Returns the part of the budget that was left free; see [`Scene::set_headroom_target`].
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// for _ in 0..100 {
    ///     scene.tick(Budget::from_ms(0.9)?);
    ///     scene.observe_time(cloth, 950_000)?;
    /// }
    /// assert!(scene.plan().headroom() > Headroom::NONE);
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn headroom(&self) -> Headroom {
        self.of(|outcome| outcome.headroom).unwrap_or_default()
    }

    /// Returns the number of actors whose position, age or speed is invalid.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// scene.set_age(cape, f32::NAN)?;
    /// assert_eq!(scene.tick(Budget::UNLIMITED).quarantined(), 1);
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn quarantined(&self) -> usize {
        self.scene.modules.iter().map(|module| module.quarantined.get()).sum()
    }

    /// Returns the level of an actor; `None` if its handle is stale or it had no tick yet.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// assert_eq!(scene.tick(Budget::from_ms(0.5)?).level(cape), Some(1));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[doc(alias = "getActivePhysicalLod")]
    #[must_use]
    pub fn level(&self, id: ActorId) -> Option<u8> {
        let row = self.scene.row(id).ok()?;
        self.scene.rows.is_planned(row).then(|| at(&self.scene.rows.level, row))
    }

    /// Returns the actors of a module and their levels, in no order, except actors that had no tick yet.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// let plan = scene.tick(Budget::UNLIMITED);
    /// assert!(plan.levels(cloth).eq([(cape, 2)]));
    /// # Ok::<(), SceneError>(())
    /// ```
    pub fn levels(
        &self,
        id: ModuleId,
    ) -> impl Iterator<Item = (ActorId, u8)> + use<'a, N, MODULES, ACTORS, COSTS, C> {
        let scene = self.scene;
        let rows = scene.module(id).map_or(0, |module| module.rows.get());
        let start = scene.start(id.index());
        (start..start.wrapping_add(rows)).filter(|&row| scene.rows.is_planned(row)).filter_map(
            move |row| {
                let slot = at(&scene.rows.slot, row).get();
                Some((scene.slots.at(slot)?, at(&scene.rows.level, row)))
            },
        )
    }

    /// Returns the level of each slot; 0 for an empty slot and for an actor that had no tick yet.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// let levels = scene.tick(Budget::from_ms(0.5)?).levels_by_slot();
    /// assert_eq!((levels[cape.slot()], levels), (1, [1, 0, 0, 0]));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn levels_by_slot(&self) -> [u8; ACTORS] {
        let mut levels = [0; ACTORS];
        for (actor, row) in self.scene.places().filter(|&(_, row)| self.scene.rows.is_planned(row))
        {
            set(&mut levels, actor.slot(), at(&self.scene.rows.level, row));
        }
        levels
    }

    /// Returns the changes of levels in the tick, in the order of slots, and the first level of each new actor.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// scene.tick(Budget::UNLIMITED);
    /// let plan = scene.tick(Budget::from_ms(0.5)?);
    /// assert!(plan.changes().map(|change| (change.from, change.to)).eq([(Some(2), 1)]));
    /// # Ok::<(), SceneError>(())
    /// ```
    pub fn changes(
        &self,
    ) -> impl Iterator<Item = LevelChange> + use<'a, N, MODULES, ACTORS, COSTS, C> {
        let scene = self.scene;
        scene.places().filter_map(move |(actor, row)| {
            let (from, to) = (at(&scene.rows.previous, row).level(), at(&scene.rows.level, row));
            if !scene.rows.is_planned(row) || from == Some(to) {
                return None;
            }
            let module = u8::try_from(scene.module_of_row(row)).ok().map(ModuleId::new)?;
            Some(LevelChange { actor, module, from, to })
        })
    }

    /// Returns the plan of a module, summed over its actors; `None` if there is no such module.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// let plan = scene.tick(Budget::from_ms(0.5)?);
    /// assert_eq!(plan.module(cloth).map(|module| module.units), Some(400));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn module(&self, id: ModuleId) -> Option<ModulePlan> {
        let (scene, module) = (self.scene, self.scene.module(id)?);
        let start = scene.start(id.index());
        let benefits = part(&scene.rows.benefit, start, module.automatic_rows());
        let claim = benefits.iter().map(|benefit| u64::from(benefit.bits())).sum();
        Some(ModulePlan {
            module: id,
            actors: module.rows.get(),
            automatic: module.automatic_rows(),
            quarantined: module.quarantined.get(),
            target_ns: module.benefit_value.target(claim),
            assigned_ns: module.planned,
            units: scene.planned_units(id.index()),
            overhead: module.overhead,
            unit_cost: module.priced_at,
        })
    }

    /// Returns the plans of all modules, in the order in which they were added.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// let plan = scene.tick(Budget::from_ms(0.5)?);
    /// assert!(plan.modules().map(|module| module.assigned_ns).eq([400 * 500]));
    /// # Ok::<(), SceneError>(())
    /// ```
    pub fn modules(
        &self,
    ) -> impl Iterator<Item = ModulePlan> + use<'a, N, MODULES, ACTORS, COSTS, C> {
        let plan = *self;
        self.scene.modules().filter_map(move |id| plan.module(id))
    }
}

#[cfg(feature = "defmt")]
impl<N: Real, const MODULES: usize, const ACTORS: usize, const COSTS: usize, C: Columns>
    defmt::Format for Plan<'_, N, MODULES, ACTORS, COSTS, C>
{
    fn format(&self, f: defmt::Formatter<'_>) {
        let (budget, load) = (self.budget(), self.load());
        defmt::write!(
            f,
            "Plan({}, reserved {=u64} ns, {}, {})",
            budget,
            self.reserved_ns(),
            load,
            self.decision()
        );
    }
}

/// The plan of one module.
///
/// ```
/// # use lodger_heapless::*;
/// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
/// let plan = scene.tick(Budget::from_ms(1.0)?);
/// let ModulePlan { actors, automatic, assigned_ns, .. } = plan.module(cloth).unwrap();
/// assert_eq!((actors, automatic, assigned_ns), (1, 1, 800_000));
/// # Ok::<(), SceneError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct ModulePlan {
    /// The module.
    pub module: ModuleId,
    /// The number of actors.
    pub actors: usize,
    /// The number of automatic actors.
    pub automatic: usize,
    /// The number of quarantined actors.
    pub quarantined: usize,
    /// The cost of the automatic actors if the budget suffices, in nanoseconds.
    pub target_ns: u64,
    /// The cost of all actors and of the overhead, in nanoseconds.
    pub assigned_ns: u64,
    /// The units of work at the levels of all actors, without the overhead.
    pub units: u64,
    /// The overhead, in units.
    pub overhead: u32,
    /// The unit cost that the tick was planned with.
    pub unit_cost: UnitCost,
}

/// A change of an actor's level in a tick.
///
/// ```
/// # use lodger_heapless::*;
/// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
/// let plan = scene.tick(Budget::UNLIMITED);
/// let LevelChange { actor, from, to, .. } = plan.changes().next().unwrap();
/// assert_eq!((actor, from, to), (cape, None, 2));
/// # Ok::<(), SceneError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct LevelChange {
    /// The actor.
    pub actor: ActorId,
    /// The module of the actor.
    pub module: ModuleId,
    /// The level before the tick; `None` in the actor's first tick.
    pub from: Option<u8>,
    /// The level after the tick.
    pub to: u8,
}
