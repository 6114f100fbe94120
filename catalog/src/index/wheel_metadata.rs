//! Where the metadata of a file comes from: the `.metadata` file beside it (PEP 658, 714), tried
//! even when the index does not announce it; else a few ranges of the wheel; else the whole wheel.

use hermes_pep::{DistFilename, IndexFile, PackageName};
use hermes_terms::Code;
use sha2::{Digest as _, Sha256};
use url::Url;

use super::fault::{IndexError, MetadataError};
use super::hosts::Hosts;
use super::metadata::{MAX_METADATA, headers, is_plausible};
use crate::archive::{Directory, LocalSpan, Member, Window, ZipFault, read_member};
use crate::fetch::{Answer, ByteRange, Client, FetchError, Question, Status, shown};

/// How much of the end of a wheel is asked for: the end record with the longest comment, and most
/// directories.
const TAIL: u64 = 80 << 10;

/// The largest wheel that is fetched whole for its metadata, in bytes.
const MAX_WHOLE: u64 = 512 << 20;

/// Obtains the metadata of one file.
pub(super) struct WheelMetadata<'a> {
    pub(super) client: &'a Client,
    pub(super) hosts: &'a Hosts,
    pub(super) name: &'a PackageName,
    pub(super) file: &'a IndexFile,
}

/// An answer to the question for a part of a file.
enum Piece {
    /// The part, from this position on.
    Part(u64, Vec<u8>),
    /// The server gave everything.
    Whole(Vec<u8>),
    /// The server gives no such part.
    None,
}

