//! The columns that a scene has.

mod factors;
mod optimal;
mod overrides;
mod rule;
mod states;

use core::fmt::Debug;

use lodger_core::Real;
use lodger_core::benefit::BenefitRule;

use crate::index::SlotIndex;
use crate::ladder_shapes::{LadderColumns, LadderShapes};
use crate::own_cost::{SetCost, TickCost};
use crate::qualities::{EvenQualities, QualityRule};
use optimal::ValueColumns;
use states::{MovingStates, PositionColumns};

pub(crate) use factors::{ModulePriority, ModuleSight, PriorityColumn, ViewColumns};
pub(crate) use optimal::OptimalColumns;
pub(crate) use overrides::{KeptOverrides, OverrideColumn};
pub(crate) use rule::{ModuleRule, StaticRule};
pub use states::MAX_EYES;
pub(crate) use states::{Eyes, Lenses, States};

/// The columns of a [`Scene`](crate::Scene): [`Everything`], [`Positions`] or [`GivenBenefits`], or [`Everything`] with
/// [`RuntimeRules`], each of them also without the columns of the optimal policy, in [`Proportional`].
///
/// Others add to them: [`Prioritised`](crate::Prioritised) priorities, [`Graded`](crate::Graded) qualities of levels,
/// [`SelfTimed`](crate::SelfTimed) the measured time of ticks, and [`Viewed`](crate::Viewed) views, for columns with
/// positions. [`FewLadders`](crate::FewLadders) limits the ladders. Scenes of more than 255 actors need
/// [`Large`](crate::Large).
///
/// # Examples
/// ```
/// use lodger_heapless::{Everything, Fixed, GivenBenefits, Positions, Proportional, Scene};
///
/// type SceneOf64<C> = Scene<Fixed, 4, 64, 20, C>;
/// let bytes = [
///     size_of::<SceneOf64<Everything>>(),
///     size_of::<SceneOf64<Positions>>(),
///     size_of::<SceneOf64<Proportional<Positions>>>(),
///     size_of::<SceneOf64<Proportional<GivenBenefits>>>(),
/// ];
/// assert!(bytes.is_sorted_by(|more, less| more > less));
/// ```
pub trait Columns: sealed::Selection {}

/// Columns with positions, of which benefits are computed: [`Everything`] and [`Positions`].
pub trait WithPositions: Columns {}

/// Columns with ages and speeds too: [`Everything`].
pub trait WithMotion: WithPositions {}

/// Columns with the rules of [`RuntimeRules`].
pub trait WithRules: WithPositions {}

/// Columns with the measurements of [`SelfTimed`](crate::SelfTimed).
pub trait WithTickTimes: Columns {}

/// Columns of every policy: all but [`Proportional`].
pub trait WithOptimal: Columns {}

/// Columns with the views of [`Viewed`](crate::Viewed).
pub trait WithViews: WithPositions {}

/// Columns with the qualities of [`Graded`](crate::Graded).
pub trait WithQualities: WithOptimal {}

/// Columns with the priorities of [`Prioritised`](crate::Prioritised).
pub trait WithPriorities: Columns {}

/// Positions, ages and speeds, for every policy: the default.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Everything;

/// Positions without ages and speeds, which are 0 for every actor; for every policy.
///
/// ```
/// # use lodger_heapless::*;
/// let mut scene = Scene::<f32, 1, 8, 3, Positions>::new();
/// let cloth = Module::new(UnitCost::from_ns(500.0)?).benefit_value(BenefitValue::from_ms(2.0)?);
/// let cloth = scene.add_module(cloth)?;
/// scene.set_eyes(&[[0.0; 3]])?;
/// let cape = scene.spawn(cloth, Actor::at([2.0, 0.0, 0.0], 0.8, &[0, 400, 1_600]))?;
/// assert_eq!(scene.tick(Budget::from_ms(0.5)?).level(cape), Some(1));
/// # Ok::<(), SceneError>(())
/// ```
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Positions;

/// [`Everything`], with rules in the scene, for rules that are known only at run time: 64 bytes more for each module.
///
/// ```
/// # use lodger_heapless::*;
/// let mut scene = Scene::<f32, 1, 8, 3, RuntimeRules>::new();
/// let cloth = Module::new(UnitCost::from_ns(500.0)?).benefit_value(BenefitValue::from_ms(2.0)?);
/// let metres = 20.0;
/// let terms = BenefitTerms { max_distance: Some(metres), ..BenefitTerms::default() };
/// let cloth = scene.add_module_with_rule(cloth, BenefitRule::new(terms)?)?;
/// scene.set_eyes(&[[0.0; 3]])?;
/// let cape = scene.spawn(cloth, Actor::at([30.0, 0.0, 0.0], 0.8, &[0, 400, 1_600]))?;
/// assert_eq!(scene.tick(Budget::from_ms(0.5)?).module(cloth).map(|module| module.target_ns), Some(0));
/// # Ok::<(), SceneError>(())
/// ```
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct RuntimeRules;

