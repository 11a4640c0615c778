//! What the user builds: views, modules and actors, and the budget for all of them.

use std::collections::HashMap;

use lodger_core::Real;
use lodger_core::budget::{Bid, Policy, Stability, Standing, Trial};
use lodger_core::calibration::{Headroom, HeadroomTarget};
use lodger_core::error::{Error, Problem, Quantity};
use lodger_core::units::Budget;

use crate::changes::{ChangeList, Place};
use crate::decision::ActorPlan;
use crate::error::SceneError;
use crate::handle::{ActorId, ModuleId, SceneTag, ViewId};
use crate::outcome::Outcome;
use crate::roster::Roster;
use crate::slots::Slots;
use crate::vectors::Vectors;
use crate::view::View;

/// So many trials are made unless somebody says otherwise.
const TRIALS: usize = 512;

/// Actors at several levels of detail each, and a budget that all of them share.
///
/// `N` is the number type that benefits are computed in; see [`lodger_core::real`].
#[derive(Debug, Clone)]
pub struct Scene<N: Real = f32> {
    pub(crate) tag: SceneTag,
    pub(crate) budget: Budget,
    pub(crate) policy: Policy,
    pub(crate) stability: Stability,
    pub(crate) max_raises: Option<u32>,
    pub(crate) standing: Standing,
    pub(crate) headroom: Headroom,
    pub(crate) headroom_target: Option<HeadroomTarget>,
    pub(crate) count_unmanaged: bool,
    views: Slots<View<N>>,
    pub(crate) eyes: Vec<[N; 3]>,
    pub(crate) modules: Vec<Roster<N>>,
    /// The numbers of the modules that the ledger decided for last, kept for their memory.
    pub(crate) occupied: Vec<u16>,
    pub(crate) actors: Slots<Place>,
    /// Kept from tick to tick for its memory.
    pub(crate) bids: Vec<Bid>,
    /// How many trials the user wants.
    pub(crate) most_trials: usize,
    /// Those of the last tick of the optimal policy, kept for their memory.
    pub(crate) trials: Vec<Trial>,
    pub(crate) outcome: Outcome,
    /// What the last tick decided for actors that were changed since, by slot.
    pub(crate) kept: HashMap<u32, ActorPlan>,
    pub(crate) changes: ChangeList,
    pub(crate) vectors: Vectors,
    /// So many rows are one piece of work for a thread, if somebody says so.
    pub(crate) piece: Option<usize>,
}

impl<N: Real> Scene<N> {
    /// An empty scene.
    #[must_use]
    pub fn new(budget: Budget) -> Self {
        Self {
            tag: SceneTag::next(),
            budget,
            policy: Policy::default(),
            stability: Stability::OFF,
            max_raises: None,
            standing: Standing::default(),
            headroom: Headroom::NONE,
            headroom_target: Some(HeadroomTarget::DEFAULT),
            count_unmanaged: true,
            views: Slots::default(),
            eyes: Vec::new(),
            modules: Vec::new(),
            occupied: Vec::new(),
            actors: Slots::default(),
            bids: Vec::new(),
            most_trials: TRIALS,
            trials: Vec::new(),
            outcome: Outcome::new(budget),
            kept: HashMap::new(),
            changes: ChangeList::default(),
            vectors: Vectors::default(),
            piece: None,
        }
    }

    /// Sets which vectors ticks use, so that tests can compare them.
    #[doc(hidden)]
    pub fn set_vectors(&mut self, vectors: Vectors) {
        self.vectors = vectors;
    }

    /// Sets how many rows, of 64 at least, are one piece of work for a thread, however many actors there are,
    /// so that tests can compare few of them.
    #[doc(hidden)]
    pub fn set_piece(&mut self, rows: Option<usize>) {
        self.piece = rows;
    }

    /// Sets what a tick may spend.
    #[doc(alias = "setLODResourceBudget")]
    pub fn set_budget(&mut self, budget: Budget) {
        self.budget = budget;
    }

    /// What the next tick may spend.
    #[must_use]
    pub fn budget(&self) -> Budget {
        self.budget
    }

