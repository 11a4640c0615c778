//! The colours of modules, the same in the bar and in the table.

use ratatui::style::Color;

/// What modules look like, in their order.
pub(super) const COLOURS: [Color; 4] = [Color::Cyan, Color::Magenta, Color::Blue, Color::Yellow];
