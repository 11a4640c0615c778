//! The header of an asset, and the blocks of the format.

use std::fmt;
use std::str::FromStr;

use lodger_core::cost::streaming::PerLod;

use crate::error::{AssetError, AssetErrorKind};
use crate::fields;
use crate::llsd::{LlsdValue, MAX_VALUES, Map};

/// A block of the format.
///
/// Source: Second Life wiki, Mesh/Mesh Asset Format; Mesh/Mesh physics has other names for two.
///
/// # Examples
/// ```
/// use lodger_mesh_asset::AssetBlock;
///
/// // Mesh/Mesh physics: `"physics_shape" - optional`, `"decomposition" - required`.
/// assert_eq!("physics_shape".parse(), Ok(AssetBlock::PhysicsMesh));
/// assert_eq!("decomposition".parse(), Ok(AssetBlock::PhysicsConvex));
/// assert_eq!(AssetBlock::PhysicsConvex.to_string(), "physics_convex");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AssetBlock {
    /// `lowest_lod`, geometry.
    LowestLod,
    /// `low_lod`, geometry.
    LowLod,
    /// `medium_lod`, geometry.
    MediumLod,
    /// `high_lod`, geometry.
    HighLod,
    /// `skin`, joints of a rigged mesh.
    Skin,
    /// `physics_convex`, hull and decomposition; `decomposition` in Mesh/Mesh physics.
    PhysicsConvex,
    /// `physics_mesh`, geometry of the physics shape; `physics_shape` in Mesh/Mesh physics.
    PhysicsMesh,
    /// `physics_havok`, private data of a simulator, not decoded.
    PhysicsHavok,
    /// `physics_cost_data`, costs that a simulator computed.
    PhysicsCostData,
}

impl AssetBlock {
    /// The levels of detail, lowest first.
    pub const LODS: [Self; 4] = [Self::LowestLod, Self::LowLod, Self::MediumLod, Self::HighLod];

    /// The blocks from which an uploader generates a missing hull, in order: "the physics shape, mid lod, or high
    /// lod".
    pub const HULL_SOURCES: [Self; 3] = [Self::PhysicsMesh, Self::MediumLod, Self::HighLod];

    /// All blocks.
    pub const ALL: [Self; 9] = [
        Self::LowestLod,
        Self::LowLod,
        Self::MediumLod,
        Self::HighLod,
        Self::Skin,
        Self::PhysicsConvex,
        Self::PhysicsMesh,
        Self::PhysicsHavok,
        Self::PhysicsCostData,
    ];

    /// The key in the header, also the displayed name.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::AssetBlock;
    /// let keys = ["lowest_lod", "low_lod", "medium_lod", "high_lod"];
    /// assert_eq!(AssetBlock::LODS.map(AssetBlock::key), keys);
    /// ```
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::LowestLod => "lowest_lod",
            Self::LowLod => "low_lod",
            Self::MediumLod => "medium_lod",
            Self::HighLod => "high_lod",
            Self::Skin => "skin",
            Self::PhysicsConvex => "physics_convex",
            Self::PhysicsMesh => "physics_mesh",
            Self::PhysicsHavok => "physics_havok",
            Self::PhysicsCostData => "physics_cost_data",
        }
    }

    /// The other key in Mesh/Mesh physics, if any; read, but never written.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::AssetBlock;
    /// assert_eq!(AssetBlock::PhysicsMesh.alias(), Some("physics_shape"));
    /// assert_eq!(AssetBlock::Skin.alias(), None);
    /// ```
    #[must_use]
    pub const fn alias(self) -> Option<&'static str> {
        match self {
            Self::PhysicsConvex => Some("decomposition"),
            Self::PhysicsMesh => Some("physics_shape"),
            _ => None,
        }
    }
}

/// The error for a text that is neither the key nor the alias of an [`AssetBlock`].
///
/// # Examples
/// ```
/// use lodger_mesh_asset::{AssetBlock, UnknownBlock};
///
/// assert_eq!("material_list".parse::<AssetBlock>(), Err(UnknownBlock));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the key of a block is expected, as in high_lod")]
pub struct UnknownBlock;

impl FromStr for AssetBlock {
    type Err = UnknownBlock;

    /// Finds the block with this key or alias.
    fn from_str(key: &str) -> Result<Self, UnknownBlock> {
        let is = |block: &Self| block.key() == key || block.alias() == Some(key);
        Self::ALL.into_iter().find(is).ok_or(UnknownBlock)
    }
}

