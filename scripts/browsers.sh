# shellcheck shell=bash
# The browsers that the page is tested in, and a screen for the one that needs it.

# Skips the stage unless each command is there.
need() {
  local command
  for command in "$@"; do
    command -v "$command" >/dev/null || skip "$command is not installed"
  done
}

# Runs a command with a screen of its own, that nobody sees.
with_screen() {
  local number screen status=0
  coproc SCREEN { exec Xvfb -displayfd 1 -screen 0 1440x900x24 -nolisten tcp 2>/dev/null; }
  screen=$SCREEN_PID
  IFS= read -r -t 30 -u "${SCREEN[0]}" number || skip "Xvfb did not start"
  DISPLAY=:$number "$@" || status=$?
  kill "$screen" 2>/dev/null || true
  return "$status"
}
