use std::ops::RangeInclusive;

use lodger_core::benefit::{ActorState, BenefitRule, OutsideFactor, Priority};
use lodger_core::budget::{Lod, LodControl, Quality, QualityCurve};
use lodger_core::units::{BenefitValue, UnitCost};
use lodger_core::{Benefit, Real};

/// The constants that actors of one kind share.
///
/// # Examples
/// ```
/// # use lodger_scheduler::*;
/// # let (mut scene, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
/// // Strands of 40 ns each, 1 000 strands of overhead, and at most level 1.
/// let hair = Module::new("hair", UnitCost::from_ns(40.0)?).benefit_value(BenefitValue::from_ms(1.0)?);
/// let hair = scene.add_module(hair.overhead(1_000).lod_cap(1))?;
/// scene.spawn(hair, Actor::at([1.0, 0.0, 0.0], 1.0, &[0, 500, 5_000]))?;
/// assert_eq!(scene.tick().module(hair).map(|hair| hair.assigned_ns), Some(60_000));
/// # Ok::<(), SceneError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Module<N: Real> {
    pub(crate) name: String,
    pub(crate) unit_cost: UnitCost,
    pub(crate) benefit_value: Option<BenefitValue>,
    pub(crate) rule: Option<BenefitRule<N>>,
    pub(crate) managed: bool,
    pub(crate) continuous: bool,
    pub(crate) lod_cap: Option<u8>,
    pub(crate) qualities: ModuleQualities,
    pub(crate) overhead: u32,
    pub(crate) priority: Priority,
    pub(crate) outside: OutsideFactor,
}

