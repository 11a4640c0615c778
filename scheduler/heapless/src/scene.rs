//! What the user builds: modules and actors, and who looks at them.

use heapless::Vec;
use lodger_core::Real;
use lodger_core::budget::{
    Bid, Book, Decision, Leftovers, Overload, Policy, Request, Room, Stability, Standing, decide,
};
use lodger_core::calibration::{Headroom, HeadroomTarget};
use lodger_core::error::Quantity;
use lodger_core::units::Budget;

use crate::column::Column;
use crate::handle::{ActorId, Full, ModuleId, SceneError, Slots};
use crate::ladders::{LadderTable, Section};
use crate::module_data::ModuleData;
use crate::rows::Rows;

/// How many eyes may look at a scene.
pub const MAX_EYES: usize = 4;

/// Up to `ACTORS` actors at several levels of detail each, in up to `MODULES` modules, and a budget that
/// all of them share.
///
/// `N` is the number type that benefits are computed in; see [`lodger_core::real`]. `COSTS` is how many
/// levels the different ladders have in all: actors of a module with the same work and the same valid
/// levels share one.
///
/// # Examples
/// A scene that is a static takes no stack, and does not depend on luck for its memory.
/// ```
/// use std::sync::Mutex;
/// use lodger_heapless::{Fixed, Scene};
///
/// static SCENE: Mutex<Scene<Fixed, 2, 16, 10>> = Mutex::new(Scene::new());
/// # assert!(SCENE.lock().unwrap().is_empty());
/// ```
#[derive(Debug, Clone)]
pub struct Scene<N: Real, const MODULES: usize, const ACTORS: usize, const COSTS: usize> {
    policy: Policy,
    pub(crate) form: PolicyFn,
    pub(crate) stability: Stability,
    pub(crate) max_raises: Option<u32>,
    pub(crate) standing: Standing,
    pub(crate) headroom: Headroom,
    pub(crate) headroom_target: Option<HeadroomTarget>,
    pub(crate) count_unmanaged: bool,
    pub(crate) eyes: Vec<[N; 3], MAX_EYES, u8>,
    pub(crate) modules: Vec<ModuleData<N>, MODULES, u16>,
    pub(crate) slots: Slots<ACTORS>,
    pub(crate) rows: Rows<N, ACTORS>,
    pub(crate) ladders: LadderTable<COSTS>,
    /// What a tick works in.
    pub(crate) bids: Column<Bid, ACTORS>,
    /// That of the last tick, if there was one.
    pub(crate) outcome: Option<TickOutcome>,
    pub(crate) overload: Overload,
}

impl<N: Real, const MODULES: usize, const ACTORS: usize, const COSTS: usize> Default
    for Scene<N, MODULES, ACTORS, COSTS>
{
    fn default() -> Self {
        Self::new()
    }
}

