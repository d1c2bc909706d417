# shellcheck shell=bash
# Builds the optimised page.
#
# Trunk serves the page while it is worked on. It has no part in this: it cannot split a program,
# and would build it once more to find that out.

readonly TARGET=${CARGO_TARGET_DIR:-$PWD/target}
# Where the optimised page is built: ./run --release serves it, ./test tries it.
readonly RELEASE_PAGE=$TARGET/page

# Beyond -Oz: control flow is made anew; what is called from one place stays a function of its own,
# since alike functions compress better than one that holds them all; functions lie in the order of
# their names, so that one function made for many types is seen to be alike; nothing lies below
# address 1024, where the linker puts the far end of the stack; and what only tools read is left out.
readonly OPTIMIZE=(--flatten --rereloop -Oz -Oz --one-caller-inline-max-function-size=0
  --low-memory-unused --strip-producers --strip-target-features --reorder-functions-by-name)

# Compiles the page for size, in parts. The standard library is built with it: compiled for size
# too, and ended by a trap instead of a message, it weighs a tenth of the page less. That needs two
# things which the stable compiler has behind RUSTC_BOOTSTRAP; what they do is fixed by
# rust-toolchain.toml, which names the compiler exactly.
compile_release_page() {
  RUSTC_BOOTSTRAP=1 \
    RUSTFLAGS='-Zunstable-options -Cpanic=immediate-abort -Clink-args=--emit-relocs' \
    cargo build --quiet --locked --offline --package kitchen-assistant --profile wasm-release --features split \
    --target wasm32-unknown-unknown -Zbuild-std=std,panic_abort -Zbuild-std-features=optimize_for_size
}

# Cuts the compiled page into the program that opens it and the parts that load later: into $1.
split_release_page() {
  local parts=$1 compiled=$TARGET/wasm32-unknown-unknown/wasm-release/kitchen-assistant.wasm
  wasm-split-cli --target web --out-name kitchen-assistant "$compiled" "$parts" &&
    wasm-bindgen --target web --no-typescript --keep-lld-exports \
      --out-name kitchen-assistant --out-dir "$parts" "$parts/kitchen-assistant.wasm" &&
    rm "$parts/kitchen-assistant.wasm" &&
    node scripts/shorten.js "$parts" &&
    printf '%s\0' "$parts"/*.wasm | xargs -0 -P 2 -I PART wasm-opt "${OPTIMIZE[@]}" PART -o PART
}

# Puts the page together in $2 from the parts in $1.
assemble_release_page() {
  NODE_PATH=$NPM_PACKAGES/node_modules node scripts/page.js "$1" "$2"
}

# What the tools have to say matters only if one of them fails.
build_release_page() {
  local parts=$TARGET/page-parts partial=$RELEASE_PAGE.partial log=$TARGET/page.log
  compile_release_page || return
  rm -rf "$parts" "$partial"
  if ! { split_release_page "$parts" && assemble_release_page "$parts" "$partial"; } >"$log" 2>&1; then
    cat "$log" >&2
    return 1
  fi
  rm -rf "$RELEASE_PAGE"
  mv --no-target-directory "$partial" "$RELEASE_PAGE"
}

# The same parts put together once more are the same page, byte for byte.
check_put_together_alike() {
  local again=$RELEASE_PAGE.again
  rm -rf "$again"
  assemble_release_page "$TARGET/page-parts" "$again"
  diff -r "$RELEASE_PAGE" "$again"
  rm -rf "$again"
}

# The same sources built from nothing in another folder are the same page, byte for byte.
check_built_alike() {
  local again=$TARGET/again
  rm -rf "$again"
  CARGO_TARGET_DIR=$again bash -c 'set -euo pipefail
    source scripts/say.sh
    NPM_PACKAGES=$1
    source scripts/page.sh
    build_release_page' bash "$NPM_PACKAGES"
  diff -r "$RELEASE_PAGE" "$again/page"
  say "note built twice, the page is the same, byte for byte"
  rm -rf "$again"
}
