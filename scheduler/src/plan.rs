use std::marker::PhantomData;

use lodger_core::Real;
use lodger_core::budget::{
    BenefitRate, Ladder, Load, Lod, LodControl, OptimalityCertificate, Policy, Price, Scale,
};
use lodger_core::calibration::Headroom;
use lodger_core::units::Budget;

use crate::decision::{ActorPlan, LevelChange, LodSource, ModulePlan, Reason};
use crate::handle::{ActorId, ActorLocation, ModuleId};
use crate::module_data::{ModuleData, ModuleSettings};
use crate::scene::Scene;
use crate::scene_data::SceneData;

impl<N: Real> Scene<N> {
    /// Returns the plan of the last tick, or of an empty scene before the first.
    ///
    /// # Examples
    /// ```
    /// # let (mut scene, near, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// scene.tick();
    /// scene.set_position(near, [90.0, 0.0, 0.0])?;
    /// assert_eq!(scene.plan().lod(near).map(|lod| lod.level()), Some(2)); // as before
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
    #[must_use]
    pub fn plan(&self) -> Plan<'_, N> {
        Plan { scene: &self.data, number: PhantomData }
    }
}

/// The plan of the last tick. Later calls that change the scene do not change its values; despawned actors
/// disappear from it.
///
/// # Examples
/// ```
/// # let (mut scene, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
/// let plan = scene.tick();
/// assert_eq!((plan.assigned_ns(), plan.is_feasible()), (1_400_000, true));
/// # Ok::<(), lodger_scheduler::SceneError>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Plan<'a, N: Real = f32> {
    scene: &'a SceneData,
    number: PhantomData<N>,
}

