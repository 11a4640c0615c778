//! The debug port of the chip with its one access port, an AHB-AP, and the wire to it (Arm IHI 0031, `ADIv5`; chapter
//! B4 for the wire).
//!
//! Requests of the probe's protocol ([`remote`](crate::remote)) access memory. So the access port has no data
//! register, and the wire carries only line resets and accesses of the debug port, without turnarounds.

use crate::core_debug::CoreDebug;
use crate::target::TargetError;

/// An SW-DP of version 1, designed by Arm.
const DPIDR: u32 = 0x2BA0_1477;
const AHB_AP_IDR: u32 = 0x2477_0011;
/// The ROM table of a Cortex-M; present, in the format of `ADIv5`.
const AHB_AP_BASE: u32 = 0xE00F_F003;

// CTRL/STAT
const CDBGPWRUPREQ: u32 = 1 << 28;
const CSYSPWRUPREQ: u32 = 1 << 30;
const POWER_UP: u32 = CDBGPWRUPREQ | CSYSPWRUPREQ;
const ORUNDETECT: u32 = 1;
const MASKLANE: u32 = 0xF00;

// SELECT
const DPBANKSEL: u32 = 0xF;

// CSW
const SIZE_WORD: u32 = 2;
const DEVICE_EN: u32 = 1 << 6;

// The wire
const LINE_RESET: u32 = 50;
/// Bits of a request: start, `APnDP`, `RnW`, A2, A3, parity, stop, park.
const REQUEST: u32 = 8;
/// Bits of a data phase: a word and its parity.
const DATA: u32 = 33;
const ACK_OK: u64 = 0b001;
const ACK: u32 = 3;

#[derive(Debug)]
pub(crate) struct DebugPort<T> {
    pub(crate) core: CoreDebug<T>,
    control: u32,
    select: u32,
    csw: u32,
    phase: WirePhase,
    ones: u32,
}

#[derive(Debug, Clone, Copy)]
enum WirePhase {
    /// Ignores everything until a line reset.
    Lost,
    Reset,
    Idle,
    Request(WireBits),
    /// The chip drives the wire; a write's data phase follows if there is a register.
    Response(WireBits, Option<u8>),
    Data(WireBits, u8),
}

/// Bits on the wire; the first is bit 0.
#[derive(Debug, Clone, Copy)]
struct WireBits {
    bits: u64,
    count: u32,
}

impl WireBits {
    const NONE: Self = Self { bits: 0, count: 0 };

    fn with(self, bit: bool) -> Self {
        Self { bits: self.bits | u64::from(bit) << self.count, count: self.count + 1 }
    }
}

impl<T> DebugPort<T> {
    pub(crate) const fn new(core: CoreDebug<T>) -> Self {
        Self { core, control: 0, select: 0, csw: SIZE_WORD, phase: WirePhase::Lost, ones: 0 }
    }

    pub(crate) const fn dp_read(&self, address: u8) -> u32 {
        match address & 0xC {
            0x0 => DPIDR,
            0x4 if self.select & DPBANKSEL == 0 => self.control | (self.control & POWER_UP) << 1,
            _ => 0,
        }
    }

    /// Errors never stick, so ABORT clears nothing.
    pub(crate) const fn dp_write(&mut self, address: u8, value: u32) {
        match address & 0xC {
            0x4 if self.select & DPBANKSEL == 0 => {
                self.control = value & (POWER_UP | ORUNDETECT | MASKLANE);
            }
            0x8 => self.select = value,
            _ => {}
        }
    }

    /// Reads 0 if there is no such port or register.
    pub(crate) const fn ap_read(&self, ap: u8, address: u8) -> u32 {
        match (ap, address & 0xFC) {
            (0, 0x00) => self.csw | DEVICE_EN,
            (0, 0xF8) => AHB_AP_BASE,
            (0, 0xFC) => AHB_AP_IDR,
            _ => 0,
        }
    }

    /// Fails for data registers.
    pub(crate) fn ap_write(&mut self, ap: u8, address: u8, value: u32) -> Result<(), TargetError> {
        match (ap, address & 0xFC) {
            (0, 0x00) => self.csw = value,
            (0, 0x0C | 0x10 | 0x14 | 0x18 | 0x1C) => return Err(TargetError::Refused),
            _ => {}
        }
        Ok(())
    }

    pub(crate) fn output(&mut self, bit: bool) {
        self.ones = if bit { self.ones.saturating_add(1) } else { 0 };
        self.phase = match self.phase {
            _ if self.ones >= LINE_RESET => WirePhase::Reset,
            WirePhase::Reset if bit => WirePhase::Reset,
            WirePhase::Idle | WirePhase::Response(_, None) if bit => {
                WirePhase::Request(WireBits::NONE.with(bit))
            }
            WirePhase::Reset | WirePhase::Idle | WirePhase::Response(_, None) => WirePhase::Idle,
            WirePhase::Request(bits) => match bits.with(bit) {
                bits if bits.count == REQUEST => self.respond(bits.bits),
                bits => WirePhase::Request(bits),
            },
            WirePhase::Response(WireBits { count: 0, .. }, Some(register)) => {
                WirePhase::Data(WireBits::NONE.with(bit), register)
            }
            WirePhase::Lost | WirePhase::Response(_, Some(_)) => WirePhase::Lost,
            WirePhase::Data(bits, register) => match bits.with(bit) {
                bits if bits.count == DATA => {
                    let [data @ .., parity, _, _, _] = bits.bits.to_le_bytes();
                    let data = u32::from_le_bytes(data);
                    if data.count_ones() & 1 == u32::from(parity) {
                        self.dp_write(register, data);
                    }
                    WirePhase::Idle
                }
                bits => WirePhase::Data(bits, register),
            },
        };
    }

