//! Requests: one range or one whole file, with time-outs, and tried again if that may help.

use super::error::RemoteError;
use super::{Settings, lock};
use std::collections::hash_map::RandomState;
use std::fmt;
use std::hash::BuildHasher;
use std::io::{self, Read};
use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};
use ureq::Agent;
use ureq::http::{HeaderMap, Response};
use ureq::tls::{Certificate, PemItem, RootCerts, TlsConfig, parse_pem};

/// Asks servers.
pub(crate) struct Client {
    settings: Settings,
    /// Made for the first request, because the certificates of the system take some time to read.
    agent: OnceLock<Agent>,
    /// When the server was last out of reach, and why. While it is remembered, no request is sent, so that not every question
    /// has to wait.
    out_of_reach: Mutex<Option<(Instant, RemoteError)>>,
}

/// A part of a file.
pub(crate) struct Piece {
    pub bytes: Vec<u8>,
    pub version: Version,
}

/// Identifies the contents of a file on a server.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Version {
    /// The length of the whole file.
    pub length: u64,
    /// The `ETag` of the file, or else the time of its last change. `None` if the server tells neither.
    pub tag: Option<String>,
}

/// The result of one try.
type Tried<T> = Result<T, Failed>;

/// A failed try, and whether to try again: `None`, or at the earliest after this time.
struct Failed {
    error: RemoteError,
    again: Option<Duration>,
}

impl From<RemoteError> for Failed {
    fn from(error: RemoteError) -> Self {
        let again = error.is_out_of_reach().then_some(Duration::ZERO);
        Self { error, again }
    }
}

impl Client {
    pub(crate) fn new(settings: Settings) -> Self {
        Self { settings, agent: OnceLock::new(), out_of_reach: Mutex::default() }
    }

    /// Reads a range of a file, or its beginning if the file ends earlier. Returns `None` if the server has no such file.
    pub(crate) fn range(&self, url: &str, range: Range<u64>) -> Result<Option<Piece>, RemoteError> {
        self.repeated(|| {
            let asked = format!("bytes={}-{}", range.start, range.end - 1);
            let response = self.agent(url)?.get(url).header("Range", asked).call().map_err(failed)?;
            match response.status().as_u16() {
                206 => partial(response, &range).map(Some),
                200 => Err(RemoteError::NoRanges.into()),
                416 => Err(RemoteError::TooShort.into()),
                status => refused(status, &response).map(|()| None),
            }
        })
    }

    /// Reads a whole file, or the first `most + 1` bytes of a longer one. Returns `None` if the server has no such file.
    pub(crate) fn whole(&self, url: &str, most: u64) -> Result<Option<Vec<u8>>, RemoteError> {
        self.repeated(|| {
            let mut response = self.agent(url)?.get(url).call().map_err(failed)?;
            match response.status().as_u16() {
                200 => {
                    check_encoding(response.headers())?;
                    let expected = response.body().content_length();
                    let bytes = read(&mut response, most)?;
                    let length = bytes.len() as u64;
                    match expected.filter(|&expected| expected != length && length <= most) {
                        Some(expected) => Err(RemoteError::Length { expected }.into()),
                        None => Ok(Some(bytes)),
                    }
                }
                status => refused(status, &response).map(|()| None),
            }
        })
    }

    /// Tries a request until it succeeds, until another try would not help, or as often as allowed.
    fn repeated<T>(&self, attempt: impl Fn() -> Tried<T>) -> Result<T, RemoteError> {
        if let Some((when, error)) = &*lock(&self.out_of_reach)
            && when.elapsed() < self.settings.remember
        {
            return Err(error.clone());
        }
        let mut tries = 1;
        loop {
            let Failed { error, again } = match attempt() {
                Ok(answer) => return Ok(answer),
                Err(failed) => failed,
            };
            match again {
                Some(earliest) if tries < self.settings.tries => {
                    std::thread::sleep(self.pause(tries, earliest))
                }
                _ => {
                    let is_out_of_reach = error.is_out_of_reach();
                    let error =
                        if tries == 1 { error } else { RemoteError::Tried { tries, last: Box::new(error) } };
                    if is_out_of_reach {
                        *lock(&self.out_of_reach) = Some((Instant::now(), error.clone()));
                    }
                    return Err(error);
                }
            }
            tries += 1;
        }
    }