impl WheelMetadata<'_> {
    /// The headers of the file's METADATA.
    pub(super) async fn obtain(&self) -> Result<String, MetadataError> {
        let url = Url::parse(&self.file.url).map_err(|_| {
            IndexError::new(
                Code::IndexMalformed,
                format!("the address of {} cannot be read", self.file.filename),
            )
        })?;
        if let Some(text) = self.beside(&url).await? {
            return Ok(text);
        }
        if matches!(self.file.dist, DistFilename::Sdist(_)) {
            let message = format!(
                "{} has no metadata that can be read without building it",
                self.file.filename
            );
            return Err(MetadataError::unusable(Code::BuildRequired, message));
        }
        if self.hosts.may_have_ranges(&url)
            && let Some(bytes) = self.read_parts(&url).await?
        {
            return Ok(headers(&bytes));
        }
        let answer = self.client.ask(&Question::new(url.clone(), MAX_WHOLE)).await?;
        match answer.status {
            Status::Full => self.read_whole(&answer.body).map(|bytes| headers(&bytes)),
            status => Err(self.unexpected(status, &url).into()),
        }
    }

    /// The `.metadata` file beside the file. Unannounced, anything but metadata means that there is none.
    async fn beside(&self, file_url: &Url) -> Result<Option<String>, MetadataError> {
        let announced = self.file.has_metadata;
        if !announced && !self.hosts.may_have_metadata(file_url) {
            return Ok(None);
        }
        let mut url = file_url.clone();
        url.set_path(&format!("{}.metadata", file_url.path()));
        let text = match self.client.ask(&Question::new(url, MAX_METADATA)).await {
            Ok(Answer {
                status: Status::Full,
                body,
                ..
            }) => Some(headers(&body)),
            Ok(_) => None,
            Err(error) if !announced && is_refusal(&error) => None,
            Err(error) => return Err(error.into()),
        };
        let text = text.filter(|text| announced || is_plausible(text));
        if text.is_some() || !announced {
            self.hosts.note_metadata(file_url, text.is_some());
        }
        Ok(text)
    }

    /// METADATA from the parts of a wheel; `None` when the server gives no parts.
    async fn read_parts(&self, url: &Url) -> Result<Option<Vec<u8>>, MetadataError> {
        let range = match self.file.size {
            Some(size) if size > 0 => ByteRange::Span(size.saturating_sub(TAIL), size - 1),
            _ => ByteRange::Last(TAIL),
        };
        let (start, tail) = match self.piece(url, range).await? {
            Piece::Part(start, tail) => (start, tail),
            Piece::Whole(bytes) => return self.read_whole(&bytes).map(Some),
            Piece::None => return Ok(None),
        };
        let tail = Window::new(start, &tail);
        let directory = self.judged(Directory::locate(tail))?;
        let mut fetched = Vec::new();
        if tail.start() > directory.offset {
            match self.span(url, directory.offset, tail.start()).await? {
                Some(bytes) => fetched = bytes,
                None => return Ok(None),
            }
            fetched.extend_from_slice(tail.bytes());
        }
        let known = if fetched.is_empty() {
            tail
        } else {
            Window::new(directory.offset, &fetched)
        };
        let bytes = known.get(directory.offset, directory.length).unwrap_or_default();
        let member = self.judged(directory.members(bytes).and_then(|members| self.pick(members)))?;
        if let Some(content) = self.judged(read_member(known, &member, MAX_METADATA))? {
            return Ok(Some(content));
        }
        self.member(url, &member, directory.offset).await
    }

    /// A member that lies before the tail: a good guess of its bytes first, then all it could need.
    async fn member(&self, url: &Url, member: &Member, end: u64) -> Result<Option<Vec<u8>>, MetadataError> {
        let guess = LocalSpan::guess(member, end);
        // A name and an extra field are at most 65,535 bytes each.
        let most = LocalSpan {
            end: (guess.end + (128 << 10)).min(end),
            ..guess
        };
        for LocalSpan { start, end } in [guess, most] {
            let Some(bytes) = self.span(url, start, end).await? else {
                return Ok(None);
            };
            if let Some(content) =
                self.judged(read_member(Window::new(start, &bytes), member, MAX_METADATA))?
            {
                return Ok(Some(content));
            }
        }
        self.judged(Err(ZipFault("a member overlaps its directory")))
    }

    /// The bytes from `start` up to and without `end`; `None` when the server changed its mind.
    async fn span(&self, url: &Url, start: u64, end: u64) -> Result<Option<Vec<u8>>, MetadataError> {
        match self
            .piece(url, ByteRange::Span(start, end.saturating_sub(1).max(start)))
            .await?
        {
            Piece::Part(_, bytes) => Ok(Some(bytes)),
            Piece::Whole(_) | Piece::None => Ok(None),
        }
    }

    async fn piece(&self, url: &Url, range: ByteRange) -> Result<Piece, MetadataError> {
        let answer = self
            .client
            .ask(&Question::new(url.clone(), MAX_WHOLE).range(range))
            .await?;
        self.hosts.note_ranges(url, answer.status == Status::Partial);
        match answer.status {
            Status::Full => Ok(Piece::Whole(answer.body)),
            Status::NoSuchPart => Ok(Piece::None),
            Status::Partial => {
                let start = fits(range, &answer).ok_or_else(|| {
                    let message = format!("{} answers with another part than was asked for", shown(url));
                    IndexError::new(Code::IndexMalformed, message)
                })?;
                Ok(Piece::Part(start, answer.body))
            }
            status => Err(self.unexpected(status, url).into()),
        }
    }

    /// METADATA from a whole wheel, which must be the one that the index described.
    fn read_whole(&self, bytes: &[u8]) -> Result<Vec<u8>, MetadataError> {
        if let Some(want) = &self.file.sha256
            && hex::encode(Sha256::digest(bytes)) != want.as_str()
        {
            let message = format!(
                "{} has another sha256 digest than its index says",
                self.file.filename
            );
            return Err(MetadataError::unusable(Code::HashMismatch, message));
        }
        let whole = Window::new(0, bytes);
        let read = || {
            let directory = Directory::locate(whole)?;
            let listed = whole.get(directory.offset, directory.length).unwrap_or_default();
            let member = self.pick(directory.members(listed)?)?;
            read_member(whole, &member, MAX_METADATA)?.ok_or(ZipFault("a member is cut off"))
        };
        self.judged(read())
    }

    /// The METADATA of the wheel's own `.dist-info` folder at the top level (PEP 427).
    fn pick(&self, members: Vec<Member>) -> Result<Member, ZipFault> {
        let is_own = |member: &Member| {
            let folder = member.name.strip_suffix(".dist-info/METADATA");
            let name = folder
                .filter(|folder| !folder.contains('/'))
                .and_then(|folder| folder.split_once('-'));
            name.is_some_and(|(name, _)| PackageName::parse(name).as_ref() == Ok(self.name))
        };
        let mut own = members.into_iter().filter(is_own);
        match (own.next(), own.next()) {
            (Some(member), None) => Ok(member),
            (None, _) => Err(ZipFault("it has no METADATA of its own")),
            (Some(_), Some(_)) => Err(ZipFault("it has METADATA twice")),
        }
    }

    fn judged<T>(&self, read: Result<T, ZipFault>) -> Result<T, MetadataError> {
        read.map_err(|fault| {
            let message = format!("{} cannot be read as a wheel: {fault}", self.file.filename);
            MetadataError::unusable(Code::ZipInvalid, message)
        })
    }

    fn unexpected(&self, status: Status, url: &Url) -> IndexError {
        if status == Status::Missing {
            let message = format!(
                "{} is on its index's page, but not at {}",
                self.file.filename,
                shown(url)
            );
            return IndexError::new(Code::IndexUnavailable, message);
        }
        IndexError::new(
            Code::IndexMalformed,
            format!("{} answers what was not asked", shown(url)),
        )
    }
}

/// The start of a part, if it is the one that was asked for.
fn fits(range: ByteRange, answer: &Answer) -> Option<u64> {
    let (first, last, total) = answer.span?;
    let asked = match range {
        ByteRange::Span(from, to) => first == from && last == to.min(total - 1),
        ByteRange::Last(length) => last == total - 1 && first == total.saturating_sub(length),
    };
    (asked && last - first + 1 == answer.body.len() as u64).then_some(first)
}

/// Whether a server answered, and said no.
fn is_refusal(error: &FetchError) -> bool {
    let says_no = matches!(
        error.code,
        Code::IndexUnauthorized | Code::IndexUnavailable | Code::LimitsSize
    );
    says_no && error.is_final()
}
