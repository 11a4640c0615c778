//! Serial Wire Debug, bit by bit, as the target sees it.
//!
//! The bits are those that the probe's protocol carries: the turnarounds between the directions are
//! the probe's own affair and do not appear. Source: Arm IHI 0031, chapter B4.

/// How many ones in a row are a line reset.
const LINE_RESET: u32 = 50;
/// How many bits a request has.
const REQUEST: u32 = 8;
/// How many bits a data phase has: a word and its parity.
const DATA: u32 = 33;
/// How many bits an acknowledgement has.
const ACK: u32 = 3;

/// A packet request: what is to be done to which register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Transfer {
    /// A register of the access port that is selected, not of the debug port.
    pub(crate) ap: bool,
    /// Read, not written.
    pub(crate) read: bool,
    /// The register: 0, 4, 8 or 12.
    pub(crate) register: u8,
}

impl Transfer {
    const READ_DPIDR: Self = Self { ap: false, read: true, register: 0 };

    /// Reads the eight bits of a request, the first in bit 0: start, `APnDP`, `RnW`, A2, A3, parity,
    /// stop, park.
    fn parse(bits: u64) -> Option<Self> {
        let fields = bits >> 1 & 0b1111;
        let parity = (bits >> 5 & 1) as u32;
        let framed = bits & 0b1100_0001 == 0b1000_0001;
        (framed && fields.count_ones() & 1 == parity).then_some(Self {
            ap: fields & 1 != 0,
            read: fields & 2 != 0,
            register: (fields & 0b1100) as u8,
        })
    }
}

/// How the target acknowledges a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ack {
    Ok = 0b001,
    Fault = 0b100,
}

/// What the target has to do.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// Answer a request, through [`Wire::acknowledge`].
    Acknowledge(Transfer),
    /// Write what came; `None` if its parity is wrong.
    Write(Transfer, Option<u32>),
}

/// The state of the wire's end.
#[derive(Debug)]
pub(crate) struct Wire {
    phase: Phase,
    ones: u32,
    /// After a line reset only a read of DPIDR is answered.
    identified: bool,
}

#[derive(Debug)]
enum Phase {
    /// Out of step: ignores everything until a line reset.
    Lost,
    Reset,
    Idle,
    Request(Bits),
    /// The target drives the wire; a transfer that is left has a data phase afterwards.
    Response(Bits, Option<Transfer>),
    Data(Bits, Transfer),
}

/// Bits in the order of the wire, the first in bit 0.
#[derive(Debug, Default)]
struct Bits {
    bits: u64,
    count: u32,
}

impl Bits {
    fn push(&mut self, bit: bool) -> u32 {
        self.bits |= u64::from(bit) << self.count;
        self.count += 1;
        self.count
    }
}

impl Wire {
    /// A wire that nothing was sent over yet.
    pub(crate) const fn new() -> Self {
        Self { phase: Phase::Lost, ones: 0, identified: false }
    }

    /// Takes a bit from the probe.
    pub(crate) fn output(&mut self, bit: bool) -> Option<Action> {
        self.ones = if bit { self.ones.saturating_add(1) } else { 0 };
        if self.ones >= LINE_RESET {
            self.identified = false;
            self.phase = Phase::Reset;
            return None;
        }
        match &mut self.phase {
            Phase::Reset if !bit => self.phase = Phase::Idle,
            Phase::Lost | Phase::Reset => {}
            Phase::Idle | Phase::Response(_, None) => self.start(bit),
            Phase::Request(bits) => {
                if bits.push(bit) == REQUEST {
                    return self.requested();
                }
            }
            Phase::Response(Bits { count: 0, .. }, Some(transfer)) => {
                let mut bits = Bits::default();
                bits.push(bit);
                self.phase = Phase::Data(bits, *transfer);
            }
            Phase::Response(_, Some(_)) => self.phase = Phase::Lost,
            Phase::Data(bits, transfer) => {
                if bits.push(bit) == DATA {
                    let [data @ .., parity, _, _, _] = bits.bits.to_le_bytes();
                    let data = u32::from_le_bytes(data);
                    let value = (data.count_ones() & 1 == u32::from(parity)).then_some(data);
                    let action = Action::Write(*transfer, value);
                    self.phase = Phase::Idle;
                    return Some(action);
                }
            }
        }
        None
    }

    /// The bit that the target drives; low when it does not.
    pub(crate) fn input(&mut self) -> bool {
        self.ones = 0;
        let Phase::Response(left, _) = &mut self.phase else { return false };
        let bit = left.bits & 1 != 0;
        left.bits >>= 1;
        left.count = left.count.saturating_sub(1);
        bit
    }

    /// Answers a request; a read that is in order with a word.
    pub(crate) fn acknowledge(&mut self, transfer: Transfer, ack: Ack, word: u32) {
        let mut response = Bits { bits: ack as u64, count: ACK };
        let ok = ack == Ack::Ok;
        if ok && transfer.read {
            let parity = u64::from(word.count_ones() & 1);
            response.bits |= (u64::from(word) | parity << 32) << ACK;
            response.count += DATA;
        }
        self.phase = Phase::Response(response, (ok && !transfer.read).then_some(transfer));
    }

    fn start(&mut self, bit: bool) {
        self.phase = if bit { Phase::Request(Bits { bits: 1, count: 1 }) } else { Phase::Idle };
    }

    fn requested(&mut self) -> Option<Action> {
        let Phase::Request(bits) = &self.phase else { return None };
        let transfer = Transfer::parse(bits.bits)
            .filter(|&transfer| self.identified || transfer == Transfer::READ_DPIDR);
        self.phase = Phase::Lost;
        self.identified |= transfer.is_some();
        transfer.map(Action::Acknowledge)
    }
}

#[cfg(test)]
#[path = "swd_tests.rs"]
mod tests;
