//! Why a model becomes no asset.

use std::fmt;

use lodger_core::cost::land_impact::ObjectWeight;
use lodger_quota::QuotaExceeded;

/// Why a model becomes no asset.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be read, or is no glTF that makes sense.
    Model {
        /// The file.
        file: String,
        /// What is wrong, and where in it.
        problem: String,
        /// What to do about it.
        help: Option<String>,
        /// Whether it is about a skin, which [`SkinChoice::Rest`](crate::SkinChoice::Rest) leaves out.
        is_of_skin: bool,
    },
    /// It has become too large: more than 64 m a side.
    TooLarge {
        /// The object.
        object: String,
        /// Its sides in metres.
        size: [f64; 3],
    },
    /// The rules of the streaming cost are none.
    Rules(lodger_core::Error),
    /// No land impact of that size can be had.
    TooDear(Box<TooDear>),
    /// No physics shape came out.
    Physics {
        /// The object.
        object: String,
        /// Why.
        problem: String,
    },
    /// What cannot be written as an asset.
    Asset {
        /// The object.
        object: String,
        /// Why.
        error: Box<lodger_mesh_asset::Error>,
    },
    /// The model takes more than it may.
    QuotaExceeded(QuotaExceeded),
}

impl Error {
    /// An object, by its name, that cannot be written as an asset.
    pub(crate) fn asset(object: &str, error: lodger_mesh_asset::Error) -> Self {
        Self::Asset { object: object.to_owned(), error: Box::new(error) }
    }
}

impl From<QuotaExceeded> for Error {
    fn from(spent: QuotaExceeded) -> Self {
        Self::QuotaExceeded(spent)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Model { file, problem, .. } => write!(f, "{file}: {problem}"),
            Self::TooLarge { object, size: [x, y, z] } => {
                write!(f, "{object} is {x:.2} x {y:.2} x {z:.2} m, no prim is larger than 64 m")
            }
            Self::Rules(error) => error.fmt(f),
            Self::TooDear(what) => what.fmt(f),
            Self::Physics { object, problem } => write!(f, "{object}: {problem}"),
            Self::Asset { object, error } => write!(f, "{object}: {error}"),
            Self::QuotaExceeded(spent) => spent.fmt(f),
        }
    }
}

impl std::error::Error for Error {}

/// Why a land impact cannot be met.
#[derive(Clone, Debug, PartialEq)]
pub struct TooDear {
    /// The land impact that was asked for, or that of the levels.
    pub asked: u32,
    /// The physics cost that was asked for, where that is what cannot be met.
    pub physics_cost: Option<f64>,
    /// The least land impact that can be had.
    pub least: u32,
    /// Which part is in the way.
    pub limiting: ObjectWeight,
    /// The least cost of that part, not rounded.
    pub weight: f64,
}

impl fmt::Display for TooDear {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { asked, physics_cost, least, limiting, weight } = self;
        if let Some(cost) = physics_cost {
            return write!(f, "a physics cost of {cost} cannot be met: {weight:.3} is the least");
        }
        write!(
            f,
            "a land impact of {asked} cannot be met: {limiting} needs {weight:.3}, which is {least}"
        )
    }
}
