//! Images, and figures of them on the page.

use std::fmt::{self, Write as _};
use std::sync::LazyLock;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::report::markup::Text;

/// A picture: red, green, blue and alpha, sRGB.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Image {
    width: usize,
    height: usize,
    pixels: Vec<[u8; 4]>,
}

impl Image {
    /// A picture of sums of linear samples and what the sum of alpha can be at most.
    pub(crate) fn new(
        width: usize,
        height: usize,
        sums: impl Fn(usize, usize) -> ([u32; 4], u32),
    ) -> Self {
        let mut pixels = Vec::with_capacity(width * height);
        for y in 0..height {
            pixels.extend((0..width).map(|x| {
                let ([red, green, blue, alpha], all) = sums(x, y);
                let colour = [red, green, blue].map(|sum| srgb(sum, alpha));
                [colour[0], colour[1], colour[2], part(alpha, all, 255)]
            }));
        }
        Self { width, height, pixels }
    }

    /// Pixels to the right.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// Pixels down.
    pub(crate) fn height(&self) -> usize {
        self.height
    }

    /// The pixels, row by row.
    #[cfg(test)]
    pub(crate) fn pixels(&self) -> &[[u8; 4]] {
        &self.pixels
    }

    /// The same, but so much fainter: a part of 255.
    pub(crate) fn faint(mut self, part: u8) -> Self {
        for pixel in &mut self.pixels {
            pixel[3] = mixed(0, pixel[3], part);
        }
        self
    }

    /// Another picture of the same size laid over it.
    pub(crate) fn under(mut self, above: &Self) -> Self {
        for (below, above) in self.pixels.iter_mut().zip(&above.pixels) {
            let alpha = mixed(below[3], 255, above[3]);
            // Of the colour that is seen, so much is that of the picture above.
            let weight = part(u32::from(above[3]), u32::from(alpha.max(1)), 255);
            for channel in 0..3 {
                below[channel] = mixed(below[channel], above[channel], weight);
            }
            below[3] = alpha;
        }
        self
    }

    /// The bytes of a PNG file; empty if it could not be written, which no picture is known to bring about.
    pub(crate) fn png(&self) -> Vec<u8> {
        let mut file = Vec::new();
        let written = || -> Result<(), png::EncodingError> {
            let side = |pixels| u32::try_from(pixels).unwrap_or(0);
            let mut encoder = png::Encoder::new(&mut file, side(self.width), side(self.height));
            encoder.set_color(png::ColorType::Rgba);
            encoder.set_depth(png::BitDepth::Eight);
            encoder.set_compression(png::Compression::High);
            let mut writer = encoder.write_header()?;
            writer.write_image_data(self.pixels.as_flattened())?;
            writer.finish()
        }();
        if written.is_err() {
            file.clear();
        }
        file
    }

    /// The PNG as an address that holds it.
    pub(crate) fn address(&self) -> String {
        format!("data:image/png;base64,{}", STANDARD.encode(self.png()))
    }
}

/// `from` where `part` is 0, `to` where it is 255.
fn mixed(from: u8, to: u8, part: u8) -> u8 {
    let (from, to, part) = (u32::from(from), u32::from(to), u32::from(part));
    u8::try_from((from * (255 - part) + to * part + 127) / 255).unwrap_or(u8::MAX)
}

/// A part of a whole as a part of another, to the nearest; 0 of nothing.
fn part(part: u32, all: u32, of: u8) -> u8 {
    let rounded = (u64::from(part) * u64::from(of) + u64::from(all / 2)).checked_div(all.into());
    rounded.map_or(0, |part| u8::try_from(part).unwrap_or(of))
}

/// The sRGB of a linear sum, where `all` is white; black of nothing.
fn srgb(sum: u32, all: u32) -> u8 {
    let place = (u64::from(sum) * LAST as u64).checked_div(all.into()).unwrap_or(0);
    SRGB[usize::try_from(place).unwrap_or(LAST).min(LAST)]
}

/// The last place of the table.
const LAST: usize = 4095;

/// sRGB by linear light, in steps of 1/4095: IEC 61966-2-1.
static SRGB: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let encode = |step: u16| {
        let linear = f64::from(step) / 4095.0;
        let encoded = if linear <= 0.003_130_8 {
            12.92 * linear
        } else {
            1.055 * libm::pow(linear, 1.0 / 2.4) - 0.055
        };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 255")]
        let level = (encoded * 255.0).round() as u8;
        level
    };
    (0..=4095).map(encode).collect()
});

/// How a picture is shown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Figure<'a> {
    /// What it shows, for those who do not see it.
    pub(crate) alt: &'a str,
    /// What stands below it; not a stranger's text as it is, but HTML.
    pub(crate) caption: &'a str,
    /// Its class.
    pub(crate) class: &'a str,
    /// How many pixels of the screen each of its pixels is, in each direction.
    pub(crate) enlarged: usize,
}

impl Default for Figure<'_> {
    fn default() -> Self {
        Self { alt: "", caption: "", class: "", enlarged: 1 }
    }
}

/// Writes a picture; nothing if there is none.
pub(crate) fn picture(out: &mut String, image: Option<&Image>, shown: &Figure<'_>) -> fmt::Result {
    let Some(image) = image else { return Ok(()) };
    let [width, height] = [image.width(), image.height()].map(|pixels| pixels * shown.enlarged);
    let caption = match shown.caption {
        "" => String::new(),
        caption => format!("<figcaption>{caption}</figcaption>"),
    };
    writeln!(
        out,
        "<figure class=\"{}\"><img src=\"{}\" width=\"{width}\" height=\"{height}\" alt=\"{}\">{caption}</figure>",
        shown.class,
        image.address(),
        Text(shown.alt),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(pixel: [u8; 4]) -> Image {
        Image { width: 3, height: 2, pixels: vec![pixel; 6] }
    }

    #[test]
    fn sums_of_light_become_srgb() {
        let image = Image::new(1, 3, |_, y| {
            [([0, 50, 100, 100], 100), ([0; 4], 100), ([25, 50, 0, 50], 100)][y]
        });
        assert_eq!(image.pixels, [[0, 187, 255, 255], [0; 4], [187, 255, 0, 128]]);
    }

    #[test]
    fn pictures_lie_over_each_other() {
        let (red, clear) = (plain([255, 0, 0, 255]), plain([9, 9, 9, 0]));
        assert_eq!(red.clone().under(&clear), red);
        assert_eq!(clear.under(&red), red);
        let half = plain([0, 0, 255, 128]);
        assert_eq!(red.clone().under(&half), plain([127, 0, 128, 255]));
        assert_eq!(red.faint(51), plain([255, 0, 0, 51]));
    }

    #[test]
    fn a_png_holds_the_pixels() {
        let mut image = plain([1, 2, 3, 4]);
        image.pixels[4] = [250, 200, 100, 255];
        let file = image.png();
        let mut reader = png::Decoder::new(std::io::Cursor::new(&file)).read_info().expect("a PNG");
        let mut pixels = vec![0; 24];
        let info = reader.next_frame(&mut pixels).expect("pixels");
        assert_eq!((info.width, info.height), (3, 2));
        assert_eq!(pixels, image.pixels.as_flattened());
        assert!(image.address().starts_with("data:image/png;base64,iVBOR"));
    }
}
