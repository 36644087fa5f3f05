//! Errors of a server and of the way to it.

use super::url::masked;
use crate::manifest::ManifestError;
use game::visible;
use std::io;

/// The reason why a server did not give what it was asked for. Each message follows the name of the file and a colon.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RemoteError {
    /// No connection, or it broke.
    #[error("the server cannot be reached: {reason}")]
    Unreachable {
        /// The reason.
        reason: String,
    },
    /// The connection ended before the answer.
    #[error("the server broke off its answer")]
    BrokeOff,
    /// A time-out.
    #[error("the server did not answer in time")]
    Late,
    /// A status that is an error.
    #[error("the server answered with the status {status}")]
    Status {
        /// The status.
        status: u16,
    },
    /// The file is elsewhere. Redirects are not followed, because they may lead from a server that is trusted to any other.
    #[error("the server answered that the file is elsewhere (status {status}){}", elsewhere(to.as_deref()))]
    Redirect {
        /// The status.
        status: u16,
        /// The address that the server gave.
        to: Option<String>,
    },
    /// The answer to a range request is the whole file.
    #[error("the server does not support range requests: it answered with the status 200 instead of 206")]
    NoRanges,
    /// The range is not in the file.
    #[error("the server has no such bytes: its file is shorter, or empty")]
    TooShort,
    /// The answer has another range than the asked one.
    #[error("the server sent other bytes than it was asked for: `{}`", visible(sent))]
    WrongRange {
        /// The range of the answer, as the server wrote it.
        sent: String,
    },
    /// The answer is compressed.
    #[error("the server compressed its answer, although it was told not to")]
    Encoded,
    /// The answer has another length than it said.
    #[error("the server sent a wrong number of bytes instead of {expected}")]
    Length {
        /// The number of bytes that the answer should have.
        expected: u64,
    },
    /// The file changed after it was opened.
    #[error("the file on the server has changed since it was opened")]
    Changed,
    /// The certificate of the server is not trusted.
    #[error("the certificate of the server is not trusted: {reason}")]
    Certificate {
        /// The reason.
        reason: String,
    },
    /// No certificates of authorities were found.
    #[error(
        "this machine has no certificates of authorities, which https needs; install them, or set SSL_CERT_FILE"
    )]
    NoAuthorities,
    /// The answer is not HTTP.
    #[error("the server does not speak HTTP as it should: {reason}")]
    Protocol {
        /// The reason.
        reason: String,
    },
    /// The manifest of the server is wrong.
    #[error("the manifest of the server {0}")]
    Manifest(#[from] ManifestError),
    /// A request failed, again and again.
    #[error("{last} ({tries} tries)")]
    Tried {
        /// The number of tries.
        tries: u32,
        /// The last error.
        last: Box<RemoteError>,
    },
}

fn elsewhere(to: Option<&str>) -> String {
    to.map_or_else(String::new, |to| format!(": `{}`", visible(&masked(to))))
}

impl RemoteError {
    /// Returns whether the server is out of reach, or cannot answer now. Nothing is known about its tables then.
    pub fn is_out_of_reach(&self) -> bool {
        match self {
            Self::Tried { last, .. } => last.is_out_of_reach(),
            Self::Unreachable { .. } | Self::BrokeOff | Self::Late => true,
            Self::Status { status } => *status >= 500 || is_busy(*status),
            _ => false,
        }
    }
}

/// Returns whether the status says that another try may help.
fn is_busy(status: u16) -> bool {
    // Request time-out, and too many requests.
    matches!(status, 408 | 429)
}

impl From<RemoteError> for io::Error {
    fn from(error: RemoteError) -> Self {
        let kind = match error.is_out_of_reach() {
            true => io::ErrorKind::HostUnreachable,
            false => io::ErrorKind::InvalidData,
        };
        io::Error::new(kind, error)
    }
}