impl fmt::Display for AssetBlock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.key())
    }
}

/// The range of a block in the file.
///
/// # Examples
/// ```
/// use lodger_mesh_asset::{Asset, AssetBlock, AssetBuilder};
///
/// let file = AssetBuilder::new().set_raw("skin", &[7; 5][..]).set_raw("novelty", &[8; 3][..]).encode()?;
/// let asset = Asset::parse(&file)?;
/// let skin = asset.header().block_range(AssetBlock::Skin).ok_or("no skin")?;
/// assert_eq!((skin.offset, skin.size), (0, 5));
/// let (name, novelty) = asset.header().blocks().last().ok_or("no blocks")?;
/// assert_eq!((name, novelty.offset, novelty.size), ("novelty", 5, 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct BlockRange {
    /// Offset in bytes from the end of the header.
    pub offset: u32,
    /// Compressed size in bytes, at least 1.
    pub size: u32,
}

impl BlockRange {
    pub(crate) fn slice(self, body: &[u8]) -> Option<&[u8]> {
        let offset = usize::try_from(self.offset).ok()?;
        let size = usize::try_from(self.size).ok()?;
        body.get(offset..)?.get(..size)
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct BlockEntry {
    name: &'static str,
    range: BlockRange,
}

/// The header of an asset: a map in file order.
///
/// A block is a map with a `size`; as in viewers, a size of 0 or less means no block. All other entries (`version`,
/// `creator`, `date`, `material_list`) are values.
///
/// Source: Second Life wiki, Mesh/Mesh Asset Format, header.
///
/// # Examples
/// ```
/// use lodger_mesh_asset::AssetHeader;
///
/// // A header has the inputs of the streaming cost before the blocks are downloaded.
/// let file = std::fs::read("samples/strip.llmesh")?;
/// let sizes = AssetHeader::parse(&file[..800])?.lod_bytes();
/// assert!(sizes.lowest < sizes.low && sizes.medium < sizes.high);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct AssetHeader<'a> {
    map: Map<'a>,
    known: [Option<BlockEntry>; AssetBlock::ALL.len()],
    end: usize,
    has_line: bool,
}

impl<'a> AssetHeader<'a> {
    /// Parses the header at the start of `file`, which need not contain the blocks.
    ///
    /// # Errors
    /// [`AssetErrorKind::Empty`]; [`AssetErrorKind::NotAnAsset`] for another kind of file; [`AssetErrorKind::Llsd`];
    /// [`AssetErrorKind::WrongType`] if a block is not a map; [`AssetErrorKind::OutOfBounds`] for a block with a
    /// negative offset.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// assert_eq!(AssetHeader::parse(b"{\0\0\0\0}and blocks")?.end(), 6);
    /// let error = AssetHeader::parse(b"<?xml version=\"1.0\"?>").unwrap_err();
    /// assert_eq!(error.kind(), &AssetErrorKind::NotAnAsset);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parse(file: &'a [u8]) -> Result<Self, AssetError> {
        Self::parse_within(file, MAX_VALUES)
    }

    pub(crate) fn parse_within(file: &'a [u8], max_values: usize) -> Result<Self, AssetError> {
        if file.is_empty() {
            return Err(AssetErrorKind::Empty.into());
        }
        if !LlsdValue::begins_as_map(file) {
            return Err(AssetErrorKind::NotAnAsset.into());
        }
        let (LlsdValue::Map(map), end) = LlsdValue::read(file, max_values)? else {
            return Err(AssetErrorKind::NotAnAsset.into());
        };
        let available = file.len() - end;
        let mut known = [None; AssetBlock::ALL.len()];
        for (name, value) in map.iter() {
            let range = check_entry(name, value, available)
                .map_err(|kind| AssetError::from(kind).in_header(name))?;
            if let (Some(range), Ok(block)) = (range, name.parse()) {
                record_block(&mut known, block, name, range);
            }
        }
        Ok(Self { map, known, end, has_line: file.starts_with(b"<?") })
    }

