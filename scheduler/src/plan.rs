//! What a tick decided, and why.

use std::fmt;

use lodger_core::budget::{Ladder, Lod, LodControl, Rate, Scale};
use lodger_core::units::{Budget, ms};
use lodger_core::{Benefit, Real};

use crate::actor::ActorId;
use crate::module::{ModuleId, ModuleState};
use crate::scene::{Scene, index};

/// Who chose an actor's LOD.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Control {
    /// The ledger.
    Automatic,
    /// The application.
    Forced,
    /// Nobody: the module is disabled and the LOD is the highest.
    Unmanaged,
}

/// Why an actor has the LOD that it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reason {
    /// The application forced it.
    Forced,
    /// The application forced another one, which is not valid for the actor.
    ForcedIntoRange,
    /// The module is disabled: the highest.
    Unmanaged,
    /// The actor's position, age or speed is not a sound number: the lowest, at benefit 0.
    Quarantined,
    /// The budget does not even pay the minimums: the lowest.
    Overcommitted,
    /// The share is below the minimum cost: the lowest.
    Pinned,
    /// The share pays no more.
    Share,
    /// The share pays the highest.
    Highest,
    /// The share was not enough for it; what others left over was.
    Leftovers,
}

impl Reason {
    /// The reason in a few words.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::Forced => "forced",
            Self::ForcedIntoRange => "forced, clamped to its range",
            Self::Unmanaged => "module disabled: highest",
            Self::Quarantined => "quarantined: not a sound state",
            Self::Overcommitted => "minimum: the budget is overcommitted",
            Self::Pinned => "minimum: more than its share",
            Self::Share => "all that its share pays",
            Self::Highest => "highest, within its share",
            Self::Leftovers => "raised from leftovers",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.text())
    }
}

/// What was decided for one actor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ActorPlan {
    /// The actor.
    pub actor: ActorId,
    /// Its module.
    pub module: ModuleId,
    /// Its benefit.
    pub benefit: Benefit,
    /// What it could spend in nanoseconds; `None` if nobody asked the ledger.
    pub share_ns: Option<u64>,
    /// Its level of detail.
    pub lod: Lod,
    /// What that costs, in nanoseconds.
    pub cost_ns: u32,
    /// Who chose the LOD.
    pub control: Control,
    /// Why it is that LOD.
    pub reason: Reason,
}

impl ActorPlan {
    /// What it could spend, in milliseconds.
    #[must_use]
    pub fn share_ms(&self) -> Option<f64> {
        self.share_ns.map(ms)
    }

    /// What its LOD costs, in milliseconds.
    #[must_use]
    pub fn cost_ms(&self) -> f64 {
        ms(self.cost_ns.into())
    }
}

/// What was decided for one module.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ModulePlan<'a> {
    /// The module.
    pub module: ModuleId,
    /// Its name.
    pub name: &'a str,
    /// Whether the ledger chooses the LODs of its actors.
    pub enabled: bool,
    /// How many actors it has.
    pub actors: usize,
    /// The sum of the benefits of all its actors.
    pub benefit: f64,
    /// What its automatic actors may cost when there is enough, in nanoseconds.
    pub target_ns: u64,
    /// What all its actors cost, in nanoseconds.
    pub assigned_ns: u64,
}

impl ModulePlan<'_> {
    /// What its automatic actors may cost when there is enough, in milliseconds.
    #[must_use]
    pub fn target_ms(&self) -> f64 {
        ms(self.target_ns)
    }

    /// What all its actors cost, in milliseconds.
    #[must_use]
    pub fn assigned_ms(&self) -> f64 {
        ms(self.assigned_ns)
    }
}

/// What a tick decided. It lasts until the scene is changed.
#[derive(Debug, Clone, Copy)]
pub struct Plan<'a, N: Real = f32> {
    scene: &'a Scene<N>,
}

impl<'a, N: Real> Plan<'a, N> {
    pub(crate) const fn new(scene: &'a Scene<N>) -> Self {
        Self { scene }
    }

    /// The budget of the tick.
    #[must_use]
    pub fn budget(&self) -> Budget {
        self.scene.budget
    }

    /// The factor on every target; 0 if the budget is infeasible.
    #[must_use]
    pub fn scale(&self) -> Scale {
        self.scene.outcome.decision.scale
    }

    /// Whether the budget pays all fixed charges and minimums.
    #[must_use]
    pub fn is_feasible(&self) -> bool {
        self.overcommit_ns() == 0
    }

    /// By how many nanoseconds fixed charges and minimums exceed the budget.
    #[must_use]
    pub fn overcommit_ns(&self) -> u64 {
        self.scene.outcome.decision.overcommit
    }

