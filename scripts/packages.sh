# shellcheck shell=bash
# Debian packages that the tests need: browsers, and what goes with them.

# Runs a command as root.
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
