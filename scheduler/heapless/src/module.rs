//! What a user says of a module when it is added.

use lodger_core::Real;
use lodger_core::benefit::BenefitRule;
use lodger_core::units::{BenefitValue, UnitCost};

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