impl<N: Real> Module<N> {
    /// Makes a managed module with whole LODs, whose benefit is the solid angle without a maximum distance. The optimal policy
    /// needs no more; proportional policies need a [benefit value](Self::benefit_value).
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// let hair = Module::new("hair", UnitCost::from_ns(40.0)?).benefit_value(BenefitValue::from_ms(1.0)?);
    /// let hair = scene.add_module(hair)?;
    /// assert_eq!(scene.unit_cost(hair).map(|cost| cost.ns()), Some(40.0));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn new(name: impl Into<String>, unit_cost: UnitCost) -> Self {
        Self {
            name: name.into(),
            unit_cost,
            benefit_value: None,
            rule: None,
            managed: true,
            continuous: false,
            lod_cap: None,
            qualities: ModuleQualities::default(),
            overhead: 0,
            priority: Priority::ONE,
            outside: OutsideFactor::ONE,
        }
    }

    /// Sets the target cost of an actor with benefit 1, which proportional policies need; see
    /// [`Scene::set_benefit_value`](crate::Scene::set_benefit_value).
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// let hair = Module::new("hair", UnitCost::from_ns(40.0)?);
    /// let error = scene.add_module(hair.clone());
    /// assert_eq!(error, Err(SceneError::NoBenefitValue("hair".into())));
    /// assert!(scene.add_module(hair.benefit_value(BenefitValue::from_ms(1.0)?)).is_ok());
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn benefit_value(mut self, value: BenefitValue) -> Self {
        self.benefit_value = Some(value);
        self
    }

    /// Sets the rule by which benefits are computed.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// let rule = BenefitRule::new(BenefitTerms { max_distance: Some(10.0), ..Default::default() })?;
    /// let hair = Module::new("hair", UnitCost::from_ns(40.0)?).benefit_value(BenefitValue::from_ms(1.0)?).rule(rule);
    /// let hair = scene.add_module(hair)?;
    /// let curl = scene.spawn(hair, Actor::at([0.0, 0.0, 11.0], 5.0, &[0, 500]))?;
    /// assert_eq!(scene.tick().actor(curl).map(|plan| plan.benefit), Some(Benefit::ZERO));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn rule(mut self, rule: BenefitRule<N>) -> Self {
        self.rule = Some(rule);
        self
    }

    /// Sets whether the scheduler picks LODs; see [`Scene::set_managed`](crate::Scene::set_managed).
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// let hair = Module::new("hair", UnitCost::from_ns(40.0)?).benefit_value(BenefitValue::from_ms(1.0)?);
    /// let hair = scene.add_module(hair.managed(false))?;
    /// let curl = scene.spawn(hair, Actor::at([900.0, 0.0, 0.0], 1.0, &[0, 500]))?;
    /// assert_eq!(scene.tick().lod(curl), Some(Lod::new(1, 0))); // the highest
    /// # Ok::<(), SceneError>(())
    /// ```
    #[doc(alias = "setLODEnabled")]
    #[must_use]
    pub fn managed(mut self, managed: bool) -> Self {
        self.managed = managed;
        self
    }

    /// Sets whether LODs between two levels are valid.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// let hair = Module::new("hair", UnitCost::from_ns(40.0)?).benefit_value(BenefitValue::from_ms(1.0)?);
    /// scene.set_policy(Policy::APEX)?;
    /// let hair = scene.add_module(hair.continuous(true))?;
    /// let curl = scene.spawn(hair, Actor::at([0.0, 5.0, 0.0], 1.0, &[0, 5_000]))?;
    /// let cost = scene.tick().actor(curl).map(|plan| plan.cost_ns);
    /// assert!(cost.is_some_and(|ns| 0 < ns && ns < 200_000)); // a part of level 1
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn continuous(mut self, continuous: bool) -> Self {
        self.continuous = continuous;
        self
    }

    /// Sets the highest level of actors that are not forced; see
    /// [`Scene::set_lod_cap`](crate::Scene::set_lod_cap).
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// let hair = Module::new("hair", UnitCost::from_ns(40.0)?).benefit_value(BenefitValue::from_ms(1.0)?);
    /// let hair = scene.add_module(hair.lod_cap(1))?;
    /// let curl = scene.spawn(hair, Actor::at([1.0, 0.0, 0.0], 1.0, &[0, 500, 600]))?;
    /// assert_eq!(scene.tick().actor(curl).map(|plan| plan.reason), Some(Reason::Capped));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn lod_cap(mut self, level: u8) -> Self {
        self.lod_cap = Some(level);
        self
    }

    /// Sets the quality of each level, for actors without their own; even steps from 0 to 1 by default. An
    /// actor with another number of levels is rejected.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// let qualities = [Quality::ZERO, Quality::new(0.9)?, Quality::ONE];
    /// let hair = Module::new("hair", UnitCost::from_ns(40.0)?).benefit_value(BenefitValue::from_ms(1.0)?);
    /// let hair = scene.add_module(hair.qualities(qualities))?;
    /// let curl = scene.spawn(hair, Actor::at([1.0, 0.0, 0.0], 1.0, &[0, 500, 600]))?;
    /// assert_eq!(scene.qualities(curl), Some(qualities.to_vec()));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn qualities(mut self, qualities: impl Into<Vec<Quality>>) -> Self {
        self.qualities = ModuleQualities::Table(qualities.into());
        self
    }

    /// Sets the quality of each level by a curve, for actors without their own qualities and with any number of levels;
    /// replaces [`qualities`](Self::qualities).
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// let hair = Module::new("hair", UnitCost::from_ns(40.0)?).benefit_value(BenefitValue::from_ms(1.0)?);
    /// let hair = scene.add_module(hair.quality_curve(QualityCurve::Diminishing))?;
    /// let curl = scene.spawn(hair, Actor::at([1.0, 0.0, 0.0], 1.0, &[0, 500, 600]))?;
    /// assert_eq!(scene.qualities(curl), Some(vec![Quality::ZERO, Quality::new(0.75)?, Quality::ONE]));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn quality_curve(mut self, curve: QualityCurve) -> Self {
        self.qualities = ModuleQualities::Curve { curve, of_levels: Vec::new() };
        self
    }

    /// Sets the constant part of the module's work, in units. It is paid first while the module has an actor,
    /// and added to the units of every measurement.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// let hair = Module::new("hair", UnitCost::from_ns(40.0)?).benefit_value(BenefitValue::from_ms(1.0)?);
    /// let hair = scene.add_module(hair.overhead(1_000))?;
    /// scene.spawn(hair, Actor::at([1.0, 0.0, 0.0], 1.0, &[0]))?;
    /// assert_eq!(scene.tick().reserved_ns(), 40_000);
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn overhead(mut self, units: u32) -> Self {
        self.overhead = units;
        self
    }

    /// Sets how much the module matters; see [`Scene::set_module_priority`](crate::Scene::set_module_priority).
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// let hair = Module::new("hair", UnitCost::from_ns(40.0)?).benefit_value(BenefitValue::from_ms(1.0)?);
    /// let hair = scene.add_module(hair.priority(Priority::new(2.0)?))?;
    /// assert_eq!(scene.module_priority(hair), Some(Priority::new(2.0)?));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn priority(mut self, priority: Priority) -> Self {
        self.priority = priority;
        self
    }

    /// Sets the factor of benefits outside of views; see [`Scene::set_outside`](crate::Scene::set_outside).
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// let hair = Module::new("hair", UnitCost::from_ns(40.0)?).benefit_value(BenefitValue::from_ms(1.0)?);
    /// let hair = scene.add_module(hair.outside(OutsideFactor::ZERO))?; // hair is only drawn
    /// assert_eq!(scene.outside(hair), Some(OutsideFactor::ZERO));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn outside(mut self, factor: OutsideFactor) -> Self {
        self.outside = factor;
        self
    }
}