    /// The pause after a number of tries.
    fn pause(&self, tries: u32, earliest: Duration) -> Duration {
        let Settings { first_pause, longest_pause, .. } = self.settings;
        let doubled = first_pause.saturating_mul(1 << (tries - 1).min(16)).min(longest_pause);
        // Between a half and the whole. The state of a hasher is random.
        let random = RandomState::new().hash_one(tries) as u32;
        let shortened = doubled / 2 + (doubled / 2).mul_f64(f64::from(random) / f64::from(u32::MAX));
        shortened.max(earliest.min(longest_pause))
    }

    fn agent(&self, url: &str) -> Result<&Agent, RemoteError> {
        if let Some(agent) = self.agent.get() {
            return Ok(agent);
        }
        let Settings { connect, read, total, authorities, .. } = &self.settings;
        let mut config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .accept_encoding("identity")
            .user_agent(concat!("endspiel/", env!("CARGO_PKG_VERSION")))
            .timeout_resolve(Some(*connect))
            .timeout_connect(Some(*connect))
            .timeout_per_read(Some(*read))
            .timeout_per_write(Some(*read))
            .timeout_global(Some(*total));
        if url.starts_with("https:") {
            config = config.tls_config(tls(authorities)?);
        }
        Ok(self.agent.get_or_init(|| config.build().into()))
    }
}

/// Trusts the authorities that the system trusts, and those in a PEM text.
fn tls(authorities: &[u8]) -> Result<TlsConfig, RemoteError> {
    let given = parse_pem(authorities).filter_map(|item| match item {
        Ok(PemItem::Certificate(certificate)) => Some(certificate),
        _ => None,
    });
    // Certificates that cannot be read are left out: the others may be enough.
    let system = rustls_native_certs::load_native_certs().certs;
    let system = system.iter().map(|certificate| Certificate::from_der(certificate).to_owned());
    let certificates: Vec<_> = given.chain(system).collect();
    if certificates.is_empty() {
        return Err(RemoteError::NoAuthorities);
    }
    Ok(TlsConfig::builder()
        .root_certs(RootCerts::Specific(Arc::new(certificates)))
        .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .build())
}

/// Reads the answer to a range request, and checks that it is what was asked for.
fn partial(mut response: Response<ureq::Body>, range: &Range<u64>) -> Tried<Piece> {
    check_encoding(response.headers())?;
    let sent = header(response.headers(), "Content-Range").unwrap_or_default();
    let wrong = || RemoteError::WrongRange { sent: sent.clone() };
    let (got, length) = content_range(&sent).ok_or_else(wrong)?;
    if got.start != range.start || got.end != range.end.min(length) {
        return Err(wrong().into());
    }
    let expected = got.end - got.start;
    if response.body().content_length().is_some_and(|length| length != expected) {
        return Err(RemoteError::Length { expected }.into());
    }
    let tag = header(response.headers(), "ETag").or_else(|| header(response.headers(), "Last-Modified"));
    let bytes = read(&mut response, expected)?;
    if bytes.len() as u64 != expected {
        return Err(RemoteError::Length { expected }.into());
    }
    Ok(Piece { bytes, version: Version { length, tag } })
}

/// Reads a body of at most `most` bytes. Of a longer one, one further byte is read.
fn read(response: &mut Response<ureq::Body>, most: u64) -> Tried<Vec<u8>> {
    let mut bytes = Vec::new();
    let body = response.body_mut().as_reader();
    body.take(most + 1).read_to_end(&mut bytes).map_err(|error| failed(error.into()))?;
    Ok(bytes)
}

/// Parses `bytes 0-99/1234`: the range, and the length of the whole file, which is at most that of the longest file there can be.
fn content_range(text: &str) -> Option<(Range<u64>, u64)> {
    let (range, length) = text.strip_prefix("bytes ")?.split_once('/')?;
    let (first, last) = range.split_once('-')?;
    let (first, last, length): (u64, u64, u64) =
        (first.parse().ok()?, last.parse().ok()?, length.parse().ok()?);
    (first <= last && last < length && length <= i64::MAX as u64).then(|| (first..last + 1, length))
}

