//! Mesh asset files: the header, and access to the blocks.

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
    pub fn parse(file: &'a [u8]) -> Result<Self, AssetError> {
        Self::parse_within(file, AssetLimits::default())
    }

    /// [`parse`](Self::parse) with other limits.
    ///
    /// # Errors
    /// The errors of [`parse`](Self::parse).
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
    #[must_use]
    pub const fn header(&self) -> &AssetHeader<'a> {
        &self.header
    }

    /// All bytes after the header.
    #[must_use]
    pub const fn body(&self) -> &'a [u8] {
        self.body
    }

    /// Compressed bytes of a block.
    #[must_use]
    pub fn raw(&self, block: AssetBlock) -> Option<&'a [u8]> {
        self.header.block_range(block)?.slice(self.body)
    }

    /// Number of bytes inflated so far, as a measure of work. A block counts each time it is inflated, and a damaged one
    /// with its maximum size.
    #[must_use]
    pub fn inflated_bytes(&self) -> u64 {
        self.inflated.get()
    }

    /// Inflates a block, if the file has it.
    ///
    /// # Errors
    /// [`AssetErrorKind::Damaged`], [`AssetErrorKind::TooLarge`].
    pub fn inflate(&self, block: AssetBlock) -> Result<Option<BlockData>, AssetError> {
        let located = self.header.locate(block);
        located.map(|(name, at)| self.inflate_at(name, at)).transpose()
    }

    /// Inflates a block by its name in the file, known or not.
    ///
    /// # Errors
    /// [`AssetErrorKind::Damaged`], [`AssetErrorKind::TooLarge`].
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

    /// Counts inflated bytes.
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
    pub fn counts(&self, block: AssetBlock) -> Result<Option<GeometryCounts>, AssetError> {
        self.inflate(block)?.map(|inflated| inflated.counts()).transpose()
    }

    /// Costs that a simulator computed, from the block or from a map in the header.
    ///
    /// # Errors
    /// The errors of [`inflate`](Self::inflate) and [`PhysicsCostData::from_value`].
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

    /// Decodes all blocks of known format, one after the other.
    ///
    /// # Errors
    /// The first error of any block.
    pub fn verify(&self) -> Result<(), AssetError> {
        self.header.material_list()?;
        AssetBlock::ALL.into_iter().try_for_each(|block| self.check(block))
    }

    /// Decodes one block of known format, if the file has it.
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
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockData {
    name: String,
    offset: usize,
    bytes: Vec<u8>,
    values: usize,
}

impl BlockData {
    /// Name of the block in the file, truncated to 160 characters.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Binary LLSD of the block.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Parses the LLSD of the block.
    ///
    /// # Errors
    /// [`AssetErrorKind::Llsd`].
    pub fn value(&self) -> Result<LlsdValue<'_>, AssetError> {
        LlsdValue::read(&self.bytes, self.values)
            .map(|(value, _)| value)
            .map_err(|error| AssetError::from(error).in_block(&self.name, self.offset))
    }

    /// Decodes geometry: a level of detail or the physics mesh.
    ///
    /// # Errors
    /// [`AssetErrorKind::Llsd`] and the errors of [`Faces::from_value`].
    pub fn lod(&self) -> Result<Faces<'_>, AssetError> {
        self.decode(Faces::from_value)
    }

    /// Counts triangles and vertices of geometry without decoding it.
    ///
    /// # Errors
    /// [`AssetErrorKind::Llsd`] and the errors of [`GeometryCounts::from_value`].
    pub fn counts(&self) -> Result<GeometryCounts, AssetError> {
        self.decode(GeometryCounts::from_value)
    }

    /// Decodes a skin.
    ///
    /// # Errors
    /// [`AssetErrorKind::Llsd`] and the errors of [`Skin::from_value`].
    pub fn skin(&self) -> Result<Skin<'_>, AssetError> {
        self.decode(Skin::from_value)
    }

    /// Decodes a hull and a decomposition.
    ///
    /// # Errors
    /// [`AssetErrorKind::Llsd`] and the errors of [`PhysicsConvex::from_value`].
    pub fn convex(&self) -> Result<PhysicsConvex<'_>, AssetError> {
        self.decode(PhysicsConvex::from_value)
    }

    /// Decodes the costs that a simulator computed.
    ///
    /// # Errors
    /// [`AssetErrorKind::Llsd`] and the errors of [`PhysicsCostData::from_value`].
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
