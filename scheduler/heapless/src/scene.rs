//! A scene: modules, actors and eyes.

use heapless::Vec;
use lodger_core::Real;
use lodger_core::budget::{
    Carryover, Decision, Hysteresis, Leftovers, LoadTracker, Policy, Request, Scale, Scratch,
    decide,
};
use lodger_core::calibration::{Headroom, HeadroomTarget, HeadroomTracker};
use lodger_core::error::Quantity;
use lodger_core::units::Budget;

use crate::column::Column;
use crate::columns::{
    Columns, Everything, Proportional, States, ViewColumns, WithOptimal, WithPositions,
};
use crate::handle::{ActorId, Capacity, ModuleId, SceneError, Slots};
use crate::index::{RowNumber as _, SlotIndex};
use crate::ladders::{LadderSection, LadderTable};
use crate::module_data::ModuleData;
use crate::own_cost::TickCost as _;
use crate::rows::Rows;
use crate::scene_modules::SceneModules;

/// Up to `ACTORS` actors in up to `MODULES` modules, and the budget that they share.
///
/// `N` is the number type of benefits; see [`lodger_core::real`]. `COSTS` limits the levels of all different
/// ladders: actors of a module with the same work and valid levels share one.
///
/// # Examples
/// A scene in a static takes no stack, and its memory is reserved at link time.
/// ```
/// use std::sync::Mutex;
/// use lodger_heapless::{Actor, BenefitValue, Fixed, Module, Scene, UnitCost};
///
/// static SCENE: Mutex<Scene<Fixed, 2, 16, 10>> = Mutex::new(Scene::new());
///
/// let mut scene = SCENE.lock().unwrap();
/// let cloth = Module::new(UnitCost::from_ns(500.0)?).benefit_value(BenefitValue::from_ms(2.0)?);
/// let cloth = scene.add_module(cloth)?;
/// scene.spawn(cloth, Actor::at([Fixed::ZERO; 3], Fixed::ONE, &[0, 400, 1_600]))?;
/// assert_eq!(scene.len(), 1);
/// # use lodger_heapless::Real;
/// # Ok::<(), lodger_heapless::SceneError>(())
/// ```
#[derive(Debug, Clone)]
#[allow(clippy::struct_excessive_bools)] // settings, and whether there is a plan
pub struct Scene<
    N: Real,
    const MODULES: usize,
    const ACTORS: usize,
    const COSTS: usize,
    C: Columns = Everything,
> {
    policy: Policy,
    pub(crate) policy_fn: PolicyFn<C::SlotIndex>,
    pub(crate) hysteresis: Hysteresis,
    /// `u32::MAX` for no limit, also below.
    max_upgrades: u32,
    max_passes: u32,
    /// The bits of the scale that the last tick carries over, or [`NO_SCALE`].
    pub(crate) scale_bits: u64,
    pub(crate) headroom: HeadroomTracker,
    pub(crate) headroom_target: Option<HeadroomTarget>,
    pub(crate) own_cost: C::TickCost,
    pub(crate) unmanaged_in_budget: bool,
    /// Whether calls end frames, not ticks.
    pub(crate) calls_end_frames: bool,
    pub(crate) cautious_start: bool,
    pub(crate) modules: Vec<ModuleData<N, C>, MODULES, u16>,
    pub(crate) slots: Slots<<C::SlotIndex as SlotIndex>::Row, ACTORS>,
    pub(crate) rows: Rows<N, C, ACTORS>,
    pub(crate) ladders: LadderTable<C::Ladders<COSTS>, C::Optimal<COSTS>, COSTS>,
    pub(crate) upgrades: Column<<C::SlotIndex as SlotIndex>::Upgrade, ACTORS>,
    pub(crate) has_plan: bool,
    pub(crate) outcome: TickOutcome,
    pub(crate) load_tracker: LoadTracker,
}

