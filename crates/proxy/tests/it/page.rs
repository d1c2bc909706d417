//! The built page and its header fields.

use std::fs;
use std::io::{Read, Write};
use std::path::PathBuf;

use axum::http::Method;
use flate2::{Compression, read::GzDecoder, write::GzEncoder};

use crate::world::{ANTHROPIC, Proxy, Whole, raw};

const INDEX: &str = "<!doctype html><script src=\"/0123456789abcdef/app.js\"></script>";

/// A folder as the build leaves it, in a place of its own.
fn built(name: &str) -> PathBuf {
    let root = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&root);
    let dist = root.join("dist");
    fs::create_dir_all(dist.join("fonts")).unwrap();
    fs::create_dir_all(dist.join("0123456789abcdef")).unwrap();
    let write = |path: &str, bytes: &[u8]| fs::write(root.join(path), bytes).unwrap();
    write("dist/index.html", INDEX.as_bytes());
    write("dist/0123456789abcdef/app.js", "let a = 1;\n".repeat(200).as_bytes());
    write("dist/0123456789abcdef/app_bg.wasm", b"\0asm\x01\0\0\0");
    write("dist/0123456789abcdef/app_bg.wasm.br", b"packed by brotli");
    write("dist/0123456789abcdef/app.css", b"a{}");
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(b"a{}").unwrap();
    write("dist/0123456789abcdef/app.css.gz", &packed.finish().unwrap());
    write("dist/fonts/vollkorn.woff2", b"wOF2");
    write("dist/icon.svg", b"<svg/>");
    write("dist/manifest.webmanifest", b"{}");
    write("secret.txt", b"canary");
    #[cfg(unix)]
    std::os::unix::fs::symlink(root.join("secret.txt"), dist.join("link.txt")).unwrap();
    dist
}

async fn serving(name: &str) -> Proxy {
    let dist = built(name);
    Proxy::start(|config| config.dist = Some(dist)).await
}

#[track_caller]
fn check_fields(answer: &Whole) {
    let policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
         img-src 'self' data:; connect-src 'self'; font-src 'self'; manifest-src 'self'; base-uri \
         'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; \
         trusted-types 'none'";
    for (name, value) in [
        ("content-security-policy", policy),
        ("x-frame-options", "DENY"),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-embedder-policy", "require-corp"),
        ("cross-origin-resource-policy", "same-origin"),
    ] {
        assert_eq!(answer.header(name), value, "{name}");
    }
    let permissions = answer.header("permissions-policy");
    assert!(permissions.contains("camera=()") && permissions.contains("usb=()"));
    assert!(permissions.split(", ").all(|it| it.ends_with("=()")));
}

#[tokio::test]
async fn every_answer_has_the_security_fields() {
    let proxy = serving("fields").await;
    for ask in [
        proxy.get("/"),
        proxy.get("/0123456789abcdef/app.js"),
        proxy.get("/none"),
        proxy.ask(Method::POST, "/"),
        proxy.get("/").with("host", "evil.example"),
        proxy.get("/api/status"),
        proxy.get("/api/none"),
        proxy.post(ANTHROPIC).body("{"),
    ] {
        check_fields(&ask.send().await);
    }
    check_fields(&Proxy::start(|_| ()).await.get("/").send().await);
}

#[tokio::test]
async fn files_come_with_their_kind_and_may_be_kept_by_their_name() {
    let proxy = serving("kinds").await;
    let kept = "public, max-age=31536000, immutable";
    for (path, kind, cache) in [
        ("/", "text/html; charset=utf-8", "no-store"),
        ("/index.html", "text/html; charset=utf-8", "no-store"),
        ("/0123456789abcdef/app.js", "text/javascript; charset=utf-8", kept),
        ("/0123456789abcdef/app_bg.wasm", "application/wasm", kept),
        ("/0123456789abcdef/app.css", "text/css; charset=utf-8", kept),
        ("/fonts/vollkorn.woff2", "font/woff2", "no-cache"),
        ("/icon.svg", "image/svg+xml", "no-cache"),
        ("/manifest.webmanifest", "application/manifest+json", "no-cache"),
    ] {
        let answer = proxy.get(path).send().await;
        assert_eq!(
            (answer.status, answer.header("content-type"), answer.header("cache-control")),
            (200, kind, cache),
            "{path}"
        );
    }
    assert_eq!(proxy.get("/").send().await.text(), INDEX);
}

