use super::*;

/// A request as the probe shifts it out, the first bit in bit 0.
fn request(transfer: Transfer) -> u8 {
    let fields = u8::from(transfer.ap) | u8::from(transfer.read) << 1 | transfer.register;
    let parity = u8::from(fields.count_ones() % 2 == 1);
    0b1000_0001 | fields << 1 | parity << 5
}

impl Wire {
    /// A wire that an access of DPIDR has identified.
    fn identified() -> Self {
        let mut wire = Self::new();
        wire.line_reset();
        assert_eq!(wire.send(0xA5, 8), [Action::Acknowledge(Transfer::READ_DPIDR)]);
        wire.acknowledge(Transfer::READ_DPIDR, Ack::Ok, 0);
        wire.receive(36);
        wire
    }

    fn send(&mut self, bits: u64, count: u32) -> Vec<Action> {
        (0..count).filter_map(|bit| self.output(bits >> bit & 1 != 0)).collect()
    }

    fn receive(&mut self, count: u32) -> u64 {
        (0..count).fold(0, |bits, bit| bits | u64::from(self.input()) << bit)
    }

    fn line_reset(&mut self) {
        assert_eq!(self.send(u64::MAX, 51), []);
        assert_eq!(self.send(0, 3), []);
    }
}

const WRITE_SELECT: Transfer = Transfer { ap: false, read: false, register: 8 };
const READ_DRW: Transfer = Transfer { ap: true, read: true, register: 0xC };

#[test]
fn requests_of_the_specification_are_read() {
    assert_eq!(Transfer::parse(0xA5), Some(Transfer::READ_DPIDR));
    assert_eq!(Transfer::parse(0x81), Some(Transfer { ap: false, read: false, register: 0 }));
    assert_eq!(Transfer::parse(0xB1), Some(WRITE_SELECT));
    assert_eq!(Transfer::parse(0x9F), Some(READ_DRW));
}

#[test]
fn one_wrong_bit_makes_it_no_request() {
    for register in [0, 4, 8, 12] {
        for (ap, read) in [(false, false), (false, true), (true, false), (true, true)] {
            let transfer = Transfer { ap, read, register };
            let bits = u64::from(request(transfer));
            assert_eq!(Transfer::parse(bits), Some(transfer));
            assert!((0..8).all(|bit| Transfer::parse(bits ^ 1 << bit).is_none()));
        }
    }
}

#[test]
fn a_read_is_acknowledged_with_a_word_and_its_parity() {
    let mut wire = Wire::identified();
    assert_eq!(wire.send(request(READ_DRW).into(), 8), [Action::Acknowledge(READ_DRW)]);
    wire.acknowledge(READ_DRW, Ack::Ok, 0x8000_0000);
    assert_eq!(wire.receive(3), 0b001);
    assert_eq!(wire.receive(32), 0x8000_0000);
    assert_eq!(wire.receive(1), 1);
    assert_eq!(wire.receive(5), 0);
}

#[test]
fn a_write_has_a_data_phase() {
    let mut wire = Wire::identified();
    for (parity, value) in [(0, Some(0xFF00_0000)), (1, None)] {
        assert_eq!(wire.send(request(WRITE_SELECT).into(), 8).len(), 1);
        wire.acknowledge(WRITE_SELECT, Ack::Ok, 0);
        assert_eq!(wire.receive(3), 0b001);
        let actions = wire.send(0xFF00_0000 | parity << 32, 33);
        assert_eq!(actions, [Action::Write(WRITE_SELECT, value)]);
        assert_eq!(wire.send(0, 8), []);
    }
}

#[test]
fn a_fault_is_acknowledged_without_data() {
    let mut wire = Wire::identified();
    wire.send(request(READ_DRW).into(), 8);
    wire.acknowledge(READ_DRW, Ack::Fault, 7);
    assert_eq!(wire.receive(36), 0b100);
}

#[test]
fn only_dpidr_is_read_after_a_line_reset() {
    let mut wire = Wire::identified();
    wire.line_reset();
    assert_eq!(wire.send(request(WRITE_SELECT).into(), 8), []);
    assert_eq!(wire.receive(3), 0);
    assert_eq!(wire.send(0xA5, 8), []);
    wire.line_reset();
    assert_eq!(wire.send(0xA5, 8).len(), 1);
}

#[test]
fn the_way_from_jtag_leads_to_swd() {
    let mut wire = Wire::new();
    assert_eq!(wire.send(u64::MAX, 51), []);
    assert_eq!(wire.send(0xE79E, 16), []);
    wire.line_reset();
    assert_eq!(wire.send(0xA5, 8).len(), 1);
}

#[test]
fn a_probe_that_does_not_listen_is_out_of_step() {
    let mut wire = Wire::identified();
    wire.send(request(WRITE_SELECT).into(), 8);
    wire.acknowledge(WRITE_SELECT, Ack::Ok, 0);
    assert_eq!(wire.send(0xFF, 33), []);
    assert_eq!(wire.send(0xA5, 8), []);
}

#[test]
fn noise_does_no_harm() {
    let mut wire = Wire::identified();
    let mut noise = 1_u64;
    for _ in 0..100_000 {
        noise =
            noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        if noise >> 63 == 0 {
            wire.input();
        } else if let Some(Action::Acknowledge(transfer)) = wire.output(noise >> 62 & 1 != 0) {
            wire.acknowledge(transfer, Ack::Ok, 0);
        }
    }
}
