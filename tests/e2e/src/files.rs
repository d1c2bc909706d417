//! Where the built page, the proxy and the checker of accessibility are.

use std::env;
use std::path::PathBuf;

/// The folder of the optimised page.
#[must_use]
pub fn page() -> PathBuf {
    built("E2E_PAGE", "page")
}

/// The proxy's program.
#[must_use]
pub fn proxy() -> PathBuf {
    built("E2E_PROXY", "debug/proxy")
}

/// The script of axe-core.
#[must_use]
pub fn axe() -> PathBuf {
    built("AXE_CORE", "axe.min.js")
}

/// The folder that pictures are written to.
#[must_use]
pub fn pictures(name: &str) -> PathBuf {
    let folder = target().join(name);
    std::fs::create_dir_all(&folder).expect("the target folder can be written to");
    folder
}

fn target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target"),
        PathBuf::from,
    )
}

fn built(variable: &str, usual: &str) -> PathBuf {
    let path = env::var_os(variable).map_or_else(|| target().join(usual), PathBuf::from);
    assert!(path.exists(), "{} is not there. `./test e2e` builds what is needed.", path.display());
    path
}
