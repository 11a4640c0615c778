//! Why results do not pass.

use std::error::Error;
use std::fmt;

use super::case::{Backend, Case, Function};

/// Results that do not pass.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// What was computed.
    pub function: Function,
    /// The number type that computed it.
    pub backend: Backend,
    /// What is wrong with the results.
    pub fault: Fault,
}

/// What is wrong with results.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Fault {
    /// The tolerance of a case is so wide that it could not fail.
    CannotFail(Case),
    /// There are no cases.
    NoCases,
    /// A case is outside its tolerance.
    Outside {
        /// The case that is furthest outside.
        worst: Case,
        /// The difference that was allowed.
        allowed: f64,
        /// Why this much was allowed and no more.
        reason: &'static str,
    },
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { function, backend, fault } = self;
        write!(f, "{function:?} in {backend:?}: {fault}")
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CannotFail(case) => write!(f, "{case} cannot fail"),
            Self::NoCases => f.write_str("nothing to check"),
            Self::Outside { worst, allowed, reason } => {
                write!(f, "{worst}, allowed are {allowed:e} ({reason})")
            }
        }
    }
}

impl Error for Verdict {}