/// The qualities of actors without their own.
#[derive(Debug, Clone)]
pub(crate) enum ModuleQualities {
    Table(Vec<Quality>),
    /// A curve, and its qualities for the last number of levels.
    Curve {
        curve: QualityCurve,
        of_levels: Vec<Quality>,
    },
}

impl Default for ModuleQualities {
    fn default() -> Self {
        Self::Curve { curve: QualityCurve::Linear, of_levels: Vec::new() }
    }
}

impl ModuleQualities {
    /// Returns the table, whatever its length, or the curve's qualities of that many levels; `None` for even steps.
    pub(crate) fn of_levels(&mut self, levels: usize) -> Option<&[Quality]> {
        match self {
            Self::Table(table) => Some(table),
            Self::Curve { curve: QualityCurve::Linear, .. } => None,
            Self::Curve { curve, of_levels } => {
                if of_levels.len() != levels {
                    of_levels.clear();
                    let count = u16::try_from(levels).unwrap_or(u16::MAX);
                    of_levels.extend(
                        (0..=u8::MAX).take(levels).map(|level| curve.quality(level, count)),
                    );
                }
                Some(of_levels)
            }
        }
    }
}

/// An actor to be spawned.
///
/// Its work is the units at LOD 0, 1, 2 and so on, in the module's unit: at most 256 levels, not
/// decreasing.
///
/// # Examples
/// ```
/// # use lodger_scheduler::*;
/// # let (mut scene, .., cloth, _) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
/// let cape = Actor::at([0.0, 0.0, 2.0], 0.8, &[0, 400, 1_600]).key(17).lod_range(1..=2);
/// let cape = scene.spawn(cloth, cape)?;
/// assert_eq!((scene.key(cape), scene.lod_range(cape)), (Some(17), Some(1..=2)));
/// # Ok::<(), SceneError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Actor<'a, N> {
    pub(crate) state: ActorState<N>,
    pub(crate) radius: N,
    pub(crate) benefit_override: Option<Benefit>,
    pub(crate) work: &'a [u32],
    pub(crate) lod_range: Option<(u8, u8)>,
    pub(crate) qualities: Option<&'a [Quality]>,
    pub(crate) control: LodControl,
    pub(crate) visible: bool,
    pub(crate) key: u64,
    pub(crate) priority: Priority,
}

