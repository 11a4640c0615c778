//! The examples, run: each asserts what it promises.
#![allow(clippy::needless_pass_by_value)] // systems are so

#[path = "../examples/cloth.rs"]
mod cloth;
#[path = "../examples/crowd.rs"]
mod crowd;
#[path = "../examples/particles.rs"]
mod particles;

#[test]
fn cloth_ends_as_it_says() {
    cloth::main();
}

#[test]
fn crowd_ends_as_it_says() {
    crowd::main();
}

#[test]
fn particles_end_as_they_say() {
    particles::main();
}
