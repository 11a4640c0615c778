//! Errors of reading and packing.

use lodger_core::cost::land_impact::ObjectWeight;
use lodger_quota::QuotaExceeded;
use thiserror::Error;

/// The reason that a model cannot be packed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PackError {
    /// A file cannot be read, or is not valid glTF.
    #[error("{file}: {problem}")]
    Model {
        /// The file.
        file: String,
        /// The problem and its place in the file.
        problem: String,
        /// A remedy, if one is known.
        help: Option<String>,
        /// Whether [`SkinChoice::Rest`](crate::SkinChoice::Rest) avoids the error.
        is_of_skin: bool,
    },
    /// A side of an object is above 64 m.
    #[error("{object} is {:.2} x {:.2} x {:.2} m, no prim is larger than 64 m", size[0], size[1], size[2])]
    TooLarge {
        /// The object.
        object: String,
        /// Its sides in metres.
        size: [f64; 3],
    },
    /// The streaming rules are invalid.
    #[error("{0}")]
    Rules(lodger_core::ValueError),
    /// The land impact or physics cost cannot be met.
    #[error("{0}")]
    TargetInfeasible(Box<TargetInfeasible>),
    /// No physics shape could be made.
    #[error("{object}: {problem}")]
    Physics {
        /// The object.
        object: String,
        /// The problem.
        problem: String,
    },
    /// An object cannot be written as an asset.
    #[error("{object}: {error}")]
    Asset {
        /// The object.
        object: String,
        /// The problem.
        error: Box<lodger_mesh_asset::AssetError>,
    },
    /// The model needs more memory or work than its quota.
    #[error("{0}")]
    QuotaExceeded(QuotaExceeded),
}

impl PackError {
    /// Creates the error of an object that cannot be written.
    pub(crate) fn asset(object: &str, error: lodger_mesh_asset::AssetError) -> Self {
        Self::Asset { object: object.to_owned(), error: Box::new(error) }
    }
}

impl From<QuotaExceeded> for PackError {
    fn from(spent: QuotaExceeded) -> Self {
        Self::QuotaExceeded(spent)
    }
}

/// A target that cannot be met, and the cheapest possible result.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{}", self.text())]
pub struct TargetInfeasible {
    /// The land impact that was requested, or that the levels have.
    pub requested: u32,
    /// The physics cost that was requested, if it is the limit.
    pub physics_cost: Option<f64>,
    /// The least possible land impact.
    pub minimum: u32,
    /// The weight that limits it.
    pub limiting: ObjectWeight,
    /// The least possible cost of that weight, not rounded.
    pub weight: f64,
}

impl TargetInfeasible {
    fn text(&self) -> String {
        let Self { requested, physics_cost, minimum, limiting, weight } = self;
        match physics_cost {
            Some(cost) => {
                format!("a physics cost of {cost} cannot be met: {weight:.3} is the least")
            }
            None => format!(
                "a land impact of {requested} cannot be met: {limiting} needs {weight:.3}, which is {minimum}"
            ),
        }
    }
}
