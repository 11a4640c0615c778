//! Why an object gets no physics shape.

use lodger_allowance::Spent;

use crate::error::Error;
use crate::model::Object;

/// Why an object gets no physics shape.
#[derive(Clone, Debug)]
pub(super) enum Failure {
    /// The model takes more than it may.
    Spent(Spent),
    /// Another reason, in words.
    Problem(String),
}

impl Failure {
    pub(super) fn of(self, object: &Object) -> Error {
        match self {
            Self::Spent(spent) => spent.into(),
            Self::Problem(problem) => Error::Physics { object: object.name.clone(), problem },
        }
    }
}

impl From<Spent> for Failure {
    fn from(spent: Spent) -> Self {
        Self::Spent(spent)
    }
}

impl From<String> for Failure {
    fn from(problem: String) -> Self {
        Self::Problem(problem)
    }
}

impl From<&str> for Failure {
    fn from(problem: &str) -> Self {
        problem.to_owned().into()
    }
}
