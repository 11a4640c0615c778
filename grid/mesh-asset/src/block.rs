//! The blocks that the format names.

use std::fmt;
use std::str::FromStr;

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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnknownBlock;

impl fmt::Display for UnknownBlock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the key of a block is expected, as in high_lod")
    }
}

impl std::error::Error for UnknownBlock {}

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
}