    /// All entries.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::AssetHeader;
    /// let file = std::fs::read("samples/strip.llmesh")?;
    /// let header = AssetHeader::parse(&file)?;
    /// assert_eq!(header.map().get("version").and_then(|version| version.as_integer()), Some(1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn map(&self) -> &Map<'a> {
        &self.map
    }

    /// The end of the header in bytes, from which block offsets count.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// let file = std::fs::read("samples/strip.llmesh")?;
    /// let asset = Asset::parse(&file)?;
    /// let range = asset.header().block_range(AssetBlock::Skin).ok_or("no skin")?;
    /// let start = asset.header().end() + usize::try_from(range.offset)?;
    /// assert!(file[start..].starts_with(asset.raw(AssetBlock::Skin).ok_or("no skin")?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn end(&self) -> usize {
        self.end
    }

    /// Whether the line `<? LLSD/Binary ?>` precedes the header.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::AssetHeader;
    /// assert!(AssetHeader::parse(b"<? LLSD/Binary ?>\n{\0\0\0\0}")?.has_line());
    /// assert!(!AssetHeader::parse(b"{\0\0\0\0}")?.has_line());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn has_line(&self) -> bool {
        self.has_line
    }

    /// The ranges of all blocks, known or not, with their names in the file.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::AssetHeader;
    /// let file = std::fs::read("samples/strip.llmesh")?;
    /// let header = AssetHeader::parse(&file)?;
    /// assert!(header.blocks().any(|(name, range)| name == "novelty" && range.size > 0));
    /// assert!(header.blocks().all(|(name, _)| name != "version"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn blocks(&self) -> impl Iterator<Item = (&str, BlockRange)> {
        self.map.iter().filter_map(|(name, value)| Some((name, range(value, 0).ok()??)))
    }

    /// The range of a block, by its key or else its alias.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// let file = AssetBuilder::new().set_raw("physics_shape", &[7; 5][..]).encode()?;
    /// let asset = Asset::parse(&file)?;
    /// let range = asset.header().block_range(AssetBlock::PhysicsMesh);
    /// assert_eq!(range.map(|range| range.size), Some(5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn block_range(&self, block: AssetBlock) -> Option<BlockRange> {
        self.locate(block).map(|(_, range)| range)
    }

    pub(crate) fn locate(&self, block: AssetBlock) -> Option<(&'static str, BlockRange)> {
        self.known[block as usize].map(|known| (known.name, known.range))
    }

    /// The compressed bytes of the levels of detail, the inputs of the streaming cost; 0 for a missing level or a
    /// negative size.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// use lodger_core::cost::streaming::PerLod;
    ///
    /// let file = AssetBuilder::new().set_raw("high_lod", &[7; 500][..]).encode()?;
    /// let sizes = AssetHeader::parse(&file)?.lod_bytes();
    /// assert_eq!(sizes, PerLod { high: 500, ..PerLod::default() });
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn lod_bytes(&self) -> PerLod<i32> {
        let size = |block| self.block_range(block).map_or(0, |range| range.size);
        let [lowest, low, medium, high] = AssetBlock::LODS.map(size);
        PerLod { lowest, low, medium, high }.map(|size| i32::try_from(size).unwrap_or(i32::MAX))
    }

    /// The material names, one for each face, in the `.slm` files of a viewer's cache.
    ///
    /// # Errors
    /// [`AssetErrorKind::WrongType`] unless it is an array of strings.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// let file = AssetBuilder::new().set_value("material_list", 1).encode()?;
    /// assert!(AssetHeader::parse(&file)?.material_list().is_err());
    /// let file = std::fs::read("samples/strip.llmesh")?;
    /// assert_eq!(AssetHeader::parse(&file)?.material_list()?, Some(vec!["cloth", "buttons"]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn material_list(&self) -> Result<Option<Vec<&str>>, AssetError> {
        const NAME: &str = "material_list";
        let wrong = AssetErrorKind::WrongType { field: NAME, expected: "an array of strings" };
        match self.map.get(NAME) {
            None | Some(LlsdValue::Undef) => Ok(None),
            Some(list) => list
                .as_array()
                .and_then(|names| names.iter().map(LlsdValue::as_str).collect())
                .map(Some)
                .ok_or_else(|| wrong.into()),
        }
    }
}

/// Returns the range of an entry if it is a block.
fn check_entry(
    name: &str,
    value: &LlsdValue,
    available: usize,
) -> Result<Option<BlockRange>, AssetErrorKind> {
    let known = name.parse::<AssetBlock>().is_ok();
    if known && value.as_map().is_none() && !matches!(value, LlsdValue::Undef) {
        return Err(AssetErrorKind::WrongType {
            field: "block",
            expected: "a map with offset and size",
        });
    }
    match range(value, available) {
        Err(error) if known || matches!(error, AssetErrorKind::OutOfBounds { .. }) => Err(error),
        range => Ok(range.unwrap_or_default()),
    }
}

