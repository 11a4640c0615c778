//! Why a scene refused something.

use std::fmt;

/// Why a scene refused something; the scene is as it was before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum SceneError {
    /// A value was refused.
    Refused(lodger_core::Error),
    /// The actor was despawned. Handles of another scene are not told apart.
    StaleActor,
    /// The scene has no such module.
    NoSuchModule,
    /// The scene has no such view.
    NoSuchView,
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
}

impl From<lodger_core::Error> for SceneError {
    fn from(error: lodger_core::Error) -> Self {
        Self::Refused(error)
    }
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(error) => error.fmt(f),
            Self::StaleActor => f.write_str("the actor is no longer in this scene"),
            Self::NoSuchModule => f.write_str("there is no such module in this scene"),
            Self::NoSuchView => f.write_str("there is no such view in this scene"),
        }
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
