//! What the actors of a module add up to.

/// Sums over the actors of a module that a tick has seen. They wrap, so that what was taken away may
/// be noted before what there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Sums {
    pub(crate) actors: u64,
    /// Benefits in 2⁻¹⁶.
    pub(crate) benefit: u64,
    /// The benefits of the automatic actors, in 2⁻¹⁶.
    pub(crate) claim: u64,
    /// Units of work at the assigned levels.
    pub(crate) units: u64,
}

impl Sums {
    pub(crate) const fn plus(self, other: Self) -> Self {
        Self {
            actors: self.actors.wrapping_add(other.actors),
            benefit: self.benefit.wrapping_add(other.benefit),
            claim: self.claim.wrapping_add(other.claim),
            units: self.units.wrapping_add(other.units),
        }
    }

    pub(crate) const fn minus(self, other: Self) -> Self {
        Self {
            actors: self.actors.wrapping_sub(other.actors),
            benefit: self.benefit.wrapping_sub(other.benefit),
            claim: self.claim.wrapping_sub(other.claim),
            units: self.units.wrapping_sub(other.units),
        }
    }
}
