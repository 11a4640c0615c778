//! The start and the end of an emulation, also during an access.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::Instant;

use lodger_qemu_probe::{Emulation, EmulationError, QemuOptions};
use probe_rs::{CoreStatus, MemoryInterface, Session};

use crate::rig::{self, COUNT, GIVE_UP, Machine, changed, flash, in_time, open};

/// Reads until it fails, and drops the session over a dead connection.
fn read_until_it_fails(mut session: Session) {
    let start = Instant::now();
    let mut read = || session.core(0)?.read_word_32(COUNT.into());
    while read().is_ok() {
        assert!(start.elapsed() < GIVE_UP, "it goes on without a connection");
    }
    assert!(read().is_err());
}

fn interrupted(by: impl FnOnce(&Emulation)) -> Emulation {
    let emulation = Machine::Microbit.start();
    let mut session = Machine::Microbit.attach(&emulation);
    flash(&mut session, &rig::counter());
    session.core(0).unwrap().run().unwrap();
    let reader = thread::spawn(|| in_time(|| read_until_it_fails(session)));
    by(&emulation);
    reader.join().unwrap();
    emulation
}

#[test]
fn a_pulled_plug_is_an_error_and_the_chip_goes_on() {
    let emulation = interrupted(Emulation::unplug);
    assert!(open(&emulation).is_err());
    emulation.plug_in();
    let mut session = Machine::Microbit.attach(&emulation);
    let mut core = session.core(0).unwrap();
    assert_eq!(core.status().unwrap(), CoreStatus::Running);
    changed(&mut core, COUNT);
}

#[test]
fn a_plug_is_pulled_while_flashing() {
    let emulation = Arc::new(Machine::Microbit.start());
    let mut session = Machine::Microbit.attach(&emulation);
    let unplugger = thread::spawn({
        let emulation = Arc::clone(&emulation);
        move || emulation.unplug()
    });
    let outcome = in_time(move || {
        let mut loader = session.target().flash_loader();
        loader.add_data(0, &vec![0x5A; 128 * 1024]).unwrap();
        loader.commit(&mut session, probe_rs::flashing::DownloadOptions::default())
    });
    unplugger.join().unwrap();
    assert!(outcome.is_err());
}

#[test]
fn a_qemu_that_dies_is_an_error() {
    let emulation = interrupted(Emulation::kill);
    assert!(matches!(emulation.ended(), Some(EmulationError::QemuEnded { .. })));
    assert!(in_time(move || open(&emulation)).is_err());
}

#[test]
fn a_lockup_ends_qemu_with_its_reason() {
    let emulation = Machine::Microbit.start();
    let mut session = Machine::Microbit.attach(&emulation);
    flash(&mut session, &rig::lockup());
    session.core(0).unwrap().run().unwrap();
    in_time(|| read_until_it_fails(session));
    let error = in_time(move || {
        loop {
            if let Some(error) = emulation.ended() {
                return error;
            }
        }
    });
    assert!(error.to_string().contains("Lockup"), "{error}");
}

#[test]
fn nothing_is_left_over() {
    let emulation = Machine::Microbit.start();
    assert!(emulation.ended().is_none());
    let address = emulation.address();
    let mut connection = TcpStream::connect(address).unwrap();
    connection.write_all(b"!HC#").unwrap();
    let mut reply = [0; 4];
    connection.read_exact(&mut reply).unwrap();
    in_time(move || drop(emulation));
    assert!(matches!(connection.read(&mut reply), Ok(0) | Err(_)));
    assert!(TcpStream::connect(address).is_err());
}

#[test]
fn an_invalid_request_gets_a_reply() {
    let emulation = Machine::Mps2An386.start();
    let mut connection = TcpStream::connect(emulation.address()).unwrap();
    let nonsense = [vec![0xFF; 10_000], b"!##!".to_vec(), vec![b'A'; 10_000], b"#!HC#".to_vec()];
    connection.write_all(&nonsense.concat()).unwrap();
    let mut replies = [0; 12];
    connection.read_exact(&mut replies).unwrap();
    assert_eq!(&replies, b"&N0#&E2#&K4#");
}

#[test]
fn a_missing_qemu_is_named_with_the_cure() {
    let mut options = QemuOptions::new("microbit");
    options.qemu = "no-such-qemu".into();
    let error = Emulation::start(&options).unwrap_err();
    assert!(matches!(error, EmulationError::QemuMissing { .. }));
    let message = error.to_string();
    assert!(message.starts_with("no-such-qemu is not installed"), "{message}");
    assert!(message.contains("apt-get install --no-install-recommends qemu-system-arm"));
}

#[test]
fn an_unknown_machine_reports_the_output_of_qemu() {
    let error = Emulation::start(&QemuOptions::new("abacus")).unwrap_err();
    assert!(matches!(&error, EmulationError::QemuEnded { machine, .. } if machine == "abacus"));
    assert!(error.to_string().contains("unsupported machine type"), "{error}");
}

#[test]
fn a_missing_flash_is_named() {
    let mut options = QemuOptions::new("mps2-an386");
    options.flash = 0x5000_0000..0x5001_0000;
    let error = Emulation::start(&options).unwrap_err();
    assert!(matches!(error, EmulationError::NoFlash { address: 0x5000_0000, .. }), "{error}");
}

#[test]
fn a_port_in_use_is_named() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut options = QemuOptions::new("microbit");
    options.port = taken.local_addr().unwrap().port();
    let error = Emulation::start(&options).unwrap_err();
    assert!(matches!(error, EmulationError::Port { port, .. } if port == options.port), "{error}");
}
