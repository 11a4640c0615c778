//! Convex hulls in whole coordinates: exact polytopes, simpler forms of them, and what an asset keeps of one.

pub(super) mod block;
pub(super) mod collapse;
pub(super) mod enclose;
pub(super) mod facet_locator;
pub(super) mod facets;
pub(super) mod lattice;
pub(super) mod levels;
pub(super) mod polytope;
pub(super) mod tighten;
