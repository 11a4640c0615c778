//! What an actor does at its level of detail.

use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::pixelcolor::BinaryColor;
use lodger_core::Real;

use crate::display::Camera;

/// One frame as a body sees it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step<N> {
    /// The time since the last frame, in seconds.
    pub time: N,
    /// The wind's acceleration along z, in m/s².
    pub wind: N,
}

/// The part of an actor that works: what is behind its position.
///
/// # For implementors
/// All bodies of a type have the same levels and the same work at each. What a step takes is about
/// proportional to its units, whatever the level: that is what makes a unit cost mean something.
/// Neither function panics; a level that there is not does nothing.
pub trait Body<N: Real> {
    /// The units of work of a step at a level; `None` beyond the highest. They do not decrease.
    fn units(level: u8) -> Option<u32>;

    /// Does the work of a frame.
    fn step(&mut self, level: u8, step: Step<N>);

    /// Draws what is seen of it when it stands at `at`, in metres.
    ///
    /// # Errors
    /// Those of the display.
    fn draw<D>(&self, at: [N; 3], camera: &Camera<N>, display: &mut D) -> Result<(), D::Error>
    where
        D: DrawTarget<Color = BinaryColor>;
}
