//! Texts and numbers as HTML.

use std::fmt;

use lodger_terminal::{clipped, length};

/// The most characters of a stranger's name or sentence.
const LONGEST: usize = 240;

/// A stranger's text as HTML, in an element or an attribute: its beginning, and nothing that a browser would
/// obey.
pub(super) struct Text<'a>(pub(super) &'a str);

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in clipped(self.0, LONGEST).chars() {
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

/// A word with a capital, as at the beginning of a line.
pub(super) fn capital(word: &impl fmt::Display) -> String {
    let word = word.to_string();
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// A whole number, its thousands apart.
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

/// A length in the unit that suits it: three significant digits.
pub(super) fn metres(length: f64) -> String {
    let (value, unit) = match length.abs() {
        0.0 => return "0".to_owned(),
        m if m < 0.01 => (length * 1000.0, "mm"),
        m if m < 1.0 => (length * 100.0, "cm"),
        _ => (length, "m"),
    };
    format!("{}\u{a0}{unit}", digits(value))
}

/// Three significant digits, more before the point if there are.
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

/// Sides in metres.
pub(super) fn size(sides: [f64; 3]) -> String {
    let [x, y, z] = sides.map(length);
    format!("{x} × {y} × {z}\u{a0}m")
}

/// A number with its noun, which has a plural with s.
pub(super) fn count(number: usize, noun: &str) -> String {
    format!("{}\u{a0}{noun}{}", whole(number), if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_stranger_is_obeyed() {
        let text = Text("<b onclick='x'>\"&amp;\u{0}\u{202e}").to_string();
        assert_eq!(text, "&lt;b onclick=&#39;x&#39;&gt;&quot;&amp;amp;␀\u{fffd}");
        assert_eq!(Text(&"<".repeat(9999)).to_string().matches("&lt;").count(), LONGEST);
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
}
