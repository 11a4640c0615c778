use lodger_core::Real;
use lodger_core::benefit::OutsideFactor;
use lodger_core::budget::{Hysteresis, Policy};
use lodger_core::calibration::{HeadroomTarget, HeadroomTracker};
use lodger_core::error::{Quantity, ValueError, ValueProblem};
use lodger_core::units::Budget;
use lodger_core::view::View;

use crate::handle::{SceneError, Slots, ViewId};
use crate::parallel::SimdLevel;
use crate::scene_data::SceneData;
use crate::scene_views::SceneViews;
use crate::states::ModuleStates;

/// Actors at several levels of detail, and the budget that they share.
///
/// `N` is the number type of benefits; see [`lodger_core::real`].
///
/// # Examples
/// ```
/// # let (mut scene, near, far, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
/// let plan = scene.tick();
/// let levels = [near, far].map(|cape| plan.lod(cape).map(|lod| lod.level()));
/// assert_eq!(levels, [Some(2), Some(1)]);
/// # Ok::<(), lodger_scheduler::SceneError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Scene<N: Real = f32> {
    pub(crate) data: SceneData,
    views: Slots<View<N>>,
    pub(crate) eyes: SceneViews<N>,
    /// The states of the actors of each module.
    pub(crate) states: Vec<ModuleStates<N>>,
}

impl<N: Real> Scene<N> {
    /// Makes a scene without views, modules and actors.
    ///
    /// # Examples
    /// ```
    /// use lodger_scheduler::{Budget, Scene};
    ///
    /// let scene = Scene::<f32>::new(Budget::from_ns(500));
    /// assert_eq!((scene.budget().ns(), scene.len()), (Some(500), 0));
    /// ```
    #[must_use]
    pub fn new(budget: Budget) -> Self {
        Self {
            data: SceneData::new(budget),
            views: Slots::default(),
            eyes: SceneViews::default(),
            states: Vec::new(),
        }
    }

    /// Sets the SIMD level of ticks, for tests.
    #[doc(hidden)]
    pub fn set_simd_level(&mut self, level: SimdLevel) {
        self.data.simd_level = level;
    }

    /// Sets whether a tick with the inputs of the last one repeats its decision, for tests.
    #[doc(hidden)]
    pub fn set_repeats(&mut self, repeats: bool) {
        self.data.repeats = repeats;
    }

    /// Sets the rows of a thread's chunk, at least 64, for tests.
    #[doc(hidden)]
    pub fn set_chunk_rows(&mut self, rows: Option<usize>) {
        self.data.chunk_rows = rows;
    }

    /// Sets the budget of each tick.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, _, far, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// scene.set_budget(Budget::from_ms(3.0)?);
    /// assert_eq!(scene.tick().lod(far).map(|lod| lod.level()), Some(2));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[doc(alias = "setLODResourceBudget")]
    pub fn set_budget(&mut self, budget: Budget) {
        self.data.budget = budget;
    }

    /// Returns the budget of the next tick.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (scene, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// assert_eq!(scene.budget(), Budget::from_ms(2.0)?);
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn budget(&self) -> Budget {
        self.data.budget
    }

    /// Sets the policy that divides the budget; [`Policy::default`] until then.
    ///
    /// # Errors
    /// [`SceneError::NoBenefitValue`] for a proportional policy if a managed module has no benefit value.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, _, far, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// scene.set_budget(Budget::from_ms(3.0)?);
    ///
    /// // Shares as in the APEX document: the far cape's share pays level 1.
    /// scene.set_policy(Policy::APEX)?;
    /// assert_eq!(scene.tick().assigned_ns(), 1_400_000);
    ///
    /// // The greatest benefit within the budget: both capes have level 2.
    /// scene.set_policy(Policy::Optimal)?;
    /// assert_eq!(scene.tick().assigned_ns(), 2_400_000);
    /// # Ok::<(), SceneError>(())
    /// ```
    pub fn set_policy(&mut self, policy: Policy) -> Result<(), SceneError> {
        self.data.modules.iter().try_for_each(|module| module.check_for(policy))?;
        self.data.policy = policy;
        Ok(())
    }

    /// Returns the policy that divides the budget.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// scene.set_policy(Policy::Optimal)?;
    /// assert_eq!(scene.policy(), Policy::Optimal);
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn policy(&self) -> Policy {
        self.data.policy
    }

