//! How questions are answered.

use std::num::NonZeroUsize;

/// How questions are answered.
#[derive(Clone, Debug)]
pub struct Options {
    /// The rules by which the views `prices` and `objects` count: `wiki`, `viewer` or `grid`.
    pub rules: &'static str,
    /// Into how many partitions a plan is cut; as many as there are processors where it is `None`.
    pub partitions: Option<NonZeroUsize>,
    /// Bytes that a plan may hold in memory; beyond them it writes to disk.
    pub memory: usize,
    /// The scheduler that plans are sent to, `HOST:PORT`; here, where it is `None`.
    pub cluster: Option<String>,
}
