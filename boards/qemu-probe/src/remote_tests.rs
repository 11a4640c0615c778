use super::*;

fn parse(message: &str) -> Result<Request, Failure> {
    Request::parse(message.as_bytes())
}

#[test]
fn requests_of_probe_rs_are_understood() {
    let read_ctrl = Transfer { ap: false, read: true, register: 4 };
    let write_drw = Transfer { ap: true, read: false, register: 0xC };
    for (message, request) in [
        ("GA", Request::Name),
        ("HC", Request::ProtocolVersion),
        ("HA", Request::Accelerators),
        ("Gf", Request::Frequency),
        ("GF003d0900", Request::Pins),
        ("GE1", Request::Pins),
        ("SS", Request::Pins),
        ("GZ1", Request::Reset { asserted: true }),
        ("So13ffff", Request::SwdOut { bits: 0xFFFF, count: 19 }),
        ("Si20", Request::SwdIn { count: 32 }),
        ("Si00", Request::SwdIn { count: 0 }),
        ("Ad00ff0004", Request::DpRead { address: 4 }),
        ("Aa000001fc", Request::ApRead { ap: 0, address: 0xFC }),
        ("AA0001010478563412", Request::ApWrite { ap: 1, address: 4, value: 0x1234_5678 }),
        ("AR0001000400000000", Request::Raw { transfer: read_ctrl, value: 0 }),
        ("AR0000010c12345678", Request::Raw { transfer: write_drw, value: 0x1234_5678 }),
        (
            "Am000023000050000000002000000000000008",
            Request::Read { ap: 0, address: 0x2000_0000, length: 8 },
        ),
        (
            "AM00002300005002000000002000000000000004deadbeef",
            Request::Write { ap: 0, address: 0x2000_0000, bytes: vec![0xDE, 0xAD, 0xBE, 0xEF] },
        ),
    ] {
        assert_eq!(parse(message), Ok(request), "{message}");
    }
}

#[test]
fn bad_requests_are_refused_for_what_is_wrong() {
    for (message, failure) in [
        ("", Failure::NotSupported),
        ("G", Failure::NotSupported),
        ("JS", Failure::NotSupported),
        ("HJ00", Failure::NotSupported),
        ("A6a00", Failure::NotSupported),
        ("GAx", Failure::WrongLength),
        ("GZ", Failure::WrongLength),
        ("GZx", Failure::Parameter),
        ("So", Failure::WrongLength),
        ("So21ff", Failure::Parameter),
        ("So20", Failure::Parameter),
        ("So20123456789", Failure::Parameter),
        ("Si21", Failure::Parameter),
        ("Ad00ff00", Failure::WrongLength),
        ("Ad00ff00-4", Failure::Parameter),
        ("Am00002300005000000000200000000000000", Failure::WrongLength),
        // Longer than an answer can be, behind the end of the address space, and across it.
        ("Am000023000050000000002000000000000201", Failure::Parameter),
        ("Am000023000050000000010000000000000004", Failure::Parameter),
        ("Am0000230000500000000100000000000000ff", Failure::Parameter),
        ("Am00002300005000000000fffffffe00000004", Failure::Parameter),
        ("Am000023000050ffffffffffffffff00000004", Failure::Parameter),
        ("Am0000230000500000000020000000ffffffff", Failure::Parameter),
        // Another length than said, alignments that do not hold or do not exist, and no digits.
        ("AM00002300005002000000002000000000000004deadbe", Failure::WrongLength),
        ("AM00002300005002000000002000000200000004deadbeef", Failure::Parameter),
        ("AM00002300005002000000002000000000000002dead", Failure::Parameter),
        ("AM0000230000500400000000200000000000000000", Failure::Parameter),
        ("AM000023000050ff000000002000000000000001de", Failure::Parameter),
        ("AM00002300005000000000002000000000000001d", Failure::Parameter),
        ("AM00002300005000000000002000000000000001xx", Failure::Parameter),
    ] {
        assert_eq!(parse(message), Err(failure), "{message}");
    }
}

#[test]
fn the_last_byte_of_the_address_space_can_be_read() {
    let request = parse("Am00002300005000000000ffffffff00000001");
    assert_eq!(request, Ok(Request::Read { ap: 0, address: u32::MAX, length: 1 }));
}

#[test]
fn replies_have_the_protocols_form() {
    for (reply, text) in [
        (Reply::DONE, "&K0#"),
        (Reply::Number(4000), "&Kfa0#"),
        (Reply::Word(0x1234_5678), "&K78563412#"),
        (Reply::Bytes(vec![0x0A, 0xFF]), "&K0aff#"),
        (Reply::Name("probe"), "&Kprobe#"),
        (Reply::Failed(Failure::NotSupported), "&N0#"),
        (Reply::Failed(Failure::Parameter), "&P0#"),
        (Reply::Failed(Failure::WrongLength), "&E2#"),
        (Reply::Failed(Failure::Fault), "&E3#"),
    ] {
        assert_eq!(reply.to_string(), text);
    }
}

fn messages(bytes: &[u8]) -> Vec<Result<Request, Failure>> {
    let mut messages = Messages::default();
    bytes.iter().filter_map(|&byte| messages.push(byte)).collect()
}

#[test]
fn messages_are_found_between_noise() {
    assert_eq!(messages(b"+#!GA#\r\n !HC#"), [Ok(Request::Name), Ok(Request::ProtocolVersion)]);
    assert_eq!(messages(b"!G!HA#"), [Ok(Request::Accelerators)]);
    assert_eq!(messages(b"!##"), [Err(Failure::NotSupported)]);
    assert_eq!(messages(&[0xFF; 100]), []);
}

#[test]
fn a_message_without_end_takes_no_memory() {
    let mut assembler = Messages::default();
    let endless = std::iter::once(b'!').chain(std::iter::repeat_n(b'A', 1_000_000));
    assert!(endless.map(|byte| assembler.push(byte)).all(|request| request.is_none()));
    assert!(assembler.message.capacity() <= 4 * LONGEST);
    assert_eq!(assembler.push(b'#'), Some(Err(Failure::WrongLength)));
    let next = b"!GA#".iter().find_map(|&byte| assembler.push(byte));
    assert_eq!(next, Some(Ok(Request::Name)));
}
