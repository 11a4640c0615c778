//! The input of a scene: modules and actors.

use core::ops::RangeInclusive;

use lodger_core::benefit::{ActorState, BenefitRule};
use lodger_core::budget::Lod;
use lodger_core::units::{BenefitValue, UnitCost};
use lodger_core::{Benefit, Real};

/// The constants that actors of one kind share.
///
/// # Examples
/// ```
/// use lodger_heapless::{BenefitValue, Module, Scene, UnitCost};
///
/// // Half a microsecond for a cloth vertex; a cape close to the viewer may cost 2 ms.
/// let cloth = Module::<f32>::new(UnitCost::from_ns(500.0)?).benefit_value(BenefitValue::from_ms(2.0)?);
/// let mut scene = Scene::<f32, 1, 8, 3>::new();
/// let id = scene.add_module(cloth.lod_cap(1).overhead(30))?;
/// assert_eq!((scene.lod_cap(id)?, scene.overhead(id)), (Some(1), Some(30)));
/// # Ok::<(), lodger_heapless::SceneError>(())
/// ```
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Module<N: Real> {
    pub(crate) unit_cost: UnitCost,
    pub(crate) benefit_value: Option<BenefitValue>,
    pub(crate) rule: Option<&'static BenefitRule<N>>,
    pub(crate) managed: bool,
    pub(crate) lod_cap: Option<u8>,
    pub(crate) overhead: u32,
}

impl<N: Real> Module<N> {
    /// Makes a managed module without an overhead; its rule is the unbounded solid angle. The optimal policy needs no more;
    /// proportional policies need a [benefit value](Self::benefit_value).
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// let module = Module::new(UnitCost::from_ns(80.0)?).benefit_value(BenefitValue::from_ms(1.0)?);
    /// let sparks = scene.add_module(module)?;
    /// assert_eq!(scene.unit_cost(sparks), Some(UnitCost::from_ns(80.0)?));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub const fn new(unit_cost: UnitCost) -> Self {
        let (benefit_value, rule, lod_cap) = (None, None, None);
        Self { unit_cost, benefit_value, rule, managed: true, lod_cap, overhead: 0 }
    }

    /// Sets the target cost of an actor with benefit 1, which proportional policies need; see
    /// [`Scene::set_benefit_value`](crate::Scene::set_benefit_value).
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// let module = Module::new(UnitCost::from_ns(80.0)?);
    /// assert_eq!(scene.add_module(module), Err(SceneError::NoBenefitValue(ModuleId::new(1))));
    /// assert!(scene.add_module(module.benefit_value(BenefitValue::from_ms(1.0)?)).is_ok());
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub const fn benefit_value(mut self, value: BenefitValue) -> Self {
        self.benefit_value = Some(value);
        self
    }

    /// Sets the rule that computes benefits. It is not copied, so that it stays in flash; scenes with
    /// [`RuntimeRules`](crate::RuntimeRules) have rules that are known only at run time.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// static NEAR: BenefitRule<f32> =
    ///     match BenefitRule::new_f32(BenefitTerms { max_distance: Some(1.0), ..BenefitTerms::DISTANCE }) {
    ///         Ok(rule) => rule,
    ///         Err(_) => panic!("invalid terms"),
    ///     };
    /// let module = Module::new(UnitCost::from_ns(500.0)?).benefit_value(BenefitValue::from_ms(2.0)?);
    /// let near = scene.add_module(module.rule(&NEAR))?;
    /// scene.spawn(near, Actor::at([2.0, 0.0, 0.0], 0.8, &[0, 400, 1_600]))?;
    /// let plan = scene.tick(Budget::from_ms(1.0)?);
    /// // At 2 m the benefit is 0.
    /// assert_eq!(plan.module(near).map(|module| module.target_ns), Some(0));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub const fn rule(mut self, rule: &'static BenefitRule<N>) -> Self {
        self.rule = Some(rule);
        self
    }

    /// Sets whether LODs are picked. In an unmanaged module every actor that is not forced has its highest LOD.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// let module = Module::new(UnitCost::from_ns(500.0)?).benefit_value(BenefitValue::from_ms(2.0)?);
    /// let free = scene.add_module(module.managed(false))?;
    /// let flag = scene.spawn(free, Actor::at([90.0, 0.0, 0.0], 0.8, &[0, 400, 1_600]))?;
    /// assert_eq!(scene.tick(Budget::from_ns(1)).level(flag), Some(2));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[doc(alias = "setLODEnabled")]
    #[must_use]
    pub const fn managed(mut self, managed: bool) -> Self {
        self.managed = managed;
        self
    }

    /// Sets the highest level of actors that are not forced; see
    /// [`Scene::set_lod_cap`](crate::Scene::set_lod_cap).
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// let module = Module::new(UnitCost::from_ns(500.0)?).benefit_value(BenefitValue::from_ms(2.0)?);
    /// let low = scene.add_module(module.lod_cap(1))?;
    /// let flag = scene.spawn(low, Actor::at([1.0, 0.0, 0.0], 0.8, &[0, 400, 1_600]))?;
    /// assert_eq!(scene.tick(Budget::UNLIMITED).level(flag), Some(1));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub const fn lod_cap(mut self, level: u8) -> Self {
        self.lod_cap = Some(level);
        self
    }

    /// Sets the units of work that do not depend on the number of actors. They are reserved while the module has an
    /// actor, and added to the units of every measurement.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// let module = Module::new(UnitCost::from_ns(500.0)?).benefit_value(BenefitValue::from_ms(2.0)?);
    /// let flags = scene.add_module(module.overhead(30))?;
    /// scene.spawn(flags, Actor::at([1.0, 0.0, 0.0], 0.8, &[0, 400]))?;
    /// assert_eq!(scene.tick(Budget::from_ms(1.0)?).reserved_ns(), 30 * 500);
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub const fn overhead(mut self, units: u32) -> Self {
        self.overhead = units;
        self
    }
}

