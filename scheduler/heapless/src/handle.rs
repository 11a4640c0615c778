//! The handles that users hold.

use core::num::NonZeroU32;

/// The handle of an actor: 8 bytes, also in an `Option`. It goes stale when the actor is despawned.
///
/// A stale handle is always noticed: a slot whose 2³² − 1 generations are used up, as after two years
/// of sixty spawns a second in it alone, is not used again. Which scene a handle belongs to is not in
/// it, as a program has one scene or types that tell them apart.
///
/// Handles are ordered by slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ActorId {
    slot: u16,
    generation: NonZeroU32,
}

impl ActorId {
    pub(crate) const fn new(slot: u16, generation: NonZeroU32) -> Self {
        Self { slot, generation }
    }

    /// The number of the actor's slot, below the `ACTORS` of its scene: the place of what the user
    /// keeps of it, in an array. Among actors of equal benefit the lower one is served first.
    #[must_use]
    pub const fn slot(self) -> usize {
        self.slot as usize
    }

    pub(crate) const fn generation(self) -> NonZeroU32 {
        self.generation
    }
}

/// The handle of a module: a byte. Modules stay, so it never goes stale.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ModuleId(u8);

impl ModuleId {
    /// The handle of the module that is added as that one, from 0 on: a constant of a program that adds
    /// its modules in a known order. Until then it is one of no module.
    #[must_use]
    pub const fn new(index: u8) -> Self {
        Self(index)
    }

    /// The number of the module in its scene: 0 for the first that was added, then 1, 2 and so on.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}
