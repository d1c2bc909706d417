# shellcheck shell=bash
# Finds the tools that build and test the page, and installs what is missing.
# Each tool has a folder of its own, named for its exact version, in the user's cache:
# a second clone finds them there.

readonly TOOLS=${XDG_CACHE_HOME:-$HOME/.cache}/kitchen-assistant/tools
readonly TRUNK_VERSION=0.21.14
readonly GECKODRIVER_VERSION=0.37.1
readonly WASM_SPLIT_VERSION=0.2.4
readonly CARGO_DENY_VERSION=0.20.2

# What must be there before anything can be installed.
require_basics() {
  command -v cargo >/dev/null ||
    fail "Rust is missing. Install it from https://rustup.rs and run this again."
  command -v cc >/dev/null ||
    fail "A C compiler is missing. Install one (on Debian: apt-get install gcc libc6-dev) and run this again."
  { command -v node && command -v npm; } >/dev/null ||
    fail "Node.js is missing. Install version 18 or later, with npm, and run this again."
  command -v flock >/dev/null ||
    fail "flock is missing. Install it (on Debian: apt-get install util-linux) and run this again."
  mkdir -p "$TOOLS" || fail "The folder $TOOLS cannot be made, and the tools belong there."
}

# The compiler and the target that rust-toolchain.toml names.
require_rust() {
  local log=$TOOLS/rustup.log
  if [[ ! -d $(rustc --print target-libdir --target wasm32-unknown-unknown 2>"$log") ]]; then
    command -v rustup >/dev/null ||
      fail "This Rust cannot build for the web. Install Rust from https://rustup.rs and run this again."
    say "Installing Rust's wasm target (about half a minute, once) …"
    rustup target add wasm32-unknown-unknown >"$log" 2>&1 ||
      fail_with_log "Rust's wasm target could not be installed" "$log"
  fi
}

# The libraries of Cargo.lock, so that a build that follows needs no network.
require_libraries() {
  local log=$TOOLS/libraries.log host
  host=$(rustc -vV | sed -n 's/^host: //p')
  cargo fetch --target "$host" --target wasm32-unknown-unknown >"$log" 2>&1 ||
    fail_with_log "The libraries in Cargo.lock could not be fetched" "$log"
}

# The components of Rust that are named.
require_rust_components() {
  local log=$TOOLS/rustup.log component
  for component in "$@"; do
    cargo "${component/rustfmt/fmt}" --version >/dev/null 2>&1 && continue
    say "Installing $component (a few seconds, once) …"
    rustup component add "$component" >"$log" 2>&1 ||
      fail_with_log "$component could not be installed" "$log"
  done
}

# The standard library's source, which the optimised page is built with, and the libraries that it
# uses itself.
require_library_source() {
  local log=$TOOLS/rustup.log source
  source=$(rustc --print sysroot)/lib/rustlib/src/rust/library
  if [[ ! -d $source ]]; then
    command -v rustup >/dev/null ||
      fail "This Rust comes without the source of its library. Install Rust from https://rustup.rs and run this again."
    say "Installing the source of Rust's library (a few seconds, once) …"
    rustup component add rust-src >"$log" 2>&1 ||
      fail_with_log "The source of Rust's library could not be installed" "$log"
  fi
  log=$TOOLS/libraries.log
  RUSTC_BOOTSTRAP=1 cargo fetch --locked --manifest-path "$source/Cargo.toml" --target wasm32-unknown-unknown >"$log" 2>&1 ||
    fail_with_log "The libraries that Rust's own library uses could not be fetched" "$log"
}

# Whether `$1 --version` is on PATH and says version $2.
fits() {
  local said
  said=$("$1" --version 2>/dev/null) || return 1
  [[ " ${said%%$'\n'*} " == *" $2 "* ]]
}

# Runs a command that fills a folder, and gives it its name only when it is whole.
# Two runs at once build it once: the second waits for the first.
install_into() (
  folder=$1 what=$2 takes=$3
  shift 3
  exec {lock}>"$folder.lock"
  if ! flock --nonblock "$lock"; then
    say "Another run is installing $what. Waiting for it …"
    flock "$lock"
  fi
  [[ -d $folder ]] && exit 0
  say "Installing $what ($takes, once for this machine) …"
  rm -rf "$folder.partial"
  mkdir "$folder.partial"
  "$@" "$folder.partial" >"$folder.log" 2>&1 ||
    fail_with_log "$what could not be installed" "$folder.log"
  mv --no-target-directory "$folder.partial" "$folder"
)

# Builds a cargo tool for quick building rather than for quick running.
cargo_install() {
  CARGO_PROFILE_RELEASE_OPT_LEVEL=1 CARGO_PROFILE_RELEASE_LTO=off \
    CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 \
    cargo install "${@:1:$#-1}" --root "${!#}"
}

# Puts the cargo tool $1 in version $2 on PATH. $3 says how long its build takes.
require_cargo_tool() {
  local name=$1 version=$2 takes=$3
  local folder=$TOOLS/$name-$version
  shift 3
  [[ -d $folder ]] ||
    install_into "$folder" "$name $version" "$takes" \
      cargo_install "$name" --version "$version" "$@"
  PATH=$folder/bin:$PATH
}

require_trunk() {
  fits trunk "$TRUNK_VERSION" ||
    require_cargo_tool trunk "$TRUNK_VERSION" "about 4 minutes" \
      --locked --no-default-features --features rustls
}

# wasm-bindgen must have the version that the page is built with.
# Without --locked: its own lock file names a crate version that is no longer offered.
require_wasm_bindgen() {
  local version
  version=$(sed -n '/^name = "wasm-bindgen"$/{n;s/version = "\(.*\)"/\1/p}' Cargo.lock)
  { fits wasm-bindgen "$version" && fits wasm-bindgen-test-runner "$version"; } ||
    require_cargo_tool wasm-bindgen-cli "$version" "about 2 minutes"
}

# Cuts the optimised page into parts. It does not tell its version, so one on PATH is never used.
require_wasm_split() {
  require_cargo_tool wasm_split_cli_support "$WASM_SPLIT_VERSION" "about 2 minutes" \
    --locked --features build-binary
}

# What builds the optimised page.
require_page_tools() {
  require_library_source
  require_wasm_bindgen
  require_wasm_split
  require_npm_packages
}

# Firefox's driver, which Debian does not have.
require_geckodriver() {
  fits geckodriver "$GECKODRIVER_VERSION" ||
    require_cargo_tool geckodriver "$GECKODRIVER_VERSION" "about 2 minutes" --locked
}

# What holds the libraries of Cargo.lock to deny.toml.
require_cargo_deny() {
  fits cargo-deny "$CARGO_DENY_VERSION" ||
    require_cargo_tool cargo-deny "$CARGO_DENY_VERSION" "about a minute" --locked
}

npm_install() {
  cp package.json package-lock.json "$1" &&
    npm ci --prefix "$1" --ignore-scripts --no-audit --no-fund --fetch-retries 1
}

# The packages of package-lock.json: wasm-opt, which goes on PATH, esbuild and axe-core.
require_npm_packages() {
  local lock_digest
  lock_digest=$(sha256sum package-lock.json)
  NPM_PACKAGES=$TOOLS/npm-${lock_digest:0:16}
  [[ -d $NPM_PACKAGES ]] ||
    install_into "$NPM_PACKAGES" "wasm-opt, esbuild and axe-core" "a few seconds" npm_install
  PATH=$NPM_PACKAGES/node_modules/.bin:$PATH
}
