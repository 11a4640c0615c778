//! A context whose plans go to a scheduler.

use std::io::ErrorKind;
use std::sync::Arc;

use ballista::prelude::SessionConfigExt;
use ballista_core::BALLISTA_VERSION;
use ballista_core::planner::BallistaQueryPlanner;
use datafusion::prelude::{SessionConfig, SessionContext};

use super::address::Address;
use super::error::ClusterError;
use super::health::{ALIVE, ask};
use super::planner::WatchedPlanner;
use super::running::Running;
use super::session;

/// A context whose plans go to the scheduler at `HOST:PORT`. lodger's functions are registered in it.
///
/// Tables are opened here, and again by the scheduler and by executors: their files must have the same paths or URLs
/// everywhere. A query ends with one error, a [`ClusterError`] in a
/// [`DataFusionError::External`](datafusion::error::DataFusionError::External), where it fails, where the scheduler is
/// gone, or where no executor has been there for 20 seconds.
///
/// # Errors
/// Nobody answers there within some seconds, or it is no scheduler of this version.
pub async fn connect(address: &str, config: SessionConfig) -> Result<SessionContext, ClusterError> {
    let address: Address = address.parse()?;
    greet(&address).await?;
    let fail = |error: datafusion::error::DataFusionError| {
        ClusterError::new(&address, error.strip_backtrace())
    };
    let running = Arc::new(Running::new(address.clone()));
    let config = session::agreed(config).with_extension(Arc::clone(&running));
    let ballista = BallistaQueryPlanner::with_extension(
        format!("http://{address}"),
        config.ballista_config(),
        config.ballista_logical_extension_codec(),
    );
    let planner = WatchedPlanner { ballista, address: address.clone(), running };
    let runtime = session::runtime(None).map_err(fail)?;
    let builder = session::builder(config, runtime).with_query_planner(Arc::new(planner));
    Ok(SessionContext::new_with_state(session::finished(builder).map_err(fail)?))
}

/// Looks whether a scheduler of this version is there.
async fn greet(address: &Address) -> Result<(), ClusterError> {
    let fail = |problem: String| Err(ClusterError::new(address, problem));
    let answer = match ask(address, ALIVE).await {
        Ok(answer) => answer,
        Err(error) if error.kind() == ErrorKind::ConnectionRefused => {
            return fail(
                "no scheduler listens there; start one with `lodger grid scheduler`".into(),
            );
        }
        Err(error) => return fail(format!("no scheduler answers there: {error}")),
    };
    match answer.server.as_deref().and_then(|server| server.strip_prefix("ballista/")) {
        Some(BALLISTA_VERSION) if answer.status == 200 => Ok(()),
        Some(BALLISTA_VERSION) => {
            fail(format!("the scheduler is not well: it answers {}", answer.status))
        }
        Some(version) => fail(format!(
            "the scheduler is of Ballista {version}, this program of {BALLISTA_VERSION}; both must be the same"
        )),
        None => fail("what listens there is no scheduler".into()),
    }
}
