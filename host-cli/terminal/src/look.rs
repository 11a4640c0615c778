//! How wide and how colourful a table may be.

use std::io;

use anstream::{AutoStream, ColorChoice};
use clap::builder::styling::Style;
use terminal_size::terminal_size_of;

use crate::Target;

/// The width of what is not shown on a terminal.
const WIDTH_ELSEWHERE: usize = 100;
/// Below this, lines wrap instead.
const NARROWEST: usize = 60;
/// Above this, eyes lose the line.
const WIDEST: usize = 160;

/// How a table looks.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// Characters in a line.
    pub width: usize,
    /// Whether to use colours.
    pub colour: bool,
}

impl Look {
    /// Colours and full width on a terminal, neither in a file.
    #[must_use]
    pub fn of(target: Target<'_>) -> Self {
        match target {
            Target::File(_) => Self { width: WIDTH_ELSEWHERE, colour: false },
            Target::Stdout => Self {
                width: terminal_size_of(io::stdout())
                    .map_or(WIDTH_ELSEWHERE, |(columns, _)| usize::from(columns.0))
                    .clamp(NARROWEST, WIDEST),
                colour: AutoStream::choice(&io::stdout()) != ColorChoice::Never,
            },
        }
    }

    /// The text in a style, if colours are wanted.
    #[must_use]
    pub fn paint(self, style: Style, text: &str) -> String {
        if self.colour { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }
}
