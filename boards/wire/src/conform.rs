//! The conformance protocol: a host asks, a device answers, and the bits must be those of the host.
//!
//! A [`Request`] carries a question with all of its numbers, as bits; [`Answer`] carries all numbers
//! that came out. The device runs [`serve`]; the host runs [`compare`], which asks the questions that
//! [`Vectors`] makes and answers each of them itself with [`answer`]. Nothing here computes: that is
//! lodger-core's, and whole ledgers are those of scenes, which either end brings ([`Ledgers`]).
//!
//! # Important terms
//!
//! - **backend**: the number type that a question is answered in
//! - **words**: numbers as their 32 bits, so that no NaN and no signed zero hides

mod answer;
mod assignment;
mod backend;
mod conversation;
mod cost;
mod ledger;
mod linking;
mod policy;
mod question;
mod random;
mod scene;
#[cfg(feature = "scheduler")]
mod scheduler;
mod vectors;
mod words;

pub use answer::answer;
pub use assignment::{ACTORS, AssignmentQuestion};
pub use backend::{Backend, Number};
pub use conversation::{Mismatch, SEED, VECTORS, ask, compare, end, serve};
pub use cost::{
    AssetQuestion, BodyQuestion, HULLS, LinksetQuestion, PARTS, PartQuestion, PhysicsQuestion,
    SimulatorQuestion, StreamingQuestion,
};
pub use ledger::{Decided, DecidedModule, Ledgers, Refusal, Told};
pub use linking::{PRIMS, PrimQuestion};
pub use policy::{COSTS, PLAYERS, PolicyQuestion, TEAMS, TeamQuestion};
pub use question::{Answer, Function, OBSERVATIONS, Question, Request};
pub use scene::{
    ActorQuestion, BenefitQuestion, LEVELS, LedgerQuestion, MODULES, ModuleQuestion, ROWS,
    RowQuestion, TICKS,
};
#[cfg(feature = "scheduler")]
pub use scheduler::SchedulerBackend;
pub use vectors::Vectors;
pub use words::{WORDS, Words};
