//! The triangles and vertices that a mesh really has.

use lodger_core::cost::streaming::{Lods, MeshLod};
use lodger_mesh_asset::{Asset, Block, Counts, Error};

/// A block, and what was counted of it.
pub(crate) type Counted = (Block, Result<Counts, Error>);

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
        Self::beside(asset, &mut Vec::new())
    }

    /// Counts in the file of an asset what was not counted already.
    pub(crate) fn beside(asset: &Asset<'_>, counted: &mut Vec<Counted>) -> Self {
        let mut geometry = Self::default();
        for (lod, block) in MeshLod::ALL.into_iter().zip(Block::LODS) {
            let known = counted.iter().position(|(counted, _)| *counted == block);
            let known = known.map(|known| counted.swap_remove(known).1.map(Some));
            match known.unwrap_or_else(|| asset.counts(block)) {
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
