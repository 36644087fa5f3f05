//! The address of a server.

use std::fmt;
use ureq::http::Uri;

/// The address of the folder of the tables. It may contain a password, so it is never shown as it is.
#[derive(Clone)]
pub(crate) struct BaseUrl {
    /// Without a slash at the end.
    text: String,
    shown: String,
}

/// The text is not the address of a server.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{url}` is not the address of a server with tables: {why}")]
pub struct UrlError {
    /// The text, without name and password.
    pub url: String,
    /// The reason.
    pub why: &'static str,
}

impl BaseUrl {
    pub(crate) fn parse(text: &str) -> Result<Self, UrlError> {
        let shown = masked(text.trim_end_matches('/'));
        let wrong = |why| UrlError { url: game::visible(&shown), why };
        if text.contains(['?', '#']) {
            return Err(wrong("it must be that of a folder, without `?` and `#`"));
        }
        let uri: Uri = text.parse().map_err(|_| wrong("it must look like https://example.org/tables"))?;
        if !matches!(uri.scheme_str(), Some("http" | "https")) {
            return Err(wrong("it must begin with http:// or https://"));
        }
        let authority = uri.authority().filter(|authority| !authority.host().is_empty());
        let authority = authority.ok_or_else(|| wrong("it has no name of a server"))?;
        // The part after the name and after the brackets of an IPv6 address.
        let after =
            authority.as_str().rsplit('@').next().and_then(|rest| rest.strip_prefix(authority.host()));
        if after.is_none_or(|after| !after.is_empty()) && authority.port_u16().is_none_or(|port| port == 0) {
            return Err(wrong("its port is not a number from 1 to 65535"));
        }
        Ok(Self { text: text.trim_end_matches('/').to_owned(), shown })
    }

    /// The address for messages, without name and password.
    pub(crate) fn shown(&self) -> &str {
        &self.shown
    }

    /// The address of a file below the folder.
    pub(crate) fn of(&self, name: &str) -> String {
        let mut url = format!("{}/", self.text);
        for byte in name.bytes() {
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                    url.push(byte.into())
                }
                _ => url += &format!("%{byte:02X}"),
            }
        }
        url
    }
}

impl fmt::Debug for BaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

/// Hides name and password: everything from `://` to the last `@`, because a wrong address may have a password anywhere before it.
pub(crate) fn masked(url: &str) -> String {
    match url.rsplit_once('@') {
        None => url.to_owned(),
        Some((before, rest)) => {
            let scheme = before.find("://").map_or("", |at| &before[..at + 3]);
            format!("{scheme}…@{rest}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_parts_of_addresses() {
        let of = |base: &str, name: &str| BaseUrl::parse(base).map(|base| base.of(name)).unwrap();
        assert_eq!(of("http://a.b/c/", "x/y/z.est"), "http://a.b/c/x/y/z.est");
        assert_eq!(of("https://[::1]:8", "x/y z/%+ü"), "https://[::1]:8/x/y%20z/%25%2B%C3%BC");
    }

    #[test]
    fn wrong_addresses_are_told_without_passwords() {
        for (url, told) in [
            ("", "must look like"),
            ("tables", "must begin with http://"),
            ("ftp://a/b", "must begin with http://"),
            ("file:///etc", "must look like"),
            ("http://", "must look like"),
            ("http://a b/", "must look like"),
            ("http://a/b?c=d", "without `?`"),
            ("http://a/b#c", "without `?`"),
            ("http://a:99999/b", "port"),
            ("http://a:0/b", "port"),
            ("http://me:secret@a:x/b", "…@a:x/b"),
            ("me:secret@a/b", "…@a/b"),
            ("http://me:se/cret@a/b", "…@a/b"),
            ("ftp://me:secret@a/b", "ftp://…@a/b"),
        ] {
            let error = BaseUrl::parse(url).unwrap_err().to_string();
            assert!(error.contains(told) && !error.contains("cret"), "{url}: {error}");
        }
        let base = BaseUrl::parse("https://me:secret@a/b").unwrap();
        assert_eq!((base.shown(), format!("{base:?}").as_str()), ("https://…@a/b", "https://…@a/b"));
        assert_eq!(base.of("c"), "https://me:secret@a/b/c");
    }
}
