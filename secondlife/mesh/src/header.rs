//! Header of an asset, and the blocks of the format.

use std::fmt;
use std::str::FromStr;

use lodger_core::cost::streaming::Lods;

use crate::error::{AssetError, AssetErrorKind};
use crate::fields;
use crate::llsd::{LlsdValue, MAX_VALUES, Map};

/// A block of the format.
///
/// Source: Second Life wiki, Mesh/Mesh Asset Format; Mesh/Mesh physics has other names for two.
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
    /// Levels of detail, lowest first.
    pub const LODS: [Self; 4] = [Self::LowestLod, Self::LowLod, Self::MediumLod, Self::HighLod];

    /// Blocks from which an uploader generates a missing hull, in order: "the physics shape, mid lod, or high lod".
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

    /// Key in the header, also the displayed name.
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

    /// Other key in Mesh/Mesh physics, if any; read, but never written.
    #[must_use]
    pub const fn alias(self) -> Option<&'static str> {
        match self {
            Self::PhysicsConvex => Some("decomposition"),
            Self::PhysicsMesh => Some("physics_shape"),
            _ => None,
        }
    }
}

/// The error for a key that is neither the key nor the alias of a [`AssetBlock`].
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

/// Range of a block in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct BlockRange {
    /// Offset in bytes from the end of the header.
    pub offset: u32,
    /// Compressed size in bytes, at least 1.
    pub size: u32,
}

impl BlockRange {
    /// The bytes of the range; `None` if it exceeds `body`.
    pub(crate) fn slice(self, body: &[u8]) -> Option<&[u8]> {
        let offset = usize::try_from(self.offset).ok()?;
        let size = usize::try_from(self.size).ok()?;
        body.get(offset..)?.get(..size)
    }
}

/// Range of a known block, and its name in the file.
#[derive(Debug, Clone, Copy, PartialEq)]
struct BlockEntry {
    name: &'static str,
    range: BlockRange,
}

/// Header of an asset: a map in file order.
///
/// A block is an entry that is a map with a `size`; as in viewers, a size of 0 or less means no block. All other entries
/// (`version`, `creator`, `date`, `material_list`) are kept as values.
///
/// Source: Second Life wiki, Mesh/Mesh Asset Format, header.
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
    /// [`AssetErrorKind::Empty`]; [`AssetErrorKind::NotAnAsset`] for another kind of file; [`AssetErrorKind::Llsd`]; [`AssetErrorKind::WrongType`] if
    /// a block is not a map; [`AssetErrorKind::OutOfBounds`] for a block with a negative offset.
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
                .map_err(|problem| AssetError::from(problem).in_header(name))?;
            if let (Some(range), Ok(block)) = (range, name.parse()) {
                note(&mut known, block, name, range);
            }
        }
        Ok(Self { map, known, end, has_line: file.starts_with(b"<?") })
    }

    /// All entries.
    #[must_use]
    pub const fn map(&self) -> &Map<'a> {
        &self.map
    }

    /// End of the header in bytes, from which block offsets count.
    #[must_use]
    pub const fn end(&self) -> usize {
        self.end
    }

    /// Whether the line `<? LLSD/Binary ?>` precedes the header.
    #[must_use]
    pub const fn has_line(&self) -> bool {
        self.has_line
    }

    /// Ranges of all blocks, known or not, with their names in the file.
    pub fn blocks(&self) -> impl Iterator<Item = (&str, BlockRange)> {
        self.map.iter().filter_map(|(name, value)| Some((name, range(value, 0).ok()??)))
    }

    /// Range of a block, by its key or else its alias.
    #[must_use]
    pub fn block_range(&self, block: AssetBlock) -> Option<BlockRange> {
        self.locate(block).map(|(_, range)| range)
    }

    /// Name of a block in the file and its range, in constant time.
    pub(crate) fn locate(&self, block: AssetBlock) -> Option<(&'static str, BlockRange)> {
        self.known[block as usize].map(|known| (known.name, known.range))
    }

    /// Compressed bytes of the levels of detail, the inputs of the streaming cost; 0 for a missing level or a negative
    /// size.
    #[must_use]
    pub fn lod_bytes(&self) -> Lods<i32> {
        let size = |block| self.block_range(block).map_or(0, |range| range.size);
        let [lowest, low, medium, high] = AssetBlock::LODS.map(size);
        Lods { lowest, low, medium, high }.map(|size| i32::try_from(size).unwrap_or(i32::MAX))
    }

    /// Material names, one for each face, in the `.slm` files of a viewer's cache.
    ///
    /// # Errors
    /// [`AssetErrorKind::WrongType`] unless it is an array of strings.
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

