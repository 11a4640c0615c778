//! What the app draws on: a display with one bit a pixel, and the camera that looks at the scene.

mod camera;
mod frame_buffer;
mod panel;

use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::pixelcolor::BinaryColor;
use embedded_hal::i2c::I2c;
use ssd1306::Ssd1306;
use ssd1306::mode::BufferedGraphicsMode;
use ssd1306::prelude::{DisplaySize, I2CInterface};

pub use camera::{Camera, Viewer};
pub use frame_buffer::FrameBuffer;
pub use panel::{NoAnswer, Panel};

/// A display that is drawn on and then shown.
///
/// # For users
/// Clear, draw, show, once a frame. Until [`show`](Self::show) nothing needs to be visible.
///
/// # For implementors
/// Drawing outside the bounding box does nothing, as `DrawTarget` asks. Drawing goes to memory, so
/// that a frame is not drawn at the pace of a bus; `show` may take as long as the bus does. An error
/// of one frame does not spoil the next one: the caller goes on, and may show again.
pub trait Display: DrawTarget<Color = BinaryColor> {
    /// Makes visible what was drawn.
    ///
    /// # Errors
    /// What the bus says.
    fn show(&mut self) -> Result<(), Self::Error>;
}

impl<I: I2c, S: DisplaySize> Display for Ssd1306<I2CInterface<I>, S, BufferedGraphicsMode<S>> {
    fn show(&mut self) -> Result<(), Self::Error> {
        self.flush()
    }
}

#[cfg(test)]
mod tests {
    use embedded_graphics::Pixel;
    use embedded_graphics::geometry::Point;
    use embedded_hal::i2c::{ErrorKind, ErrorType, Operation};
    use ssd1306::mode::DisplayConfig;
    use ssd1306::prelude::DisplayRotation;
    use ssd1306::size::DisplaySize128x64;
    use ssd1306::{I2CDisplayInterface, Ssd1306};

    use super::*;

    /// A bus that counts what it takes, and breaks off when it is told to.
    struct Bus {
        data: usize,
        broken: bool,
    }

    impl ErrorType for Bus {
        type Error = ErrorKind;
    }

    impl I2c for Bus {
        fn transaction(&mut self, address: u8, ops: &mut [Operation<'_>]) -> Result<(), ErrorKind> {
            assert_eq!(address, 0x3c);
            for op in ops {
                match op {
                    // The first byte says whether commands or pixels follow.
                    Operation::Write([0x40, pixels @ ..]) => self.data += pixels.len(),
                    Operation::Write(_) => {}
                    Operation::Read(_) => panic!("nothing to be read"),
                }
            }
            if self.broken { Err(ErrorKind::Bus) } else { Ok(()) }
        }
    }

    #[test]
    fn an_ssd1306_gets_what_was_drawn_and_says_when_the_bus_fails() {
        let interface = I2CDisplayInterface::new(Bus { data: 0, broken: false });
        let mut display = Ssd1306::new(interface, DisplaySize128x64, DisplayRotation::Rotate0)
            .into_buffered_graphics_mode();
        display.init().unwrap();
        display.show().unwrap();
        display.draw_iter([Pixel(Point::new(5, 60), BinaryColor::On)]).unwrap();
        display.show().unwrap();
        let bus = display.release().release();
        // All of it at first, then the page of the pixel alone.
        assert!((1_024..2_048).contains(&bus.data), "{}", bus.data);

        let bus = Bus { data: 0, broken: true };
        let interface = I2CDisplayInterface::new(bus);
        let mut display = Ssd1306::new(interface, DisplaySize128x64, DisplayRotation::Rotate0)
            .into_buffered_graphics_mode();
        display.draw_iter([Pixel(Point::new(5, 60), BinaryColor::On)]).unwrap();
        assert!(display.show().is_err());
    }
}
