//! Where a scheduler is.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use super::error::ClusterError;

/// The port of a scheduler, unless another one is said; Ballista's own.
const PORT: u16 = 50050;

/// A host and a port: `10.0.0.7:50050`, `[::1]:50050`, `scheduler`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// A name, or an address without brackets.
    pub host: String,
    /// 50050, unless another one was said.
    pub port: u16,
}

impl FromStr for Address {
    type Err = ClusterError;

    fn from_str(text: &str) -> Result<Self, ClusterError> {
        let no_address = || ClusterError::new(text, "this is no HOST:PORT");
        let (host, port) = match text.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            Some((host, "")) => (host, None),
            Some((host, rest)) => (host, Some(rest.strip_prefix(':').ok_or_else(no_address)?)),
            None if text.parse::<IpAddr>().is_ok() => (text, None),
            None => text.rsplit_once(':').map_or((text, None), |(host, port)| (host, Some(port))),
        };
        let port = port.map_or(Ok(PORT), str::parse).map_err(|_| no_address())?;
        let is_name = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        if port == 0 || host.is_empty() || !(host.chars().all(is_name) || is_address(host)) {
            return Err(no_address());
        }
        Ok(Self { host: host.to_owned(), port })
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", bracketed(&self.host), self.port)
    }
}

/// A host as it stands in a URL.
pub(super) fn bracketed(host: &str) -> String {
    if host.contains(':') { format!("[{host}]") } else { host.to_owned() }
}

fn is_address(host: &str) -> bool {
    host.parse::<IpAddr>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_comes_with_or_without_a_port() {
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
    fn what_is_no_address_is_refused() {
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
}
