//! The built page, held in memory: what is served is what was there at the start, so that no path
//! can lead anywhere else and no file of a newer build comes to a page of an older one.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use axum::body::{Body, Bytes};
use axum::http::header::{self, HeaderMap, HeaderName};
use axum::http::{HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use flate2::{Compression, write::GzEncoder};
use sha2::{Digest, Sha256};
use wire::anthropic::ErrorKind;

use crate::refusal::Refusal;

const FILES_MAX: usize = 1_000;
const BYTES_MAX: usize = 64_000_000;
/// Below this the header of a compressed file costs more than it saves.
const COMPRESS_BYTES_MIN: usize = 1_000;

/// Why the page cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum PageError {
    /// There is no such folder, or no page in it.
    #[error("{0} holds no index.html; `./run --release` builds and serves the page")]
    NotBuilt(PathBuf),
    /// Something in it cannot be read.
    #[error("{path} cannot be read: {source}")]
    Unreadable {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// That is no built page.
    #[error("{0} holds more than a built page should; point --dist at the folder of one")]
    TooLarge(PathBuf),
}

/// All files of the page, by the path a browser asks for.
#[derive(Debug)]
pub(crate) struct Page {
    files: BTreeMap<String, File>,
}

#[derive(Debug)]
struct File {
    plain: Bytes,
    gzip: Option<Bytes>,
    brotli: Option<Bytes>,
    kind: &'static str,
    cache: &'static str,
    tag: HeaderValue,
}

impl Page {
    /// Reads the folder a page was built into.
    pub(crate) fn load(dist: &Path) -> Result<Self, PageError> {
        if !dist.join("index.html").is_file() {
            return Err(PageError::NotBuilt(dist.to_owned()));
        }
        let mut found = BTreeMap::new();
        collect(dist, dist, &mut found)?;
        let files = found
            .iter()
            .filter(|(path, _)| !is_packed_copy(path, &found))
            .map(|(path, plain)| (path.clone(), File::new(path, plain, &found)))
            .collect();
        Ok(Self { files })
    }

    /// Answers a request for a file.
    pub(crate) fn serve(&self, path: &str, headers: &HeaderMap) -> Response {
        let path = if path == "/" { "/index.html" } else { path };
        match self.files.get(path) {
            Some(file) => file.serve(headers),
            None => not_found().into_response(),
        }
    }
}

impl File {
    fn new(path: &str, plain: &Bytes, found: &BTreeMap<String, Bytes>) -> Self {
        let kind = kind(path);
        let packed = |ending| found.get(&format!("{path}{ending}")).cloned();
        Self {
            plain: plain.clone(),
            gzip: packed(".gz").or_else(|| gzip(kind, plain)),
            brotli: packed(".br"),
            kind,
            cache: cache(path),
            tag: tag(plain),
        }
    }

    fn serve(&self, headers: &HeaderMap) -> Response {
        let known = headers.get(header::IF_NONE_MATCH) == Some(&self.tag);
        let (body, coding) = match (&self.brotli, &self.gzip) {
            _ if known => (&Bytes::new(), None),
            (Some(brotli), _) if accepts(headers, "br") => (brotli, Some("br")),
            (_, Some(gzip)) if accepts(headers, "gzip") => (gzip, Some("gzip")),
            (Some(_) | None, Some(_) | None) => (&self.plain, None),
        };
        let mut response = Response::new(Body::from(body.clone()));
        if known {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
        }
        let mut set = |name: HeaderName, value| {
            response.headers_mut().insert(name, HeaderValue::from_static(value));
        };
        set(header::CONTENT_TYPE, self.kind);
        set(header::CACHE_CONTROL, self.cache);
        set(header::VARY, "accept-encoding");
        if let Some(coding) = coding {
            set(header::CONTENT_ENCODING, coding);
        }
        response.headers_mut().insert(header::ETAG, self.tag.clone());
        response
    }
}

/// What is said at `/` where no page was built: in development trunk serves it.
pub(crate) fn absent(path: &str) -> Response {
    if path != "/" {
        return not_found().into_response();
    }
    (
        [(header::CONTENT_TYPE, "text/plain; charset=utf-8"), (header::CACHE_CONTROL, "no-store")],
        "This is the model proxy of Kitchen Assistant. It runs.\n\n\
         It was started without the page. Either start everything with ./run, or run `trunk serve` \
         beside it.\n",
    )
        .into_response()
}

/// Only reading is possible here.
pub(crate) fn is_reading(method: &Method) -> bool {
    method == Method::GET || method == Method::HEAD
}

fn not_found() -> Refusal {
    Refusal::new(StatusCode::NOT_FOUND, ErrorKind::NotFound, "There is nothing at this address.")
}

/// Links are not followed, since they may lead out of the folder.
fn collect(
    root: &Path,
    folder: &Path,
    found: &mut BTreeMap<String, Bytes>,
) -> Result<(), PageError> {
    let unreadable = |path: &Path, source| PageError::Unreadable { path: path.to_owned(), source };
    for entry in fs::read_dir(folder).map_err(|error| unreadable(folder, error))? {
        let entry = entry.map_err(|error| unreadable(folder, error))?;
        let path = entry.path();
        let kind = entry.file_type().map_err(|error| unreadable(&path, error))?;
        if kind.is_dir() {
            collect(root, &path, found)?;
        } else if kind.is_file()
            && let Some(name) = address(root, &path)
        {
            let bytes = fs::read(&path).map_err(|error| unreadable(&path, error))?;
            found.insert(name, bytes.into());
        }
        let size: usize = found.values().map(Bytes::len).sum();
        if found.len() > FILES_MAX || size > BYTES_MAX {
            return Err(PageError::TooLarge(root.to_owned()));
        }
    }
    Ok(())
}

fn address(root: &Path, path: &Path) -> Option<String> {
    let parts = path.strip_prefix(root).ok()?.iter().map(|part| part.to_str());
    let parts: Option<Vec<&str>> = parts.collect();
    Some(format!("/{}", parts?.join("/")))
}

/// `app.js.gz` beside `app.js` is another form of it, not a file of its own.
fn is_packed_copy(path: &str, found: &BTreeMap<String, Bytes>) -> bool {
    let original = path.strip_suffix(".gz").or_else(|| path.strip_suffix(".br"));
    original.is_some_and(|it| found.contains_key(it))
}

fn kind(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("json" | "map") => "application/json",
        Some("webmanifest") => "application/manifest+json",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("jpg" | "jpeg") => "image/jpeg",
        Some("webp") => "image/webp",
        Some("ico") => "image/x-icon",
        Some("woff2") => "font/woff2",
        Some("txt") => "text/plain; charset=utf-8",
        Some(_) | None => "application/octet-stream",
    }
}

