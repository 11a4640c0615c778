//! Queries that are on their way.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use datafusion::prelude::SessionContext;

use super::address::Address;
use super::job::cancel;
use super::sent::Sent;

/// The queries that a context has sent to its scheduler.
#[derive(Debug)]
pub struct Running {
    address: Address,
    queries: Mutex<Vec<Weak<Sent>>>,
}

impl Running {
    pub(super) fn new(address: Address) -> Self {
        Self { address, queries: Mutex::default() }
    }

    /// Those of a context that [`connect`](super::connect) made.
    #[must_use]
    pub fn of(context: &SessionContext) -> Option<Arc<Self>> {
        context.copied_config().get_extension()
    }

    /// Asks the scheduler to end all of them. Whoever waits for one gets an error.
    pub async fn cancel(&self) {
        let jobs: Vec<_> = self.there().iter().filter_map(|query| query.job_id()).collect();
        for job in jobs {
            cancel(format!("http://{}", self.address), job.into()).await;
        }
    }

    /// One more.
    pub(super) fn add(&self, query: &Arc<Sent>) {
        let mut queries = self.queries.lock().unwrap_or_else(PoisonError::into_inner);
        queries.retain(|query| query.strong_count() > 0);
        queries.push(Arc::downgrade(query));
    }

    fn there(&self) -> Vec<Arc<Sent>> {
        let queries = self.queries.lock().unwrap_or_else(PoisonError::into_inner);
        queries.iter().filter_map(Weak::upgrade).collect()
    }
}
