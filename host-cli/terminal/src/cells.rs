//! A bar of parts, and the cells of each.

use clap::builder::styling::Style;

use crate::{Look, Money};

/// A wider bar tells no more.
const WIDEST: usize = 72;

/// A part of a bar.
#[derive(Clone, Copy, Debug)]
pub struct Segment {
    /// What it is.
    pub name: &'static str,
    /// What its cells look like.
    pub glyph: &'static str,
    /// How they are painted.
    pub style: Style,
    /// What is told, as money; a part of which nothing is told is not in the legend.
    pub told: f64,
    /// What is drawn, in the same unit, which may be infinite.
    pub drawn: f64,
}

/// A bar and its legend, in two lines.
#[must_use]
pub fn bar<const N: usize>(segments: &[Segment; N], money: Money<'_>, look: Look) -> String {
    let cells = (look.width - 2).min(WIDEST);
    let lengths = share_out(cells, &segments.each_ref().map(|segment| segment.drawn));
    let paint = |(segment, length): (&Segment, usize)| {
        look.paint(segment.style, &segment.glyph.repeat(length))
    };
    let parts: String = segments.iter().zip(lengths).map(paint).collect();
    let is_told = |segment: &&Segment| segment.told > 0.0;
    let tell = |Segment { name, glyph, style, told, .. }: &Segment| {
        format!("{} {name} {}", look.paint(*style, glyph), money.say(*told))
    };
    let legend: Vec<_> = segments.iter().filter(is_told).map(tell).collect();
    format!("  {parts}\n  {}\n", legend.join("   "))
}

/// Shares out the cells of a bar by the lengths of its parts, so that they add up and nothing that is there is
/// invisible. A part may be infinite: then the others have half of the bar.
#[must_use]
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "at most a line of cells"
)]
pub fn share_out<const N: usize>(cells: usize, parts: &[f64; N]) -> [usize; N] {
    // Beside an unlimited rest nothing else has a length worth telling.
    let finite = parts.map(|part| if part.is_finite() { part } else { 0.0 });
    let unlimited = parts.iter().any(|part| part.is_infinite());
    let total: f64 = finite.iter().sum::<f64>() * if unlimited { 2.0 } else { 1.0 };
    let mut lengths = finite.map(|part| {
        if part > 0.0 { ((part / total * cells as f64).round() as usize).max(1) } else { 0 }
    });
    let longest = (0..N).max_by_key(|&i| lengths[i]).unwrap_or(0);
    let used: usize = lengths.iter().sum();
    match parts.iter().position(|part| part.is_infinite()) {
        Some(rest) => lengths[rest] = cells.saturating_sub(used),
        None if used > 0 => lengths[longest] = (lengths[longest] + cells).saturating_sub(used),
        None => {}
    }
    lengths
}

#[cfg(test)]
mod tests {
    use super::share_out;

    #[test]
    fn cells_add_up_and_nothing_is_invisible() {
        assert_eq!(share_out(40, &[1.0, 2.0, 1.0]), [10, 20, 10]);
        assert_eq!(share_out(40, &[0.001, 5.0, 0.0]), [1, 39, 0]);
        assert_eq!(share_out(40, &[1.0, 1.0, 1.0]).iter().sum::<usize>(), 40);
        assert_eq!(share_out(40, &[0.0, 0.0, 0.0]), [0, 0, 0]);
        assert_eq!(share_out(40, &[0.0, 3.0, f64::INFINITY]), [0, 20, 20]);
    }
}
