//! What comes into a module, and what is turned away.

use lodger_core::Error;
use lodger_core::benefit::State;

/// What a module takes in: where something is, how large it is and what it does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Actor<N, B> {
    /// Position, age and speed.
    pub state: State<N>,
    /// The radius of its bounding sphere, in metres.
    pub radius: N,
    /// What the actor does.
    pub body: B,
}

/// An actor that was not taken, and why.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Refused<N, B> {
    /// The actor, as it was given.
    pub actor: Actor<N, B>,
    /// Why it was not taken.
    pub why: Refusal,
}

/// Why an actor was not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Refusal {
    /// There is no memory for another one.
    Full,
    /// Its radius makes no sense.
    Invalid(Error),
}
