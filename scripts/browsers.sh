# shellcheck shell=bash
# The browsers that the page is tested in, and a screen for the one that needs it.

# Runs apt-get as root.
as_root() {
  if [[ $(id -u) == 0 ]]; then
    "$@"
  else
    sudo "$@"
  fi
}

# Installs Debian packages: pairs of a command and the package that has it.
# Says so and goes on if they cannot be had; the stages that need them are then skipped.
install_packages() {
  local log=$TOOLS/apt.log command missing=()
  for command in "$@"; do
    command -v "${command%%=*}" >/dev/null || missing+=("${command#*=}")
  done
  ((${#missing[@]} > 0)) || return 0
  say "Installing ${missing[*]} (about a minute, once) …"
  if ! command -v apt-get >/dev/null; then
    say "This system has no apt-get. Install them by its own means to have nothing skipped."
  elif ! as_root true; then
    say "Only root may install them, and sudo did not help. Install them to have nothing skipped."
  elif ! as_root apt-get update >"$log" 2>&1 ||
    ! as_root env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends \
      -o DPkg::Lock::Timeout=300 "${missing[@]}" >>"$log" 2>&1; then
    tail -n 5 "$log"
    say "apt-get could not install them; the lines above say why. What needs them is skipped."
  fi
}

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
