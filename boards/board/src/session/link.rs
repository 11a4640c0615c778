//! RTT: channels in the memory of a running program.

use probe_rs::rtt::{ChannelMode, Error as RttError, Rtt, UpChannel};
use probe_rs::{Core, MemoryInterface as _};

use lodger_wire::LOG;

use crate::error::{BoardError, is_of_the_probe};
use crate::probe::Selector;

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

    /// The program runs, and has not set up RTT.
    pub(super) fn silent(&self) -> BoardError {
        let probe = &self.probe;
        let message = match self.address {
            Some(address) => {
                format!("no RTT control block at {address:#010x} on the board at {probe}")
            }
            None => format!("no RTT control block in the memory of the board at {probe}"),
        };
        let help = "check that this is the program on the board (`lodger board flash` writes it), and \
                    that it sets up RTT first";
        BoardError::new(message, help)
    }

    /// Whether the channels are known.
    pub(super) const fn is_up(&self) -> bool {
        self.rtt.is_some()
    }

    /// Looks for the channels, unless they are known: whether they are now.
    pub(super) fn connect(
        &mut self,
        core: &mut Core<'_>,
        is_stopped: impl Fn() -> bool,
    ) -> Result<bool, BoardError> {
        if !self.is_up() {
            self.rtt = match self.address {
                Some(address) => self.attach(core, address)?,
                None => self.search(core, is_stopped)?,
            };
        }
        Ok(self.is_up())
    }

    fn attach(&self, core: &mut Core<'_>, address: u64) -> Result<Option<Rtt>, BoardError> {
        match Rtt::attach_at(core, address) {
            Ok(rtt) => Ok(Some(rtt)),
            // Where it is looked for, what only seems to be one may point anywhere.
            Err(RttError::Probe(error)) if self.address.is_some() || is_of_the_probe(&error) => {
                Err(self.failed(error))
            }
            Err(_) => Ok(None),
        }
    }

    /// The first control block in the chip's memory that makes sense. Memory that cannot be read,
    /// as that of a part that has no clock, holds none.
    fn search(
        &self,
        core: &mut Core<'_>,
        is_stopped: impl Fn() -> bool,
    ) -> Result<Option<Rtt>, BoardError> {
        let regions = core.memory_regions().filter_map(|region| region.as_ram_region());
        let ranges: Vec<_> = regions.map(|region| region.range.clone()).collect();
        for range in ranges.into_iter().rev() {
            let mut start = range.start;
            while start < range.end && !is_stopped() {
                // Pieces overlap, so that a name across their border is found.
                let mut piece = vec![0; PIECE + Rtt::RTT_ID.len()];
                let rest = usize::try_from(range.end - start).unwrap_or(usize::MAX);
                piece.truncate(rest);
                match core.read(start, &mut piece) {
                    Ok(()) => {}
                    Err(error) if is_of_the_probe(&error) => return Err(self.failed(error)),
                    Err(_) => piece.clear(),
                }
                for place in names(&piece) {
                    // The text alone may be a constant of the program.
                    if let Some(rtt) = self.attach(core, start + place)? {
                        return Ok(Some(rtt));
                    }
                }
                let Some(next) = start.checked_add(PIECE as u64) else { break };
                start = next;
            }
        }
        Ok(None)
    }

    /// Forgets what has come in so far: as much as the channel can hold, and no more, because a
    /// program may say more as fast as it is forgotten.
    pub(super) fn discard(&mut self, core: &mut Core<'_>, number: usize) -> Result<(), BoardError> {
        let channels = self.rtt.as_ref().map(|rtt| &rtt.up_channels);
        let channel = channels.into_iter().flatten().find(|channel| channel.number() == number);
        let most = channel.map_or(0, UpChannel::buffer_size);
        forget(most, |buffer| self.read(core, number, buffer))
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
    ) -> Result<usize, BoardError> {
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
    ) -> Result<usize, BoardError> {
        let channels = self.rtt.as_mut().map(|rtt| &mut rtt.down_channels);
        let mut channels = channels.into_iter().flatten();
        let Some(channel) = channels.find(|channel| channel.number() == number) else {
            return Ok(0);
        };
        let written = channel.write(core, bytes);
        self.understood(written)
    }

    /// Whether the program waits when the buffer of its log is full. It must not when nobody reads.
    pub(super) fn hold_log(&mut self, core: &mut Core<'_>, hold: bool) -> Result<(), BoardError> {
        let mode = if hold { ChannelMode::BlockIfFull } else { ChannelMode::NoBlockSkip };
        let channels = self.rtt.as_ref().map(|rtt| &rtt.up_channels);
        let log = channels.into_iter().flatten().find(|channel| channel.number() == LOG);
        let set = log.map_or(Ok(()), |channel| channel.set_mode(core, mode));
        self.understood(set).map(drop)
    }

    /// A control block that makes no sense any more is that of a program that has begun anew.
    fn understood<T: Default>(&mut self, outcome: Result<T, RttError>) -> Result<T, BoardError> {
        match outcome {
            Ok(value) => Ok(value),
            Err(RttError::Probe(error)) => Err(self.failed(error)),
            Err(_) => {
                self.rtt = None;
                Ok(T::default())
            }
        }
    }

    fn failed(&self, error: probe_rs::Error) -> BoardError {
        BoardError::during("talk to the program", &self.probe, error)
    }
}

/// Where a control block may begin in a piece of memory.
fn names(piece: &[u8]) -> Vec<u64> {
    let windows = (0_u64..).zip(piece.windows(Rtt::RTT_ID.len()));
    windows.filter(|(_, name)| *name == Rtt::RTT_ID).map(|(place, _)| place).collect()
}

/// Reads until there is nothing more, or `most` bytes came.
fn forget<E>(most: usize, mut read: impl FnMut(&mut [u8]) -> Result<usize, E>) -> Result<(), E> {
    let mut buffer = [0; 1024];
    let mut rest = most;
    while rest > 0 {
        let len = read(&mut buffer[..rest.min(1024)])?;
        if len == 0 {
            break;
        }
        rest -= len;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_never_pauses_is_not_read_for_ever() {
        let mut heard = 0;
        let endless = |buffer: &mut [u8]| {
            heard += buffer.len();
            assert!(heard <= 2_500, "more than the channel can hold");
            Ok::<_, ()>(buffer.len())
        };
        assert_eq!(forget(2_500, endless), Ok(()));
        assert_eq!(heard, 2_500);
    }

    #[test]
    fn forgetting_ends_where_there_is_nothing() {
        let mut pieces = [7, 3, 0, 9].into_iter();
        let read = |_: &mut [u8]| Ok::<_, ()>(pieces.next().expect("an end"));
        assert_eq!(forget(1_024, read), Ok(()));
        assert_eq!(pieces.len(), 1);
        assert_eq!(forget(1_024, |_| Err("gone")), Err("gone"));
    }

    #[test]
    fn every_text_of_a_control_block_is_looked_at() {
        let mut piece = vec![0; 100];
        for place in [3, 40, 84] {
            piece[place..place + Rtt::RTT_ID.len()].copy_from_slice(&Rtt::RTT_ID);
        }
        assert_eq!(names(&piece), [3, 40, 84]);
        assert!(names(&piece[..10]).is_empty());
    }
}