    /// Sets the hysteresis of levels, which is off by default. [`Hysteresis::TYPICAL`] suits a moving camera
    /// and measured unit costs.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, near, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// scene.set_policy(Policy::APEX)?;
    /// scene.set_hysteresis(Hysteresis::TYPICAL);
    /// let mut level_at = |x| {
    ///     scene.set_position(near, [x, 0.0, 0.0])?;
    ///     Ok::<_, SceneError>(scene.tick().lod(near).map(|lod| lod.level()))
    /// };
    /// // The share of a cape at 2.75 m pays level 2, but not by the margin that an upgrade needs.
    /// assert_eq!([level_at(3.0)?, level_at(2.75)?], [Some(1), Some(1)]);
    /// assert_eq!([level_at(2.5)?, level_at(2.75)?], [Some(2), Some(2)]);
    /// # Ok::<(), SceneError>(())
    /// ```
    pub fn set_hysteresis(&mut self, hysteresis: Hysteresis) {
        self.data.hysteresis = hysteresis;
    }

    /// Returns the hysteresis of levels.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// scene.set_hysteresis(Hysteresis::TYPICAL);
    /// assert_eq!(scene.hysteresis().margin, 26); // a tenth, in 2⁻⁸
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn hysteresis(&self) -> Hysteresis {
        self.data.hysteresis
    }

    /// Sets the greatest number of actors that a tick may upgrade, the most valuable first; `None` by default.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, near, far, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// scene.set_budget(Budget::from_ns(0));
    /// scene.tick(); // both capes have level 0
    ///
    /// scene.set_budget(Budget::from_ms(2.0)?);
    /// scene.set_max_upgrades(Some(1));
    /// assert_eq!(scene.tick().assigned_ns(), 1_200_000); // the near cape
    /// assert_eq!(scene.tick().assigned_ns(), 1_400_000); // the far cape, too
    /// # Ok::<(), SceneError>(())
    /// ```
    pub fn set_max_upgrades(&mut self, most: Option<u32>) {
        self.data.max_upgrades = most;
    }

    /// Returns the greatest number of actors that a tick may upgrade.
    ///
    /// # Examples
    /// ```
    /// # let (mut scene, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// scene.set_max_upgrades(Some(8));
    /// assert_eq!(scene.max_upgrades(), Some(8));
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
    #[must_use]
    pub fn max_upgrades(&self) -> Option<u32> {
        self.data.max_upgrades
    }

    /// Sets whether modules start cautiously, because a first unit cost may be far too low; off by default. Until the first
    /// measured time of a module since its unit cost was set, at most a sixteenth of its automatic actors, or one if that is
    /// more, rise above their previous level in a tick, by one whole level each. New actors rise from their lowest level. The
    /// order is as for [`set_max_upgrades`](Self::set_max_upgrades), whose limit applies, too.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, near, far, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// scene.set_cautious_start(true);
    /// let levels = [(); 3].map(|()| {
    ///     let plan = scene.tick();
    ///     [near, far].map(|cape| plan.lod(cape).map_or(0, |lod| lod.level()))
    /// });
    /// assert_eq!(levels, [[1, 0], [2, 0], [2, 1]]);
    /// # Ok::<(), SceneError>(())
    /// ```
    pub fn set_cautious_start(&mut self, cautious: bool) {
        self.data.cautious_start = cautious;
    }

    /// Whether modules start cautiously.
    ///
    /// # Examples
    /// ```
    /// # let (mut scene, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// assert!(!scene.has_cautious_start());
    /// scene.set_cautious_start(true);
    /// assert!(scene.has_cautious_start());
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
    #[must_use]
    pub fn has_cautious_start(&self) -> bool {
        self.data.cautious_start
    }

