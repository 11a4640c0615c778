//! What a frame loop tells its host: what was decided in a frame, and what it took.

use heapless::{String, Vec};
use lodger_core::budget::Load;
use serde::{Deserialize, Serialize};

/// How many modules a frame has at most.
pub const MODULES: usize = 4;
/// How many levels a module has at most.
pub const LEVELS: usize = 8;
/// How many bytes the name of a module has at most.
pub const NAME: usize = 16;
/// How many bytes a frame has at most as a message.
pub const SIZE: usize = 448;

/// A frame of a board. Times are in the nanoseconds of the board's clock.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Frame {
    /// The number of the frame; the first is 0. It wraps.
    pub number: u32,
    /// What the modules together might spend, in nanoseconds; `None` is unlimited.
    pub budget: Option<u64>,
    /// By how many nanoseconds even the lowest levels exceed the budget.
    pub overcommit: u64,
    /// The factor on every target, in units of 2⁻³².
    pub scale: u64,
    /// The part of the budget that was not planned with, in units of 2⁻²⁴.
    pub headroom: u32,
    /// How well the budget pays for what nobody can do without.
    #[serde(with = "LoadWord")]
    pub load: Load,
    /// What the ledger itself took, in nanoseconds; it is not part of the budget.
    pub ledger: u64,
    /// The modules.
    pub modules: Vec<ModuleFrame, MODULES>,
}

/// A module in a frame.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ModuleFrame {
    /// The name of the module.
    pub name: String<NAME>,
    /// How many actors are at each level, from the cheapest.
    pub levels: Vec<u16, LEVELS>,
    /// How many actors have no benefit, because their state is not sound.
    pub quarantined: u16,
    /// The work that was assigned and done, in the module's units.
    pub units: u32,
    /// What that work and the module's overhead were to cost, in nanoseconds.
    pub planned: u64,
    /// What that work took, in nanoseconds.
    pub measured: u64,
    /// What a unit is planned with from the next frame on, in units of 2⁻³² ns.
    pub unit_cost: u64,
    /// What a unit costs by the measurements alone, in units of 2⁻³² ns.
    pub raw_unit_cost: u64,
}

/// A [`Load`] on its way.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Load")]
enum LoadWord {
    Normal,
    Tight,
    Infeasible,
}

impl Frame {
    /// The bytes of the message, which [`Frames`](crate::Frames) reads; in one piece, for a board that
    /// drops a frame that there is no room for. `None` if that is more than [`SIZE`], which it is not.
    #[must_use]
    pub fn encode<'b>(&self, buffer: &'b mut [u8; SIZE]) -> Option<&'b [u8]> {
        postcard::to_slice_cobs(self, buffer).ok().map(|bytes| &*bytes)
    }

    /// What the work of all modules took, in nanoseconds.
    #[must_use]
    pub fn measured(&self) -> u64 {
        self.modules.iter().fold(0, |sum, module| sum.saturating_add(module.measured))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Frames, Transport};

    /// Receives what was encoded.
    struct Bytes<'a>(&'a [u8]);

    impl Transport for Bytes<'_> {
        type Error = ();
        fn receive(&mut self, buffer: &mut [u8]) -> Result<usize, ()> {
            let (now, later) = self.0.split_at(self.0.len().min(buffer.len()));
            buffer[..now.len()].copy_from_slice(now);
            self.0 = later;
            Ok(now.len())
        }
        fn send(&mut self, _: &[u8]) -> Result<(), ()> {
            Err(())
        }
    }

    #[test]
    fn the_largest_frame_fits_and_comes_out_as_it_went_in() {
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
        let frame = Frame {
            number: u32::MAX,
            budget: Some(u64::MAX),
            overcommit: u64::MAX,
            scale: u64::MAX,
            headroom: u32::MAX,
            load: Load::Infeasible,
            ledger: u64::MAX,
            modules: [(); MODULES].into_iter().map(|()| module.clone()).collect(),
        };
        let mut buffer = [0; SIZE];
        let bytes = frame.encode(&mut buffer).unwrap();
        assert_eq!(Frames::new(Bytes(bytes)).receive::<Frame>(), Ok(frame));
    }
}
