//! What lodger can do: for each command its arguments, what it reports, and how that looks.

pub(crate) mod bench;
pub(crate) mod cost;
pub(crate) mod linkset;
pub(crate) mod lint;
pub(crate) mod replay;
pub(crate) mod schedule;
pub(crate) mod simulate;