    /// Sets the greatest number of local-search moves of an optimal tick: 512 by default, 0 for none. Moves
    /// improve a plan that is not proven to be within 2⁻¹⁰ of the best; more than 512 rarely help for more than
    /// a few hundred actors.
    ///
    /// # Examples
    /// ```
    /// use lodger_scheduler::{Actor, Benefit, BenefitValue, Budget, Module, Policy, Scene, UnitCost};
    ///
    /// let mut scene = Scene::<f32>::new(Budget::from_ns(10));
    /// scene.set_policy(Policy::Optimal)?;
    /// let module = Module::new("props", UnitCost::from_ns(1.0)?).benefit_value(BenefitValue::from_ns(100));
    /// let props = scene.add_module(module)?;
    /// for (benefit, cost) in [(0.7_f32, 6), (0.5, 5), (0.5, 5)] {
    ///     scene.spawn(props, Actor::from_benefit(Benefit::new(benefit)?, &[0, cost]))?;
    /// }
    /// scene.set_search_moves(0);
    /// assert_eq!(scene.tick().assigned_ns(), 6);
    /// scene.set_search_moves(512); // finds that the two others are worth 1.0
    /// assert_eq!(scene.tick().assigned_ns(), 10);
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
    pub fn set_search_moves(&mut self, moves: usize) {
        self.data.search_moves = moves;
    }

    /// Returns the greatest number of local-search moves of an optimal tick.
    ///
    /// # Examples
    /// ```
    /// # let (mut scene, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// scene.set_search_moves(64);
    /// assert_eq!(scene.search_moves(), 64);
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
    #[must_use]
    pub fn search_moves(&self) -> usize {
        self.data.search_moves
    }

    /// Sets whether the budget pays the actors of unmanaged modules: yes by default, no in APEX 1.3.
    ///
    /// # Examples
    /// ```
    /// # let (mut scene, .., cloth, _) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// scene.set_managed(cloth, false)?; // two capes at level 2 cost 2.4 ms
    /// assert_eq!(scene.tick().overcommit_ns(), 400_000);
    /// scene.set_unmanaged_in_budget(false);
    /// assert_eq!(scene.tick().overcommit_ns(), 0);
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
    pub fn set_unmanaged_in_budget(&mut self, count: bool) {
        self.data.unmanaged_in_budget = count;
    }

    /// Whether the budget pays the actors of unmanaged modules.
    ///
    /// # Examples
    /// ```
    /// # let (mut scene, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// scene.set_unmanaged_in_budget(false);
    /// assert!(!scene.is_unmanaged_in_budget());
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
    #[must_use]
    pub fn is_unmanaged_in_budget(&self) -> bool {
        self.data.unmanaged_in_budget
    }

    /// Sets the share of ticks whose work may take longer than the budget: one in a thousand by default.
    ///
    /// Ticks then leave a part of the budget free ([`Plan::headroom`](crate::Plan::headroom)), which follows
    /// the times of [`observe_time`](Self::observe_time). A module without a report counts with its planned
    /// time, a module outside the budget does not count. The first two of consecutive times above one and a half
    /// budgets are spikes, and are ignored. The headroom does not change until each module that
    /// reports work has been measured [`SETTLING`](lodger_core::calibration::SETTLING) times.
    ///
    /// `None` plans with the whole budget. Use it if times are measured and the budget is not a time.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, .., cloth, _) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// use std::time::Duration;
    ///
    /// // One frame in a hundred may take longer, but one in ten would.
    /// scene.set_headroom_target(Some(HeadroomTarget::new(0.01)?));
    /// for frame in 0..200 {
    ///     let units = scene.tick().module(cloth).map_or(0, |cloth| cloth.units);
    ///     let unit_ns = if frame % 10 == 0 { 1_000 } else { 500 };
    ///     scene.observe_time(cloth, units, Duration::from_nanos(units * unit_ns))?;
    /// }
    /// assert!(scene.tick().headroom().to_f64() > 0.1); // of the budget is left free
    /// # Ok::<(), SceneError>(())
    /// ```
    pub fn set_headroom_target(&mut self, target: Option<HeadroomTarget>) {
        self.data.headroom_target = target;
        if target.is_none() {
            self.data.headroom = HeadroomTracker::NEW;
        }
    }

    /// Returns the share of ticks whose work may take longer than the budget.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// assert_eq!(scene.headroom_target(), Some(HeadroomTarget::DEFAULT)); // one in a thousand
    /// scene.set_headroom_target(None);
    /// assert_eq!(scene.headroom_target(), None);
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn headroom_target(&self) -> Option<HeadroomTarget> {
        self.data.headroom_target
    }

    /// Sets whether ticks list the actors whose level changed, in [`Plan::changes`](crate::Plan::changes); no by
    /// default.
    ///
    /// # Examples
    /// ```
    /// # let (mut scene, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// scene.track_changes(true);
    /// assert_eq!(scene.tick().changes().len(), 2); // both capes are new
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
    pub fn track_changes(&mut self, track: bool) {
        self.data.changes.wanted = track;
    }