impl<'a, N: Real> Plan<'a, N> {
    pub(crate) fn scene(self) -> &'a SceneData {
        self.scene
    }

    /// Returns the budget of the tick.
    ///
    /// # Examples
    /// ```
    /// # let (mut scene, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// let plan = scene.tick();
    /// assert_eq!(plan.budget().ns(), Some(2_000_000));
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
    #[must_use]
    pub fn budget(&self) -> Budget {
        self.scene.outcome.request.budget
    }

    /// Returns the factor on the target of every actor; 0 if the budget is infeasible.
    ///
    /// # Examples
    /// ```
    /// # let (mut scene, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// // The targets of the two capes total 2.73 ms, the budget is 2 ms.
    /// let scale = scene.tick().scale().to_f64();
    /// assert!((scale - 2.0 / 2.733).abs() < 1e-3);
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
    #[must_use]
    pub fn scale(&self) -> Scale {
        self.scene.outcome.decision.scale
    }

    /// Whether the budget pays all reserved costs and minimums.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, near, far, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// for cape in [near, far] {
    ///     scene.force_lod(cape, Some(Lod::new(2, 0)))?; // 1.2 ms each
    /// }
    /// assert!(!scene.tick().is_feasible());
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn is_feasible(&self) -> bool {
        self.overcommit_ns() == 0
    }

    /// Returns the amount by which reserved costs and minimums exceed the budget, in nanoseconds.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, near, far, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// for cape in [near, far] {
    ///     scene.force_lod(cape, Some(Lod::new(2, 0)))?; // 1.2 ms each
    /// }
    /// assert_eq!(scene.tick().overcommit_ns(), 400_000);
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn overcommit_ns(&self) -> u64 {
        self.scene.outcome.decision.overcommit
    }

    /// Returns the reserved cost in nanoseconds: of forced actors, overheads, unmanaged modules within the
    /// budget, and the tick itself ([`set_own_cost`](Scene::set_own_cost)).
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, near, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// scene.force_lod(near, Some(Lod::new(1, 0)))?;
    /// assert_eq!(scene.tick().reserved_ns(), 200_000);
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn reserved_ns(&self) -> u64 {
        self.scene.outcome.request.reserved
    }

    /// Returns the cost of the plan in nanoseconds, reserved cost included.
    ///
    /// # Examples
    /// ```
    /// # let (mut scene, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// assert_eq!(scene.tick().assigned_ns(), 1_400_000);
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
    #[must_use]
    pub fn assigned_ns(&self) -> u64 {
        self.scene.outcome.request.reserved + self.scene.outcome.decision.assigned
    }

    /// Returns the policy of the tick.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// scene.set_policy(Policy::Optimal)?;
    /// assert_eq!(scene.tick().policy(), Policy::Optimal);
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn policy(&self) -> Policy {
        self.scene.outcome.request.policy
    }

    /// Returns the price of the optimal policy; [`Price::MIN`] for the proportional one.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// assert_eq!(scene.tick().price(), Price::MIN);
    /// scene.set_policy(Policy::Optimal)?;
    /// assert!(scene.tick().price() > Price::MIN);
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn price(&self) -> Price {
        self.scene.outcome.decision.price
    }

    /// Returns the certificate of an optimal plan; [`Scene::certify`] computes it for other policies.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// scene.set_policy(Policy::Optimal)?;
    /// let certificate = scene.tick().certificate();
    /// assert!(certificate.is_some_and(|it| it.value() > 0.8 && it.upper_bound() < 0.92));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn certificate(&self) -> Option<OptimalityCertificate> {
        self.scene.outcome.decision.certificate
    }

    /// Returns the number of actors whose whole level changed, without actors that became automatic.
    ///
    /// # Examples
    /// ```
    /// # let (mut scene, near, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// scene.tick();
    /// scene.set_position(near, [90.0, 0.0, 0.0])?;
    /// assert_eq!(scene.tick().switches(), 1); // the near cape, from level 2 to 0
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
    #[must_use]
    pub fn switches(&self) -> u32 {
        self.scene.outcome.decision.switches
    }

    /// Returns the load of the budget by reserved costs and minimums; see [`Scene::tick_with`].
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, near, far, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// for cape in [near, far] {
    ///     scene.force_lod(cape, Some(Lod::new(2, 0)))?; // 1.2 ms each
    /// }
    /// assert_eq!(scene.tick().load(), Load::Tight);
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn load(&self) -> Load {
        self.scene.outcome.load_tracker.load()
    }

    /// Returns the part of the budget that was left free; see [`Scene::set_headroom_target`].
    ///
    /// # Examples
    /// ```
    /// # let (mut scene, .., cloth, _) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// use std::time::Duration;
    ///
    /// for _ in 0..60 {
    ///     scene.tick();
    ///     // Every frame takes 2.5 ms, whatever is planned.
    ///     scene.observe_time(cloth, 5_000, Duration::from_micros(2_500))?;
    /// }
    /// assert_eq!(scene.tick().headroom().to_f64(), 0.5); // the maximum
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
    #[must_use]
    pub fn headroom(&self) -> Headroom {
        self.scene.outcome.request.headroom
    }

    /// Returns the number of quarantined actors, which have an invalid position, age or speed.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, _, far, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// scene.set_age(far, f32::NAN)?;
    /// assert_eq!(scene.tick().quarantined(), 1);
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn quarantined(&self) -> usize {
        self.scene.outcome.quarantined
    }

    /// Returns the changes of whole levels in the tick, in the order of slots, with new and with
    /// despawned actors. Empty unless [`Scene::track_changes`] was called before the tick.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, .., camera) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// scene.tick();
    /// scene.track_changes(true);
    /// scene.set_view(camera, View::from_position([0.0, 5.0, 1.0])?)?;
    /// let changes = scene.tick().changes();
    /// assert_eq!(changes.iter().map(|change| change.to).collect::<Vec<_>>(), [1, 2]);
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn changes(&self) -> &'a [LevelChange] {
        self.scene.changes.all()
    }

    /// Returns the [`changes`](Self::changes) of one module, in the order of slots.
    ///
    /// # Examples
    /// ```
    /// # let (mut scene, .., cloth, _) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// scene.track_changes(true);
    /// let plan = scene.tick();
    /// let levels: Vec<u8> = plan.module_changes(cloth).map(|change| change.to).collect();
    /// assert_eq!(levels, [2, 1]);
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
    pub fn module_changes(
        &self,
        id: ModuleId,
    ) -> impl Iterator<Item = &'a LevelChange> + use<'a, N> {
        let changes = &self.scene.changes;
        let index = self.scene.module_index(id).ok().map(|_| id.index());
        index.into_iter().flat_map(|index| changes.of_module(index))
    }

    /// Returns the LOD of an actor; `None` for an invalid handle, or if the actor was spawned after the tick.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, near, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// assert_eq!(scene.tick().lod(near), Some(Lod::new(2, 0)));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[doc(alias = "getActivePhysicalLod")]
    #[must_use]
    pub fn lod(&self, id: ActorId) -> Option<Lod> {
        let (module, row) = self.scene.row(id)?;
        module.rows.flags[row].is_planned().then(|| module.rows.lod(row))
    }

    /// Returns the plan of an actor; `None` as for [`lod`](Self::lod).
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, _, far, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// let plan = scene.tick().actor(far);
    /// assert_eq!(plan.map(|plan| (plan.cost_ns, plan.reason)), Some((200_000, Reason::Share)));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn actor(&self, id: ActorId) -> Option<ActorPlan> {
        self.scene.actor_plan(id)
    }

    /// Returns the plans of all actors, in the order of slots.
    ///
    /// # Examples
    /// ```
    /// # let (mut scene, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// let plan = scene.tick();
    /// assert_eq!(plan.actors().map(|actor| actor.cost_ns).collect::<Vec<_>>(), [1_200_000, 200_000]);
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
    pub fn actors(&self) -> impl Iterator<Item = ActorPlan> + use<'a, N> {
        let scene = self.scene;
        let actors = scene.actors.iter(scene.tag);
        actors.filter_map(move |(handle, _)| scene.actor_plan(ActorId(handle)))
    }

    /// Returns the plan of a module; `None` if it is of another scene or was added after the tick. Each call
    /// sums over the module's actors.
    ///
    /// # Examples
    /// ```
    /// # let (mut scene, .., cloth, _) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// let plan = scene.tick().module(cloth);
    /// assert_eq!(plan.map(|plan| (plan.actors, plan.units)), Some((2, 2_800)));
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
    #[must_use]
    pub fn module(&self, id: ModuleId) -> Option<ModulePlan<'a>> {
        self.scene.module_plan(id)
    }

    /// Returns the plans of all modules, in the order in which they were added.
    ///
    /// # Examples
    /// ```
    /// # let (mut scene, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// let plan = scene.tick();
    /// assert_eq!(plan.modules().map(|module| module.units).collect::<Vec<_>>(), [2_800]);
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
    pub fn modules(&self) -> impl Iterator<Item = ModulePlan<'a>> + use<'a, N> {
        let scene = self.scene;
        let modules = (0..).take(scene.modules.len());
        modules.filter_map(move |index| scene.module_plan(ModuleId::new(index, scene.tag)))
    }
}

