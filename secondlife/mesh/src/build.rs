//! The builder of new or changed assets.

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
/// Unchanged header entries keep their order, unchanged blocks their compressed bytes, and an unchanged asset its
/// whole body. After a change, blocks have no gaps or overlaps: existing blocks in their order, then new ones.
///
/// # Examples
/// ```
/// use lodger_mesh_asset::{Asset, AssetBlock, AssetBuilder};
///
/// let file = std::fs::read("samples/strip.llmesh")?;
/// let asset = Asset::parse(&file)?;
/// let smaller = AssetBuilder::from(&asset).remove("skin").encode()?;
/// let smaller = Asset::parse(&smaller)?;
/// assert_eq!(smaller.raw(AssetBlock::Skin), None);
/// assert_eq!(smaller.raw(AssetBlock::HighLod), asset.raw(AssetBlock::HighLod));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AssetBuilder<'a> {
    entries: Vec<(Cow<'a, str>, HeaderEntry<'a>)>,
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
    ///
    /// # Examples
    /// ```
    /// use lodger_mesh_asset::AssetBuilder;
    ///
    /// assert_eq!(AssetBuilder::new().encode()?, b"{\0\0\0\0}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets whether the line `<? LLSD/Binary ?>` precedes the header. Assets do not have it.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::AssetBuilder;
    /// let file = AssetBuilder::new().header_line(true).encode()?;
    /// assert_eq!(file, b"<? LLSD/Binary ?>\n{\0\0\0\0}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn header_line(&mut self, header_line: bool) -> &mut Self {
        self.header_line = header_line;
        self
    }

    /// Sets a level of detail, or the physics mesh.
    ///
    /// # Errors
    /// [`AssetErrorKind::Llsd`] if a value is too long.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// # let points = Quantized::from_points(&[[0.0; 3], [0.5, 0.0, 0.0], [0.0, 0.5, 0.0]])?;
    /// # let triangle = Geometry::new(points, &[[0, 1, 2]])?;
    /// let mut builder = AssetBuilder::new();
    /// builder.set_lod(AssetBlock::LowLod, &Faces::new([triangle.into(), Face::NoGeometry]))?;
    /// let file = builder.encode()?;
    /// let counts = Asset::parse(&file)?.counts(AssetBlock::LowLod)?;
    /// assert_eq!(counts.map(|counts| (counts.triangles, counts.vertices)), Some((1, 3)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_lod(&mut self, block: AssetBlock, lod: &Faces) -> Result<&mut Self, AssetError> {
        self.set_known(block, &lod.to_value())
    }

    /// Sets the skin.
    ///
    /// # Errors
    /// [`AssetErrorKind::Llsd`] if a value is too long.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// let skin = Skin { joint_names: vec!["mPelvis".into()], ..Skin::default() };
    /// let mut builder = AssetBuilder::new();
    /// builder.set_skin(&skin)?;
    /// let file = builder.encode()?;
    /// let block = Asset::parse(&file)?.inflate(AssetBlock::Skin)?.ok_or("no skin")?;
    /// assert_eq!(block.skin()?, skin);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_skin(&mut self, skin: &Skin) -> Result<&mut Self, AssetError> {
        self.set_known(AssetBlock::Skin, &skin.to_value())
    }

    /// Sets the hull and the decomposition.
    ///
    /// # Errors
    /// [`AssetErrorKind::Llsd`] if a value is too long.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// let hull = [[-0.5; 3], [0.5, -0.5, -0.5], [-0.5, 0.5, -0.5], [-0.5, -0.5, 0.5]];
    /// let mut builder = AssetBuilder::new();
    /// builder.set_convex(&PhysicsConvex::new(&hull, &[hull])?)?;
    /// let file = builder.encode()?;
    /// let decomposition = Asset::parse(&file)?.physics()?.decomposition.ok_or("no hulls")?;
    /// assert_eq!((decomposition.count(), decomposition.vertices()), (1, 4));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_convex(&mut self, convex: &PhysicsConvex) -> Result<&mut Self, AssetError> {
        self.set_known(AssetBlock::PhysicsConvex, &convex.to_value())
    }

    /// Sets the costs that a simulator computed, as a block.
    ///
    /// # Errors
    /// [`AssetErrorKind::Llsd`] if a value is too long.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// let data = PhysicsCostData { decomposition: Some(13.0), ..PhysicsCostData::default() };
    /// let mut builder = AssetBuilder::new();
    /// builder.set_cost_data(&data)?;
    /// let file = builder.encode()?;
    /// assert_eq!(Asset::parse(&file)?.physics_cost_data()?, Some(data));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// let mut builder = AssetBuilder::new();
    /// builder.set_block("author", &"Ann".into())?;
    /// let file = builder.encode()?;
    /// let block = Asset::parse(&file)?.inflate_named("author")?.ok_or("no such block")?;
    /// assert_eq!(block.value()?.as_str(), Some("Ann"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_block(
        &mut self,
        name: impl Into<Cow<'a, str>>,
        value: &LlsdValue,
    ) -> Result<&mut Self, AssetError> {
        Ok(self.set_raw(name, deflate(&value.to_bytes()?)))
    }

    /// Sets the compressed bytes of the block `name`; empty bytes mean no block.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// let file = AssetBuilder::new().set_raw("physics_havok", &[1, 2, 3][..]).encode()?;
    /// assert_eq!(Asset::parse(&file)?.raw(AssetBlock::PhysicsHavok), Some(&[1, 2, 3][..]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_raw(
        &mut self,
        name: impl Into<Cow<'a, str>>,
        bytes: impl Into<Cow<'a, [u8]>>,
    ) -> &mut Self {
        let entry = HeaderEntry::Block { fields: Map::new(), bytes: bytes.into(), order: u32::MAX };
        self.set(name.into(), entry)
    }

    /// Sets a header entry that is not a block, such as `version` or `material_list`.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// let file = AssetBuilder::new().set_value("version", 1).encode()?;
    /// let version = Asset::parse(&file)?.header().map().get("version").cloned();
    /// assert_eq!(version, Some(1.into()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_value(
        &mut self,
        name: impl Into<Cow<'a, str>>,
        value: impl Into<LlsdValue<'a>>,
    ) -> &mut Self {
        self.set(name.into(), HeaderEntry::Value(value.into()))
    }

    /// Removes a header entry, block or not, if present.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// let file = std::fs::read("samples/strip.llmesh")?;
    /// let file = AssetBuilder::from(&Asset::parse(&file)?).remove("medium_lod").encode()?;
    /// let sizes = Asset::parse(&file)?.header().lod_bytes();
    /// assert!(sizes.medium == 0 && sizes.high > 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn remove(&mut self, name: &str) -> &mut Self {
        self.untouched = None;
        self.entries.retain(|(found, _)| found != name);
        self
    }

    /// Sorts the header entries by key, as viewers do. The blocks keep their order.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// let mut builder = AssetBuilder::new();
    /// builder.set_raw("skin", &b"skin"[..]).set_raw("low_lod", &b"low"[..]).sort_header();
    /// let file = builder.encode()?;
    /// let asset = Asset::parse(&file)?;
    /// assert!(asset.header().blocks().map(|(name, _)| name).eq(["low_lod", "skin"]));
    /// assert_eq!(asset.body(), b"skinlow");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// let file = std::fs::read("samples/strip.llmesh")?;
    /// assert_eq!(AssetBuilder::from(&Asset::parse(&file)?).encode()?, file);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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

    fn blocks(&self) -> impl Iterator<Item = (u32, usize, &[u8])> {
        let entries = self.entries.iter().enumerate();
        entries.filter_map(|(index, (_, entry))| match entry {
            HeaderEntry::Block { bytes, order, .. } => Some((*order, index, &**bytes)),
            HeaderEntry::Value(_) => None,
        })
    }

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
