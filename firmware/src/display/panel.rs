//! A display that may not be there.

use core::fmt;

use embedded_graphics::Pixel;
use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::{OriginDimensions, Size};
use embedded_graphics::pixelcolor::BinaryColor;
use embedded_hal::i2c::I2c;
use ssd1306::mode::{BufferedGraphicsMode, DisplayConfig};
use ssd1306::prelude::{DisplayRotation, DisplaySize128x64, I2CInterface};
use ssd1306::{I2CDisplayInterface, Ssd1306};

use super::Display;

/// An SSD1306 of 128 by 64 pixels on an I²C bus, if there is one.
///
/// After the first error the bus is left alone, and there is no second one: nobody waits in every
/// frame for a display that is not there, and a frame loop goes on without a picture.
pub struct Panel<I> {
    display: Ssd1306<I2CInterface<I>, DisplaySize128x64, BufferedGraphicsMode<DisplaySize128x64>>,
    state: State,
}

/// No display answers, or not any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct NoAnswer;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Working,
    /// It did not answer, and nobody was told yet.
    Lost,
    Off,
}

impl<I: I2c> Panel<I> {
    /// A display with the usual address, 0x3c, in its dark first state.
    pub fn new(bus: I) -> Self {
        let interface = I2CDisplayInterface::new(bus);
        let mut display = Ssd1306::new(interface, DisplaySize128x64, DisplayRotation::Rotate0)
            .into_buffered_graphics_mode();
        let state = if display.init().is_ok() { State::Working } else { State::Lost };
        Self { display, state }
    }
}

impl<I> fmt::Debug for Panel<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Panel").field(&self.state).finish()
    }
}

impl<I: I2c> OriginDimensions for Panel<I> {
    fn size(&self) -> Size {
        self.display.size()
    }
}

impl<I: I2c> DrawTarget for Panel<I> {
    type Color = BinaryColor;
    type Error = NoAnswer;

    fn draw_iter<P>(&mut self, pixels: P) -> Result<(), NoAnswer>
    where
        P: IntoIterator<Item = Pixel<BinaryColor>>,
    {
        if self.state == State::Working {
            // To memory, which always works.
            let _ = self.display.draw_iter(pixels);
        }
        Ok(())
    }

    fn clear(&mut self, color: BinaryColor) -> Result<(), NoAnswer> {
        let _ = self.display.clear(color);
        Ok(())
    }
}

impl<I: I2c> Display for Panel<I> {
    fn show(&mut self) -> Result<(), NoAnswer> {
        match self.state {
            State::Working if self.display.flush().is_ok() => Ok(()),
            State::Working | State::Lost => {
                self.state = State::Off;
                Err(NoAnswer)
            }
            State::Off => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use core::cell::Cell;

    use embedded_graphics::geometry::Point;
    use embedded_hal::i2c::{ErrorKind, ErrorType, Operation};

    use super::*;

    /// A bus that takes so many transactions and then none, and counts what was tried.
    struct Bus<'a> {
        tried: &'a Cell<usize>,
        taken: usize,
    }

    impl ErrorType for Bus<'_> {
        type Error = ErrorKind;
    }

    impl I2c for Bus<'_> {
        fn transaction(&mut self, _: u8, _: &mut [Operation<'_>]) -> Result<(), ErrorKind> {
            self.tried.set(self.tried.get() + 1);
            if self.tried.get() > self.taken { Err(ErrorKind::Bus) } else { Ok(()) }
        }
    }

    fn frame(panel: &mut Panel<Bus<'_>>) -> Result<(), NoAnswer> {
        panel.clear(BinaryColor::Off)?;
        panel.draw_iter([Pixel(Point::new(5, 60), BinaryColor::On)])?;
        panel.show()
    }

    #[test]
    fn a_display_that_is_not_there_is_told_once_and_then_left_alone() {
        let tried = Cell::new(0);
        let mut panel = Panel::new(Bus { tried: &tried, taken: 0 });
        assert_eq!(tried.get(), 1);
        assert_eq!([frame(&mut panel), frame(&mut panel)], [Err(NoAnswer), Ok(())]);
        assert_eq!(tried.get(), 1);
    }

    #[test]
    fn one_that_is_taken_away_is_told_once_too() {
        let tried = Cell::new(0);
        let mut panel = Panel::new(Bus { tried: &tried, taken: usize::MAX });
        assert_eq!([frame(&mut panel), frame(&mut panel)], [Ok(()); 2]);
        let taken = tried.take() - 1;
        let mut panel = Panel::new(Bus { tried: &tried, taken });
        let outcomes: [_; 9] = core::array::from_fn(|_| frame(&mut panel));
        assert_eq!(outcomes.iter().filter(|outcome| outcome.is_err()).count(), 1);
        assert_eq!(outcomes[0], Ok(()));
        let then = tried.get();
        assert_eq!(frame(&mut panel), Ok(()));
        assert_eq!(tried.get(), then);
    }
}
