//! Meshes, linksets and archives to weights and land impact.
#![forbid(unsafe_code)]
