//! The part of a scene that does not depend on its number type.

use std::collections::HashMap;

use lodger_core::budget::{
    Carryover, Decision, Hysteresis, LoadTracker, Move, Policy, Request, Upgrade,
};
use lodger_core::calibration::{HeadroomTarget, HeadroomTracker, OwnCost};
use lodger_core::units::Budget;

use crate::changes::ChangeList;
use crate::decision::ActorPlan;
use crate::handle::{ActorId, ActorLocation, ModuleId, SceneError, SceneTag, Slots};
use crate::module_data::ModuleData;
use crate::parallel::{ExecutionSettings, SimdLevel};

const SEARCH_MOVES: usize = 512;

/// A scene without its views and the states of its actors. Some fields are kept for their memory.
#[derive(Debug, Clone)]
pub(crate) struct SceneData {
    pub(crate) tag: SceneTag,
    pub(crate) budget: Budget,
    pub(crate) policy: Policy,
    pub(crate) hysteresis: Hysteresis,
    pub(crate) max_upgrades: Option<u32>,
    pub(crate) carryover: Carryover,
    pub(crate) headroom: HeadroomTracker,
    pub(crate) frame_end: FrameEnd,
    pub(crate) headroom_target: Option<HeadroomTarget>,
    pub(crate) own_cost: Option<OwnCost>,
    pub(crate) unmanaged_in_budget: bool,
    pub(crate) cautious_start: bool,
    pub(crate) modules: Vec<ModuleData>,
    /// The numbers of the modules in the last decision.
    pub(crate) occupied: Vec<u16>,
    pub(crate) actors: Slots<ActorLocation>,
    pub(crate) upgrades: Vec<Upgrade>,
    pub(crate) search_moves: usize,
    pub(crate) moves: Vec<Move>,
    pub(crate) outcome: TickOutcome,
    /// The conditions of repeating the last decision; `None` if the next tick decides.
    pub(crate) repeatable: Option<Repeatable>,
    /// Whether a tick with the inputs of the last one repeats its decision.
    pub(crate) repeats: bool,
    /// The plans of actors that were changed since the last tick, by slot.
    pub(crate) plan_overrides: HashMap<u32, ActorPlan>,
    pub(crate) changes: ChangeList,
    pub(crate) simd_level: SimdLevel,
    pub(crate) chunk_rows: Option<usize>,
}

/// The end of a frame, whose time the headroom follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FrameEnd {
    /// There was no tick.
    None,
    /// The next tick.
    Tick,
    /// A call of [`frame_done`](crate::Scene::frame_done).
    Call,
}

/// The dependencies of a decision beside the request and the modules' inputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Repeatable {
    pub(crate) moves: usize,
    /// Whether the decision left all levels, and the state that it carries over, as they were.
    pub(crate) is_settled: bool,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct TickOutcome {
    pub(crate) request: Request,
    pub(crate) decision: Decision,
    pub(crate) quarantined: usize,
    pub(crate) load_tracker: LoadTracker,
}

impl SceneData {
    pub(crate) fn new(budget: Budget) -> Self {
        Self {
            tag: SceneTag::next(),
            budget,
            policy: Policy::default(),
            hysteresis: Hysteresis::OFF,
            max_upgrades: None,
            carryover: Carryover::default(),
            headroom: HeadroomTracker::NEW,
            frame_end: FrameEnd::None,
            headroom_target: Some(HeadroomTarget::DEFAULT),
            own_cost: None,
            unmanaged_in_budget: true,
            cautious_start: false,
            modules: Vec::new(),
            occupied: Vec::new(),
            actors: Slots::default(),
            upgrades: Vec::new(),
            search_moves: SEARCH_MOVES,
            moves: Vec::new(),
            outcome: TickOutcome {
                request: Request { budget, ..Request::default() },
                decision: Decision::default(),
                quarantined: 0,
                load_tracker: LoadTracker::default(),
            },
            repeatable: None,
            repeats: true,
            plan_overrides: HashMap::new(),
            changes: ChangeList::default(),
            simd_level: SimdLevel::default(),
            chunk_rows: None,
        }
    }

    pub(crate) fn execution(&self) -> ExecutionSettings {
        ExecutionSettings::new(self.simd_level, self.actors.len(), self.chunk_rows)
    }

    #[inline]
    pub(crate) fn module_index(&self, id: ModuleId) -> Result<usize, SceneError> {
        if !id.is_of(self.tag) {
            return Err(SceneError::ForeignModule);
        }
        let index = usize::from(id.index());
        if index < self.modules.len() { Ok(index) } else { Err(SceneError::NoSuchModule) }
    }

    pub(crate) fn module(&self, id: ModuleId) -> Option<&ModuleData> {
        self.module_index(id).ok().map(|index| &self.modules[index])
    }

    pub(crate) fn module_mut(&mut self, id: ModuleId) -> Result<&mut ModuleData, SceneError> {
        let index = self.module_index(id)?;
        Ok(&mut self.modules[index])
    }

    #[inline]
    pub(crate) fn location(&self, id: ActorId) -> Result<ActorLocation, SceneError> {
        if !id.0.is_of(self.tag) {
            return Err(SceneError::ForeignActor);
        }
        self.actors.get(id.0).copied().ok_or(SceneError::StaleActor)
    }

    pub(crate) fn row(&self, id: ActorId) -> Option<(&ModuleData, usize)> {
        let location = self.location(id).ok()?;
        Some((&self.modules[usize::from(location.module)], location.row as usize))
    }

    pub(crate) fn row_mut(&mut self, id: ActorId) -> Result<(&mut ModuleData, usize), SceneError> {
        let location = self.location(id)?;
        Ok((&mut self.modules[usize::from(location.module)], location.row as usize))
    }

    pub(crate) fn swap_rows(&mut self, module: u16, a: u32, b: u32) {
        let rows = &mut self.modules[usize::from(module)].rows;
        rows.swap(a as usize, b as usize);
        for row in [a, b] {
            if let Some(place) = self.actors.at_mut(rows.slot[row as usize]) {
                *place = ActorLocation { module, row };
            }
        }
    }
}
