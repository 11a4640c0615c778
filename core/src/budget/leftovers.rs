//! The distribution of the leftover budget.

/// The actors that may spend the leftover budget. [`decide`](super::decide) implements it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Leftovers {
    /// No actor, as in the document. A larger budget then never lowers a level, except for the
    /// rounding of targets and shares to whole nanoseconds.
    Keep,
    /// The actors of the module whose shares left it over, as in APEX.
    WithinModule,
    /// Any actor of the scene.
    #[default]
    AcrossModules,
    /// Any actor, and the leftover budget is all that is unspent. Beyond the document: it also spends
    /// the part that no target claims.
    WholeBudget,
}

impl Leftovers {
    /// Whether leftovers are spent, so that [`decide`](super::decide) needs scratch memory for upgrades.
    #[must_use]
    pub const fn has_pot(self) -> bool {
        !matches!(self, Self::Keep)
    }
}