impl SceneData {
    pub(crate) fn actor_plan(&self, id: ActorId) -> Option<ActorPlan> {
        let ActorLocation { module: index, row } = self.location(id).ok()?;
        let (module, row) = (&self.modules[usize::from(index)], row as usize);
        if !module.rows.flags[row].is_planned() {
            return None;
        }
        if let Some(kept) = self.plan_overrides.get(&id.slot()) {
            return Some(*kept);
        }
        let settings = module.decided?;
        let (benefit, lod) = (module.rows.benefit[row], module.rows.lod(row));
        let control = module.control(row, settings);
        let ladder = module.ladder(row, control);
        let is_automatic = control == LodSource::Automatic;
        let has_share =
            is_automatic && matches!(self.outcome.request.policy, Policy::Proportional(_));
        let paid = has_share.then(|| {
            BenefitRate::new(
                settings.benefit_value.unwrap_or_default(),
                self.outcome.decision.scale,
            )
            .share(benefit)
        });
        Some(ActorPlan {
            actor: id,
            key: module.rows.key[row],
            module: ModuleId::new(index, self.tag),
            benefit,
            share_ns: paid.map(|share| share.max(ladder.minimum().into())),
            lod,
            quality: module.ladders.quality(module.rows.ladder[row], lod.level()),
            cost_ns: ladder.cost(lod),
            source: control,
            reason: if is_automatic {
                self.reason(module, row, ladder, paid)
            } else {
                module.reason(row, lod)
            },
        })
    }

