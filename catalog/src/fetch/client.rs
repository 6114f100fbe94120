//! The client: made when first needed, bounded in number of requests, time, redirects and size.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use hermes_terms::Code;
use reqwest::header::LOCATION;
use reqwest::{Response, StatusCode};
use tokio::sync::Semaphore;
use url::Url;

use super::auth::Keyring;
use super::deadline::Deadline;
use super::failure::{Again, FetchError, shown};
use super::question::{Answer, Question, Status};
use super::{redirect, retry};

const CONNECT: Duration = Duration::from_secs(10);
const IDLE: Duration = Duration::from_secs(30);

/// What bounds all requests of one client.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// Requests at one time.
    pub(crate) concurrency: usize,
    /// Attempts after the first.
    pub(crate) retries: u32,
    /// The end of all waiting.
    pub(crate) deadline: Option<Instant>,
}

/// What went over the network.
#[derive(Debug, Default)]
pub(crate) struct Traffic {
    /// Requests, each redirect and each attempt counted.
    pub(crate) requests: AtomicU64,
    /// Bytes of bodies.
    pub(crate) bytes: AtomicU64,
}

/// Asks questions over HTTP.
#[derive(Debug)]
pub(crate) struct Client {
    http: OnceLock<Result<reqwest::Client, FetchError>>,
    gate: Semaphore,
    keyring: Keyring,
    retries: u32,
    deadline: Deadline,
    traffic: Traffic,
}

impl Client {
    /// A client; nothing is set up yet.
    pub(crate) fn new(keyring: Keyring, limits: Limits) -> Self {
        Self {
            http: OnceLock::new(),
            gate: Semaphore::new(limits.concurrency.clamp(1, 1000)),
            keyring,
            retries: limits.retries,
            deadline: Deadline::new(limits.deadline),
            traffic: Traffic::default(),
        }
    }

    /// What went over the network so far.
    pub(crate) fn traffic(&self) -> &Traffic {
        &self.traffic
    }

    /// Asks, a few times if need be.
    pub(crate) async fn ask(&self, question: &Question<'_>) -> Result<Answer, FetchError> {
        let url = &question.url;
        if url.scheme() != "https" && !self.keyring.allows_plain() {
            let message = format!("{} is not secure, while every index is", shown(url));
            return Err(FetchError::last(Code::NetRedirect, message));
        }
        let mut made = 0;
        loop {
            let error = match self.deadline.limit(url, self.attempt(question)).await {
                Ok(answer) => return Ok(answer),
                Err(error) => error,
            };
            match retry::pause(error.again, made, self.retries) {
                Some(wait) if self.deadline.allows(wait) => tokio::time::sleep(wait).await,
                _ => return Err(error),
            }
            made += 1;
        }
    }

    /// One attempt, redirects and body included.
    async fn attempt(&self, question: &Question<'_>) -> Result<Answer, FetchError> {
        let busy = |_| FetchError::last(Code::Internal, "the network client was closed");
        let _permit = self.gate.acquire().await.map_err(busy)?;
        let mut url = question.url.clone();
        for _ in 0..=redirect::MAX_HOPS {
            let response = self.send(question, &url).await?;
            let status = response.status();
            if matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308) {
                let location = response.headers().get(LOCATION);
                // A header that is no text is as good as none.
                url = redirect::next(&url, location.and_then(|value| value.to_str().ok()))?;
                continue;
            }
            return match Status::of(status) {
                Some(kind) => self.receive(kind, response, url, question.limit).await,
                None => Err(refused(status, &response, &url)),
            };
        }
        let message = format!(
            "{} redirects more than {} times",
            shown(&question.url),
            redirect::MAX_HOPS
        );
        Err(FetchError::last(Code::NetRedirect, message))
    }

    /// Sends one request; with credentials only to the origin that was asked first.
    async fn send(&self, question: &Question<'_>, url: &Url) -> Result<Response, FetchError> {
        self.traffic.requests.fetch_add(1, Ordering::Relaxed);
        let http = self.http.get_or_init(connect).as_ref().map_err(Clone::clone)?;
        let mut request = question.apply(http.get(url.clone()));
        if url.origin() == question.url.origin()
            && let Some(own) = self.keyring.find(url)
        {
            request = request.basic_auth(own.user(), Some(own.secret()));
        }
        request
            .send()
            .await
            .map_err(|error| FetchError::from_library(&error, url))
    }

    async fn receive(
        &self,
        status: Status,
        mut response: Response,
        url: Url,
        limit: u64,
    ) -> Result<Answer, FetchError> {
        let mut answer = Answer::new(status, url, response.headers());
        if !status.has_body() {
            return Ok(answer);
        }
        let too_large = |url| {
            FetchError::last(
                Code::LimitsSize,
                format!("{} is larger than {limit} bytes", shown(url)),
            )
        };
        if response.content_length().is_some_and(|length| length > limit) {
            return Err(too_large(&answer.url));
        }
        loop {
            let chunk = response
                .chunk()
                .await
                .map_err(|error| truncated(&error, &answer.url))?;
            let Some(chunk) = chunk else { return Ok(answer) };
            self.traffic
                .bytes
                .fetch_add(chunk.len() as u64, Ordering::Relaxed);
            if (answer.body.len() + chunk.len()) as u64 > limit {
                return Err(too_large(&answer.url));
            }
            answer.body.extend_from_slice(&chunk);
        }
    }
}

/// An error while the body arrives: whatever the library calls it, the answer is not complete.
fn truncated(error: &reqwest::Error, url: &Url) -> FetchError {
    let mut fault = FetchError::from_library(error, url);
    if fault.code == Code::IndexUnavailable {
        fault.code = Code::NetTruncated;
        fault.message = format!("the answer of {} ended before it was complete", shown(url));
    }
    fault
}

/// The failure that a status means.
fn refused(status: StatusCode, response: &Response, url: &Url) -> FetchError {
    let place = shown(url);
    match status.as_u16() {
        401 | 403 | 407 => FetchError::last(
            Code::IndexUnauthorized,
            format!(
                "{place} answers {status}: give credentials in the index's address or in netrc, or mend them"
            ),
        ),
        408 | 425 | 429 | 500..=599 => {
            let again = retry::retry_after(response.headers());
            FetchError::new(Code::IndexUnavailable, format!("{place} answers {status}"), again)
        }
        _ => FetchError::last(Code::IndexUnavailable, format!("{place} answers {status}")),
    }
}

/// Builds the HTTP client. Redirects are followed here and not by the library, so that every hop is
/// judged and no header goes along unseen.
fn connect() -> Result<reqwest::Client, FetchError> {
    // Fails when another part of the process installed one, which is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder()
        .user_agent(concat!("hermes-pm/", env!("CARGO_PKG_VERSION")))
        .redirect(reqwest::redirect::Policy::none())
        .referer(false)
        .connect_timeout(CONNECT)
        .read_timeout(IDLE)
        .pool_max_idle_per_host(16)
        .build()
        .map_err(|error| {
            let mut cause: &dyn std::error::Error = &error;
            while let Some(inner) = cause.source() {
                cause = inner;
            }
            let message = format!(
                "secure connections cannot be set up: {cause}; are the system's certificates installed?"
            );
            FetchError::new(Code::NetTls, message, Again::Never)
        })
}
