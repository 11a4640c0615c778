//! What is true of a row or not, in one byte.

/// The marks of an actor: whether a tick has seen it, whether it is invisible, and what the last tick
/// found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Marks(u8);

impl Marks {
    const SEEN: u8 = 1;
    const INVISIBLE: u8 = 2;
    const WAS_INVISIBLE: u8 = 4;
    const WAS_QUARANTINED: u8 = 8;

    pub(crate) fn new(visible: bool) -> Self {
        Self(if visible { 0 } else { Self::INVISIBLE })
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

    pub(crate) fn set_seen(&mut self) {
        self.set(Self::SEEN, true);
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
