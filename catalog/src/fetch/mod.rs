//! Requests over HTTP: one client, bounded in number, time and size, that keeps credentials to the
//! origin they belong to.

mod auth;
mod client;
mod deadline;
mod failure;
mod netrc;
mod question;
mod redirect;
mod retry;

pub use auth::Credentials;
pub(crate) use auth::{Keyring, decode_percent};
pub(crate) use client::{Client, Limits};
pub(crate) use failure::{FetchError, shown};
pub(crate) use question::{Answer, ByteRange, Question, Status, Validators};
