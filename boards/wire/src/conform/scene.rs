//! Vectors of whole scenes over two ticks, and the trait that runs them. Numbers of actors and rules are the bits of
//! the number type.

use heapless::Vec;
use lodger_core::benefit::{ActorState, BenefitRule, BenefitTerms, OutsideFactor, Weights};
use lodger_core::budget::{Hysteresis, Policy, Scale};
use lodger_core::error::{Quantity, ValueProblem};
use lodger_core::units::UnitCost;
use lodger_core::view::View;
use lodger_core::{Benefit, ValueError};
use serde::{Deserialize, Serialize};

use super::decision::policy;
use super::importance::RowVector;
use super::number::{MODULES, Number, NumberType, ROWS, Words, push, push_index, push_wide};
use super::view::{VIEWS, ViewVector};

/// The maximum number of levels of all ladders, two for each module.
pub const LEVELS: usize = 2 * ROWS * MODULES;
/// The number of ticks.
pub const TICKS: usize = 2;

/// A scene over two ticks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SceneVector {
    /// The budget of each tick, in nanoseconds.
    pub budgets: [u64; TICKS],
    /// The policy: 0 to 3 are proportional with [`Leftovers`](lodger_core::budget::Leftovers) kept, within a module,
    /// across modules and of the whole budget; any other number is optimal, without local search.
    pub policy: u8,
    /// The hysteresis: margin and dead band, in 2⁻⁸.
    pub hysteresis: [u8; 2],
    /// The maximum number of upgrades in a tick.
    pub max_upgrades: Option<u8>,
    /// Whether the budget pays for modules that are not managed.
    pub is_unmanaged_in_budget: bool,
    /// The views in each tick.
    pub views: Vec<[ViewVector; TICKS], VIEWS>,
    /// The modules.
    pub modules: Vec<ModuleVector, MODULES>,
}

/// A module with its actors.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModuleVector {
    /// The unit cost, in 2⁻³² ns.
    pub unit_cost: u64,
    /// Nanoseconds per unit of benefit.
    pub benefit_value: u32,
    /// Whether the scheduler chooses levels.
    pub managed: bool,
    /// The highest level of an actor that is not forced.
    pub cap: Option<u8>,
    /// The priority of the module, in 1/4096.
    pub priority: u16,
    /// The factor of benefits outside of views, in 1/4096.
    pub outside: u16,
    /// The constant part of the work, in units.
    pub overhead: u32,
    /// The distance of importance 0, in metres.
    pub max_distance: Option<u32>,
    /// The age of importance 0, in seconds; with one, age weighs as much as distance.
    pub max_age: Option<u32>,
    /// The work at each level, in units, not decreasing.
    pub work: Vec<u32, ROWS>,
    /// The lowest and the highest level of confined actors.
    pub range: [u8; 2],
    /// The actors.
    pub actors: Vec<ActorVector, ROWS>,
    /// Measured units of work between the ticks, and their time in nanoseconds.
    pub measured: Option<(u32, u32)>,
    /// The index of the actor that leaves between the ticks.
    pub leaves: Option<u8>,
}

/// An actor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActorVector {
    /// The state.
    pub row: RowVector,
    /// The benefit in 2⁻¹⁶, if it is given.
    pub given: Option<u32>,
    /// Whether levels are confined to the range of the module.
    pub confined: bool,
    /// The forced level, if there is one.
    pub forced: Option<u8>,
    /// The priority of the actor, in 1/4096.
    pub priority: u16,
}

impl SceneVector {
    /// The policy of the scene.
    #[must_use]
    pub const fn policy(&self) -> Policy {
        policy(self.policy)
    }

    /// The hysteresis of the scene.
    #[must_use]
    pub const fn hysteresis(&self) -> Hysteresis {
        let [margin, reserve] = self.hysteresis;
        Hysteresis { margin, dead_band: reserve }
    }

    /// The views of a tick.
    ///
    /// # Errors
    /// If the numbers are no valid view.
    pub fn views<N: Number>(&self, tick: usize) -> Result<Vec<View<N>, VIEWS>, ValueError> {
        self.views.iter().filter_map(|view| view.get(tick)).map(ViewVector::view).collect()
    }
}

