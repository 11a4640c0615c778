//! What can be asked, and the form of an answer. All numbers are the bits of the backend's type.

use heapless::Vec;
use lodger_core::{Fixed, Micro, Real};
use serde::{Deserialize, Serialize};

/// The number type that a question is answered in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Backend {
    /// `f32`.
    F32,
    /// [`Fixed`].
    Fixed,
    /// [`Micro`].
    Micro,
}

impl Backend {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::F32, Self::Fixed, Self::Micro];

    /// The name of the number type.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::F32 => f32::NAME,
            Self::Fixed => Fixed::NAME,
            Self::Micro => Micro::NAME,
        }
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

/// How many modules one ledger has at most.
pub const MODULES: usize = 3;
/// How many actors, and how many costs, a module has at most.
pub const ROWS: usize = 8;
/// How many words an answer has at most.
pub const WORDS: usize = 10 + 3 * MODULES * ROWS;

/// What came out.
pub type Words = Vec<u32, WORDS>;

/// A question to a device.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// Comes back with the answer.
    pub id: u32,
    /// The number type to answer in.
    pub backend: Backend,
    /// The question.
    pub question: Question,
}

/// A device's answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// That of the request.
    pub id: u32,
    /// The numbers that came out.
    pub words: Words,
}

/// An importance function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Function {
    /// Solid angle of (distance, radius, maximum distance): textbook form and curve.
    SolidAngle,
    /// Angular, of the same.
    Angular,
    /// Age of (age, maximum age): textbook form and prepared range.
    Age,
    /// Speed of (speed, maximum speed), likewise.
    Speed,
}

/// What is asked.
// A large variant needs no box: a device holds one question at a time.
#[allow(clippy::large_enum_variant)]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Question {
    /// An importance function in both of its forms.
    Importance {
        /// Which.
        function: Function,
        /// Its arguments. Age and speed have no third.
        arguments: [u32; 2],
        /// The maximum distance, if there is one.
        end: Option<u32>,
    },
    /// Arithmetic: sum, difference, product, quotient, root of the first and the benefit of it.
    Arithmetic {
        /// The two operands.
        operands: [u32; 2],
    },
    /// A benefit.
    Benefit(BenefitQuestion),
    /// A whole ledger.
    Ledger(LedgerQuestion),
    /// The streaming cost of an asset, by the viewer's rules.
    Streaming {
        /// In metres.
        radius: u32,
        /// Of each LOD, from the lowest.
        bytes: [i32; 4],
    },
    /// The physics cost of a triangle mesh, and of its linkset.
    Physics {
        /// The corners of two triangles.
        corners: [[u32; 3]; 6],
        /// In metres.
        scale: [u32; 3],
    },
    /// Nothing more: the device answers with no words and ends.
    End,
}

/// The terms of a benefit and the state of one actor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct BenefitQuestion {
    /// Angular instead of solid angle.
    pub angular: bool,
    /// Of the distance importance.
    pub max_distance: Option<u32>,
    /// Of distance, age and speed.
    pub weights: [u32; 3],
    /// Whether the weights are made to total 1.
    pub normalised: bool,
    /// Added to every benefit.
    pub bias: u32,
    /// Of the age importance.
    pub max_age: u32,
    /// Of the speed importance.
    pub max_speed: u32,
    /// The viewer.
    pub eye: [u32; 3],
    /// The actor.
    pub row: RowQuestion,
}

/// An actor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowQuestion {
    /// In metres.
    pub position: [u32; 3],
    /// In metres.
    pub radius: u32,
    /// In seconds.
    pub age: u32,
    /// In metres per second.
    pub speed: u32,
    /// Where its ladder begins in the module's costs; it ends with them.
    pub lowest: u8,
}

/// A module with its actors.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModuleQuestion {
    /// In nanoseconds for a unit.
    pub benefit_value: u32,
    /// Whether fractions of levels are valid.
    pub continuous: bool,
    /// Of the solid angle.
    pub max_distance: Option<u32>,
    /// Age counts as much as distance up to here; not at all without it.
    pub max_age: Option<u32>,
    /// Of its levels, in nanoseconds, not decreasing.
    pub costs: Vec<u32, ROWS>,
    /// Its actors.
    pub rows: Vec<RowQuestion, ROWS>,
}

/// A scene.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LedgerQuestion {
    /// In nanoseconds.
    pub budget: u64,
    /// Paid first, in nanoseconds.
    pub fixed: u64,
    /// 0 to 3: kept, within the module, across modules, the whole budget.
    pub leftovers: u8,
    /// The viewer.
    pub eye: [u32; 3],
    /// The modules.
    pub modules: Vec<ModuleQuestion, MODULES>,
}
