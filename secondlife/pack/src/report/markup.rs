//! HTML: texts, numbers and pictures.

use std::fmt::{self, Write as _};
use std::sync::LazyLock;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use lodger_terminal::{length, sanitize_to};

/// The limit of characters of an untrusted text.
const MAX_NAME: usize = 240;

/// The beginning of an untrusted text, escaped for elements and attributes.
pub(super) struct HtmlText<'a>(pub(super) &'a str);

impl fmt::Display for HtmlText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in sanitize_to(self.0, MAX_NAME).chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                c => write!(f, "{c}")?,
            }
        }
        Ok(())
    }
}

pub(super) fn capital(word: &impl fmt::Display) -> String {
    let word = word.to_string();
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// An integer with grouped thousands.
pub(super) fn whole(number: impl TryInto<u64>) -> String {
    let digits = number.try_into().unwrap_or(0).to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

/// A length with a suitable unit and three significant digits.
pub(super) fn metres(length: f64) -> String {
    let (value, unit) = match length.abs() {
        0.0 => return "0".to_owned(),
        m if m < 0.01 => (length * 1000.0, "mm"),
        m if m < 1.0 => (length * 100.0, "cm"),
        _ => (length, "m"),
    };
    format!("{}\u{a0}{unit}", digits(value))
}

/// Three significant digits, or all digits before the point.
pub(super) fn digits(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        v if v >= 100.0 => format!("{value:.0}"),
        v if v >= 10.0 => format!("{value:.1}"),
        v if v >= 1.0 => format!("{value:.2}"),
        v if v >= 0.001 => format!("{value:.3}"),
        _ => format!("{value:.1e}"),
    }
}

pub(super) fn size(sides: [f64; 3]) -> String {
    let [x, y, z] = sides.map(length);
    format!("{x} × {y} × {z}\u{a0}m")
}

pub(super) fn count(number: usize, noun: &str) -> String {
    format!("{}\u{a0}{noun}{}", whole(number), if number == 1 { "" } else { "s" })
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Image {
    width: usize,
    height: usize,
    pixels: Vec<[u8; 4]>,
}

impl Image {
    /// Creates a picture of sums of linear samples, each with the greatest possible sum of alpha.
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
                [colour[0], colour[1], colour[2], rescale(alpha, all, 255)]
            }));
        }
        Self { width, height, pixels }
    }

    pub(crate) fn width(&self) -> usize {
        self.width
    }

    pub(crate) fn height(&self) -> usize {
        self.height
    }

    #[cfg(test)]
    pub(crate) fn pixels(&self) -> &[[u8; 4]] {
        &self.pixels
    }

    /// The picture with alpha multiplied by `part` / 255.
    pub(crate) fn faint(mut self, part: u8) -> Self {
        for pixel in &mut self.pixels {
            pixel[3] = mixed(0, pixel[3], part);
        }
        self
    }

    pub(crate) fn under(mut self, above: &Self) -> Self {
        for (below, above) in self.pixels.iter_mut().zip(&above.pixels) {
            let alpha = mixed(below[3], 255, above[3]);
            // The share of the upper picture in the visible colour.
            let weight = rescale(u32::from(above[3]), u32::from(alpha.max(1)), 255);
            for channel in 0..3 {
                below[channel] = mixed(below[channel], above[channel], weight);
            }
            below[3] = alpha;
        }
        self
    }

    /// The bytes of a PNG file; empty if it cannot be written, which no known picture causes.
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

    pub(crate) fn address(&self) -> String {
        format!("data:image/png;base64,{}", STANDARD.encode(self.png()))
    }
}

/// `from` where `part` is 0, `to` where it is 255.
fn mixed(from: u8, to: u8, part: u8) -> u8 {
    let (from, to, part) = (u32::from(from), u32::from(to), u32::from(part));
    u8::try_from((from * (255 - part) + to * part + 127) / 255).unwrap_or(u8::MAX)
}

/// Rescales a part of `all` to a part of `of`, rounded; 0 if `all` is 0.
fn rescale(part: u32, all: u32, of: u8) -> u8 {
    let rounded = (u64::from(part) * u64::from(of) + u64::from(all / 2)).checked_div(all.into());
    rounded.map_or(0, |part| u8::try_from(part).unwrap_or(of))
}

/// The sRGB level of a linear sum, where `all` is white; black if `all` is 0.
fn srgb(sum: u32, all: u32) -> u8 {
    let place = (u64::from(sum) * LAST as u64).checked_div(all.into()).unwrap_or(0);
    SRGB[usize::try_from(place).unwrap_or(LAST).min(LAST)]
}

const LAST: usize = 4095;

/// sRGB levels by linear light, in steps of 1/4095: IEC 61966-2-1.
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

#[derive(Clone, Copy, Debug)]
pub(crate) struct Figure<'a> {
    pub(crate) alt: &'a str,
    /// The caption, as HTML; not for untrusted text.
    pub(crate) caption: &'a str,
    pub(crate) class: &'a str,
    /// Screen pixels for each pixel, in each direction.
    pub(crate) enlarged: usize,
}

impl Default for Figure<'_> {
    fn default() -> Self {
        Self { alt: "", caption: "", class: "", enlarged: 1 }
    }
}

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
        HtmlText(shown.alt),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn untrusted_text_is_escaped() {
        let text = HtmlText("<b onclick='x'>\"&amp;\u{0}\u{202e}").to_string();
        assert_eq!(text, "&lt;b onclick=&#39;x&#39;&gt;&quot;&amp;amp;␀\u{fffd}");
        assert_eq!(HtmlText(&"<".repeat(9999)).to_string().matches("&lt;").count(), MAX_NAME);
    }

    #[test]
    fn numbers_are_for_eyes() {
        assert_eq!(
            [0_u64, 999, 1000, 1_234_567].map(whole),
            ["0", "999", "1\u{202f}000", "1\u{202f}234\u{202f}567"]
        );
        assert_eq!(
            [0.0, 0.000_012_34, 0.001_234, 0.0999, 0.5, 12.345].map(metres),
            ["0", "0.012\u{a0}mm", "1.23\u{a0}mm", "9.99\u{a0}cm", "50.0\u{a0}cm", "12.3\u{a0}m"]
        );
        assert_eq!(digits(0.000_01), "1.0e-5");
        assert_eq!(capital(&"high"), "High");
        assert_eq!(
            (count(1, "face"), count(2, "face")),
            ("1\u{a0}face".into(), "2\u{a0}faces".into())
        );
    }

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
