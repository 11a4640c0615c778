//! Questions about benefits, and an actor's state. All numbers are the bits of the backend's type.

use serde::{Deserialize, Serialize};

/// The terms of a benefit and the state of one actor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct BenefitQuestion {
    /// Whether the distance importance is angular instead of the solid angle.
    pub angular: bool,
    /// The distance at which importance reaches 0, in metres, if there is one.
    pub max_distance: Option<u32>,
    /// The weights of distance, age and speed.
    pub weights: [u32; 3],
    /// Whether the weights are made to total 1.
    pub normalised: bool,
    /// What is added to every benefit.
    pub bias: u32,
    /// The age at which importance reaches 0, in seconds.
    pub max_age: u32,
    /// The speed at which importance reaches 1, in metres per second.
    pub max_speed: u32,
    /// The positions of the viewers, in metres.
    pub eyes: [[u32; 3]; 2],
    /// The actor.
    pub row: RowQuestion,
}

/// The state of an actor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowQuestion {
    /// The position, in metres.
    pub position: [u32; 3],
    /// The radius of the bounding sphere, in metres.
    pub radius: u32,
    /// The age, in seconds.
    pub age: u32,
    /// The speed, in metres per second.
    pub speed: u32,
}
