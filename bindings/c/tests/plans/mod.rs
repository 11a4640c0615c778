//! Random calls, and what they say when the scheduler itself is asked: what `tests/c/plans.c` draws and prints.

pub(crate) mod calls;
pub(crate) mod player;
pub(crate) mod rust;
pub(crate) mod told;