#[tokio::test]
async fn files_are_packed_for_who_can_unpack_them() {
    let proxy = serving("packed").await;
    let ask = |path: &str, codings: &str| proxy.get(path).with("accept-encoding", codings).send();
    let plain = proxy.get("/0123456789abcdef/app.js").send().await;
    let packed = ask("/0123456789abcdef/app.js", "gzip, deflate, br").await;
    assert_eq!(
        (packed.header("content-encoding"), packed.header("vary")),
        ("gzip", "accept-encoding")
    );
    let mut unpacked = Vec::new();
    GzDecoder::new(&packed.body[..]).read_to_end(&mut unpacked).unwrap();
    assert_eq!(unpacked, plain.body);
    assert!(packed.body.len() * 10 < plain.body.len());
    for (path, codings, coding) in [
        ("/0123456789abcdef/app.js", "", ""),
        ("/0123456789abcdef/app.js", "identity", ""),
        ("/0123456789abcdef/app.js", "gzip;q=0, br", ""),
        ("/0123456789abcdef/app.js", "GZIP;q=0.5", "gzip"),
        ("/0123456789abcdef/app_bg.wasm", "gzip, br", "br"),
        ("/0123456789abcdef/app_bg.wasm", "br;q=0.0", ""),
        ("/0123456789abcdef/app.css", "gzip", "gzip"),
        ("/icon.svg", "gzip", ""),
    ] {
        let answer = ask(path, codings).await;
        assert_eq!(answer.header("content-encoding"), coding, "{path} {codings}");
    }
    assert_eq!(ask("/0123456789abcdef/app_bg.wasm", "br").await.text(), "packed by brotli");
    assert_eq!(proxy.get("/0123456789abcdef/app_bg.wasm.br").send().await.status, 404);
}

#[tokio::test]
async fn a_file_the_browser_has_is_not_sent_again() {
    let proxy = serving("tags").await;
    let first = proxy.get("/fonts/vollkorn.woff2").send().await;
    let again = proxy.get("/fonts/vollkorn.woff2").with("if-none-match", first.header("etag"));
    let again = again.send().await;
    assert_eq!((again.status, again.body.len()), (304, 0));
    let other = proxy.get("/fonts/vollkorn.woff2").with("if-none-match", "\"other\"").send().await;
    assert_eq!((other.status, other.text()), (200, "wOF2"));
}

#[tokio::test]
async fn no_path_leads_out_of_the_page() {
    let proxy = serving("paths").await;
    for path in [
        "/../secret.txt",
        "/fonts/../../secret.txt",
        "/..%2fsecret.txt",
        "/%2e%2e/secret.txt",
        "/fonts/%2e%2e/%2e%2e/secret.txt",
        "/..\\secret.txt",
        "/....//secret.txt",
        "//secret.txt",
        "/link.txt",
        "/fonts",
        "/fonts/",
        "/.",
        "/index.html/",
        "/index.html%00",
        "/etc/passwd",
        "//etc/passwd",
        "/none",
        "/chat/1",
    ] {
        let head = format!(
            "GET {path} HTTP/1.1\r\nhost: 127.0.0.1:{}\r\nconnection: close\r\n\r\n",
            proxy.port
        );
        let answer = raw(proxy.port, head.as_bytes()).await;
        assert!(
            answer.starts_with("HTTP/1.1 404 ") || answer.starts_with("HTTP/1.1 400 "),
            "{path}: {answer}"
        );
        assert!(!answer.contains("canary") && !answer.contains("doctype"), "{path}");
    }
}

#[tokio::test]
async fn the_page_can_only_be_read() {
    let proxy = serving("methods").await;
    for method in
        [Method::POST, Method::PUT, Method::DELETE, Method::PATCH, Method::OPTIONS, Method::TRACE]
    {
        assert_eq!(proxy.ask(method.clone(), "/").send().await.status, 405, "{method}");
    }
    let head = proxy.ask(Method::HEAD, "/").send().await;
    assert_eq!((head.status, head.body.len()), (200, 0));
    assert_eq!(head.header("content-length"), INDEX.len().to_string());
}

#[tokio::test]
async fn without_a_built_page_it_says_how_to_get_one() {
    let proxy = Proxy::start(|_| ()).await;
    let answer = proxy.get("/").send().await;
    assert_eq!((answer.status, answer.header("content-type")), (200, "text/plain; charset=utf-8"));
    assert!(answer.text().contains("./run") && answer.text().contains("trunk serve"));
    assert_eq!(proxy.get("/app.js").send().await.status, 404);
}
