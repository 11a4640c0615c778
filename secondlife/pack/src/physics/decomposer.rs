//! The process that takes a mesh apart, and its protocol.

pub(super) mod child;
pub(super) mod protocol;
