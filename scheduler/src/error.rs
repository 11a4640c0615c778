//! Why a scene refused something.

use std::fmt;

/// Why a scene refused something; the scene is as it was before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum SceneError {
    /// A value was refused.
    Refused(lodger_core::Error),
    /// The actor was despawned.
    StaleActor,
    /// The actor is one of another scene.
    ForeignActor,
    /// The view was removed.
    StaleView,
    /// The view is one of another scene.
    ForeignView,
    /// The module was added to a clone of the scene, or its handle is made up.
    NoSuchModule,
    /// The module is one of another scene.
    ForeignModule,
}

impl SceneError {
    /// The refused value, if that was the reason.
    #[must_use]
    pub const fn refused(self) -> Option<lodger_core::Error> {
        match self {
            Self::Refused(error) => Some(error),
            _ => None,
        }
    }

    /// Whether a handle outlived its actor or view.
    #[must_use]
    pub const fn is_stale(self) -> bool {
        matches!(self, Self::StaleActor | Self::StaleView)
    }

    /// Whether a handle of another scene was given.
    #[must_use]
    pub const fn is_foreign(self) -> bool {
        matches!(self, Self::ForeignActor | Self::ForeignView | Self::ForeignModule)
    }
}

impl From<lodger_core::Error> for SceneError {
    fn from(error: lodger_core::Error) -> Self {
        Self::Refused(error)
    }
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Refused(error) => return error.fmt(f),
            Self::StaleActor => "the actor is no longer in this scene",
            Self::ForeignActor => "the actor is in another scene",
            Self::StaleView => "the view is no longer in this scene",
            Self::ForeignView => "the view is in another scene",
            Self::NoSuchModule => "there is no such module in this scene",
            Self::ForeignModule => "the module is in another scene",
        })
    }
}

impl std::error::Error for SceneError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Refused(error) => Some(error),
            _ => None,
        }
    }
}
