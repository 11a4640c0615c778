//! Levels of detail within a millisecond budget, as a Bevy plugin.