/// An address with a hash in it never names anything else; the page itself must always be asked for.
fn cache(path: &str) -> &'static str {
    let is_hash = |part: &str| part.len() >= 12 && part.bytes().all(|it| it.is_ascii_hexdigit());
    if path.ends_with(".html") {
        "no-store"
    } else if path.split(['/', '-', '_', '.']).any(is_hash) {
        "public, max-age=31536000, immutable"
    } else {
        "no-cache"
    }
}

fn tag(plain: &[u8]) -> HeaderValue {
    let tag = format!("\"{}\"", BASE64_STANDARD.encode(Sha256::digest(plain)));
    HeaderValue::try_from(tag).unwrap_or(HeaderValue::from_static("\"\""))
}

/// Once at the start, so that no request waits for it.
fn gzip(kind: &str, plain: &[u8]) -> Option<Bytes> {
    let shrinks = kind.starts_with("text/")
        || ["application/wasm", "application/json", "image/svg+xml", "application/manifest+json"]
            .contains(&kind);
    if !shrinks || plain.len() < COMPRESS_BYTES_MIN {
        return None;
    }
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(plain).ok()?;
    packed.finish().ok().map(Bytes::from)
}

fn accepts(headers: &HeaderMap, coding: &str) -> bool {
    let named = |entry: &str| {
        let mut parts = entry.split(';').map(str::trim);
        let is_it = parts.next().is_some_and(|name| name.eq_ignore_ascii_case(coding));
        let refused = parts
            .any(|part| part.strip_prefix("q=").is_some_and(|weight| weight.parse() == Ok(0.0)));
        is_it && !refused
    };
    let values = headers.get_all(header::ACCEPT_ENCODING).iter();
    values.filter_map(|value| value.to_str().ok()).any(|value| value.split(',').any(named))
}