impl<'a, N: Real> Actor<'a, N> {
    /// Makes an actor from its position and the radius of its bounding sphere in metres; age and speed are 0.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, .., cloth, _) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// let cape = scene.spawn(cloth, Actor::at([0.0, 0.0, 2.0], 0.8, &[0, 400]))?;
    /// assert_eq!((scene.position(cape), scene.radius(cape)), (Some([0.0, 0.0, 2.0]), Some(0.8)));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub const fn at(position: [N; 3], radius: N, work: &'a [u32]) -> Self {
        Self::from_state(ActorState { position, age: N::ZERO, speed: N::ZERO }, radius, work)
    }

    /// Makes an actor from its position, age and speed, and the radius of its bounding sphere in metres.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, .., cloth, _) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// let state = ActorState { position: [0.0, 0.0, 2.0], age: 3.0, speed: 0.5 };
    /// let cape = scene.spawn(cloth, Actor::from_state(state, 0.8, &[0, 400]))?;
    /// assert_eq!(scene.state(cape), Some(state));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub const fn from_state(state: ActorState<N>, radius: N, work: &'a [u32]) -> Self {
        Self {
            state,
            radius,
            benefit_override: None,
            work,
            lod_range: None,
            qualities: None,
            control: LodControl::Automatic,
            visible: true,
            key: 0,
            priority: Priority::ONE,
        }
    }

    /// Makes an actor with a benefit from elsewhere. It has no position until
    /// [`Scene::set_state`](crate::Scene::set_state) sets it, and needs none.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, .., cloth, _) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// let half = Benefit::new(0.5_f32)?;
    /// let cape = scene.spawn(cloth, Actor::from_benefit(half, &[0, 400]))?;
    /// assert_eq!(scene.tick().actor(cape).map(|plan| plan.benefit), Some(half));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub const fn from_benefit(benefit: Benefit, work: &'a [u32]) -> Self {
        Self::at([N::ZERO; 3], N::ZERO, work).benefit(benefit)
    }

    /// Replaces the computed benefit; see
    /// [`Scene::set_benefit_override`](crate::Scene::set_benefit_override).
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, .., cloth, _) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// let cape = Actor::at([900.0, 0.0, 0.0], 1.0, &[0, 400]).benefit(Benefit::new(0.5_f32)?);
    /// let cape = scene.spawn(cloth, cape)?;
    /// assert_eq!(scene.tick().lod(cape).map(|lod| lod.level()), Some(1));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub const fn benefit(mut self, benefit: Benefit) -> Self {
        self.benefit_override = Some(benefit);
        self
    }

    /// Sets the valid LODs; all levels by default.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, .., cloth, _) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// let cape = scene.spawn(cloth, Actor::at([1.0, 0.0, 0.0], 1.0, &[0, 400, 800]).lod_range(0..=1))?;
    /// assert_eq!(scene.tick().lod(cape).map(|lod| lod.level()), Some(1));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub const fn lod_range(mut self, range: RangeInclusive<u8>) -> Self {
        self.lod_range = Some((*range.start(), *range.end()));
        self
    }

    /// Sets the quality of each level, valid or not, not decreasing; the module's qualities by default.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, .., cloth, _) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// let qualities = [Quality::ZERO, Quality::new(0.9)?];
    /// let cape = Actor::at([1.0, 0.0, 0.0], 1.0, &[0, 400]).qualities(&qualities);
    /// let cape = scene.spawn(cloth, cape)?;
    /// assert_eq!(scene.qualities(cape), Some(qualities.to_vec()));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub const fn qualities(mut self, qualities: &'a [Quality]) -> Self {
        self.qualities = Some(qualities);
        self
    }

    /// Forces a LOD; see [`Scene::force_lod`](crate::Scene::force_lod).
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, .., cloth, _) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// let cape = Actor::at([900.0, 0.0, 0.0], 1.0, &[0, 400]).forced(Lod::new(1, 0));
    /// let cape = scene.spawn(cloth, cape)?;
    /// assert_eq!(scene.tick().actor(cape).map(|plan| plan.reason), Some(Reason::Forced));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub const fn forced(mut self, lod: Lod) -> Self {
        self.control = LodControl::Forced(lod);
        self
    }

    /// Sets whether the actor is visible, which it is by default; see
    /// [`Scene::set_visible`](crate::Scene::set_visible).
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, .., cloth, _) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// let cape = Actor::at([1.0, 0.0, 0.0], 1.0, &[0, 400]).visible(false);
    /// let cape = scene.spawn(cloth, cape)?;
    /// assert_eq!(scene.tick().actor(cape).map(|plan| plan.reason), Some(Reason::Invisible));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub const fn visible(mut self, visible: bool) -> Self {
        self.visible = visible;
        self
    }

    /// Sets the user's key, which plans and changes contain. It is 0 by default, and need not be unique.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, .., cloth, _) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// let cape = scene.spawn(cloth, Actor::at([1.0, 0.0, 0.0], 1.0, &[0, 400]).key(17))?;
    /// assert_eq!(scene.tick().actor(cape).map(|plan| plan.key), Some(17));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub const fn key(mut self, key: u64) -> Self {
        self.key = key;
        self
    }

    /// Sets how much the actor matters; see [`Scene::set_priority`](crate::Scene::set_priority).
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, .., cloth, _) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// let hero = Actor::from_benefit(Benefit::new(0.5_f32)?, &[0, 400]).priority(Priority::new(3.0)?);
    /// let hero = scene.spawn(cloth, hero)?;
    /// assert_eq!(scene.tick().actor(hero).map(|plan| plan.benefit), Some(Benefit::new(1.5_f32)?));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub const fn priority(mut self, priority: Priority) -> Self {
        self.priority = priority;
        self
    }
}
