//! The number types that questions are answered in, and their bits.

use core::fmt;

use lodger_core::{Fixed, Micro, Real};
use serde::{Deserialize, Serialize};

/// The number type that a question is answered in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Backend {
    /// The number type is `f32`.
    F32,
    /// The number type is [`Fixed`].
    Fixed,
    /// The number type is [`Micro`].
    Micro,
}

impl Backend {
    /// All number types, in the order of their declaration.
    pub const ALL: [Self; 3] = [Self::F32, Self::Fixed, Self::Micro];
}

/// The name of the number type.
impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::F32 => f32::NAME,
            Self::Fixed => Fixed::NAME,
            Self::Micro => Micro::NAME,
        })
    }
}

/// A number type as bits.
pub trait Number: Real {
    /// The number of these bits.
    fn from_word(word: u32) -> Self;
    /// The bits of the number.
    fn word(self) -> u32;
}

impl Number for f32 {
    fn from_word(word: u32) -> Self {
        Self::from_bits(word)
    }
    fn word(self) -> u32 {
        self.to_bits()
    }
}

impl Number for Fixed {
    fn from_word(word: u32) -> Self {
        Self::from_bits(word.cast_signed())
    }
    fn word(self) -> u32 {
        self.to_bits().cast_unsigned()
    }
}

impl Number for Micro {
    fn from_word(word: u32) -> Self {
        Self::from_f32(f32::from_bits(word))
    }
    fn word(self) -> u32 {
        self.to_f32().to_bits()
    }
}
