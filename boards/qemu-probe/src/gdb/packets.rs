//! The packets of gdb's remote protocol: `$…#` and two digits of checksum.

use std::io::{Error, ErrorKind};

use crate::hex;

/// QEMU sends at most 4096 characters at a time; a packet that grows beyond this is none.
const LONGEST: usize = 64 * 1024;
/// The next character is changed by an exclusive or.
const ESCAPE: u8 = b'}';
const ESCAPED: u8 = 0x20;

/// A command as it is sent; it must hold none of the protocol's own characters.
pub(super) fn encode(command: &str) -> Vec<u8> {
    format!("${command}#{:02x}", checksum(command.as_bytes())).into_bytes()
}

fn checksum(bytes: &[u8]) -> u8 {
    bytes.iter().fold(0, |sum, &byte| sum.wrapping_add(byte))
}

/// Cuts what arrives into packets.
#[derive(Debug, Default)]
pub(super) struct Packets {
    received: Vec<u8>,
}

impl Packets {
    /// Takes what arrived.
    pub(super) fn extend(&mut self, bytes: &[u8]) {
        self.received.extend_from_slice(bytes);
    }

    /// The next packet's content, if all of it has arrived.
    pub(super) fn next(&mut self) -> Result<Option<Vec<u8>>, Error> {
        let start = self.received.iter().position(|&byte| byte == b'$');
        let acknowledgements = start.unwrap_or(self.received.len());
        if self.received.drain(..acknowledgements).any(|byte| byte != b'+') {
            return Err(Error::new(ErrorKind::InvalidData, "no packet of gdb's protocol"));
        }
        let Some(end) = self.received.iter().position(|&byte| byte == b'#') else {
            return if self.received.len() <= LONGEST {
                Ok(None)
            } else {
                Err(Error::new(ErrorKind::InvalidData, "a packet without end"))
            };
        };
        let Some(sum) = self.received.get(end + 1..end + 3).map(hex::number) else {
            return Ok(None);
        };
        let content = &self.received[1..end];
        if sum != Some(checksum(content).into()) {
            return Err(Error::new(ErrorKind::InvalidData, "a packet with a wrong checksum"));
        }
        let content = unescape(content);
        self.received.drain(..end + 3);
        Ok(Some(content))
    }
}

fn unescape(content: &[u8]) -> Vec<u8> {
    let mut bytes = content.iter();
    let mut plain = Vec::with_capacity(content.len());
    while let Some(&byte) = bytes.next() {
        plain.push(match byte {
            ESCAPE => bytes.next().map_or(ESCAPE, |byte| byte ^ ESCAPED),
            _ => byte,
        });
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packets(bytes: &[u8]) -> Packets {
        Packets { received: bytes.to_vec() }
    }

    #[test]
    fn a_packet_comes_in_pieces() {
        let mut packets = Packets::default();
        let bytes = [b"+".as_slice(), &encode("OK"), b"+", &encode("T05thread:01;")].concat();
        let mut content = Vec::new();
        for &byte in &bytes {
            packets.extend(&[byte]);
            content.extend(packets.next().unwrap());
        }
        assert_eq!(content, [b"OK".to_vec(), b"T05thread:01;".to_vec()]);
        assert!(packets.received.is_empty());
    }

    #[test]
    fn escaped_characters_come_back() {
        let sum = checksum(b"}\x03}\x04");
        let bytes = [b"$}\x03}\x04#".as_slice(), format!("{sum:02x}").as_bytes()].concat();
        assert_eq!(packets(&bytes).next().unwrap(), Some(b"#$".to_vec()));
    }

    #[test]
    fn what_is_no_packet_is_an_error() {
        let endless = vec![b'$'; LONGEST + 1];
        for bytes in [b"$OK#00".as_slice(), b"$OK#zz", b"-", b"hello", &endless] {
            assert!(packets(bytes).next().is_err(), "{bytes:?}");
        }
    }
}
