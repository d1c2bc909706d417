# shellcheck shell=bash
# What a person reads while a command works.

say() {
  printf '%s\n' "$*"
}

# Says why the command cannot go on, and ends it.
fail() {
  printf '%s\n' "$*" >&2
  exit 1
}

# Ends the command because a tool that reaches the network failed; $2 is its log.
fail_with_log() {
  local what=$1 log=$2
  if grep -qiE 'resolve host|resolving|network|unreachable|timed? ?out|refused|EAI_AGAIN|ENOTFOUND|(failed to|could not) download|dns error|name resolution' "$log"; then
    fail "$what: the network could not be reached. Connect this machine and run this again; what is built is kept. (Log: $log)"
  fi
  tail -n 20 "$log" >&2
  fail "$what. The lines above say why. (Log: $log)"
}
