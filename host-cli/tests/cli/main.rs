//! Tests of the real binary.

mod errors;
mod example;
mod gltf;
mod hostile;
mod output;
mod run;
mod shapes;
