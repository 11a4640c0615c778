//! The forms for very many actors give the plan of the forms for boards, whatever parts they are asked in.

mod crowds;
mod frames;
mod random;
mod walks;

/// Scenes of few and of many actors.
#[test]
fn parts_in_any_order_are_decided_like_the_whole() {
    for seed in 0..1_500 {
        let most = [40, 300, 2_000, 6_000][(seed % 4) as usize];
        let ran = frames::run(seed, most, |_, _| {});
        assert_eq!(ran, Ok(()));
    }
}
