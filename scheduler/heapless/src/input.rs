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
/// use lodger_heapless::{BenefitValue, Module, UnitCost};
///
/// // Half a microsecond for a cloth vertex; a cape close to the viewer may cost 2 ms.
/// let cloth = Module::<f32>::new(UnitCost::from_ns(500.0)?, BenefitValue::from_ms(2.0)?);
/// # Ok::<(), lodger_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Module<N: Real> {
    pub(crate) unit_cost: UnitCost,
    pub(crate) benefit_value: BenefitValue,
    pub(crate) rule: Option<BenefitRule<N>>,
    pub(crate) managed: bool,
    pub(crate) lod_cap: Option<u8>,
    pub(crate) overhead: u32,
}

impl<N: Real> Module<N> {
    /// Makes a managed module, whose benefit is the unbounded solid angle unless overridden.
    #[must_use]
    pub const fn new(unit_cost: UnitCost, benefit_value: BenefitValue) -> Self {
        Self { unit_cost, benefit_value, rule: None, managed: true, lod_cap: None, overhead: 0 }
    }

    /// Sets the rule by which benefits are computed.
    #[must_use]
    pub const fn rule(mut self, rule: BenefitRule<N>) -> Self {
        self.rule = Some(rule);
        self
    }

    /// Sets whether LODs are picked; otherwise every actor that is not forced has its highest LOD.
    #[doc(alias = "setLODEnabled")]
    #[must_use]
    pub const fn managed(mut self, managed: bool) -> Self {
        self.managed = managed;
        self
    }

    /// Sets the highest level of actors that are not forced; see
    /// [`Scene::set_lod_cap`](crate::Scene::set_lod_cap).
    #[must_use]
    pub const fn lod_cap(mut self, level: u8) -> Self {
        self.lod_cap = Some(level);
        self
    }

    /// Sets the constant part of its work, in units, which does not depend on the number of actors. It is
    /// paid first if the module has an actor, and added to the units of every measurement. A module
    /// without actors does no work, and costs nothing.
    #[must_use]
    pub const fn overhead(mut self, units: u32) -> Self {
        self.overhead = units;
        self
    }
}

/// An actor to be spawned.
///
/// Its work is the units at LOD 0, 1, 2 and so on, in the module's unit: at most 256 levels, not
/// decreasing.
///
/// # Examples
/// ```
/// use lodger_heapless::{Actor, Benefit, State};
///
/// let cape = Actor::at([1.0_f32, 0.0, 2.0], 0.8, &[0, 400, 1_600]);
/// let state = State { position: [1.0_f32, 0.0, 2.0], age: 3.0, speed: 0.5 };
/// let spark = Actor::from_state(state, 0.8, &[0, 20, 80]).lod_range(1..=2);
/// let voice = Actor::<f32>::from_benefit(Benefit::new(0.4_f32)?, &[1, 12]);
/// # Ok::<(), lodger_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Actor<'a, N> {
    pub(crate) state: ActorState<N>,
    pub(crate) radius: N,
    pub(crate) given: Option<Benefit>,
    pub(crate) work: &'a [u32],
    pub(crate) lod_range: Option<(u8, u8)>,
    pub(crate) forced: Option<Lod>,
}

impl<'a, N: Real> Actor<'a, N> {
    /// Makes an actor with a computed benefit, from its position and the radius of its bounding sphere in
    /// metres; age and speed are 0.
    #[must_use]
    pub const fn at(position: [N; 3], radius: N, work: &'a [u32]) -> Self {
        Self::from_state(ActorState { position, age: N::ZERO, speed: N::ZERO }, radius, work)
    }

    /// Makes an actor with a computed benefit, from its position, age and speed; the radius is in metres.
    #[must_use]
    pub const fn from_state(state: ActorState<N>, radius: N, work: &'a [u32]) -> Self {
        Self { state, radius, given: None, work, lod_range: None, forced: None }
    }

    /// Makes an actor with a given benefit, for modules with benefits of their own. It has no position
    /// until [`Scene::set_state`](crate::Scene::set_state) sets it, and needs none.
    #[must_use]
    pub const fn from_benefit(benefit: Benefit, work: &'a [u32]) -> Self {
        let mut actor = Self::at([N::ZERO; 3], N::ZERO, work);
        actor.given = Some(benefit);
        actor
    }

    /// Sets the valid LODs; all levels by default.
    #[must_use]
    pub const fn lod_range(mut self, range: RangeInclusive<u8>) -> Self {
        self.lod_range = Some((*range.start(), *range.end()));
        self
    }

    /// Forces a LOD, rounded with halves up and clamped to the valid range.
    #[must_use]
    pub const fn forced(mut self, lod: Lod) -> Self {
        self.forced = Some(lod);
        self
    }
}
