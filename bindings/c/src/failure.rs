//! What a call answers when it fails, and what it says of it.

use std::cell::RefCell;
use std::fmt;

use lodger_scheduler::SceneError;
use lodger_scheduler::lodger_core::Error;

use crate::status::Status;

/// Why a call failed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Failure {
    NoSuchScene,
    NoSuchView,
    NoSuchActor,
    NoSuchModule,
    Scene(SceneError),
    /// A value that only the header knows; what and why.
    Refused(&'static str),
    Argument(&'static str),
    StructSize(usize),
    Busy,
    Panicked,
}

impl Failure {
    fn status(self) -> Status {
        match self {
            Self::NoSuchScene => Status::NO_SUCH_SCENE,
            Self::NoSuchView | Self::Scene(SceneError::StaleView | SceneError::ForeignView) => {
                Status::NO_SUCH_VIEW
            }
            Self::NoSuchModule
            | Self::Scene(SceneError::NoSuchModule | SceneError::ForeignModule) => {
                Status::NO_SUCH_MODULE
            }
            Self::NoSuchActor | Self::Scene(SceneError::StaleActor | SceneError::ForeignActor) => {
                Status::NO_SUCH_ACTOR
            }
            Self::Scene(_) | Self::Refused(_) => Status::REFUSED,
            Self::Argument(_) | Self::StructSize(_) => Status::INVALID_ARGUMENT,
            Self::Busy => Status::BUSY,
            Self::Panicked => Status::PANICKED,
        }
    }

    /// Keeps what is to be said for `lodger_last_error`, and the answer.
    pub(crate) fn answer(self, row: Option<usize>) -> Status {
        let text = match row {
            Some(row) => format!("element {row}: {self}"),
            None => self.to_string(),
        };
        // A thread that ends may call after its memory of this is gone.
        let _ = LAST.try_with(|last| last.replace(text));
        self.status()
    }
}

impl From<SceneError> for Failure {
    fn from(error: SceneError) -> Self {
        Self::Scene(error)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Scene(error.into())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoSuchScene => "there is no such scene, or no longer",
            Self::NoSuchView => "there is no such view",
            Self::NoSuchActor => "there is no such actor",
            Self::NoSuchModule => "there is no such module",
            Self::Scene(error) => return error.fmt(f),
            Self::Refused(what) | Self::Argument(what) => what,
            Self::StructSize(size) => return write!(f, "a struct cannot have the size {size}"),
            Self::Busy => "another thread is in this scene",
            Self::Panicked => "lodger panicked in this scene, which can only be destroyed now",
        })
    }
}

thread_local! {
    static LAST: RefCell<String> = const { RefCell::new(String::new()) };
}

/// What the last call of this thread that failed said.
pub(crate) fn last() -> String {
    LAST.try_with(|last| last.borrow().clone()).unwrap_or_default()
}