impl<N: Real, const MODULES: usize, const ACTORS: usize, const COSTS: usize>
    Scene<N, MODULES, ACTORS, COSTS>
{
    /// An empty scene. More than 256 modules, or 65 535 actors or levels, do not compile.
    #[must_use]
    pub const fn new() -> Self {
        const { assert!(MODULES <= 1 << u8::BITS) };
        Self {
            policy: Policy::Proportional(Leftovers::AcrossModules),
            form: proportional,
            stability: Stability::OFF,
            max_raises: None,
            standing: Standing { price: None, scale: None },
            headroom: Headroom::NONE,
            headroom_target: Some(HeadroomTarget::DEFAULT),
            count_unmanaged: true,
            eyes: Vec::new(),
            modules: Vec::new(),
            slots: Slots::new(),
            rows: Rows::new(),
            ladders: LadderTable::new(),
            bids: Column::new(),
            outcome: None,
            overload: Overload::NONE,
        }
    }

    /// Sets how the budget is divided: [`Policy::Proportional`] with [`Leftovers::AcrossModules`] unless
    /// this is called. The optimal policy has no memory for trials here, and is not linked into a program
    /// that never asks for it.
    #[inline]
    pub const fn set_policy(&mut self, policy: Policy) {
        self.policy = policy;
        self.form = match policy {
            Policy::Proportional(_) => proportional,
            Policy::Optimal => optimal,
        };
    }

    /// How the budget is divided.
    #[must_use]
    pub const fn policy(&self) -> Policy {
        self.policy
    }

    /// Sets what a change must earn: nothing, unless this is called. [`Stability::STEADY`] is for a camera
    /// that moves and prices that are measured.
    pub const fn set_stability(&mut self, stability: Stability) {
        self.stability = stability;
    }

    /// What a change must earn.
    #[must_use]
    pub const fn stability(&self) -> Stability {
        self.stability
    }

    /// Sets how many actors a tick may raise above their last level, the worthiest first; `None`, as it
    /// is at first, for all.
    pub const fn set_max_raises(&mut self, most: Option<u32>) {
        self.max_raises = most;
    }

    /// How many actors a tick may raise.
    #[must_use]
    pub const fn max_raises(&self) -> Option<u32> {
        self.max_raises
    }

    /// Sets whether the actors of modules that are not managed are paid from the budget. They are,
    /// unless this is called; APEX 1.3 left them off the books.
    pub const fn set_count_unmanaged(&mut self, count: bool) {
        self.count_unmanaged = count;
    }

    /// Whether the actors of modules that are not managed are paid from the budget.
    #[must_use]
    pub const fn counts_unmanaged(&self) -> bool {
        self.count_unmanaged
    }

    /// Sets from where the scene is seen, in metres: an actor's importance is that to the nearest eye.
    /// Without one, as at first, the distance importance of all actors is 0.
    ///
    /// # Errors
    /// [`Full::Eyes`] for more than [`MAX_EYES`]; [`SceneError::Invalid`] for a place that is not finite.
    #[doc(alias = "setViewMatrix")]
    pub fn look_from(&mut self, eyes: &[[N; 3]]) -> Result<(), SceneError> {
        for along in eyes.iter().flatten() {
            along.finite(Quantity::Position)?;
        }
        self.eyes = Vec::from_slice(eyes).map_err(|_| Full::Eyes)?;
        Ok(())
    }

    /// From where the scene is seen, in metres.
    #[must_use]
    pub fn eyes(&self) -> &[[N; 3]] {
        &self.eyes
    }

    pub(crate) fn module_index(&self, id: ModuleId) -> Result<usize, SceneError> {
        if id.index() < self.modules.len() { Ok(id.index()) } else { Err(SceneError::NoSuchModule) }
    }

    pub(crate) fn module(&self, id: ModuleId) -> Option<&ModuleData<N>> {
        self.modules.get(id.index())
    }

    pub(crate) fn module_mut(&mut self, id: ModuleId) -> Result<&mut ModuleData<N>, SceneError> {
        self.modules.get_mut(id.index()).ok_or(SceneError::NoSuchModule)
    }

    /// The first row of a module.
    pub(crate) fn start(&self, module: usize) -> usize {
        self.modules.iter().take(module).map(|roster| usize::from(roster.rows)).sum()
    }

    /// What of the ladders belongs to a module.
    pub(crate) fn section(&self, module: usize) -> Section {
        let mut section = Section { first: 0, ladders: 0, start: 0, levels: 0 };
        for roster in self.modules.iter().take(module.wrapping_add(1)) {
            section.first = section.first.wrapping_add(section.ladders);
            section.start = section.start.wrapping_add(section.levels);
            (section.ladders, section.levels) = (roster.ladders.into(), roster.levels.into());
        }
        section
    }

    /// The row of an actor.
    pub(crate) fn row(&self, id: ActorId) -> Result<usize, SceneError> {
        let row = self.slots.row(id).filter(|&row| self.is_in(row, id.slot()));
        row.ok_or(SceneError::StaleActor)
    }

    /// Whether a row is that of a slot.
    pub(crate) fn is_in(&self, row: usize, slot: usize) -> bool {
        self.rows.slot.get(row).is_some_and(|&other| usize::try_from(other) == Ok(slot))
    }

    /// The module of a row that is there.
    pub(crate) fn module_of_row(&self, row: usize) -> usize {
        let mut end = 0_usize;
        let before = self.modules.iter().take_while(|roster| {
            end = end.wrapping_add(roster.rows.into());
            end <= row
        });
        before.count()
    }

    /// The module of an actor, and its row.
    pub(crate) fn place(&self, id: ActorId) -> Result<(usize, usize), SceneError> {
        let row = self.row(id)?;
        Ok((self.module_of_row(row), row))
    }

    /// The ladder of a row.
    pub(crate) fn ladder_of(&self, row: usize) -> usize {
        self.rows.ladder.get(row).map_or(0, |&ladder| usize::try_from(ladder).unwrap_or(usize::MAX))
    }
}

/// What the last tick decided for the scene as a whole.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TickOutcome {
    pub(crate) budget: Budget,
    /// In nanoseconds.
    pub(crate) fixed: u64,
    pub(crate) headroom: Headroom,
    pub(crate) decision: Decision,
}

/// Decides by the policy of the request.
pub(crate) type PolicyFn = fn(&Request, &mut Standing, &mut [Book<'_>], Room<'_>) -> Decision;

/// The [`PolicyFn`] of the proportional policy; any other is taken for what it is by default.
fn proportional(
    request: &Request,
    standing: &mut Standing,
    books: &mut [Book<'_>],
    room: Room<'_>,
) -> Decision {
    let leftovers = match request.policy {
        Policy::Proportional(leftovers) => leftovers,
        Policy::Optimal => Leftovers::default(),
    };
    let request = Request { policy: Policy::Proportional(leftovers), ..*request };
    decide(&request, standing, books, room)
}

/// The [`PolicyFn`] of the optimal policy.
fn optimal(
    request: &Request,
    standing: &mut Standing,
    books: &mut [Book<'_>],
    room: Room<'_>,
) -> Decision {
    decide(&Request { policy: Policy::Optimal, ..*request }, standing, books, room)
}