    fn module_plan(&self, id: ModuleId) -> Option<ModulePlan<'_>> {
        let module = self.module(id)?;
        let settings = module.decided?;
        let sums = module.sums();
        Some(ModulePlan {
            module: id,
            name: &module.name,
            managed: settings.managed,
            actors: usize::try_from(sums.actors).unwrap_or(usize::MAX),
            #[allow(clippy::cast_precision_loss)] // below 2^48
            benefit: sums.benefit as f64 / 65_536.0,
            target_ns: if settings.managed { settings.benefit_value.unwrap_or_default().target(sums.claim) } else { 0 },
            assigned_ns: module.assigned + module.reserved,
            units: sums.units,
            overhead: settings.overhead,
            unit_cost: settings.unit_cost,
            raw_unit_cost: settings.raw_unit_cost,
            lod_cap: settings.lod_cap,
        })
    }

    fn reason(
        &self,
        module: &ModuleData,
        row: usize,
        ladder: Ladder<'_>,
        share: Option<u64>,
    ) -> Reason {
        let flags = module.rows.flags[row];
        if flags.was_invisible() {
            Reason::Invisible
        } else if flags.was_quarantined() {
            Reason::Quarantined
        } else if self.outcome.decision.overcommit > 0 {
            Reason::Overcommitted
        } else if let Some(share) = share {
            paid(module, row, ladder, share)
        } else if !module.is_at_top(row, ladder) {
            match module.worth_of_more(row, ladder) {
                worth
                    if worth > 0.0
                        && worth * self.kept() >= self.outcome.decision.price.to_f64() =>
                {
                    Reason::NoBudget
                }
                _ => Reason::BelowPrice,
            }
        } else if module.is_capped(row) {
            Reason::WorthCapped
        } else {
            Reason::WorthHighest
        }
    }

    /// Returns the part of an actor's benefit that counts above its previous level.
    fn kept(&self) -> f64 {
        1.0 - f64::from(self.outcome.request.hysteresis.margin) / 256.0
    }
}

fn paid(module: &ModuleData, row: usize, ladder: Ladder<'_>, share: u64) -> Reason {
    let lod = module.rows.lod(row);
    if u64::from(ladder.cost(lod)) > share.max(ladder.minimum().into()) {
        Reason::Leftovers
    } else if share < u64::from(ladder.minimum()) {
        Reason::Pinned
    } else if !module.is_at_top(row, ladder) {
        Reason::Share
    } else if module.is_capped(row) {
        Reason::Capped
    } else {
        Reason::Highest
    }
}

impl ModuleData {
    fn control(&self, row: usize, settings: ModuleSettings) -> LodSource {
        match self.rows.control[row] {
            LodControl::Forced(_) => LodSource::Forced,
            LodControl::Automatic if settings.managed => LodSource::Automatic,
            LodControl::Automatic => LodSource::Unmanaged,
        }
    }

    /// Returns the ladder of an actor, up to the cap if it applies.
    fn ladder(&self, row: usize, control: LodSource) -> Ladder<'_> {
        let ladders = match control {
            LodSource::Forced => self.ladders.whole(),
            LodSource::Automatic | LodSource::Unmanaged => self.ladders.capped(),
        };
        ladders.ladder(self.rows.ladder[row])
    }

    fn is_at_top(&self, row: usize, ladder: Ladder<'_>) -> bool {
        self.rows.lod(row) >= ladder.top()
    }

    /// Whether a cap keeps an actor at its top below its highest valid level.
    fn is_capped(&self, row: usize) -> bool {
        self.rows.lod(row) < self.ladders.whole().ladder(self.rows.ladder[row]).top()
    }

    /// Returns the greatest benefit times quality for a nanosecond above the actor's whole level.
    fn worth_of_more(&self, row: usize, ladder: Ladder<'_>) -> f64 {
        let benefit = self.rows.benefit[row].to_f64();
        let here = self.rows.level[row];
        let quality = |level| self.ladders.quality(self.rows.ladder[row], level).to_f64();
        let cost = |level| f64::from(ladder.cost(Lod::new(level, 0)));
        let above = (here.saturating_add(1)..=ladder.top().level()).map(|level| {
            let gain = benefit * (quality(level) - quality(here));
            gain / (cost(level) - cost(here)).max(f64::MIN_POSITIVE)
        });
        above.fold(0.0, f64::max)
    }

    fn reason(&self, row: usize, lod: Lod) -> Reason {
        match self.rows.control[row] {
            LodControl::Automatic => Reason::Unmanaged,
            LodControl::Forced(requested) if self.continuous && requested == lod => Reason::Forced,
            LodControl::Forced(requested) if !self.continuous && requested.rounded() == lod => {
                Reason::Forced
            }
            LodControl::Forced(_) => Reason::ForcedIntoRange,
        }
    }
}