    /// What forced actors and, unless they are off the books, disabled modules cost, in nanoseconds.
    #[must_use]
    pub fn fixed_ns(&self) -> u64 {
        self.scene.outcome.fixed
    }

    /// What the plan costs in all, in nanoseconds, fixed charges included. Disabled modules that are
    /// off the books are not, so it may be less than the sum over the modules.
    #[must_use]
    pub fn assigned_ns(&self) -> u64 {
        self.scene.outcome.fixed + self.scene.outcome.decision.assigned
    }

    /// How many actors are quarantined: their position, age or speed is not a sound number.
    #[must_use]
    pub fn quarantined(&self) -> usize {
        self.scene.outcome.quarantined
    }

    /// The LOD of an actor; `None` if its handle is stale.
    #[doc(alias = "getActivePhysicalLod")]
    #[must_use]
    pub fn lod(&self, id: ActorId) -> Option<Lod> {
        let (module, row) = self.scene.place(id).ok()?;
        Some(self.scene.modules[module as usize].rows.lod(row as usize))
    }

    /// All that was decided for an actor; `None` if its handle is stale.
    #[must_use]
    pub fn actor(&self, id: ActorId) -> Option<ActorPlan> {
        let (index, row) = self.scene.place(id).ok()?;
        let (module, row) = (&self.scene.modules[index as usize], row as usize);
        let ladder = module.ladders.as_slices().ladder(module.rows.ladder[row]);
        let (benefit, lod) = (module.rows.benefit[row], module.rows.lod(row));
        let control = module.control(row);
        let rate = Rate::new(module.benefit_value, self.scale());
        let paid = (control == Control::Automatic).then(|| rate.share(benefit));
        Some(ActorPlan {
            actor: id,
            module: ModuleId(index),
            benefit,
            share_ns: paid.map(|share| share.max(ladder.minimum().into())),
            lod,
            cost_ns: ladder.cost(lod),
            control,
            reason: match paid {
                Some(share) => self.reason(module, row, ladder, share),
                None => module.reason(row, lod),
            },
        })
    }

    /// All actors, in the order of their slots.
    pub fn actors(&self) -> impl Iterator<Item = ActorPlan> {
        let plan = *self;
        self.scene.slots.iter().zip(0..).filter_map(move |(slot, index)| {
            plan.actor(ActorId { slot: index, generation: slot.generation })
        })
    }

    /// What was decided for a module.
    #[must_use]
    pub fn module(&self, id: ModuleId) -> Option<ModulePlan<'a>> {
        let module = self.scene.modules.get(id.0 as usize)?;
        let benefits = module.rows.benefit.iter().map(|benefit| u64::from(benefit.bits()));
        Some(ModulePlan {
            module: id,
            name: &module.name,
            enabled: module.enabled,
            actors: module.rows.len(),
            #[allow(clippy::cast_precision_loss)] // below 2^48
            benefit: benefits.sum::<u64>() as f64 / 65_536.0,
            target_ns: if module.enabled { module.account().target() } else { 0 },
            assigned_ns: module.assigned + module.charged,
        })
    }

    /// All modules, in the order in which they were added.
    pub fn modules(&self) -> impl Iterator<Item = ModulePlan<'a>> {
        let plan = *self;
        (0..index(self.scene.modules.len())).filter_map(move |id| plan.module(ModuleId(id)))
    }

    /// Why an automatic actor has its LOD.
    fn reason(self, module: &ModuleState<N>, row: usize, ladder: Ladder<'_>, share: u64) -> Reason {
        let lod = module.rows.lod(row);
        if module.rows.is_quarantined(row) {
            Reason::Quarantined
        } else if !self.is_feasible() {
            Reason::Overcommitted
        } else if u64::from(ladder.cost(lod)) > share.max(ladder.minimum().into()) {
            Reason::Leftovers
        } else if share < u64::from(ladder.minimum()) {
            Reason::Pinned
        } else if lod == ladder.top() {
            Reason::Highest
        } else {
            Reason::Share
        }
    }
}

impl<N: Real> ModuleState<N> {
    fn control(&self, row: usize) -> Control {
        match self.rows.control[row] {
            LodControl::Forced(_) => Control::Forced,
            LodControl::Automatic if self.enabled => Control::Automatic,
            LodControl::Automatic => Control::Unmanaged,
        }
    }

    /// Why an actor that the ledger does not decide on has its LOD.
    fn reason(&self, row: usize, lod: Lod) -> Reason {
        match self.rows.control[row] {
            LodControl::Automatic => Reason::Unmanaged,
            LodControl::Forced(asked) if self.continuous && asked == lod => Reason::Forced,
            LodControl::Forced(asked) if !self.continuous && asked.rounded() == lod => {
                Reason::Forced
            }
            LodControl::Forced(_) => Reason::ForcedIntoRange,
        }
    }
}
