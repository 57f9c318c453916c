//! The built page, embedded in the program and compressed once at the start.

use std::collections::HashMap;
use std::io::Write;
use std::sync::Arc;

use axum::body::Bytes;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "$COLLINEAR_PAGE"]
struct Page;

struct Asset {
    kind: String,
    etag: String,
    plain: Bytes,
    packed: Bytes,
}

/// All files of the page.
#[derive(Clone)]
pub(crate) struct Assets(Arc<HashMap<String, Asset>>);

impl Assets {
    /// Compresses the embedded files.
    pub(crate) fn load() -> Self {
        let assets = Page::iter().filter_map(|name| {
            let file = Page::get(&name)?;
            let mut packer = GzEncoder::new(Vec::new(), Compression::best());
            packer.write_all(&file.data).ok()?;
            let hash = file.metadata.sha256_hash();
            let asset = Asset {
                kind: kind_of(&name).to_owned(),
                etag: hash[..12]
                    .iter()
                    .fold("\"".to_owned(), |tag, byte| tag + &format!("{byte:02x}"))
                    + "\"",
                packed: packer.finish().ok()?.into(),
                plain: file.data.into_owned().into(),
            };
            Some((name.into_owned(), asset))
        });
        Self(Arc::new(assets.collect()))
    }

    /// Answers a request for a file.
    pub(crate) fn serve(&self, uri: &Uri, headers: &HeaderMap) -> Response {
        let name = match uri.path().trim_start_matches('/') {
            "" => "index.html",
            name => name,
        };
        let Some(asset) = self.0.get(name) else {
            return (StatusCode::NOT_FOUND, "there is no such page").into_response();
        };
        let wants = |name, value: &str| {
            headers.get(name).and_then(|v| v.to_str().ok()).is_some_and(|v| v.contains(value))
        };
        // The names of the files stay, so the browser asks each time; the tag makes that cheap.
        let common = [
            (header::ETAG, asset.etag.clone()),
            (header::CACHE_CONTROL, "no-cache".to_owned()),
            (header::VARY, "accept-encoding".to_owned()),
        ];
        if wants(header::IF_NONE_MATCH, &asset.etag) {
            return (StatusCode::NOT_MODIFIED, common).into_response();
        }
        let kind = [(header::CONTENT_TYPE, asset.kind.clone())];
        if wants(header::ACCEPT_ENCODING, "gzip") {
            let packed = [(header::CONTENT_ENCODING, "gzip")];
            (common, kind, packed, asset.packed.clone()).into_response()
        } else {
            (common, kind, asset.plain.clone()).into_response()
        }
    }
}

/// The type of a file, by its name.
pub(crate) fn kind_of(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "webmanifest" => "application/manifest+json",
        "png" => "image/png",
        "json" => "application/json",
        _ => "application/octet-stream",
    }
}
