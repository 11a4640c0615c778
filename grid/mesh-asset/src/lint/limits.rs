//! How much is said at most.

/// How many thin triangles [`lint`](super::lint) names at most.
pub const THINNEST: usize = 10;

/// How many degenerate triangles of a block [`lint`](super::lint) names at most; the rest is one finding.
pub const MAX_NAMED: usize = 1000;
