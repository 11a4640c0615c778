//! Addresses of a cluster: parsing, listening, and the health of a scheduler.

use std::io::ErrorKind;
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::str::FromStr;
use std::time::Duration;
use std::{fmt, io};

use datafusion::error::DataFusionError;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// A cluster cannot be reached, or a query on it failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{address}: {problem}")]
#[non_exhaustive]
pub struct ClusterError {
    /// The scheduler or the address.
    pub address: String,
    /// The problem, in one line.
    pub problem: String,
    /// Whether an executor has too little memory for a query.
    pub is_memory: bool,
}

impl ClusterError {
    pub(super) fn new(address: impl fmt::Display, problem: impl Into<String>) -> Self {
        Self { address: address.to_string(), problem: problem.into(), is_memory: false }
    }
}

impl From<ClusterError> for DataFusionError {
    fn from(error: ClusterError) -> Self {
        Self::External(Box::new(error))
    }
}

const PORT: u16 = 50050;

/// A host and a port: `10.0.0.7:50050`, `[::1]:50050`, `scheduler`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// A name, or an address without brackets.
    pub host: String,
    /// The port, 50050 by default.
    pub port: u16,
}

impl FromStr for Address {
    type Err = ClusterError;

    fn from_str(text: &str) -> Result<Self, ClusterError> {
        let invalid = || ClusterError::new(text, "this is no HOST:PORT");
        let (host, port) = match text.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            Some((host, "")) => (host, None),
            Some((host, rest)) => (host, Some(rest.strip_prefix(':').ok_or_else(invalid)?)),
            None if text.parse::<IpAddr>().is_ok() => (text, None),
            None => text.rsplit_once(':').map_or((text, None), |(host, port)| (host, Some(port))),
        };
        let port = port.map_or(Ok(PORT), str::parse).map_err(|_| invalid())?;
        let is_name = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        if port == 0
            || host.is_empty()
            || !(host.chars().all(is_name) || host.parse::<IpAddr>().is_ok())
        {
            return Err(invalid());
        }
        Ok(Self { host: host.to_owned(), port })
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", bracketed(&self.host), self.port)
    }
}

/// Returns a host as in a URL, with brackets around IPv6 addresses.
pub(super) fn bracketed(host: &str) -> String {
    if host.contains(':') { format!("[{host}]") } else { host.to_owned() }
}

/// Listens at a port; 0 is any free port.
pub(super) fn listen(bind: IpAddr, port: u16) -> Result<(TcpListener, SocketAddr), ClusterError> {
    let wanted = SocketAddr::new(bind, port);
    let listen = || {
        let listener = TcpListener::bind(wanted)?;
        let address = listener.local_addr()?;
        Ok((listener, address))
    };
    listen().map_err(|error: std::io::Error| {
        let problem = match error.kind() {
            ErrorKind::AddrInUse => "another program listens at this port".to_owned(),
            ErrorKind::AddrNotAvailable => "this machine has no such address".to_owned(),
            ErrorKind::PermissionDenied => "this port is not allowed to this user".to_owned(),
            _ => format!("cannot listen there: {error}"),
        };
        ClusterError::new(wanted, problem)
    })
}

const TIMEOUT: Duration = Duration::from_secs(5);
/// The limit of bytes of the head of a response.
const MAX_HEAD: u64 = 16 << 10;

pub(super) const ALIVE: &str = "/healthz";
pub(super) const READY: &str = "/readyz";

#[derive(Debug, PartialEq, Eq)]
pub(super) struct HealthResponse {
    /// The HTTP status; 200 means healthy.
    pub(super) status: u16,
    /// The field `server`: `ballista/55.0.0`.
    pub(super) server: Option<String>,
}

/// Requests a path of a scheduler's HTTP interface.
///
/// # Errors
///
/// There is no response within 5 seconds, or it is not HTTP.
pub(super) async fn health(address: &Address, path: &str) -> io::Result<HealthResponse> {
    timeout(TIMEOUT, exchange(address, path))
        .await
        .unwrap_or_else(|_| Err(io::Error::new(io::ErrorKind::TimedOut, "no answer in 5 s")))
}

async fn exchange(address: &Address, path: &str) -> io::Result<HealthResponse> {
    let mut stream = TcpStream::connect((address.host.as_str(), address.port)).await?;
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    let mut bytes = Vec::new();
    stream.take(MAX_HEAD).read_to_end(&mut bytes).await?;
    let text = String::from_utf8_lossy(&bytes);
    parse_response(&text)
        .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "it does not speak HTTP"))
}

fn parse_response(text: &str) -> Option<HealthResponse> {
    let (head, _) = text.split_once("\r\n\r\n")?;
    let mut lines = head.split("\r\n");
    let status = lines.next()?.strip_prefix("HTTP/1.1 ")?.get(..3)?.parse().ok()?;
    let mut fields = lines.filter_map(|line| line.split_once(':'));
    let server = fields.find(|(name, _)| name.eq_ignore_ascii_case("server"));
    Some(HealthResponse { status, server: server.map(|(_, value)| value.trim().to_owned()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_parsed_with_and_without_port() {
        for (text, shown) in [
            ("localhost:1", "localhost:1"),
            ("scheduler", "scheduler:50050"),
            ("10.0.0.7", "10.0.0.7:50050"),
            ("[::1]:65535", "[::1]:65535"),
            ("[::1]", "[::1]:50050"),
            ("::1", "[::1]:50050"),
        ] {
            assert_eq!(text.parse::<Address>().unwrap().to_string(), shown);
        }
    }

    #[test]
    fn invalid_addresses_are_rejected() {
        for text in [
            "",
            ":1",
            "a:",
            "a:b",
            "a:0",
            "a:65536",
            "[::1]1",
            "a/b:1",
            "http://a:1",
            "a b:1",
            "a@b:1",
        ] {
            assert!(text.parse::<Address>().is_err(), "{text}");
        }
    }

    #[test]
    fn the_head_of_a_response_is_parsed() {
        let text = "HTTP/1.1 503 Service Unavailable\r\nA: b\r\nServer: ballista/1\r\n\r\nno";
        let expected = HealthResponse { status: 503, server: Some("ballista/1".to_owned()) };
        assert_eq!(parse_response(text), Some(expected));
        let expected = HealthResponse { status: 200, server: None };
        assert_eq!(parse_response("HTTP/1.1 200 OK\r\n\r\n"), Some(expected));
        for text in ["", "HTTP/1.1 200 OK\r\n", "SSH-2.0\r\n\r\n", "HTTP/1.1 \u{e9}x\r\n\r\n"] {
            assert_eq!(parse_response(text), None, "{text}");
        }
    }
}