impl<N: Real, const MODULES: usize, const ACTORS: usize, const COSTS: usize, C: Columns> Default
    for Scene<N, MODULES, ACTORS, COSTS, C>
{
    fn default() -> Self {
        Self::new()
    }
}

impl<N: Real, const MODULES: usize, const ACTORS: usize, const COSTS: usize, C: Columns>
    Scene<N, MODULES, ACTORS, COSTS, C>
{
    /// Makes an empty scene. More than 256 modules do not compile, nor more than 255 actors or 256 levels; with
    /// [`Large`](crate::Large) columns, 65 535 of either.
    ///
    /// ```
    /// use lodger_heapless::{Leftovers, Policy, Scene};
    ///
    /// let scene = Scene::<f32, 4, 64, 20>::new();
    /// assert!(scene.is_empty());
    /// assert_eq!(scene.policy(), Policy::Proportional(Leftovers::AcrossModules));
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        const { assert!(MODULES <= 1 << u8::BITS) };
        const {
            assert!(
                ACTORS <= C::SlotIndex::MAX_ACTORS && COSTS <= C::SlotIndex::MAX_LEVELS,
                "more than 255 actors or 256 levels need columns in `Large`"
            );
        }
        Self {
            policy: Policy::Proportional(Leftovers::AcrossModules),
            policy_fn: proportional,
            hysteresis: Hysteresis::OFF,
            max_upgrades: u32::MAX,
            max_passes: u32::MAX,
            scale_bits: NO_SCALE,
            headroom: HeadroomTracker::NEW,
            headroom_target: Some(HeadroomTarget::DEFAULT),
            own_cost: C::TickCost::NONE,
            unmanaged_in_budget: true,
            calls_end_frames: false,
            cautious_start: false,
            modules: Vec::new(),
            slots: Slots::new(),
            rows: Rows::NEW,
            ladders: LadderTable::new(),
            upgrades: [C::SlotIndex::NO_UPGRADE; ACTORS],
            has_plan: false,
            outcome: TickOutcome::NONE,
            load_tracker: LoadTracker::NONE,
        }
    }

    /// Returns how the budget is divided.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// scene.set_policy(Policy::Optimal)?;
    /// assert_eq!(scene.policy(), Policy::Optimal);
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub const fn policy(&self) -> Policy {
        self.policy
    }

    /// Sets the hysteresis of levels; off by default. [`Hysteresis::TYPICAL`] suits a moving camera and
    /// measured unit costs.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// scene.set_hysteresis(Hysteresis::TYPICAL);
    /// assert_eq!(scene.hysteresis(), Hysteresis::TYPICAL);
    /// # Ok::<(), SceneError>(())
    /// ```
    pub const fn set_hysteresis(&mut self, hysteresis: Hysteresis) {
        self.hysteresis = hysteresis;
    }

    /// Returns the hysteresis of levels.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// assert_eq!(scene.hysteresis(), Hysteresis::OFF);
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub const fn hysteresis(&self) -> Hysteresis {
        self.hysteresis
    }

    /// Sets the greatest number of actors that a tick may raise above their previous level, the most valuable first;
    /// `None`, the default, sets no limit.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// scene.tick(Budget::from_ns(1));
    /// scene.set_max_upgrades(Some(0));
    /// assert_eq!(scene.tick(Budget::UNLIMITED).level(cape), Some(0));
    /// # Ok::<(), SceneError>(())
    /// ```
    pub const fn set_max_upgrades(&mut self, most: Option<u32>) {
        self.max_upgrades = to_limit(most);
    }

    /// Returns the greatest number of actors that a tick may raise.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// scene.set_max_upgrades(Some(20));
    /// assert_eq!(scene.max_upgrades(), Some(20));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub const fn max_upgrades(&self) -> Option<u32> {
        from_limit(self.max_upgrades)
    }

    /// Limits the search of the optimal policy in a tick: a pass takes or gives up as many levels, one by one, as there are
    /// actors. `None`, the default, sets no limit. If the passes do not suffice, the tick takes the least price at which all
    /// fits so far, and the next tick goes on from there: levels are lower for a few ticks, and the worst tick is shorter.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// scene.set_policy(Policy::Optimal)?;
    /// scene.set_max_passes(Some(1));
    /// let budget = Budget::from_ms(1.0)?;
    /// let assigned = [(); 8].map(|()| scene.tick(budget).assigned_ns());
    /// assert!(assigned.iter().all(|&ns| ns <= 1_000_000));
    /// assert_eq!(scene.plan().level(cape), Some(2));
    /// # Ok::<(), SceneError>(())
    /// ```
    pub const fn set_max_passes(&mut self, most: Option<u32>) {
        self.max_passes = to_limit(most);
    }

    /// Returns the greatest number of passes in which a tick searches its price.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// scene.set_max_passes(Some(2));
    /// assert_eq!(scene.max_passes(), Some(2));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub const fn max_passes(&self) -> Option<u32> {
        from_limit(self.max_passes)
    }

    /// Sets whether modules start cautiously, because a first unit cost may be far too low; off by default. Until the first
    /// measured time of a module since its unit cost was set, at most a sixteenth of its automatic actors, or one if that is
    /// more, rise above their previous level in a tick, by one whole level each. New actors rise from their lowest level. The
    /// order is as for [`set_max_upgrades`](Self::set_max_upgrades), whose limit applies, too.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// scene.set_cautious_start(true);
    /// assert_eq!(scene.tick(Budget::UNLIMITED).level(cape), Some(1));
    /// assert_eq!(scene.tick(Budget::UNLIMITED).level(cape), Some(2));
    /// # Ok::<(), SceneError>(())
    /// ```
    pub const fn set_cautious_start(&mut self, cautious: bool) {
        self.cautious_start = cautious;
    }

    /// Whether modules start cautiously.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// scene.set_cautious_start(true);
    /// assert!(scene.has_cautious_start());
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub const fn has_cautious_start(&self) -> bool {
        self.cautious_start
    }

    /// Sets whether the budget pays the actors of unmanaged modules. It does by default; in APEX 1.3 it did not.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// scene.set_managed(cloth, false)?;
    /// scene.set_unmanaged_in_budget(false);
    /// let plan = scene.tick(Budget::from_ns(1));
    /// assert_eq!((plan.level(cape), plan.reserved_ns()), (Some(2), 0));
    /// # Ok::<(), SceneError>(())
    /// ```
    pub const fn set_unmanaged_in_budget(&mut self, count: bool) {
        self.unmanaged_in_budget = count;
    }

    /// Whether the budget pays the actors of unmanaged modules.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// assert!(scene.is_unmanaged_in_budget());
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub const fn is_unmanaged_in_budget(&self) -> bool {
        self.unmanaged_in_budget
    }
}

