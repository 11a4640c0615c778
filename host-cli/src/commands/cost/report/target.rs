//! What a land impact allows.

use lodger_core::cost::ObjectScale;
use lodger_core::cost::streaming::{Lods, Reach};
use lodger_opensim::pricing::{NoRoom, Remark, Target};
use serde::Serialize;

use super::rows::FileRow;
use super::weights::PriceBasis;

/// What a land impact allows.
#[derive(Debug, Serialize)]
pub(crate) struct Answer {
    schema: u32,
    rules_source: &'static str,
    /// The land impact asked for.
    pub(crate) target: u32,
    /// What the mesh costs as it is.
    pub(crate) now: FileRow,
    /// How many bytes the LODs may have at this size.
    pub(crate) bytes: Bytes,
    /// How large the mesh may be with the bytes it has.
    pub(crate) size: Size,
    pub(crate) notes: Vec<String>,
}

/// How many bytes the LODs may have.
#[derive(Debug, Serialize)]
pub(crate) struct Bytes {
    /// Whether any number of bytes comes to the target.
    pub(crate) possible: bool,
    pub(crate) why_not: Option<String>,
    /// Each LOD, if the others stay as they are; none where not one byte is left.
    pub(crate) alone: Lods<Option<i32>>,
    /// All LODs, if each is changed by the same factor.
    pub(crate) together: Option<Lods<i32>>,
}

/// How large a mesh may be.
#[derive(Debug, Serialize)]
pub(crate) struct Size {
    pub(crate) limit: Limit,
    /// The greatest scale of the same proportions, in metres; none if there is no limit, or no size.
    pub(crate) scale: Option<[f64; 3]>,
    /// The longest side of it.
    pub(crate) longest_side: Option<f64>,
    /// Whether all smaller sizes are within the target too.
    pub(crate) all_smaller: bool,
}

/// How far a size may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Limit {
    /// No size is within the target.
    Never,
    /// Up to a size.
    UpTo,
    /// Any size is within the target.
    Always,
}

impl Answer {
    /// What a land impact allows a mesh.
    pub(crate) fn new(file: String, target: Target, basis: PriceBasis) -> Self {
        let Target { land_impact, now, bytes, size, .. } = target;
        let (limit, scale) = match size.reach {
            Reach::Never => (Limit::Never, None),
            Reach::UpTo(scale) => (Limit::UpTo, Some(scale)),
            Reach::Always => (Limit::Always, None),
        };
        Self {
            schema: 1,
            rules_source: basis.source,
            target: land_impact,
            notes: now.remarks.iter().map(Remark::to_string).collect(),
            now: FileRow::new(file, now, basis),
            bytes: Bytes {
                possible: bytes.none.is_none(),
                why_not: bytes.none.as_ref().map(NoRoom::to_string),
                alone: bytes.alone,
                together: bytes.together,
            },
            size: Size {
                limit,
                scale: scale.map(ObjectScale::sides),
                longest_side: scale.map(ObjectScale::longest),
                all_smaller: size.all_smaller,
            },
        }
    }
}