/// An actor to be spawned. Its work is the units at LOD 0, 1, 2 and so on: at most 256 levels, not decreasing.
///
/// # Examples
/// ```
/// use lodger_heapless::{Actor, ActorState, Benefit};
/// # use lodger_heapless::{BenefitValue, Budget, Module, Scene, UnitCost};
/// # let mut scene = Scene::<f32, 1, 3, 8>::new();
/// # let module = Module::new(UnitCost::from_ns(500.0)?).benefit_value(BenefitValue::from_ms(2.0)?);
/// # let id = scene.add_module(module)?;
///
/// let cape = Actor::at([1.0, 0.0, 2.0], 0.8, &[0, 400, 1_600]);
/// let state = ActorState { position: [1.0, 0.0, 2.0], age: 3.0, speed: 0.5 };
/// let spark = Actor::from_state(state, 0.8, &[0, 20, 80]).lod_range(1..=2);
/// let voice = Actor::from_benefit(Benefit::new(0.4)?, &[1, 12]);
/// # let ids = [scene.spawn(id, cape)?, scene.spawn(id, spark)?, scene.spawn(id, voice)?];
/// # let plan = scene.tick(Budget::from_ns(10_500));
/// # assert_eq!(ids.map(|id| plan.level(id)), [Some(0), Some(1), Some(0)]);
/// # Ok::<(), lodger_heapless::SceneError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Actor<'a, N> {
    pub(crate) state: ActorState<N>,
    pub(crate) radius: N,
    pub(crate) given: Option<Benefit>,
    pub(crate) work: &'a [u32],
    pub(crate) lod_range: Option<(u8, u8)>,
    pub(crate) forced: Option<Lod>,
}

impl<'a, N: Real> Actor<'a, N> {
    /// Makes an actor with a computed benefit, from its position and the radius of its bounding sphere in metres.
    /// Age and speed are 0.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// let flag = scene.spawn(cloth, Actor::at([4.0, 1.0, 0.0], 1.5, &[0, 100]))?;
    /// assert_eq!(scene.position(flag), Some([4.0, 1.0, 0.0]));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub const fn at(position: [N; 3], radius: N, work: &'a [u32]) -> Self {
        Self::from_state(ActorState { position, age: N::ZERO, speed: N::ZERO }, radius, work)
    }

    /// Makes an actor with a computed benefit, from its position, age and speed; the radius is in metres.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// let state = ActorState { position: [1.0, 0.0, 2.0], age: 3.0, speed: 0.5 };
    /// let spark = scene.spawn(cloth, Actor::from_state(state, 0.8, &[0, 20, 80]))?;
    /// assert_eq!(scene.state(spark), Some(state));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub const fn from_state(state: ActorState<N>, radius: N, work: &'a [u32]) -> Self {
        Self { state, radius, given: None, work, lod_range: None, forced: None }
    }

    /// Makes an actor with a benefit override. It has no position until
    /// [`Scene::set_state`](crate::Scene::set_state) sets it, and needs none.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// let loud = Benefit::new(0.75)?;
    /// let voice = scene.spawn(cloth, Actor::from_benefit(loud, &[1, 12]))?;
    /// assert_eq!(scene.benefit_override(voice), Ok(Some(loud)));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub const fn from_benefit(benefit: Benefit, work: &'a [u32]) -> Self {
        let mut actor = Self::at([N::ZERO; 3], N::ZERO, work);
        actor.given = Some(benefit);
        actor
    }

    /// Sets the valid LODs; all levels by default.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// let flag = Actor::at([1.0, 0.0, 0.0], 1.0, &[0, 100, 400, 900]).lod_range(1..=2);
    /// let flag = scene.spawn(cloth, flag)?;
    /// assert_eq!(scene.tick(Budget::UNLIMITED).level(flag), Some(2));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub const fn lod_range(mut self, range: RangeInclusive<u8>) -> Self {
        self.lod_range = Some((*range.start(), *range.end()));
        self
    }

    /// Forces a LOD, rounded with halves up and clamped to the valid range.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// let flag = Actor::at([99.0, 0.0, 0.0], 1.0, &[0, 100, 400]).forced(Lod::new(1, 0));
    /// let flag = scene.spawn(cloth, flag)?;
    /// assert_eq!(scene.tick(Budget::from_ns(0)).level(flag), Some(1));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub const fn forced(mut self, lod: Lod) -> Self {
        self.forced = Some(lod);
        self
    }
}
