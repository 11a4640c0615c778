use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::thread::JoinHandle;

use super::packets::{self, Packets};
use super::*;

/// A stub that expects commands and answers each with one packet a line.
fn stub(script: Vec<(&'static str, &'static str)>) -> (TcpStream, JoinHandle<()>) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    let (mut stub, _) = listener.accept().unwrap();
    let thread = thread::spawn(move || {
        let mut commands = Packets::default();
        for (expected, reply) in script {
            let command = loop {
                if let Some(command) = commands.next().unwrap() {
                    break command;
                }
                let mut byte = [0];
                stub.read_exact(&mut byte).unwrap();
                commands.extend(&byte);
            };
            assert_eq!(String::from_utf8(command).unwrap(), expected);
            stub.write_all(b"+").unwrap();
            for reply in reply.split('\n') {
                stub.write_all(&packets::encode(reply)).unwrap();
            }
        }
    });
    (client, thread)
}

const GREETING: [(&str, &str); 3] = [
    ("qSupported:xmlRegisters=arm", "PacketSize=1000"),
    ("qXfer:features:read:target.xml:0,400", r#"l<reg name="r0"/><reg name="d0"/>"#),
    ("?", "T05thread:01;"),
];

fn connected(script: &[(&'static str, &'static str)]) -> (Gdb, JoinHandle<()>) {
    let (client, thread) = stub(GREETING.iter().chain(script).copied().collect());
    (Gdb::connect(client).unwrap(), thread)
}

#[test]
fn memory_is_read_and_written() {
    let script = [("m20000000,4", "78563412"), ("M20000000,2:abcd", "OK"), ("m0,4", "E14")];
    let (mut gdb, thread) = connected(&script);
    assert_eq!(gdb.read_word(0x2000_0000).unwrap(), 0x1234_5678);
    gdb.write(0x2000_0000, &[0xAB, 0xCD]).unwrap();
    assert!(matches!(gdb.read_word(0), Err(Fault::Refused)));
    thread.join().unwrap();
}

#[test]
fn single_registers_are_halves_of_double_ones() {
    let script =
        [("p1", "0000803f00000040"), ("p1", "0000803f00000040"), ("P1=0000803f0000c040", "OK")];
    let (mut gdb, thread) = connected(&script);
    assert_eq!(gdb.register(65).unwrap(), 2.0_f32.to_bits());
    gdb.set_register(65, 6.0_f32.to_bits()).unwrap();
    assert_eq!(gdb.register(20).unwrap(), 0);
    gdb.set_register(20, 1).unwrap();
    thread.join().unwrap();
}

#[test]
fn a_reset_is_over_when_it_shows_whatever_the_monitor_says() {
    let reset = "qRcmd,73797374656d5f7265736574";
    let script = [
        ("p0", "00000000"),
        ("P0=ed5eed5e", "OK"),
        (reset, "O0d0a\nO0d0a\nOK"),
        ("p0", "ed5eed5e"),
        ("p0", "00000000"),
    ];
    let (mut gdb, thread) = connected(&script);
    gdb.reset().unwrap();
    thread.join().unwrap();
}

#[test]
fn answers_that_make_no_sense_are_the_end() {
    for (command, reply) in [("m0,4", "1234"), ("m0,4", "zz"), ("m0,4", "123")] {
        let (mut gdb, thread) = connected(&[(command, reply)]);
        assert!(matches!(gdb.read_word(0), Err(Fault::Gone(_))), "{reply}");
        thread.join().unwrap();
    }
    let (mut gdb, thread) = connected(&[("p0", "12")]);
    assert!(matches!(gdb.register(0), Err(Fault::Gone(_))));
    thread.join().unwrap();
    let (mut gdb, thread) = connected(&[("s", "W00")]);
    assert!(matches!(gdb.step(), Err(Fault::Gone(_))));
    thread.join().unwrap();
}

#[test]
fn a_stub_that_hangs_up_is_gone() {
    let (mut gdb, thread) = connected(&[]);
    thread.join().unwrap();
    assert!(matches!(gdb.read_word(0), Err(Fault::Gone(_))));
    let (client, thread) = stub(vec![("qSupported:xmlRegisters=arm", "")]);
    assert!(matches!(Gdb::connect(client), Err(Fault::Gone(_))));
    thread.join().unwrap();
}
