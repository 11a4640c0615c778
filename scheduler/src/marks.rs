//! What is true of a row or not, in one byte.

/// The marks of an actor: whether a tick has seen it, whether it is invisible, and what the last tick
/// found. What the level that was shown does not tell of the past is here too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct ActorFlags(u8);

impl ActorFlags {
    const SEEN: u8 = 1;
    const INVISIBLE: u8 = 2;
    const WAS_INVISIBLE: u8 = 4;
    const WAS_QUARANTINED: u8 = 8;
    const WAS_FORCED: u8 = 16;
    const NO_LAST: u8 = 32;

    pub(crate) fn new(visible: bool) -> Self {
        Self(Self::NO_LAST | if visible { 0 } else { Self::INVISIBLE })
    }

    fn has(self, mark: u8) -> bool {
        self.0 & mark != 0
    }

    fn set(&mut self, mark: u8, on: bool) {
        self.0 = if on { self.0 | mark } else { self.0 & !mark };
    }

    /// Whether a tick has decided on the actor.
    pub(crate) fn is_seen(self) -> bool {
        self.has(Self::SEEN)
    }

    /// Whether the level that is shown means something to the next tick.
    pub(crate) fn has_last(self) -> bool {
        !self.has(Self::NO_LAST)
    }

    /// Notes that the level that is shown is one of another number of levels.
    pub(crate) fn forget_last(&mut self) {
        self.set(Self::NO_LAST, true);
    }

    /// Whether the actor was forced in the last tick.
    pub(crate) fn was_forced(self) -> bool {
        self.has(Self::WAS_FORCED)
    }

    /// Notes that a tick has decided on the actor, and whether it was forced.
    pub(crate) fn settle(&mut self, forced: bool) {
        self.set(Self::SEEN, true);
        self.set(Self::NO_LAST, false);
        self.set(Self::WAS_FORCED, forced);
    }

    pub(crate) fn is_visible(self) -> bool {
        !self.has(Self::INVISIBLE)
    }

    pub(crate) fn set_visible(&mut self, visible: bool) {
        self.set(Self::INVISIBLE, !visible);
    }

    /// Whether the last tick found the actor invisible.
    pub(crate) fn was_invisible(self) -> bool {
        self.has(Self::WAS_INVISIBLE)
    }

    /// Whether the last tick found the actor's state not sound, and looked at it.
    pub(crate) fn was_quarantined(self) -> bool {
        self.has(Self::WAS_QUARANTINED)
    }

    /// Notes what a tick finds.
    pub(crate) fn find(&mut self, quarantined: bool) {
        self.set(Self::WAS_INVISIBLE, !self.is_visible());
        self.set(Self::WAS_QUARANTINED, quarantined);
    }
}
