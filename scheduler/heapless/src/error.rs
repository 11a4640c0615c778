//! Why a scene refused something.

use core::fmt;

use lodger_core::Error;

/// Why a scene refused something; the scene is as it was before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum SceneError {
    /// A value makes no sense.
    Invalid(Error),
    /// There is no room for more of something.
    Full(Full),
    /// The actor was despawned.
    StaleActor,
    /// No module was added as that one.
    NoSuchModule,
}

/// What a scene has no room for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Full {
    /// It has as many modules as its type says.
    Modules,
    /// It has as many actors as its type says.
    Actors,
    /// The levels of the different ladders of its actors are as many as its type says.
    Costs,
    /// It has [`MAX_EYES`](crate::MAX_EYES).
    Eyes,
}

/// An actor that was not taken in, and why.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Refused<A> {
    /// The actor, as it was given.
    pub actor: A,
    /// Why it was not taken in.
    pub why: SceneError,
}

impl From<Error> for SceneError {
    fn from(error: Error) -> Self {
        Self::Invalid(error)
    }
}

impl From<Full> for SceneError {
    fn from(full: Full) -> Self {
        Self::Full(full)
    }
}

impl<A> From<Refused<A>> for SceneError {
    fn from(refused: Refused<A>) -> Self {
        refused.why
    }
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Invalid(error) => return error.fmt(f),
            Self::Full(Full::Modules) => "the scene has no room for another module",
            Self::Full(Full::Actors) => "the scene has no room for another actor",
            Self::Full(Full::Costs) => "the scene has no room for other levels",
            Self::Full(Full::Eyes) => "the scene has no room for so many eyes",
            Self::StaleActor => "the actor is no longer in this scene",
            Self::NoSuchModule => "there is no such module in this scene",
        })
    }
}

impl core::error::Error for SceneError {}

impl<A: fmt::Debug> fmt::Display for Refused<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.why.fmt(f)
    }
}

impl<A: fmt::Debug> core::error::Error for Refused<A> {}
