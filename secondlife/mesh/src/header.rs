//! The header of an asset, and the blocks that the format names.

use std::fmt;
use std::str::FromStr;

use lodger_core::cost::streaming::Lods;

use crate::error::{Error, Problem};
use crate::fields;
use crate::llsd::{MAX_VALUES, Map, Value};

/// A block that the format names.
///
/// Source: Second Life wiki, Mesh/Mesh Asset Format; Mesh/Mesh physics has other names for two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Block {
    /// `lowest_lod`, geometry.
    LowestLod,
    /// `low_lod`, geometry.
    LowLod,
    /// `medium_lod`, geometry.
    MediumLod,
    /// `high_lod`, geometry.
    HighLod,
    /// `skin`, the joints of a rigged mesh.
    Skin,
    /// `physics_convex`, the hull and the decomposition; `decomposition` in Mesh/Mesh physics.
    PhysicsConvex,
    /// `physics_mesh`, geometry of the physics shape; `physics_shape` in Mesh/Mesh physics.
    PhysicsMesh,
    /// `physics_havok`, a simulator's own data, which is not decoded.
    PhysicsHavok,
    /// `physics_cost_data`, what a simulator computed.
    PhysicsCostData,
}

impl Block {
    /// The levels of detail, the lowest first.
    pub const LODS: [Self; 4] = [Self::LowestLod, Self::LowLod, Self::MediumLod, Self::HighLod];

    /// The geometry that an uploader makes a missing hull from, in the order of the document: "the
    /// physics shape, mid lod, or high lod".
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

    /// The key in the header of a file, which is also how the block is displayed.
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

    /// The key that Mesh/Mesh physics has for it, where that is another. It is read, never written.
    #[must_use]
    pub const fn alias(self) -> Option<&'static str> {
        match self {
            Self::PhysicsConvex => Some("decomposition"),
            Self::PhysicsMesh => Some("physics_shape"),
            _ => None,
        }
    }
}

/// A key that is none of a [`Block`], nor an alias of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the key of a block is expected, as in high_lod")]
pub struct UnknownBlock;

impl FromStr for Block {
    type Err = UnknownBlock;

    /// The block with that key or alias.
    fn from_str(key: &str) -> Result<Self, UnknownBlock> {
        let is = |block: &Self| block.key() == key || block.alias() == Some(key);
        Self::ALL.into_iter().find(is).ok_or(UnknownBlock)
    }
}

impl fmt::Display for Block {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.key())
    }
}

/// Where a block is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Extent {
    /// Bytes from the end of the header.
    pub offset: u32,
    /// Compressed bytes, at least 1.
    pub size: u32,
}

impl Extent {
    /// The bytes of the block, or `None` if they are not all within `body`.
    pub(crate) fn of(self, body: &[u8]) -> Option<&[u8]> {
        let offset = usize::try_from(self.offset).ok()?;
        let size = usize::try_from(self.size).ok()?;
        body.get(offset..)?.get(..size)
    }
}

/// Where a block of the format is, and which of its names the file has for it.
#[derive(Debug, Clone, Copy, PartialEq)]
struct BlockEntry {
    name: &'static str,
    extent: Extent,
}

/// The header of an asset: a map in the order of the file.
///
/// A block is an entry that is a map with a `size`; a size of 0 or less means that there is none, as
/// viewers read it. All other entries are values for their own sake (`version`, `creator`, `date`,
/// `material_list`), and all are kept.
///
/// Source: Second Life wiki, Mesh/Mesh Asset Format, header.
#[derive(Debug, Clone, PartialEq)]
pub struct Header<'a> {
    map: Map<'a>,
    known: [Option<BlockEntry>; Block::ALL.len()],
    end: usize,
    has_line: bool,
}

impl<'a> Header<'a> {
    /// Reads the header at the start of `file`; the blocks need not be there.
    ///
    /// # Errors
    /// [`Problem::Empty`]; [`Problem::NotAnAsset`] for what begins as something else; [`Problem::Llsd`];
    /// [`Problem::WrongType`] if a block is no map; [`Problem::OutOfBounds`] for a block with a negative
    /// offset.
    pub fn parse(file: &'a [u8]) -> Result<Self, Error> {
        Self::parse_within(file, MAX_VALUES)
    }

