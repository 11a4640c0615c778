//! What the user builds: views, modules and actors, and the budget for all of them.

use lodger_core::Real;
use lodger_core::budget::{Policy, Stability};
use lodger_core::calibration::{Headroom, HeadroomTarget};
use lodger_core::error::{Error, Problem, Quantity};
use lodger_core::units::Budget;

use crate::handle::{SceneError, ViewId};
use crate::input::View;
use crate::parallel::Vectors;
use crate::scene_data::SceneData;
use crate::slots::Slots;
use crate::states::StateColumns;

/// Actors at several levels of detail each, and a budget that all of them share.
///
/// `N` is the number type that benefits are computed in; see [`lodger_core::real`].
#[derive(Debug, Clone)]
pub struct Scene<N: Real = f32> {
    pub(crate) data: SceneData,
    views: Slots<View<N>>,
    pub(crate) eyes: Vec<[N; 3]>,
    /// The states of the actors of each module.
    pub(crate) states: Vec<StateColumns<N>>,
}

impl<N: Real> Scene<N> {
    /// An empty scene.
    #[must_use]
    pub fn new(budget: Budget) -> Self {
        Self {
            data: SceneData::new(budget),
            views: Slots::default(),
            eyes: Vec::new(),
            states: Vec::new(),
        }
    }

    /// Sets which vectors ticks use, so that tests can compare them.
    #[doc(hidden)]
    pub fn set_vectors(&mut self, vectors: Vectors) {
        self.data.vectors = vectors;
    }

    /// Sets how many rows, of 64 at least, are one piece of work for a thread, however many actors there are,
    /// so that tests can compare few of them.
    #[doc(hidden)]
    pub fn set_piece(&mut self, rows: Option<usize>) {
        self.data.chunk_rows = rows;
    }

    /// Sets what a tick may spend.
    #[doc(alias = "setLODResourceBudget")]
    pub fn set_budget(&mut self, budget: Budget) {
        self.data.budget = budget;
    }

    /// What the next tick may spend.
    #[must_use]
    pub fn budget(&self) -> Budget {
        self.data.budget
    }

    /// Sets how the budget is divided: [`Policy::Proportional`] with
    /// [`Leftovers::AcrossModules`](crate::Leftovers::AcrossModules) unless this is called.
    pub fn set_policy(&mut self, policy: Policy) {
        self.data.policy = policy;
    }

    /// How the budget is divided.
    #[must_use]
    pub fn policy(&self) -> Policy {
        self.data.policy
    }

    /// Sets what a change must earn: nothing, unless this is called. [`Stability::STEADY`] is for a camera
    /// that moves and prices that are measured.
    pub fn set_stability(&mut self, stability: Stability) {
        self.data.stability = stability;
    }

    /// What a change must earn.
    #[must_use]
    pub fn stability(&self) -> Stability {
        self.data.stability
    }

    /// Sets how many actors a tick may raise above their last level, the worthiest first; `None`, as it
    /// is at first, for all.
    pub fn set_max_raises(&mut self, most: Option<u32>) {
        self.data.max_raises = most;
    }

    /// How many actors a tick may raise.
    #[must_use]
    pub fn max_raises(&self) -> Option<u32> {
        self.data.max_raises
    }

    /// Sets with how many trials the optimal policy looks for a better plan where its own is not proven
    /// to be within 2⁻¹⁰ of the best: 512 unless this is called; 0 for none. More take more time and
    /// memory, and are rarely needed for more than a few hundred actors.
    pub fn set_trials(&mut self, trials: usize) {
        self.data.most_trials = trials;
    }

    /// With how many trials the optimal policy looks for a better plan.
    #[must_use]
    pub fn trials(&self) -> usize {
        self.data.most_trials
    }

    /// Sets whether the actors of modules that are not managed are paid from the budget. They are,
    /// unless this is called; APEX 1.3 left them off the books.
    pub fn set_count_unmanaged(&mut self, count: bool) {
        self.data.count_unmanaged = count;
    }

    /// Whether the actors of modules that are not managed are paid from the budget.
    #[must_use]
    pub fn counts_unmanaged(&self) -> bool {
        self.data.count_unmanaged
    }

    /// Sets in which part of all ticks the work may take more than the budget: one in a thousand, unless
    /// this is called. `None` plans with the whole budget; so does an unlimited one, and a scene in
    /// which nothing is [`measured`](Self::measured). Where the budget is not time it must be `None`
    /// if times are measured nevertheless.
    ///
    /// What a tick's plan took is what modules reported until the next tick; one that did not is
    /// counted with what was planned, and modules off the books not at all. Until every module that
    /// reports work has been measured [`SETTLING`](lodger_core::calibration::SETTLING) times, its unit
    /// cost is an assumption, and what that breaks is not taken for noise.
    pub fn set_headroom_target(&mut self, target: Option<HeadroomTarget>) {
        self.data.headroom_target = target;
        if target.is_none() {
            self.data.headroom = Headroom::NONE;
        }
    }

    /// In which part of all ticks the work may take more than the budget.
    #[must_use]
    pub fn headroom_target(&self) -> Option<HeadroomTarget> {
        self.data.headroom_target
    }

    /// Sets whether ticks list who has another level than before; see
    /// [`Plan::changes`](crate::Plan::changes). They do not, unless this is called.
    pub fn track_changes(&mut self, track: bool) {
        self.data.changes.wanted = track;
    }

    /// Whether ticks list who has another level than before.
    #[must_use]
    pub fn tracks_changes(&self) -> bool {
        self.data.changes.wanted
    }

    /// Adds a view. Without one, the distance importance of all actors is 0.
    ///
    /// # Errors
    /// [`Problem::TooLarge`] for more than 2²⁴ − 1 views.
    #[doc(alias = "allocViewMatrix")]
    pub fn add_view(&mut self, view: View<N>) -> Result<ViewId, SceneError> {
        let full = Error::new(Quantity::Count, Problem::TooLarge);
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

    /// Takes a view away. Its handle is stale from now on; its slot is used again.
    ///
    /// # Errors
    /// [`SceneError::StaleView`] or [`SceneError::ForeignView`].
    pub fn remove_view(&mut self, id: ViewId) -> Result<(), SceneError> {
        self.check_view(id)?;
        self.views.remove(id.0).ok_or(SceneError::StaleView)?;
        self.look_around();
        Ok(())
    }

    /// A view as it was set last; `None` if it was removed or is another scene's.
    #[must_use]
    pub fn view(&self, id: ViewId) -> Option<&View<N>> {
        self.check_view(id).ok()?;
        self.views.get(id.0)
    }

    /// All views with their handles.
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
            // A rule without a weight on distance does not read positions.
            if module.weighed.position {
                module.rows.dirty.mark_all();
            }
        }
    }
}
