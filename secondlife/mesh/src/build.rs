//! Writing of new or changed assets.

use std::borrow::Cow;

use crate::asset::Asset;
use crate::convex::{PhysicsConvex, PhysicsCostData};
use crate::error::{AssetError, AssetErrorKind};
use crate::geometry::Faces;
use crate::header;
use crate::header::AssetBlock;
use crate::inflate::deflate;
use crate::llsd::{HEADER_LINE, LlsdValue, Map};
use crate::skin::Skin;

/// Builds an asset, from nothing or from an existing one.
///
/// Unchanged entries of the header keep their order, and unchanged blocks their compressed bytes. An unchanged asset keeps
/// its whole body. After a change, blocks are laid out without gaps or overlaps: existing blocks in their order, then new
/// ones.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AssetBuilder<'a> {
    entries: Vec<(Cow<'a, str>, HeaderEntry<'a>)>,
    /// Body of an unchanged file.
    untouched: Option<&'a [u8]>,
    header_line: bool,
}

#[derive(Debug, Clone, PartialEq)]
enum HeaderEntry<'a> {
    Value(LlsdValue<'a>),
    Block {
        /// Other fields of the entry, such as `hash`.
        fields: Map<'a>,
        bytes: Cow<'a, [u8]>,
        /// Offset of the block in its file; the maximum for a new block.
        order: u32,
    },
}

impl<'a> AssetBuilder<'a> {
    /// Creates an asset without blocks.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets whether the header follows the line `<? LLSD/Binary ?>`, which assets do not have.
    pub const fn header_line(&mut self, header_line: bool) -> &mut Self {
        self.header_line = header_line;
        self
    }

    /// Sets a level of detail, or the physics mesh.
    ///
    /// # Errors
    /// [`AssetErrorKind::Llsd`] if a value is too long.
    pub fn set_lod(&mut self, block: AssetBlock, lod: &Faces) -> Result<&mut Self, AssetError> {
        self.set_known(block, &lod.to_value())
    }

    /// Sets the skin.
    ///
    /// # Errors
    /// [`AssetErrorKind::Llsd`] if a value is too long.
    pub fn set_skin(&mut self, skin: &Skin) -> Result<&mut Self, AssetError> {
        self.set_known(AssetBlock::Skin, &skin.to_value())
    }

    /// Sets the hull and the decomposition.
    ///
    /// # Errors
    /// [`AssetErrorKind::Llsd`] if a value is too long.
    pub fn set_convex(&mut self, convex: &PhysicsConvex) -> Result<&mut Self, AssetError> {
        self.set_known(AssetBlock::PhysicsConvex, &convex.to_value())
    }

    /// Sets the costs that a simulator computed, as a block.
    ///
    /// # Errors
    /// [`AssetErrorKind::Llsd`] if a value is too long.
    pub fn set_cost_data(&mut self, data: &PhysicsCostData) -> Result<&mut Self, AssetError> {
        self.set_known(AssetBlock::PhysicsCostData, &data.to_value())
    }

    fn set_known(&mut self, block: AssetBlock, value: &LlsdValue) -> Result<&mut Self, AssetError> {
        if let Some(alias) = block.alias() {
            self.remove(alias);
        }
        self.set_block(block.key(), value)
    }

    /// Compresses a value and sets it as the block `name`.
    ///
    /// # Errors
    /// [`AssetErrorKind::Llsd`] if a value is too long.
    pub fn set_block(
        &mut self,
        name: impl Into<Cow<'a, str>>,
        value: &LlsdValue,
    ) -> Result<&mut Self, AssetError> {
        Ok(self.set_raw(name, deflate(&value.to_bytes()?)))
    }

    /// Sets the compressed bytes of the block `name`; empty bytes mean no block.
    pub fn set_raw(
        &mut self,
        name: impl Into<Cow<'a, str>>,
        bytes: impl Into<Cow<'a, [u8]>>,
    ) -> &mut Self {
        let entry = HeaderEntry::Block { fields: Map::new(), bytes: bytes.into(), order: u32::MAX };
        self.set(name.into(), entry)
    }

    /// Sets an entry of the header that is not a block, such as `version` or `material_list`.
    pub fn set_value(
        &mut self,
        name: impl Into<Cow<'a, str>>,
        value: impl Into<LlsdValue<'a>>,
    ) -> &mut Self {
        self.set(name.into(), HeaderEntry::Value(value.into()))
    }

