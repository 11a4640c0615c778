//! Importance functions.
fn main() {}
