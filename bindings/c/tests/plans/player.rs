//! Whoever makes the calls of a seed.

use super::calls::{self, Call};
use super::told::Told;

/// Who makes the calls.
pub(crate) trait Player {
    /// Makes one call and tells what came of it.
    fn play(&mut self, call: &Call, told: &mut Told);
}

/// Plays the scene of a seed to its end.
pub(crate) fn play(seed: u64, mut player: impl Player) -> String {
    let mut told = Told::of_scene(seed);
    for call in calls::of(seed) {
        player.play(&call, &mut told);
    }
    told.into_text()
}
