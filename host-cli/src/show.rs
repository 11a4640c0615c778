//! What comes out of a check.

mod findings;

pub(crate) use findings::findings;
