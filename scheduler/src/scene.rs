//! A scene: views, modules and actors with a common budget.

use lodger_core::Real;
use lodger_core::budget::{Hysteresis, Policy};
use lodger_core::calibration::{Headroom, HeadroomTarget};
use lodger_core::error::{Quantity, ValueError, ValueProblem};
use lodger_core::units::Budget;

use crate::handle::{SceneError, Slots, ViewId};
use crate::input::View;
use crate::parallel::SimdLevel;
use crate::scene_data::SceneData;
use crate::states::ModuleStates;

/// Actors at several levels of detail, and the budget that they share.
///
/// `N` is the number type of benefits; see [`lodger_core::real`].
#[derive(Debug, Clone)]
pub struct Scene<N: Real = f32> {
    pub(crate) data: SceneData,
    views: Slots<View<N>>,
    pub(crate) eyes: Vec<[N; 3]>,
    /// The states of the actors of each module.
    pub(crate) states: Vec<ModuleStates<N>>,
}

impl<N: Real> Scene<N> {
    /// Makes an empty scene.
    #[must_use]
    pub fn new(budget: Budget) -> Self {
        Self {
            data: SceneData::new(budget),
            views: Slots::default(),
            eyes: Vec::new(),
            states: Vec::new(),
        }
    }

    /// Sets the vectors of ticks, so that tests can compare them.
    #[doc(hidden)]
    pub fn set_vectors(&mut self, vectors: SimdLevel) {
        self.data.vectors = vectors;
    }

    /// Sets the rows, at least 64, of a chunk of work for a thread, for any number of actors, so that tests
    /// can use few actors.
    #[doc(hidden)]
    pub fn set_piece(&mut self, rows: Option<usize>) {
        self.data.chunk_rows = rows;
    }

    /// Sets the budget of each tick.
    #[doc(alias = "setLODResourceBudget")]
    pub fn set_budget(&mut self, budget: Budget) {
        self.data.budget = budget;
    }

    /// Returns the budget of the next tick.
    #[must_use]
    pub fn budget(&self) -> Budget {
        self.data.budget
    }

    /// Sets the way in which the budget is divided; [`Policy::Proportional`] with
    /// [`Leftovers::AcrossModules`](crate::Leftovers::AcrossModules) by default.
    pub fn set_policy(&mut self, policy: Policy) {
        self.data.policy = policy;
    }

    /// Returns the way in which the budget is divided.
    #[must_use]
    pub fn policy(&self) -> Policy {
        self.data.policy
    }

    /// Sets the hysteresis of levels; off by default. [`Hysteresis::TYPICAL`] suits a moving camera and
    /// measured unit costs.
    pub fn set_hysteresis(&mut self, hysteresis: Hysteresis) {
        self.data.hysteresis = hysteresis;
    }

    /// Returns the hysteresis of levels.
    #[must_use]
    pub fn hysteresis(&self) -> Hysteresis {
        self.data.hysteresis
    }

    /// Sets the greatest number of actors that a tick may raise above their previous level, by falling value;
    /// `None`, the default, for no limit.
    pub fn set_max_upgrades(&mut self, most: Option<u32>) {
        self.data.max_upgrades = most;
    }

    /// Returns the greatest number of actors that a tick may raise.
    #[must_use]
    pub fn max_upgrades(&self) -> Option<u32> {
        self.data.max_upgrades
    }

    /// Sets the number of local-search moves by which the optimal policy improves a plan that is not proven
    /// to be within 2⁻¹⁰ of the best: 512 by default; 0 for none. More moves take more time and memory,
    /// and rarely help for more than a few hundred actors.
    pub fn set_search_moves(&mut self, moves: usize) {
        self.data.search_moves = moves;
    }

    /// Returns the number of local-search moves.
    #[must_use]
    pub fn search_moves(&self) -> usize {
        self.data.search_moves
    }

    /// Sets whether the budget pays the actors of modules that are not managed. It does by default; in APEX
    /// 1.3 it did not.
    pub fn set_unmanaged_in_budget(&mut self, count: bool) {
        self.data.unmanaged_in_budget = count;
    }