    pub(crate) fn parse_within(file: &'a [u8], max_values: usize) -> Result<Self, Error> {
        if file.is_empty() {
            return Err(Problem::Empty.into());
        }
        if !Value::begins_as_map(file) {
            return Err(Problem::NotAnAsset.into());
        }
        let (Value::Map(map), end) = Value::read(file, max_values)? else {
            return Err(Problem::NotAnAsset.into());
        };
        let available = file.len() - end;
        let mut known = [None; Block::ALL.len()];
        for (name, value) in map.iter() {
            let extent = check_entry(name, value, available)
                .map_err(|problem| Error::from(problem).in_header(name))?;
            if let (Some(extent), Ok(block)) = (extent, name.parse()) {
                note(&mut known, block, name, extent);
            }
        }
        Ok(Self { map, known, end, has_line: file.starts_with(b"<?") })
    }

    /// All entries.
    #[must_use]
    pub const fn map(&self) -> &Map<'a> {
        &self.map
    }

    /// Where the header ends and offsets count from, in bytes from the start of the file.
    #[must_use]
    pub const fn end(&self) -> usize {
        self.end
    }

    /// Whether the line `<? LLSD/Binary ?>` came first.
    #[must_use]
    pub const fn has_line(&self) -> bool {
        self.has_line
    }

    /// The blocks, known or not, with the names that the file has for them.
    pub fn blocks(&self) -> impl Iterator<Item = (&str, Extent)> {
        self.map.iter().filter_map(|(name, value)| Some((name, extent(value, 0).ok()??)))
    }

    /// Where a block is, under its name or else its alias.
    #[must_use]
    pub fn extent(&self, block: Block) -> Option<Extent> {
        self.locate(block).map(|(_, extent)| extent)
    }

    /// Its name in the file, and where it is. How long this takes does not depend on the header.
    pub(crate) fn locate(&self, block: Block) -> Option<(&'static str, Extent)> {
        self.known[block as usize].map(|known| (known.name, known.extent))
    }

    /// The compressed bytes of the levels of detail, which the streaming cost depends on. A level
    /// that is missing, or has a size below 0, has 0: nothing is substituted.
    #[must_use]
    pub fn lod_bytes(&self) -> Lods<i32> {
        let size = |block| self.extent(block).map_or(0, |extent| extent.size);
        let [lowest, low, medium, high] = Block::LODS.map(size);
        Lods { lowest, low, medium, high }.map(|size| i32::try_from(size).unwrap_or(i32::MAX))
    }

    /// The names of the materials, one for each face, which the `.slm` files of a viewer's cache have.
    ///
    /// # Errors
    /// [`Problem::WrongType`] if it is there but no array of strings.
    pub fn material_list(&self) -> Result<Option<Vec<&str>>, Error> {
        const NAME: &str = "material_list";
        let wrong = Problem::WrongType { field: NAME, expected: "an array of strings" };
        match self.map.get(NAME) {
            None | Some(Value::Undef) => Ok(None),
            Some(list) => list
                .as_array()
                .and_then(|names| names.iter().map(Value::as_str).collect())
                .map(Some)
                .ok_or_else(|| wrong.into()),
        }
    }
}

/// A block of the format must be a map, and whatever has a size must have an offset that is not
/// negative. Gives where the block is, if it is one.
fn check_entry(name: &str, value: &Value, available: usize) -> Result<Option<Extent>, Problem> {
    let known = name.parse::<Block>().is_ok();
    if known && value.as_map().is_none() && !value.is_undef() {
        return Err(Problem::WrongType { field: "block", expected: "a map with offset and size" });
    }
    match extent(value, available) {
        Err(problem) if known || matches!(problem, Problem::OutOfBounds { .. }) => Err(problem),
        extent => Ok(extent.unwrap_or_default()),
    }
}

/// Keeps the first block under the name of the format, or else the first under its alias.
fn note(known: &mut [Option<BlockEntry>], block: Block, name: &str, extent: Extent) {
    let place = &mut known[block as usize];
    let is_alias = block.key() != name;
    if place.is_none_or(|found| found.name != block.key() && !is_alias) {
        let name = block.alias().filter(|_| is_alias).unwrap_or(block.key());
        *place = Some(BlockEntry { name, extent });
    }
}

