//! Ticks of scenes.
fn main() {}
