//! What a call answers.

/// What a call answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub struct Status(pub i32);

impl Status {
    /// It was done.
    pub const OK: Self = Self(0);
    /// The scene is destroyed, or its handle made up.
    pub const NO_SUCH_SCENE: Self = Self(1);
    /// The view is stale, of another scene, or made up.
    pub const NO_SUCH_VIEW: Self = Self(2);
    /// The module is of another scene or made up.
    pub const NO_SUCH_MODULE: Self = Self(3);
    /// The actor is stale, of another scene, or made up.
    pub const NO_SUCH_ACTOR: Self = Self(4);
    /// A value was refused.
    pub const REFUSED: Self = Self(5);
    /// A pointer, a stride, an enumerator, a flag or a struct's size is wrong.
    pub const INVALID_ARGUMENT: Self = Self(6);
    /// Another thread is in this scene.
    pub const BUSY: Self = Self(7);
    /// A defect of lodger's.
    pub const PANICKED: Self = Self(8);

    /// All of them, in order.
    pub const ALL: [Self; 9] = [
        Self::OK,
        Self::NO_SUCH_SCENE,
        Self::NO_SUCH_VIEW,
        Self::NO_SUCH_MODULE,
        Self::NO_SUCH_ACTOR,
        Self::REFUSED,
        Self::INVALID_ARGUMENT,
        Self::BUSY,
        Self::PANICKED,
    ];
}
