//! The report of a frame loop to its host.

use heapless::{String, Vec};
use lodger_core::budget::Load;
use serde::{Deserialize, Serialize};

/// The maximum number of modules of a frame.
pub const MODULES: usize = 4;
/// The maximum number of levels of a module.
pub const LEVELS: usize = 8;
/// The maximum length of a module name, in bytes.
pub const NAME: usize = 16;
/// The maximum size of an encoded frame, in bytes.
pub const SIZE: usize = 448;

/// A frame of a board. Times are in the nanoseconds of the board's clock.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct TelemetryFrame {
    /// The number of the frame; the first is 0. It wraps.
    pub number: u32,
    /// The budget of all modules, in nanoseconds; `None` is unlimited.
    pub budget: Option<u64>,
    /// The nanoseconds by which even the lowest levels exceed the budget.
    pub overcommit: u64,
    /// The factor on every target, in units of 2⁻³².
    pub scale: u64,
    /// The part of the budget that was kept free, in units of 2⁻²⁴.
    pub headroom: u32,
    /// Whether the budget pays for the minimums.
    #[serde(with = "LoadWord")]
    pub load: Load,
    /// The time of the decision, which the budget does not pay, in nanoseconds.
    pub decision_time: u64,
    /// The modules.
    pub modules: Vec<ModuleFrame, MODULES>,
}

/// A module in a frame.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ModuleFrame {
    /// The name of the module.
    pub name: String<NAME>,
    /// The number of actors at each level, from the cheapest.
    pub levels: Vec<u16, LEVELS>,
    /// The number of actors with an invalid state.
    pub quarantined: u16,
    /// The assigned work, in the units of the module.
    pub units: u32,
    /// The planned cost of work and overhead, in nanoseconds.
    pub planned: u64,
    /// The measured time of this work, in nanoseconds.
    pub measured: u64,
    /// The unit cost for the next frame, in units of 2⁻³² ns.
    pub unit_cost: u64,
    /// The unit cost by measurements alone, in units of 2⁻³² ns.
    pub raw_unit_cost: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Load")]
enum LoadWord {
    Normal,
    Tight,
    Infeasible,
}

impl TelemetryFrame {
    /// Encodes the message for [`FramedTransport`](crate::FramedTransport) in one piece, so that a board can drop a
    /// frame for which its buffer has no space. `None` if it is longer than [`SIZE`], which no valid frame is.
    #[must_use]
    pub fn encode<'b>(&self, buffer: &'b mut [u8; SIZE]) -> Option<&'b [u8]> {
        postcard::to_slice_cobs(self, buffer).ok().map(|bytes| &*bytes)
    }

    /// The measured time of all modules, in nanoseconds.
    #[must_use]
    pub fn measured(&self) -> u64 {
        self.modules.iter().fold(0, |sum, module| sum.saturating_add(module.measured))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_frame_fits_and_stays_the_same() {
        let module = ModuleFrame {
            name: "sixteen letters!".try_into().unwrap(),
            levels: [u16::MAX; LEVELS].into(),
            quarantined: u16::MAX,
            units: u32::MAX,
            planned: u64::MAX,
            measured: u64::MAX,
            unit_cost: u64::MAX,
            raw_unit_cost: u64::MAX,
        };
        let frame = TelemetryFrame {
            number: u32::MAX,
            budget: Some(u64::MAX),
            overcommit: u64::MAX,
            scale: u64::MAX,
            headroom: u32::MAX,
            load: Load::Infeasible,
            decision_time: u64::MAX,
            modules: [(); MODULES].into_iter().map(|()| module.clone()).collect(),
        };
        let mut buffer = [0; SIZE];
        let bytes = frame.encode(&mut buffer).unwrap();
        assert_eq!(postcard::from_bytes_cobs(&mut bytes.to_vec()), Ok(frame));
    }
}