impl<N: Real, const MODULES: usize, const ACTORS: usize, const COSTS: usize, C: WithPositions>
    Scene<N, MODULES, ACTORS, COSTS, C>
{
    /// Sets the positions from which the scene is seen, in metres. The nearest eye counts; without an eye, the default,
    /// the distance importance of all actors is 0.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// scene.set_eyes(&[[0.0, 0.0, 0.0], [500.0, 0.0, 0.0]])?;
    /// scene.set_position(cape, [498.0, 0.0, 0.0])?;
    /// assert_eq!(scene.tick(Budget::from_ms(0.5)?).level(cape), Some(1));
    /// # Ok::<(), SceneError>(())
    /// ```
    ///
    /// # Errors
    /// [`Capacity::Eyes`] for more than [`MAX_EYES`](crate::MAX_EYES); [`SceneError::Invalid`] for a position that is not finite.
    #[doc(alias = "setViewMatrix")]
    pub fn set_eyes(&mut self, eyes: &[[N; 3]]) -> Result<(), SceneError> {
        for along in eyes.iter().flatten() {
            along.finite(Quantity::Position)?;
        }
        let eyes = Vec::from_slice(eyes).map_err(|_| Capacity::Eyes)?;
        self.rows.views.set_eyes(&eyes);
        self.rows.states.set_eyes(eyes);
        Ok(())
    }

    /// Returns the positions from which the scene is seen, in metres.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// scene.set_eyes(&[[0.0, 1.7, 0.0]])?;
    /// assert_eq!(scene.eyes(), [[0.0, 1.7, 0.0]]);
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn eyes(&self) -> &[[N; 3]] {
        self.rows.states.eyes()
    }
}

