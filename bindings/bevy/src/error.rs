//! What went wrong, and with whom.

use std::fmt;

use bevy_ecs::entity::Entity;
use bevy_ecs::message::Message;
use lodger_scheduler::SceneError;

/// Something that an entity asked for could not be done: a message, sent when it is noticed.
///
/// Nothing else is lost by it: what was said before holds on, and the other entities are as they were.
#[derive(Debug, Clone, Copy, PartialEq, Message)]
pub struct LodError {
    /// The entity; `None` if a setting of the whole scene was refused.
    pub entity: Option<Entity>,
    /// The short name of the module's type; of views and of the scene it is empty.
    pub module: &'static str,
    /// What it is.
    pub problem: LodProblem,
}

impl fmt::Display for LodError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(entity) = self.entity {
            write!(f, "{entity}: ")?;
        }
        if !self.module.is_empty() {
            write!(f, "{}: ", self.module)?;
        }
        self.problem.fmt(f)
    }
}

impl std::error::Error for LodError {}

/// What went wrong.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum LodProblem {
    /// Nobody added [`LodModulePlugin`](crate::LodModulePlugin) for the module. The actor waits for it.
    NoModule,
    /// There is no `GlobalTransform`. An actor waits until it has one, and one that lost it keeps its last
    /// place; so does a view.
    NoTransform,
    /// The place is not a number or infinite. Who had one before keeps it; a new actor has none, and is
    /// quarantined at its lowest level until it has one; a new view sees nothing.
    NotFinite,
    /// The scene refused a value: a radius, work that decreases, a range beyond the levels. The actor keeps
    /// the values that it had; a new one is not in the scene until its components are sound.
    Refused(SceneError),
}

impl fmt::Display for LodProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoModule => f.write_str("no LodModulePlugin was added for this module"),
            Self::NoTransform => f.write_str("there is no GlobalTransform"),
            Self::NotFinite => f.write_str("the place is not finite"),
            Self::Refused(error) => error.fmt(f),
        }
    }
}
