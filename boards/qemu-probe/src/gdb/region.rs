//! The regions of the system address map, by how the stub can write to them.

/// How an address is written to. Source: Armv7-M ARM, B3.1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Region {
    /// Code, SRAM and RAM.
    Memory,
    /// Peripheral and Device, which the stub reaches by physical addresses.
    Device,
    /// System, which only the core reaches.
    System,
}

impl Region {
    pub(super) const fn of(address: u32) -> Self {
        match address >> 29 {
            0 | 1 | 3 | 4 => Self::Memory,
            7 => Self::System,
            _ => Self::Device,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_are_those_of_the_architecture() {
        for (address, region) in [
            (0x0000_0000, Region::Memory),
            (0x3FFF_FFFF, Region::Memory),
            (0x4000_0000, Region::Device),
            (0x6000_0000, Region::Memory),
            (0x9FFF_FFFF, Region::Memory),
            (0xA000_0000, Region::Device),
            (0xDFFF_FFFF, Region::Device),
            (0xE000_ED08, Region::System),
            (0xFFFF_FFFF, Region::System),
        ] {
            assert_eq!(Region::of(address), region, "{address:#x}");
        }
    }
}
