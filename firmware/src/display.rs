//! Displays with one bit per pixel, and the camera.

mod camera;
mod frame_buffer;

use core::fmt;

use embedded_graphics::Pixel;
use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::{OriginDimensions, Size};
use embedded_graphics::pixelcolor::BinaryColor;
use embedded_hal::i2c::I2c;
use ssd1306::mode::{BufferedGraphicsMode, DisplayConfig};
use ssd1306::prelude::{DisplayRotation, DisplaySize, DisplaySize128x64, I2CInterface};
use ssd1306::{I2CDisplayInterface, Ssd1306};

pub use camera::{Camera, Viewer};
pub use frame_buffer::FrameBuffer;

/// A display that is drawn to memory and then shown, once a frame.
///
/// # For implementors
/// Drawing outside the bounding box does nothing, as `DrawTarget` requires. Only `show` waits for a bus. After an error the
/// caller goes on, and may show again.
pub trait Display: DrawTarget<Color = BinaryColor> {
    /// Shows the drawn pixels.
    ///
    /// # Errors
    /// If the bus fails.
    fn show(&mut self) -> Result<(), Self::Error>;
}

impl<I: I2c, S: DisplaySize> Display for Ssd1306<I2CInterface<I>, S, BufferedGraphicsMode<S>> {
    fn show(&mut self) -> Result<(), Self::Error> {
        self.flush()
    }
}

/// An SSD1306 of 128 by 64 pixels on an I²C bus, or a missing one.
///
/// After the first error the bus is not used any more and no error is returned, so that a frame loop does not wait for a
/// missing display in every frame.
pub struct Panel<I> {
    display: Ssd1306<I2CInterface<I>, DisplaySize128x64, BufferedGraphicsMode<DisplaySize128x64>>,
    state: State,
}

/// The display does not respond.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct NoAnswer;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Working,
    /// It did not respond, which is not reported yet.
    Lost,
    Off,
}

impl<I: I2c> Panel<I> {
    /// Makes a dark display at the usual address, 0x3c.
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
            // Drawing to memory cannot fail.
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

    /// A bus that accepts a number of transactions and then fails, and counts transactions and bytes of pixels.
    struct Bus<'a> {
        tried: &'a Cell<usize>,
        pixels: usize,
        taken: usize,
    }

    impl ErrorType for Bus<'_> {
        type Error = ErrorKind;
    }

    impl I2c for Bus<'_> {
        fn transaction(&mut self, address: u8, ops: &mut [Operation<'_>]) -> Result<(), ErrorKind> {
            assert_eq!(address, 0x3c);
            for op in ops {
                match op {
                    // The first byte says whether commands or pixels follow.
                    Operation::Write([0x40, pixels @ ..]) => self.pixels += pixels.len(),
                    Operation::Write(_) => {}
                    Operation::Read(_) => panic!("there is nothing to read"),
                }
            }
            self.tried.set(self.tried.get() + 1);
            if self.tried.get() > self.taken { Err(ErrorKind::Bus) } else { Ok(()) }
        }
    }

    fn bus(tried: &Cell<usize>, taken: usize) -> Bus<'_> {
        Bus { tried, pixels: 0, taken }
    }

    const PIXEL: Pixel<BinaryColor> = Pixel(Point::new(5, 60), BinaryColor::On);

    #[test]
    fn an_ssd1306_gets_changed_pages_and_reports_a_failing_bus() {
        let tried = Cell::new(0);
        let display = |taken| {
            let interface = I2CDisplayInterface::new(bus(&tried, taken));
            Ssd1306::new(interface, DisplaySize128x64, DisplayRotation::Rotate0)
                .into_buffered_graphics_mode()
        };
        let mut working = display(usize::MAX);
        working.init().unwrap();
        working.show().unwrap();
        working.draw_iter([PIXEL]).unwrap();
        working.show().unwrap();
        let pixels = working.release().release().pixels;
        // First the whole display, then only the page of the pixel.
        assert!((1_024..2_048).contains(&pixels), "{pixels}");

        let mut failing = display(0);
        failing.draw_iter([PIXEL]).unwrap();
        assert!(failing.show().is_err());
    }

    fn frame(panel: &mut Panel<Bus<'_>>) -> Result<(), NoAnswer> {
        panel.clear(BinaryColor::Off)?;
        panel.draw_iter([PIXEL])?;
        panel.show()
    }

    #[test]
    fn a_missing_display_is_reported_once_and_not_used_again() {
        let tried = Cell::new(0);
        let mut panel = Panel::new(bus(&tried, 0));
        assert_eq!(tried.get(), 1);
        assert_eq!([frame(&mut panel), frame(&mut panel)], [Err(NoAnswer), Ok(())]);
        assert_eq!(tried.get(), 1);
    }

    #[test]
    fn a_removed_display_is_reported_once() {
        let tried = Cell::new(0);
        let mut panel = Panel::new(bus(&tried, usize::MAX));
        assert_eq!([frame(&mut panel), frame(&mut panel)], [Ok(()); 2]);
        let taken = tried.take() - 1;
        let mut panel = Panel::new(bus(&tried, taken));
        let outcomes: [_; 9] = core::array::from_fn(|_| frame(&mut panel));
        assert_eq!(outcomes.iter().filter(|outcome| outcome.is_err()).count(), 1);
        assert_eq!(outcomes[0], Ok(()));
        let then = tried.get();
        assert_eq!(frame(&mut panel), Ok(()));
        assert_eq!(tried.get(), then);
    }
}
