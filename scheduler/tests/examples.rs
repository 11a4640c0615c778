//! Runs the examples that the guide shows.

#[path = "../examples/game_loop.rs"]
#[expect(dead_code, reason = "the example's own frames take seconds without optimisation")]
mod game_loop;

#[test]
fn the_loop_of_the_guide_keeps_its_budget() {
    game_loop::play(5).expect("no call is refused");
}

#[path = "../examples/priority.rs"]
#[expect(dead_code, reason = "the test prints nothing")]
mod priority;

#[test]
fn more_capes_are_shown_with_a_greater_priority() {
    let shown = [1.0, 2.0, 4.0, 8.0].map(priority::capes_above_level_0);
    assert_eq!(shown.map(|shown| shown.expect("no call is refused")), [16, 32, 50, 81]);
}