impl<N: Real, const MODULES: usize, const ACTORS: usize, const COSTS: usize, C: WithOptimal>
    Scene<N, MODULES, ACTORS, COSTS, C>
{
    /// Sets how the budget is divided; [`Policy::Proportional`] with [`Leftovers::AcrossModules`] by default.
    ///
    /// [`Policy::Optimal`] has no local search here, and is linked only into programs that select it.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// scene.set_policy(Policy::Optimal)?;
    /// let decision = scene.tick(Budget::from_ms(0.5)?).decision();
    /// assert!(decision.certificate.is_some_and(|certificate| certificate.gap() < 1.0));
    /// # Ok::<(), SceneError>(())
    /// ```
    ///
    /// # Errors
    /// [`SceneError::NoBenefitValue`] for a proportional policy if a managed module has no benefit value.
    #[inline]
    pub fn set_policy(&mut self, policy: Policy) -> Result<(), SceneError> {
        for (id, module) in self.modules().zip(&self.modules) {
            module.check_for(policy, id)?;
        }
        self.policy = policy;
        self.policy_fn = match policy {
            Policy::Proportional(_) => proportional,
            Policy::Optimal => optimal,
        };
        Ok(())
    }
}

impl<N: Real, const MODULES: usize, const ACTORS: usize, const COSTS: usize, C: Columns>
    Scene<N, MODULES, ACTORS, COSTS, Proportional<C>>
{
    /// Sets the use of the leftover budget; [`Leftovers::AcrossModules`] by default.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// let mut scene = Scene::<f32, 4, 64, 20, Proportional>::new();
    /// scene.set_leftovers(Leftovers::WithinModule);
    /// assert_eq!(scene.policy(), Policy::Proportional(Leftovers::WithinModule));
    /// ```
    pub const fn set_leftovers(&mut self, leftovers: Leftovers) {
        self.policy = Policy::Proportional(leftovers);
    }
}

impl<N: Real, const MODULES: usize, const ACTORS: usize, const COSTS: usize, C: Columns>
    Scene<N, MODULES, ACTORS, COSTS, C>
{
    /// Returns the part of the last plan that concerns the whole scene.
    pub(crate) fn outcome(&self) -> Option<&TickOutcome> {
        self.has_plan.then_some(&self.outcome)
    }

    /// Returns the scale that the last tick of a proportional policy carries over.
    pub(crate) fn scale(&self) -> Option<Scale> {
        (self.scale_bits != NO_SCALE).then(|| Scale::from_bits(self.scale_bits))
    }

    pub(crate) fn module_index(&self, id: ModuleId) -> Result<usize, SceneError> {
        if id.index() < self.modules.len() { Ok(id.index()) } else { Err(SceneError::NoSuchModule) }
    }

    pub(crate) fn module(&self, id: ModuleId) -> Option<&ModuleData<N, C>> {
        self.modules.get(id.index())
    }

    pub(crate) fn module_mut(&mut self, id: ModuleId) -> Result<&mut ModuleData<N, C>, SceneError> {
        self.modules.get_mut(id.index()).ok_or(SceneError::NoSuchModule)
    }

    pub(crate) fn start(&self, module: usize) -> usize {
        self.modules.iter().take(module).map(|data| data.rows.get()).sum()
    }

    pub(crate) fn section(&self, module: usize) -> LadderSection {
        let modules = self.modules.iter().take(module.wrapping_add(1));
        modules.fold(LadderSection::START, |section, data| {
            section.next(data.ladders.get(), data.levels)
        })
    }

    pub(crate) fn row(&self, id: ActorId) -> Result<usize, SceneError> {
        let row = self.slots.row(id).filter(|&row| self.is_in(row, id.slot()));
        row.ok_or(SceneError::StaleActor)
    }

    /// Whether a slot's actor is in a row.
    pub(crate) fn is_in(&self, row: usize, slot: usize) -> bool {
        self.rows.slot.get(row).is_some_and(|other| other.get() == slot)
    }

    pub(crate) fn module_of_row(&self, row: usize) -> usize {
        let mut end = 0_usize;
        let before = self.modules.iter().take_while(|data| {
            end = end.wrapping_add(data.rows.get());
            end <= row
        });
        before.count()
    }

    pub(crate) fn place(&self, id: ActorId) -> Result<(usize, usize), SceneError> {
        let row = self.row(id)?;
        Ok((self.module_of_row(row), row))
    }
}

