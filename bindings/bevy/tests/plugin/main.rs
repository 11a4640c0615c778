//! The plugin in apps without a window, frame by frame, and the examples, whose `main` asserts what they print.
#![allow(clippy::needless_pass_by_value)] // parameters of Bevy systems

#[path = "../../examples/crowd.rs"]
mod animation;
#[path = "../../examples/camera.rs"]
mod camera;
#[path = "../../examples/cloth.rs"]
mod cloth;
#[path = "../../examples/particles.rs"]
mod particles;

mod actors;
mod changes;
mod errors;
mod in_step;
mod prelude;
mod settings;

#[test]
fn examples_pass_their_assertions() {
    cloth::main();
    animation::main();
    particles::main();
    camera::main();
}