/// Benefits that the program gives, without positions and rules; for every policy.
///
/// ```
/// # use lodger_heapless::*;
/// let mut scene = Scene::<f32, 1, 8, 3, GivenBenefits>::new();
/// let voices = Module::new(UnitCost::from_ns(10_000.0)?).benefit_value(BenefitValue::from_ms(0.5)?);
/// let voices = scene.add_module(voices)?;
/// let lead = scene.spawn(voices, Actor::from_benefit(Benefit::new(0.9)?, &[1, 8, 32]))?;
/// assert_eq!(scene.tick(Budget::from_ms(0.1)?).level(lead), Some(1));
/// // An actor without a benefit is rejected.
/// assert!(scene.spawn(voices, Actor::at([0.0; 3], 1.0, &[1, 8, 32])).is_err());
/// # Ok::<(), SceneError>(())
/// ```
///
/// It has no positions:
/// ```compile_fail,E0599
/// # use lodger_heapless::*;
/// let mut scene = Scene::<f32, 1, 8, 3, GivenBenefits>::new();
/// scene.set_eyes(&[[0.0; 3]]);
/// ```
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct GivenBenefits;

/// Other columns without those of the optimal policy.
///
/// ```
/// # use lodger_heapless::*;
/// let mut scene = Scene::<f32, 1, 8, 3, Proportional<Positions>>::new();
/// scene.set_leftovers(Leftovers::Keep);
/// assert_eq!(scene.policy(), Policy::Proportional(Leftovers::Keep));
/// ```
///
/// The optimal policy cannot be selected:
/// ```compile_fail,E0599
/// # use lodger_heapless::*;
/// let mut scene = Scene::<f32, 1, 8, 3, Proportional<Positions>>::new();
/// scene.set_policy(Policy::Optimal)?;
/// ```
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Proportional<C = Everything>(core::marker::PhantomData<C>);

impl Columns for Everything {}
impl WithPositions for Everything {}
impl WithMotion for Everything {}
impl WithOptimal for Everything {}

impl Columns for Positions {}
impl WithPositions for Positions {}
impl WithOptimal for Positions {}

impl Columns for RuntimeRules {}
impl WithPositions for RuntimeRules {}
impl WithMotion for RuntimeRules {}
impl WithOptimal for RuntimeRules {}
impl WithRules for RuntimeRules {}

impl Columns for GivenBenefits {}
impl WithOptimal for GivenBenefits {}

impl<C: Columns> Columns for Proportional<C> {}
impl<C: WithPositions> WithPositions for Proportional<C> {}
impl<C: WithMotion> WithMotion for Proportional<C> {}
impl<C: WithRules> WithRules for Proportional<C> {}
impl<C: WithTickTimes> WithTickTimes for Proportional<C> {}

pub(crate) mod sealed {
    use super::{
        Debug, LadderColumns, ModulePriority, ModuleRule, ModuleSight, OptimalColumns,
        OverrideColumn, PriorityColumn, QualityRule, Real, SlotIndex, States, TickCost,
        ViewColumns,
    };

    /// The types of the columns.
    pub trait Selection: Debug + Copy + 'static {
        type SlotIndex: SlotIndex;
        type Rule<N: Real>: ModuleRule<N>;
        type States<N: Real, const ACTORS: usize>: States<N, Self::Rule<N>>;
        type Sight: ModuleSight;
        type Views<N: Real, const ACTORS: usize>: ViewColumns<N, Self::Sight>;
        type ModulePriority: ModulePriority;
        type Priorities<const ACTORS: usize>: PriorityColumn<Self::ModulePriority>;
        type Ladders<const COSTS: usize>: LadderColumns;
        type Optimal<const COSTS: usize>: OptimalColumns;
        type Qualities: QualityRule;
        type Overrides<const ACTORS: usize>: OverrideColumn;
        type TickCost: TickCost;
    }
}
pub(crate) use sealed::Selection;

/// Selects the types of columns that do not add to others, by their rule and their states.
macro_rules! select {
    ($columns:ident: $rule:ty, $states:ty) => {
        impl Selection for $columns {
            type SlotIndex = u8;
            type Rule<N: Real> = $rule;
            type States<N: Real, const ACTORS: usize> = $states;
            type Sight = ();
            type Views<N: Real, const ACTORS: usize> = ();
            type ModulePriority = ();
            type Priorities<const ACTORS: usize> = ();
            type Ladders<const COSTS: usize> = LadderShapes<COSTS>;
            type Optimal<const COSTS: usize> = ValueColumns<COSTS>;
            type Qualities = EvenQualities;
            type Overrides<const ACTORS: usize> = ();
            type TickCost = SetCost;
        }
    };
}

select!(Everything: StaticRule<N>, MovingStates<N, ACTORS>);
select!(Positions: StaticRule<N>, PositionColumns<N, ACTORS>);
select!(RuntimeRules: BenefitRule<N>, MovingStates<N, ACTORS>);
select!(GivenBenefits: (), ());

impl<C: Columns> Selection for Proportional<C> {
    type SlotIndex = C::SlotIndex;
    type Rule<N: Real> = C::Rule<N>;
    type States<N: Real, const ACTORS: usize> = C::States<N, ACTORS>;
    type Sight = C::Sight;
    type Views<N: Real, const ACTORS: usize> = C::Views<N, ACTORS>;
    type ModulePriority = C::ModulePriority;
    type Priorities<const ACTORS: usize> = C::Priorities<ACTORS>;
    type Ladders<const COSTS: usize> = C::Ladders<COSTS>;
    type Optimal<const COSTS: usize> = ();
    type Qualities = ();
    type Overrides<const ACTORS: usize> = C::Overrides<ACTORS>;
    type TickCost = C::TickCost;
}
