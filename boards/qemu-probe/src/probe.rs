//! The probe: requests in, replies out.

use std::io;

use crate::port::DebugPort;
use crate::remote::{Failure, Reply, Request};
use crate::swd::{Ack, Action, Wire};
use crate::target::{Fault, Target};

const NAME: &str = concat!("QEMU emulation behind lodger-qemu-probe ", env!("CARGO_PKG_VERSION"));
const PROTOCOL_VERSION: u32 = 4;
/// The one for `ADIv5`.
const ACCELERATORS: u32 = 1;
/// What real probes say; nothing here depends on it.
const FREQUENCY_KHZ: u32 = 4000;

/// A probe and what it is connected to.
#[derive(Debug)]
pub(crate) struct Probe<T> {
    port: DebugPort<T>,
    wire: Wire,
    /// Whether the core goes on when a debugger comes.
    goes_on: bool,
}

impl<T: Target> Probe<T> {
    pub(crate) const fn new(port: DebugPort<T>) -> Self {
        Self { port, wire: Wire::new(), goes_on: false }
    }

    /// A debugger comes, and the core goes on. An error says that the target is gone.
    pub(crate) fn arrive(&mut self) -> Result<(), Fault> {
        if std::mem::take(&mut self.goes_on) { self.port.core.let_go() } else { Ok(()) }
    }

    /// There is no debugger any more, and the core stands still. An error says that the target is gone.
    pub(crate) fn leave(&mut self) -> Result<(), Fault> {
        self.goes_on = self.port.core.stand_still()?;
        Ok(())
    }

    /// Carries out a request. An error says that the target is gone.
    pub(crate) fn answer(&mut self, request: Request) -> Result<Reply, io::Error> {
        match self.carry_out(request) {
            Ok(reply) => Ok(reply),
            Err(Fault::Refused) => Ok(Reply::Failed(Failure::Fault)),
            Err(Fault::Gone(error)) => Err(error),
        }
    }

    fn carry_out(&mut self, request: Request) -> Result<Reply, Fault> {
        Ok(match request {
            Request::Name => Reply::Name(NAME),
            Request::ProtocolVersion => Reply::Number(PROTOCOL_VERSION),
            Request::Accelerators => Reply::Number(ACCELERATORS),
            Request::Frequency => Reply::Number(FREQUENCY_KHZ),
            Request::Pins => Reply::DONE,
            Request::Reset { asserted } => {
                self.port.core.set_reset(asserted)?;
                Reply::DONE
            }
            Request::SwdOut { bits, count } => {
                for bit in 0..count {
                    self.output(bits >> bit & 1 != 0)?;
                }
                Reply::DONE
            }
            Request::SwdIn { count } => {
                let bits = (0..count).map(|bit| u32::from(self.wire.input()) << bit);
                Reply::Number(bits.fold(0, |word, bit| word | bit))
            }
            Request::DpRead { address } => Reply::Word(self.port.dp_read(address)),
            Request::ApRead { ap, address } => Reply::Word(self.port.ap_read(ap, address)?),
            Request::ApWrite { ap, address, value } => {
                self.port.ap_write(ap, address, value)?;
                Reply::DONE
            }
            Request::Raw { transfer, value } => {
                if transfer.read {
                    let (ack, word) = self.port.read(transfer)?;
                    return acknowledged(ack, Reply::Word(word));
                }
                let ack = self.port.accepts(transfer);
                if ack == Ack::Ok {
                    self.port.write(transfer, Some(value))?;
                }
                return acknowledged(ack, Reply::DONE);
            }
            Request::Read { ap: 0, address, length } => {
                let mut bytes = vec![0; length];
                self.port.core.read(address, &mut bytes)?;
                Reply::Bytes(bytes)
            }
            Request::Write { ap: 0, address, bytes } => {
                self.port.core.write(address, &bytes)?;
                Reply::DONE
            }
            Request::Read { .. } | Request::Write { .. } => return Err(Fault::Refused),
        })
    }

    fn output(&mut self, bit: bool) -> Result<(), Fault> {
        match self.wire.output(bit) {
            None => {}
            Some(Action::Acknowledge(transfer)) => {
                let (ack, word) = if transfer.read {
                    self.port.read(transfer)?
                } else {
                    (self.port.accepts(transfer), 0)
                };
                self.wire.acknowledge(transfer, ack, word);
            }
            Some(Action::Write(transfer, value)) => self.port.write(transfer, value)?,
        }
        Ok(())
    }
}

fn acknowledged(ack: Ack, reply: Reply) -> Result<Reply, Fault> {
    if ack == Ack::Ok { Ok(reply) } else { Err(Fault::Refused) }
}
