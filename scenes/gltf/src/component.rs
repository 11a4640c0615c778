//! The types of numbers in a buffer.

/// The type of a number in a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Component {
    /// Signed, 8 bits.
    I8,
    /// Unsigned, 8 bits.
    U8,
    /// Signed, 16 bits.
    I16,
    /// Unsigned, 16 bits.
    U16,
    /// Unsigned, 32 bits.
    U32,
    /// A float of 32 bits.
    F32,
}

impl Component {
    /// The type of glTF's number for it.
    #[must_use]
    pub fn from_code(code: u64) -> Option<Self> {
        Some(match code {
            5120 => Self::I8,
            5121 => Self::U8,
            5122 => Self::I16,
            5123 => Self::U16,
            5125 => Self::U32,
            5126 => Self::F32,
            _ => return None,
        })
    }

    /// How many bytes it has.
    #[must_use]
    pub const fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    /// What stands for 1 where whole numbers are normalised.
    #[must_use]
    pub fn full_scale(self) -> f64 {
        match self {
            Self::I8 => f64::from(i8::MAX),
            Self::U8 => f64::from(u8::MAX),
            Self::I16 => f64::from(i16::MAX),
            Self::U16 => f64::from(u16::MAX),
            Self::U32 | Self::F32 => 1.0,
        }
    }

    /// The number at the beginning of some bytes.
    #[must_use]
    pub fn read(self, bytes: &[u8]) -> Option<f64> {
        Some(match self {
            Self::I8 => f64::from(i8::from_le_bytes(*bytes.first_chunk()?)),
            Self::U8 => f64::from(*bytes.first()?),
            Self::I16 => f64::from(i16::from_le_bytes(*bytes.first_chunk()?)),
            Self::U16 => f64::from(u16::from_le_bytes(*bytes.first_chunk()?)),
            Self::U32 => f64::from(u32::from_le_bytes(*bytes.first_chunk()?)),
            Self::F32 => f64::from(f32::from_le_bytes(*bytes.first_chunk()?)),
        })
    }
}
