//! The triangles and vertices that a mesh really has.

use lodger_core::cost::streaming::{Lods, MeshLod};
use lodger_mesh_asset::{Asset, Block, Counts, Error};

/// The triangles and vertices of each LOD in a file. No cost depends on them.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct LodGeometry {
    /// What was counted; `None` for a LOD that is missing or cannot be decoded.
    pub counts: Lods<Option<Counts>>,
    /// The LODs that cannot be decoded, from the lowest to the highest.
    pub not_decoded: Vec<MeshLod>,
    /// Why the first of them cannot.
    pub error: Option<Error>,
}

impl LodGeometry {
    /// Counts in the file of an asset.
    #[must_use]
    pub fn of(asset: &Asset<'_>) -> Self {
        let mut geometry = Self::default();
        for (lod, block) in MeshLod::ALL.into_iter().zip(Block::LODS) {
            match asset.counts(block) {
                Ok(counts) => geometry.counts = geometry.counts.with(lod, counts),
                Err(error) => {
                    geometry.not_decoded.push(lod);
                    geometry.error.get_or_insert(error);
                }
            }
        }
        geometry
    }
}
