//! Ports to listen at.

use std::io::ErrorKind;
use std::net::{IpAddr, SocketAddr, TcpListener};

use super::error::ClusterError;

/// Listens at a port, at any free one where it is 0.
///
/// # Errors
/// Something else listens there, or it is not allowed.
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
