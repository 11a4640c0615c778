//! Runs the loop that the guide shows for some frames: each asserts that the plan fits the budget.

#[path = "../examples/game_loop.rs"]
#[expect(dead_code, reason = "the example's own frames take seconds without optimisation")]
mod game_loop;

#[test]
fn the_loop_of_the_guide_keeps_its_budget() {
    game_loop::play(5).expect("no call is refused");
}
