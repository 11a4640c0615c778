//! A ball among others.

use super::ball::Ball;

/// A ball and its place in the caller's order.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Placed {
    pub(super) index: usize,
    pub(super) ball: Ball<f64>,
}
