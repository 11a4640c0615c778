use super::*;
use crate::core_debug::fake::{Fake, HOLE};

const RAM: u32 = 0x2000_0000;
const CSW: u8 = 0x00;
const TAR: u8 = 0x04;
const DRW: u8 = 0x0C;

fn port() -> DebugPort<Fake> {
    DebugPort::new(CoreDebug::power_up(Fake::cortex_m4(), 0..0x1000).unwrap())
}

const fn dp(read: bool, register: u8) -> Transfer {
    Transfer { ap: false, read, register }
}

const fn ap(read: bool, register: u8) -> Transfer {
    Transfer { ap: true, read, register }
}

fn set_up(port: &mut DebugPort<Fake>, csw: u32, tar: u32) {
    port.ap_write(0, CSW, csw).unwrap();
    port.ap_write(0, TAR, tar).unwrap();
}

#[test]
fn power_is_acknowledged() {
    let mut port = port();
    port.write(dp(false, 4), Some(POWER_UP | ORUNDETECT)).unwrap();
    assert_eq!(port.dp_read(4), POWER_UP | POWER_UP << 1 | ORUNDETECT);
    port.write(dp(false, 8), Some(1)).unwrap();
    assert_eq!(port.dp_read(4), 0);
    assert_eq!(port.dp_read(0), DPIDR);
}

#[test]
fn one_access_port_is_there() {
    let mut port = port();
    assert_eq!(port.ap_read(0, 0xFC).unwrap(), AHB_AP_IDR);
    assert_eq!(port.ap_read(0, 0xF8).unwrap(), AHB_AP_BASE);
    assert_eq!(port.ap_read(1, 0xFC).unwrap(), 0);
    port.ap_write(1, TAR, 4).unwrap();
    assert_eq!(port.ap_read(0, TAR).unwrap(), 0);
}

#[test]
fn data_moves_by_size_in_its_lane() {
    let mut port = port();
    set_up(&mut port, ADDR_INC_SINGLE | SIZE_WORD, RAM);
    port.ap_write(0, DRW, 0x4433_2211).unwrap();
    port.ap_write(0, DRW, 0x8877_6655).unwrap();
    assert_eq!(port.ap_read(0, TAR).unwrap(), RAM + 8);
    set_up(&mut port, ADDR_INC_SINGLE, RAM + 3);
    assert_eq!(port.ap_read(0, DRW).unwrap(), 0x4400_0000);
    assert_eq!(port.ap_read(0, DRW).unwrap(), 0x0000_0055);
    set_up(&mut port, 1, RAM + 2);
    port.ap_write(0, DRW, 0xABCD_FFFF).unwrap();
    assert_eq!(port.ap_read(0, TAR).unwrap(), RAM + 2);
    assert_eq!(port.core.read_word(RAM).unwrap(), 0xABCD_2211);
    assert_eq!(port.ap_read(0, 0x14).unwrap(), 0x8877_6655);
}

#[test]
fn the_address_counts_ten_bits() {
    let mut port = port();
    set_up(&mut port, ADDR_INC_SINGLE | SIZE_WORD, RAM + 0x3FC);
    port.ap_read(0, DRW).unwrap();
    assert_eq!(port.ap_read(0, TAR).unwrap(), RAM);
}

#[test]
fn every_csw_and_tar_can_be_used() {
    let mut port = port();
    for csw in 0..64 {
        for tar in [0, 1, 2, 3, u32::MAX] {
            set_up(&mut port, csw, tar);
            port.ap_read(0, DRW).unwrap();
            port.ap_write(0, DRW, 0).unwrap();
        }
    }
}

#[test]
fn reads_on_the_wire_come_one_later() {
    let mut port = port();
    port.write(dp(false, 8), Some(0xF0)).unwrap();
    assert_eq!(port.read(ap(true, 0xC)).unwrap(), (Ack::Ok, 0));
    assert_eq!(port.read(ap(true, 0x8)).unwrap(), (Ack::Ok, AHB_AP_IDR));
    assert_eq!(port.read(dp(true, 0xC)).unwrap(), (Ack::Ok, AHB_AP_BASE));
}

#[test]
fn errors_on_the_wire_stick_until_they_are_cleared() {
    let mut port = port();
    set_up(&mut port, SIZE_WORD, HOLE);
    port.read(ap(true, DRW)).unwrap();
    assert_eq!(port.dp_read(4), STICKYERR);
    assert_eq!(port.read(ap(true, TAR)).unwrap().0, Ack::Fault);
    assert_eq!(port.accepts(ap(false, TAR)), Ack::Fault);
    assert_eq!(port.accepts(dp(false, 0)), Ack::Ok);
    port.write(dp(false, 0), Some(STKERRCLR)).unwrap();
    assert_eq!(port.read(ap(true, TAR)).unwrap().0, Ack::Ok);
    port.write(dp(false, 8), None).unwrap();
    assert_eq!(port.dp_read(4), WDATAERR);
    port.write(dp(false, 0), Some(WDERRCLR)).unwrap();
    assert_eq!(port.dp_read(4), 0);
}

#[test]
fn an_accelerated_access_is_refused_at_once() {
    let mut port = port();
    set_up(&mut port, SIZE_WORD, HOLE);
    assert!(matches!(port.ap_read(0, DRW), Err(Fault::Refused)));
    assert!(matches!(port.ap_write(0, DRW, 0), Err(Fault::Refused)));
    assert_eq!(port.dp_read(4), 0);
}