    /// The bit that the chip drives, else 0.
    pub(crate) const fn input(&mut self) -> bool {
        self.ones = 0;
        let WirePhase::Response(left, _) = &mut self.phase else { return false };
        let bit = left.bits & 1 != 0;
        left.bits >>= 1;
        left.count = left.count.saturating_sub(1);
        bit
    }

    /// No response to an invalid request, or one for an access port.
    fn respond(&self, request: u64) -> WirePhase {
        let fields = request >> 1 & 0b1111;
        let (is_ap, is_read) = (fields & 1 != 0, fields & 2 != 0);
        let register = (fields & 0b1100) as u8;
        let is_framed = request & 0b1100_0001 == 0b1000_0001;
        let has_parity = fields.count_ones() & 1 == (request >> 5 & 1) as u32;
        if is_ap || !is_framed || !has_parity {
            return WirePhase::Lost;
        }
        if !is_read {
            return WirePhase::Response(WireBits { bits: ACK_OK, count: ACK }, Some(register));
        }
        let word = self.dp_read(register);
        let parity = u64::from(word.count_ones() & 1);
        let bits = ACK_OK | (u64::from(word) | parity << 32) << ACK;
        WirePhase::Response(WireBits { bits, count: ACK + DATA }, None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core_debug::tests::Fake;

    fn port() -> DebugPort<Fake> {
        DebugPort::new(CoreDebug::power_up(Fake::cortex_m4(), 0..0x1000).unwrap())
    }

    #[test]
    fn power_is_acknowledged() {
        let mut port = port();
        port.dp_write(4, POWER_UP | ORUNDETECT);
        assert_eq!(port.dp_read(4), POWER_UP | POWER_UP << 1 | ORUNDETECT);
        port.dp_write(8, 1);
        assert_eq!(port.dp_read(4), 0);
        assert_eq!(port.dp_read(0), DPIDR);
    }

    #[test]
    fn the_access_port_has_no_data_register() {
        let mut port = port();
        assert_eq!(port.ap_read(0, 0xFC), AHB_AP_IDR);
        assert_eq!(port.ap_read(0, 0xF8), AHB_AP_BASE);
        assert_eq!(port.ap_read(1, 0xFC), 0);
        port.ap_write(0, 0x00, 0x2300_0000).unwrap();
        port.ap_write(1, 0x00, 4).unwrap();
        assert_eq!(port.ap_read(0, 0x00), 0x2300_0000 | DEVICE_EN);
        assert!(matches!(port.ap_write(0, 0x0C, 1), Err(TargetError::Refused)));
    }

    impl DebugPort<Fake> {
        fn send(&mut self, bits: u64, count: u32) {
            (0..count).for_each(|bit| self.output(bits >> bit & 1 != 0));
        }

        fn receive(&mut self, count: u32) -> u64 {
            (0..count).fold(0, |bits, bit| bits | u64::from(self.input()) << bit)
        }

        fn line_reset(&mut self) {
            self.send(u64::MAX, 51);
            self.send(0, 3);
        }

        /// Reads acknowledgement, word, parity and idle bits of DPIDR.
        fn read_dpidr(&mut self) -> [u64; 4] {
            self.send(READ_DPIDR, 8);
            [self.receive(3), self.receive(32), self.receive(1), self.receive(5)]
        }
    }

    const READ_DPIDR: u64 = 0xA5;
    const WRITE_SELECT: u64 = 0xB1;
    const READ_DRW: u64 = 0x9F;
    const IDENTIFIED: [u64; 4] = [0b001, DPIDR as u64, 0, 0];

    #[test]
    fn a_read_is_acknowledged_with_a_word_and_its_parity() {
        let mut port = port();
        assert_eq!(port.read_dpidr(), [0; 4]);
        // The sequence that switches from JTAG to SWD.
        port.send(u64::MAX, 51);
        port.send(0xE79E, 16);
        port.line_reset();
        assert_eq!([port.read_dpidr(), port.read_dpidr()], [IDENTIFIED; 2]);
    }

    #[test]
    fn a_write_has_a_data_phase() {
        let mut port = port();
        port.line_reset();
        for (parity, select) in [(1, 0), (0, 0xFF00_0000)] {
            port.send(WRITE_SELECT, 8);
            assert_eq!(port.receive(3), 0b001);
            port.send(0xFF00_0000 | parity << 32, 33);
            assert_eq!(port.select, select);
            port.send(0, 8);
        }
        assert_eq!(port.read_dpidr(), IDENTIFIED);
    }

    #[test]
    fn an_invalid_request_is_out_of_sync_until_a_line_reset() {
        let wrong = (0..8).map(|bit| READ_DPIDR ^ 1 << bit).chain([READ_DRW]);
        for request in wrong {
            let mut port = port();
            port.line_reset();
            port.send(request, 8);
            assert_eq!(port.receive(36), 0, "{request:#x}");
            port.line_reset();
            assert_eq!(port.read_dpidr(), IDENTIFIED);
        }
        // A probe that skips the acknowledgement.
        let mut port = port();
        port.line_reset();
        port.send(WRITE_SELECT, 8);
        port.send(0xFF, 33);
        assert_eq!(port.read_dpidr(), [0; 4]);
    }

    #[test]
    fn noise_does_no_harm() {
        let mut port = port();
        let mut noise = 1_u64;
        for _ in 0..100_000 {
            noise = noise
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            if noise >> 63 == 0 {
                port.input();
            } else {
                port.output(noise >> 62 & 1 != 0);
            }
        }
    }
}
