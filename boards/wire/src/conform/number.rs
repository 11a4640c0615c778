//! Numbers as bits: number types, the words of a response, and random numbers that are the same everywhere.

use core::fmt;

use heapless::Vec;
use lodger_core::{Fixed, Micro, Real};
use serde::{Deserialize, Serialize};

/// A number type to evaluate in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum NumberType {
    /// Numbers are `f32`.
    F32,
    /// Numbers are [`Fixed`].
    Fixed,
    /// Numbers are [`Micro`].
    Micro,
}

impl NumberType {
    /// All number types, in the order of their declaration.
    pub const ALL: [Self; 3] = [Self::F32, Self::Fixed, Self::Micro];
}

impl fmt::Display for NumberType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::F32 => f32::NAME,
            Self::Fixed => Fixed::NAME,
            Self::Micro => Micro::NAME,
        })
    }
}

/// A number type that converts from and to bits.
pub trait Number: Real {
    /// Makes the number with these bits.
    fn from_word(word: u32) -> Self;
    /// Returns the bits of the number.
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

/// The maximum number of modules of a scene.
pub const MODULES: usize = 3;
/// The maximum number of actors, and of levels, of a module.
pub const ROWS: usize = 6;

/// The maximum number of words of a response; decisions alone have more than scenes.
pub const WORDS: usize = 28 + 3 * MODULES * ROWS;

/// The bits of computed numbers, in a fixed order.
pub type Words = Vec<u32, WORDS>;

/// Appends a word. A response is never longer than [`WORDS`], because vectors have maximum sizes.
pub(super) fn push(words: &mut Words, word: u32) {
    let _ = words.push(word);
}

/// Appends 64 bits, the low word first.
#[allow(clippy::cast_possible_truncation)] // one half at a time
pub(super) fn push_wide(words: &mut Words, value: u64) {
    push(words, value as u32);
    push(words, (value >> 32) as u32);
}

pub(super) fn push_index(words: &mut Words, index: usize) {
    push(words, u32::try_from(index).unwrap_or(u32::MAX));
}

/// A `SplitMix64` generator.
#[derive(Debug, Clone)]
pub(super) struct VectorRandom(u64);

impl VectorRandom {
    pub(super) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(super) const fn wide(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(super) const fn word(&mut self) -> u32 {
        (self.wide() >> 32) as u32
    }

    pub(super) const fn below(&mut self, end: u32) -> u32 {
        ((self.word() as u64 * end as u64) >> 32) as u32
    }

    /// A number from 1 to `max`.
    pub(super) fn up_to(&mut self, max: usize) -> usize {
        let max = u32::try_from(max).unwrap_or(u32::MAX);
        usize::try_from(self.below(max)).unwrap_or(0) + 1
    }

    /// A number below `end`, which is at most 256.
    pub(super) fn byte(&mut self, end: usize) -> u8 {
        u8::try_from(self.up_to(end.max(1)) - 1).unwrap_or(0)
    }

    /// Is true with a probability of `part` percent.
    pub(super) const fn percent(&mut self, part: u32) -> bool {
        self.below(100) < part
    }

    /// A number in \[0, 1), of 24 bits.
    pub(super) fn unit(&mut self) -> f64 {
        f64::from(self.word() >> 8) / 16_777_216.0
    }

    /// The bits of a number: 88 % are from 0 to `scale`, 6 % are special values of the type, and 6 % are random bits.
    pub(super) fn number<N: Number>(&mut self, backend: NumberType, scale: f64) -> u32 {
        match self.below(100) {
            0..6 => self.special(backend),
            6..12 => self.word(),
            _ => self.sound::<N>(scale),
        }
    }

    /// The bits of a number from 0 to `scale`; half of them are skewed towards 0.
    pub(super) fn sound<N: Number>(&mut self, scale: f64) -> u32 {
        let unit = self.unit();
        let value = if self.percent(50) { unit } else { unit * unit * unit } * scale;
        N::from_f64(value).unwrap_or(N::MAX).word()
    }

    /// Like [`sound`](Self::sound), with a random sign.
    pub(super) fn signed<N: Number>(&mut self, scale: f64) -> u32 {
        let value = N::from_word(self.sound::<N>(scale));
        if self.percent(50) { value.word() } else { (-value).word() }
    }

    /// A special value: NaN of several kinds, infinities, subnormals, the largest and the smallest.
    fn special(&mut self, backend: NumberType) -> u32 {
        const FLOATS: [u32; 14] = [
            0x7fc0_0000,
            0xffc0_0000,
            0x7f80_0001,
            0xffff_ffff, // NaN, quiet and signalling
            0x7f80_0000,
            0xff80_0000, // infinities
            0x0000_0001,
            0x8000_0001,
            0x007f_ffff,
            0x0080_0000, // subnormal, smallest normal
            0x7f7f_ffff,
            0xff7f_ffff, // the largest
            0x0000_0000,
            0x8000_0000,
        ];
        const FIXED: [u32; 8] =
            [0x7fff_ffff, 0x8000_0000, 0x8000_0001, 0, 1, 0xffff_ffff, 0x0001_0000, 0xffff_0000];
        let list: &[u32] = if backend == NumberType::Fixed { &FIXED } else { &FLOATS };
        list.get(self.up_to(list.len()) - 1).copied().unwrap_or(0)
    }
}