    /// Whether ticks list the actors whose level changed.
    ///
    /// # Examples
    /// ```
    /// # let (mut scene, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// scene.track_changes(true);
    /// assert!(scene.tracks_changes());
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
    #[must_use]
    pub fn tracks_changes(&self) -> bool {
        self.data.changes.wanted
    }

    /// Adds a view. An actor has its greatest benefit at any view. Without a view, the distance importance of all
    /// actors is 0.
    ///
    /// # Errors
    /// [`ValueProblem::TooLarge`] for more than 2²⁴ − 1 views.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, _, far, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// scene.add_view(View::from_position([0.0, 5.0, 1.0])?)?; // 1 m from the far cape
    /// assert_eq!(scene.tick().lod(far).map(|lod| lod.level()), Some(2));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[doc(alias = "allocViewMatrix")]
    pub fn add_view(&mut self, view: View<N>) -> Result<ViewId, SceneError> {
        let full = ValueError::new(Quantity::Count, ValueProblem::TooLarge);
        let handle = self.views.insert(view, self.data.tag).ok_or(full)?;
        self.states.iter_mut().for_each(|states| states.sight.begin_view(handle.slot()));
        self.collect_eyes();
        Ok(ViewId(handle))
    }

    /// Moves a view.
    ///
    /// # Errors
    /// [`SceneError::StaleView`] or [`SceneError::ForeignView`].
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, .., far, _, camera) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// scene.set_view(camera, View::from_position([0.0, 5.0, 1.0])?)?;
    /// assert_eq!(scene.tick().lod(far).map(|lod| lod.level()), Some(2));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[doc(alias = "setViewMatrix")]
    pub fn set_view(&mut self, id: ViewId, view: View<N>) -> Result<(), SceneError> {
        self.check_view(id)?;
        let place = self.views.get_mut(id.0).ok_or(SceneError::StaleView)?;
        let before = std::mem::replace(place, view);
        if before != view {
            self.collect_eyes();
        }
        Ok(())
    }

    /// Removes a view. Its handle becomes stale.
    ///
    /// # Errors
    /// [`SceneError::StaleView`] or [`SceneError::ForeignView`].
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, .., camera) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// scene.remove_view(camera)?;
    /// assert_eq!(scene.remove_view(camera), Err(SceneError::StaleView));
    /// # Ok::<(), SceneError>(())
    /// ```
    pub fn remove_view(&mut self, id: ViewId) -> Result<(), SceneError> {
        self.check_view(id)?;
        self.views.remove(id.0).ok_or(SceneError::StaleView)?;
        self.collect_eyes();
        Ok(())
    }

    /// Returns a view; `None` if the handle is stale or of another scene.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, .., camera) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// scene.set_view(camera, View::from_position([0.0, 3.0, 0.0])?)?;
    /// assert_eq!(scene.view(camera).map(|view| view.position()), Some([0.0, 3.0, 0.0]));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn view(&self, id: ViewId) -> Option<&View<N>> {
        self.check_view(id).ok()?;
        self.views.get(id.0)
    }

    /// Returns all views with their handles, in the order of slots.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, .., camera) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// let second = scene.add_view(View::from_position([0.0, 3.0, 0.0])?)?;
    /// assert_eq!(scene.views().map(|(id, _)| id).collect::<Vec<_>>(), [camera, second]);
    /// # Ok::<(), SceneError>(())
    /// ```
    pub fn views(&self) -> impl Iterator<Item = (ViewId, &View<N>)> {
        self.views.iter(self.data.tag).map(|(handle, view)| (ViewId(handle), view))
    }

    fn check_view(&self, id: ViewId) -> Result<(), SceneError> {
        if id.0.is_of(self.data.tag) { Ok(()) } else { Err(SceneError::ForeignView) }
    }

    fn collect_eyes(&mut self) {
        self.eyes.collect(self.views.iter(self.data.tag));
        for module in &mut self.data.modules {
            // A rule without a weight of distance does not read positions.
            if module.used_fields.position || module.settings.outside < OutsideFactor::ONE {
                module.rows.dirty.mark_all();
            }
        }
    }
}
