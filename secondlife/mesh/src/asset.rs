//! Mesh asset files and their inflated blocks.

use std::cell::Cell;

use crate::convex::{PhysicsConvex, PhysicsCostData};
use crate::error::{AssetError, AssetErrorKind, ellipsized};
use crate::geometry::{Faces, GeometryCounts};
use crate::header::{AssetBlock, AssetHeader, BlockRange};
use crate::inflate::{AssetLimits, inflate, max_inflated};
use crate::llsd::LlsdValue;
use crate::skin::Skin;

/// A mesh asset, or an `.slm` file of a viewer's cache. Blocks are inflated on request.
///
/// Source: Second Life wiki, Mesh/Mesh Asset Format.
///
/// # Examples
/// ```
/// use lodger_mesh_asset::{Asset, AssetBlock};
///
/// let file = std::fs::read("samples/strip.llmesh")?;
/// let asset = Asset::parse(&file)?;
/// let high = asset.inflate(AssetBlock::HighLod)?.ok_or("no high LOD")?;
/// assert_eq!(high.lod()?.triangle_count(), 16);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Asset<'a> {
    header: AssetHeader<'a>,
    body: &'a [u8],
    limits: AssetLimits,
    inflated: Cell<u64>,
}

impl<'a> Asset<'a> {
    /// Reads the header and checks the ranges of all blocks, which may overlap.
    ///
    /// # Errors
    /// The errors of [`AssetHeader::parse`]; [`AssetErrorKind::OutOfBounds`] for a block outside of the file.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// let file = std::fs::read("samples/strip.llmesh")?;
    /// assert_eq!(Asset::parse(&file)?.header().blocks().count(), 9);
    /// let cut = Asset::parse(&file[..file.len() - 1]).unwrap_err();
    /// assert!(matches!(cut.kind(), AssetErrorKind::OutOfBounds { .. }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parse(file: &'a [u8]) -> Result<Self, AssetError> {
        Self::parse_within(file, AssetLimits::default())
    }

    /// Reads a file as [`parse`](Self::parse) does, within other limits.
    ///
    /// # Errors
    /// The errors of [`parse`](Self::parse).
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// # let file = std::fs::read("samples/strip.llmesh")?;
    /// let limits = AssetLimits { block_bytes: 100, ..AssetLimits::default() };
    /// let asset = Asset::parse_within(&file, limits)?;
    /// let error = asset.inflate(AssetBlock::HighLod).unwrap_err();
    /// assert_eq!(error.kind(), &AssetErrorKind::TooLarge { limit: 100 });
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parse_within(file: &'a [u8], limits: AssetLimits) -> Result<Self, AssetError> {
        let header = AssetHeader::parse_within(file, limits.values)?;
        let body = file.get(header.end()..).unwrap_or_default();
        for (name, range) in header.blocks() {
            if range.slice(body).is_none() {
                return Err(out_of_bounds(range, body.len()).in_header(name));
            }
        }
        Ok(Self { header, body, limits, inflated: Cell::new(0) })
    }

    /// The header.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::Asset;
    /// # let file = std::fs::read("samples/strip.llmesh")?;
    /// let asset = Asset::parse(&file)?;
    /// assert_eq!(asset.header().material_list()?, Some(vec!["cloth", "buttons"]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn header(&self) -> &AssetHeader<'a> {
        &self.header
    }

    /// All bytes after the header.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::Asset;
    /// # let file = std::fs::read("samples/strip.llmesh")?;
    /// let asset = Asset::parse(&file)?;
    /// assert_eq!(asset.body().len(), file.len() - asset.header().end());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn body(&self) -> &'a [u8] {
        self.body
    }

    /// The compressed bytes of a block; `None` if the file has no such block.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// # let file = std::fs::read("samples/strip.llmesh")?;
    /// let asset = Asset::parse(&file)?;
    /// let high = asset.raw(AssetBlock::HighLod).map(<[u8]>::len);
    /// assert_eq!(high, usize::try_from(asset.header().lod_bytes().high).ok());
    /// assert_eq!(asset.raw(AssetBlock::PhysicsHavok), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn raw(&self, block: AssetBlock) -> Option<&'a [u8]> {
        self.header.block_range(block)?.slice(self.body)
    }

    /// The number of bytes inflated so far, a measure of work. A block counts each time it is inflated, a damaged
    /// block with its maximum size.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// # let file = std::fs::read("samples/strip.llmesh")?;
    /// let asset = Asset::parse(&file)?;
    /// assert_eq!(asset.inflated_bytes(), 0);
    /// let block = asset.inflate(AssetBlock::HighLod)?.ok_or("no high LOD")?;
    /// assert_eq!(asset.inflated_bytes(), block.bytes().len() as u64);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn inflated_bytes(&self) -> u64 {
        self.inflated.get()
    }

    /// Inflates a block; `None` if the file has no such block.
    ///
    /// # Errors
    /// [`AssetErrorKind::Damaged`], [`AssetErrorKind::TooLarge`].
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// # let file = std::fs::read("samples/strip.llmesh")?;
    /// let asset = Asset::parse(&file)?;
    /// let skin = asset.inflate(AssetBlock::Skin)?.ok_or("no skin")?;
    /// assert_eq!(skin.skin()?.joint_names, ["mPelvis", "mTorso"]);
    /// assert!(asset.inflate(AssetBlock::PhysicsHavok)?.is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn inflate(&self, block: AssetBlock) -> Result<Option<BlockData>, AssetError> {
        let located = self.header.locate(block);
        located.map(|(name, at)| self.inflate_at(name, at)).transpose()
    }

    /// Inflates a block by its name in the file, known or not.
    ///
    /// # Errors
    /// [`AssetErrorKind::Damaged`], [`AssetErrorKind::TooLarge`].
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::Asset;
    /// # let file = std::fs::read("samples/strip.llmesh")?;
    /// let block = Asset::parse(&file)?.inflate_named("novelty")?.ok_or("no such block")?;
    /// assert_eq!(block.value()?.as_str(), Some("new"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn inflate_named(&self, name: &str) -> Result<Option<BlockData>, AssetError> {
        let located = self.header.blocks().find(|(found, _)| *found == name);
        located.map(|(name, at)| self.inflate_at(name, at)).transpose()
    }

    fn inflate_at(&self, name: &str, range: BlockRange) -> Result<BlockData, AssetError> {
        let offset = usize::try_from(range.offset).unwrap_or(usize::MAX);
        let offset = offset.saturating_add(self.header.end());
        let bytes = range
            .slice(self.body)
            .ok_or_else(|| out_of_bounds(range, self.body.len()))
            .and_then(|raw| self.count(raw, inflate(raw, self.limits.block_bytes)))
            .map_err(|error| error.in_block(name, offset))?;
        Ok(BlockData { name: ellipsized(name), offset, bytes, values: self.limits.values })
    }

    fn count(
        &self,
        raw: &[u8],
        inflated: Result<Vec<u8>, AssetErrorKind>,
    ) -> Result<Vec<u8>, AssetError> {
        let max = || max_inflated(raw.len()).min(self.limits.block_bytes);
        let bytes = inflated.as_ref().map_or_else(|_| max(), Vec::len);
        self.inflated.set(self.inflated.get().saturating_add(bytes as u64));
        Ok(inflated?)
    }

    /// Counts triangles and vertices of a geometry block without decoding it.
    ///
    /// # Errors
    /// The errors of [`inflate`](Self::inflate) and [`BlockData::counts`].
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// # let file = std::fs::read("samples/strip.llmesh")?;
    /// let counts = Asset::parse(&file)?.counts(AssetBlock::LowestLod)?.ok_or("no lowest LOD")?;
    /// assert_eq!((counts.triangles, counts.vertices), (2, 4));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn counts(&self, block: AssetBlock) -> Result<Option<GeometryCounts>, AssetError> {
        self.inflate(block)?.map(|inflated| inflated.counts()).transpose()
    }

    /// Reads the costs that a simulator computed, from the block or from a map in the header.
    ///
    /// # Errors
    /// The errors of [`inflate`](Self::inflate) and [`PhysicsCostData::from_value`].
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::Asset;
    /// # let file = std::fs::read("samples/strip.llmesh")?;
    /// let data = Asset::parse(&file)?.physics_cost_data()?.ok_or("no cost data")?;
    /// assert_eq!((data.hull, data.decomposition), (Some(0.2), Some(0.4)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn physics_cost_data(&self) -> Result<Option<PhysicsCostData>, AssetError> {
        if let Some(block) = self.inflate(AssetBlock::PhysicsCostData)? {
            return block.cost_data().map(Some);
        }
        let name = AssetBlock::PhysicsCostData.key();
        match self.header.map().get(name) {
            Some(value @ LlsdValue::Map(map)) if map.get("size").is_none() => {
                let data = PhysicsCostData::from_value(value);
                data.map(Some).map_err(|error| error.in_header(name))
            }
            _ => Ok(None),
        }
    }

    /// Decodes all blocks of known format.
    ///
    /// # Errors
    /// The first error of any block.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// # let file = std::fs::read("samples/strip.llmesh")?;
    /// let asset = Asset::parse(&file)?;
    /// asset.verify()?;
    /// let damaged = AssetBuilder::from(&asset).set_raw("skin", &b"no zlib"[..]).encode()?;
    /// assert_eq!(Asset::parse(&damaged)?.verify().unwrap_err().block(), Some("skin"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn verify(&self) -> Result<(), AssetError> {
        self.header.material_list()?;
        AssetBlock::ALL.into_iter().try_for_each(|block| self.check(block))
    }

    pub(crate) fn check(&self, block: AssetBlock) -> Result<(), AssetError> {
        match block {
            AssetBlock::PhysicsHavok => Ok(()),
            AssetBlock::PhysicsCostData => self.physics_cost_data().map(drop),
            _ => match (self.inflate(block)?, block) {
                (None, _) => Ok(()),
                (Some(inflated), AssetBlock::Skin) => inflated.skin().map(drop),
                (Some(inflated), AssetBlock::PhysicsConvex) => inflated.convex().map(drop),
                (Some(inflated), _) => inflated.lod().map(drop),
            },
        }
    }
}

