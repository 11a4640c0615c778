//! How close an enclosing ball must be.

/// What a radius may be off by, and a certificate may leave open, of the largest coordinate or
/// radius; 2.6e-15 was the worst of 2.8 million sets of adversarial families.
pub const BALL: f64 = 1e-14;

/// What an answer at the limit of 54 m may be off by, in metres: [`BALL`] of the limit, rounded up.
pub const LIMIT: f64 = 1e-12;
