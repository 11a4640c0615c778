//! A display in memory.

use core::convert::Infallible;
use core::fmt;

use embedded_graphics::Pixel;
use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::{OriginDimensions, Point, Size};
use embedded_graphics::pixelcolor::BinaryColor;

use super::Display;

/// Pixels in the order of an SSD1306: a page has eight rows, and a byte is a column of a page with its first row in the
/// lowest bit. `Display` formats two rows per line.
///
/// # Examples
/// ```
/// use embedded_graphics::prelude::*;
/// use embedded_graphics::pixelcolor::BinaryColor;
/// use lodger_firmware::display::FrameBuffer;
///
/// let mut display = FrameBuffer::<4, 1>::new();
/// display.draw_iter([Pixel(Point::new(1, 1), BinaryColor::On)])?;
/// assert_eq!(display.to_string(), " ▄  \n    \n    \n    \n");
/// assert_eq!(display.pages(), &[[0, 0b10, 0, 0]]);
/// # Ok::<(), core::convert::Infallible>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrameBuffer<const COLUMNS: usize, const PAGES: usize> {
    pages: [[u8; COLUMNS]; PAGES],
}

impl<const COLUMNS: usize, const PAGES: usize> FrameBuffer<COLUMNS, PAGES> {
    /// Makes a display with all pixels off.
    #[must_use]
    pub const fn new() -> Self {
        Self { pages: [[0; COLUMNS]; PAGES] }
    }

    /// Returns the pixels.
    #[must_use]
    pub const fn pages(&self) -> &[[u8; COLUMNS]; PAGES] {
        &self.pages
    }

    /// Returns the number of pixels that are on.
    #[must_use]
    pub fn lit(&self) -> u32 {
        self.pages.as_flattened().iter().map(|byte| byte.count_ones()).sum()
    }

    fn byte(&mut self, point: Point) -> Option<(&mut u8, u8)> {
        let column = usize::try_from(point.x).ok()?;
        let row = usize::try_from(point.y).ok()?;
        let byte = self.pages.get_mut(row / 8)?.get_mut(column)?;
        Some((byte, 1 << (row % 8)))
    }
}

impl<const COLUMNS: usize, const PAGES: usize> Default for FrameBuffer<COLUMNS, PAGES> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const COLUMNS: usize, const PAGES: usize> OriginDimensions for FrameBuffer<COLUMNS, PAGES> {
    fn size(&self) -> Size {
        let pixels = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        Size::new(pixels(COLUMNS), pixels(PAGES).saturating_mul(8))
    }
}

impl<const COLUMNS: usize, const PAGES: usize> DrawTarget for FrameBuffer<COLUMNS, PAGES> {
    type Color = BinaryColor;
    type Error = Infallible;

    fn draw_iter<I>(&mut self, pixels: I) -> Result<(), Infallible>
    where
        I: IntoIterator<Item = Pixel<BinaryColor>>,
    {
        for Pixel(point, color) in pixels {
            if let Some((byte, bit)) = self.byte(point) {
                *byte = if color.is_on() { *byte | bit } else { *byte & !bit };
            }
        }
        Ok(())
    }

    fn clear(&mut self, color: BinaryColor) -> Result<(), Infallible> {
        self.pages = [[if color.is_on() { 0xff } else { 0 }; COLUMNS]; PAGES];
        Ok(())
    }
}

impl<const COLUMNS: usize, const PAGES: usize> Display for FrameBuffer<COLUMNS, PAGES> {
    fn show(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

impl<const COLUMNS: usize, const PAGES: usize> fmt::Display for FrameBuffer<COLUMNS, PAGES> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write;
        for page in &self.pages {
            for shift in [0, 2, 4, 6] {
                for byte in page {
                    f.write_char(match byte >> shift & 3 {
                        0 => ' ',
                        1 => '▀',
                        2 => '▄',
                        _ => '█',
                    })?;
                }
                f.write_char('\n')?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_go_on_and_off_and_pixels_outside_are_dropped() {
        let mut display = FrameBuffer::<3, 2>::new();
        assert_eq!(display.size(), Size::new(3, 16));
        let inside = [(0, 0), (2, 15), (1, 8)];
        let outside = [(-1, 0), (0, -1), (3, 0), (0, 16), (i32::MAX, i32::MIN)];
        let pixels = |points: &[(i32, i32)], color| {
            points
                .iter()
                .map(move |&point| Pixel(point.into(), color))
                .collect::<std::vec::Vec<_>>()
        };
        display.draw_iter(pixels(&inside, BinaryColor::On)).unwrap();
        display.draw_iter(pixels(&outside, BinaryColor::On)).unwrap();
        assert_eq!(display.pages(), &[[1, 0, 0], [0, 1, 128]]);
        display.draw_iter(pixels(&inside[1..], BinaryColor::Off)).unwrap();
        assert_eq!(display.lit(), 1);
        display.clear(BinaryColor::On).unwrap();
        assert_eq!(display.lit(), 48);
    }
}
