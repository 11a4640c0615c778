//! How a plan breaks a promise.

use std::error::Error;
use std::fmt;

use crate::oracle::ledger::{Actor, Leftovers, Outcome};

/// A promise that a plan breaks.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Violation {
    /// The assigned money is not the sum of its parts, both in nanoseconds.
    Sum {
        /// What the plan says.
        assigned: u128,
        /// What the parts add up to.
        parts: u128,
    },
    /// More money is assigned than is allowed, both in nanoseconds.
    OverBudget {
        /// What is assigned.
        assigned: u128,
        /// What is allowed.
        limit: u128,
    },
    /// An actor or a module spends more than it was given.
    Overdrawn {
        /// Who may spend leftovers.
        leftovers: Leftovers,
        /// The number of the actor or the module.
        index: usize,
    },
    /// An actor has less than another plan gives it at least.
    Below {
        /// The number of the actor.
        index: usize,
        /// What it has.
        now: Outcome,
        /// What it has in the other plan.
        floor: Outcome,
    },
    /// There are not as many answers as actors.
    Answers {
        /// How many answers there are.
        answers: usize,
        /// How many actors there are.
        actors: usize,
    },
    /// An actor got what it should not.
    Actor {
        /// The number of the actor.
        index: usize,
        /// The actor.
        actor: Box<Actor>,
        /// What it got.
        outcome: Outcome,
    },
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sum { assigned, parts } => {
                write!(f, "assigned {assigned} ns, but the parts make {parts} ns")
            }
            Self::OverBudget { assigned, limit } => {
                write!(f, "assigned {assigned} ns where {limit} ns are allowed")
            }
            Self::Overdrawn { leftovers, index } => {
                write!(f, "{leftovers:?}: number {index} spends more than it was given")
            }
            Self::Below { index, now, floor } => {
                write!(f, "actor {index} has {now:?} where {floor:?} is the floor")
            }
            Self::Answers { answers, actors } => {
                write!(f, "{answers} answers for {actors} actors")
            }
            Self::Actor { index, actor, outcome } => {
                write!(f, "actor {index}, {actor:?}, got {outcome:?}")
            }
        }
    }
}

impl Error for Violation {}
