//! The input of a scene: modules and actors as a user describes them.

use core::ops::RangeInclusive;

use lodger_core::benefit::{BenefitRule, State};
use lodger_core::budget::Lod;
use lodger_core::units::{BenefitValue, UnitCost};
use lodger_core::{Benefit, Real};

/// What the actors of one kind share.
///
/// # Examples
/// ```
/// use lodger_heapless::{BenefitValue, Module, UnitCost};
///
/// // Half a microsecond a cloth vertex; a cape in the face of the viewer may cost 2 ms.
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
    /// A managed module, whose benefit is the unbounded solid angle where it is not given.
    #[must_use]
    pub const fn new(unit_cost: UnitCost, benefit_value: BenefitValue) -> Self {
        Self { unit_cost, benefit_value, rule: None, managed: true, lod_cap: None, overhead: 0 }
    }

    /// Sets how the benefit of its actors is computed.
    #[must_use]
    pub const fn rule(mut self, rule: BenefitRule<N>) -> Self {
        self.rule = Some(rule);
        self
    }

    /// Sets whether LODs are chosen; else every actor that is not forced has its highest.
    #[doc(alias = "setLODEnabled")]
    #[must_use]
    pub const fn managed(mut self, managed: bool) -> Self {
        self.managed = managed;
        self
    }

    /// Sets the highest level that an actor gets unless it is forced; see
    /// [`Scene::set_lod_cap`](crate::Scene::set_lod_cap).
    #[must_use]
    pub const fn lod_cap(mut self, level: u8) -> Self {
        self.lod_cap = Some(level);
        self
    }

    /// Sets the constant part of its work, in units: what it takes however few actors it has. It is
    /// paid first while the module has an actor, whatever that one does, and counted with every time
    /// that is measured. A module that nobody is in does not work, and pays nothing.
    #[must_use]
    pub const fn overhead(mut self, units: u32) -> Self {
        self.overhead = units;
        self
    }
}

/// An actor to be spawned.
///
/// Its work is the units at LOD 0, 1, 2 and so on, in the unit that the module counts: at most 256
/// levels, and the work does not decrease.
///
/// # Examples
/// ```
/// use lodger_heapless::{Actor, Benefit, State};
///
/// let cape = Actor::seen([1.0_f32, 0.0, 2.0], 0.8, &[0, 400, 1_600]);
/// let state = State { position: [1.0_f32, 0.0, 2.0], age: 3.0, speed: 0.5 };
/// let spark = Actor::in_state(state, 0.8, &[0, 20, 80]).lod_range(1..=2);
/// let voice = Actor::<f32>::given(Benefit::new(0.4_f32)?, &[1, 12]);
/// # Ok::<(), lodger_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Actor<'a, N> {
    pub(crate) state: State<N>,
    pub(crate) radius: N,
    pub(crate) given: Option<Benefit>,
    pub(crate) work: &'a [u32],
    pub(crate) lod_range: Option<(u8, u8)>,
    pub(crate) forced: Option<Lod>,
}

impl<'a, N: Real> Actor<'a, N> {
    /// An actor whose benefit is computed: its position and the radius of its bounding sphere in
    /// metres; age and speed are 0.
    #[must_use]
    pub const fn seen(position: [N; 3], radius: N, work: &'a [u32]) -> Self {
        Self::in_state(State { position, age: N::ZERO, speed: N::ZERO }, radius, work)
    }

    /// An actor whose benefit is computed, also from its age and its speed; the radius is in metres.
    #[must_use]
    pub const fn in_state(state: State<N>, radius: N, work: &'a [u32]) -> Self {
        Self { state, radius, given: None, work, lod_range: None, forced: None }
    }

    /// An actor whose benefit is given, as that of APEX modules may be anything. It has no place
    /// until [`Scene::set_state`](crate::Scene::set_state) gives it one, and needs none.
    #[must_use]
    pub const fn given(benefit: Benefit, work: &'a [u32]) -> Self {
        let mut actor = Self::seen([N::ZERO; 3], N::ZERO, work);
        actor.given = Some(benefit);
        actor
    }

    /// Sets which LODs are valid. All levels of the work are, unless this is called.
    #[must_use]
    pub const fn lod_range(mut self, range: RangeInclusive<u8>) -> Self {
        self.lod_range = Some((*range.start(), *range.end()));
        self
    }

    /// Forces a LOD that the application chooses: halves count up, and outside the range it is clamped.
    #[must_use]
    pub const fn forced(mut self, lod: Lod) -> Self {
        self.forced = Some(lod);
        self
    }
}
