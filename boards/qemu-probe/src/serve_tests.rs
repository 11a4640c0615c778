use std::net::Ipv4Addr;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;

use super::*;
use crate::core_debug::CoreDebug;
use crate::core_debug::fake::Fake;
use crate::port::DebugPort;

fn probe(fake: Fake) -> Probe<Fake> {
    Probe::new(DebugPort::new(CoreDebug::power_up(fake, 0..0x1000).unwrap()))
}

/// A connection over which all that is sent arrives at once.
#[derive(Default)]
struct Line {
    incoming: io::Cursor<Vec<u8>>,
    replies: Vec<u8>,
}

impl Read for &mut Line {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.incoming.read(bytes)
    }
}

impl Write for &mut Line {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.replies.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn replies(probe: &mut Probe<Fake>, requests: &[u8]) -> String {
    let mut line = Line { incoming: io::Cursor::new(requests.to_vec()), ..Line::default() };
    converse(&mut line, probe).unwrap();
    String::from_utf8(line.replies).unwrap()
}

const WRITE_RAM: &[u8] = b"!AM00002300005002000000002000000000000004deadbeef#";
const READ_RAM: &[u8] = b"!Am000023000050000000002000000000000004#";
const READ_HOLE: &[u8] = b"!Am000023000050000000006000000000000004#";

#[test]
fn requests_are_answered_in_order() {
    let mut probe = probe(Fake::cortex_m4());
    let requests = [b"+#!HC#!HA#".as_slice(), WRITE_RAM, READ_RAM, b"!JS#!GZ#"].concat();
    assert_eq!(replies(&mut probe, &requests), "&K4#&K1#&K0#&Kdeadbeef#&N0#&E2#");
}

#[test]
fn what_the_target_refuses_is_a_fault() {
    let mut probe = probe(Fake::cortex_m4());
    let other_ap = String::from_utf8(READ_RAM.to_vec()).unwrap().replace("Am0000", "Am0001");
    let requests = [READ_HOLE, other_ap.as_bytes(), READ_RAM].concat();
    assert_eq!(replies(&mut probe, &requests), "&E3#&E3#&K00000000#");
}

#[test]
fn the_wire_leads_to_the_debug_port() {
    let mut probe = probe(Fake::cortex_m4());
    // A line reset, a read of DPIDR, ABORT, and SELECT read back nowhere but in the bank of 4.
    let dpidr = b"!So20ffffffff#!So167ffff#!So030#!So08a5#!Si03#!Si20#!Si01#";
    assert_eq!(replies(&mut probe, dpidr), "&K0#&K0#&K0#&K0#&K1#&K2ba01477#&K0#");
    let select = b"!So08b1#!Si03#!So2000000001#!So011#!Ad00ff0004#!AR0000000800000000#";
    let replied = replies(&mut probe, select);
    assert_eq!(replied, "&K0#&K1#&K0#&K0#&K00000000#&K0#");
}

#[test]
fn noise_does_no_harm() {
    let mut probe = probe(Fake::cortex_m4());
    let mut noise = 1_u64;
    let alphabet = b"!#GASHCaARdMmoiZ0123456789abcdef";
    let mut requests: Vec<u8> = (0..200_000)
        .map(|_| {
            noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            alphabet[(noise >> 59) as usize]
        })
        .collect();
    requests.extend(b"#!HC#");
    assert!(replies(&mut probe, &requests).ends_with("&K4#"));
}

#[test]
fn a_target_that_is_gone_ends_the_conversation() {
    let fake = Fake::cortex_m4();
    let gone = Arc::clone(&fake.gone);
    let mut probe = probe(fake);
    gone.store(true, Relaxed);
    let mut line = Line { incoming: io::Cursor::new(READ_RAM.to_vec()), ..Line::default() };
    assert!(converse(&mut line, &mut probe).is_err());
    assert!(line.replies.is_empty());
}

#[test]
fn a_cable_is_pulled_put_back_and_cut() {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let address = listener.local_addr().unwrap();
    let cable = Arc::new(Cable::default());
    let fake = Fake::cortex_m4();
    let runs = Arc::clone(&fake.runs);
    let server = thread::spawn({
        let cable = Arc::clone(&cable);
        move || serve(&listener, &cable, &mut probe(fake))
    });
    let ask = |connection: &mut TcpStream| {
        connection.write_all(b"!HC#").ok()?;
        let mut reply = [0; 4];
        connection.read_exact(&mut reply).ok()?;
        Some(reply)
    };
    let mut first = TcpStream::connect(address).unwrap();
    assert_eq!(ask(&mut first), Some(*b"&K4#"));
    assert!(runs.load(Relaxed));
    cable.unplug();
    assert_eq!(ask(&mut first), None);
    assert_eq!(ask(&mut TcpStream::connect(address).unwrap()), None);
    cable.plug_in();
    assert_eq!(ask(&mut TcpStream::connect(address).unwrap()), Some(*b"&K4#"));
    cable.cut();
    cable.plug_in();
    drop(TcpStream::connect(address));
    server.join().unwrap();
    // With nobody there it stands still.
    assert!(!runs.load(Relaxed));
}
