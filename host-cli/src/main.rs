//! lodger-cli
fn main() {}