#[cfg(feature = "defmt")]
impl<N: Real, const MODULES: usize, const ACTORS: usize, const COSTS: usize, C: Columns>
    defmt::Format for Scene<N, MODULES, ACTORS, COSTS, C>
{
    fn format(&self, f: defmt::Formatter<'_>) {
        defmt::write!(
            f,
            "Scene({=usize} modules, {=usize} actors, {}, {})",
            self.modules.len(),
            self.len(),
            self.policy,
            self.plan()
        );
    }
}

/// The part of the last tick's plan that concerns the whole scene.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TickOutcome {
    pub(crate) budget: Budget,
    /// The reserved cost, in nanoseconds.
    pub(crate) fixed: u64,
    /// As in a [`Decision`], also below.
    pub(crate) minimum: u64,
    pub(crate) assigned: u64,
    pub(crate) headroom: Headroom,
    pub(crate) switches: u32,
}

impl TickOutcome {
    const NONE: Self = Self {
        budget: Budget::from_ns(0),
        fixed: 0,
        minimum: 0,
        assigned: 0,
        headroom: Headroom::NONE,
        switches: 0,
    };
}

/// More than the bits of any scale.
pub(crate) const NO_SCALE: u64 = u64::MAX;

const fn to_limit(most: Option<u32>) -> u32 {
    match most {
        Some(most) => most,
        None => u32::MAX,
    }
}

const fn from_limit(limit: u32) -> Option<u32> {
    if limit == u32::MAX { None } else { Some(limit) }
}

pub(crate) type PolicyFn<I> = fn(
    &Request,
    &mut Carryover,
    &mut SceneModules<'_, '_, I>,
    Scratch<'_, <I as SlotIndex>::Upgrade>,
) -> Decision;

/// The [`PolicyFn`] of the proportional policy; other policies become the default one.
fn proportional<I: SlotIndex>(
    request: &Request,
    carryover: &mut Carryover,
    modules: &mut SceneModules<'_, '_, I>,
    scratch: Scratch<'_, I::Upgrade>,
) -> Decision {
    let leftovers = match request.policy {
        Policy::Proportional(leftovers) => leftovers,
        Policy::Optimal => Leftovers::default(),
    };
    let request = Request { policy: Policy::Proportional(leftovers), ..*request };
    decide(&request, carryover, modules, scratch)
}

fn optimal<I: SlotIndex>(
    request: &Request,
    carryover: &mut Carryover,
    modules: &mut SceneModules<'_, '_, I>,
    scratch: Scratch<'_, I::Upgrade>,
) -> Decision {
    decide(&Request { policy: Policy::Optimal, ..*request }, carryover, modules, scratch)
}