fn out_of_bounds(range: BlockRange, available: usize) -> AssetError {
    let signed = |value| i32::try_from(value).unwrap_or(i32::MAX);
    AssetError::from(AssetErrorKind::OutOfBounds {
        offset: signed(range.offset),
        size: signed(range.size),
        available,
    })
}

/// An inflated block. Decoded values borrow from it.
///
/// # Examples
/// ```
/// # use lodger_mesh_asset::*;
/// # let file = std::fs::read("samples/strip.llmesh")?;
/// let asset = Asset::parse(&file)?;
/// let block = asset.inflate(AssetBlock::PhysicsConvex)?.ok_or("no hull")?;
/// assert_eq!(block.convex()?.hull_count(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockData {
    name: String,
    offset: usize,
    bytes: Vec<u8>,
    values: usize,
}

impl BlockData {
    /// The name of the block in the file, truncated to 160 characters.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// # let file = std::fs::read("samples/strip.llmesh")?;
    /// let block = Asset::parse(&file)?.inflate(AssetBlock::LowLod)?.ok_or("no low LOD")?;
    /// assert_eq!(block.name(), "low_lod");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The binary LLSD of the block.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// # let file = std::fs::read("samples/strip.llmesh")?;
    /// let block = Asset::parse(&file)?.inflate(AssetBlock::HighLod)?.ok_or("no high LOD")?;
    /// assert!(block.bytes().starts_with(b"[\0\0\0\x02{"), "an array of two maps");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Parses the LLSD of the block.
    ///
    /// # Errors
    /// [`AssetErrorKind::Llsd`].
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// # let file = std::fs::read("samples/strip.llmesh")?;
    /// let block = Asset::parse(&file)?.inflate(AssetBlock::HighLod)?.ok_or("no high LOD")?;
    /// assert_eq!(block.value()?.as_array().map(<[_]>::len), Some(2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn value(&self) -> Result<LlsdValue<'_>, AssetError> {
        LlsdValue::read(&self.bytes, self.values)
            .map(|(value, _)| value)
            .map_err(|error| AssetError::from(error).in_block(&self.name, self.offset))
    }

    /// Decodes geometry: a level of detail or the physics mesh.
    ///
    /// # Errors
    /// [`AssetErrorKind::Llsd`] and the errors of [`Faces::from_value`].
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// # let file = std::fs::read("samples/strip.llmesh")?;
    /// let block = Asset::parse(&file)?.inflate(AssetBlock::PhysicsMesh)?.ok_or("no physics mesh")?;
    /// assert_eq!(block.lod()?.triangle_count(), 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn lod(&self) -> Result<Faces<'_>, AssetError> {
        self.decode(Faces::from_value)
    }

    /// Counts triangles and vertices of geometry without decoding it.
    ///
    /// # Errors
    /// [`AssetErrorKind::Llsd`] and the errors of [`GeometryCounts::from_value`].
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// # let file = std::fs::read("samples/strip.llmesh")?;
    /// let block = Asset::parse(&file)?.inflate(AssetBlock::HighLod)?.ok_or("no high LOD")?;
    /// assert_eq!((block.counts()?.triangles, block.counts()?.vertices), (16, 18));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn counts(&self) -> Result<GeometryCounts, AssetError> {
        self.decode(GeometryCounts::from_value)
    }

    /// Decodes a skin.
    ///
    /// # Errors
    /// [`AssetErrorKind::Llsd`] and the errors of [`Skin::from_value`].
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// # let file = std::fs::read("samples/strip.llmesh")?;
    /// let block = Asset::parse(&file)?.inflate(AssetBlock::Skin)?.ok_or("no skin")?;
    /// assert_eq!(block.skin()?.pelvis_offset, Some(0.1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn skin(&self) -> Result<Skin<'_>, AssetError> {
        self.decode(Skin::from_value)
    }

    /// Decodes a hull and a decomposition.
    ///
    /// # Errors
    /// [`AssetErrorKind::Llsd`] and the errors of [`PhysicsConvex::from_value`].
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// # let file = std::fs::read("samples/strip.llmesh")?;
    /// let block = Asset::parse(&file)?.inflate(AssetBlock::PhysicsConvex)?.ok_or("no hull")?;
    /// assert!(block.convex()?.hull_sizes().eq([4, 4]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn convex(&self) -> Result<PhysicsConvex<'_>, AssetError> {
        self.decode(PhysicsConvex::from_value)
    }

    /// Decodes the costs that a simulator computed.
    ///
    /// # Errors
    /// [`AssetErrorKind::Llsd`] and the errors of [`PhysicsCostData::from_value`].
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// # let file = std::fs::read("samples/strip.llmesh")?;
    /// let block = Asset::parse(&file)?.inflate(AssetBlock::PhysicsCostData)?.ok_or("no costs")?;
    /// assert_eq!(block.cost_data()?.mesh_triangles, Some(4));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cost_data(&self) -> Result<PhysicsCostData, AssetError> {
        self.decode(PhysicsCostData::from_value)
    }

    fn decode<'s, T>(
        &'s self,
        decode: impl FnOnce(&LlsdValue<'s>) -> Result<T, AssetError>,
    ) -> Result<T, AssetError> {
        decode(&self.value()?).map_err(|error| error.in_block(&self.name, self.offset))
    }
}
