//! RTT: channels in the memory of a running program.

use probe_rs::rtt::{ChannelMode, Error as RttError, Rtt};
use probe_rs::{Core, MemoryInterface as _};

use lodger_wire::LOG;

use crate::error::Error;
use crate::probes::Selector;

/// How much memory is read at once where a control block is looked for.
const PIECE: usize = 4096;

/// The channels of a program, once it has set them up.
#[derive(Debug)]
pub(super) struct Link {
    probe: Selector,
    address: Option<u64>,
    rtt: Option<Rtt>,
}

impl Link {
    /// To a program whose control block is at an address, or somewhere in the chip's memory.
    pub(super) fn new(probe: Selector, address: Option<u64>) -> Self {
        Self { probe, address, rtt: None }
    }

    /// The probe that it goes through.
    pub(super) const fn probe(&self) -> &Selector {
        &self.probe
    }

    /// Where it looks for the control block.
    pub(super) const fn address(&self) -> Option<u64> {
        self.address
    }

    /// Whether the channels are known.
    pub(super) const fn is_up(&self) -> bool {
        self.rtt.is_some()
    }

    /// Looks for the channels, unless they are known: whether they are now.
    pub(super) fn connect(&mut self, core: &mut Core<'_>) -> Result<bool, Error> {
        if !self.is_up() {
            self.rtt = match self.address {
                Some(address) => self.attach(core, address)?,
                None => self.search(core)?,
            };
        }
        Ok(self.is_up())
    }

    fn attach(&self, core: &mut Core<'_>, address: u64) -> Result<Option<Rtt>, Error> {
        match Rtt::attach_at(core, address) {
            Ok(rtt) => Ok(Some(rtt)),
            Err(RttError::Probe(error)) => Err(self.failed(&error)),
            Err(_) => Ok(None),
        }
    }

    /// The first control block in the chip's memory that makes sense.
    fn search(&self, core: &mut Core<'_>) -> Result<Option<Rtt>, Error> {
        let regions = core.memory_regions().filter_map(|region| region.as_ram_region());
        let ranges: Vec<_> = regions.map(|region| region.range.clone()).collect();
        for range in ranges.into_iter().rev() {
            let mut start = range.start;
            while start + (Rtt::RTT_ID.len() as u64) < range.end {
                // Pieces overlap, so that a name across their border is found.
                let mut piece = vec![0; PIECE + Rtt::RTT_ID.len()];
                let rest = usize::try_from(range.end - start).unwrap_or(usize::MAX);
                piece.truncate(rest);
                core.read(start, &mut piece).map_err(|error| self.failed(&error))?;
                let mut names = piece.windows(Rtt::RTT_ID.len());
                if let Some(place) = names.position(|name| name == Rtt::RTT_ID)
                    && let Some(rtt) = self.attach(core, start + place as u64)?
                {
                    return Ok(Some(rtt));
                }
                start += PIECE as u64;
            }
        }
        Ok(None)
    }

    /// Forgets what has come in so far.
    pub(super) fn discard(&mut self, core: &mut Core<'_>, number: usize) -> Result<(), Error> {
        while self.read(core, number, &mut [0; 1024])? > 0 {}
        Ok(())
    }

    /// Whether there is a channel of that number, in both directions.
    pub(super) fn goes_both_ways(&self, number: usize) -> bool {
        self.rtt.as_ref().is_some_and(|rtt| {
            rtt.up_channels.iter().any(|channel| channel.number() == number)
                && rtt.down_channels.iter().any(|channel| channel.number() == number)
        })
    }

    /// What has come in, as far as it goes into `buffer`; nothing where there is no such channel.
    pub(super) fn read(
        &mut self,
        core: &mut Core<'_>,
        number: usize,
        buffer: &mut [u8],
    ) -> Result<usize, Error> {
        let channels = self.rtt.as_mut().map(|rtt| &mut rtt.up_channels);
        let mut channels = channels.into_iter().flatten();
        let Some(channel) = channels.find(|channel| channel.number() == number) else {
            return Ok(0);
        };
        let read = channel.read(core, buffer);
        self.understood(read)
    }

    /// Sends bytes, as many as there is room for.
    pub(super) fn write(
        &mut self,
        core: &mut Core<'_>,
        number: usize,
        bytes: &[u8],
    ) -> Result<usize, Error> {
        let channels = self.rtt.as_mut().map(|rtt| &mut rtt.down_channels);
        let mut channels = channels.into_iter().flatten();
        let Some(channel) = channels.find(|channel| channel.number() == number) else {
            return Ok(0);
        };
        let written = channel.write(core, bytes);
        self.understood(written)
    }

    /// Whether the program waits when the buffer of its log is full. It must not when nobody reads.
    pub(super) fn hold_log(&mut self, core: &mut Core<'_>, hold: bool) -> Result<(), Error> {
        let mode = if hold { ChannelMode::BlockIfFull } else { ChannelMode::NoBlockSkip };
        let channels = self.rtt.as_ref().map(|rtt| &rtt.up_channels);
        let log = channels.into_iter().flatten().find(|channel| channel.number() == LOG);
        let set = log.map_or(Ok(()), |channel| channel.set_mode(core, mode));
        self.understood(set).map(drop)
    }

    /// A control block that makes no sense any more is that of a program that has begun anew.
    fn understood<T: Default>(&mut self, outcome: Result<T, RttError>) -> Result<T, Error> {
        match outcome {
            Ok(value) => Ok(value),
            Err(RttError::Probe(error)) => Err(self.failed(&error)),
            Err(_) => {
                self.rtt = None;
                Ok(T::default())
            }
        }
    }

    fn failed(&self, error: &probe_rs::Error) -> Error {
        Error::during("talk to the program", &self.probe, error)
    }
}