    /// Removes an entry, block or not, if present.
    pub fn remove(&mut self, name: &str) -> &mut Self {
        self.untouched = None;
        self.entries.retain(|(found, _)| found != name);
        self
    }

    /// Sorts the entries of the header by key, as viewers do. The blocks keep their order.
    pub fn sort_header(&mut self) -> &mut Self {
        let mut entries: Vec<_> = std::mem::take(&mut self.entries);
        entries.sort_by_key(|(_, entry)| match entry {
            HeaderEntry::Block { order, .. } => *order,
            HeaderEntry::Value(_) => u32::MAX,
        });
        for (place, (_, entry)) in (0..).zip(&mut entries) {
            if let HeaderEntry::Block { order, .. } = entry {
                *order = place;
            }
        }
        entries.sort_by(|(a, _), (b, _)| a.cmp(b));
        self.entries = entries;
        self
    }

    fn set(&mut self, name: Cow<'a, str>, entry: HeaderEntry<'a>) -> &mut Self {
        self.untouched = None;
        match self.entries.iter_mut().find(|(found, _)| *found == name) {
            Some((_, place)) => *place = entry,
            None => self.entries.push((name, entry)),
        }
        self
    }

    /// Encodes the asset.
    ///
    /// # Errors
    /// [`AssetErrorKind::TooLong`] for 2 GiB of blocks or more, [`AssetErrorKind::Llsd`] if an entry is too long.
    pub fn encode(&self) -> Result<Vec<u8>, AssetError> {
        let mut blocks: Vec<_> = self.blocks().collect();
        blocks.sort_by_key(|(order, ..)| *order);
        let mut body = Vec::new();
        let mut places = vec![None; self.entries.len()];
        if self.untouched.is_none() {
            for (_, index, bytes) in blocks {
                places[index] = Some((signed(body.len())?, signed(bytes.len())?));
                body.extend_from_slice(bytes);
            }
            signed(body.len())?;
        }
        let mut out = Vec::new();
        if self.header_line {
            out.extend_from_slice(HEADER_LINE.as_bytes());
            out.push(b'\n');
        }
        self.header(&places).write(&mut out)?;
        out.extend_from_slice(self.untouched.unwrap_or(&body));
        Ok(out)
    }

    /// Order, entry index and bytes of every block.
    fn blocks(&self) -> impl Iterator<Item = (u32, usize, &[u8])> {
        let entries = self.entries.iter().enumerate();
        entries.filter_map(|(index, (_, entry))| match entry {
            HeaderEntry::Block { bytes, order, .. } => Some((*order, index, &**bytes)),
            HeaderEntry::Value(_) => None,
        })
    }

    /// The header, with new offsets and sizes of moved blocks.
    fn header(&self, places: &[Option<(i32, i32)>]) -> LlsdValue<'a> {
        let mut map = Map::new();
        for ((name, entry), place) in self.entries.iter().zip(places) {
            let value = match entry {
                HeaderEntry::Value(value) => value.clone(),
                HeaderEntry::Block { fields, .. } => {
                    let mut fields = fields.clone();
                    if let Some((offset, size)) = *place {
                        fields.insert("offset", offset);
                        fields.insert("size", size);
                    }
                    LlsdValue::Map(fields)
                }
            };
            map.push(name.clone(), value);
        }
        LlsdValue::Map(map)
    }
}

impl<'a> From<&Asset<'a>> for AssetBuilder<'a> {
    fn from(asset: &Asset<'a>) -> Self {
        let entry = |(name, value): (Cow<'a, str>, LlsdValue<'a>)| {
            let range = header::range(&value, 0).ok().flatten();
            let bytes = range.and_then(|range| Some((range.offset, range.slice(asset.body())?)));
            let entry = match (value, bytes) {
                (LlsdValue::Map(fields), Some((order, bytes))) => {
                    HeaderEntry::Block { fields, bytes: Cow::Borrowed(bytes), order }
                }
                (value, _) => HeaderEntry::Value(value),
            };
            (name, entry)
        };
        let entries = asset.header().map().clone().into_entries().into_iter();
        Self {
            entries: entries.map(entry).collect(),
            untouched: Some(asset.body()),
            header_line: asset.header().has_line(),
        }
    }
}

fn signed(length: usize) -> Result<i32, AssetError> {
    i32::try_from(length).map_err(|_| AssetErrorKind::TooLong.into())
}
