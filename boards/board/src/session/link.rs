//! RTT: channels in the memory of a program.

use probe_rs::rtt::{ChannelMode, DownChannel, Error as RttError, Rtt, UpChannel};
use probe_rs::{Core, MemoryInterface as _};

use lodger_wire::LOG;

use crate::error::{BoardError, is_of_the_probe};
use crate::probe::Selector;

const PIECE: usize = 4096;

/// The channels of a program, once it has set them up.
#[derive(Debug)]
pub(super) struct Link {
    probe: Selector,
    address: Option<u64>,
    rtt: Option<Rtt>,
}

impl Link {
    /// Links to the control block at an address, or anywhere in memory.
    pub(super) fn new(probe: Selector, address: Option<u64>) -> Self {
        Self { probe, address, rtt: None }
    }

    pub(super) const fn probe(&self) -> &Selector {
        &self.probe
    }

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

    pub(super) const fn is_up(&self) -> bool {
        self.rtt.is_some()
    }

    /// Searches the channels unless known; returns whether they are.
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
            // In a search, bytes that only look like a control block may point anywhere.
            Err(RttError::Probe(error)) if self.address.is_some() || is_of_the_probe(&error) => {
                Err(self.failed(error))
            }
            Err(_) => Ok(None),
        }
    }

    /// Finds a control block; skips unreadable memory, for example without a clock.
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
                // Pieces overlap, so that a control block across their border is found.
                let mut piece = vec![0; PIECE + Rtt::RTT_ID.len()];
                let rest = usize::try_from(range.end - start).unwrap_or(usize::MAX);
                piece.truncate(rest);
                match core.read(start, &mut piece) {
                    Ok(()) => {}
                    Err(error) if is_of_the_probe(&error) => return Err(self.failed(error)),
                    Err(_) => piece.clear(),
                }
                for place in candidates(&piece) {
                    // The text may be a constant of the program.
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

    fn up(&mut self, number: usize) -> Option<&mut UpChannel> {
        let channels = &mut self.rtt.as_mut()?.up_channels;
        channels.iter_mut().find(|channel| channel.number() == number)
    }

    fn down(&mut self, number: usize) -> Option<&mut DownChannel> {
        let channels = &mut self.rtt.as_mut()?.down_channels;
        channels.iter_mut().find(|channel| channel.number() == number)
    }

    /// Discards at most the size of the channel, because a program may send faster than this reads.
    pub(super) fn discard(&mut self, core: &mut Core<'_>, number: usize) -> Result<(), BoardError> {
        let max = self.up(number).map_or(0, |channel| channel.buffer_size());
        discard_up_to(max, |buffer| self.read(core, number, buffer))
    }

    /// Whether both directions have a channel of this number.
    pub(super) fn goes_both_ways(&mut self, number: usize) -> bool {
        self.up(number).is_some() && self.down(number).is_some()
    }

    pub(super) fn read(
        &mut self,
        core: &mut Core<'_>,
        number: usize,
        buffer: &mut [u8],
    ) -> Result<usize, BoardError> {
        let read = self.up(number).map_or(Ok(0), |channel| channel.read(core, buffer));
        self.understood(read)
    }

    /// Sends as many bytes as fit into the channel.
    pub(super) fn write(
        &mut self,
        core: &mut Core<'_>,
        number: usize,
        bytes: &[u8],
    ) -> Result<usize, BoardError> {
        let written = self.down(number).map_or(Ok(0), |channel| channel.write(core, bytes));
        self.understood(written)
    }

    /// Sets whether the program waits when its log is full, which needs a reader.
    pub(super) fn hold_log(&mut self, core: &mut Core<'_>, hold: bool) -> Result<(), BoardError> {
        let mode = if hold { ChannelMode::BlockIfFull } else { ChannelMode::NoBlockSkip };
        let set = self.up(LOG).map_or(Ok(()), |channel| channel.set_mode(core, mode));
        self.understood(set)
    }

    /// Drops the channels on an invalid control block: the program has restarted.
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

/// Offsets at which a control block may begin.
fn candidates(piece: &[u8]) -> Vec<u64> {
    let windows = (0_u64..).zip(piece.windows(Rtt::RTT_ID.len()));
    windows.filter(|(_, name)| *name == Rtt::RTT_ID).map(|(place, _)| place).collect()
}

fn discard_up_to<E>(
    max: usize,
    mut read: impl FnMut(&mut [u8]) -> Result<usize, E>,
) -> Result<(), E> {
    let mut buffer = [0; 1024];
    let mut rest = max;
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
    fn an_endless_channel_is_not_read_for_ever() {
        let mut heard = 0;
        let endless = |buffer: &mut [u8]| {
            heard += buffer.len();
            assert!(heard <= 2_500, "more than the channel can hold");
            Ok::<_, ()>(buffer.len())
        };
        assert_eq!(discard_up_to(2_500, endless), Ok(()));
        assert_eq!(heard, 2_500);
    }

    #[test]
    fn discarding_ends_at_an_empty_channel() {
        let mut pieces = [7, 3, 0, 9].into_iter();
        let read = |_: &mut [u8]| Ok::<_, ()>(pieces.next().expect("an end"));
        assert_eq!(discard_up_to(1_024, read), Ok(()));
        assert_eq!(pieces.len(), 1);
        assert_eq!(discard_up_to(1_024, |_| Err("gone")), Err("gone"));
    }

    #[test]
    fn every_candidate_is_found() {
        let mut piece = vec![0; 100];
        for place in [3, 40, 84] {
            piece[place..place + Rtt::RTT_ID.len()].copy_from_slice(&Rtt::RTT_ID);
        }
        assert_eq!(candidates(&piece), [3, 40, 84]);
        assert!(candidates(&piece[..10]).is_empty());
    }
}
