use lodger_core::cost::land_impact::{ObjectWeight, land_impact};
use lodger_quota::QuotaExceeded;
use thiserror::Error;

use crate::model::ModelObject;

/// The reason that a model cannot be packed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PackError {
    /// A file cannot be read, or is not valid glTF.
    #[error("{file}: {problem}")]
    Model {
        /// The name of the file.
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
        /// The name of the object.
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
        /// The name of the object.
        object: String,
        /// The failure as text.
        problem: String,
    },
    /// An object cannot be written as an asset.
    #[error("{object}: {error}")]
    Asset {
        /// The name of the object.
        object: String,
        /// The error of the asset writer.
        error: Box<lodger_mesh_asset::AssetError>,
    },
    /// The model needs more memory or work than its quota.
    #[error("{0}")]
    QuotaExceeded(QuotaExceeded),
}

impl PackError {
    pub(crate) fn asset(object: &str, error: lodger_mesh_asset::AssetError) -> Self {
        Self::Asset { object: object.to_owned(), error: Box::new(error) }
    }

    pub(crate) fn physics(object: &ModelObject, problem: impl Into<String>) -> Self {
        Self::Physics { object: object.name.clone(), problem: problem.into() }
    }

    /// The error for a weight that cannot be below `weight`.
    pub(crate) fn infeasible(requested: u32, limiting: ObjectWeight, weight: f64) -> Self {
        let minimum = land_impact(weight, 0.0, 0.0).value;
        let target = TargetInfeasible { requested, physics_cost: None, minimum, limiting, weight };
        Self::TargetInfeasible(Box::new(target))
    }
}

impl From<QuotaExceeded> for PackError {
    fn from(spent: QuotaExceeded) -> Self {
        Self::QuotaExceeded(spent)
    }
}

/// A target that cannot be met, and the minimum that can.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{}", self.text())]
pub struct TargetInfeasible {
    /// The requested land impact, or the land impact of the levels.
    pub requested: u32,
    /// The requested physics cost, if it is the limit.
    pub physics_cost: Option<f64>,
    /// The minimum land impact.
    pub minimum: u32,
    /// The weight that determines the minimum.
    pub limiting: ObjectWeight,
    /// The minimum of that weight, not rounded.
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
