//! The names of what is money, by its unit.

use crate::unit::Unit;

/// The names of what is money.
#[derive(Clone, Copy, Debug)]
pub(super) struct Keys {
    pub(super) budget: &'static str,
    pub(super) overcommit: &'static str,
    pub(super) fixed: &'static str,
    pub(super) assigned: &'static str,
    pub(super) target: &'static str,
    pub(super) share: &'static str,
    pub(super) cost: &'static str,
}

const OF_TIME: Keys = Keys {
    budget: "budget_ms",
    overcommit: "overcommit_ms",
    fixed: "fixed_ms",
    assigned: "assigned_ms",
    target: "target_ms",
    share: "share_ms",
    cost: "cost_ms",
};

const OF_UNITS: Keys = Keys {
    budget: "budget",
    overcommit: "overcommit",
    fixed: "fixed",
    assigned: "assigned",
    target: "target",
    share: "share",
    cost: "cost",
};

/// The names in a unit.
pub(super) const fn keys(unit: &Unit) -> Keys {
    match unit {
        Unit::Time => OF_TIME,
        Unit::Named(_) => OF_UNITS,
    }
}
