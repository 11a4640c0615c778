//! The budget as a bar: what each module took, what is free, and what is over.

use lodger_wire::telemetry::Frame;
use ratatui::style::{Color, Style, Stylize as _};
use ratatui::text::{Line, Span};

use super::colours::COLOURS;

/// The bar, so many cells wide.
pub(super) fn bar(said: &Frame, cells: u16) -> Line<'static> {
    let took: Vec<_> = said.modules.iter().map(|module| module.measured).collect();
    let measured = said.measured();
    let budget = said.budget.unwrap_or(measured);
    let whole = budget.max(measured);
    let lengths = lengths(&took, whole, cells);
    let used: usize = lengths.iter().sum();
    let within = length(budget, whole, cells);
    let mut spans: Vec<_> = lengths
        .iter()
        .zip(COLOURS.into_iter().cycle())
        .map(|(&length, colour)| Span::styled("█".repeat(length), Style::new().fg(colour)))
        .collect();
    spans.push("░".repeat(usize::from(cells) - used).dim());
    if measured > budget {
        return over(spans, within);
    }
    Line::from(spans)
}

/// What stands behind the budget's end is red.
fn over(spans: Vec<Span<'static>>, within: usize) -> Line<'static> {
    let mut left = within;
    let mut line = Vec::new();
    for span in spans {
        let cells: Vec<_> = span.content.chars().collect();
        let (inside, outside) = cells.split_at(left.min(cells.len()));
        left -= inside.len();
        line.push(Span::styled(inside.iter().collect::<String>(), span.style));
        line.push(Span::styled("▒".repeat(outside.len()), Style::new().fg(Color::Red)));
    }
    Line::from(line)
}

/// Cells for parts of a whole; together they are no longer than the whole.
pub(super) fn lengths(parts: &[u64], whole: u64, cells: u16) -> Vec<usize> {
    let mut sum = 0_u64;
    let mut drawn = 0;
    let end = |part: &u64| {
        sum = sum.saturating_add(*part);
        let end = length(sum, whole, cells);
        let length = end - drawn;
        drawn = end;
        length
    };
    parts.iter().map(end).collect()
}

/// Cells for a part of a whole, rounded.
fn length(part: u64, whole: u64, cells: u16) -> usize {
    let (part, whole) = (u128::from(part.min(whole)), u128::from(whole.max(1)));
    let rounded = (part * u128::from(cells) + whole / 2) / whole;
    usize::try_from(rounded).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_add_up() {
        assert_eq!(lengths(&[1, 2, 1], 4, 40), [10, 20, 10]);
        assert_eq!(lengths(&[1, 2], 4, 40), [10, 20]);
        assert_eq!(lengths(&[1, 1, 1], 3, 40).iter().sum::<usize>(), 40);
        assert_eq!(lengths(&[0, 0], 0, 40), [0, 0]);
        assert_eq!(lengths(&[u64::MAX, u64::MAX], u64::MAX, 40), [40, 0]);
    }
}
