//! The host through a debug probe: the log on one RTT channel, messages on another. A panic is logged and ends in a
//! `HardFault`, where the probe stops the processor and reads the stack.

use core::convert::Infallible;
use core::sync::atomic::{AtomicU32, Ordering};

use lodger_firmware::clock::Clock;
use lodger_wire::Transport;
use panic_probe as _;
use rtt_target::ChannelMode::NoBlockSkip;
use rtt_target::{DownChannel, UpChannel, rtt_init, set_defmt_channel};

use super::faults;

/// The connection to the host.
///
/// Only [`Transport`] waits for a host. Log lines that do not fit into the buffer are lost, unless the host sets that
/// channel to block, as `lodger board run` and probe-rs do; if the probe is unplugged then, the program waits at its next
/// full buffer for a host or a reset.
pub struct HostLink {
    up: UpChannel,
    down: DownChannel,
}

impl HostLink {
    /// Opens the connection before the first log line; `None` after the first call.
    #[must_use]
    pub fn open() -> Option<Self> {
        faults::set_fault_handler(|fault| defmt::error!("{}", defmt::Display2Format(fault)))?;
        #[cfg(any(feature = "microbit-v2", feature = "nrf52840-dk"))]
        super::debug_port::open();
        // The macro needs literals.
        const { assert!(lodger_wire::LOG == 0 && lodger_wire::MESSAGES == 1) };
        let channels = rtt_init! {
            up: {
                0: { size: 1024, mode: NoBlockSkip, name: "defmt" }
                1: { size: 512, mode: NoBlockSkip, name: "lodger" }
            }
            down: {
                0: { size: 16, name: "unused" }
                1: { size: 256, name: "lodger" }
            }
        };
        set_defmt_channel(channels.up.0);
        Some(Self { up: channels.up.1, down: channels.down.1 })
    }

    /// Sends all bytes without waiting, or none and returns `false` if they do not fit into the buffer.
    pub fn try_send(&mut self, bytes: &[u8]) -> bool {
        // A part that was written before the buffer was full is counted, but not sent.
        self.up.write(bytes) == bytes.len()
    }
}

impl Transport for HostLink {
    type Error = Infallible;

    fn receive(&mut self, buffer: &mut [u8]) -> Result<usize, Infallible> {
        loop {
            let received = self.down.read(buffer);
            if received > 0 || buffer.is_empty() {
                return Ok(received);
            }
        }
    }

    fn send(&mut self, bytes: &[u8]) -> Result<(), Infallible> {
        // A piece fits into the buffer when the host has read the bytes before it.
        for piece in bytes.chunks(64) {
            while !self.try_send(piece) {}
        }
        Ok(())
    }
}

/// The last reading of the clock, in units of 1.024 µs, which is the time of log lines.
static LAST_READING: AtomicU32 = AtomicU32::new(0);

defmt::timestamp!("{=u64:us}", { u64::from(LAST_READING.load(Ordering::Relaxed)) * 1_024 / 1_000 });

pub(super) struct LogTime<C>(pub(super) C);

impl<C: Clock> Clock for LogTime<C> {
    fn now(&mut self) -> u64 {
        let now = self.0.now();
        // It wraps after 73 minutes.
        #[allow(clippy::cast_possible_truncation)] // wraps, as said
        LAST_READING.store((now >> 10) as u32, Ordering::Relaxed);
        now
    }
}