    /// Sets how the budget is divided: [`Policy::Proportional`] with
    /// [`Leftovers::AcrossModules`](crate::Leftovers::AcrossModules) unless this is called.
    pub fn set_policy(&mut self, policy: Policy) {
        self.policy = policy;
    }

    /// How the budget is divided.
    #[must_use]
    pub fn policy(&self) -> Policy {
        self.policy
    }

    /// Sets what a change must earn: nothing, unless this is called. [`Stability::STEADY`] is for a camera
    /// that moves and prices that are measured.
    pub fn set_stability(&mut self, stability: Stability) {
        self.stability = stability;
    }

    /// What a change must earn.
    #[must_use]
    pub fn stability(&self) -> Stability {
        self.stability
    }

    /// Sets how many actors a tick may raise above their last level, the worthiest first; `None`, as it
    /// is at first, for all.
    pub fn set_max_raises(&mut self, most: Option<u32>) {
        self.max_raises = most;
    }

    /// How many actors a tick may raise.
    #[must_use]
    pub fn max_raises(&self) -> Option<u32> {
        self.max_raises
    }

    /// Sets with how many trials the optimal policy looks for a better plan where its own is not proven
    /// to be within 2⁻¹⁰ of the best: 512 unless this is called; 0 for none. More take more time and
    /// memory, and are rarely needed for more than a few hundred actors.
    pub fn set_trials(&mut self, trials: usize) {
        self.most_trials = trials;
    }

    /// With how many trials the optimal policy looks for a better plan.
    #[must_use]
    pub fn trials(&self) -> usize {
        self.most_trials
    }

    /// Sets whether the actors of modules that are not managed are paid from the budget. They are,
    /// unless this is called; APEX 1.3 left them off the books.
    pub fn set_count_unmanaged(&mut self, count: bool) {
        self.count_unmanaged = count;
    }

    /// Whether the actors of modules that are not managed are paid from the budget.
    #[must_use]
    pub fn counts_unmanaged(&self) -> bool {
        self.count_unmanaged
    }

    /// Sets whether ticks list who has another level than before; see
    /// [`Plan::changes`](crate::Plan::changes). They do not, unless this is called.
    pub fn track_changes(&mut self, track: bool) {
        self.changes.wanted = track;
    }

    /// Whether ticks list who has another level than before.
    #[must_use]
    pub fn tracks_changes(&self) -> bool {
        self.changes.wanted
    }

    /// Adds a view. Without one, the distance importance of all actors is 0.
    ///
    /// # Errors
    /// [`Problem::TooLarge`] for more than 2²⁴ − 1 views.
    #[doc(alias = "allocViewMatrix")]
    pub fn add_view(&mut self, view: View<N>) -> Result<ViewId, SceneError> {
        let full = Error::new(Quantity::Count, Problem::TooLarge);
        let handle = self.views.insert(view, self.tag).ok_or(full)?;
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
        self.views.iter(self.tag).map(|(handle, view)| (ViewId(handle), view))
    }

    fn check_view(&self, id: ViewId) -> Result<(), SceneError> {
        if id.0.is_of(self.tag) { Ok(()) } else { Err(SceneError::ForeignView) }
    }

    fn look_around(&mut self) {
        self.eyes.clear();
        self.eyes.extend(self.views.iter(self.tag).map(|(_, view)| view.position()));
        for module in &mut self.modules {
            // Without a weight on distance nobody is nearer than before.
            if module.rule.weighed(&[[N::ZERO; 3]]).position {
                module.rows.dirty.mark_all();
            }
        }
    }

    pub(crate) fn module_index(&self, id: ModuleId) -> Result<usize, SceneError> {
        if !id.is_of(self.tag) {
            return Err(SceneError::ForeignModule);
        }
        let index = usize::from(id.index());
        if index < self.modules.len() { Ok(index) } else { Err(SceneError::NoSuchModule) }
    }

    pub(crate) fn roster(&self, id: ModuleId) -> Option<&Roster<N>> {
        self.module_index(id).ok().map(|index| &self.modules[index])
    }

    pub(crate) fn place(&self, id: ActorId) -> Result<Place, SceneError> {
        if !id.0.is_of(self.tag) {
            return Err(SceneError::ForeignActor);
        }
        self.actors.get(id.0).copied().ok_or(SceneError::StaleActor)
    }
}
