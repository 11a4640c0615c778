//! What a scheduler says of itself: over HTTP, at the port where it takes plans.

use std::io;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::address::Address;

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(5);
/// The bytes that the head of an answer may have.
const LONGEST_HEAD: u64 = 16 << 10;

/// Asked, it says that the scheduler runs.
pub(super) const ALIVE: &str = "/healthz";
/// Asked, it says whether an executor is there.
pub(super) const READY: &str = "/readyz";

/// An answer.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Answer {
    /// The status of HTTP: 200 where all is well.
    pub(super) status: u16,
    /// What says so: `ballista/55.0.0`.
    pub(super) server: Option<String>,
}

/// Asks a scheduler.
///
/// # Errors
/// Nobody answers within 5 seconds, or nobody who speaks HTTP.
pub(super) async fn ask(address: &Address, path: &str) -> io::Result<Answer> {
    timeout(PATIENCE, exchange(address, path))
        .await
        .unwrap_or_else(|_| Err(io::Error::new(io::ErrorKind::TimedOut, "no answer in 5 s")))
}

async fn exchange(address: &Address, path: &str) -> io::Result<Answer> {
    let mut stream = TcpStream::connect((address.host.as_str(), address.port)).await?;
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    let mut bytes = Vec::new();
    stream.take(LONGEST_HEAD).read_to_end(&mut bytes).await?;
    let text = String::from_utf8_lossy(&bytes);
    answer(&text).ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "it speaks no HTTP"))
}

fn answer(text: &str) -> Option<Answer> {
    let (head, _) = text.split_once("\r\n\r\n")?;
    let mut lines = head.split("\r\n");
    let status = lines.next()?.strip_prefix("HTTP/1.1 ")?.get(..3)?.parse().ok()?;
    let mut fields = lines.filter_map(|line| line.split_once(':'));
    let server = fields.find(|(name, _)| name.eq_ignore_ascii_case("server"));
    Some(Answer { status, server: server.map(|(_, value)| value.trim().to_owned()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_of_an_answer_is_read() {
        let text = "HTTP/1.1 503 Service Unavailable\r\nA: b\r\nServer: ballista/1\r\n\r\nno";
        let expected = Answer { status: 503, server: Some("ballista/1".to_owned()) };
        assert_eq!(answer(text), Some(expected));
        let expected = Answer { status: 200, server: None };
        assert_eq!(answer("HTTP/1.1 200 OK\r\n\r\n"), Some(expected));
        for text in ["", "HTTP/1.1 200 OK\r\n", "SSH-2.0\r\n\r\n", "HTTP/1.1 \u{e9}x\r\n\r\n"] {
            assert_eq!(answer(text), None, "{text}");
        }
    }
}