/// A key takes precedence over its alias, and the first entry over later ones.
fn record_block(
    known: &mut [Option<BlockEntry>],
    block: AssetBlock,
    name: &str,
    range: BlockRange,
) {
    let place = &mut known[block as usize];
    let is_alias = block.key() != name;
    if place.is_none_or(|found| found.name != block.key() && !is_alias) {
        let name = block.alias().filter(|_| is_alias).unwrap_or(block.key());
        *place = Some(BlockEntry { name, range });
    }
}

pub(crate) fn range(
    value: &LlsdValue,
    available: usize,
) -> Result<Option<BlockRange>, AssetErrorKind> {
    let Some(map) = value.as_map() else {
        return Ok(None);
    };
    let Some(size) = fields::integer(map, "size")?.filter(|size| *size > 0) else {
        return Ok(None);
    };
    let offset = fields::integer(map, "offset")?.ok_or(AssetErrorKind::Missing("offset"))?;
    match (u32::try_from(offset), u32::try_from(size)) {
        (Ok(offset), Ok(size)) => Ok(Some(BlockRange { offset, size })),
        _ => Err(AssetErrorKind::OutOfBounds { offset, size, available }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_finds_its_block() {
        for block in AssetBlock::ALL {
            assert_eq!(block.to_string().parse(), Ok(block));
        }
    }

    fn entry(offset: i32, size: i32) -> LlsdValue<'static> {
        LlsdValue::Map([("offset", offset), ("size", size)].into_iter().collect())
    }

    fn file(entries: Vec<(&'static str, LlsdValue<'static>)>) -> Vec<u8> {
        LlsdValue::Map(entries.into_iter().collect()).to_bytes().unwrap()
    }

    #[test]
    fn sizes_are_raw() {
        let file = file(vec![
            ("high_lod", entry(0, 500)),
            ("medium_lod", entry(0, 0)),
            ("low_lod", entry(0, -3)),
        ]);
        let header = AssetHeader::parse(&file).unwrap();
        assert_eq!(header.lod_bytes(), PerLod { high: 500, ..PerLod::default() });
        assert_eq!(header.end(), file.len());
    }

    #[test]
    fn an_invalid_block_is_named() {
        let error_kind = |name, value| {
            let file = file(vec![(name, value)]);
            let error = AssetHeader::parse(&file).unwrap_err();
            assert_eq!(error.block(), Some(name));
            error.kind().clone()
        };
        let map = |key: &'static str| LlsdValue::Map([(key, 5)].into_iter().collect());
        assert!(matches!(error_kind("high_lod", entry(-1, 5)), AssetErrorKind::OutOfBounds { .. }));
        assert!(matches!(error_kind("skin", 3.into()), AssetErrorKind::WrongType { .. }));
        assert_eq!(error_kind("skin", map("size")), AssetErrorKind::Missing("offset"));
        assert!(AssetHeader::parse(b"i\0\0\0\0").is_err());
        assert!(AssetHeader::parse(&file(vec![("high_lod", map("offset"))])).is_ok());
    }

    #[test]
    fn other_files_are_distinguished_from_damaged_assets() {
        let error_kind = |file: &[u8]| AssetHeader::parse(file).unwrap_err().kind().clone();
        assert_eq!(error_kind(b""), AssetErrorKind::Empty);
        for other in [
            &b"broken"[..],
            b"\x89PNG\r\n\x1a\n",
            b"i\0\0\0\0",
            b"{\"asset\":{}}",
            b"<?xml version=\"1.0\"?><llsd/>",
            b"<? LLSD/Binary ?>\n[\0\0\0\0]",
        ] {
            assert_eq!(error_kind(other), AssetErrorKind::NotAnAsset, "{other:?}");
        }
        let whole = file(vec![("high_lod", entry(0, 500))]);
        let line = b"<? LLSD/Binary ?>\n";
        for end in 1..whole.len() {
            assert!(matches!(error_kind(&whole[..end]), AssetErrorKind::Llsd(_)), "{end}");
            let cut = [line, &whole[..end]].concat();
            assert!(matches!(error_kind(&cut), AssetErrorKind::Llsd(_)), "{end}");
        }
        assert!(matches!(error_kind(line), AssetErrorKind::Llsd(_)));
    }
}
