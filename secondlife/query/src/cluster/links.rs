//! How soon it is noticed that somebody is gone.
//!
//! A process that dies closes its connections. A machine that dies does not: so all connections are pinged, and none is
//! waited for long. Ballista's own patience is 3 to 5 minutes.

use std::sync::Arc;
use std::time::Duration;

use ballista_core::extension::EndpointOverrideFn;

/// How long a connection may take to be made.
const CONNECT: Duration = Duration::from_secs(10);
/// How often one is pinged.
pub(super) const PING: Duration = Duration::from_secs(10);
/// How long an answer to that may take.
const PONG: Duration = Duration::from_secs(10);
/// The largest message, in bytes: a plan with the names of all files, or a batch of rows.
pub(super) const LARGEST_MESSAGE: u32 = 64 << 20;

/// What is set for each connection that is made.
pub(super) fn endpoint() -> EndpointOverrideFn {
    Arc::new(|endpoint| {
        Ok(endpoint
            .connect_timeout(CONNECT)
            .http2_keep_alive_interval(PING)
            .keep_alive_timeout(PONG)
            .keep_alive_while_idle(true))
    })
}
