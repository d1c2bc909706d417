# shellcheck shell=bash
# Builds the page and its proxy.

readonly TARGET=${CARGO_TARGET_DIR:-$PWD/target}
# Where the optimised page is built: ./run --release serves it, ./test tries it.
readonly RELEASE_PAGE=$TARGET/page

# Cargo builds first: it may use the network and says plainly what does not compile.
# Trunk then downloads nothing; its tools are on PATH.
build_release_page() {
  cargo build --quiet --profile wasm-release --target wasm32-unknown-unknown --package kitchen-assistant &&
    trunk --quiet --offline=true build --release --dist "$RELEASE_PAGE"
}
