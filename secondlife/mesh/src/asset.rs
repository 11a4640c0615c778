//! A file: its header, and its blocks one by one.

use std::cell::Cell;

use crate::convex::{Convex, PhysicsCostData};
use crate::error::{Error, Problem, ellipsized};
use crate::geometry::{Counts, Faces};
use crate::header::{Block, Extent, Header};
use crate::inflate::{Limits, inflate, most_inflated};
use crate::llsd::Value;
use crate::skin::Skin;

/// A mesh asset, or an `.slm` file of a viewer's cache. Nothing is inflated before it is asked for.
///
/// Source: Second Life wiki, Mesh/Mesh Asset Format.
#[derive(Debug, Clone, PartialEq)]
pub struct Asset<'a> {
    header: Header<'a>,
    body: &'a [u8],
    limits: Limits,
    inflated: Cell<u64>,
}

impl<'a> Asset<'a> {
    /// Reads the header of a whole file and checks where every block is. Blocks may overlap.
    ///
    /// # Errors
    /// Those of [`Header::parse`]; [`Problem::OutOfBounds`] for a block that is not within the file.
    pub fn parse(file: &'a [u8]) -> Result<Self, Error> {
        Self::parse_within(file, Limits::default())
    }

    /// [`parse`](Self::parse) with limits of one's own.
    ///
    /// # Errors
    /// Those of [`parse`](Self::parse).
    pub fn parse_within(file: &'a [u8], limits: Limits) -> Result<Self, Error> {
        let header = Header::parse_within(file, limits.values)?;
        let body = file.get(header.end()..).unwrap_or_default();
        for (name, extent) in header.blocks() {
            if extent.of(body).is_none() {
                return Err(out_of_bounds(extent, body.len()).in_header(name));
            }
        }
        Ok(Self { header, body, limits, inflated: Cell::new(0) })
    }

    /// The header.
    #[must_use]
    pub const fn header(&self) -> &Header<'a> {
        &self.header
    }

    /// Everything after the header.
    #[must_use]
    pub const fn body(&self) -> &'a [u8] {
        self.body
    }

    /// The compressed bytes of a block.
    #[must_use]
    pub fn raw(&self, block: Block) -> Option<&'a [u8]> {
        self.header.extent(block)?.of(self.body)
    }

    /// How many bytes were inflated so far, which is most of the work that was done: each block as often as
    /// it was asked for, and one that cannot be inflated as if it were as large as it may be.
    #[must_use]
    pub fn inflated_bytes(&self) -> u64 {
        self.inflated.get()
    }

    /// Inflates a block, if there is one.
    ///
    /// # Errors
    /// [`Problem::Damaged`], [`Problem::TooLarge`].
    pub fn inflate(&self, block: Block) -> Result<Option<Inflated>, Error> {
        let located = self.header.locate(block);
        located.map(|(name, at)| self.inflate_at(name, at)).transpose()
    }

    /// Inflates the block that the file has under that name, known or not, if there is one.
    ///
    /// # Errors
    /// [`Problem::Damaged`], [`Problem::TooLarge`].
    pub fn inflate_named(&self, name: &str) -> Result<Option<Inflated>, Error> {
        let located = self.header.blocks().find(|(found, _)| *found == name);
        located.map(|(name, at)| self.inflate_at(name, at)).transpose()
    }

    fn inflate_at(&self, name: &str, extent: Extent) -> Result<Inflated, Error> {
        let offset = usize::try_from(extent.offset).unwrap_or(usize::MAX);
        let offset = offset.saturating_add(self.header.end());
        let bytes = extent
            .of(self.body)
            .ok_or_else(|| out_of_bounds(extent, self.body.len()))
            .and_then(|raw| self.count(raw, inflate(raw, self.limits.block_bytes)))
            .map_err(|error| error.in_block(name, offset))?;
        Ok(Inflated { name: ellipsized(name), offset, bytes, values: self.limits.values })
    }

    /// Counts what was inflated.
    fn count(&self, raw: &[u8], inflated: Result<Vec<u8>, Problem>) -> Result<Vec<u8>, Error> {
        let most = || most_inflated(raw.len()).min(self.limits.block_bytes);
        let bytes = inflated.as_ref().map_or_else(|_| most(), Vec::len);
        self.inflated.set(self.inflated.get().saturating_add(bytes as u64));
        Ok(inflated?)
    }

    /// The triangles and vertices of a block of geometry, if there is one, without decoding them.
    ///
    /// # Errors
    /// Those of [`inflate`](Self::inflate) and [`Inflated::counts`].
    pub fn counts(&self, block: Block) -> Result<Option<Counts>, Error> {
        self.inflate(block)?.map(|inflated| inflated.counts()).transpose()
    }

    /// What a simulator computed, if it did. Files have it as a block, and as a map in the header.
    ///
    /// # Errors
    /// Those of [`inflate`](Self::inflate) and [`PhysicsCostData::from_value`].
    pub fn physics_cost_data(&self) -> Result<Option<PhysicsCostData>, Error> {
        if let Some(block) = self.inflate(Block::PhysicsCostData)? {
            return block.cost_data().map(Some);
        }
        let name = Block::PhysicsCostData.key();
        match self.header.map().get(name) {
            Some(value @ Value::Map(map)) if map.get("size").is_none() => {
                let data = PhysicsCostData::from_value(value);
                data.map(Some).map_err(|error| error.in_header(name))
            }
            _ => Ok(None),
        }
    }

    /// Decodes everything whose form is known, one block after the other.
    ///
    /// # Errors
    /// The first that any block gives.
    pub fn verify(&self) -> Result<(), Error> {
        self.header.material_list()?;
        Block::ALL.into_iter().try_for_each(|block| self.check(block))
    }

    /// Decodes one block, if it is there and its form is known.
    pub(crate) fn check(&self, block: Block) -> Result<(), Error> {
        match block {
            Block::PhysicsHavok => Ok(()),
            Block::PhysicsCostData => self.physics_cost_data().map(drop),
            _ => match (self.inflate(block)?, block) {
                (None, _) => Ok(()),
                (Some(inflated), Block::Skin) => inflated.skin().map(drop),
                (Some(inflated), Block::PhysicsConvex) => inflated.convex().map(drop),
                (Some(inflated), _) => inflated.lod().map(drop),
            },
        }
    }
}