impl ModuleVector {
    /// The unit cost of the module.
    ///
    /// # Errors
    /// If it is 0.
    pub fn unit_cost(&self) -> Result<UnitCost, ValueError> {
        let error = ValueError::new(Quantity::UnitCost, ValueProblem::NotPositive);
        UnitCost::from_bits(self.unit_cost).ok_or(error)
    }

    /// The factor of benefits outside of views.
    ///
    /// # Errors
    /// If it is above 1.
    pub fn outside(&self) -> Result<OutsideFactor, ValueError> {
        OutsideFactor::new(f64::from(self.outside) / 4096.0)
    }

    /// The benefit rule of the module.
    ///
    /// # Errors
    /// If the numbers are no valid rule.
    pub fn rule<N: Number>(&self) -> Result<BenefitRule<N>, ValueError> {
        let half = N::from_f64(0.5).unwrap_or(N::ZERO);
        BenefitRule::new(BenefitTerms {
            max_distance: self.max_distance.map(N::from_word),
            weights: match self.max_age {
                Some(_) => Weights::new(half, half, N::ZERO)?,
                None => Weights::DISTANCE,
            },
            max_age: self.max_age.map(N::from_word),
            ..BenefitTerms::default()
        })
    }
}

impl ActorVector {
    /// The benefit of the actor, if it is given.
    #[must_use]
    pub fn given(&self) -> Option<Benefit> {
        self.given.map(Benefit::from_bits)
    }

    /// The state of the actor in a number type.
    #[must_use]
    pub fn state<N: Number>(&self) -> ActorState<N> {
        self.row.state()
    }

    /// The bounding radius, in metres.
    #[must_use]
    pub fn radius<N: Number>(&self) -> N {
        N::from_word(self.row.radius)
    }
}

/// Runs scene vectors in a scheduler.
pub trait SceneBackend {
    /// Builds the scene in a number type, runs its ticks and writes the result of each.
    ///
    /// # Errors
    /// If the scene rejects a value.
    fn run_scene(
        &mut self,
        backend: NumberType,
        vector: &SceneVector,
        response: &mut ResponseWriter<'_>,
    ) -> Result<(), SceneFailure>;
}

/// The reason why a scene has no plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SceneFailure {
    /// A value is invalid.
    Value(ValueError),
    /// The scene rejects the vector, for example because it is full.
    Scene,
}

impl From<ValueError> for SceneFailure {
    fn from(error: ValueError) -> Self {
        Self::Value(error)
    }
}

/// The result of a tick for the scene.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SceneResult {
    /// The factor on every target.
    pub scale: Scale,
    /// Nanoseconds of reserved costs and minimums above the budget.
    pub overcommit: u64,
    /// The reserved cost, in nanoseconds.
    pub reserved: u64,
    /// The cost of the plan, in nanoseconds.
    pub assigned: u64,
    /// The number of changed levels.
    pub switches: u32,
    /// The number of quarantined actors.
    pub quarantined: usize,
}

/// The result of a tick for a module.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ModuleResult {
    /// The cost of actors and overhead, in nanoseconds.
    pub assigned: u64,
    /// The work of all actors, in units.
    pub units: u64,
    /// The planned unit cost.
    pub unit_cost: UnitCost,
}

/// Writes the results of a scene into a response.
#[derive(Debug)]
pub struct ResponseWriter<'w>(pub(super) &'w mut Words);

impl ResponseWriter<'_> {
    /// Writes the result for the scene.
    pub fn scene(&mut self, decided: SceneResult) {
        let SceneResult { scale, overcommit, reserved, assigned, switches, quarantined } = decided;
        for value in [scale.bits(), overcommit, reserved, assigned] {
            push_wide(self.0, value);
        }
        push(self.0, switches);
        push_index(self.0, quarantined);
    }

    /// Writes the result for a module, and the levels of its actors in the order of the vector; `None` for an actor
    /// that left.
    pub fn module(&mut self, decided: ModuleResult, levels: impl Iterator<Item = Option<u8>>) {
        let ModuleResult { assigned, units, unit_cost } = decided;
        for value in [assigned, units, unit_cost.bits()] {
            push_wide(self.0, value);
        }
        let mut four = [u8::MAX; ROWS];
        four.iter_mut().zip(levels).for_each(|(place, level)| *place = level.unwrap_or(u8::MAX));
        for &four in four.as_chunks().0 {
            push(self.0, u32::from_le_bytes(four));
        }
    }
}