fn check_encoding(headers: &HeaderMap) -> Result<(), RemoteError> {
    match header(headers, "Content-Encoding") {
        Some(encoding) if !encoding.eq_ignore_ascii_case("identity") => Err(RemoteError::Encoded),
        _ => Ok(()),
    }
}

/// A header as text. What is not text is left out.
fn header(headers: &HeaderMap, name: &str) -> Option<String> {
    headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_owned)
}

/// The meaning of a status that is not a success. `Ok` says that the server has no such file.
fn refused(status: u16, response: &Response<ureq::Body>) -> Tried<()> {
    match status {
        403 | 404 | 410 => Ok(()),
        300..=399 => Err(RemoteError::Redirect { status, to: header(response.headers(), "Location") }.into()),
        _ => {
            let mut failed = Failed::from(RemoteError::Status { status });
            // A date is not understood: then the pause is the usual one.
            let seconds = header(response.headers(), "Retry-After").and_then(|text| text.trim().parse().ok());
            failed.again = failed.again.map(|usual| seconds.map_or(usual, Duration::from_secs));
            Err(failed)
        }
    }
}

/// The meaning of an error of the HTTP client.
fn failed(error: ureq::Error) -> Failed {
    let certificate = |error: &rustls::Error| match error {
        rustls::Error::InvalidCertificate(reason) => RemoteError::Certificate { reason: format!("{reason}") },
        other => RemoteError::Protocol { reason: other.to_string() },
    };
    match error {
        ureq::Error::Timeout(_) => RemoteError::Late,
        ureq::Error::Rustls(error) => certificate(&error),
        ureq::Error::HostNotFound => {
            RemoteError::Unreachable { reason: "there is no such server".to_owned() }
        }
        ureq::Error::ConnectionFailed => RemoteError::Unreachable { reason: "no connection".to_owned() },
        ureq::Error::Io(error) => {
            let inner = error.get_ref();
            match inner.and_then(|inner| inner.downcast_ref::<rustls::Error>()) {
                Some(error) => certificate(error),
                None => match error.kind() {
                    io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => RemoteError::Late,
                    io::ErrorKind::UnexpectedEof
                    | io::ErrorKind::ConnectionReset
                    | io::ErrorKind::ConnectionAborted
                    | io::ErrorKind::BrokenPipe => RemoteError::BrokeOff,
                    _ => RemoteError::Unreachable { reason: error.to_string() },
                },
            }
        }
        // The text of this error has the address, with its password.
        ureq::Error::BadUri(_) => RemoteError::Protocol { reason: "the address cannot be used".to_owned() },
        other => RemoteError::Protocol { reason: other.to_string() },
    }
    .into()
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("settings", &self.settings).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_understood_or_refused() {
        assert_eq!(content_range("bytes 0-99/1234"), Some((0..100, 1234)));
        assert_eq!(content_range("bytes 5-5/6"), Some((5..6, 6)));
        for wrong in [
            "",
            "bytes",
            "bytes 0-99",
            "bytes */1234",
            "bytes 0-99/*",
            "bytes 9-3/10",
            "bytes 0-10/10",
            "bytes -5/10",
            "items 0-9/10",
            "bytes 0-18446744073709551615/18446744073709551616",
        ] {
            assert_eq!(content_range(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn pauses_grow_up_to_the_longest() {
        let settings = Settings {
            first_pause: Duration::from_millis(100),
            longest_pause: Duration::from_secs(1),
            ..Settings::default()
        };
        let client = Client::new(settings);
        for (tries, whole) in [(1, 100), (2, 200), (3, 400), (4, 800), (5, 1000), (40, 1000)] {
            let pause = client.pause(tries, Duration::ZERO).as_millis();
            assert!((whole / 2..=whole).contains(&pause), "{tries}: {pause}");
        }
        assert_eq!(client.pause(1, Duration::from_millis(700)).as_millis(), 700);
        assert_eq!(client.pause(1, Duration::from_secs(3600)).as_millis(), 1000);
    }
}
