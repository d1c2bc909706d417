#!/usr/bin/env bash
# Tries the shell of ./run and ./test itself: what they refuse, install and count.
# shellcheck disable=SC2016 # the scripts in quotes are for another shell
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"; [[ -z ${listener:-} ]] || kill "$listener"' EXIT
passed=0 failed=0

# Passes if the command ends with status $2 and says what matches $3.
check() {
  local name=$1 expected=$2 pattern=$3 status=0 said
  shift 3
  said=$("$@" 2>&1) || status=$?
  if [[ $status == "$expected" && $said =~ $pattern ]]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    printf 'FAILED %s: status %s, and it said: %s\n' "$name" "$status" "$said"
  fi
}

# Runs a script in a shell that has all functions of ./run and ./test, and a cache of its own.
with_functions() {
  XDG_CACHE_HOME=$scratch/cache CARGO_TARGET_DIR=$scratch/target bash -c '
    set -euo pipefail
    for part in say tools page ports browsers stages clients; do source "scripts/$part.sh"; done
    mkdir -p "$TOOLS" "$LOGS"
    describe() { say "a stage"; }
    '"$1"
}

# A folder with these programs alone, to be a PATH.
only() {
  local folder=$scratch/only-$1 program
  mkdir -p "$folder"
  for program in bash dirname mkdir "$@"; do
    ln -sf "$(command -v "$program")" "$folder/$program"
  done
  printf '%s\n' "$folder"
}

check "an unknown option is refused" 1 '^\./run does not know "--what"\.' ./run --what
check "a file of settings that is not there is refused" 1 '^There is no file "no/such.toml"' \
  ./run --config no/such.toml
check "a port without a number is refused" 1 'needs a number' ./run --port
check "a port that is no number is refused" 1 '^"80a" is not a port' ./run --port 80a
check "a port that is too high is refused" 1 '^"65536" is not a port' ./run --port 65536
check "kills without a number are refused" 1 'needs a number' ./test --kills many
check "an unknown stage is refused" 1 'has no stage "what"' ./test what

listen='require("net").createServer().listen(0, "127.0.0.1", function () { console.log(this.address().port) })'
exec {ports}< <(exec node -e "$listen")
listener=$!
read -r port <&"$ports"
check "a port in use is named" 1 "^Port $port is in use" ./run --port "$port"

free=$(with_functions free_port)
check "a machine without Rust is told so" 1 'Rust is missing' \
  env PATH="$(only dirname)" bash ./run --port "$free"
check "a machine without a C compiler is told so" 1 'C compiler is missing' \
  env PATH="$(only cargo)" bash ./run --port "$free"

whole='fill() { touch "$1/tool"; }; install_into "$TOOLS/whole" "a tool" "a moment" fill'
half='fill() { touch "$1/tool"; return 1; }; install_into "$TOOLS/half" "a tool" "a moment" fill'
check "what was installed whole has its name" 0 'Installing a tool \(a moment' \
  with_functions "$whole; [[ -f \$TOOLS/whole/tool ]]"
check "what was installed is not installed again" 0 '^$' with_functions "$whole"
check "what was installed by half is said" 1 'could not be installed' with_functions "$half"
check "what was installed by half has no name" 0 '^$' with_functions '[[ ! -e $TOOLS/half ]]'
check "two runs at once install once" 0 '^1$' with_functions '
  mkfifo "$TOOLS/begun" "$TOOLS/go"
  first() { printf "x\n" >>"$TOOLS/filled"; : >"$TOOLS/begun"; : <"$TOOLS/go"; }
  second() { printf "x\n" >>"$TOOLS/filled"; : >"$TOOLS/go"; }
  install_into "$TOOLS/shared" "a tool" "a moment" first >/dev/null &
  : <"$TOOLS/begun"
  install_into "$TOOLS/shared" "a tool" "a moment" second 2>&1 |
    while read -r line; do [[ $line != *Waiting* ]] || : >"$TOOLS/go"; done
  wait
  grep -c x "$TOOLS/filled"'
check "a missing network is said as such" 1 'network could not be reached' with_functions '
  printf "error: Could not resolve host: example.org\n" >"$TOOLS/log"
  fail_with_log "It could not be installed" "$TOOLS/log"'

mkdir "$scratch/bare"
printf '#!/bin/sh\necho %s\n' "$scratch" >"$scratch/bare/rustc"
chmod +x "$scratch/bare/rustc"
check "a Rust without the source of its library is told so" 1 'without the source of its library' \
  with_functions "PATH=$scratch/bare:$(only bash); require_library_source"
check "a page that cannot be put together is said, and the one before it stays" 3 'no such part' \
  with_functions '
  compile_release_page() { :; }
  split_release_page() { say "no such part"; false; }
  mkdir -p "$RELEASE_PAGE"
  touch "$RELEASE_PAGE/index.html"
  build_release_page || { [[ -f $RELEASE_PAGE/index.html ]] && exit 3; }'

check "a Node.js that is too old for the clients is said" 1 'need Node.js 20.15' \
  with_functions 'node() { return 1; }; require_npm_clients'
check "clients without a Python are said" 1 'Python is not installed' \
  with_functions "PATH=$(only bash); require_python_clients"
without_clients='require_python_clients() { false; }
  CLIENTS=$TOOLS NPM_CLIENTS=$TOOLS PROXY=http://127.0.0.1:1 TOKEN=none
  : >"$CLIENTS/clients.js"'
check "clients that could not be installed are skipped by name" 0 \
  'skipped the clients openai, anthropic and ollama from PyPI.*0 passed, 0 failed, 3 skipped' \
  with_functions "$without_clients; : >\$LOGS/clients-proxy.log; try_clients"
check "a key in the log of the proxy is a failed case" 1 '0 passed, 1 failed, 0 skipped$' \
  with_functions "$without_clients; printf canary >\$LOGS/clients-proxy.log; try_clients"

check "tests are added up" 1 '5 passed, 2 failed, 1 skipped$' with_functions '
  stage_one() { say "test result: ok. 2 passed; 0 failed; 1 ignored; 0 measured"; }
  stage_two() { say "test result: FAILED. 2 passed; 2 failed; 0 ignored; 0 measured"; false; }
  stage_three() { say "1 passed, 0 failed, 0 skipped"; }
  run_stage one cargo; run_stage two cargo; run_stage three cases; finish'
check "a stage that does not build counts as failed" 1 'cannot compile.*0 passed, 1 failed, 0 skipped$' \
  with_functions 'stage_one() { say "cannot compile"; false; }; run_stage one cargo; finish'
check "a stage that fails half-way counts as failed" 1 '0 passed, 1 failed, 0 skipped$' \
  with_functions 'stage_one() { false; true; }; run_stage one check; finish'
check "a stage without tests counts as failed" 1 'No test ran.*0 passed, 1 failed, 0 skipped$' \
  with_functions 'stage_one() { true; }; run_stage one cargo; finish'
check "a stage that could not run is skipped with its reason" 0 \
  'nothing-such is not installed.*0 passed, 0 failed, 1 skipped$' \
  with_functions 'stage_one() { need nothing-such; }; run_stage one check; finish'

printf '%s passed, %s failed, 0 skipped\n' "$passed" "$failed"
((failed == 0))
