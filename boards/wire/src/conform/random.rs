//! Numbers by chance, the same ones for the same seed everywhere.

use super::backend::{Backend, Number};

/// Splitmix64.
#[derive(Debug, Clone)]
pub(super) struct Random(u64);

impl Random {
    pub(super) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Any 64 bits.
    pub(super) const fn wide(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Any 32 bits.
    pub(super) const fn word(&mut self) -> u32 {
        (self.wide() >> 32) as u32
    }

    /// A number below `end`.
    pub(super) const fn below(&mut self, end: u32) -> u32 {
        ((self.word() as u64 * end as u64) >> 32) as u32
    }

    /// From 1 to `most`.
    pub(super) fn up_to(&mut self, most: usize) -> usize {
        let most = u32::try_from(most).unwrap_or(u32::MAX);
        usize::try_from(self.below(most)).unwrap_or(0) + 1
    }

    /// A number below `end`, which is at most 256.
    pub(super) fn byte(&mut self, end: usize) -> u8 {
        u8::try_from(self.up_to(end.max(1)) - 1).unwrap_or(0)
    }

    /// True `part` times out of 100.
    pub(super) const fn percent(&mut self, part: u32) -> bool {
        self.below(100) < part
    }

    /// A number in \[0, 1), of 24 bits.
    pub(super) fn unit(&mut self) -> f64 {
        f64::from(self.word() >> 8) / 16_777_216.0
    }

    /// The bits of a number near `scale`: mostly sound and in range, else at the ends of the type or
    /// any bits at all.
    pub(super) fn number<N: Number>(&mut self, backend: Backend, scale: f64) -> u32 {
        match self.below(100) {
            0..6 => self.special(backend),
            6..12 => self.word(),
            _ => self.sound::<N>(scale),
        }
    }

    /// The bits of a number from 0 to `scale`, small ones as likely as great ones.
    pub(super) fn sound<N: Number>(&mut self, scale: f64) -> u32 {
        let unit = self.unit();
        let value = if self.percent(50) { unit } else { unit * unit * unit } * scale;
        N::from_f64(value).unwrap_or(N::MAX).word()
    }

    /// As [`sound`](Self::sound), of either sign.
    pub(super) fn signed<N: Number>(&mut self, scale: f64) -> u32 {
        let value = N::from_word(self.sound::<N>(scale));
        if self.percent(50) { value.word() } else { (-value).word() }
    }

    /// The ends of the number type: NaN of several kinds, infinities, subnormals, the greatest.
    fn special(&mut self, backend: Backend) -> u32 {
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
            0x0080_0000, // subnormal, least normal
            0x7f7f_ffff,
            0xff7f_ffff, // the greatest
            0x0000_0000,
            0x8000_0000,
        ];
        const FIXED: [u32; 8] =
            [0x7fff_ffff, 0x8000_0000, 0x8000_0001, 0, 1, 0xffff_ffff, 0x0001_0000, 0xffff_0000];
        let list: &[u32] = if backend == Backend::Fixed { &FIXED } else { &FLOATS };
        list.get(self.up_to(list.len()) - 1).copied().unwrap_or(0)
    }
}