fn out_of_bounds(extent: Extent, available: usize) -> Error {
    let signed = |value| i32::try_from(value).unwrap_or(i32::MAX);
    Error::from(Problem::OutOfBounds {
        offset: signed(extent.offset),
        size: signed(extent.size),
        available,
    })
}

/// An inflated block. What is decoded from it borrows from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inflated {
    name: String,
    offset: usize,
    bytes: Vec<u8>,
    values: usize,
}

impl Inflated {
    /// The name that the file has for the block, or the first 160 characters of a longer one.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The block's binary LLSD.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The block as it is.
    ///
    /// # Errors
    /// [`Problem::Llsd`].
    pub fn value(&self) -> Result<Value<'_>, Error> {
        Value::read(&self.bytes, self.values)
            .map(|(value, _)| value)
            .map_err(|error| Error::from(error).in_block(&self.name, self.offset))
    }

    /// The block as geometry: a level of detail or the physics mesh.
    ///
    /// # Errors
    /// [`Problem::Llsd`] and those of [`Faces::from_value`].
    pub fn lod(&self) -> Result<Faces<'_>, Error> {
        self.decode(Faces::from_value)
    }

    /// The triangles and vertices of a block of geometry, without decoding them.
    ///
    /// # Errors
    /// [`Problem::Llsd`] and those of [`Counts::from_value`].
    pub fn counts(&self) -> Result<Counts, Error> {
        self.decode(Counts::from_value)
    }

    /// The block as a skin.
    ///
    /// # Errors
    /// [`Problem::Llsd`] and those of [`Skin::from_value`].
    pub fn skin(&self) -> Result<Skin<'_>, Error> {
        self.decode(Skin::from_value)
    }

    /// The block as hull and decomposition.
    ///
    /// # Errors
    /// [`Problem::Llsd`] and those of [`Convex::from_value`].
    pub fn convex(&self) -> Result<Convex<'_>, Error> {
        self.decode(Convex::from_value)
    }

    /// The block as what a simulator computed.
    ///
    /// # Errors
    /// [`Problem::Llsd`] and those of [`PhysicsCostData::from_value`].
    pub fn cost_data(&self) -> Result<PhysicsCostData, Error> {
        self.decode(PhysicsCostData::from_value)
    }

    fn decode<'s, T>(
        &'s self,
        decode: impl FnOnce(&Value<'s>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        decode(&self.value()?).map_err(|error| error.in_block(&self.name, self.offset))
    }
}
