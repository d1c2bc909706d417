# shellcheck shell=bash
# The official clients of the providers, from npm and PyPI, and what they talk to in the tests.

CLIENTS=tests/clients
# Runs a program with nothing of this environment, in which keys and addresses may be set.
readonly BARE=(env -i PATH="$PATH")

# Whether the clients from npm and the stand-in run on this Node.js.
node_fits_clients() {
  node -e 'const [major, minor] = process.versions.node.split(".");
    process.exit(major > 20 || (major == 20 && minor >= 15) ? 0 : 1)'
}

# The clients from npm, and the stand-in for the providers.
require_npm_clients() {
  local digest
  node_fits_clients || { say "The clients from npm need Node.js 20.15 or later." && return 1; }
  digest=$(sha256sum "$CLIENTS/package-lock.json")
  NPM_CLIENTS=$TOOLS/npm-clients-${digest:0:16}
  [[ -d $NPM_CLIENTS ]] ||
    install_into "$NPM_CLIENTS" "the clients from npm" "a few seconds" npm_install_clients
}

npm_install_clients() (
  cd "$CLIENTS" && npm_install "$1"
)

# The clients from PyPI. Some of what they need is compiled for one version of Python.
require_python_clients() {
  local digest
  command -v python3 >/dev/null || { say "Python is not installed." && return 1; }
  digest=$({ python3 -VV && cat "$CLIENTS/requirements.txt"; } | sha256sum)
  PYTHON_CLIENTS=$TOOLS/python-clients-${digest:0:16}
  [[ -d $PYTHON_CLIENTS ]] ||
    install_into "$PYTHON_CLIENTS" "the clients from PyPI" "about half a minute" pip_install_clients
}

# Into a folder of their own, so that a system which keeps its Python to itself allows it.
pip_install_clients() {
  python3 -m pip install --requirement "$CLIENTS/requirements.txt" --require-hashes --target "$1" \
    --only-binary :all: --disable-pip-version-check --root-user-action ignore --retries 1
}

# Runs a command while a proxy runs whose providers are stand-ins, each of which takes its own key
# alone; they stop when this shell ends. The command finds the proxy in $PROXY, and in $TOKEN what
# that lets it in by; the log of the proxy is $LOGS/clients-proxy.log.
with_stand_ins() {
  local port told=$LOGS/clients-proxy.token keys=()
  processes=()
  trap stop_processes EXIT
  stand_in anthropic
  keys+=(ANTHROPIC_API_KEY="$key" ANTHROPIC_BASE_URL="$address" ANTHROPIC_MODELS=claude-stand-in)
  stand_in openai
  keys+=(OPENAI_API_KEY="$key" OPENAI_BASE_URL="$address/v1" OPENAI_MODELS=gpt-stand-in)
  stand_in ollama
  keys+=(OLLAMA_API_KEY="$key" OLLAMA_HOST="$address")
  port=$(free_port)
  "${BARE[@]}" "${keys[@]}" "$TARGET/debug/proxy" --port "$port" >"$told" 2>"$LOGS/clients-proxy.log" &
  processes+=($!)
  wait_for_answer "$port" / $! 10 || fail_to_start "The proxy" clients-proxy
  TOKEN=$(told_in "$told") || fail "The proxy told no token."
  TOKEN=${TOKEN##* }
  PROXY=http://127.0.0.1:$port
  "$@"
}

# Starts the stand-in for the provider $1, and sets its `key` and its `address`.
stand_in() {
  local port log=clients-stand-in-$1
  port=$(free_port) key=canary-of-$1 address=http://127.0.0.1:$port
  "${BARE[@]}" AIMOCK_API_KEYS="$key" node "$NPM_CLIENTS/node_modules/@copilotkit/aimock/dist/aimock-cli.js" \
    --config "$CLIENTS/stand-in.json" --port "$port" >"$LOGS/$log.log" 2>&1 &
  processes+=($!)
  wait_for_answer "$port" /health $! 30 || fail_to_start "The stand-in for $1" "$log"
  [[ $(http_status "$port" /v1/models) == 401 ]] || fail "The stand-in for $1 answers who has no key."
}

# Ends what with_stand_ins started. How that ended does not count.
stop_processes() {
  kill "${processes[@]}" 2>/dev/null || true
  wait "${processes[@]}" 2>/dev/null || true
}

fail_to_start() {
  cat "$LOGS/$2.log"
  fail "$1 did not start. The lines above say why."
}

# Runs what is there of the clients; the rest is counted as skipped.
try_clients() {
  local status=0
  if require_python_clients; then
    "${BARE[@]}" PROXY="$PROXY" TOKEN="$TOKEN" PYTHONPATH="$PYTHON_CLIENTS" \
      python3 -s "$CLIENTS/clients.py" || status=1
  else
    say "skipped the clients openai, anthropic and ollama from PyPI: they could not be installed"
    say "0 passed, 0 failed, 3 skipped"
  fi
  "${BARE[@]}" PROXY="$PROXY" TOKEN="$TOKEN" NODE_PATH="$NPM_CLIENTS/node_modules" \
    node "$CLIENTS/clients.js" || status=1
  if grep canary "$LOGS/clients-proxy.log"; then
    say "FAILED the log of the proxy holds the keys above"
    say "0 passed, 1 failed, 0 skipped"
    return 1
  fi
  say "1 passed, 0 failed, 0 skipped"
  return "$status"
}
