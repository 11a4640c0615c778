//! What to do with the money that shares leave over because levels come in steps.

/// Who may spend what shares leave over. [`decide`](super::decide) interprets it, and nothing else does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Leftovers {
    /// Nobody: the document to the letter. A bigger budget then costs nobody a level, but for the
    /// rounding of targets and shares to whole nanoseconds.
    Keep,
    /// The actors of the module that left it over, as APEX did.
    WithinModule,
    /// Any actor of the scene.
    #[default]
    AcrossModules,
    /// Any actor, and the pot is all of the budget that is not spent. Beyond the document: it also
    /// spends what no target asked for.
    WholeBudget,
}

impl Leftovers {
    /// Whether there is a pot, so that [`decide`](super::decide) needs room for bids.
    #[must_use]
    pub const fn has_pot(self) -> bool {
        !matches!(self, Self::Keep)
    }
}