    /// Whether the budget pays the actors of modules that are not managed.
    #[must_use]
    pub fn is_unmanaged_in_budget(&self) -> bool {
        self.data.unmanaged_in_budget
    }

    /// Sets the share of ticks whose work may take more than the budget: one in a thousand by default.
    /// `None` plans with the whole budget; so does an unlimited budget, and a scene without
    /// [measurements](Self::observe_time). If the budget is not a time, it must be `None` when times are
    /// measured.
    ///
    /// The time of a tick's plan is the sum of the times that modules report until the next tick; a module
    /// without a report counts with its planned time, and modules outside the budget do not count. Until
    /// every module that reports work has been measured
    /// [`SETTLING`](lodger_core::calibration::SETTLING) times, its unit cost is an assumption, and the
    /// headroom does not change.
    pub fn set_headroom_target(&mut self, target: Option<HeadroomTarget>) {
        self.data.headroom_target = target;
        if target.is_none() {
            self.data.headroom = Headroom::NONE;
        }
    }

    /// Returns the share of ticks whose work may take more than the budget.
    #[must_use]
    pub fn headroom_target(&self) -> Option<HeadroomTarget> {
        self.data.headroom_target
    }

    /// Sets whether ticks list the actors whose level changed; see
    /// [`Plan::changes`](crate::Plan::changes). They do not by default.
    pub fn track_changes(&mut self, track: bool) {
        self.data.changes.wanted = track;
    }

    /// Whether ticks list the actors whose level changed.
    #[must_use]
    pub fn tracks_changes(&self) -> bool {
        self.data.changes.wanted
    }

    /// Adds a view. Without a view, the distance importance of all actors is 0.
    ///
    /// # Errors
    /// [`ValueProblem::TooLarge`] for more than 2²⁴ − 1 views.
    #[doc(alias = "allocViewMatrix")]
    pub fn add_view(&mut self, view: View<N>) -> Result<ViewId, SceneError> {
        let full = ValueError::new(Quantity::Count, ValueProblem::TooLarge);
        let handle = self.views.insert(view, self.data.tag).ok_or(full)?;
        self.look_around();
        Ok(ViewId(handle))
    }

    /// Moves a view.
    ///
    /// # Errors
    /// [`SceneError::StaleView`] or [`SceneError::ForeignView`].
    #[doc(alias = "setViewMatrix")]
    pub fn set_view(&mut self, id: ViewId, view: View<N>) -> Result<(), SceneError> {
        self.check_view(id)?;
        let place = self.views.get_mut(id.0).ok_or(SceneError::StaleView)?;
        let before = std::mem::replace(place, view);
        if before != view {
            self.look_around();
        }
        Ok(())
    }

    /// Removes a view. Its handle becomes stale; its slot is used again.
    ///
    /// # Errors
    /// [`SceneError::StaleView`] or [`SceneError::ForeignView`].
    pub fn remove_view(&mut self, id: ViewId) -> Result<(), SceneError> {
        self.check_view(id)?;
        self.views.remove(id.0).ok_or(SceneError::StaleView)?;
        self.look_around();
        Ok(())
    }

    /// Returns a view; `None` if it was removed or is from another scene.
    #[must_use]
    pub fn view(&self, id: ViewId) -> Option<&View<N>> {
        self.check_view(id).ok()?;
        self.views.get(id.0)
    }

    /// Returns all views with their handles.
    pub fn views(&self) -> impl Iterator<Item = (ViewId, &View<N>)> {
        self.views.iter(self.data.tag).map(|(handle, view)| (ViewId(handle), view))
    }

    fn check_view(&self, id: ViewId) -> Result<(), SceneError> {
        if id.0.is_of(self.data.tag) { Ok(()) } else { Err(SceneError::ForeignView) }
    }

    fn look_around(&mut self) {
        self.eyes.clear();
        self.eyes.extend(self.views.iter(self.data.tag).map(|(_, view)| view.position()));
        for module in &mut self.data.modules {
            // A rule without a weight of distance does not read positions.
            if module.used_fields.position {
                module.rows.dirty.mark_all();
            }
        }
    }
}