/// Returns the range of an entry if it is a block. A known block must be a map, and an entry with a size must have an
/// offset of at least 0.
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
        Err(problem) if known || matches!(problem, AssetErrorKind::OutOfBounds { .. }) => {
            Err(problem)
        }
        range => Ok(range.unwrap_or_default()),
    }
}

/// Records a block; its key takes precedence over its alias, and the first entry over later ones.
fn note(known: &mut [Option<BlockEntry>], block: AssetBlock, name: &str, range: BlockRange) {
    let place = &mut known[block as usize];
    let is_alias = block.key() != name;
    if place.is_none_or(|found| found.name != block.key() && !is_alias) {
        let name = block.alias().filter(|_| is_alias).unwrap_or(block.key());
        *place = Some(BlockEntry { name, range });
    }
}

/// Stated range of a block; `None` if there is none.
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
        assert_eq!("physics_shape".parse(), Ok(AssetBlock::PhysicsMesh));
        assert_eq!("decomposition".parse(), Ok(AssetBlock::PhysicsConvex));
        assert_eq!("material_list".parse::<AssetBlock>(), Err(UnknownBlock));
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
        assert_eq!(header.lod_bytes(), Lods { high: 500, ..Lods::default() });
        assert_eq!(header.end(), file.len());
    }

    #[test]
    fn aliases_and_unknown_blocks_are_found() {
        let file = file(vec![
            ("decomposition", entry(0, 1)),
            ("physics_shape", entry(1, 2)),
            ("novelty", entry(3, 4)),
            ("version", 1.into()),
        ]);
        let header = AssetHeader::parse(&file).unwrap();
        assert_eq!(header.block_range(AssetBlock::PhysicsConvex).unwrap().size, 1);
        assert_eq!(header.block_range(AssetBlock::PhysicsMesh).unwrap().size, 2);
        let names: Vec<_> = header.blocks().map(|(name, _)| name).collect();
        assert_eq!(names, ["decomposition", "physics_shape", "novelty"]);
    }

    #[test]
    fn an_invalid_block_is_named() {
        let problem_of = |name, value| {
            let file = file(vec![(name, value)]);
            let error = AssetHeader::parse(&file).unwrap_err();
            assert_eq!(error.block(), Some(name));
            error.kind().clone()
        };
        let map = |key: &'static str| LlsdValue::Map([(key, 5)].into_iter().collect());
        assert!(matches!(problem_of("high_lod", entry(-1, 5)), AssetErrorKind::OutOfBounds { .. }));
        assert!(matches!(problem_of("skin", 3.into()), AssetErrorKind::WrongType { .. }));
        assert_eq!(problem_of("skin", map("size")), AssetErrorKind::Missing("offset"));
        assert!(AssetHeader::parse(b"i\0\0\0\0").is_err());
        assert!(AssetHeader::parse(&file(vec![("high_lod", map("offset"))])).is_ok());
    }

    #[test]
    fn other_files_are_distinguished_from_damaged_assets() {
        let problem = |file: &[u8]| AssetHeader::parse(file).unwrap_err().kind().clone();
        assert_eq!(problem(b""), AssetErrorKind::Empty);
        for other in [
            &b"broken"[..],
            b"\x89PNG\r\n\x1a\n",
            b"i\0\0\0\0",
            b"{\"asset\":{}}",
            b"<?xml version=\"1.0\"?><llsd/>",
            b"<? LLSD/Binary ?>\n[\0\0\0\0]",
        ] {
            assert_eq!(problem(other), AssetErrorKind::NotAnAsset, "{other:?}");
        }
        let whole = file(vec![("high_lod", entry(0, 500))]);
        let line = b"<? LLSD/Binary ?>\n";
        for end in 1..whole.len() {
            assert!(matches!(problem(&whole[..end]), AssetErrorKind::Llsd(_)), "{end}");
            let cut = [line, &whole[..end]].concat();
            assert!(matches!(problem(&cut), AssetErrorKind::Llsd(_)), "{end}");
        }
        assert!(matches!(problem(line), AssetErrorKind::Llsd(_)));
    }

    #[test]
    fn materials_are_strings() {
        let list: LlsdValue = ["skin", "hair"].map(LlsdValue::from).into_iter().collect();
        let good = file(vec![("material_list", list)]);
        let names =
            AssetHeader::parse(&good).unwrap().material_list().unwrap().map(|names| names.len());
        assert_eq!(names, Some(2));
        let bad = file(vec![("material_list", 1.into())]);
        assert!(AssetHeader::parse(&bad).unwrap().material_list().is_err());
    }
}
