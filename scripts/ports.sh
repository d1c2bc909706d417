# shellcheck shell=bash
# Ports on this machine, and what listens on them.

# Whether something listens on port $1.
in_use() {
  (exec {socket}<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null
}

# A port that nothing listens on.
free_port() {
  local port
  while true; do
    port=$((20000 + RANDOM % 20000))
    in_use "$port" || break
  done
  printf '%s\n' "$port"
}

# The status of `GET $2` on port $1; nothing if there is no answer.
http_status() (
  exec {socket}<>"/dev/tcp/127.0.0.1/$1" || exit 1
  printf 'GET %s HTTP/1.1\r\nHost: 127.0.0.1:%s\r\nConnection: close\r\n\r\n' "$2" "$1" >&"$socket"
  IFS=' ' read -r -t 5 -u "$socket" _ status _
  printf '%s\n' "$status"
) 2>/dev/null

# The line that the proxy writes into file $1 once it listens: where and with what whoever is not the
# page asks.
told_in() {
  local line tries
  for ((tries = 50; tries > 0; tries--)); do
    if read -r line <"$1"; then
      printf '%s\n' "$line"
      return
    fi
    sleep 0.1
  done
  return 1
}

# Waits until `GET $2` on port $1 is answered while process $3 lives, at most $4 seconds.
wait_for_answer() {
  local port=$1 path=$2 process=$3 seconds=$4 tries
  for ((tries = seconds * 5; tries > 0; tries--)); do
    kill -0 "$process" 2>/dev/null || return 1
    [[ -n $(http_status "$port" "$path") ]] && return 0
    sleep 0.2
  done
  return 1
}
