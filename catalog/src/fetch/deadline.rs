//! The limits on time: one for each attempt, and the moment that the caller set for everything.

use std::future::Future;
use std::time::{Duration, Instant};

use hermes_terms::Code;
use url::Url;

use super::failure::{Again, FetchError, shown};

/// The longest that one attempt may take, body included; a trickle of bytes defeats idle limits.
const ATTEMPT: Duration = Duration::from_mins(5);

/// The moment after which nothing is waited for.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Deadline(Option<Instant>);

impl Deadline {
    pub(crate) fn new(moment: Option<Instant>) -> Self {
        Self(moment)
    }

    /// Whether there is time to wait that long.
    pub(crate) fn allows(self, wait: Duration) -> bool {
        self.0.is_none_or(|end| Instant::now() + wait < end)
    }

    /// Runs one attempt within both limits.
    pub(crate) async fn limit<T>(
        self,
        url: &Url,
        attempt: impl Future<Output = Result<T, FetchError>>,
    ) -> Result<T, FetchError> {
        let end = Instant::now() + ATTEMPT;
        let (end, again) = match self.0 {
            Some(own) if own <= end => (own, Again::Never),
            _ => (end, Again::Soon),
        };
        let late = || {
            FetchError::new(
                Code::NetTimeout,
                format!("time ran out waiting for {}", shown(url)),
                again,
            )
        };
        if Instant::now() >= end {
            return Err(late());
        }
        tokio::time::timeout_at(end.into(), attempt)
            .await
            .unwrap_or_else(|_| Err(late()))
    }
}