/// Where the header says that a block is; `None` if there is none.
pub(crate) fn extent(value: &Value, available: usize) -> Result<Option<Extent>, Problem> {
    let Some(map) = value.as_map() else {
        return Ok(None);
    };
    let Some(size) = fields::integer(map, "size")?.filter(|size| *size > 0) else {
        return Ok(None);
    };
    let offset = fields::integer(map, "offset")?.ok_or(Problem::Missing("offset"))?;
    match (u32::try_from(offset), u32::try_from(size)) {
        (Ok(offset), Ok(size)) => Ok(Some(Extent { offset, size })),
        _ => Err(Problem::OutOfBounds { offset, size, available }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_finds_its_block() {
        for block in Block::ALL {
            assert_eq!(block.to_string().parse(), Ok(block));
        }
        assert_eq!("physics_shape".parse(), Ok(Block::PhysicsMesh));
        assert_eq!("decomposition".parse(), Ok(Block::PhysicsConvex));
        assert_eq!("material_list".parse::<Block>(), Err(UnknownBlock));
    }

    fn entry(offset: i32, size: i32) -> Value<'static> {
        Value::Map([("offset", offset), ("size", size)].into_iter().collect())
    }

    fn file(entries: Vec<(&'static str, Value<'static>)>) -> Vec<u8> {
        Value::Map(entries.into_iter().collect()).to_bytes().unwrap()
    }

    #[test]
    fn sizes_are_raw() {
        let file = file(vec![
            ("high_lod", entry(0, 500)),
            ("medium_lod", entry(0, 0)),
            ("low_lod", entry(0, -3)),
        ]);
        let header = Header::parse(&file).unwrap();
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
        let header = Header::parse(&file).unwrap();
        assert_eq!(header.extent(Block::PhysicsConvex).unwrap().size, 1);
        assert_eq!(header.extent(Block::PhysicsMesh).unwrap().size, 2);
        let names: Vec<_> = header.blocks().map(|(name, _)| name).collect();
        assert_eq!(names, ["decomposition", "physics_shape", "novelty"]);
    }

    #[test]
    fn what_cannot_be_a_block_is_named() {
        let refused = |name, value| {
            let file = file(vec![(name, value)]);
            let error = Header::parse(&file).unwrap_err();
            assert_eq!(error.block(), Some(name));
            error.problem().clone()
        };
        let map = |key: &'static str| Value::Map([(key, 5)].into_iter().collect());
        assert!(matches!(refused("high_lod", entry(-1, 5)), Problem::OutOfBounds { .. }));
        assert!(matches!(refused("skin", 3.into()), Problem::WrongType { .. }));
        assert_eq!(refused("skin", map("size")), Problem::Missing("offset"));
        assert!(Header::parse(b"i\0\0\0\0").is_err());
        assert!(Header::parse(&file(vec![("high_lod", map("offset"))])).is_ok());
    }

    #[test]
    fn what_is_no_asset_is_told_from_a_damaged_one() {
        let problem = |file: &[u8]| Header::parse(file).unwrap_err().problem().clone();
        assert_eq!(problem(b""), Problem::Empty);
        for other in [
            &b"broken"[..],
            b"\x89PNG\r\n\x1a\n",
            b"i\0\0\0\0",
            b"{\"asset\":{}}",
            b"<?xml version=\"1.0\"?><llsd/>",
            b"<? LLSD/Binary ?>\n[\0\0\0\0]",
        ] {
            assert_eq!(problem(other), Problem::NotAnAsset, "{other:?}");
        }
        let whole = file(vec![("high_lod", entry(0, 500))]);
        let line = b"<? LLSD/Binary ?>\n";
        for end in 1..whole.len() {
            assert!(matches!(problem(&whole[..end]), Problem::Llsd(_)), "{end}");
            let cut = [line, &whole[..end]].concat();
            assert!(matches!(problem(&cut), Problem::Llsd(_)), "{end}");
        }
        assert!(matches!(problem(line), Problem::Llsd(_)));
    }

    #[test]
    fn materials_are_strings() {
        let list: Value = ["skin", "hair"].map(Value::from).into_iter().collect();
        let good = file(vec![("material_list", list)]);
        let names = Header::parse(&good).unwrap().material_list().unwrap().map(|names| names.len());
        assert_eq!(names, Some(2));
        let bad = file(vec![("material_list", 1.into())]);
        assert!(Header::parse(&bad).unwrap().material_list().is_err());
    }
}
