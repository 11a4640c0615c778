//! Tests of the real binary.

#[path = "cli/errors.rs"]
mod errors;
#[path = "cli/gltf.rs"]
mod gltf;
#[path = "cli/hostile.rs"]
mod hostile;
#[path = "cli/output.rs"]
mod output;
#[path = "cli/run.rs"]
mod run;
#[path = "cli/shapes.rs"]
mod shapes;
