//! Statuses and errors of calls.

use std::cell::RefCell;
use std::fmt;

use lodger_scheduler::SceneError;
use lodger_scheduler::lodger_core::ValueError;

/// The status of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub struct Status(pub i32);

impl Status {
    /// Success.
    pub const OK: Self = Self(0);
    /// The scene is destroyed, or the handle invalid.
    pub const NO_SUCH_SCENE: Self = Self(1);
    /// The view is stale, of another scene, or invalid.
    pub const NO_SUCH_VIEW: Self = Self(2);
    /// The module is of another scene, or invalid.
    pub const NO_SUCH_MODULE: Self = Self(3);
    /// The actor is stale, of another scene, or invalid.
    pub const NO_SUCH_ACTOR: Self = Self(4);
    /// The scene rejected a value.
    pub const INVALID_VALUE: Self = Self(5);
    /// A pointer, a stride, an enumerator, a flag or a struct's size is invalid.
    pub const INVALID_ARGUMENT: Self = Self(6);
    /// Another thread uses this scene.
    pub const BUSY: Self = Self(7);
    /// A panic in lodger.
    pub const PANICKED: Self = Self(8);

    /// All statuses, in order.
    pub const ALL: [Self; 9] = [
        Self::OK,
        Self::NO_SUCH_SCENE,
        Self::NO_SUCH_VIEW,
        Self::NO_SUCH_MODULE,
        Self::NO_SUCH_ACTOR,
        Self::INVALID_VALUE,
        Self::INVALID_ARGUMENT,
        Self::BUSY,
        Self::PANICKED,
    ];
}

/// An error of a call.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum CallError {
    NoSuchScene,
    NoSuchView,
    NoSuchActor,
    NoSuchModule,
    Scene(SceneError),
    /// A rejected value without an error of the scheduler.
    Invalid(&'static str),
    Argument(&'static str),
    StructSize(usize),
    Busy,
    Panicked,
}

impl CallError {
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
            Self::Scene(_) | Self::Invalid(_) => Status::INVALID_VALUE,
            Self::Argument(_) | Self::StructSize(_) => Status::INVALID_ARGUMENT,
            Self::Busy => Status::BUSY,
            Self::Panicked => Status::PANICKED,
        }
    }
}

/// An error, with the index of the element at fault in a batch.
#[derive(Debug)]
pub(crate) struct BatchError {
    pub(crate) error: CallError,
    pub(crate) index: Option<usize>,
}

impl<E: Into<CallError>> From<E> for BatchError {
    fn from(error: E) -> Self {
        Self { error: error.into(), index: None }
    }
}

impl BatchError {
    /// Stores the message for `lodger_last_error`.
    pub(crate) fn into_status(self) -> Status {
        let Self { error, index } = self;
        let text = match index {
            Some(index) => format!("element {index}: {error}"),
            None => error.to_string(),
        };
        // A thread may call while it ends, after its variables are dropped.
        let _ = LAST.try_with(|last| last.replace(text));
        error.status()
    }
}

impl From<SceneError> for CallError {
    fn from(error: SceneError) -> Self {
        Self::Scene(error)
    }
}

impl From<ValueError> for CallError {
    fn from(error: ValueError) -> Self {
        Self::Scene(error.into())
    }
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoSuchScene => "there is no such scene, or no longer",
            Self::NoSuchView => "there is no such view",
            Self::NoSuchActor => "there is no such actor",
            Self::NoSuchModule => "there is no such module",
            Self::Scene(error) => return error.fmt(f),
            Self::Invalid(what) | Self::Argument(what) => what,
            Self::StructSize(size) => return write!(f, "a struct cannot have the size {size}"),
            Self::Busy => "another thread uses this scene",
            Self::Panicked => "lodger panicked in this scene, which can only be destroyed now",
        })
    }
}

thread_local! {
    static LAST: RefCell<String> = const { RefCell::new(String::new()) };
}

pub(crate) fn last() -> String {
    LAST.try_with(|last| last.borrow().clone()).unwrap_or_default()
}
