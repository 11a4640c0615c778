//! Text and how it looks, for whoever shows it.

/// A piece of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Piece {
    /// What it says; it may hold anything that the board said.
    pub text: String,
    /// How it looks.
    pub ink: Ink,
}

/// How a text looks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Ink {
    /// Its colour, if it has one of its own.
    pub colour: Option<Colour>,
    /// What else.
    pub effects: Vec<Effect>,
}

impl Ink {
    /// This one over another that all around it has.
    pub(super) fn over(&self, outer: &Self) -> Self {
        let mut effects = outer.effects.clone();
        effects.extend(self.effects.iter().filter(|effect| !outer.effects.contains(effect)));
        Self { colour: self.colour.or(outer.colour), effects }
    }
}

/// A colour of a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "colours are called what they are")]
pub enum Colour {
    Black,
    Red,
    Green,
    Yellow,
    Blue,
    Magenta,
    Cyan,
    White,
    /// That of the line's level.
    Severity,
    /// That of the line's level for warnings and errors, else none.
    Werror,
}

impl Colour {
    pub(super) fn named(word: &str) -> Option<Self> {
        Some(match word {
            "black" => Self::Black,
            "red" => Self::Red,
            "green" => Self::Green,
            "yellow" => Self::Yellow,
            "blue" => Self::Blue,
            "magenta" | "purple" => Self::Magenta,
            "cyan" => Self::Cyan,
            "white" => Self::White,
            "severity" => Self::Severity,
            "werror" => Self::Werror,
            _ => return None,
        })
    }
}

/// What letters can be but coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "styles are called what they are")]
pub enum Effect {
    Bold,
    Italic,
    Underline,
    Strike,
    Dimmed,
}

impl Effect {
    pub(super) fn named(word: &str) -> Option<Self> {
        Some(match word {
            "bold" => Self::Bold,
            "italic" => Self::Italic,
            "underline" => Self::Underline,
            "strike" => Self::Strike,
            "dimmed" => Self::Dimmed,
            _ => return None,
        })
    }
}
